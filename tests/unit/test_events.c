/* SPDX-License-Identifier: MIT */
/* The calendar gives events in the order of a sorted list. */
#include "hwsem/timing/events.h"
#include "hwsem/timing/splitmix.h"
#include "unit.h"

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
    assert_true(event_queue_pop(&queue, &event));
    assert_int_equal(event.time, list[first].time);
    assert_true(event.order == list[first].order);
    now = event.time;
    list[first] = list[--count];
  }
  assert_false(event_queue_pop(&queue, &event));
  assert_true(event_queue_time(&queue) == INT64_MAX);
  arena_free(arena);
}

static void events_come_in_order(void **state) {
  (void)state;
  compare(1, 3, 40);
  compare(2, 40, 1);
  compare(3, EVENT_CYCLES - 1, 3);
  compare(4, EVENT_CYCLES, 3);
  compare(5, 5 * EVENT_CYCLES, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_come_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
