/* SPDX-License-Identifier: MIT */
/* Depth-first search over rf and co of one event structure.
 *
 * Each step first draws conclusions, then decides one read or one pair of
 * writes.  Reads come first, the most constrained one first; what co must be is
 * then mostly known.
 */
#include <inttypes.h>

#include "checker/exec/deductions/proven_axioms.h"
#include "checker/exec/search/barrier_choice.h"
#include "checker/exec/search/independent_reads.h"
#include "checker/exec/search/sc_fence_order.h"
#include "checker/exec/search/search.h"
#include "checker/exec/search/search_state.h"
#include "checker/exec/search/value_propagation.h"

/* ---- Branches ---------------------------------------------------------------------------- */

static bool descend(struct search *s, struct frame *f, uint64_t breadth);

/* A branch of a decision about an event begins, and ends. */
static void record_branch(const struct search *s, unsigned event) {
  record_event(s->frames.record, " (", s->frames.structure, event, " ");
}

static void record_close(const struct search *s) {
  record_say(s->frames.record, ")");
}

/* Is there a read to decide?  Of read-modify-writes if there are any, since they
 * settle coherence too, the one with the fewest sources. */
static bool read_to_decide(const struct search *s, const struct frame *f, unsigned *read) {
  size_t best = 0;
  bool best_rmw = false;
  SET_EACH (r, s->frames.shape.w, s->frames.reads) {
    const struct event *event = search_event(s, r);
    const word *sources = frame_sources(&s->frames, f, r);
    if (set_single(s->frames.shape.w, sources)) continue;
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
    struct frame *child = search_push(s, f);
    frame_choose_source(&s->frames, child, write, read);
    record_branch(s, write);
    if (!descend(s, child, below)) return false;
    record_close(s);
  }
  record_close(s);
  return true;
}

/* A value that only itself justifies, or nothing: an initial one that is not known. */
static bool branch_on_value(struct search *s, struct frame *f, unsigned read, uint64_t breadth) {
  const int64_t *values;
  unsigned count = values_to_guess(s->frames.arena, s->judge.test, s->frames.structure, &values);
  record_event(s->frames.record, "(guess ", s->frames.structure, read, "");
  for (unsigned i = 0; i < count; i++) {
    struct frame *child = search_push(s, f);
    values_guess(child, read, values[i]);
    record_say(s->frames.record, " (%" PRId64 " ", values[i]);
    if (!descend(s, child, breadth_below(breadth, count))) return false;
    record_close(s);
  }
  record_close(s);
  return true;
}

/* A choice of two, of a pair of events; `settle` makes it in a child, or finds that this cannot be. */
struct either {
  const char *record;
  bool (*settle)(struct search *s, struct frame *child, const struct either *of, bool second);
  enum choice choice;
  unsigned a, b;
};

static bool order_fences(struct search *s, struct frame *child, const struct either *of, bool second) {
  return fences_order(&s->frames, child, second ? of->b : of->a, second ? of->a : of->b);
}

/* Are all executions below alike but for the order of fences, of which one will do?  No flag is open, which might look
 * at the order (`minimal`), and co is settled: where it is open, the order says what it may be, and which write is
 * last.
 */
static bool one_is_enough(const struct search *s, const struct frame *f, const struct either *of) {
  return of->settle == order_fences && s->judge.control->options->outcomes && s->minimal &&
         words_equal(rel_words(s->frames.shape), f->p.lo[CHOICE_CO], f->p.up[CHOICE_CO]);
}

static bool branch_on(struct search *s, struct frame *f, const struct either *of, uint64_t breadth) {
  uint64_t before = s->judge.consistent;
  bool one = one_is_enough(s, f, of);
  record_pair(s->frames.record, of->record, s->frames.structure, of->a, of->b, "");
  for (int second = 0; second <= 1 && !(one && s->judge.consistent > before); second++) {
    struct frame *child = search_push(s, f);
    if (!of->settle(s, child, of, second)) {
      record_say(s->frames.record, " (values)");
      continue;
    }
    if (!descend(s, child, breadth_below(breadth, 2))) return false;
  }
  record_close(s);
  return true;
}

static bool join_barrier(struct search *s, struct frame *child, const struct either *of, bool second) {
  if (!second) return barrier_choice_leave(&s->frames, child, of->a);
  barrier_choice_join(&s->frames, child, of->a);
  return true;
}

/* Where co is total, to leave a pair out is to take its inverse. */
static bool take_pair(struct search *s, struct frame *child, const struct either *of, bool second) {
  search_settle_pair(s, child, of->choice, of->a, of->b, !second);
  return true;
}

