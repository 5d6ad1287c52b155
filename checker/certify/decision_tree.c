/* SPDX-License-Identifier: MIT */
/* The tree of decisions, walked from its root.
 *
 *     node = (steps step... node)                      conclusions, each of which is checked
 *          | (fork THREAD (BRANCH node)...)            the ways in which a thread goes on
 *          | (read EVENT (EVENT node)...)              the writes that a read may read from
 *          | (co EVENT EVENT node node)                the pair is ordered so; and it is not
 *          | (guess EVENT (VALUE node)...)               the values of a read that depends on itself
 *          | (sync-fence EVENT EVENT node node)            co-last, sync-fence-last: the other way round
 *          | (join-last EVENT EVENT node node)           one of a quorum, twice: it does not synchronise; and it does
 *          | (least (execution))                       all that is open stays unordered; more order shows no more
 *          | (axiom NAME EVENT...) | (axiom NAME)      closed: the cycle, the event or the pair that the axiom forbids
 *          | (held)                                       some thread stays at a control barrier
 *          | (closed) | (values) | (cut) | (undefined) | (seen) | (execution) | (skip)
 *     step = (drop WRITE READ) | (order EVENT EVENT) | (apart EVENT EVENT), and the latter two for fences
 *          | (join EVENT EVENT) | (leave EVENT EVENT)
 *
 * A branch that is not there must be impossible by its values alone.  `skip` leaves
 * a part out; then what was seen counts, and nothing else.
 */
#include <string.h>

#include "checker/certify/certificate.h"

enum { MOST_GUESSES = 100 };

/* ---- Final states ------------------------------------------------------------------------------ */

struct finals {
  struct certificate *certificate;
  const struct state *state;
  const struct item *at;
  bool only_seen; /* they must have been seen before */
  int64_t values[MOST_OBSERVED];
};

static void end_final(struct finals *f) {
  struct certificate *c = f->certificate;
  if (is_filtered(c, f->values)) return;
  if (!f->only_seen)
    note_state(c, f->values);
  else if (!was_seen(c, f->values))
    reject(f->at, "a final state that no execution before this has shown is possible here");
}

/* All final states, from the i-th thing observed on: where writes are unordered, any
 * of the last ones may be final, for each name of a location by itself. */
static void each_final(struct finals *f, unsigned i) {
  const struct state *s = f->state;
  struct certificate *c = f->certificate;
  if (i == c->observed_count) {
    end_final(f);
    return;
  }
  const struct observed *o = &c->observed[i];
  if (o->thread >= 0) {
    unsigned t = (unsigned)o->thread;
    known_value(s, t, s->runs[t]->regs[o->index], &f->values[i]); /* values of all events are known */
    each_final(f, i + 1);
    return;
  }
  int physical = (int)s->program->locations[o->index].physical;
  bool some = false;
  for (unsigned a = 0; a < s->count; a++) {
    if (s->events[a].location != physical || !(s->events[a].words >> W_W & 1) || s->co.lo[a]) continue;
    bool again = false;
    for (unsigned b = 0; b < a; b++)
      again |= s->events[b].location == physical && s->events[b].words >> W_W & 1 && !s->co.lo[b] &&
               s->value[b] == s->value[a];
    if (again) continue;
    some = true;
    f->values[i] = s->value[a];
    each_final(f, i + 1);
  }
  if (some) return;
  f->values[i] = s->program->locations[physical].init;
  each_final(f, i + 1);
}

static void tell_finals(struct certificate *c, const struct state *s, const struct item *at, bool only_seen) {
  struct finals f = {c, s, at, only_seen, {0}};
  each_final(&f, 0);
}

/* ---- Leaves ---------------------------------------------------------------------------------------- */

static bool is_whole(const struct state *s, enum run_end *end) {
  *end = ENDED;
  for (unsigned t = 0; t < s->program->thread_count; t++)
    if (s->runs[t]->end > *end) *end = s->runs[t]->end;
  return !s->open;
}

