/* SPDX-License-Identifier: MIT */
/* Syntax trees of ADSM tests: adsm.c makes them, adsm_lower.c turns them into
 * instructions.  Trees are at most ADSM_NESTING_LIMIT high, so that whoever
 * walks one can recurse.
 */
#ifndef LITSCOPE_LITMUS_ADSM_H
#define LITSCOPE_LITMUS_ADSM_H

#include "checker/litmus/draft.h"

enum { ADSM_NESTING_LIMIT = 256 };

enum adsm_expr_kind { ADSM_NUMBER, ADSM_NAME, ADSM_OPERATION };

/* A NAME is a register or, with or without an index, a cell. */
struct adsm_expr {
  enum adsm_expr_kind kind;
  struct span span;
  unsigned height;
  int64_t value;
  const char *name;
  const struct adsm_expr *index;
  enum expr_kind op;
  const struct adsm_expr *a, *b, *c;
};

enum adsm_stmt_kind {
  ADSM_ASSIGN,
  ADSM_BLOCK,
  ADSM_IF,
  ADSM_WHILE,
  ADSM_DO_CALL,
  ADSM_DO_SYNC,
  ADSM_DO_ALLOC,
  ADSM_DO_FREE,
  ADSM_DO_FILL,
  ADSM_DO_COPY
};

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

struct adsm_stmt {
  enum adsm_stmt_kind kind;
  struct span span;
  const struct adsm_expr *to, *value;       /* ASSIGN; `value` also the condition of IF and WHILE */
  const struct adsm_stmt *body, *otherwise; /* BLOCK: its first statement */
  const char *name;                         /* of the kernel or object */
  VEC(struct adsm_argument) arguments;      /* CALL */
  bool annotated;                           /* CALL: it says what the kernel writes */
  VEC(struct adsm_name) writes;             /* ... */
  struct adsm_range range, from;            /* FILL, COPY */
  const struct adsm_stmt *next;             /* in a block */
};

struct adsm_kernel {
  const char *name;
  struct span span;
  VEC(struct adsm_name) parameters; /* objects, bound by each call */
  unsigned accelerator;
  struct adsm_stmt *body;
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

void adsm_lower_threads(struct draft *draft);

#endif
