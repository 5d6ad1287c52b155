/* SPDX-License-Identifier: MIT */
/* Candidates: one run of every thread, a source for every read, an order of
 * the writes to every location. */
#include <string.h>

#include "naive.h"

struct builder {
  struct candidate candidate;
  const run_list *runs;
  bool with_co;
  const struct run *chosen[MAX_EVENTS];
  bool (*each)(void *context, const struct candidate *candidate);
  void *context;
  int choices;
  bool stopped;
};

/* ---- values out of thin air ---- */

/* Does the value of event e rest on itself?  `open` marks the events on the
 * way down. */
static bool rests_on_itself(const struct candidate *c, int e, bool *open) {
  if (open[e]) return true;
  const struct naive_event *event = &c->events[e];
  bool cycle = false;
  open[e] = true;
  if (event->kind == KIND_READ) {
    cycle = rests_on_itself(c, c->source[e], open);
  } else if (event->thread >= 0) {
    for (int i = 0; i < MAX_RUN && !cycle; i++)
      if (event->flows[i]) cycle = rests_on_itself(c, event->first + i, open);
  }
  open[e] = false;
  return cycle;
}

static bool has_thin_air(const struct candidate *c) {
  bool open[MAX_EVENTS] = {0};
  for (int e = 0; e < c->count; e++)
    if (c->events[e].kind == KIND_READ && rests_on_itself(c, e, open)) return true;
  return false;
}

/* ---- co: all orders, location by location ---- */

static void choose_co(struct builder *b, int location, int rank) {
  struct candidate *c = &b->candidate;
  if (location == (int)c->program->location_count) {
    b->stopped = !b->each(b->context, c);
    return;
  }
  bool complete = true;
  for (int e = 0; e < c->count && !b->stopped; e++) {
    if (c->events[e].kind != KIND_WRITE || c->events[e].location != location || c->rank[e] >= 0) continue;
    complete = false;
    c->rank[e] = rank;
    choose_co(b, location, rank + 1);
    c->rank[e] = -1;
  }
  if (complete) choose_co(b, location + 1, 1);
}

static void start_co(struct builder *b) {
  struct candidate *c = &b->candidate;
  for (int e = 0; e < c->count; e++) c->rank[e] = c->events[e].thread < 0 ? 0 : -1;
  c->co_chosen = b->with_co;
  if (b->with_co)
    choose_co(b, 0, 1);
  else
    b->stopped = !b->each(b->context, c);
}

bool naive_in_co(const struct candidate *c, int a, int b) {
  const struct naive_event *x = &c->events[a], *y = &c->events[b];
  if (!c->co_chosen || x->kind != KIND_WRITE || y->kind != KIND_WRITE || x->location != y->location) return false;
  return c->program->partial_coherence ? c->order[a][b] : c->rank[a] < c->rank[b];
}

/* ---- partial orders: every pair one way, the other, or neither ---- */

static bool is_free_write(const struct naive_event *e) {
  return e->kind == KIND_WRITE && e->thread >= 0;
}

static bool is_ordered_fence(const struct naive_event *e) {
  return e->kind == KIND_FENCE && e->order == ORDER_SC;
}

static bool is_transitive(const struct candidate *c) {
  for (int a = 0; a < c->count; a++)
    for (int b = 0; b < c->count; b++)
      for (int d = 0; c->order[a][b] && d < c->count; d++)
        if (c->order[b][d] && !c->order[a][d]) return false;
  return true;
}

/* Is there a way from a to b through fences of inclusive scopes? */
static bool leads(const struct candidate *c, int a, int b, bool *seen) {
  for (int d = 0; d < c->count; d++) {
    if (seen[d] || !c->fences[a][d] || !naive_inclusive(c, a, d)) continue;
    seen[d] = true;
    if (d == b || leads(c, d, b, seen)) return true;
  }
  return false;
}

static bool fences_acyclic(const struct candidate *c) {
  for (int a = 0; a < c->count; a++) {
    bool seen[MAX_EVENTS] = {0};
    if (leads(c, a, a, seen)) return false;
  }
  return true;
}

/* What a pair of events is to the choice at hand. */
enum pair { PAIR_NONE, PAIR_FENCES, PAIR_FREE_FENCES, PAIR_WRITES };

