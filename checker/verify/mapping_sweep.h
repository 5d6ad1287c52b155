/* SPDX-License-Identifier: MIT */
/* A mapping on every small program of a family: bounded-exhaustive soundness.
 *
 * Programs come from small_family.h; each is asked of the model first, and explored
 * when it is race-free, unless one that comes to the same was (sweep_memo.h).
 * Workers share the family by taking runs of its programs in turn; the result does
 * not depend on their number.
 */
#ifndef LITSCOPE_VERIFY_MAPPING_SWEEP_H
#define LITSCOPE_VERIFY_MAPPING_SWEEP_H

#include "checker/base/parts.h"
#include "checker/verify/sweep_result.h"
#include "checker/verify/verify_test.h"

struct sweep_options {
  struct small_family family;
  struct verify_options verify;
  unsigned workers;
};

/* Several targets, which run programs of OpenCL, in parts: first all of the first target.  Does what
 * is to be done here.  `programs`: about how many there are,
 * at least 1, the same for all who divide the work.  false: it was cancelled. */
bool sweep_run(struct parts *parts, const struct target *targets, size_t target_count, uint64_t programs,
               const struct cat_model *model, const struct sweep_options *options);

/* Sums up a target's parts, as far as they are there. */
struct sweep_result sweep_sum(struct parts *parts, size_t target, uint64_t programs,
                              const struct small_language *language);

#endif
