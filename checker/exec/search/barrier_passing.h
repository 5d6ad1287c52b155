/* SPDX-License-Identifier: MIT */
/* Control barriers of one event (INSTR_MEET): do all threads get past theirs? */
#ifndef LITSCOPE_EXEC_SEARCH_BARRIER_PASSING_H
#define LITSCOPE_EXEC_SEARCH_BARRIER_PASSING_H

#include "checker/exec/paths/event_structure.h"

/* An event whose resource or quorum has no value yet, and the expression that
 * lacks it; false when there is none. */
struct barrier_unknown {
  unsigned event;
  const struct expr *value;
};

bool barrier_find_unknown(const struct structure *structure, struct barrier_unknown *unknown);

/* Gives the expression that barrier_find_unknown found its value. */
void barrier_set(struct structure *structure, const struct barrier_unknown *unknown, int64_t value);

/* Threads that have all ended got past every control barrier on their way, says
 * the structure; is it so?  What struct instr says of groups and quorums is
 * taken as a system of arrivals from the threads' starts on, so that barriers
 * which wait for each other in a circle let nobody pass.  All values are known. */
bool barriers_all_pass(const struct structure *structure);

/* The same the other way round, with the reason: that the threads which matter come as far as `at`, by thread the
 * barrier at which it stands still, or where it gets past all of them, its end. */
bool barriers_hold_back(const struct structure *structure, unsigned *at, bool *matters);

/* Of threads that have ended or stopped, `end` says which, by thread: can it be so, as far as barriers say, and
 * (`some`) does some stop?  Those that are blocked do at the control barrier that is their last event, and no other
 * thread stays at one.  Marks in the events what stays as it is. */
bool threads_stop(struct structure *structure, const enum thread_end *end, bool *some);

/* May it yet come to that, where threads that are open go on?  Not if one is blocked whose barrier lets it pass, or one
 * has gone on from a barrier to which nobody comes any more. */
bool threads_may_stop(const struct structure *structure, const enum thread_end *end);

#endif
