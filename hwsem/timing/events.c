/* SPDX-License-Identifier: MIT */
/* A calendar queue with one cycle in each of its lists. */
#include "hwsem/timing/events.h"

#include <assert.h>
#include <stdlib.h>

#include "checker/base/vec.h"

enum { SHORT = 24 }; /* a list up to this length is sorted by insertion */

struct event_node {
  struct event event;
  struct event_node *next;
};

/* ---- events that are far ahead: a binary heap ---- */

static bool before(const struct event *a, const struct event *b) {
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void reserve(struct event_queue *queue, struct event_list *list) {
  vec_reserve(queue->arena, (void **)&list->at, &list->room, list->count + 1, sizeof *list->at);
}

static void push_late(struct event_queue *queue, const struct event *event) {
  struct event_list *late = &queue->late;
  reserve(queue, late);
  size_t hole = late->count++;
  for (; hole > 0 && before(event, &late->at[(hole - 1) / 2]); hole = (hole - 1) / 2)
    late->at[hole] = late->at[(hole - 1) / 2];
  late->at[hole] = *event;
}

static struct event pop_late(struct event_list *late) {
  struct event first = late->at[0], last = late->at[--late->count];
  size_t hole = 0;
  for (size_t child; (child = 2 * hole + 1) < late->count; hole = child) {
    if (child + 1 < late->count && before(&late->at[child + 1], &late->at[child])) child++;
    if (!before(&late->at[child], &last)) break;
    late->at[hole] = late->at[child];
  }
  late->at[hole] = last;
  return first;
}

/* ---- events of this cycle: sorted, the first at the end ---- */

static void insert(struct event_queue *queue, const struct event *event) {
  struct event_list *current = &queue->current;
  reserve(queue, current);
  size_t i = current->count++;
  for (; i > 0 && current->at[i - 1].order < event->order; i--) current->at[i] = current->at[i - 1];
  current->at[i] = *event;
}

static int descend(const void *a, const void *b) {
  uint64_t s = ((const struct event *)a)->order, t = ((const struct event *)b)->order;
  return (s < t) - (s > t);
}

/* All of a cycle's events, from its list and from the heap. */
static void begin(struct event_queue *queue, int64_t time) {
  size_t slot = (size_t)time % EVENT_CYCLES;
  size_t length = 0;
  struct event_node *last = NULL;
  queue->now = time;
  for (struct event_node *node = queue->cycle[slot]; node; last = node, node = node->next) {
    if (++length <= SHORT) {
      insert(queue, &node->event);
    } else {
      reserve(queue, &queue->current);
      queue->current.at[queue->current.count++] = node->event;
    }
  }
  if (last) {
    last->next = queue->spare;
    queue->spare = queue->cycle[slot];
    queue->cycle[slot] = NULL;
    queue->used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  }
  if (length > SHORT) qsort(queue->current.at, queue->current.count, sizeof *queue->current.at, descend);
  while (queue->late.count && queue->late.at[0].time == time) {
    struct event event = pop_late(&queue->late);
    insert(queue, &event);
  }
}

/* ---- the queue ---- */

/* The first cycle after this one whose list is not empty. */
static int64_t next_cycle(const struct event_queue *queue) {
  enum { WORDS = EVENT_CYCLES / 64 };
  size_t slot = (size_t)(queue->now + 1) % EVENT_CYCLES;
  uint64_t word = queue->used[slot / 64] & ~UINT64_C(0) << slot % 64;
  for (size_t i = 0; i <= WORDS; i++) {
    size_t at = (slot / 64 + i) % WORDS;
    if (i) word = queue->used[at];
    if (!word) continue;
    size_t found = at * 64 + (size_t)__builtin_ctzll(word);
    return queue->now + 1 + (int64_t)((found - slot) % EVENT_CYCLES);
  }
  return INT64_MAX;
}

int64_t event_queue_time(const struct event_queue *queue) {
  if (queue->current.count) return queue->now;
  if (!queue->count) return INT64_MAX;
  int64_t near = next_cycle(queue), late = queue->late.count ? queue->late.at[0].time : INT64_MAX;
  return near < late ? near : late;
}

void event_queue_push(struct event_queue *queue, struct event event) {
  assert(event.time >= queue->now);
  queue->count++;
  if (event.time == queue->now) {
    insert(queue, &event);
    return;
  }
  if (event.time - queue->now >= EVENT_CYCLES) {
    push_late(queue, &event);
    return;
  }
  size_t slot = (size_t)event.time % EVENT_CYCLES;
  struct event_node *node = queue->spare;
  if (node)
    queue->spare = node->next;
  else
    node = ARENA_NEW(queue->arena, struct event_node);
  *node = (struct event_node){event, queue->cycle[slot]};
  queue->cycle[slot] = node;
  queue->used[slot / 64] |= UINT64_C(1) << slot % 64;
}

bool event_queue_pop(struct event_queue *queue, struct event *event) {
  if (queue->count == 0) return false;
  if (!queue->current.count) begin(queue, event_queue_time(queue));
  queue->count--;
  *event = queue->current.at[--queue->current.count];
  return true;
}
