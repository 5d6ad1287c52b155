/* SPDX-License-Identifier: MIT */
/* Control barriers of one event.  A thread passes its barrier when each one of the
 * group that stands in the text of its work-group's threads has been reached, those
 * in branches not taken too; one that only arrives goes on at once, and must find
 * the others there in the end.
 */
#include "checker/certify/certify.h"

static bool same_group(const struct instr *a, const struct instr *b) {
  return b->kind == I_MEET && a->label == b->label && a->has_resource == b->has_resource && a->resource == b->resource;
}

static bool same_work_group(const struct state *s, unsigned t, unsigned u) {
  return s->program->threads[t].place[1] == s->program->threads[u].place[1];
}

bool meets(const struct state *s, unsigned a, unsigned b) {
  const struct event *x = s->events[a].of, *y = s->events[b].of;
  return x && y && x->meets && y->meets && same_group(x->meets, y->meets) &&
         same_work_group(s, (unsigned)s->events[a].thread, (unsigned)s->events[b].thread);
}

/* Has the thread come to a barrier of the text?  `at`: the event at which it stands. */
static bool is_reached(const struct run *r, unsigned at, const struct instr *in) {
  for (unsigned i = 0; i < r->count && i <= at; i++)
    if (r->events[i].meets == in) return true;
  return false;
}

static bool passes(const struct state *s, const unsigned *at, unsigned thread, const struct instr *in) {
  for (unsigned t = 0; t < s->program->thread_count; t++)
    for (unsigned i = 0; i < s->program->threads[t].instr_count; i++) {
      const struct instr *other = &s->program->threads[t].instrs[i];
      if (same_work_group(s, thread, t) && same_group(in, other) && !is_reached(s->runs[t], at[t], other)) return false;
    }
  return true;
}

/* The next barrier of a thread from event i on, or its end. */
static unsigned next_barrier(const struct run *r, unsigned i) {
  while (i < r->count && !r->events[i].meets) i++;
  return i;
}

bool all_pass(const struct state *s) {
  unsigned at[MOST_THREADS], count = s->program->thread_count;
  for (unsigned t = 0; t < count; t++) at[t] = next_barrier(s->runs[t], 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned t = 0; t < count; t++) {
      const struct run *r = s->runs[t];
      if (at[t] == r->count) continue;
      const struct instr *in = r->events[at[t]].meets;
      if (!in->arrives && !passes(s, at, t, in)) continue;
      at[t] = next_barrier(r, at[t] + 1);
      moved = true;
    }
  }
  for (unsigned t = 0; t < count; t++) {
    if (at[t] < s->runs[t]->count) return false;
    for (unsigned i = 0; i < s->runs[t]->count; i++) {
      const struct instr *in = s->runs[t]->events[i].meets;
      if (in && in->arrives && !passes(s, at, t, in)) return false;
    }
  }
  return true;
}
