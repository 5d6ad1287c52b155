/* Targets, limits and traces for the commands of the operational engine. */
#include "cmd/hardware.h"

#include <string.h>

#include "base/vec.h"

static bool set_knobs(struct invocation *call, struct gpu_knobs *knobs, struct diags *diags) {
  size_t count, before = diags->errors;
  const char **words = option_words(call, OPTION_KNOB, &count);
  for (size_t i = 0; i < count; i++) {
    const char *equals = strchr(words[i], '=');
    if (!equals) {
      diag_error(diags, NULL, (struct span){0}, "option -knob: expected NAME=WORD, found '%s'", words[i]);
      continue;
    }
    const char *name = arena_strndup(call->arena, words[i], (size_t)(equals - words[i]));
    gpu_knobs_set(knobs, name, equals + 1, diags);
  }
  const char *order = option_text(call, OPTION_WRITE_BACK);
  if (order) gpu_knobs_set(knobs, "write-back", order, diags);
  return diags->errors == before;
}

static bool find_protocol(const char *name, enum adsm_protocol *found) {
  for (*found = 0; *found < ADSM_PROTOCOLS; ++*found)
    if (!strcmp(adsm_protocol_name(*found), name)) return true;
  return false;
}

static struct target adsm_target(enum adsm_protocol protocol) {
  return (struct target){.name = adsm_protocol_name(protocol),
                         .adsm = {.protocol = protocol, .block = 1, .per_object = 2}};
}

typedef VEC(struct target) targets;

static void load_words(struct invocation *call, const struct xml_search *search, const struct gpu_knobs *knobs,
                       targets *gpu, targets *adsm, struct diags *diags) {
  size_t count;
  const char **words = option_words(call, OPTION_MAPPING, &count);
  for (size_t i = 0; i < count; i++) {
    enum adsm_protocol protocol;
    if (find_protocol(words[i], &protocol)) {
      *vec_push(call->arena, adsm) = adsm_target(protocol);
      continue;
    }
    struct mapping *mapping = mapping_load(call->arena, words[i], search, diags);
    if (mapping) *vec_push(call->arena, gpu) = (struct target){mapping->name, mapping, *knobs, {0}};
  }
}

bool hardware_load(struct invocation *call, struct hardware *hardware, struct diags *diags) {
  size_t folder_count, before = diags->errors;
  struct xml_search search = {.folders = search_folders(call, "mappings", &folder_count)};
  search.folder_count = (unsigned)folder_count;
  struct gpu_knobs knobs = {0};
  const char *machine = call->command == COMMAND_COMPILE ? NULL : option_text(call, OPTION_MACHINE);
  if (machine && !gpu_knobs_load(call->arena, machine, &search, &knobs, diags)) return false;
  if (machine && !set_knobs(call, &knobs, diags)) return false;
  targets gpu = {0}, adsm = {0};
  load_words(call, &search, &knobs, &gpu, &adsm, diags);
  if (!option_given(call, OPTION_MAPPING)) {
    struct mapping *mapping = mapping_load(call->arena, "rsp-corrected", &search, diags);
    if (mapping) *vec_push(call->arena, &gpu) = (struct target){mapping->name, mapping, knobs, {0}};
  }
  for (enum adsm_protocol p = 0; adsm.count == 0 && p < ADSM_PROTOCOLS; p++) vec_push(call->arena, &adsm);
  for (enum adsm_protocol p = 0; p < adsm.count && !adsm.at[p].name; p++) adsm.at[p] = adsm_target(p);
  *hardware = (struct hardware){gpu.at, gpu.count, adsm.at, adsm.count};
  return diags->errors == before;
}

const struct target *hardware_targets(const struct hardware *hardware, const struct litmus_test *test, size_t *count) {
  bool adsm = test->language == LANG_ADSM;
  *count = adsm ? hardware->adsm_count : hardware->gpu_count;
  return adsm ? hardware->adsm : hardware->gpu;
}

struct explore_options hardware_explore_options(const struct invocation *call, const volatile int *cancel) {
  return (struct explore_options){
      .por = option_on(call, OPTION_POR),
      .symmetry = option_on(call, OPTION_SYMMETRY),
      .max_states = option_number(call, OPTION_MAX_STATES),
      .max_memory = option_number(call, OPTION_MAX_MEMORY) << 20,
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

void hardware_refuse(struct test_output *output, const struct diags *diags) {
  diags_print(diags, output->err);
  output->status = STATUS_BAD;
}
