/* SPDX-License-Identifier: MIT */
/* Depth-first search over rf and co of one event structure.
 *
 * Each step first draws conclusions (values, conditions of control flow, the
 * model's bounds and their derivative), then decides one read or one pair of
 * writes.  Reads come first, the most constrained one first; what co must be is
 * then mostly known.
 */
#include "checker/exec/search.h"

#include <assert.h>

#include "checker/base/vec.h"
#include "checker/exec/awaits.h"
#include "checker/exec/certain.h"
#include "checker/exec/deduce.h"
#include "checker/exec/eval.h"
#include "checker/exec/fences.h"
#include "checker/exec/goal.h"
#include "checker/exec/judge.h"
#include "checker/exec/product.h"
#include "checker/exec/quorum.h"
#include "checker/exec/values.h"

struct search {
  struct frames frames;
  struct judge judge;
  struct choice_pairs forbidden, required; /* scratch: what a derivative says */
  bool minimal;                            /* of partial orders only the smallest count */
  VEC(word) accepted;                      /* minimal: the orders found for what else is decided */
  enum search_kind kind;
  may_feed_function *may_feed; /* SEARCH_PREFIX */
  void *context;
  bool prune;
  double below_root; /* candidates_below the root of the bounds at hand */
  bool proven;       /* no axiom can fail below, and no flag is open */
  enum search_status status;
  struct frame *root;
};

static const struct event *event_at(const struct search *s, unsigned event) {
  return &s->frames.structure->events[event];
}

/* ---- Conclusions ----------------------------------------------------------------- */

/* Under -speedcheck, candidates that cannot decide the answer are dropped. */
static bool on_target(const struct search *s, const struct frame *f) {
  if (!s->judge.control->options->stop_when_known) return true;
  struct goal_view view = {s->frames.structure, f->known, f->value, f->p.lo[CHOICE_CO]};
  return goal_possible(s->judge.test, &view);
}

/* Derivatives cost about two updates: they are taken where candidates have been
 * rejected, and in the part of the tree that workers walk in step. */
static bool worth_deriving(const struct search *s, uint64_t breadth) {
  return control_shares(s->judge.control, breadth) || s->judge.rejected * 4 > s->judge.consistent;
}

static enum search_status conclude(struct search *s, struct frame *f, uint64_t breadth) {
  struct bounds *bounds = s->judge.bounds;
  for (bool moved = true; moved;) {
    moved = false;
    if (!values_settle(&s->frames, f) || !on_target(s, f)) return SEARCH_IMPOSSIBLE;
    if (awaits_repeat(&s->frames, f)) return SEARCH_IMPOSSIBLE;
    assert(frame_check(&s->frames, f));
    if (bounds_update(bounds, f->level, &f->p) == BOUNDS_FAIL) return SEARCH_REJECTED;
    if (!bounds_undecided(bounds) || !worth_deriving(s, breadth)) break;
    bounds_derive(bounds, f->level, &f->p, &s->forbidden, &s->required);
    if (!deduce(&s->frames, f, &s->forbidden, &s->required, &moved)) return SEARCH_REJECTED;
  }
  return SEARCH_OPEN;
}

/* ---- What is written down ---------------------------------------------------------------- */

