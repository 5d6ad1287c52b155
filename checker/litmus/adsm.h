/* SPDX-License-Identifier: MIT */
/* What ADSM tests have besides C's expressions and control flow (ast.h): adsm.c reads
 * it, adsm_lower.c turns it into instructions.
 */
#ifndef LITSCOPE_LITMUS_ADSM_H
#define LITSCOPE_LITMUS_ADSM_H

#include "checker/litmus/ast.h"

/* Cells of an object: `x`, `x[1]`, `x[1..2]`. */
struct adsm_range {
  const char *name;
  struct span span;
  bool whole;
  int64_t first, last;
};

/* A name in the text: of what the init section declares, or of what comes later. */
struct adsm_name {
  const char *text;
  struct span span;
};

/* What a call gives its kernel: a pointer to an object, for the accelerator or as it is. */
struct adsm_argument {
  struct adsm_name object;
  bool translated;
};

enum adsm_action_kind { ADSM_CALL, ADSM_SYNC, ADSM_ALLOC, ADSM_FREE, ADSM_FILL, ADSM_COPY };

/* A statement that only the host may use. */
struct adsm_action {
  enum adsm_action_kind kind;
  struct span span;
  const char *name;                    /* of the kernel or object */
  VEC(struct adsm_argument) arguments; /* CALL */
  bool annotated;                      /* CALL: it says what the kernel writes */
  VEC(struct adsm_name) writes;        /* ... */
  struct adsm_range range, from;       /* FILL, COPY */
  const struct ast_expr *value;        /* FILL */
};

struct adsm_kernel {
  const char *name;
  struct span span;
  VEC(struct adsm_name) parameters; /* objects, bound by each call */
  unsigned accelerator;
  const struct ast_stmt *body;
};

struct adsm_object {
  const char *name;
  struct span span;
  bool shared, initialised, allocated_later, freed;
  bool safe;                     /* its address on the host is not that on the accelerator */
  bool placed;                   /* `on` names its accelerator; else it is that of its kernels */
  unsigned accelerator;          /* in whose memory it lies */
  VEC(struct adsm_name) kernels; /* `for k, l`; empty: all */
};

/* `draft.own` of an ADSM test; objects are in the order of draft.locations. */
struct adsm_test {
  VEC(struct adsm_object) objects;
  VEC(struct adsm_kernel) kernels;
};

/* The index of an object or a kernel, or -1. */
int adsm_find_object(const struct adsm_test *test, const char *name);
int adsm_find_kernel(const struct adsm_test *test, const char *name);
int adsm_find_parameter(const struct adsm_kernel *kernel, const char *name);

/* Is it a word that no register or object can have as its name? */
extern const char *const adsm_reserved[];
bool adsm_is_reserved(const char *word);

void adsm_lower_threads(struct draft *draft);

#endif
