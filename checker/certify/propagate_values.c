/* SPDX-License-Identifier: MIT */
/* What follows from the decisions taken: values spread from writes to the reads
 * that are decided and over the expressions of threads; sources of another value,
 * or of one that turns a condition of control flow false, are dropped.
 */
#include <stdio.h>
#include <string.h>

#include "checker/certify/certify.h"

/* ---- Building -------------------------------------------------------------------------------- */

static void add_event(struct state *s, const struct event *of, int thread, int location, mask words) {
  if (s->count == MOST_EVENTS) bad(NULL, "more than %d events", MOST_EVENTS);
  s->events[s->count].of = of;
  s->events[s->count].thread = thread;
  s->events[s->count].location = location;
  s->events[s->count].words = words | (location >= 0 ? s->program->locations[location].words : 0);
  s->count++;
}

static void add_initial_writes(struct state *s) {
  const struct program *p = s->program;
  for (unsigned x = 0; x < p->location_count; x++) {
    bool touched = false;
    for (unsigned t = 0; t < p->thread_count; t++)
      for (unsigned i = 0; i < s->runs[t]->count; i++) touched |= s->runs[t]->events[i].location == (int)x;
    if (!touched) continue;
    s->known |= BIT(s->count % MOST_EVENTS);
    s->value[s->count % MOST_EVENTS] = p->locations[x].init;
    add_event(s, NULL, -1, (int)x, BIT(W_ALL) | BIT(W_W) | BIT(W_M) | BIT(W_IW) | BIT(W_NA));
  }
  s->init_count = s->count;
}

static void add_thread(struct state *s, unsigned t) {
  const struct run *r = s->runs[t];
  unsigned first = s->first[t] = s->count;
  s->open |= r->end == OPEN;
  for (unsigned i = 0; i < r->count; i++) {
    const struct event *e = &r->events[i];
    add_event(s, e, (int)t, e->location, e->words);
    for (unsigned k = 0; k < i; k++) {
      s->po[first + k] |= BIT(first + i);
      if (e->addr >> k & 1) s->addr[first + k] |= BIT(first + i);
      if (e->data >> k & 1) s->data[first + k] |= BIT(first + i);
      if (e->ctrl >> k & 1) s->ctrl[first + k] |= BIT(first + i);
    }
    if (e->rmw && e->kind == EV_WRITE) s->rmw[first + i - 1] |= BIT(first + i);
  }
}

static bool is_write(const struct state *s, unsigned e) {
  return s->events[e].words >> W_W & 1;
}

static bool is_ordered_fence(const struct state *s, unsigned e) {
  return s->events[e].of && s->events[e].of->kind == EV_FENCE && s->events[e].words >> W_SC & 1;
}

static void open_choices(struct state *s) {
  for (unsigned a = 0; a < s->count; a++)
    for (unsigned b = 0; b < s->count; b++) {
      bool same = a != b && s->events[a].location >= 0 && s->events[a].location == s->events[b].location;
      if (same && is_write(s, a) && is_read(s, b) && !in(s->rmw, b, a)) s->sources[b] |= BIT(a);
      if (same && is_write(s, a) && is_write(s, b) && s->events[b].of) {
        s->co.up[a] |= BIT(b);
        if (!s->events[a].of) s->co.lo[a] |= BIT(b);
      }
      if (a == b && s->events[a].of && s->events[a].of->meets) {
        s->joins.up[a] = BIT(a);
        if (!s->events[a].of->quorum) s->joins.lo[a] = BIT(a);
      }
      if (a != b && s->program->partial && is_ordered_fence(s, a) && is_ordered_fence(s, b)) s->fences.up[a] |= BIT(b);
    }
}

struct state *state_copy(const struct state *s) {
  return memcpy(make(sizeof *s), s, sizeof *s);
}

static unsigned state_identity(void) {
  static unsigned last; /* of a state's events, each time another */
  return ++last ? last : ++last;
}

/* ---- Writes that are not there yet ------------------------------------------------------------- */

/* Does the model forbid that a read sees this write, which its own thread may make
 * later?  Asked with the write added, of which hardly anything is known. */
