/* SPDX-License-Identifier: MIT */
/* Is there an execution that a test asserts, and none that it denies?
 *
 * The worlds (litmus.h) that some execution is in are found by running the model
 * as it is and, where an assertion speaks of inconsistent executions too, without
 * its axioms; for NOCHAINS the same with the model that has no chains.
 */
#ifndef LITSCOPE_VERDICT_KHRONOS_VERDICT_H
#define LITSCOPE_VERDICT_KHRONOS_VERDICT_H

#include "checker/verdict/verdict.h"

/* Judges all assertions of the test, under `options` but for what leaves
 * executions out; `without_chains` is the model for NOCHAINS, NULL: there is none.
 * The answers, in the order of the test's assertions, are in `arena`; NULL: the
 * test has none. */
struct assertion_answer *assertions_judge(struct arena *arena, const struct litmus_test *test,
                                          const struct cat_model *model, const struct cat_model *without_chains,
                                          const struct enumerate_options *options);

#endif