static enum pair pair_of(const struct candidate *c, int a, int b) {
  const struct naive_event *x = &c->events[a], *y = &c->events[b];
  if (is_free_write(x) && is_free_write(y) && x->location == y->location) return PAIR_WRITES;
  if (!is_ordered_fence(x) || !is_ordered_fence(y)) return PAIR_NONE;
  return naive_inclusive(c, a, b) ? PAIR_FENCES : PAIR_FREE_FENCES;
}

/* All choices for the pairs a < b of one kind from (a, b) on; then `after`. */
static void choose_pairs(struct builder *b, enum pair kind, int x, int y, void (*after)(struct builder *)) {
  struct candidate *c = &b->candidate;
  for (; x < c->count; x++, y = x + 1)
    for (; y < c->count; y++) {
      if (pair_of(c, x, y) != kind) continue;
      bool(*of)[MAX_EVENTS] = kind == PAIR_WRITES ? c->order : c->fences;
      for (int way = kind == PAIR_FENCES; way < 3 && !b->stopped; way++) {
        of[x][y] = way == 1;
        of[y][x] = way == 2;
        choose_pairs(b, kind, x, y + 1, after);
      }
      of[x][y] = of[y][x] = false;
      return;
    }
  after(b);
}

static void end_partial(struct builder *b) {
  struct candidate *c = &b->candidate;
  if (is_transitive(c)) b->stopped = !b->each(b->context, c);
}

static void choose_writes(struct builder *b) {
  choose_pairs(b, PAIR_WRITES, 0, 1, end_partial);
}

static void choose_free_fences(struct builder *b) {
  b->candidate.group++;
  if (fences_acyclic(&b->candidate)) choose_pairs(b, PAIR_FREE_FENCES, 0, 1, choose_writes);
}

static void start_partial(struct builder *b) {
  struct candidate *c = &b->candidate;
  memset(c->order, 0, sizeof c->order);
  memset(c->fences, 0, sizeof c->fences);
  c->co_chosen = true;
  for (int a = 0; a < c->count; a++)
    for (int d = 0; d < c->count; d++)
      c->order[a][d] = c->events[a].kind == KIND_WRITE && c->events[a].thread < 0 && is_free_write(&c->events[d]) &&
                       c->events[a].location == c->events[d].location;
  choose_pairs(b, PAIR_FENCES, 0, 1, choose_free_fences);
}

static void start_order(struct builder *b) {
  b->candidate.group++;
  if (b->candidate.program->partial_coherence)
    start_partial(b);
  else
    start_co(b);
}

/* ---- control barriers ---- */

static bool same_group(const struct candidate *c, int a, int b) {
  const struct naive_event *x = &c->events[a], *y = &c->events[b];
  return x->kind == KIND_MEET && y->kind == KIND_MEET && x->meeting == y->meeting &&
         x->has_resource == y->has_resource && x->resource == y->resource &&
         c->program->threads[x->thread].wg == c->program->threads[y->thread].wg;
}

bool naive_meet(const struct candidate *c, int a, int b) {
  return same_group(c, a, b) && !c->events[b].arrive;
}

/* Has the barrier instruction been executed at an event that `passed` allows to
 * be reached: is nothing before it in its thread held up? */
static bool is_reached(const struct candidate *c, const bool *passed, int e) {
  for (int before = c->events[e].first; before < e; before++)
    if (c->events[before].kind == KIND_MEET && !passed[before]) return false;
  return true;
}

/* Has what the text asks for been reached?  All constants: see generate_gpu.c. */
static bool text_reached(const struct candidate *c, const bool *passed, int e, int thread, int instr) {
  const struct instr *i = &c->program->threads[thread].instrs[instr];
  const struct naive_event *event = &c->events[e];
  if (i->kind != INSTR_MEET || i->barrier_label != event->meeting) return true;
  if (!i->resource != !event->has_resource) return true;
  if (i->resource && i->resource->kind == EXPR_CONST && i->resource->value != event->resource) return true;
  for (int d = 0; d < c->count; d++)
    if (c->events[d].thread == thread && c->events[d].instr == instr) return is_reached(c, passed, d);
  return false;
}

static bool may_pass(const struct candidate *c, const bool *passed, int e) {
  const struct naive_event *event = &c->events[e];
  if (!is_reached(c, passed, e)) return false;
  if (event->has_quorum) {
    int64_t count = 0;
    for (int d = 0; d < c->count; d++) count += same_group(c, e, d) && is_reached(c, passed, d);
    return count >= event->quorum;
  }
  for (unsigned t = 0; t < c->program->thread_count; t++)
    for (unsigned i = 0; i < c->program->threads[t].instr_count; i++)
      if (c->program->threads[t].wg == c->program->threads[event->thread].wg &&
          !text_reached(c, passed, e, (int)t, (int)i))
        return false;
  return true;
}

