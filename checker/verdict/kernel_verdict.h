/* SPDX-License-Identifier: MIT */
/* A kernel's verdict: what its condition's answer is, and what undefined behaviour it has. */
#ifndef LITSCOPE_VERDICT_KERNEL_VERDICT_H
#define LITSCOPE_VERDICT_KERNEL_VERDICT_H

#include "checker/verdict/verdict.h"

/* Can the model be asked so?  Not where an interpreter or C has the last word. */
bool kernel_verdict_can(const struct litmus_test *test, const struct cat_model *model);

/* Which rounds of loops enumerate may leave out: those that the model lets go of any program (enumerate_spin_folds), or
 * else of this one.  Without a failed round an execution keeps all but some axioms (checks_survive_removal.h): that a
 * plain read of OpenCL's sees what happens before it, which the round's acquire may have made so.  If nothing that
 * keeps the others, with rounds left out, breaks these, all is as if they were kept by themselves.  Races break them,
 * or values that come from nowhere.  Looks for that for some seconds.  NULL: none. */
const struct spin_folds *kernel_verdict_spin_folds(struct arena *arena, const struct litmus_test *test,
                                                   const struct cat_model *model,
                                                   const struct enumerate_options *options);

/* As verdict_run, under -speedcheck, for the condition; flags of undefined behaviour are those of other
 * executions, one for each, which was looked for on its own.  Of a kernel one execution at most is counted, which
 * settles the condition if any does. */
struct verdict *kernel_verdict_run(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                   const struct enumerate_options *options);

/* The same by the solver, and where something undefined is found, so that any outcome is possible, much is done to
 * settle the condition, too (verdict.any_outcome: in vain). */
struct verdict *kernel_verdict_settle(struct arena *arena, const struct litmus_test *test,
                                      const struct cat_model *model, const struct enumerate_options *options);

/* Who is told of executions. */
struct execution_listener {
  void (*tell)(void *context, const struct execution *execution);
  void *context;
};

/* Looks for one execution that raises the check of that number, one of undefined behaviour, of a
 * model that can be asked so, and tells of it.  Returns why the search ended: it was stopped where one
 * was found. */
enum enumerate_end kernel_verdict_find_raised(struct arena *arena, const struct litmus_test *test,
                                              const struct cat_model *model, uint32_t check,
                                              const struct enumerate_options *options,
                                              struct execution_listener listener);

#endif
