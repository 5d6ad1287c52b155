/* SPDX-License-Identifier: MIT */
/* The AMD machine's reductions against the machine without them, on the assembly of tests/compilers. */
/* plain: golden/compilers explores its machine with sanitizers. */
#include "checker/litmus/litmus.h"
#include "checker/verify/machine_outcomes.h"
#include "hwsem/expand_reduced_run.h"
#include "hwsem/machines/kinds.h"
#include "tests/unit/unit.h"

static void reach_with(struct arena *arena, const char *path, const char *reduce, bool por, const char *l2,
                       struct explorer *explorer, struct reached *reached) {
  static const char *const FOLDERS[] = {"mappings"};
  struct xml_folders search = {FOLDERS, 1};
  struct diags diags = diags_new(arena);
  void *settings = arena_alloc(arena, amd_kind.settings_size);
  const char *name = machine_kind_load(&amd_kind, arena, "amdgpu", &search, settings, &diags);
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

struct wanted {
  struct successor_sink sink;
  const struct machine *machine;
  const struct explore_step *step;
  bool found;
};

static bool is_wanted(struct successor_sink *sink, struct step step, const void *next) {
  struct wanted *w = (struct wanted *)sink;
  bool same =
      step.code == w->step->step.code && step.agent == w->step->step.agent && step.detail == w->step->step.detail;
  w->found |= same && memcmp(next, w->step->after, w->machine->state_size) == 0;
  return true;
}

/* Each step is one of the machine's, from the state that the one before has led to. */
static void assert_is_run(const struct machine *m, const struct explore_step *steps, size_t length) {
  uint64_t initial[m->state_size / sizeof(uint64_t) + 2];
  memset(initial, 0, sizeof initial);
  m->initial(m, initial);
  for (size_t i = 0; i < length; i++) {
    struct wanted wanted = {.sink = {.emit = is_wanted}, .machine = m, .step = &steps[i]};
    assert_memory_equal(steps[i].before, i ? steps[i - 1].after : initial, m->state_size);
    m->successors(m, steps[i].before, &wanted.sink);
    assert_true(wanted.found);
  }
  assert_true(m->final(m, steps[length - 1].after));
}

/* How long the run to an outcome is. */
struct run_length {
  int64_t *values;
  size_t length;
};

/* The runs of the reduced search as runs of the machine. */
static struct run_length *unreduced_lengths(struct arena *arena, struct explorer *explorer,
                                            const struct reached *reached) {
  const struct machine *m = &reached->machine;
  struct run_length *all = ARENA_ARRAY(arena, struct run_length, reached->found.outcome_count);
  for (size_t i = 0; i < reached->found.outcome_count; i++) {
    struct explore_step *steps;
    const struct explore_outcome *outcome = &reached->found.outcomes[i];
    all[i].length = explore_trace(explorer, outcome->state, arena, &steps);
    assert_true(unreduced_run(m, arena, &steps, &all[i].length));
    assert_is_run(m, steps, all[i].length);
    all[i].values = ARENA_ARRAY(arena, int64_t, m->observable_count + 1);
    for (unsigned k = 0; k < m->observable_count; k++) {
      all[i].values[k] = m->observe(m, steps[all[i].length - 1].after, k);
      assert_true(all[i].values[k] == outcome->values[k]);
    }
  }
  return all;
}

/* There is none shorter. */
static void assert_shortest(struct arena *arena, struct explorer *explorer, const struct reached *reached,
                            const struct run_length *all) {
  for (size_t i = 0; i < reached->found.outcome_count; i++) {
    struct explore_step *steps;
    const struct explore_outcome *outcome = &reached->found.outcomes[i];
    size_t k = 0, width = reached->machine.observable_count * sizeof(int64_t);
    while (memcmp(all[k].values, outcome->values, width) != 0) k++;
    assert_int_equal(all[k].length, explore_trace(explorer, outcome->state, arena, &steps));
  }
}

/* The fewest states first: reached by steps that come first alone, where they make no difference. */
static void compare(const char *path, const char *l2) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct reached full, ample, reduced;
  reach_with(arena, path, "1", true, l2, explorer, &ample);
  uint64_t fewest = ample.found.stats.states;
  const struct run_length *runs = unreduced_lengths(arena, explorer, &ample);
  reach_with(arena, path, "1", false, l2, explorer, &reduced);
  assert_shortest(arena, explorer, &reduced, runs);
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

TEST(test_one_l2) {
  compare(KEPT "MP_dev.gfx1030.llvm-15.litmus", "1");
  compare(KEPT "MP_dev.gfx1100.llvm-19.litmus", "1");
  compare(KEPT "ISA2_wd.gfx90a.llvm-22.litmus", "1");
  compare(KEPT "ISA2_wd.gfx90a-tgsplit.llvm-22.litmus", "1");
  compare(KEPT "ISA2_wd.gfx1200-cumode.llvm-19.litmus", "1");
  compare(KEPT "ISA2_barrier.gfx90a.llvm-15.litmus", "1");
}

TEST(test_several_l2) {
  compare(KEPT "ISA2_barrier.gfx942-tgsplit.llvm-15.litmus", "2");
  compare(KEPT "ISA2_barrier.gfx942-tgsplit.llvm-22.litmus", "2");
}
