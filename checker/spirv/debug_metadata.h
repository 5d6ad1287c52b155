/* SPDX-License-Identifier: MIT */
/* LLVM's notes for debuggers in the text of IR: places of instructions, types. */
#ifndef LITSCOPE_SPIRV_DEBUG_METADATA_H
#define LITSCOPE_SPIRV_DEBUG_METADATA_H

#include "checker/spirv/types.h"

struct metadata {
  struct arena *arena;
  const char **nodes; /* by number: `!DILocation(line: 3, ...)`; NULL: none */
  unsigned count;
};

/* The nodes of a module's text. */
struct metadata metadata_find(struct arena *arena, const char *text);

/* A node's field: its text up to the next comma or bracket; NULL: it has none. */
const char *metadata_field(const struct metadata *m, unsigned node, const char *name);

/* The number of the node that a field names, or 0. */
unsigned metadata_node(const struct metadata *m, unsigned node, const char *name);

/* A field's number, or 0. */
uint64_t metadata_number(const struct metadata *m, unsigned node, const char *name);

/* Is the node of this kind: `DILocation`? */
bool metadata_is(const struct metadata *m, unsigned node, const char *kind);

/* Where an instruction stands in the text that was compiled; false: in another file, or nowhere. */
bool metadata_place(const struct metadata *m, unsigned location, unsigned *line, unsigned *column);

/* A type; NULL: it is one that memory is not made of here: a union, bit fields. */
const struct kernel_type *metadata_type(const struct metadata *m, unsigned node);

#endif
