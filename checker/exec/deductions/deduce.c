/* SPDX-License-Identifier: MIT */
/* One function for each choice: a pair of a derivative that is still open is
 * decided at once, with what the choice makes of it.
 */
#include "checker/exec/deductions/deduce.h"

#include "checker/exec/search/barrier_choice.h"
#include "checker/exec/search/sc_fence_order.h"

/* `required`: NULL: nothing is. */
static bool deduce_source(const struct frames *all, struct frame *f, unsigned read, const word *forbidden,
                          const word *required, bool *moved) {
  struct shape s = all->shape;
  SET_EACH (w, s.w, frame_sources(all, f, read)) {
    if (!rel_has(s, forbidden, w, read)) continue;
    record_step(all->record, "drop", all->structure, w, read);
    frame_drop_source(all, f, w, read);
    *moved = true;
  }
  if (frame_lost(all, f, read)) return false;
  if (frame_decided(all, f, read)) return true;
  for (unsigned w = 0; required && w < s.n; w++) {
    if (!rel_has(s, required, w, read)) continue;
    if (!set_has(frame_sources(all, f, read), w)) return false;
    if (set_single(s.w, frame_sources(all, f, read))) continue;
    SET_EACH (other, s.w, frame_sources(all, f, read))
      if (other != w) record_step(all->record, "drop", all->structure, other, read);
    frame_choose_source(all, f, w, read);
    *moved = true;
  }
  return true;
}

static bool deduce_sources(const struct frames *all, struct frame *f, const word *forbidden, const word *required,
                           bool *moved) {
  if (!words_meet(rel_words(all->shape), forbidden, f->p.up[CHOICE_RF]) &&
      words_within(rel_words(all->shape), required, f->p.lo[CHOICE_RF]))
    return true;
  if (words_empty(rel_words(all->shape), required)) required = NULL;
  SET_EACH (r, all->shape.w, all->reads) {
    if (frame_decided(all, f, r)) continue;
    if (!deduce_source(all, f, r, forbidden, required, moved)) return false;
  }
  return true;
}

/* Pairs of co that may not be: where co is total, the other direction is. */
static bool forbid_orders(const struct frames *all, struct frame *f, const word *forbidden, bool *moved) {
  struct shape s = all->shape;
  word open[s.w];
  if (!words_meet(rel_words(s), forbidden, f->p.up[CHOICE_CO])) return true;
  for (unsigned a = 0; a < s.n; a++) {
    frame_open(all, f, CHOICE_CO, a, open);
    words_and(s.w, open, open, rel_row_const(s, forbidden, a));
    SET_EACH (b, s.w, open) {
      if (!rel_has(s, f->p.up[CHOICE_CO], a, b)) continue; /* since settled by transitivity */
      if (all->partial)
        record_step(all->record, "apart", all->structure, a, b);
      else
        record_step(all->record, "order", all->structure, b, a);
      if (!all->partial && rel_has(s, forbidden, b, a)) return false;
      frame_leave_out(all, f, a, b);
      *moved = true;
    }
  }
  return true;
}

/* A pair that is required and cannot be any more fails the axiom at the next look
 * at the bounds. */
static void require_orders(const struct frames *all, struct frame *f, const word *required, bool *moved) {
  struct shape s = all->shape;
  word missing[s.w];
  if (words_within(rel_words(s), required, f->p.lo[CHOICE_CO])) return;
  for (unsigned a = 0; a < s.n; a++) {
    words_minus(s.w, missing, rel_row_const(s, required, a), rel_row_const(s, f->p.lo[CHOICE_CO], a));
    SET_EACH (b, s.w, missing) {
      if (rel_has(s, f->p.lo[CHOICE_CO], a, b) || !rel_has(s, f->p.up[CHOICE_CO], a, b)) continue;
      record_step(all->record, "order", all->structure, a, b);
      frame_order(all, f, a, b);
      *moved = true;
    }
  }
}

static bool deduce_fences(const struct frames *all, struct frame *f, const word *forbidden, const word *required,
                          bool *moved) {
  struct shape s = all->shape;
  word open[s.w];
  for (unsigned a = 0; a < s.n; a++) {
    frame_open(all, f, CHOICE_FENCES, a, open);
    SET_EACH (b, s.w, open) {
      bool never = rel_has(s, forbidden, a, b), always = rel_has(s, required, a, b);
      if (!never && !always) continue;
      record_step(all->record, never ? "apart-fences" : "order-fences", all->structure, a, b);
      if ((never && always) || !(never ? fences_leave_out : fences_order)(all, f, a, b)) return false;
      *moved = true;
    }
  }
  return true;
}

static bool deduce_meetings(const struct frames *all, struct frame *f, const word *forbidden, const word *required,
                            bool *moved) {
  struct shape s = all->shape;
  SET_EACH (a, s.w, f->idle) {
    const word *row = rel_row_const(s, all->meetings, a);
    bool never = words_meet(s.w, row, rel_row_const(s, forbidden, a));
    bool always = words_meet(s.w, row, rel_row_const(s, required, a));
    if (!never && !always) continue;
    if (never) record_step(all->record, "leave", all->structure, a, a);
    if (always) record_step(all->record, "join", all->structure, a, a);
    if ((never && always) || (never && !barrier_choice_leave(all, f, a))) return false;
    if (always) barrier_choice_join(all, f, a);
    *moved = true;
  }
  return true;
}

bool deduce(const struct frames *all, struct frame *f, const struct choice_pairs *forbidden,
            const struct choice_pairs *required, bool *moved) {
  if (!deduce_sources(all, f, forbidden->of[CHOICE_RF], required->of[CHOICE_RF], moved)) return false;
  if (!forbid_orders(all, f, forbidden->of[CHOICE_CO], moved)) return false;
  require_orders(all, f, required->of[CHOICE_CO], moved);
  if (f->p.lo[CHOICE_FENCES] &&
      !deduce_fences(all, f, forbidden->of[CHOICE_FENCES], required->of[CHOICE_FENCES], moved))
    return false;
  return !f->p.lo[CHOICE_MEETINGS] ||
         deduce_meetings(all, f, forbidden->of[CHOICE_MEETINGS], required->of[CHOICE_MEETINGS], moved);
}
