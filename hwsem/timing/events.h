/* SPDX-License-Identifier: MIT */
/* A calendar of events: the earliest first, those of one time by a number that
 * their sender gives, so that a simulation's order is fixed by its text alone.
 *
 * Most events of these machines are less than a thousand cycles ahead: those lie
 * in a list for each cycle, and a bit for each says which are not empty; later ones
 * are kept in a heap.  The events of the cycle under way are sorted once, when it
 * begins (after Brown, "Calendar queues", Communications of the ACM, 1988).
 */
#ifndef LITSCOPE_HWSEM_TIMING_EVENTS_H
#define LITSCOPE_HWSEM_TIMING_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"

struct event {
  int64_t time;
  uint64_t order; /* among those of one time: the lowest first */
  void *subject;  /* the sender's own, as is the note; no part of the order */
  int note;
};

enum { EVENT_CYCLES = 1024 }; /* a power of two */

struct event_node;

struct event_queue {
  struct arena *arena;
  size_t count;
  int64_t now; /* the time of the last event taken */
  struct event_list {
    struct event *at;
    size_t count, room;
  } late;                     /* a heap of those further ahead */
  struct event_node *current; /* of this time, in order */
  struct event_node *cycle[EVENT_CYCLES], *spare;
  uint64_t used[EVENT_CYCLES / 64];
};

/* `event->time` is not before that of the last event taken. */
void event_queue_push(struct event_queue *queue, const struct event *event);

/* Takes the first event; false when there is none. */
bool event_queue_pop(struct event_queue *queue, struct event *event);

/* When the first event happens; INT64_MAX: there is none. */
int64_t event_queue_time(const struct event_queue *queue);

#endif
