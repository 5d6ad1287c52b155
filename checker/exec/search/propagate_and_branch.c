/* SPDX-License-Identifier: MIT */
/* The steps that a search is made of: what follows from a frame, a child of it, the two
 * sides of an open pair, and the end of a branch.
 *
 * Conclusions are values, conditions of control flow, and the model's bounds with
 * their derivative.
 */
#include <assert.h>
#include <string.h>

#include "checker/exec/loops/spin_leave_out_repeated.h"
#include "checker/exec/search/sc_fence_order.h"
#include "checker/exec/search/search_state.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/exec/search/value_propagation.h"
#include "checker/exec/search/wanted_outcome.h"

/* ---- Conclusions ----------------------------------------------------------------- */

/* Under -speedcheck, candidates that cannot decide the answer are dropped. */
static bool on_target(const struct search *s, const struct frame *f) {
  if (!s->judge.control->options->stop_when_known) return true;
  struct wanted_outcome_view view = {s->frames.structure, f->known, f->value, f->p.lo[CHOICE_CO]};
  return wanted_outcome_possible(s->judge.test, &view);
}

enum { DERIVE_OPEN_READS = 3 };

static bool much_is_open(const struct search *s, const struct frame *f) {
  unsigned open = 0;
  SET_EACH (r, s->frames.shape.w, s->frames.reads)
    open += !set_single(s->frames.shape.w, frame_sources(&s->frames, f, r));
  return open >= DERIVE_OPEN_READS;
}

static bool some_pair_open(const struct search *s, const struct frame *f) {
  for (int c = 0; c < CHOICES; c++)
    if (f->p.lo[c] && memcmp(f->p.lo[c], f->p.up[c], rel_words(s->frames.shape) * sizeof(word)) != 0) return true;
  return false;
}

/* Derivatives cost about two updates: they are taken where candidates have been
 * rejected, in the part of the tree that workers walk in step, and where so many reads
 * are open that such nodes are few compared with those below them, which would each find out
 * for themselves. */
static bool worth_deriving(const struct search *s, const struct frame *f, uint64_t breadth) {
  if (!some_pair_open(s, f)) return false; /* only values are */
  return s->judge.rejected * 4 > s->judge.consistent || control_shares(s->judge.control, breadth) || much_is_open(s, f);
}

/* Values, and what one read-modify-write leaves to the others. */
static bool settle_values(const struct search *s, struct frame *f) {
  for (bool moved = true; moved;) {
    moved = false;
    if (!values_settle(&s->frames, f)) return false;
    if (s->filter && !filter_exclude(s->filter, &s->frames, f, &moved)) return false;
  }
  return true;
}

enum search_status search_conclude(struct search *s, struct frame *f, uint64_t breadth) {
  struct bounds *bounds = s->judge.bounds;
  for (bool moved = true; moved;) {
    moved = false;
    if (!settle_values(s, f) || !on_target(s, f)) return SEARCH_IMPOSSIBLE;
    if (spin_repeats(&s->frames, f)) return SEARCH_IMPOSSIBLE;
    const struct symmetry *symmetry = s->judge.control->options->symmetry;
    if (symmetry && !symmetry_may_see(symmetry, &s->frames, f)) return SEARCH_IMPOSSIBLE;
    assert(frame_check(&s->frames, f));
    if (bounds_update(bounds, f->level, &f->p) == BOUNDS_FAIL) return SEARCH_REJECTED;
    if (!bounds_undecided(bounds) || !worth_deriving(s, f, breadth)) break;
    bounds_derive(bounds, f->level, &f->p, &s->forbidden, &s->required);
    if (!deduce(&s->frames, f, &s->forbidden, &s->required, &moved)) return SEARCH_REJECTED;
  }
  return SEARCH_OPEN;
}

/* ---- A frame's children, and its end ------------------------------------------------ */

void search_record_closed(const struct search *s, const struct frame *f, enum search_status status) {
  const struct frames *all = &s->frames;
  const word *value = NULL;
  if (!all->record) return;
  const struct bounds_level *level = f->level;
  const struct cat_check *failed =
      status == SEARCH_REJECTED && level ? bounds_failed(s->judge.bounds, level, &value) : NULL;
  if (failed)
    record_axiom(all->record, all->structure, failed, s->judge.model->ir.nodes[failed->node].type == CAT_SET, value);
  else
    record_say(all->record, status == SEARCH_REJECTED ? "(closed)" : "(values)");
}

