/* SPDX-License-Identifier: MIT */
/* A small test, whatever it is, compiled and explored: on the GPU under two
 * mappings and on sc, or, an ADSM program, under each protocol; with reductions and
 * without, which must show the same outcomes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/litmus/litmus.h"
#include "fuzz.h"
#include "hwsem/compile_by_mapping.h"
#include "hwsem/machines/adsm.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/machines/sc.h"

struct targets {
  struct arena *arena;
  struct gpu_knobs knobs;
  struct adsm_machine_options options[3];
  struct target gpu[2], adsm[3], sc;
};

static const struct targets *load_targets(void) {
  static struct targets targets;
  if (targets.arena) return &targets;
  targets.arena = arena_new();
  struct diags diags = diags_new(targets.arena);
  const char *const folders[] = {"mappings"};
  struct xml_folders search = {.folders = folders, .folder_count = 1};
  static const char *const mappings[] = {"rsp-corrected", "rsp-line-lock"};
  static const char *const machines[] = {"adsm-batch", "adsm-lazy", "adsm-rolling"};
  machine_kind_load(&gpu_kind, targets.arena, "gpu", &search, &targets.knobs, &diags);
  for (int i = 0; i < 2; i++) {
    const struct mapping *mapping = mapping_load(targets.arena, mappings[i], &search, &diags);
    targets.gpu[i] = (struct target){mappings[i], &gpu_kind, &targets.knobs, mapping};
  }
  for (int i = 0; i < 3; i++) {
    const char *name = machine_kind_load(&adsm_kind, targets.arena, machines[i], &search, &targets.options[i], &diags);
    targets.adsm[i] = (struct target){name, &adsm_kind, &targets.options[i], NULL};
  }
  targets.sc = (struct target){"sc", &sc_kind, NULL, NULL};
  if (diags.errors) abort();
  return &targets;
}

static bool has_outcome(const struct exploration *result, const int64_t *values) {
  for (size_t i = 0; i < result->outcome_count; i++)
    if (!memcmp(result->outcomes[i].values, values, result->observable_count * sizeof *values)) return true;
  return false;
}

static void compare(const struct exploration *a, const struct exploration *b) {
  if (a->outcome_count != b->outcome_count) abort();
  for (size_t i = 0; i < a->outcome_count; i++)
    if (!has_outcome(b, a->outcomes[i].values)) abort();
}

static void explore_both(const struct target *target, const struct litmus_test *test) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct explorer *reduced = explorer_new(), *plain = explorer_new();
  struct explore_options options = {.max_states = 3000, .max_memory = 64u << 20, .timeout = 0.2};
  struct machine machine, other;
  struct exploration all, some;
  unsigned count;
  struct observable *observables = observables_all(arena, test->program, &count);
  struct explore_request request = {test->program, observables, count, plain, &options, arena};
  bool runs = target_explore(target, &request, &machine, &all, &diags);
  if (!runs && !diags.errors) abort(); /* a refusal says why */
  options.por = options.symmetry = true;
  if (runs && all.end == EXPLORE_DONE) {
    request.explorer = reduced;
    if (!target_explore(target, &request, &other, &some, &diags)) abort();
    if (some.end == EXPLORE_DONE) compare(&all, &some);
  }
  explorer_free(reduced);
  explorer_free(plain);
  arena_free(arena);
}

static void print_compiled(const struct litmus_test *test, const struct mapping *mapping) {
  FILE *nowhere = fuzz_nowhere();
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct hw_program *program = compile_program(arena, test->program, mapping, &diags);
  if (!program != (diags.errors > 0)) abort();
  if (program) hw_program_print(program, nowhere);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096) return 0;
  const struct targets *targets = load_targets();
  struct fuzz_input in = fuzz_text(data, size);
  struct litmus_test *test = litmus_parse(in.arena, in.source, NULL, &in.diags);
  bool adsm = test && test->language == LANG_ADSM;
  for (int i = 0; test && adsm && i < 3; i++) explore_both(&targets->adsm[i], test);
  for (int i = 0; test && !adsm && i < 2; i++) {
    print_compiled(test, targets->gpu[i].mapping);
    explore_both(&targets->gpu[i], test);
  }
  if (test && !adsm) explore_both(&targets->sc, test);
  return fuzz_done(&in);
}