static bool is_out_of_sight(const struct state *s, unsigned read, int name, mask words) {
  size_t mark = memory_mark();
  unsigned thread = (unsigned)s->events[read].thread, ghost = s->count;
  int location = s->events[read].location;
  if (ghost == MOST_EVENTS) return false;
  struct event write = {.kind = EV_WRITE, .location = location, .name = name < 0 ? location : name, .label = -1};
  struct state *with = state_copy(s);
  add_event(with, &write, (int)thread, location, words | BIT(W_ALL) | BIT(W_W) | BIT(W_M));
  with->ghost = (int)ghost;
  for (unsigned i = s->first[thread]; i < s->first[thread] + s->runs[thread]->count; i++) with->po[i] |= BIT(ghost);
  for (unsigned a = 0; a < s->count; a++)
    if (is_write(s, a) && s->events[a].location == s->events[read].location) {
      with->co.up[a] |= BIT(ghost);
      if (!s->events[a].of) with->co.lo[a] |= BIT(ghost);
      if (s->events[a].of) with->co.up[ghost] |= BIT(a);
    }
  with->sources[read] = BIT(ghost);
  with->unfed &= ~BIT(read);
  with->identity = state_identity();
  evaluate(with);
  bool out = failing_axiom(with) >= 0;
  memory_drop(mark);
  return out;
}

/* May a read see what some thread that goes on still writes? */
static bool may_feed(const struct state *s, unsigned read, const int64_t *value) {
  unsigned x = (unsigned)s->events[read].location;
  for (unsigned t = 0; t < s->program->thread_count; t++) {
    if (!may_write(s->program, s->runs[t], t, x, value)) continue;
    if ((int)t != s->events[read].thread) return true;
    for (unsigned i = 0; i < s->program->threads[t].instr_count; i++) {
      const struct instr *in = &s->program->threads[t].instrs[i];
      if (!writes(in, x, NULL)) continue;
      mask rmw = in->kind == I_RMW || in->kind == I_CAS ? BIT(W_RMW) : 0;
      if (in->kind == I_CAS && in->writes_back && !is_out_of_sight(s, read, -1, in->ordinary)) return true;
      if (!is_out_of_sight(s, read, in->cell.name, in->write | rmw)) return true;
    }
  }
  return false;
}

/* ---- Values --------------------------------------------------------------------------------------- */

bool known_value(const struct state *s, unsigned thread, const struct expr *e, int64_t *value) {
  int64_t a = 0, b = 0, c = 0;
  if (e->op == E_REG) {
    unsigned event = s->first[thread] + e->reg;
    if (e->reg >= s->runs[thread]->count || !(s->known >> event & 1)) return false;
    return *value = s->value[event], true;
  }
  if (e->op == E_CONST) return *value = e->value, true;
  if (!known_value(s, thread, e->a, &a) || (e->b && !known_value(s, thread, e->b, &b)) ||
      (e->c && !known_value(s, thread, e->c, &c)))
    return false;
  *value = apply(e->op, a, b, c);
  return true;
}

/* Gives an event its value; true when it has one now and had none before. */
static bool spread(struct state *s, unsigned e) {
  const struct event *of = s->events[e].of;
  if (!of || !of->value || s->known >> e & 1) return false;
  if (!of->own) {
    if (!known_value(s, (unsigned)s->events[e].thread, of->value, &s->value[e])) return false;
  } else {
    if (!is_decided(s, e) || !(s->known & s->sources[e])) return false;
    s->value[e] = s->value[first_bit(s->sources[e])];
  }
  s->known |= BIT(e);
  return true;
}

/* Drops sources of another value; false when none is left. */
static bool match(struct state *s, unsigned read, bool *moved) {
  for (mask m = s->sources[read] & (s->known >> read & 1 ? s->known : 0); m; m &= m - 1) {
    unsigned w = first_bit(m);
    if (s->value[w] == s->value[read]) continue;
    s->sources[read] &= ~BIT(w);
    *moved = true;
  }
  return s->sources[read] || s->unfed >> read & 1;
}

