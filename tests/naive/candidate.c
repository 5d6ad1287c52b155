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

/* ---- rf: all writes of the value read ---- */

static void choose_rf(struct builder *b, int read) {
  struct candidate *c = &b->candidate;
  while (read < c->count && c->events[read].kind != KIND_READ) read++;
  if (read == c->count) {
    if (!has_thin_air(c)) start_co(b);
    return;
  }
  for (int w = 0; w < c->count && !b->stopped; w++) {
    if (c->events[w].kind != KIND_WRITE || c->events[w].location != c->events[read].location ||
        c->events[w].value != c->events[read].value)
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
    if (!b->stopped) choose_rf(b, 0);
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
    struct naive_event *e = &b->candidate.events[b->candidate.count++];
    e->kind = KIND_WRITE;
    e->thread = -1;
    e->location = (int)l;
    e->value = program->locations[l].init;
    e->regions = program->locations[l].region;
    e->label = -1;
  }
  choose_runs(b, 0);
  return !b->stopped;
}
