/* SPDX-License-Identifier: MIT */
/* Unlike co, the order is not transitive: a fence in between may have a scope too
 * narrow for its neighbours.  So each decision looks for what the pairs of
 * inclusive scopes have decided together: along a chain of them there is no way
 * back.  PTX ISA, memory consistency model,
 * "Fence-SC order".
 */
#include "checker/exec/search/sc_fence_order.h"

bool fence_is_ordered(const struct event *e) {
  return e->kind == EVENT_FENCE && e->order == ORDER_SC && e->thread >= 0;
}

bool fences_need_order(const struct structure *s) {
  unsigned count = 0;
  if (!s->execution.program->partial_coherence) return false;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) count += fence_is_ordered(&s->events[e]);
  return count > 1;
}

void fences_start(const struct frames *all, struct frame *f) {
  const struct event *events = all->structure->events;
  for (unsigned a = 0; a < all->shape.n; a++)
    for (unsigned b = 0; b < all->shape.n; b++)
      if (a != b && fence_is_ordered(&events[a]) && fence_is_ordered(&events[b]))
        rel_add(all->shape, f->p.up[CHOICE_FENCES], a, b);
}

/* Is there a way from a to b along decided pairs of inclusive scopes?  Fills the
 * set of what can be reached from a. */
static void reach(const struct frames *all, const struct frame *f, unsigned a, word *reached) {
  struct shape s = all->shape;
  word next[s.w];
  words_clear(s.w, reached);
  set_add(reached, a);
  for (bool grew = true; grew;) {
    grew = false;
    SET_EACH (x, s.w, reached) {
      words_and(s.w, next, rel_row_const(s, f->p.lo[CHOICE_FENCES], x), rel_row_const(s, all->inclusive, x));
      grew |= !words_within(s.w, next, reached);
      words_or(s.w, reached, reached, next);
    }
  }
  set_drop(reached, a);
}

/* Takes one pair by itself. */
static bool take(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  if (!rel_has(all->shape, f->p.up[CHOICE_FENCES], a, b) || rel_has(all->shape, f->p.lo[CHOICE_FENCES], b, a))
    return false;
  rel_add(all->shape, f->p.lo[CHOICE_FENCES], a, b);
  rel_drop(all->shape, f->p.up[CHOICE_FENCES], b, a);
  return true;
}

/* Pairs of inclusive scopes at the ends of a chain go its way. */
static bool follow_chains(const struct frames *all, struct frame *f, bool *moved) {
  struct shape s = all->shape;
  word reached[s.w];
  for (unsigned a = 0; a < s.n; a++) {
    if (words_empty(s.w, rel_row_const(s, f->p.lo[CHOICE_FENCES], a))) continue;
    reach(all, f, a, reached);
    words_and(s.w, reached, reached, rel_row_const(s, all->inclusive, a));
    SET_EACH (b, s.w, reached) {
      if (rel_has(s, f->p.lo[CHOICE_FENCES], a, b)) continue;
      if (!take(all, f, a, b)) return false;
      *moved = true;
    }
  }
  return true;
}

bool fences_order(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  if (rel_has(all->shape, f->p.lo[CHOICE_FENCES], a, b)) return true;
  if (!take(all, f, a, b)) return false;
  for (bool moved = true; moved;) {
    moved = false;
    if (!follow_chains(all, f, &moved)) return false;
  }
  return true;
}

bool fences_leave_out(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  if (rel_has(all->shape, f->p.lo[CHOICE_FENCES], a, b)) return false;
  rel_drop(all->shape, f->p.up[CHOICE_FENCES], a, b);
  return !rel_has(all->shape, all->inclusive, a, b) || fences_order(all, f, b, a);
}

bool fences_to_order(const struct frames *all, const struct frame *f, unsigned *a, unsigned *b) {
  word open[all->shape.w];
  if (!f->p.lo[CHOICE_FENCES]) return false;
  for (*a = 0; *a < all->shape.n; ++*a) {
    frame_open(all, f, CHOICE_FENCES, *a, open);
    words_and(all->shape.w, open, open, rel_row_const(all->shape, all->inclusive, *a));
    *b = set_first(all->shape.w, open);
    if (*b < all->shape.n) return true;
  }
  return false;
}