/* ---- What nothing depends on ----------------------------------------------------------------- */

/* Bounds know from their root what can never fail and what is constant.  Where much
 * has been decided since, and much is left below, new ones with the node as their root
 * soon pay for themselves, the more so where no axiom is left that can fail. */
static bool worth_narrowing(const struct search *s, const struct frame *f, double *below) {
  if (!s->prune || !bounds_undecided(s->judge.bounds)) return false;
  *below = search_candidates_below(s, f);
  return *below >= 256 && *below * 16 <= s->below_root;
}

/* Are reads all that is left, and does nothing depend on them but what a model says?  Where
 * the smallest orders count, no order counts if it is enough for every execution. */
static bool leaves_product(const struct search *s, const struct frame *f) {
  enum choice choice;
  unsigned a, b;
  return (s->minimal || !search_pair_to_order(s, f, &choice, &a, &b)) && independent_reads_apply(&s->judge, f);
}

/* Are all these executions? */
static bool prove(struct search *s, struct frame *f, struct arena *arena, double below) {
  if (!leaves_product(s, f) || bounds_flags_undecided(s->judge.bounds)) return false;
  return axioms_proven(arena, &s->frames, search_push_closed(s, f), search_plan(s), s->judge.control->options->skip,
                       below);
}

static bool choose(struct search *s, struct frame *f, uint64_t breadth);

static bool choose_narrowed(struct search *s, struct frame *f, uint64_t breadth, double below) {
  struct bounds *bounds = s->judge.bounds;
  struct bounds_level *level = f->level;
  double below_root = s->below_root;
  bool proven = s->proven;
  struct arena *arena = arena_new();
  s->below_root = below;
  s->judge.bounds = bounds_new(arena, search_constants(s, arena, BOUNDS_SEARCH), &f->p);
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
  enum search_status status = search_conclude(s, f, breadth);
  double below;
  if (status != SEARCH_OPEN) return search_end_branch(s, f, status, breadth);
  if (worth_narrowing(s, f, &below)) return choose_narrowed(s, f, breadth, below);
  return choose(s, f, breadth);
}

static bool choose(struct search *s, struct frame *f, uint64_t breadth) {
  enum choice choice;
  unsigned read, a, b;
  if (read_to_decide(s, f, &read)) {
    if (s->proven && !control_shares(s->judge.control, breadth) && leaves_product(s, f))
      return independent_reads_run(&s->judge, search_push_closed(s, f), search_within_limits, s);
    return branch_on_read(s, f, read, breadth);
  }
  bool unset = values_unset(&s->frames, f, s->judge.test, &read);
  if (unset) s->judge.control->stats.sampled |= values_sampled(&s->frames, f, s->judge.test);
  if (unset || values_free(&s->frames, f, &read)) return branch_on_value(s, f, read, breadth);
  if (barrier_to_choose(&s->frames, f, &a))
    return branch_on(s, f, &(struct either){"(join-last ", join_barrier, 0, a, a}, breadth);
  if (fences_to_order(&s->frames, f, &a, &b))
    return branch_on(s, f, &(struct either){"(sync-fence ", order_fences, 0, a, b}, breadth);
  if (s->minimal) return search_smallest(s, f, breadth);
  if (search_pair_to_order(s, f, &choice, &a, &b))
    return branch_on(s, f, &(struct either){choice == CHOICE_CO ? "(co " : "(sync-fence ", take_pair, choice, a, b},
                     breadth);
  return search_end_branch(s, f, SEARCH_OPEN, breadth);
}

static bool descend_unmeasured(struct search *s, struct frame *f, uint64_t breadth) {
  if (!search_within_limits(s)) return false;
  if (!control_enter(s->judge.control, &breadth)) return true;
  bool before = record_node(s->frames.record), on = descend_node(s, f, breadth);
  record_end(s->frames.record, before);
  return on;
}

static bool descend(struct search *s, struct frame *f, uint64_t breadth) {
  if (breadth > MEASURED_BREADTH) return descend_unmeasured(s, f, breadth);
  double done = s->judge.control->share;
  bool on = descend_unmeasured(s, f, breadth);
  control_leave(s->judge.control, done, breadth);
  return on;
}

bool search_run(struct search *s, uint64_t breadth) {
  return descend(s, s->root, breadth) || s->judge.found;
}

bool search_found(const struct search *s) {
  return s->judge.found;
}
