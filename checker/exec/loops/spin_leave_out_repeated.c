/* SPDX-License-Identifier: MIT */
/* Paths say which failed rounds follow one another (idle_iterations.h); what their reads
 * see is looked up here, as soon as it is decided. */
#include "checker/exec/loops/spin_leave_out_repeated.h"

#include "checker/base/array.h"
#include "checker/cat/print.h"

enum { UNDECIDED = -1 };

/* opencl, opencl-published, opencl-rsp and opencl-rsp-published, for which spin_leave_out_repeated.h speaks of OpenCL;
 * hrf-rsp. */
static const unsigned char DIGESTS[][MD5_SIZE] = {
    {0x99, 0x0a, 0x8e, 0xf4, 0x21, 0x98, 0x7a, 0x12, 0x90, 0x4b, 0x53, 0x40, 0xfd, 0x4a, 0x71, 0xc4},
    {0x9f, 0x56, 0xba, 0xa7, 0x6f, 0xc5, 0xc9, 0xf9, 0x73, 0xb3, 0x3d, 0x3c, 0xd6, 0xa0, 0xe2, 0x53},
    {0x1f, 0xf9, 0x28, 0x2a, 0x2d, 0xc8, 0x4e, 0x82, 0x34, 0x5d, 0x6a, 0xb5, 0x9c, 0xed, 0x9c, 0x19},
    {0x7d, 0x5f, 0x68, 0xad, 0xfa, 0x7e, 0x03, 0xc4, 0x74, 0x5f, 0x7b, 0xd0, 0xe4, 0x7b, 0xfb, 0x6c},
    {0x5a, 0x7b, 0x4f, 0x7e, 0xeb, 0x9f, 0x2d, 0xc6, 0x01, 0x83, 0xed, 0x81, 0xe3, 0x1a, 0x1c, 0x8f},
};

bool spin_repeats_leave_out(const struct cat_model *model) {
  return cat_is_one_of(model, DIGESTS, ARRAY_COUNT(DIGESTS));
}

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
