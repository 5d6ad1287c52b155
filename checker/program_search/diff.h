/* SPDX-License-Identifier: MIT */
/* Where do models part?  All programs of a family under one model, A, and under
 * others, each a B: how many are of which class, and the minimal programs that
 * tell them apart, those of which no part tells them apart in the same way.
 *
 * A part of a program is what small_without leaves: some operations fewer, as many
 * threads, that still hang together.  Of a file's programs with more than DIFF_ALL_PARTS
 * operations, only the parts with up to DIFF_FEWER operations fewer are asked about.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_DIFF_H
#define LITSCOPE_PROGRAM_SEARCH_DIFF_H

#include "checker/base/limit.h"
#include "checker/base/parts.h"
#include "checker/program_search/judge_program.h"
#include "checker/small_programs/small_family.h"

struct diff_options {
  struct small_family family;
  struct judge_model a;
  const struct judge_model *b;
  size_t count; /* of b */
  struct enumerate_options limits;
  unsigned workers;
  const atomic_int *cancel;
};

enum { DIFF_SIZES = SMALL_THREADS * SMALL_OPS + 1, DIFF_ALL_PARTS = 12, DIFF_FEWER = 2 };

struct diff_minimal {
  enum diff_class class;
  uint64_t index; /* of the program in the family */
  struct small_program program;
  const char *rule;  /* of a model, which tells them apart, in words; "": not known (diff_groups.h) */
  size_t group;      /* the first program of its group, by its number */
  size_t group_size; /* of that: how many are in it */
};

/* A and one B. */
struct diff_result {
  uint64_t counts[DIFF_SIZES][CLASSES]; /* by number of operations */
  struct diff_minimal *minimal;         /* by class, then by size, then by index */
  size_t minimal_count;
};

/* Does what is to be done here.  false: it was cancelled. */
bool diff_run(struct parts *parts, const struct diff_options *options);

/* Sums up all parts, which are there: a result for each B, in `arena`. */
struct diff_result *diff_sum(struct arena *arena, struct parts *parts, const struct diff_options *options);

/* Programs of a class, of all sizes. */
uint64_t diff_total(const struct diff_result *result, enum diff_class class);

#endif
