/* SPDX-License-Identifier: MIT */
/* Control barriers of one event.  Those of a work-group that have one name and value
 * (their resource) are a group.  A thread passes its barrier when as many of the group
 * have been reached as its quorum says; without one, when each has that stands in the
 * text of its work-group's threads, those in branches not taken too.  One that only
 * arrives goes on at once, and must find the others there in the end.
 *
 * With a quorum, which barriers of the group synchronise is a choice, of at least so many.
 */
#include "checker/certify/certify.h"

static bool same_work_group(const struct state *s, unsigned t, unsigned u) {
  return s->program->threads[t].place[1] == s->program->threads[u].place[1];
}

/* A barrier's resource or quorum, if it is known; 0 where there is none. */
static bool value_at(const struct state *s, unsigned e, const struct expr *of, int64_t *value) {
  *value = 0;
  return !of || known_value(s, (unsigned)s->events[e].thread, of, value);
}

enum answer meets(const struct state *s, unsigned a, unsigned b) {
  const struct event *x = s->events[a].of, *y = s->events[b].of;
  int64_t m, n;
  if (!x || !y || !x->meets || !y->meets || x->meets->label != y->meets->label || !x->resource != !y->resource ||
      !same_work_group(s, (unsigned)s->events[a].thread, (unsigned)s->events[b].thread))
    return NO;
  return !value_at(s, a, x->resource, &m) || !value_at(s, b, y->resource, &n) ? MAYBE : m == n ? YES : NO;
}

bool settle_group(struct state *s, unsigned barrier) {
  mask group = 0;
  int64_t quorum = 0, own, left = 0;
  for (unsigned e = s->init_count; e < s->count; e++) {
    enum answer with = meets(s, barrier, e);
    if (with == YES && s->events[e].of->quorum && value_at(s, e, s->events[e].of->quorum, &own) && own > quorum)
      quorum = own;
    if (with == YES) group |= s->joins.up[e];
    left += with != NO && s->joins.up[e];
  }
  for (; left == quorum && group; group &= group - 1) s->joins.lo[first_bit(group)] = group & -group;
  return left >= quorum;
}

/* Has the thread come to a barrier of the text, as far as that is of the group?  at: by
 * thread, the event at which it stands. */
static bool is_there(const struct state *s, const unsigned *at, unsigned barrier, unsigned t, const struct instr *in) {
  const struct run *r = s->runs[t];
  bool executed = false, wanted = false;
  int64_t value;
  for (unsigned i = 0; i < r->count; i++) {
    if (r->events[i].meets != in) continue;
    executed = true;
    if (meets(s, barrier, s->first[t] + i) != YES) continue;
    if (i <= at[t]) return true;
    wanted = true;
  }
  if (executed) return !wanted;
  value_at(s, barrier, s->events[barrier].of->resource, &value);
  return in->resource && (in->resource->op != E_CONST || in->resource->value != value);
}

static bool passes(const struct state *s, const unsigned *at, unsigned barrier) {
  const struct event *of = s->events[barrier].of;
  int64_t quorum, reached = 0;
  if (of->quorum) {
    for (unsigned e = s->init_count; e < s->count; e++) {
      unsigned t = (unsigned)s->events[e].thread;
      reached += meets(s, barrier, e) == YES && e - s->first[t] <= at[t];
    }
    value_at(s, barrier, of->quorum, &quorum);
    return reached >= quorum;
  }
  for (unsigned t = 0; t < s->program->thread_count; t++)
    for (unsigned i = 0; i < s->program->threads[t].instr_count; i++) {
      const struct instr *in = &s->program->threads[t].instrs[i];
      bool same = in->kind == I_MEET && in->label == of->meets->label && !in->resource == !of->resource;
      if (same && same_work_group(s, (unsigned)s->events[barrier].thread, t) && !is_there(s, at, barrier, t, in))
        return false;
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
  int64_t value;
  for (unsigned t = 0; t < count; t++) at[t] = next_barrier(s->runs[t], 0);
  for (unsigned e = s->init_count; e < s->count; e++)
    if (!value_at(s, e, s->events[e].of->resource, &value) || !value_at(s, e, s->events[e].of->quorum, &value))
      return true;
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned t = 0; t < count; t++) {
      const struct run *r = s->runs[t];
      if (at[t] == r->count) continue;
      if (!r->events[at[t]].meets->arrives && !passes(s, at, s->first[t] + at[t])) continue;
      at[t] = next_barrier(r, at[t] + 1);
      moved = true;
    }
  }
  for (unsigned t = 0; t < count; t++) {
    if (at[t] < s->runs[t]->count) return false;
    for (unsigned i = 0; i < s->runs[t]->count; i++) {
      const struct instr *in = s->runs[t]->events[i].meets;
      if (in && in->arrives && !passes(s, at, s->first[t] + i)) return false;
    }
  }
  return true;
}