/* The leaf of a candidate for which there is nothing to search. */
static void record_closed(const struct search *s, const struct frame *f, enum search_status status) {
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

/* A branch of a decision about an event begins, and ends. */
static void record_branch(const struct search *s, unsigned event) {
  record_event(s->frames.record, " (", s->frames.structure, event, " ");
}

static void record_close(const struct search *s) {
  record_say(s->frames.record, ")");
}

/* ---- The search ------------------------------------------------------------------------ */

static bool within_limits(void *context) {
  struct search *s = context;
  struct search_control *c = s->judge.control;
  if (++c->ticks % 64) return true;
  /* Levels of the bounds grow in the arena as the search goes deeper. */
  if (c->options->max_memory && c->memory + arena_size(s->frames.arena) > c->options->max_memory)
    return control_end(c, END_MEMORY);
  return control_within_limits(c);
}

static bool descend(struct search *s, struct frame *f, uint64_t breadth);

static struct frame *push(struct search *s, struct frame *from) {
  struct frame *child = frame_push(&s->frames, from);
  child->level = bounds_push(s->judge.bounds, from->level);
  return child;
}

/* Is there a read to decide?  Of read-modify-writes if there are any, since they
 * settle coherence too, the one with the fewest sources. */
static bool read_to_decide(const struct search *s, const struct frame *f, unsigned *read) {
  size_t best = 0;
  bool best_rmw = false;
  for (unsigned r = s->frames.structure->init_count; r < s->frames.shape.n; r++) {
    const struct event *event = event_at(s, r);
    const word *sources = frame_sources(&s->frames, f, r);
    if (event->kind != EVENT_READ || set_single(s->frames.shape.w, sources)) continue;
    size_t count = words_popcount(s->frames.shape.w, sources);
    if (best && best_rmw >= event->rmw && (best_rmw > event->rmw || best <= count)) continue;
    best = count;
    best_rmw = event->rmw;
    *read = r;
  }
  return best > 0;
}

static bool branch_on_read(struct search *s, struct frame *f, unsigned read, uint64_t breadth) {
  unsigned words = s->frames.shape.w;
  const word *sources = frame_sources(&s->frames, f, read);
  uint64_t below = breadth_below(breadth, words_popcount(words, sources));
  record_event(s->frames.record, "(read ", s->frames.structure, read, "");
  SET_EACH (write, words, sources) {
    struct frame *child = push(s, f);
    frame_choose_source(&s->frames, child, write, read);
    record_branch(s, write);
    if (!descend(s, child, below)) return false;
    record_close(s);
  }
  record_close(s);
  return true;
}

/* A value that only itself justifies. */
static bool branch_on_value(struct search *s, struct frame *f, unsigned read, uint64_t breadth) {
  const int64_t *values;
  unsigned count = values_to_guess(s->frames.arena, s->judge.test, &values);
  record_refuse(s->frames.record, "values out of nothing");
  for (unsigned i = 0; i < count; i++) {
    struct frame *child = push(s, f);
    values_guess(child, read, values[i]);
    if (!descend(s, child, breadth_below(breadth, count))) return false;
  }
  return true;
}

static bool branch_on_fences(struct search *s, struct frame *f, unsigned a, unsigned b, uint64_t breadth) {
  record_pair(s->frames.record, "(sync-fence ", s->frames.structure, a, b, "");
  for (int swapped = 0; swapped <= 1; swapped++) {
    struct frame *child = push(s, f);
    if (!fences_order(&s->frames, child, swapped ? b : a, swapped ? a : b)) {
      record_say(s->frames.record, " (values)");
      continue;
    }
    if (!descend(s, child, breadth_below(breadth, 2))) return false;
  }
  record_close(s);
  return true;
}

static bool branch_on_barrier(struct search *s, struct frame *f, unsigned barrier, uint64_t breadth) {
  record_refuse(s->frames.record, "barriers with a quorum");
  for (int joins = 0; joins <= 1; joins++) {
    struct frame *child = push(s, f);
    if (joins)
      quorum_join(&s->frames, child, barrier);
    else if (!quorum_leave(&s->frames, child, barrier))
      continue;
    if (!descend(s, child, breadth_below(breadth, 2))) return false;
  }
  return true;
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

/* Is there a pair to order, of writes or of fences that may as well stay apart? */
static bool pair_to_order(const struct search *s, const struct frame *f, enum choice *choice, unsigned *a,
                          unsigned *b) {
  *choice = CHOICE_CO;
  if (pair_open(s, f, CHOICE_CO, a, b)) return true;
  *choice = CHOICE_FENCES;
  return pair_open(s, f, CHOICE_FENCES, a, b);
}

/* One side of an open pair: it is left out, or taken. */
static void settle_pair(struct search *s, struct frame *f, enum choice choice, unsigned a, unsigned b, bool taken) {
  if (choice == CHOICE_CO)
    (taken ? frame_order : frame_leave_out)(&s->frames, f, a, b);
  else
    (void)(taken ? fences_order : fences_leave_out)(&s->frames, f, a, b); /* an open pair contradicts nothing */
}

/* Where co is total, to leave a pair out is to take its inverse. */
static bool branch_on_pair(struct search *s, struct frame *f, enum choice choice, unsigned a, unsigned b,
                           uint64_t breadth) {
  record_pair(s->frames.record, choice == CHOICE_CO ? "(co " : "(sync-fence ", s->frames.structure, a, b, "");
  for (int taken = 1; taken >= 0; taken--) {
    struct frame *child = push(s, f);
    settle_pair(s, child, choice, a, b, taken);
    if (!descend(s, child, breadth_below(breadth, 2))) return false;
  }
  record_close(s);
  return true;
}

/* Nothing is left to decide here. */
static bool end_branch(struct search *s, struct frame *f, enum search_status status, uint64_t breadth) {
  struct search_control *c = s->judge.control;
  if (control_shares(c, breadth) && control_not_mine(c)) return true;
  if (status == SEARCH_OPEN) return judge_candidate(&s->judge, f);
  record_closed(s, f, status);
  if (status == SEARCH_REJECTED) {
    c->stats.visited++;
    s->judge.rejected++;
  }
  return true;
}

/* ---- The smallest orders ------------------------------------------------------------------- */

/* Where co is partial, models speak of it by what must be ordered: an order that
 * a model accepts, it mostly accepts with more pairs too, and those show nothing
 * new.  For what else is decided, only the smallest orders that are accepted are
 * executions (unless a flag or another judge could tell more).  Pairs are left
 * out before they are taken, in one sequence, so that a smaller order is met
 * before those it lies within.  Orders of fences out of each other's scope are
 * taken in the same way. */

/* The order of writes, and behind it that of fences. */
static void copy_orders(const struct search *s, const struct frame *f, word *out) {
  size_t words = rel_words(s->frames.shape);
  words_copy(words, out, f->p.lo[CHOICE_CO]);
  if (f->p.lo[CHOICE_FENCES])
    words_copy(words, out + words, f->p.lo[CHOICE_FENCES]);
  else
    words_clear(words, out + words);
}

/* Do the orders contain some that have been accepted? */
static bool is_larger(const struct search *s, const struct frame *f) {
  size_t words = rel_words(s->frames.shape);
  const word *co = f->p.lo[CHOICE_CO], *fences = f->p.lo[CHOICE_FENCES];
  for (size_t at = 0; at < s->accepted.count; at += 2 * words)
    if (words_within(words, s->accepted.at + at, co) &&
        (!fences || words_within(words, s->accepted.at + at + words, fences)))
      return true;
  return false;
}

static bool same_orders(const struct search *s, const struct frame *f, const struct frame *g) {
  size_t words = rel_words(s->frames.shape);
  const word *fences = f->p.lo[CHOICE_FENCES];
  return words_equal(words, f->p.lo[CHOICE_CO], g->p.lo[CHOICE_CO]) &&
         (!fences || words_equal(words, fences, g->p.lo[CHOICE_FENCES]));
}

static bool judge_order(struct search *s, struct frame *f) {
  size_t words = 2 * rel_words(s->frames.shape);
  uint64_t before = s->judge.consistent;
  bool on = judge_candidate(&s->judge, f);
  if (s->judge.consistent == before) return on;
  vec_reserve(s->frames.arena, (void **)&s->accepted.at, &s->accepted.room, s->accepted.count + words, sizeof(word));
  copy_orders(s, f, s->accepted.at + s->accepted.count);
  s->accepted.count += words;
  return on;
}

/* A child in which what is not ordered stays so. */
static struct frame *push_closed(struct search *s, struct frame *f) {
  struct frame *child = push(s, f);
  for (int c = CHOICE_CO; c <= CHOICE_FENCES; c++)
    if (f->p.lo[c]) words_copy(rel_words(s->frames.shape), child->p.up[c], child->p.lo[c]);
  return child;
}

/* Is what has been taken so far enough?  Sets *ended when it is. */
static bool try_order(struct search *s, struct frame *f, bool *ended) {
  struct frame *child = push_closed(s, f);
  *ended = bounds_update(s->judge.bounds, child->level, &child->p) == BOUNDS_OPEN;
  if (*ended) {
    record_say(s->frames.record, "(least ");
    bool on = judge_order(s, child);
    record_close(s);
    return on;
  }
  s->judge.control->stats.visited++;
  return true;
}

static bool grow(struct search *s, struct frame *f, const struct frame *above);

/* Left out before it is taken. */
static bool grow_pair(struct search *s, struct frame *f, enum choice choice, unsigned a, unsigned b) {
  const char *kind = choice == CHOICE_CO ? "(co-last " : "(sync-fence-last ";
  record_pair(s->frames.record, kind, s->frames.structure, a, b, "");
  for (int taken = 0; taken <= 1; taken++) {
    struct frame *child = push(s, f);
    settle_pair(s, child, choice, a, b, taken);
    bool before = record_node(s->frames.record);
    if (!grow(s, child, f)) return false;
    record_end(s->frames.record, before);
  }
  record_close(s);
  return true;
}

/* `above`: the node before, whose order was not enough; NULL at the first. */
static bool grow(struct search *s, struct frame *f, const struct frame *above) {
  enum choice choice;
  unsigned a, b;
  if (!within_limits(s)) return false;
  enum search_status status = above ? conclude(s, f, BREADTH_CLAIMED) : SEARCH_OPEN;
  if (status != SEARCH_OPEN) return end_branch(s, f, status, BREADTH_CLAIMED);
  if (is_larger(s, f)) {
    record_say(s->frames.record, "(seen)");
    return true;
  }
  if (!pair_to_order(s, f, &choice, &a, &b)) return judge_order(s, f);
  if (s->prune && (!above || !same_orders(s, f, above))) {
    bool ended;
    if (!try_order(s, f, &ended)) return false;
    if (ended) return true;
  }
  return grow_pair(s, f, choice, a, b);
}

/* All but the orders is decided. */
static bool find_smallest(struct search *s, struct frame *f, uint64_t breadth) {
  struct search_control *c = s->judge.control;
  if (control_shares(c, breadth) && control_not_mine(c)) return true;
  s->accepted.count = 0;
  return grow(s, f, NULL);
}

/* The same for all structures that leave the same choices. */
static const struct plan *plan_of(const struct search *s) {
  struct search_control *c = s->judge.control;
  unsigned chosen = s->frames.chosen;
  if (c->plans[chosen]) return c->plans[chosen];
  struct plan *plan = ARENA_NEW(c->arena, struct plan);
  *plan = plan_new(c->arena, &s->judge.model->ir, c->options->skip, chosen);
  return c->plans[chosen] = plan;
}

/* ---- What nothing hangs on ----------------------------------------------------------------- */

/* An upper estimate of how many candidates there are below a node. */
static double candidates_below(const struct search *s, const struct frame *f) {
  double estimate = 1;
  for (unsigned r = s->frames.structure->init_count; r < s->frames.shape.n; r++)
    if (event_at(s, r)->kind == EVENT_READ)
      estimate *= (double)words_popcount(s->frames.shape.w, frame_sources(&s->frames, f, r));
  return estimate;
}

/* Bounds know from their root what can never fail and what is constant.  Where much
 * has been decided since, and much is left below, new ones with the node as their root
 * soon pay for themselves, the more so where no axiom is left that can fail. */
static bool worth_narrowing(const struct search *s, const struct frame *f, double *below) {
  if (!s->prune || !bounds_undecided(s->judge.bounds)) return false;
  *below = candidates_below(s, f);
  return *below >= 64 && *below * 16 <= s->below_root;
}

/* Are reads all that is left, and does nothing hang on them but what a model says?  Where
 * the smallest orders count, no order counts if it is enough for every execution. */
static bool leaves_product(const struct search *s, const struct frame *f) {
  enum choice choice;
  unsigned a, b;
  return (s->minimal || !pair_to_order(s, f, &choice, &a, &b)) && product_applies(&s->judge, f);
}

/* Are all these executions? */
static bool prove(struct search *s, struct frame *f, struct arena *arena, double below) {
  if (!leaves_product(s, f) || bounds_flags_undecided(s->judge.bounds)) return false;
  return certain(arena, &s->frames, push_closed(s, f), plan_of(s), s->judge.control->options->skip, below);
}

static bool choose(struct search *s, struct frame *f, uint64_t breadth);

static bool choose_narrowed(struct search *s, struct frame *f, uint64_t breadth, double below) {
  struct bounds *bounds = s->judge.bounds;
  struct bounds_level *level = f->level;
  const bool *skip = s->judge.control->options->skip;
  double below_root = s->below_root;
  bool proven = s->proven;
  struct arena *arena = arena_new();
  s->below_root = below;
  s->judge.bounds = bounds_new(arena, plan_of(s), &s->frames.structure->execution, skip, BOUNDS_SEARCH, &f->p);
  f->level = bounds_root_level(s->judge.bounds);
  s->proven |= !bounds_undecided(s->judge.bounds) || prove(s, f, arena, below);
  bool on = choose(s, f, breadth);
  arena_free(arena);
  s->judge.bounds = bounds;
  s->below_root = below_root;
  s->proven = proven;
  f->level = level;
  return on;
}

/* ---- One node ---------------------------------------------------------------------------- */

static bool descend_node(struct search *s, struct frame *f, uint64_t breadth) {
  enum search_status status = conclude(s, f, breadth);
  double below;
  if (status != SEARCH_OPEN) return end_branch(s, f, status, breadth);
  if (worth_narrowing(s, f, &below)) return choose_narrowed(s, f, breadth, below);
  return choose(s, f, breadth);
}

static bool choose(struct search *s, struct frame *f, uint64_t breadth) {
  enum choice choice;
  unsigned read, a, b;
  if (read_to_decide(s, f, &read)) {
    if (s->proven && !control_shares(s->judge.control, breadth) && leaves_product(s, f))
      return product_run(&s->judge, push_closed(s, f), within_limits, s);
    return branch_on_read(s, f, read, breadth);
  }
  if (values_free(&s->frames, f, &read)) return branch_on_value(s, f, read, breadth);
  if (quorum_to_choose(&s->frames, f, &a)) return branch_on_barrier(s, f, a, breadth);
  if (fences_to_order(&s->frames, f, &a, &b)) return branch_on_fences(s, f, a, b, breadth);
  if (s->minimal) return find_smallest(s, f, breadth);
  if (pair_to_order(s, f, &choice, &a, &b)) return branch_on_pair(s, f, choice, a, b, breadth);
  return end_branch(s, f, SEARCH_OPEN, breadth);
}

static bool descend(struct search *s, struct frame *f, uint64_t breadth) {
  if (!within_limits(s)) return false;
  if (!control_enter(s->judge.control, &breadth)) return true;
  bool before = record_node(s->frames.record), on = descend_node(s, f, breadth);
  record_end(s->frames.record, before);
  return on;
}

/* ---- Setting up ---------------------------------------------------------------------------- */

/* May the read see the write, as far as locations say? */
static bool may_read(const struct search *s, unsigned read, unsigned write) {
  const struct event *r = event_at(s, read), *w = event_at(s, write);
  if (w->kind != EVENT_WRITE || w->location != r->location) return false;
  /* A read-modify-write does not read itself: its write half comes later. */
  return !rel_has(s->frames.shape, s->frames.structure->execution.rmw, read, write);
}

static void initial_sources(struct search *s, struct frame *f) {
  struct shape shape = s->frames.shape;
  for (unsigned r = 0; r < shape.n; r++) {
    if (event_at(s, r)->kind != EVENT_READ) continue;
    for (unsigned w = 0; w < shape.n; w++) {
      if (!may_read(s, r, w)) continue;
      rel_add(shape, f->sources, r, w);
      rel_add(shape, f->p.up[CHOICE_RF], w, r);
    }
    set_add(f->loose, r);
    if (frame_decided(&s->frames, f, r)) rel_add(shape, f->p.lo[CHOICE_RF], frame_source(&s->frames, f, r), r);
  }
}

static void initial_order(struct search *s, struct frame *f) {
  if (s->judge.model->ir.co == CO_NONE) return;
  for (unsigned a = 0; a < s->frames.shape.n; a++)
    for (unsigned b = 0; b < s->frames.shape.n; b++) {
      const struct event *x = event_at(s, a), *y = event_at(s, b);
      if (a == b || x->kind != EVENT_WRITE || y->kind != EVENT_WRITE) continue;
      if (x->location != y->location || y->thread < 0) continue;
      rel_add(s->frames.shape, f->p.up[CHOICE_CO], a, b);
      if (x->thread < 0) rel_add(s->frames.shape, f->p.lo[CHOICE_CO], a, b);
    }
}

static void apply_decision(struct search *s, struct frame *f, const struct decision *d) {
  unsigned read = s->frames.structure->offset[d->thread] + d->index;
  SET_EACH (w, s->frames.shape.w, frame_sources(&s->frames, f, read)) {
    const struct event *event = event_at(s, w);
    if (event->thread != d->source_thread || (event->thread >= 0 && event->po_index != d->source_index))
      frame_drop_source(&s->frames, f, w, read);
  }
}

/* Reads that open threads may still write for. */
static void find_open_ended(struct search *s, const struct decision *decisions) {
  const struct structure *structure = s->frames.structure;
  for (unsigned r = structure->init_count; r < s->frames.shape.n; r++)
    if (event_at(s, r)->kind == EVENT_READ && s->may_feed(s->context, structure, r, NULL))
      set_add(s->frames.open_ended, r);
  for (const struct decision *d = decisions; d; d = d->before)
    set_drop(s->frames.open_ended, structure->offset[d->thread] + d->index);
}

static void start_frame(struct search *s, struct frame *root, const struct decision *decisions) {
  const struct structure *structure = s->frames.structure;
  initial_sources(s, root);
  initial_order(s, root);
  if (root->p.lo[CHOICE_FENCES]) fences_start(&s->frames, root);
  for (unsigned e = 0; e < structure->init_count; e++) {
    root->known[e] = true;
    root->value[e] = structure->events[e].value;
  }
  for (unsigned e = structure->init_count; e < s->frames.shape.n; e++)
    if (structure->value[e]) set_add(root->unknown, e);
  for (unsigned i = 0; i < structure->condition_count; i++) set_add(root->pending, i);
  for (const struct decision *d = decisions; d; d = d->before) apply_decision(s, root, d);
}

/* A read whose value is known by now may need a value that no open thread writes. */
static bool close_reads(struct search *s, struct frame *f) {
  const struct frames *all = &s->frames;
  bool moved = false;
  SET_EACH (r, all->shape.w, all->open_ended) {
    if (!f->known[r] || s->may_feed(s->context, all->structure, r, &f->value[r])) continue;
    set_drop(s->frames.open_ended, r);
    if (frame_decided(all, f, r)) frame_choose_source(&s->frames, f, frame_source(all, f, r), r);
    moved = true;
  }
  return moved;
}

static bool settle_root(struct search *s) {
  do {
    if (!values_settle(&s->frames, s->root)) return false;
  } while (s->may_feed && close_reads(s, s->root));
  return true;
}

/* The root's consequences.  It is always looked at closely: what it decides, no
 * candidate need try. */
static enum search_status start(struct search *s, struct arena *arena) {
  const struct enumerate_options *o = s->judge.control->options;
  bool prune = s->prune;
  if (s->frames.chosen & choice_bit(CHOICE_MEETINGS) && !quorum_start(&s->frames, s->root)) return SEARCH_IMPOSSIBLE;
  if (!settle_root(s)) return SEARCH_IMPOSSIBLE;
  enum bounds_mode mode = !prune ? BOUNDS_EXACT : s->kind == SEARCH_PREFIX ? BOUNDS_PREFIX : BOUNDS_SEARCH;
  struct bounds *bounds = s->judge.bounds =
      bounds_new(arena, plan_of(s), &s->frames.structure->execution, o->skip, mode, &s->root->p);
  s->root->level = bounds_root_level(bounds);
  if (prune && bounds_root_status(bounds) == BOUNDS_FAIL) return SEARCH_REJECTED;
  const struct cat_model *model = s->judge.model;
  s->minimal = s->frames.partial && !model->judge && !model->ir.dynamic && !bounds_flags_undecided(bounds);
  s->judge.rejected = 1;
  s->below_root = candidates_below(s, s->root);
  return s->kind == SEARCH_PREFIX ? conclude(s, s->root, BREADTH_CLAIMED) : SEARCH_OPEN;
}

/* Many prefixes are held at a time, one within the other: the model's bounds,
 * which are most of what one needs, go as soon as they have answered. */
static enum search_status start_and_drop(struct search *s) {
  struct arena *arena = arena_new();
  enum search_status status = start(s, arena);
  if (status != SEARCH_OPEN) record_closed(s, s->root, status);
  s->judge.bounds = NULL;
  s->root->level = NULL;
  arena_free(arena);
  return status;
}

/* What the frames have in common, and which choices there are. */
static struct frames frames_of(struct arena *arena, struct record *record, const struct structure *structure,
                               bool whole) {
  struct shape shape = structure->execution.shape;
  struct frames all = {.arena = arena,
                       .record = record,
                       .structure = structure,
                       .shape = shape,
                       .condition_words = (structure->condition_count + 63) / 64,
                       .open_ended = ARENA_ARRAY(arena, word, shape.w),
                       .chosen = choice_bit(CHOICE_RF) | choice_bit(CHOICE_CO),
                       .whole = whole,
                       .partial = structure->execution.program->partial_coherence};
  if (fences_chosen(structure)) {
    all.chosen |= choice_bit(CHOICE_FENCES);
    all.inclusive = execution_base(arena, &structure->execution, BASE_SR, 0);
  }
  if (quorum_chosen(structure)) {
    all.chosen |= choice_bit(CHOICE_MEETINGS);
    all.meetings = execution_base(arena, &structure->execution, BASE_SAME_B, 0);
  }
  return all;
}

struct search *search_new(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          struct structure *structure, struct search_control *control, enum search_kind kind,
                          const struct decision *decisions, may_feed_function *may_feed, void *context) {
  struct search *s = ARENA_NEW(arena, struct search);
  struct shape shape = structure->execution.shape;
  if (control->options->stop_when_known) goal_add_conditions(arena, test, structure);
  *s = (struct search){.kind = kind,
                       .may_feed = may_feed,
                       .context = context,
                       .prune = control->options->prune && (!control->options->keep_rejected || kind == SEARCH_PROBE)};
  s->frames =
      frames_of(arena, kind == SEARCH_PROBE ? NULL : control->options->record, structure, kind != SEARCH_PREFIX);
  s->judge = (struct judge){.frames = &s->frames,
                            .test = test,
                            .model = model,
                            .structure = structure,
                            .control = control,
                            .probe = kind == SEARCH_PROBE};
  judge_prepare(&s->judge);
  for (int c = 0; c < CHOICES; c++) {
    if (!(s->frames.chosen & choice_bit((enum choice)c))) continue;
    s->forbidden.of[c] = ARENA_ARRAY(arena, word, rel_words(shape));
    s->required.of[c] = ARENA_ARRAY(arena, word, rel_words(shape));
  }
  s->root = frame_new(&s->frames);
  if (may_feed) find_open_ended(s, decisions);
  start_frame(s, s->root, decisions);
  s->status = kind == SEARCH_PREFIX ? start_and_drop(s) : start(s, arena);
  if (kind == SEARCH_ALL && s->status != SEARCH_OPEN) record_closed(s, s->root, s->status);
  return s;
}

enum search_status search_status(const struct search *s) {
  return s->status;
}

struct prefix search_prefix(const struct search *s) {
  return (struct prefix){&s->frames, s->root};
}

bool search_run(struct search *s, uint64_t breadth) {
  return descend(s, s->root, breadth) || s->judge.found;
}

bool search_found(const struct search *s) {
  return s->judge.found;
}
