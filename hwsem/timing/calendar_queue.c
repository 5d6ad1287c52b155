/* SPDX-License-Identifier: MIT */
/* A calendar queue with one cycle in each of its lists. */
#include "hwsem/timing/calendar_queue.h"

#include <assert.h>

#include "checker/base/vec.h"

/* ---- events that are far ahead: a binary heap ---- */

static bool before(const struct event *a, const struct event *b) {
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void push_late(struct event_queue *queue, const struct event *event) {
  struct event_list *late = &queue->late;
  vec_reserve(queue->arena, (void **)&late->at, &late->room, late->count + 1, sizeof *late->at);
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

/* ---- events of this cycle: a list, sorted when the cycle begins ---- */

enum { SHORT = 16, HALVES = 32 }; /* a list up to SHORT is sorted by insertion; halves of halves of any list */

static void insert(struct event_queue *queue, struct event_node *node) {
  struct event_node **at = &queue->current;
  while (*at && (*at)->order < node->order) at = &(*at)->next;
  node->next = *at;
  *at = node;
}

static struct event_node *merge(struct event_node *a, struct event_node *b) {
  struct event_node *first = NULL, **end = &first;
  while (a && b) {
    struct event_node **least = a->order <= b->order ? &a : &b;
    *end = *least;
    end = &(*end)->next;
    *least = *end;
  }
  *end = a ? a : b;
  return first;
}

/* Sorted lists of 1, 2, 4, ... nodes are merged as soon as there are two of a length. */
static struct event_node *sort(struct event_node *list) {
  struct event_node *sorted[HALVES] = {NULL}, *all = NULL;
  while (list) {
    struct event_node *one = list;
    list = list->next;
    one->next = NULL;
    int i = 0;
    for (; sorted[i]; sorted[i++] = NULL) one = merge(sorted[i], one);
    sorted[i] = one;
  }
  for (int i = 0; i < HALVES; i++)
    if (sorted[i]) all = merge(sorted[i], all);
  return all;
}

/* ---- marks that are far ahead: in the heap, after the events of their time ---- */

static const uint64_t FIRST_MARK = UINT64_MAX - EVENT_ACTORS; /* no event's order is as high */

void event_queue_mark_odd(struct event_queue *queue, int64_t time, unsigned actor) {
  assert(time >= queue->now);
  if (time == queue->now)
    queue->actors |= (uint32_t)1 << actor;
  else
    push_late(queue, &(struct event){.time = time, .order = FIRST_MARK + actor});
}

/* ---- a cycle begins ---- */

/* What is in the heap for this time. */
static void take_late(struct event_queue *queue) {
  while (queue->late.count && queue->late.at[0].time == queue->now) {
    struct event event = pop_late(&queue->late);
    if (event.order >= FIRST_MARK)
      queue->actors |= (uint32_t)1 << (event.order - FIRST_MARK);
    else
      insert(queue, event_node_new(queue, &event));
  }
}

void event_queue_sort(struct event_queue *queue, struct event_node *list) {
  for (size_t length = 0; list && length < SHORT; length++) {
    struct event_node *node = list;
    list = list->next;
    insert(queue, node);
  }
  if (list) queue->current = merge(queue->current, sort(list));
}

/* ---- the queue ---- */

/* The first cycle after this one whose list is not empty. */
static int64_t next_cycle(const struct event_queue *queue) {
  enum { WORDS = EVENT_CYCLES / 64 };
  size_t slot = (size_t)(queue->now + 1) % EVENT_CYCLES, at = slot / 64;
  uint64_t word = queue->used[at] >> slot % 64;
  if (word) return queue->now + 1 + __builtin_ctzll(word);
  for (size_t i = 1; i <= WORDS; i++) {
    at = (slot / 64 + i) % WORDS;
    if (!queue->used[at]) continue;
    size_t found = at * 64 + (size_t)__builtin_ctzll(queue->used[at]);
    return queue->now + 1 + (int64_t)((found - slot) % EVENT_CYCLES);
  }
  return INT64_MAX;
}

int64_t event_queue_time(const struct event_queue *queue) {
  if (queue->current || queue->actors) return queue->now;
  int64_t near = next_cycle(queue), late = queue->late.count ? queue->late.at[0].time : INT64_MAX;
  return near < late ? near : late;
}

void event_queue_push_odd(struct event_queue *queue, const struct event *event) {
  assert(event->time >= queue->now);
  if (event->time == queue->now)
    insert(queue, event_node_new(queue, event));
  else
    push_late(queue, event);
}

bool event_queue_begin_odd(struct event_queue *queue) {
  int64_t time = event_queue_time(queue);
  if (time == INT64_MAX) return false;
  event_queue_open(queue, time);
  take_late(queue);
  return true;
}
