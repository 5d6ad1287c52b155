/* SPDX-License-Identifier: MIT */
/* A calendar of events: the earliest first, those of one time by a number that
 * their sender gives, so that a simulation's order is fixed by its text alone.
 *
 * Most events of these machines are less than a thousand cycles ahead: those lie
 * in a list for each cycle, and a bit for each says which are not empty; later ones
 * are kept in a heap.  The events of the cycle under way are sorted once, when it
 * begins (after Brown, "Calendar queues", Communications of the ACM, 1988).
 *
 * Actors that have nothing to say but that it is their turn are marks: bits of a set for each
 * cycle, which are taken after its events.
 */
#ifndef LITSCOPE_HWSEM_TIMING_CALENDAR_QUEUE_H
#define LITSCOPE_HWSEM_TIMING_CALENDAR_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"

struct event {
  int64_t time;
  uint64_t order; /* among those of one time: the lowest first */
  void *payload;  /* the sender's own, as is the note; no part of the order */
  int note;
};

enum { EVENT_CYCLES = 1024 }; /* a power of two */

/* An event of a cycle, without its time. */
struct event_node {
  uint64_t order;
  void *payload;
  int note;
  struct event_node *next;
};

enum { EVENT_ACTORS = 32 }; /* that may have marks, from 0 on */

struct event_queue {
  struct arena *arena;
  int64_t now; /* the time of the last event taken */
  struct event_list {
    struct event *at;
    size_t count, room;
  } late;                     /* a heap of those further ahead */
  struct event_node *current; /* of this time, in order */
  uint32_t actors;            /* marks of this time */
  struct event_node *cycle[EVENT_CYCLES], *free_nodes;
  uint32_t marks[EVENT_CYCLES];
  uint64_t used[EVENT_CYCLES / 64];
};

/* When the first event or mark happens; INT64_MAX: there is none. */
int64_t event_queue_time(const struct event_queue *queue);

/* `event->time` is not before that of the last event taken. */
static inline void event_queue_push(struct event_queue *queue, const struct event *event);

/* It is an actor's turn at `time`, which is not before that of the last event taken.  Marks of one
 * actor and time are one. */
static inline void event_queue_mark(struct event_queue *queue, int64_t time, unsigned actor);

/* Unless there are some left for `now`, the events and marks of the next time that has some become
 * those of now; false when there are none at all. */
static inline bool event_queue_begin(struct event_queue *queue);

/* The first event of `now`, which is no longer in the queue; NULL when there is none.  Given back to
 * event_node_free once it has happened. */
static inline struct event_node *event_queue_take(struct event_queue *queue);
static inline void event_node_free(struct event_queue *queue, struct event_node *node);

/* The first actor with a mark for `now`, which it has no longer; there is one (`actors`). */
static inline unsigned event_queue_actor(struct event_queue *queue);

/* ---- inline: a simulation does little else per event ---- */

/* An event of this cycle, or one that is far ahead; a mark that is. */
void event_queue_push_odd(struct event_queue *queue, const struct event *event);
void event_queue_mark_odd(struct event_queue *queue, int64_t time, unsigned actor);

/* For event_queue_begin: a cycle with several events, or one that is not among the next few. */
void event_queue_sort(struct event_queue *queue, struct event_node *list);
bool event_queue_begin_odd(struct event_queue *queue);

static inline struct event_node *event_node_new(struct event_queue *queue, const struct event *event) {
  struct event_node *node = queue->free_nodes;
  if (node)
    queue->free_nodes = node->next;
  else
    node = ARENA_NEW(queue->arena, struct event_node);
  node->order = event->order;
  node->payload = event->payload;
  node->note = event->note;
  return node;
}

static inline void event_node_free(struct event_queue *queue, struct event_node *node) {
  node->next = queue->free_nodes;
  queue->free_nodes = node;
}

/* Is it neither of this cycle nor far ahead? */
static inline bool event_is_near(const struct event_queue *queue, int64_t time) {
  return (uint64_t)(time - queue->now) - 1 < EVENT_CYCLES - 1;
}

static inline void event_queue_push(struct event_queue *queue, const struct event *event) {
  if (!event_is_near(queue, event->time)) {
    event_queue_push_odd(queue, event);
    return;
  }
  struct event_node *node = event_node_new(queue, event);
  size_t slot = (size_t)event->time % EVENT_CYCLES;
  node->next = queue->cycle[slot];
  queue->cycle[slot] = node;
  queue->used[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline void event_queue_mark(struct event_queue *queue, int64_t time, unsigned actor) {
  if (!event_is_near(queue, time)) {
    event_queue_mark_odd(queue, time, actor);
    return;
  }
  size_t slot = (size_t)time % EVENT_CYCLES;
  queue->marks[slot] |= (uint32_t)1 << actor;
  queue->used[slot / 64] |= UINT64_C(1) << slot % 64;
}

/* The events and marks of a cycle, without what the heap has for it. */
static inline void event_queue_open(struct event_queue *queue, int64_t time) {
  size_t slot = (size_t)time % EVENT_CYCLES;
  struct event_node *list = queue->cycle[slot];
  queue->now = time;
  queue->actors = queue->marks[slot];
  queue->marks[slot] = 0;
  queue->used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  if (!list) return;
  queue->cycle[slot] = NULL;
  if (list->next)
    event_queue_sort(queue, list);
  else
    queue->current = list;
}

static inline bool event_queue_begin(struct event_queue *queue) {
  size_t slot = (size_t)(queue->now + 1) % EVENT_CYCLES;
  uint64_t word = queue->used[slot / 64] >> slot % 64;
  if (queue->current || queue->actors) return true;
  if (!word || queue->late.count) return event_queue_begin_odd(queue);
  event_queue_open(queue, queue->now + 1 + __builtin_ctzll(word));
  return true;
}

static inline struct event_node *event_queue_take(struct event_queue *queue) {
  struct event_node *node = queue->current;
  if (node) queue->current = node->next;
  return node;
}

static inline unsigned event_queue_actor(struct event_queue *queue) {
  unsigned actor = (unsigned)__builtin_ctz(queue->actors);
  queue->actors &= queue->actors - 1;
  return actor;
}

#endif