/* Do all threads get past all their barriers? */
static bool all_pass(const struct candidate *c) {
  bool passed[MAX_EVENTS] = {0};
  for (bool moved = true; moved;) {
    moved = false;
    for (int e = 0; e < c->count; e++)
      if (c->events[e].kind == KIND_MEET && !passed[e] && may_pass(c, passed, e)) moved = passed[e] = true;
  }
  for (int e = 0; e < c->count; e++)
    if (c->events[e].kind == KIND_MEET && !passed[e]) return false;
  return true;
}

/* Enough of every group synchronise. */
static bool quorums_met(const struct candidate *c) {
  for (int e = 0; e < c->count; e++) {
    int64_t count = 0;
    for (int d = 0; d < c->count; d++) count += same_group(c, e, d) && c->synchronises[d];
    if (c->events[e].kind == KIND_MEET && c->events[e].has_quorum && count < c->events[e].quorum) return false;
  }
  return true;
}

/* Of barriers with a quorum, any may synchronise or not. */
static void choose_synchronising(struct builder *b, int e) {
  struct candidate *c = &b->candidate;
  while (e < c->count && !(c->events[e].kind == KIND_MEET && c->events[e].has_quorum)) {
    c->synchronises[e] = c->events[e].kind == KIND_MEET;
    e++;
  }
  if (e == c->count) {
    if (quorums_met(c)) start_order(b);
    return;
  }
  for (int way = 0; way < 2 && !b->stopped; way++) {
    c->synchronises[e] = way;
    choose_synchronising(b, e + 1);
  }
}

/* ---- rf: all writes of the value read ---- */

/* Does the read-modify-write come to the write only when it has read?  Of one operation no model is asked: it reads
 * what comes before its own write (C++20 [atomics.order] 10, PTX ISA 8.10.3). */
static bool is_own_write(const struct candidate *c, int read, int w) {
  return c->events[read].rmw_read && w == read + 1;
}

static void choose_rf(struct builder *b, int read) {
  struct candidate *c = &b->candidate;
  while (read < c->count && c->events[read].kind != KIND_READ) read++;
  if (read == c->count) {
    c->thin_air = has_thin_air(c);
    if (!c->thin_air || c->program->free_values) choose_synchronising(b, 0);
    return;
  }
  for (int w = 0; w < c->count && !b->stopped; w++) {
    if (c->events[w].kind != KIND_WRITE || c->events[w].location != c->events[read].location ||
        c->events[w].value != c->events[read].value || is_own_write(c, read, w))
      continue;
    c->source[read] = w;
    choose_rf(b, read + 1);
  }
}

/* ---- runs ---- */

static void choose_runs(struct builder *b, unsigned thread) {
  struct candidate *c = &b->candidate;
  if (thread == c->program->thread_count) {
    b->stopped |= ++b->choices > MAX_CHOICES;
    if (!b->stopped && all_pass(c)) choose_rf(b, 0);
    return;
  }
  int first = c->count;
  for (size_t i = 0; i < b->runs[thread].count && !b->stopped; i++) {
    const struct run *run = b->runs[thread].at[i];
    if (first + run->count > MAX_EVENTS) continue;
    b->chosen[thread] = run;
    memcpy(&c->events[first], run->events, (size_t)run->count * sizeof *run->events);
    c->count = first + run->count;
    for (int e = first; e < c->count; e++) c->events[e].first = first;
    choose_runs(b, thread + 1);
  }
  c->count = first;
}

bool naive_candidates(struct arena *arena, const struct program *program, const run_list *runs, bool with_co,
                      bool (*each)(void *context, const struct candidate *candidate), void *context) {
  struct builder *b = ARENA_NEW(arena, struct builder);
  b->candidate.program = program;
  b->candidate.runs = b->chosen;
  b->runs = runs;
  b->with_co = with_co;
  b->each = each;
  b->context = context;
  for (unsigned l = 0; l < program->location_count; l++) {
    if (program_physical(program, l) != l) continue;
    struct naive_event *e = &b->candidate.events[b->candidate.count++];
    e->kind = KIND_WRITE;
    e->thread = -1;
    e->location = (int)l;
    e->value = program->locations[l].init;
    e->regions = program->locations[l].region;
    e->label = -1;
    e->name = (int)l;
  }
  choose_runs(b, 0);
  return !b->stopped;
}
