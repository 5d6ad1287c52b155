/* SPDX-License-Identifier: MIT */
/* What a file says of its kernel in comments before the module, in Dat3M's words:
 *
 *   ; @Input: %name = {0, {1, 2}}
 *   ; @Input: .u64 name = {0, 1}
 *   ; @Input: name = {0 * 256, 1}
 *   ; @Output: forall (%name[0] == 1 or not (%name[1] < 2))
 *   ; @Filter: (%name[0] != 0)
 *   ; @Kernel: name
 *   // @Options: -DFAST -O2
 *   ; @Config: 3, 1, 3
 *   ; @Config: 4x2, 1, 2x2
 *
 * `;` begins a comment of SPIR-V text, `//` one of a source.  Names need no `%`,
 * and are looked up later, against the module.
 */
#ifndef LITSCOPE_PROGRAM_HEADER_COMMENTS_H
#define LITSCOPE_PROGRAM_HEADER_COMMENTS_H

#include "checker/base/diag.h"
#include "checker/base/vec.h"
#include "checker/program/outcome.h"

/* A number, or a list in braces. */
struct initial {
  bool list, real;
  bool none; /* nothing is said of it */
  int64_t number;
  double value; /* `real`: written with a point or an exponent */
  const struct initial *items;
  unsigned count;
  struct span span;
  const struct source *source;
};

struct header_input {
  const char *name, *type; /* type: as in PTX, `.u64`, without its point; NULL: none is given */
  struct initial value;
  struct span span;
  const struct source *source;
  bool used; /* set by whoever looks it up */
};

enum { MOST_INDICES = 8 };

/* A number, or a variable's element. */
struct header_operand {
  const char *name; /* NULL: a number */
  struct initial number;
  int64_t indices[MOST_INDICES];
  const char *members[MOST_INDICES]; /* `.name` in place of an index; NULL: none */
  unsigned index_count;
  struct span span;
  const struct header_operand *more; /* what is added to it; NULL: nothing */
  bool subtracted;                   /* from what stands before */
};

struct header_prop {
  enum prop_kind kind; /* COMPARE, AND, OR, NOT */
  enum compare compare;
  struct header_operand left, right;
  const struct header_prop *a, *b;
};

struct header_output {
  enum quantifier quantifier;
  const struct header_prop *prop;
  struct span span; /* of what follows the quantifier */
  const struct source *source;
};

enum { MOST_WORK_ITEMS = 4096 };

/* Numbers of something in x, y and z. */
struct shape {
  unsigned at[3];
};

static inline unsigned shape_count(const struct shape *shape) {
  return shape->at[0] * shape->at[1] * shape->at[2];
}

/* A number counted along x, then y, then z: its part in one of these. */
static inline unsigned shape_part(const struct shape *shape, unsigned number, unsigned component) {
  for (unsigned i = 0; i < component; i++) number /= shape->at[i];
  return component < 2 ? number % shape->at[component] : number;
}

struct header {
  unsigned threads, subgroups, workgroups; /* in a sub-group, in a work-group, in all */
  struct shape items, groups;              /* of work-items in a work-group, and of work-groups */
  bool configured;
  const char *kernel;      /* the entry point that is read; NULL: the first */
  struct span kernel_span; /* in the source; its start, where `more` names the kernel */
  VEC(struct header_input) inputs;
  VEC(struct header_output) outputs;
  VEC(const char *) options;        /* words for the compiler of a source */
  const struct header_prop *filter; /* NULL: none */
  const struct source *filter_source;
  struct span filter_span;
};

/* Reads the comments, wherever they stand; those of SPIR-V's text, if it is `assembly`.  What `more` (NULL: nothing)
 * says likewise takes the place of what the source says: of a variable, the condition, the filter, the work-items, the
 * kernel.  False: an error was added. */
bool header_read(struct arena *arena, const struct source *source, bool assembly, const struct source *more,
                 struct header *header, struct diags *diags);

/* Puts a condition, as after @Output, in the place of those of `source`.  False: an error was added. */
bool header_replace_condition(struct arena *arena, const struct source *source, const char *condition,
                              struct header *header, struct diags *diags);

#endif
