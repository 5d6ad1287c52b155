/* SPDX-License-Identifier: MIT */
/* A barrier that synchronises has its row of syncbar, one that does not has
 * none: the choice is one of rows, under a count for each group of barriers
 * that meet.  Barriers without a quorum always synchronise.
 */
#include "checker/exec/search/barrier_choice.h"

bool barrier_choice_exists(const struct structure *s) {
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++)
    if (s->events[e].kind == EVENT_MEET && s->events[e].has_quorum) return true;
  return false;
}

void barrier_choice_join(const struct frames *all, struct frame *f, unsigned barrier) {
  set_drop(f->idle, barrier);
  words_copy(all->shape.w, rel_row(all->shape, f->p.lo[CHOICE_MEETINGS], barrier),
             rel_row_const(all->shape, all->meetings, barrier));
}

/* The group of a barrier: if no more of it may stay away, the others join. */
static bool settle_group(const struct frames *all, struct frame *f, unsigned barrier) {
  const struct event *events = all->structure->events, *of = &events[barrier];
  int64_t quorum = 0, left = 0;
  for (unsigned e = all->structure->init_count; e < all->shape.n; e++) {
    if (events[e].blocked || !event_meets(all->structure->execution.program, of, &events[e])) continue;
    if (events[e].has_quorum && events[e].quorum > quorum) quorum = events[e].quorum;
    left += !set_has(f->absent, e);
  }
  if (left > quorum) return true;
  SET_EACH (e, all->shape.w, f->idle)
    if (!events[e].blocked && event_meets(all->structure->execution.program, of, &events[e]))
      barrier_choice_join(all, f, e);
  return left == quorum;
}

bool barrier_choice_leave(const struct frames *all, struct frame *f, unsigned barrier) {
  set_drop(f->idle, barrier);
  set_add(f->absent, barrier);
  words_clear(all->shape.w, rel_row(all->shape, f->p.up[CHOICE_MEETINGS], barrier));
  return !all->whole || settle_group(all, f, barrier);
}

/* Of a beginning: where all that can come are needed, nobody stays away, whoever is still to come. */
static void join_full(const struct frames *all, struct frame *f) {
  const struct event *events = all->structure->events;
  const struct program *program = all->structure->execution.program;
  SET_EACH (e, all->shape.w, f->idle)
    if (program->threads[events[e].thread].instrs[events[e].instr].full) barrier_choice_join(all, f, e);
}

bool barrier_choice_start(const struct frames *all, struct frame *f) {
  const struct event *events = all->structure->events;
  words_copy(rel_words(all->shape), f->p.up[CHOICE_MEETINGS], all->meetings);
  words_copy(rel_words(all->shape), f->p.lo[CHOICE_MEETINGS], all->meetings);
  for (unsigned e = all->structure->init_count; e < all->shape.n; e++) {
    if (events[e].kind != EVENT_MEET || !events[e].has_quorum || events[e].blocked) continue;
    set_add(f->idle, e);
    words_clear(all->shape.w, rel_row(all->shape, f->p.lo[CHOICE_MEETINGS], e));
  }
  if (!all->whole) {
    join_full(all, f);
    return true;
  }
  for (unsigned e = all->structure->init_count; e < all->shape.n; e++)
    if (set_has(f->idle, e) && !settle_group(all, f, e)) return false;
  return true;
}

bool barrier_to_choose(const struct frames *all, const struct frame *f, unsigned *barrier) {
  *barrier = set_first(all->shape.w, f->idle);
  return *barrier < all->shape.n;
}