/* Threads have ended and values are known. */
static void need_values(const struct state *s, const struct item *at) {
  enum run_end end;
  if (!is_whole(s, &end) || end != ENDED) reject(at, "not every thread has ended here");
  for (unsigned e = s->init_count; e < s->count; e++) {
    if (is_read(s, e) && !is_decided(s, e)) reject(at, "the source of read %u is not decided here", e);
    if (s->events[e].of->value && !(s->known >> e & 1)) reject(at, "event %u has no value here", e);
  }
}

static void note_flags(struct certificate *c, const struct state *s, const struct item *at, bool only_claimed) {
  for (unsigned i = 0; i < c->model->check_count; i++) {
    enum role role = c->model->checks[i].role;
    if (role == REQUIRE) continue;
    bool raised = role == FLAG ? !surely_fails(s, i) : !surely_holds(s, i);
    if (only_claimed && raised && !(c->raised >> i & 1)) reject(at, "%s may be raised here", c->model->checks[i].name);
    if (raised) c->raised |= BIT(i);
  }
}

/* What the model may choose at an execution. */
struct ways {
  struct certificate *certificate; /* NULL: nothing is told of them */
  const struct state *state;
  const struct item *at;
  unsigned count;
  int failing; /* an axiom, where it fails for some choice; -1: none */
};

static void tell_way(void *context) {
  struct ways *w = context;
  struct certificate *c = w->certificate;
  int failing = failing_axiom(w->state);
  if (failing >= 0) w->failing = failing;
  if (failing >= 0) return;
  w->count++;
  if (!c) return;
  uint64_t before = c->positive + c->negative;
  tell_finals(c, w->state, w->at, false);
  if (c->positive + c->negative > before) note_flags(c, w->state, w->at, false);
}

void check_execution(struct certificate *c, const struct state *s, const struct item *at) {
  need_values(s, at);
  for (unsigned a = 0; a < s->count; a++)
    if (s->co.lo[a] != s->co.up[a] || s->fences.lo[a] != s->fences.up[a] || s->joins.lo[a] != s->joins.up[a])
      reject(at, "the order of writes or fences, or who joins a quorum, is not decided here");
  if (!all_pass(s)) reject(at, "this is not an execution: a thread stays at a barrier");
  struct ways w = {c, s, at, 0, -1};
  choose_from(s, 0, tell_way, &w);
  if (!w.count)
    reject(at, "this is not an execution: it fails %s", w.failing < 0 ? "choices" : c->model->checks[w.failing].name);
}

/* What follows shows nothing but what has been seen. */
static void check_seen(struct certificate *c, const struct state *s, const struct item *at) {
  if (!c->program->partial) reject(at, "executions are counted: none of them may be left out here");
  need_values(s, at);
  evaluate(s);
  note_flags(c, s, at, true);
  tell_finals(c, s, at, true);
}

/* The events named are what the axiom forbids: each before the next, and the last
 * before the first; for `empty` one event, or a pair. */
static void check_cycle(const struct state *s, const struct check *check, const struct item *at) {
  const mask *rows = value_of(check->node)->lo;
  unsigned count = at->count - 2, events[MOST_EVENTS];
  if (count > MOST_EVENTS) reject(at, "this cycle is longer than there are events");
  for (unsigned i = 0; i < count; i++) events[i] = event_of(s, part(at, i + 2));
  if (check->kind == 2 && count != (is_set(check->node) ? 1u : 2u)) reject(at, "expected the event or pair");
  if (check->kind == 1 && count != 1) reject(at, "expected one event");
  for (unsigned i = 0; i < count; i++) {
    if (check->kind == 2 && i) break;
    unsigned a = events[i], b = events[(i + 1) % count];
    if (!(is_set(check->node) ? rows[0] >> a & 1 : in(rows, a, b)))
      reject(part(at, i + 2), "%s does not fail so: this need not be before the next", check->name);
  }
}

