/* SPDX-License-Identifier: MIT */
/* Handing out divided work: every part once, again where a rank is slow or gone. */

#include "checker/base/part_dispatcher.h"
#include "tests/unit/unit.h"

enum { PARTS = 1000 };

struct table {
  struct arena *arena;
  struct parts *parts;
  struct part_dispatcher *dispatcher;
};

static struct table lay(unsigned ranks) {
  struct table t = {.arena = arena_new()};
  struct diags diags = diags_new(t.arena);
  const struct parts_division division = {.version = "1", .command = "test", .files = ""};
  t.parts = parts_open(t.arena, &division, &diags);
  t.dispatcher = part_dispatcher_new(t.parts, ranks);
  return t;
}

static void clear(struct table *t) {
  struct diags diags = diags_new(t->arena);
  part_dispatcher_free(t->dispatcher);
  parts_close(t->parts, &diags);
  arena_free(t->arena);
}

static void finish(struct table *t, unsigned rank, uint64_t part) {
  parts_hand_in_here(t->parts, part, "x", false);
  part_dispatcher_done(t->dispatcher, rank, part);
}

/* Each rank at its speed: each part is handed out once, hands grow and shrink again, and the
 * fast rank does more. */
TEST(deals_by_speed) {
  struct table t = lay(3);
  static const double COST[] = {0.002, 0.01, 0.04}; /* seconds a part */
  double free_at[3] = {0};
  size_t most = 0, last = 0;
  char seen[PARTS] = {0};
  parts_set_total_here(t.parts, PARTS);
  while (!part_dispatcher_is_over(t.dispatcher)) {
    unsigned rank = free_at[0] <= free_at[1] && free_at[0] <= free_at[2] ? 0 : free_at[1] <= free_at[2] ? 1 : 2;
    uint64_t hand[DISPATCH_MOST];
    size_t count = part_dispatcher_take(t.dispatcher, rank, free_at[rank], hand, DISPATCH_MOST);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
      assert_true(hand[i] < PARTS && !seen[hand[i]]);
      seen[hand[i]] = 1;
      finish(&t, rank, hand[i]);
    }
    free_at[rank] += (double)count * COST[rank] + 0.0001;
    most = count > most ? count : most;
    last = count;
  }
  assert_true(most > 20);
  assert_int_equal(last, 1);
  assert_true(part_dispatcher_count(t.dispatcher, 0) > 3 * part_dispatcher_count(t.dispatcher, 1));
  assert_true(part_dispatcher_count(t.dispatcher, 1) > 2 * part_dispatcher_count(t.dispatcher, 2));
  assert_int_equal(part_dispatcher_count(t.dispatcher, 0) + part_dispatcher_count(t.dispatcher, 1) +
                       part_dispatcher_count(t.dispatcher, 2),
                   PARTS);
  clear(&t);
}

/* What a rank does not bring back is handed out again after a while; to each other rank, and
 * less and less often. */
TEST(deals_again) {
  struct table t = lay(3);
  uint64_t part;
  parts_set_total_here(t.parts, 1);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 1, 0, &part, 1), 1);
  assert_int_equal(part, 0);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 0, 1, &part, 1), 0);
  assert_false(part_dispatcher_is_over(t.dispatcher));
  assert_int_equal(part_dispatcher_take(t.dispatcher, 1, 3, &part, 1), 0); /* it has it already */
  assert_int_equal(part_dispatcher_take(t.dispatcher, 0, 3, &part, 1), 1);
  assert_int_equal(part, 0);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 2, 6, &part, 1), 0);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 2, 7.5, &part, 1), 1);
  finish(&t, 0, 0);
  finish(&t, 1, 0);
  assert_true(part_dispatcher_is_over(t.dispatcher));
  assert_int_equal(part_dispatcher_count(t.dispatcher, 0), 1);
  assert_int_equal(part_dispatcher_count(t.dispatcher, 1), 0);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 2, 100, &part, 1), 0);
  clear(&t);
}

/* A rank that leaves gives back at once what it has. */
TEST(deals_what_is_left) {
  struct table t = lay(2);
  uint64_t part;
  assert_int_equal(part_dispatcher_take(t.dispatcher, 1, 0, &part, 1), 1);
  assert_int_equal(part, 0);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 1, 0, &part, 1), 1);
  assert_int_equal(part, 1); /* which turns out to be none */
  parts_set_total_here(t.parts, 1);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 0, 0.01, &part, 1), 0);
  part_dispatcher_leave(t.dispatcher, 1);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 0, 0.02, &part, 1), 1);
  assert_int_equal(part, 0);
  assert_int_equal(part_dispatcher_take(t.dispatcher, 0, 0.03, &part, 1), 0);
  finish(&t, 0, 0);
  assert_true(part_dispatcher_is_over(t.dispatcher));
  clear(&t);
}