/* The reads among an expression's that are not known. */
static mask unknown_in(const struct state *s, unsigned thread, const struct expr *e) {
  if (!e || e->op == E_CONST) return 0;
  if (e->op == E_REG) return BIT(s->first[thread] + e->reg) & ~s->known;
  return unknown_in(s, thread, e->a) | unknown_in(s, thread, e->b) | unknown_in(s, thread, e->c);
}

/* A condition: it holds, or may; with one read open, sources that make it false go. */
static bool meet(struct state *s, unsigned thread, const struct condition *c, bool *moved) {
  mask open = unknown_in(s, thread, c->value);
  int64_t value;
  if (!open) return known_value(s, thread, c->value, &value) && (value != 0) == c->nonzero;
  unsigned read = first_bit(open);
  if (!is_single(open) || !s->events[read].of->own) return true;
  for (mask m = s->sources[read] & s->known; m; m &= m - 1) {
    unsigned w = first_bit(m);
    s->known |= BIT(read);
    s->value[read] = s->value[w];
    bool holds = !known_value(s, thread, c->value, &value) || (value != 0) == c->nonzero;
    s->known &= ~BIT(read);
    if (holds) continue;
    s->sources[read] &= ~BIT(w);
    *moved = true;
  }
  return s->sources[read] || s->unfed >> read & 1;
}

bool settle(struct state *s) {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned e = s->init_count; e < s->count; e++) {
      if (s->unfed & s->known & BIT(e) && !may_feed(s, e, &s->value[e])) s->unfed &= ~BIT(e), moved = true;
      if (is_read(s, e) && !match(s, e, &moved)) return false;
      moved |= spread(s, e);
    }
    for (unsigned t = 0; t < s->program->thread_count; t++)
      for (unsigned i = 0; i < s->runs[t]->condition_count; i++)
        if (!meet(s, t, &s->runs[t]->conditions[i], &moved)) return false;
  }
  for (unsigned e = s->init_count; e < s->count && !s->open; e++)
    if (s->events[e].of->quorum && !settle_group(s, e)) return false;
  return true;
}

bool hangs_on_itself(const struct state *s) {
  mask hope = s->known;
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned e = s->init_count; e < s->count; e++) {
      const struct event *of = s->events[e].of;
      if (hope >> e & 1 || !of->value) continue;
      bool may = of->own ? !is_decided(s, e) || hope & s->sources[e]
                         : !(unknown_in(s, (unsigned)s->events[e].thread, of->value) & ~hope);
      if (may) hope |= BIT(e), moved = true;
    }
  }
  for (unsigned e = s->init_count; e < s->count; e++)
    if (s->events[e].of->value && !(hope >> e & 1)) return true;
  return false;
}

/* ---- Decisions -------------------------------------------------------------------------------------- */

static void apply_decision(struct state *s, const struct decision *d) {
  unsigned read = s->first[d->thread] + d->index;
  for (mask m = s->sources[read]; m; m &= m - 1) {
    unsigned w = first_bit(m);
    bool same = s->events[w].thread == d->source_thread &&
                (d->source_thread < 0 || w - s->first[d->source_thread] == d->source_index);
    if (!same) s->sources[read] &= ~BIT(w);
  }
  s->unfed &= ~BIT(read);
}

struct state *state_new(const struct program *p, const struct run *const *runs, const struct decision *decisions) {
  struct state *s = make(sizeof *s);
  s->program = p;
  s->ghost = -1;
  s->identity = state_identity();
  memcpy(s->runs, runs, p->thread_count * sizeof *runs);
  add_initial_writes(s);
  for (unsigned t = 0; t < p->thread_count; t++) add_thread(s, t);
  open_choices(s);
  for (unsigned r = s->init_count; r < s->count && s->open; r++)
    if (is_read(s, r)) s->unfed |= BIT(r);
  for (const struct decision *d = decisions; d; d = d->before) apply_decision(s, d);
  for (unsigned r = s->init_count; r < s->count && s->open; r++)
    if (s->unfed >> r & 1 && !may_feed(s, r, NULL)) s->unfed &= ~BIT(r);
  return s;
}

