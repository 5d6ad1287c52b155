/* SPDX-License-Identifier: MIT */
/* What a verdict keeps must not grow with the number of executions, unless it is asked to number them; and how far the
 * search for it is. */
#include <glob.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/progress_gauge.h"
#include "checker/solve/solve.h"
#include "checker/verdict/verdict.h"
#include "tests/unit/unit.h"

static const char *const FOLDERS[] = {"models"};

/* Threads that each write a number of their own to x, unordered: all orders are executions, and each races. */
static const struct litmus_test *racing(struct arena *arena, unsigned threads) {
  char text[2000];
  size_t at = (size_t)snprintf(text, sizeof text, "C racing\n{ [x]=0; }\n");
  for (unsigned i = 0; i < threads; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "P%u (int *x) { *x = %u; }\n", i, i + 1);
  snprintf(text + at, sizeof text - at, "exists ([x]=1)\n");
  struct diags diags = diags_new(arena);
  struct litmus_test *test =
      litmus_parse(arena, source_from_text(arena, "racing.litmus", text, strlen(text)), NULL, &diags);
  assert_non_null(test);
  return test;
}

/* Bytes that the verdict takes in an arena of its own. */
static size_t bytes_kept(unsigned threads, bool fold, uint64_t *executions) {
  struct arena *arena = arena_new(), *own = arena_new();
  struct diags diags = diags_new(arena);
  struct cat_search search = {.folders = FOLDERS, .folder_count = 1};
  const struct cat_model *model = cat_load(arena, "rc11", &search, &diags);
  assert_non_null(model);
  const struct litmus_test *test = racing(arena, threads);
  const struct enumerate_options options = {.workers = 1, .unroll = 2, .prune = true, .fold = fold};
  const struct verdict *v = verdict_run(own, test, model, &options, NULL);
  assert_int_equal(v->end, END_DONE);
  assert_int_equal(v->bad, v->stats.consistent);
  assert_int_equal(v->bad_list != NULL, !fold);
  *executions = v->stats.consistent;
  size_t bytes = arena_size(own);
  arena_free(own);
  arena_free(arena);
  return bytes;
}

TEST(test_nothing_grows_with_executions) {
  uint64_t some, more;
  size_t of_some = bytes_kept(7, true, &some), of_more = bytes_kept(8, true, &more);
  assert_int_equal(some, 5040);
  assert_int_equal(more, 40320);
  assert_true(of_more < of_some + 16 * 1024); /* a state more */
}

TEST(test_numbers_are_kept_when_asked_for) {
  uint64_t executions;
  assert_true(bytes_kept(7, false, &executions) > executions * sizeof(uint64_t));
}

/* Shares of the tree that is searched, as executions are met. */
struct shares {
  double last;
  unsigned met, grown;
};

static void look_at_share(void *context, const struct candidate *candidate, bool meets) {
  struct shares *shares = context;
  double share = gauge_read().share;
  (void)candidate, (void)meets;
  assert_true(share >= shares->last && share < 1);
  shares->grown += share > shares->last;
  shares->last = share;
  shares->met++;
}

TEST(test_the_share_that_is_done_grows_to_the_whole) {
  struct arena *arena = *state;
  struct diags diags = diags_new(arena);
  struct cat_search search = {.folders = FOLDERS, .folder_count = 1};
  const struct cat_model *model = cat_load(arena, "rc11", &search, &diags);
  const struct enumerate_options options = {.workers = 1, .unroll = 2, .prune = true};
  struct shares shares = {0};
  verdict_run(arena, racing(arena, 6), model, &options,
              &(struct verdict_observer){.context = &shares, .consistent = look_at_share});
  assert_int_equal(shares.met, 720);
  assert_int_equal(shares.grown, 719);
  double share = gauge_read().share;
  assert_true(share > 0.999 && share < 1.001);
}

/* More memory than there is, at the second execution that is told of: the first shows that the solver had some. */
static bool exhaust(void *context, const struct candidate *candidate) {
  (void)candidate;
  if (++*(unsigned *)context == 2) arena_array(arena_new(), (size_t)-1 / 8, 4);
  return true;
}

static void solve_without_memory(void *context) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct cat_search search = {.folders = FOLDERS, .folder_count = 1};
  const struct cat_model *model = cat_load(arena, "rc11", &search, &diags);
  const struct enumerate_options options = {.unroll = 2, .most_states = 10};
  struct enumerate_sink sink = {.context = context, .consistent = exhaust};
  struct enumerate_stats stats;
  const struct litmus_test *test = racing(arena, 3);
  if (!solve_refusal(arena, test, model, false)) solve(test, model, &options, &sink, &stats);
}

/* What the allocator has given away is the same after the second time, but for a little; with sanitizers, the leak
 * checker watches. */
TEST(test_the_solver_leaves_nothing_without_memory) {
  size_t used[2];
  for (unsigned i = 0; i < 2; i++) {
    unsigned told = 0;
    bool complete = guard_run(solve_without_memory, &told);
    assert_int_equal(told, complete ? 0 : 2);
    if (complete) skip(); /* built without a solver */
    used[i] = mallinfo2().uordblks;
  }
  assert_true(used[1] < used[0] + 4096); /* a name of each file that was read */
}

/* Executions told of, in all and where what they show counts; a test that shows more, or else, in one of both fails. */
static void compare_outcomes(const struct litmus_test *test, uint64_t told[2]) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct cat_search search = {.folders = FOLDERS, .folder_count = 1};
  const struct cat_model *model = cat_load(arena, "ptx", &search, &diags);
  const struct verdict *v[2];
  for (int outcomes = 0; outcomes < 2; outcomes++) {
    const struct enumerate_options options = {.workers = 1, .unroll = 2, .prune = true, .outcomes = outcomes};
    v[outcomes] = verdict_run(arena, test, model, &options, NULL);
    told[outcomes] += v[outcomes]->stats.consistent;
  }
  assert_int_equal(v[0]->states.count, v[1]->states.count);
  for (size_t i = 0; i < v[0]->states.count; i++)
    assert_non_null(outcomes_find(&v[1]->states, v[0]->states.at[i].values));
  assert_int_equal(v[0]->flag_count, v[1]->flag_count);
  arena_free(arena);
}

TEST(test_outcomes_need_one_order_of_fences) {
  glob_t found;
  uint64_t told[2] = {0};
  assert_int_equal(glob("litmus/ptx/*.litmus", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct arena *arena = arena_new();
    struct diags diags = diags_new(arena);
    const struct source *source = source_read(arena, found.gl_pathv[i], &diags);
    if (strstr(source->text, "fence.sc")) compare_outcomes(litmus_parse(arena, source, NULL, &diags), told);
    arena_free(arena);
  }
  globfree(&found);
  assert_true(told[1] < told[0]);
}
