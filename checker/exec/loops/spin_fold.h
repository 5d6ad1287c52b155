/* SPDX-License-Identifier: MIT */
/* Rounds of loops that wait, left out: only the last round counts.
 *
 * A thread that comes back to an instruction with all live registers as they were, and
 * has meanwhile only read, and passed fences, has gone round in vain.  Leave these events out of the
 * execution: what is left is what the thread does if it goes round once less.  Where the model's checks
 * hold of what is left if they hold of the whole (checks_survive_removal.h, decided from its graph), the execution
 * without the round is an execution too, and shows the same outcome; and, where no flag can be about the events
 * themselves (possible_model_flags.h, asked of the program's events), raises the same flags.  By induction all outcomes
 * and flags are those of executions in which nobody goes round in vain.  These are executions of the program in their
 * own right, so none is shown that there is not; a path ends where its thread has gone round in vain.
 *
 * A load before a loop that is the loop's own, `s = load(x); while (s != 1) s = load(x);`, is its
 * first round: instructions right before the loop that are those of its body.
 *
 * A loop may also carry what it has read from round to round, `s = load(x); while (!cas(x, &s, s + 1));`: a failed
 * compare-and-swap then reads for the load.  Where it is the same event but for its instruction, and nothing
 * has looked at what the load saw before the loop, load and round are left out but for this last read, which takes the
 * load's place.  Of the dependencies between the round's reads no more is known then: not for models that ask for any.
 *
 * Exchanges that put back what they took, as those of a lock that is taken, are taken out
 * with both halves where no other value can be there; what read their stores now reads the store S that they read, the
 * same value.  For this no graph is looked at; models are gone through by hand:
 *  - `rc11`: by atomicity the exchange's write W is right after S in mo, so that fr and mo of what is left
 *    are those of before.  rf from S to x was rf; rmw; rf from S to x.  That lies in (rf; rmw)* ; rf where rs; rf
 *    had rf, so that sw and hb, and what psc makes of them, do not grow; in eco (mo; rf), so that
 *    coherence and psc do not; and in (sb | rf)+.
 *  - `sc`: it lies in (po | rf)+, and fr and co are those of before.
 *  - `opencl`, `opencl-rsp`: fr and co are those of before.  A release sequence that has S had W, which is a
 *    read-modify-write, so that whom x synchronises with now, it did; happens-before, and what the axioms about it
 *    alone ask, becomes less.  `hidden` and `from_the_past`, of x that reads S: a write that S happens before and
 *    that happens before x would be after S in co, so after W, and x after it by fr; and x would happen before S,
 * before W in co.  Neither is so, by `coherence`.  `rmw_source`: what x writes is after W in co, and so after S.
 *    `visible` may break, as without any round (kernel_verdict.h).
 *  - `ptx`, of a compare-and-swap that writes back what it has read, where all accesses of the location are strong and
 *    in each other's scope: by `atomicity` W is right after S in coherence order, which is total there, so that
 *    from_read and coherence of what is left are those of before.  rf from S to x was rf; rmw; rf, all morally strong,
 *    and so observation; synchronizes and cause do not grow.  What W writes depends on what it has read, so that rf
 * from S to x lay in (rf | dependency)+.
 */
#ifndef LITSCOPE_EXEC_LOOPS_SPIN_FOLD_H
#define LITSCOPE_EXEC_LOOPS_SPIN_FOLD_H

#include "checker/exec/enumerate.h"
#include "checker/exec/loops/idle_iterations.h"

struct spin_folds;

/* Which rounds can be left out, of a test under a model; NULL: none, since the test has no loop or the model does not
 * allow it.  `broken`: as checks_survive_removal.h says; if not NULL, only what such axioms forbid may be lost. */
const struct spin_folds *spin_folds_find(struct arena *arena, const struct litmus_test *test,
                                         const struct cat_model *model, const bool *skip, bool *broken);

/* How many loops may wait, as far as their text says? */
unsigned spin_folds_count(const struct spin_folds *spin_folds);

/* A thread is about to do an instruction.  Notes in `rounds` (by instruction, NULL each at first) that a round begins
 * there, if one does.  Returns whether one that began there has been gone round in vain. */
bool spin_folds_idle_round(struct arena *arena, const struct spin_folds *spin_folds, unsigned thread,
                           const struct iteration **rounds, struct thread_place at);

#endif