bool search_within_limits(void *context) {
  struct search *s = context;
  struct search_control *c = s->judge.control;
  if (control_worked(c)) return false;
  if (++c->ticks % 64) return true;
  /* Levels of the bounds grow in the arena as the search goes deeper. */
  if (c->options->max_memory && c->memory + arena_size(s->frames.arena) > c->options->max_memory)
    return control_end(c, END_MEMORY);
  return control_within_limits(c);
}

struct frame *search_push(struct search *s, struct frame *from) {
  struct frame *child = frame_push(&s->frames, from);
  child->level = bounds_push(s->judge.bounds, from->level);
  return child;
}

struct frame *search_push_closed(struct search *s, struct frame *f) {
  struct frame *child = search_push(s, f);
  for (int c = CHOICE_CO; c <= CHOICE_FENCES; c++)
    if (f->p.lo[c]) words_copy(rel_words(s->frames.shape), child->p.up[c], child->p.lo[c]);
  return child;
}

/* Is a pair of this choice open? */
static bool pair_open(const struct search *s, const struct frame *f, enum choice choice, unsigned *a, unsigned *b) {
  word open[s->frames.shape.w];
  if (!f->p.lo[choice]) return false;
  for (*a = 0; *a < s->frames.shape.n; ++*a) {
    frame_open(&s->frames, f, choice, *a, open);
    *b = set_first(s->frames.shape.w, open);
    if (*b < s->frames.shape.n) return true;
  }
  return false;
}

bool search_pair_to_order(const struct search *s, const struct frame *f, enum choice *choice, unsigned *a,
                          unsigned *b) {
  *choice = CHOICE_CO;
  if (pair_open(s, f, CHOICE_CO, a, b)) return true;
  *choice = CHOICE_FENCES;
  return pair_open(s, f, CHOICE_FENCES, a, b);
}

void search_settle_pair(struct search *s, struct frame *f, enum choice choice, unsigned a, unsigned b, bool taken) {
  if (choice == CHOICE_CO)
    (taken ? frame_order : frame_leave_out)(&s->frames, f, a, b);
  else
    (void)(taken ? fences_order : fences_leave_out)(&s->frames, f, a, b); /* an open pair contradicts nothing */
}

bool search_end_branch(struct search *s, struct frame *f, enum search_status status, uint64_t breadth) {
  struct search_control *c = s->judge.control;
  if (control_shares(c, breadth) && control_not_mine(c)) return true;
  if (status == SEARCH_OPEN) return judge_candidate(&s->judge, f);
  search_record_closed(s, f, status);
  if (status == SEARCH_REJECTED) {
    c->stats.visited++;
    s->judge.rejected++;
  }
  return true;
}

/* ---- What bounds need ------------------------------------------------------------------- */

const struct plan *search_plan(const struct search *s) {
  struct search_control *c = s->judge.control;
  unsigned chosen = s->frames.chosen;
  if (c->plans[chosen]) return c->plans[chosen];
  struct plan *plan = ARENA_NEW(c->arena, struct plan);
  *plan = plan_for_bounds(c->arena, &s->judge.model->ir, c->options->skip, chosen);
  return c->plans[chosen] = plan;
}

/* Read-modify-writes of one location read from different writes: the k-th has k fewer. */
static size_t sources_left(const struct search *s, const struct frame *f, unsigned read) {
  size_t count = words_popcount(s->frames.shape.w, frame_sources(&s->frames, f, read)), before = 0;
  if (count <= 2 || !search_event(s, read)->rmw) return count;
  for (unsigned r = s->frames.structure->init_count; r < read; r++)
    before += search_event(s, r)->kind == EVENT_READ && search_event(s, r)->rmw &&
              search_event(s, r)->location == search_event(s, read)->location &&
              !set_single(s->frames.shape.w, frame_sources(&s->frames, f, r));
  return count > before + 1 ? count - before : 1;
}

double search_candidates_below(const struct search *s, const struct frame *f) {
  double estimate = 1;
  SET_EACH (r, s->frames.shape.w, s->frames.reads) estimate *= (double)sources_left(s, f, r);
  return estimate;
}
