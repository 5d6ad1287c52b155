/* SPDX-License-Identifier: MIT */
/* A priority queue of events: the earliest first, then by kind, destination,
 * source and line, so that a simulation's order is fixed by its text alone. */
#ifndef LITSCOPE_HWSEM_TIMING_EVENTS_H
#define LITSCOPE_HWSEM_TIMING_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"

struct event {
  int64_t time;
  int kind, destination, source;
  int64_t line;
  int note; /* the sender's own; not part of the order */
};

struct event_queue {
  struct arena *arena;
  struct event *at; /* a binary heap */
  size_t count, room;
};

void event_queue_push(struct event_queue *queue, struct event event);

/* Takes the first event; false when there is none. */
bool event_queue_pop(struct event_queue *queue, struct event *event);

#endif
