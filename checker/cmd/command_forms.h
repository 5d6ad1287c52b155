/* SPDX-License-Identifier: MIT */
/* Commands that do several things: each of these is in the file of its name.  They return the exit status. */
#ifndef LITSCOPE_CMD_COMMAND_FORMS_H
#define LITSCOPE_CMD_COMMAND_FORMS_H

#include "checker/cmd/model_options.h"

/* `gen -cycle` and `gen -cycles`; and `gen -suite TEST...`: tests that tell a model from its mutants, of the variations
 * of the call's tests. */
int gen_cycles(struct invocation *call);
int gen_suite(struct invocation *call);

/* `diff TEST...`: where two models part on the variations of tests; STATUS_DIFFERS where they differ on some. */
int diff_variations(struct invocation *call, const struct model_set *models);

/* `list targets`: the GPUs for which tests can be compiled, those that the call's words name, or all, with the
 * compilers found. */
int list_targets(struct invocation *call);

/* `synth -target`: the cheapest sound rest of what a compiler emits; and `synth -check` of a certificate of one: is the
 * file one?  Is it right? */
int synth_target(struct invocation *call);
bool synth_target_wrote(const char *path);
int synth_target_check(struct invocation *call, const char *path);

/* `compare -sum`: the logs that are named as one log on standard output, with all states of each test that some log
 * has; and `compare -to-conds`: of each test of the logs a line `NAME "forall (...)"` for -conds, with the states that
 * they show and no other.  As herd's msum7 and mlog2cond7. */
int sum_print_log(struct invocation *call);
int sum_print_conditions(struct invocation *call);

#endif
