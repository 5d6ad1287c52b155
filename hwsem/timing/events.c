/* SPDX-License-Identifier: MIT */
/* A binary heap of events. Those of one time have an order too (kind, places,
 * line), so that runs can be repeated. */
#include "hwsem/timing/events.h"

#include "checker/base/vec.h"

static bool before(const struct event *a, const struct event *b) {
  if (a->time != b->time) return a->time < b->time;
  if (a->kind != b->kind) return a->kind < b->kind;
  if (a->destination != b->destination) return a->destination < b->destination;
  if (a->source != b->source) return a->source < b->source;
  return a->line < b->line;
}

void event_queue_push(struct event_queue *queue, struct event event) {
  vec_reserve(queue->arena, (void **)&queue->at, &queue->room, queue->count + 1, sizeof *queue->at);
  size_t hole = queue->count++;
  for (; hole > 0 && before(&event, &queue->at[(hole - 1) / 2]); hole = (hole - 1) / 2)
    queue->at[hole] = queue->at[(hole - 1) / 2];
  queue->at[hole] = event;
}

bool event_queue_pop(struct event_queue *queue, struct event *event) {
  if (queue->count == 0) return false;
  *event = queue->at[0];
  struct event last = queue->at[--queue->count];
  size_t hole = 0;
  for (size_t child; (child = 2 * hole + 1) < queue->count; hole = child) {
    if (child + 1 < queue->count && before(&queue->at[child + 1], &queue->at[child])) child++;
    if (!before(&queue->at[child], &last)) break;
    queue->at[hole] = queue->at[child];
  }
  queue->at[hole] = last;
  return true;
}
