/* SPDX-License-Identifier: MIT */
/* Does a model let some thread of a test never end?
 *
 * It does where it has an execution in which some thread does not end, and each
 * such thread stays at a control barrier, or has gone round a loop once without
 * changing anything while every read of that round sees a co-maximal write, so
 * that it need not ever see another (the liveness of spin loops of Dat3M).  Loops
 * that write are beyond this: hwsem/fair_progress.h sees them, for the machine that it asks.
 */
#ifndef LITSCOPE_VERDICT_NONTERMINATION_H
#define LITSCOPE_VERDICT_NONTERMINATION_H

#include "checker/base/arena.h"
#include "checker/exec/enumerate.h"

struct nontermination {
  enum enumerate_end end; /* END_DONE, also where one was found; END_STOPPED never */
  struct enumerate_stats stats;
  bool found;
  const struct event *events; /* of the execution found: blocked and repeats tell what stops */
  unsigned event_count;
};

/* Looks for the first such execution; `options` as for enumerate, `stops` and
 * `workers` being set here.  Results live in `arena`. */
struct nontermination nontermination_find(struct arena *arena, const struct litmus_test *test,
                                          const struct cat_model *model, const struct enumerate_options *options);

#endif
