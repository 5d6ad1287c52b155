/* SPDX-License-Identifier: MIT */
/* The calendar gives events in the order of a sorted list. */
#include "hwsem/timing/calendar_queue.h"
#include "hwsem/timing/splitmix.h"
#include "tests/unit/unit.h"

enum { EVENTS = 4000 };

/* The place of the first of a plain list. */
static size_t first_of(const struct event *list, size_t count) {
  size_t first = 0;
  for (size_t i = 1; i < count; i++)
    if (list[i].time < list[first].time || (list[i].time == list[first].time && list[i].order < list[first].order))
      first = i;
  return first;
}

/* Events up to `ahead` cycles ahead, of which `crowd` come together. */
static void compare(uint64_t seed, int64_t ahead, uint64_t crowd) {
  struct arena *arena = arena_new();
  struct event_queue queue = {.arena = arena};
  struct event *list = ARENA_ARRAY(arena, struct event, EVENTS), event;
  size_t count = 0;
  uint64_t order = 0;
  for (int64_t pushed = 0, now = 0; pushed < EVENTS || count;) {
    if (pushed < EVENTS && (count == 0 || splitmix_next(&seed) % (crowd + 1))) {
      int64_t time = now + (int64_t)(splitmix_next(&seed) % (uint64_t)(ahead + 1));
      event = (struct event){.time = time, .order = splitmix_next(&seed) << 12 | order++};
      event_queue_push(&queue, &event);
      list[count++] = event;
      pushed++;
      continue;
    }
    size_t first = first_of(list, count);
    assert_int_equal(event_queue_time(&queue), list[first].time);
    assert_true(event_queue_begin(&queue));
    struct event_node *taken = event_queue_take(&queue);
    assert_int_equal(queue.now, list[first].time);
    assert_true(taken->order == list[first].order);
    event_node_free(&queue, taken);
    now = queue.now;
    list[first] = list[--count];
  }
  assert_false(event_queue_begin(&queue));
  assert_true(event_queue_time(&queue) == INT64_MAX);
  arena_free(arena);
}

TEST(events_come_in_order) {
  compare(1, 3, 40);
  compare(2, 40, 1);
  compare(3, EVENT_CYCLES - 1, 3);
  compare(4, EVENT_CYCLES, 3);
  compare(5, 5 * EVENT_CYCLES, 2);
}

/* The times of an actor's marks, one of which is the next to be taken. */
static bool is_marked(const int64_t *at, size_t count, int64_t time, unsigned actor) {
  for (size_t i = 0; i < count; i++)
    if (at[i] == (time << 5 | actor)) return true;
  return false;
}

static size_t forget(int64_t *at, size_t count, int64_t mark) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (at[i] != mark) at[kept++] = at[i];
  return kept;
}

static int64_t least(const int64_t *at, size_t count) {
  int64_t first = INT64_MAX;
  for (size_t i = 0; i < count; i++)
    if (at[i] < first) first = at[i];
  return first;
}

/* Marks up to `ahead` cycles ahead, and an event for every fourth: events first, then the lowest actor;
 * marks of one actor and time are one. */
static void compare_marks(uint64_t seed, int64_t ahead) {
  struct arena *arena = arena_new();
  struct event_queue queue = {.arena = arena};
  int64_t *at = ARENA_ARRAY(arena, int64_t, EVENTS);
  size_t count = 0, events = 0;
  for (int64_t made = 0; made < EVENTS || count || events;) {
    uint64_t random = splitmix_next(&seed);
    int64_t time = queue.now + (int64_t)(random % (uint64_t)(ahead + 1));
    if (made < EVENTS && random >> 62) {
      unsigned actor = (unsigned)(random >> 32) % EVENT_ACTORS;
      event_queue_mark(&queue, time, actor);
      if (!is_marked(at, count, time, actor)) at[count++] = time << 5 | actor;
      if (made++ % 4) continue;
      event_queue_push(&queue, &(struct event){.time = time, .order = random});
      events++;
      continue;
    }
    if (!event_queue_begin(&queue)) continue;
    assert_int_equal(event_queue_time(&queue), queue.now);
    struct event_node *node = event_queue_take(&queue);
    if (node) {
      events--;
      event_node_free(&queue, node);
      assert_true(count == 0 || least(at, count) >> 5 >= queue.now);
      continue;
    }
    int64_t mark = queue.now << 5 | event_queue_actor(&queue);
    assert_int_equal(mark, least(at, count));
    count = forget(at, count, mark);
  }
  assert_false(event_queue_begin(&queue));
  arena_free(arena);
}

TEST(marks_come_after_events) {
  compare_marks(1, 3);
  compare_marks(2, 40);
  compare_marks(3, EVENT_CYCLES);
  compare_marks(4, 5 * EVENT_CYCLES);
}
