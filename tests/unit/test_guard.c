/* SPDX-License-Identifier: MIT */
/* Running out of memory: back to the guard, with everything freed (the leak
 * checker of the sanitized build watches), and to the caller of litscope.h. */
#include <string.h>

#include "checker/api/litscope.h"
#include "checker/base/arena.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "hwsem/explore.h"
#include "tests/unit/unit.h"

/* More than there is. */
static void exhaust(struct arena *arena) {
  arena_array(arena, (size_t)-1 / 8, 4);
}

static void open_much(void *context) {
  struct arena *arena = arena_new();
  char *block = arena_alloc(arena, 100000);
  memset(block, 1, 100000);
  struct text text = text_new();
  fputs("unfinished", text.out);
  explorer_new();
  *(int *)context = 1;
  exhaust(arena);
  *(int *)context = 2;
}

TEST(test_memory_out_goes_back_to_the_guard) {
  int reached = 0;
  assert_false(guard_run(open_much, &reached));
  assert_int_equal(reached, 1);
}

static void fail_within(void *context) {
  struct arena *arena = arena_new();
  assert_false(guard_run(open_much, context));
  assert_non_null(arena_strdup(arena, "still there"));
  arena_free(arena);
}

TEST(test_guards_nest) {
  int reached = 0;
  assert_true(guard_run(fail_within, &reached));
}

static void leave_open(void *context) {
  *(struct arena **)context = arena_new();
}

static void hand_over(void *context) {
  struct arena *arena;
  assert_true(guard_run(leave_open, &arena));
  *(int *)context = 1;
  exhaust(arena); /* and it is freed with what this guard owns */
}

TEST(test_results_belong_to_the_outer_guard) {
  struct arena *arena;
  assert_true(guard_run(leave_open, &arena));
  assert_non_null(arena_alloc(arena, 10));
  arena_free(arena);
  int reached = 0;
  assert_false(guard_run(hand_over, &reached));
  assert_int_equal(reached, 1);
}

static void *work(void *context, size_t index) {
  (void)context;
  if (index == 5) exhaust(arena_new());
  return arena_new();
}

static bool finish(void *context, size_t index, void *result) {
  arena_free(result);
  *(size_t *)context = index;
  return true;
}

static void drop(void *context, void *result) {
  (void)context;
  arena_free(result);
}

static void run_pool(void *context) {
  struct pool_jobs jobs = {context, work, finish, drop};
  pool_run(20, 4, &jobs);
}

TEST(test_a_thread_without_memory_fails_the_pool) {
  size_t last = 0;
  assert_false(guard_run(run_pool, &last));
  assert_int_equal(last, 4);
}

/* The last call failed, and says why. */
static void assert_said(const litscope *session, const char *message) {
  assert_int_equal(litscope_status(session), 2);
  assert_non_null(strstr(litscope_messages(session), message));
}

TEST(test_the_library_says_what_is_missing) {
  litscope *session = litscope_new();
  assert_null(litscope_test_read(session, NULL));
  assert_said(session, "no test is given");
  assert_null(litscope_model_load(session, NULL));
  assert_said(session, "no model is named");
  assert_int_equal(litscope_add_folder(session, NULL), 2);
  assert_said(session, "no folder is given");
  assert_null(litscope_target_load(session, NULL, NULL));
  assert_said(session, "a target needs a mapping or a machine");
  assert_null(litscope_target_load(session, NULL, "nothing"));
  assert_said(session, "unknown machine 'nothing'");
  assert_null(litscope_check(session, NULL, NULL, NULL));
  assert_said(session, "checking needs a test and a model");
  assert_null(litscope_verify(session, NULL, NULL, NULL, NULL));
  assert_said(session, "verifying needs a test, a target and a model");
  litscope_free(session);
}

TEST(test_the_library_returns_errors) {
  litscope *session = litscope_new();
  assert_null(litscope_test_parse(session, "t", NULL, 0));
  assert_int_equal(litscope_status(session), 2);
  assert_null(litscope_test_parse(session, "t", "OpenCL", (size_t)-1 / 2));
  assert_int_equal(litscope_status(session), 3);
  assert_string_equal(litscope_messages(session), "litscope: error: out of memory\n");
  assert_null(litscope_check(session, NULL, NULL, NULL));
  assert_int_equal(litscope_status(session), 2);
  assert_null(litscope_check(NULL, NULL, NULL, NULL));
  assert_null(litscope_verdict_state(NULL, 0));
  litscope_verdict_free(NULL);
  assert_int_equal(litscope_add_folder(session, "."), 0);
  litscope_test *test = litscope_test_read(session, "litmus/rsp/RSP_Test2.litmus");
  assert_string_equal(litscope_test_name(test), "RSP_Test2");
  litscope_test_free(test);
  litscope_free(session);
}
