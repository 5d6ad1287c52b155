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

/* An event of a cycle, without its time. */
struct event_node {
  uint64_t order;
  void *subject;
  int note;
  struct event_node *next;
};

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

/* When the first event happens; INT64_MAX: there is none. */
int64_t event_queue_time(const struct event_queue *queue);

/* `event->time` is not before that of the last event taken. */
static inline void event_queue_push(struct event_queue *queue, const struct event *event);

/* Takes the first event; false when there is none. */
static inline bool event_queue_pop(struct event_queue *queue, struct event *event);

/* ---- inline: a simulation does little else per event ---- */

/* An event of this cycle, or one that is far ahead. */
void event_queue_push_odd(struct event_queue *queue, const struct event *event);

/* The events of the next cycle that has some become those of this one; false when there are none. */
bool event_queue_begin(struct event_queue *queue);

static inline struct event_node *event_node_new(struct event_queue *queue, const struct event *event) {
  struct event_node *node = queue->spare;
  if (node)
    queue->spare = node->next;
  else
    node = ARENA_NEW(queue->arena, struct event_node);
  node->order = event->order;
  node->subject = event->subject;
  node->note = event->note;
  return node;
}

static inline void event_queue_push(struct event_queue *queue, const struct event *event) {
  uint64_t ahead = (uint64_t)(event->time - queue->now);
  queue->count++;
  if (ahead - 1 >= EVENT_CYCLES - 1) {
    event_queue_push_odd(queue, event);
    return;
  }
  struct event_node *node = event_node_new(queue, event);
  size_t slot = (size_t)event->time % EVENT_CYCLES;
  node->next = queue->cycle[slot];
  queue->cycle[slot] = node;
  queue->used[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline bool event_queue_pop(struct event_queue *queue, struct event *event) {
  if (!queue->current && !event_queue_begin(queue)) return false;
  struct event_node *node = queue->current;
  queue->count--;
  queue->current = node->next;
  *event = (struct event){queue->now, node->order, node->subject, node->note};
  node->next = queue->spare;
  queue->spare = node;
  return true;
}

#endif
