/* SPDX-License-Identifier: MIT */
/* The AMD machine's reductions against the machine without them, on the assembly of tests/compilers. */
/* plain: golden/compilers explores its machine with sanitizers. */
#include "checker/litmus/litmus.h"
#include "checker/verify/machine_outcomes.h"
#include "hwsem/machines/kinds.h"
#include "unit.h"

static void reach_with(struct arena *arena, const char *path, const char *reduce, bool por, const char *l2,
                       struct explorer *explorer, struct reached *reached) {
  static const char *const FOLDERS[] = {"mappings"};
  struct xml_search search = {FOLDERS, 1};
  struct diags diags = diags_new(arena);
  void *settings = arena_alloc(arena, amd_kind.settings_size);
  const char *name = amd_kind.load(arena, "amdgpu", &search, settings, &diags);
  assert_non_null(name);
  assert_true(machine_kind_set(&amd_kind, settings, "reduce", reduce, &diags));
  assert_true(machine_kind_set(&amd_kind, settings, "l2", l2, &diags));
  struct source *source = source_read(arena, path, &diags);
  struct litmus_test *test = litmus_parse(arena, source, NULL, &diags);
  assert_non_null(test);
  struct target target = {name, &amd_kind, settings, NULL};
  const struct explore_options options = {.por = por};
  const struct explore_request request = {.explorer = explorer, .options = &options, .arena = arena};
  assert_true(reach(&target, test, request, reached, &diags));
  assert_int_equal(reached->found.end, EXPLORE_DONE);
  assert_true(reached->found.stats.deadlocks == 0);
}

/* The fewest states first: reached by steps that come first alone, where they make no difference. */
static void compare(const char *path, const char *l2) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct reached full, ample, reduced;
  reach_with(arena, path, "1", true, l2, explorer, &ample);
  uint64_t fewest = ample.found.stats.states;
  reach_with(arena, path, "1", false, l2, explorer, &reduced);
  uint64_t fewer = reduced.found.stats.states;
  reach_with(arena, path, "0", false, l2, explorer, &full);
  assert_true(reduced.states.count == full.states.count && ample.states.count == full.states.count);
  for (size_t i = 0; i < full.states.count; i++) {
    assert_true(outcome_compare(reduced.states.at[i].values, full.states.at[i].values, full.states.width) == 0);
    assert_true(outcome_compare(ample.states.at[i].values, full.states.at[i].values, full.states.width) == 0);
  }
  assert_true(fewest < fewer && fewer < full.found.stats.states);
  explorer_free(explorer);
  arena_free(arena);
}

#define KEPT "tests/compilers/assembly/"

static void test_one_l2(void **unused) {
  (void)unused;
  compare(KEPT "MP_dev.gfx1030.llvm-15.litmus", "1");
  compare(KEPT "MP_dev.gfx1100.llvm-19.litmus", "1");
  compare(KEPT "ISA2_wd.gfx90a.llvm-22.litmus", "1");
  compare(KEPT "ISA2_wd.gfx90a-tgsplit.llvm-22.litmus", "1");
  compare(KEPT "ISA2_wd.gfx1200-cumode.llvm-19.litmus", "1");
  compare(KEPT "ISA2_barrier.gfx90a.llvm-15.litmus", "1");
}

static void test_several_l2(void **unused) {
  (void)unused;
  compare(KEPT "ISA2_barrier.gfx942-tgsplit.llvm-15.litmus", "2");
  compare(KEPT "ISA2_barrier.gfx942-tgsplit.llvm-22.litmus", "2");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_l2), cmocka_unit_test(test_several_l2)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
