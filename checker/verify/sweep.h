/* SPDX-License-Identifier: MIT */
/* A mapping on every small program of a family: bounded-exhaustive soundness.
 *
 * Programs come from small.h; each is asked of the model first, and explored
 * when it is race-free.  Workers share the family by taking its programs in
 * turn; the result does not depend on their number.
 */
#ifndef LITSCOPE_VERIFY_SWEEP_H
#define LITSCOPE_VERIFY_SWEEP_H

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

#endif
