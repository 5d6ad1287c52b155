/* SPDX-License-Identifier: MIT */
/* A mapping on every small program of a family: bounded-exhaustive soundness.
 *
 * Programs come from small_family.h; each is asked of the model first, and explored
 * when it is race-free, unless one that comes to the same was (sweep_memo.h).
 * Workers share the family by taking runs of its programs in turn; the result does
 * not depend on their number.
 */
#ifndef LITSCOPE_VERIFY_SWEEP_H
#define LITSCOPE_VERIFY_SWEEP_H

#include "checker/base/parts.h"
#include "checker/verify/small_family.h"
#include "checker/verify/verify.h"

struct sweep_options {
  struct small_family family;
  struct verify_options verify;
  unsigned workers;
  /* Called now and then with programs done; from one thread at a time. */
  void (*progress)(void *context, uint64_t done);
  void *context;
};

struct sweep_result {
  uint64_t programs, race_free, sound, unsound, deadlocks, undecided, no_cell;
  uint64_t states;               /* explored */
  struct small_program smallest; /* unsound or stuck, with fewest operations, and of those the first */
  bool found;
  bool stopped; /* cancelled: counts are of what was done */
};

/* `target` runs programs of OpenCL. */
struct sweep_result sweep_run(const struct target *target, const struct cat_model *model,
                              const struct sweep_options *options);

/* Tries one program and counts it. */
struct sweep_memo; /* sweep_memo.h */
void sweep_program(struct sweep_memo *memo, const struct target *target, const struct sweep_options *options,
                   struct explorer *explorer, const struct small_program *program, struct sweep_result *result);

/* Keeps an unsound program, or one that gets stuck, if it is simpler than the one that is kept. */
void sweep_note_violation(struct sweep_result *result, const struct small_program *program);

/* The same for several targets, in parts: first all of the first target.  Does what
 * is to be done here.  `programs`: of the family.  false: it was cancelled. */
bool sweep_run_parts(struct parts *parts, const struct target *targets, size_t target_count, uint64_t programs,
                     const struct cat_model *model, const struct sweep_options *options);

/* Sums up a target's parts, which are there; `*seconds`: what they took together. */
struct sweep_result sweep_sum_parts(struct parts *parts, size_t target, uint64_t programs, double *seconds);

#endif
