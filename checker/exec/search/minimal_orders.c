/* SPDX-License-Identifier: MIT */
/* The smallest orders that a model accepts, where co is partial.
 *
 * Models speak of a partial co by what must be ordered: an order that
 * a model accepts, it mostly accepts with more pairs too, and those show nothing
 * new.  For what else is decided, only the smallest orders that are accepted are
 * executions (unless a flag or another judge could tell more).  Pairs are left
 * out before they are taken, in one sequence, so that a smaller order is met
 * before those it lies within.  Orders of fences out of each other's scope are
 * taken in the same way.
 */
#include "checker/exec/search/search_state.h"

/* The order of writes, and after it that of fences. */
static void copy_orders(const struct search *s, const struct frame *f, word *out) {
  size_t words = rel_words(s->frames.shape);
  if (!words) return; /* no events, and no memory for their orders */
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
  if (s->judge.consistent == before || !words) return on;
  vec_reserve(s->frames.arena, (void **)&s->accepted.at, &s->accepted.room, s->accepted.count + words, sizeof(word));
  copy_orders(s, f, s->accepted.at + s->accepted.count);
  s->accepted.count += words;
  return on;
}

/* Is what has been taken so far enough?  Sets *ended when it is. */
static bool try_order(struct search *s, struct frame *f, bool *ended) {
  struct frame *child = search_push_closed(s, f);
  *ended = bounds_update(s->judge.bounds, child->level, &child->p) == BOUNDS_OPEN;
  if (*ended) {
    record_say(s->frames.record, "(least ");
    bool on = judge_order(s, child);
    record_say(s->frames.record, ")");
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
    struct frame *child = search_push(s, f);
    search_settle_pair(s, child, choice, a, b, taken);
    bool before = record_node(s->frames.record);
    if (!grow(s, child, f)) return false;
    record_end(s->frames.record, before);
  }
  record_say(s->frames.record, ")");
  return true;
}

/* `above`: the node before, whose order was not enough; NULL at the first. */
static bool grow(struct search *s, struct frame *f, const struct frame *above) {
  enum choice choice;
  unsigned a, b;
  if (!search_within_limits(s)) return false;
  enum search_status status = above ? search_conclude(s, f, BREADTH_CLAIMED) : SEARCH_OPEN;
  if (status != SEARCH_OPEN) return search_end_branch(s, f, status, BREADTH_CLAIMED);
  if (is_larger(s, f)) {
    record_say(s->frames.record, "(seen)");
    return true;
  }
  if (!search_pair_to_order(s, f, &choice, &a, &b)) return judge_order(s, f);
  if (s->prune && (!above || !same_orders(s, f, above))) {
    bool ended;
    if (!try_order(s, f, &ended)) return false;
    if (ended) return true;
  }
  return grow_pair(s, f, choice, a, b);
}

bool search_smallest(struct search *s, struct frame *f, uint64_t breadth) {
  struct search_control *c = s->judge.control;
  if (control_shares(c, breadth) && control_not_mine(c)) return true;
  if (!words_empty(s->frames.shape.w, f->unknown)) return judge_candidate(&s->judge, f); /* no order gives it values */
  s->accepted.count = 0;
  return grow(s, f, NULL);
}
