/* SPDX-License-Identifier: MIT */
/* Paths say which failed rounds follow one another (idle_iterations.h); what their reads
 * see is looked up here, as soon as it is decided. */
#include "checker/exec/loops/spin_repeats.h"

enum { UNDECIDED = -1 };

static bool releases_before(const struct structure *s, unsigned write) {
  const struct event *event = &s->events[write];
  for (unsigned i = s->offset[event->thread]; i < write; i++) {
    const struct event *fence = &s->events[i];
    if (fence->kind == EVENT_FENCE && (order_releases(fence->order) || fence->barrier_entry)) return true;
  }
  return order_releases(event->order);
}

/* The write half of a read-modify-write that leaves all as it was: 1 if it is, 0
 * if not, UNDECIDED. */
static int keeps_value(const struct frames *all, const struct frame *f, unsigned write) {
  const struct structure *s = all->structure;
  if (all->partial || !s->events[write].rmw || s->events[write].thread < 0 || releases_before(s, write)) return 0;
  if (!f->known[write] || !f->known[write - 1]) return UNDECIDED;
  return f->value[write] == f->value[write - 1];
}

/* What a read sees, past stores that keep the value. */
static int origin(const struct frames *all, const struct frame *f, unsigned read) {
  for (unsigned steps = 0; steps < all->shape.n; steps++) {
    if (!frame_decided(all, f, read)) return UNDECIDED;
    unsigned write = frame_source(all, f, read);
    int kept = keeps_value(all, f, write);
    if (kept <= 0) return kept ? UNDECIDED : (int)write;
    read = write - 1; /* its read half */
  }
  return UNDECIDED;
}

static bool sees_the_same(const struct frames *all, const struct frame *f, unsigned a, unsigned b, bool very) {
  if (very)
    return frame_decided(all, f, a) && frame_decided(all, f, b) && frame_source(all, f, a) == frame_source(all, f, b);
  int from = origin(all, f, a);
  return from != UNDECIDED && from == origin(all, f, b);
}

static bool repeats(const struct frames *all, const struct frame *f, unsigned offset, const struct repeat *repeat) {
  const struct event *events = all->structure->events;
  for (unsigned i = 0; i < repeat->count; i++) {
    unsigned a = offset + repeat->before + i, b = offset + repeat->after + i;
    if (events[b].kind == EVENT_READ && !sees_the_same(all, f, a, b, repeat->counted)) return false;
    if (events[b].kind == EVENT_WRITE && (keeps_value(all, f, a) != 1 || keeps_value(all, f, b) != 1)) return false;
  }
  return true;
}

bool spin_repeats(const struct frames *all, const struct frame *f) {
  const struct structure *s = all->structure;
  for (unsigned t = 0; t < s->execution.program->thread_count; t++)
    for (unsigned i = 0; i < s->paths[t]->repeat_count; i++)
      if (repeats(all, f, s->offset[t], &s->paths[t]->repeats[i])) return true;
  return false;
}
