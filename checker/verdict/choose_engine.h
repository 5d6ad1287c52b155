/* SPDX-License-Identifier: MIT */
/* Which engine gives the verdict: the search, as long as executions are soon counted, and else the solver. */
#ifndef LITSCOPE_VERDICT_CHOOSE_ENGINE_H
#define LITSCOPE_VERDICT_CHOOSE_ENGINE_H

#include "checker/verdict/verdict.h"

/* So many states the log has at most when the solver answers: it looks for as many as lack after counting. */
enum { MOST_STATES = 1000 };

/* As verdict_run, or, where that would take long, as kernel_verdict_run with options.solve, if the solver can be asked
 * and has the answer (verdict.solved): then with all states, or so many of them that listing all would take long.  With
 * options->stop_when_known verdict_run asks the solver, too: whether the condition can be met.  What takes long does
 * not depend on workers or time.  options->timeout is for all of it. */
struct verdict *verdict_of_either(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options);

#endif