/* What is ordered stays transitive, and nothing against it possible. */
static void order(struct state *s, unsigned a, unsigned b) {
  mask after = s->co.lo[b] | BIT(b);
  for (unsigned x = 0; x < s->count; x++) {
    if (x != a && !in(s->co.lo, x, a)) continue;
    s->co.lo[x] |= after;
    for (mask m = after; m; m &= m - 1) s->co.up[first_bit(m)] &= ~BIT(x);
  }
}

/* Rules out what transitivity could not bear: what may follow c may follow p, where
 * c follows p; and if q follows c, q may follow whatever c may follow. */
static void rule_out(struct state *s) {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned p = 0; p < s->count; p++)
      for (unsigned c = 0; c < s->count; c++) {
        mask before = s->co.up[c], may = s->co.up[p];
        if (in(s->co.lo, p, c)) s->co.up[c] &= s->co.up[p];
        if (in(s->co.up, p, c) && s->co.lo[c] & ~s->co.up[p]) s->co.up[p] &= ~BIT(c);
        moved |= s->co.up[c] != before || s->co.up[p] != may;
      }
  }
}

/* Along a chain of fences whose scopes include each other's threads there is no way back. */
static bool order_fences(struct state *s, unsigned a, unsigned b) {
  if (in(s->fences.lo, a, b)) return true;
  if (!in(s->fences.up, a, b) || in(s->fences.lo, b, a)) return false;
  s->fences.lo[a] |= BIT(b);
  s->fences.up[b] &= ~BIT(a);
  mask chain[MOST_EVENTS] = {0};
  for (unsigned x = 0; x < s->count; x++)
    for (mask m = s->fences.lo[x]; m; m &= m - 1) chain[x] |= inclusive(s, x, first_bit(m)) ? m & -m : 0;
  for (unsigned k = 0; k < s->count; k++)
    for (unsigned x = 0; x < s->count; x++) chain[x] |= in(chain, x, k) ? chain[k] : 0;
  for (unsigned x = 0; x < s->count; x++)
    for (mask m = chain[x]; m; m &= m - 1)
      if (inclusive(s, x, first_bit(m)) && (x == first_bit(m) || !order_fences(s, x, first_bit(m)))) return false;
  return true;
}

struct bounds *bounds_of(struct state *s, enum pairs which) {
  return which == CO ? &s->co : which == FENCES ? &s->fences : &s->joins;
}

bool decide_pair(struct state *s, enum pairs which, unsigned a, unsigned b, bool taken) {
  struct bounds *of = bounds_of(s, which);
  if (taken ? in(of->lo, a, b) : !in(of->up, a, b)) return true; /* it is decided so, or no pair at all */
  if (taken ? !in(of->up, a, b) : in(of->lo, a, b)) return false;
  if (which == JOINS) {
    (taken ? s->joins.lo : s->joins.up)[a] ^= BIT(a);
    return s->open || settle_group(s, a); /* open: others can still reach the barrier */
  }
  if (which == FENCES) {
    if (taken) return order_fences(s, a, b);
    s->fences.up[a] &= ~BIT(b);
    return !inclusive(s, a, b) || order_fences(s, b, a);
  }
  if (taken)
    order(s, a, b);
  else if (!s->program->partial)
    order(s, b, a);
  else
    s->co.up[a] &= ~BIT(b);
  if (s->program->partial) rule_out(s);
  for (unsigned x = 0; x < s->count; x++)
    if (s->co.lo[x] & ~s->co.up[x]) return false;
  return true;
}

unsigned event_of(const struct state *s, const struct item *item) {
  unsigned index;
  int thread, end = 0;
  const char *word = word_of(item);
  if (sscanf(word, "i.%4u%n", &index, &end) == 1 && !word[end]) {
    for (unsigned e = 0; e < s->init_count; e++)
      if (s->events[e].location == (int)index) return e;
  } else if (sscanf(word, "%4d.%4u%n", &thread, &index, &end) == 2 && !word[end] && thread >= 0 &&
             thread < (int)s->program->thread_count && index < s->runs[thread]->count) {
    return s->first[thread] + index;
  }
  reject(item, "there is no event %.20s here", word);
}
