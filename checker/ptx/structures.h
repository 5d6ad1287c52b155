/* SPDX-License-Identifier: MIT */
/* Parameters of a PTX kernel that are structures: bytes, of which the loads say what is where. */
#ifndef LITSCOPE_PTX_STRUCTURES_H
#define LITSCOPE_PTX_STRUCTURES_H

#include "checker/program/header_comments.h"
#include "checker/ptx/module.h"

struct ptx_member {
  uint64_t offset;
  unsigned bytes;
  const char *type;            /* of the load of it, "u32"; else "b32" */
  const struct initial *value; /* a list: what it points to */
};

struct ptx_members {
  VEC(struct ptx_member) all;
};

/* Is the parameter a structure, or an array? */
static inline bool ptx_is_structure(const struct ptx_variable *parameter) {
  return parameter->array;
}

/* The members that a header gives one after the other: each has as many bytes as the load of it has; one that is not
 * loaded 4, a pointer 8.  false: an error was added. */
bool ptx_structure_members(struct arena *arena, const struct source *source, const struct ptx_entry *kernel,
                           const struct ptx_variable *parameter, const struct header_input *input,
                           struct ptx_members *members, struct diags *diags);

#endif