static void check_axiom(const struct certificate *c, const struct state *s, const struct item *at) {
  const char *name = word_of(part(at, 1));
  evaluate(s);
  for (unsigned i = 0; i < c->model->check_count; i++) {
    const struct check *check = &c->model->checks[i];
    if (check->role != REQUIRE || strcmp(check->name, name) != 0 || !surely_fails(s, i)) continue;
    if (at->count > 2) check_cycle(s, check, at);
    return;
  }
  reject(at, "no axiom %.40s fails here", name);
}

static bool is_closed(const struct state *s) {
  evaluate(s);
  return failing_axiom(s) >= 0;
}

/* No way to choose makes it an execution. */
static bool is_closed_by_choice(const struct state *s) {
  struct ways w = {.state = s};
  choose_from(s, 0, tell_way, &w);
  return !w.count;
}

static void check_leaf(struct certificate *c, const struct state *s, const struct item *at) {
  static const char *const LEAVES[] = {"axiom",     "execution", "closed", "values", "cut",
                                       "undefined", "seen",      "held",   "skip",   NULL};
  enum run_end end;
  bool whole = is_whole(s, &end);
  switch (choice_of(part(at, 0), LEAVES, "kind of node")) {
    case 0:
      check_axiom(c, s, at);
      return;
    case 1:
      check_execution(c, s, at);
      return;
    case 2:
      if (!is_closed(s) && !is_closed_by_choice(s)) reject(at, "no axiom fails here");
      return;
    case 3:
      if (c->free_values || !hangs_on_itself(s)) reject(at, "values are not contradictory here");
      return;
    case 4:
      if (!whole || end != CUT) reject(at, "no thread is cut here");
      c->verdict->cut++;
      return;
    case 5:
      if (!whole || end != UNDEFINED) reject(at, "no thread leaves an array here");
      c->verdict->undefined++;
      return;
    case 6:
      check_seen(c, s, at);
      return;
    case 7:
      if (!whole || end != ENDED || all_pass(s)) reject(at, "every thread gets past its barriers here");
      return;
    default:
      c->skipped = true;
  }
}

/* ---- Branches ---------------------------------------------------------------------------------------- */

static void walk(struct certificate *c, struct state *s, const struct decision *decisions, const struct item *at,
                 unsigned depth);

static const struct item *child_of(const struct item *at, unsigned from, const struct state *s, int64_t label) {
  for (const struct item *child = part(at, from - 1)->next; child; child = child->next)
    if ((s ? (int64_t)event_of(s, part(child, 0)) : number_of(part(child, 0))) == label) return part(child, 1);
  return NULL;
}

/* A condition of the branch is known to be false. */
static bool is_ruled_out(const struct state *s, unsigned thread, const struct run *branch) {
  for (unsigned i = s->runs[thread]->condition_count; i < branch->condition_count; i++) {
    const struct condition *condition = &branch->conditions[i];
    int64_t value;
    if (known_value(s, thread, condition->value, &value) && (value != 0) != condition->nonzero) return true;
  }
  return false;
}

/* What a condition compares with. */
static void add_constants(const struct item *p, int64_t *values, unsigned *count) {
  for (const struct item *at = p && !p->word ? p->first : NULL; at; at = at->next) add_constants(at, values, count);
  if (!p || !p->word || !strchr("-0123456789", *p->word)) return;
  for (unsigned i = 0; i < *count; i++)
    if (values[i] == number_of(p)) return;
  if (*count == MOST_GUESSES - 1) bad(p, "more than %d values", MOST_GUESSES - 1);
  values[(*count)++] = number_of(p);
}

