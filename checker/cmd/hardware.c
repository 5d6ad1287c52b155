/* SPDX-License-Identifier: MIT */
/* Targets, limits and traces for the commands of the operational engine. */
#include "checker/cmd/hardware.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/vec.h"

typedef VEC(struct target) targets;

/* What is being read from the command line. */
struct loading {
  struct invocation *call;
  struct xml_search search;
  struct gpu_knobs knobs;
  targets gpu, adsm;
  bool gpu_named; /* by -machine */
  struct diags *diags;
};

/* ---- machines ---- */

static const char *const adsm_machines[] = {"adsm-batch", "adsm-lazy", "adsm-rolling"};
enum { ADSM_MACHINES = sizeof adsm_machines / sizeof *adsm_machines };

/* Protocols may be called without the prefix of their files. */
static const char *machine_file(const char *word) {
  for (int i = 0; i < ADSM_MACHINES; i++)
    if (!strcmp(adsm_machines[i] + strlen("adsm-"), word)) return adsm_machines[i];
  return word;
}

static bool is_adsm(struct loading *l, const char *file) {
  const char *root = xml_root_name(l->call->arena, file, &l->search);
  return root && !strcmp(root, "adsm");
}

static void add_adsm(struct loading *l, const char *file) {
  struct target target = {.name = NULL};
  target.name = adsm_options_load(l->call->arena, file, &l->search, &target.adsm, l->diags);
  if (target.name) *vec_push(l->call->arena, &l->adsm) = target;
}

/* -machine: ADSM machines are targets of their own, a GPU is one for every
 * mapping. */
static void load_machines(struct loading *l) {
  size_t count;
  const char **words = option_words(l->call, OPTION_MACHINE, &count);
  for (size_t i = 0; i < count; i++) {
    const char *file = machine_file(words[i]);
    if (is_adsm(l, file)) {
      add_adsm(l, file);
    } else if (l->gpu_named) {
      diag_error(l->diags, NULL, (struct span){0}, "option -machine: '%s' is a second GPU", words[i]);
    } else {
      gpu_knobs_load(l->call->arena, file, &l->search, &l->knobs, l->diags);
      l->gpu_named = true;
    }
  }
  if (!l->gpu_named && l->call->command != COMMAND_COMPILE)
    gpu_knobs_load(l->call->arena, "gpu", &l->search, &l->knobs, l->diags);
}

/* ---- mappings: for ADSM tests, protocols ---- */

static void load_mappings(struct loading *l) {
  struct arena *arena = l->call->arena;
  size_t count;
  const char **words = option_words(l->call, OPTION_MAPPING, &count);
  static const char *usual[] = {"rsp-corrected"};
  if (!option_given(l->call, OPTION_MAPPING)) words = usual, count = 1;
  for (size_t i = 0; i < count; i++) {
    const char *file = machine_file(words[i]);
    if (is_adsm(l, file)) {
      add_adsm(l, file);
      continue;
    }
    struct mapping *mapping = mapping_load(arena, words[i], &l->search, l->diags);
    if (mapping) *vec_push(arena, &l->gpu) = (struct target){.name = mapping->name, .mapping = mapping};
  }
}

/* ---- knobs ---- */

/* A knob of the GPU, unless the machines that are named have none. */
static void set_knob(struct loading *l, const char *name, const char *word) {
  bool adsm_only = l->adsm.count && !l->gpu_named && option_given(l->call, OPTION_MACHINE);
  if (!adsm_options_have(name) && !adsm_only) {
    gpu_knobs_set(&l->knobs, name, word, l->diags);
    return;
  }
  bool good = true;
  for (size_t i = 0; good && i < l->adsm.count; i++) good = adsm_options_set(&l->adsm.at[i].adsm, name, word, l->diags);
}

static void set_knobs(struct loading *l) {
  size_t count;
  const char **words = option_words(l->call, OPTION_KNOB, &count);
  for (size_t i = 0; i < count; i++) {
    const char *equals = strchr(words[i], '=');
    if (equals)
      set_knob(l, arena_strndup(l->call->arena, words[i], (size_t)(equals - words[i])), equals + 1);
    else
      diag_error(l->diags, NULL, (struct span){0}, "option -knob: expected NAME=WORD, found '%s'", words[i]);
  }
  const char *order = option_text(l->call, OPTION_WRITE_BACK);
  if (order) gpu_knobs_set(&l->knobs, "write-back", order, l->diags);
}

bool hardware_load(struct invocation *call, struct hardware *hardware, struct diags *diags) {
  size_t folder_count, before = diags->errors;
  struct loading l = {.call = call, .search = {.folders = search_folders(call, "mappings", &folder_count)}};
  l.search.folder_count = (unsigned)folder_count;
  l.diags = diags;
  load_machines(&l);
  load_mappings(&l);
  bool all_protocols = !l.adsm.count;
  for (int i = 0; all_protocols && i < ADSM_MACHINES; i++) add_adsm(&l, adsm_machines[i]);
  set_knobs(&l);
  for (size_t i = 0; i < l.gpu.count; i++) l.gpu.at[i].knobs = l.knobs;
  *hardware = (struct hardware){l.gpu.at, l.gpu.count, l.adsm.at, l.adsm.count};
  return diags->errors == before;
}

const struct target *hardware_targets(const struct hardware *hardware, const struct litmus_test *test, size_t *count) {
  bool adsm = test->language == LANG_ADSM;
  *count = adsm ? hardware->adsm_count : hardware->gpu_count;
  return adsm ? hardware->adsm : hardware->gpu;
}

/* An exploration has no end of its own where a program counts for ever: it is
 * to end with a report, and not by the system's hand. */
static uint64_t memory_limit(const struct invocation *call) {
  uint64_t given = option_number(call, OPTION_MAX_MEMORY);
  if (given) return given << 20;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : 0;
}

struct explore_options hardware_explore_options(const struct invocation *call, const volatile int *cancel) {
  return (struct explore_options){
      .por = option_on(call, OPTION_POR),
      .symmetry = option_on(call, OPTION_SYMMETRY),
      .max_states = option_number(call, OPTION_MAX_STATES),
      .max_memory = memory_limit(call),
      .timeout = option_real(call, OPTION_TIMEOUT),
      .cancel = cancel,
  };
}

void hardware_print_trace(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out) {
  for (size_t i = 0; i < length; i++) {
    bool environment = machine->step_kind(machine, trace[i].step) == STEP_ENVIRONMENT;
    fprintf(out, environment ? "    %3zu  (" : "    %3zu  ", i + 1);
    machine->print_step(machine, trace[i].step, trace[i].before, trace[i].after, out);
    fputs(environment ? ")\n" : "\n", out);
  }
}

void hardware_refuse(struct test_output *output, const struct litmus_test *test, const char *subject,
                     const struct diags *diags) {
  diags_print(diags, output->err);
  tests_add_bad(output, test->name, test->source->name, subject, diags);
}