static void walk_fork(struct certificate *c, const struct state *s, const struct decision *decisions,
                      const struct item *at, unsigned depth) {
  unsigned t = index_of(part(at, 1), c->program->thread_count);
  if (s->runs[t]->end != OPEN) reject(at, "thread %u does not fork here", t);
  const struct run *runs[MOST_THREADS];
  memcpy(runs, s->runs, sizeof runs);
  for (unsigned i = 0; i < s->runs[t]->branch_count; i++) {
    const struct item *child = child_of(at, 2, NULL, i);
    size_t mark = memory_mark();
    if (!child && is_ruled_out(s, t, s->runs[t]->branches[i])) continue;
    runs[t] = run_branch(c->program, t, s->runs[t], i);
    if (runs[t]->end != IMPOSSIBLE) {
      struct state *next = state_new(c->program, runs, decisions);
      if (settle(next)) {
        if (!child) reject(at, "branch %u of thread %u is left out", i, t);
        walk(c, next, decisions, child, depth + 1);
      }
    }
    memory_drop(mark);
  }
}

static void walk_read(struct certificate *c, const struct state *s, const struct decision *decisions,
                      const struct item *at, unsigned depth) {
  unsigned read = event_of(s, part(at, 1));
  if (!is_read(s, read)) reject(at, "this is not a read");
  if (s->unfed >> read & 1) reject(at, "this read may see a write that is not there yet");
  for (mask m = s->sources[read]; m; m &= m - 1) {
    unsigned w = first_bit(m);
    const struct item *child = child_of(at, 2, s, w);
    size_t mark = memory_mark();
    struct state *next = state_copy(s);
    int t = s->events[read].thread, u = s->events[w].thread;
    struct decision d = {(unsigned)t, read - s->first[t], u, u < 0 ? (unsigned)s->events[w].location : w - s->first[u],
                         decisions};
    next->sources[read] = BIT(w);
    if (settle(next)) {
      if (!child) reject(at, "that it reads from event %u is left out", w);
      walk(c, next, &d, child, depth + 1);
    }
    memory_drop(mark);
  }
}

/* Values that justify only themselves, when all else is decided: those that the question
 * compares with, and one other, are taken in place of all. */
static void walk_guess(struct certificate *c, const struct state *s, const struct decision *decisions,
                       const struct item *at, unsigned depth) {
  unsigned read = event_of(s, part(at, 1)), first = s->count, count = 0;
  int64_t values[MOST_GUESSES];
  for (unsigned e = s->count; e-- > s->init_count;) {
    if (is_read(s, e) && !is_decided(s, e)) reject(at, "the source of read %u is not decided here", e);
    if (is_read(s, e) && s->events[e].of->own && !(s->known >> e & 1)) first = e;
  }
  if (s->open || !c->free_values || read != first) reject(at, "this is not the first value that is free here");
  add_constants(c->condition, values, &count);
  add_constants(c->filter, values, &count);
  values[count] = 1;
  for (unsigned i = 0; i < count; i++)
    if (values[i] >= values[count] && values[i] < INT64_MAX) values[count] = values[i] + 1;
  for (unsigned i = 0; i <= count; i++) {
    const struct item *child = child_of(at, 2, NULL, values[i]);
    size_t mark = memory_mark();
    struct state *next = state_copy(s);
    next->known |= BIT(read);
    next->value[read] = values[i];
    if (settle(next)) {
      if (!child) reject(at, "that it is %lld is left out", (long long)values[i]);
      walk(c, next, decisions, child, depth + 1);
    }
    memory_drop(mark);
  }
}

/* `kind`: twice which pairs they are, and 1 where the pair comes last. */
static void walk_pair(struct certificate *c, const struct state *s, const struct decision *decisions,
                      const struct item *at, unsigned depth, unsigned kind) {
  enum pairs which = (enum pairs)(kind / 2);
  bool last = kind % 2;
  unsigned a = event_of(s, part(at, 1)), b = event_of(s, part(at, 2));
  const struct bounds *of = bounds_of((struct state *)s, which);
  if (s->open) reject(at, "pairs are decided when all threads have ended");
  if (!in(of->up, a, b) || in(of->lo, a, b)) reject(at, "this pair is decided");
  for (unsigned i = 0; i < 2; i++) {
    size_t mark = memory_mark();
    struct state *next = state_copy(s);
    if (decide_pair(next, which, a, b, i == last)) walk(c, next, decisions, part(at, 3 + i), depth + 1);
    memory_drop(mark);
  }
}

/* A conclusion: without it some axiom fails, or values contradict.  False when it
 * contradicts what is decided. */
static bool take_step(struct state *s, const struct item *at) {
  static const char *const STEPS[] = {"drop", "order", "apart", "order-fences", "apart-fences", "join", "leave", NULL};
  unsigned kind = choice_of(part(at, 0), STEPS, "kind of step"), a = event_of(s, part(at, 1)),
           b = event_of(s, part(at, 2));
  enum pairs which = kind ? (enum pairs)((kind - 1) / 2) : CO;
  bool taken = kind % 2, possible;
  const struct bounds *of = bounds_of(s, which);
  if (kind ? taken ? in(of->lo, a, b) : !in(of->up, a, b) : !is_read(s, b) || !(s->sources[b] >> a & 1)) return true;
  size_t mark = memory_mark();
  struct state *other = state_copy(s);
  if (kind == 0) {
    other->sources[b] = BIT(a);
    other->unfed &= ~BIT(b);
    possible = settle(other);
  } else {
    possible = decide_pair(other, which, a, b, !taken);
  }
  if (possible && !is_closed(other)) reject(at, "this does not follow");
  memory_drop(mark);
  if (kind) return decide_pair(s, which, a, b, taken);
  s->sources[b] &= ~BIT(a);
  return true;
}

static bool walk_steps(struct state *s, const struct item *at, const struct item **last) {
  *last = part(at, 0)->next;
  if (!*last) bad(at, "steps, and nothing after them");
  for (; (*last)->next; *last = (*last)->next) {
    if (!take_step(s, *last) || !settle(s)) return false;
  }
  return true;
}

/* Fences whose scopes include each other's threads are ordered one way or the other in every execution. */
static void walk_least(struct certificate *c, const struct state *s, const struct item *at) {
  if (!is_list(part(at, 1), "execution") || !c->program->partial) reject(at, "expected an execution");
  for (unsigned a = 0; a < s->count; a++)
    for (mask m = s->fences.up[a] & ~s->fences.lo[a]; m; m &= m - 1)
      if (inclusive(s, a, first_bit(m)))
        reject(at, "the order of fences %u and %u is not decided here", a, first_bit(m));
  struct state *least = state_copy(s);
  memcpy(least->co.up, s->co.lo, sizeof s->co.lo);
  memcpy(least->fences.up, s->fences.lo, sizeof s->fences.lo);
  check_execution(c, least, part(at, 1));
  check_seen(c, s, at);
}

/* The node's state is its own, and settled. */
static void walk(struct certificate *c, struct state *s, const struct decision *decisions, const struct item *at,
                 unsigned depth) {
  static const char *const PAIRS[] = {"co", "co-last", "sync-fence", "sync-fence-last", "join", "join-last"};
  if (depth > MOST_DEPTH) bad(at, "this tree is too deep");
  while (is_list(at, "steps"))
    if (!walk_steps(s, at, &at)) return;
  for (unsigned i = 0; i < 6; i++)
    if (is_list(at, PAIRS[i])) {
      walk_pair(c, s, decisions, at, depth, i);
      return;
    }
  if (is_list(at, "fork"))
    walk_fork(c, s, decisions, at, depth);
  else if (is_list(at, "read"))
    walk_read(c, s, decisions, at, depth);
  else if (is_list(at, "guess"))
    walk_guess(c, s, decisions, at, depth);
  else if (is_list(at, "least"))
    walk_least(c, s, at);
  else
    check_leaf(c, s, at);
}

void check_tree(struct certificate *c, const struct item *tree) {
  const struct run *runs[MOST_THREADS];
  for (unsigned t = 0; t < c->program->thread_count; t++) runs[t] = run_start(c->program, t);
  struct state *root = state_new(c->program, runs, NULL);
  if (settle(root)) walk(c, root, NULL, part(tree, 1), 0);
}
