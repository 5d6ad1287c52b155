/* SPDX-License-Identifier: MIT */
/* What `synth` of mappings is asked for: the mapping to begin with, the operations, the
 * family, and what steps cost. */
#include "checker/cmd/synth_command.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/text.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/machine_options.h"
#include "checker/small_programs/small_language_words.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/prices/rsp_mapping.h"

/* Cycles of unit 0 when the line misses, in the state of the FIFOs that -params says. */
static int64_t price_of(void *context, const struct mapping_cell *cell) {
  const struct synth_command *command = context;
  struct arena *arena = arena_new();
  struct rsp_sequence sequence;
  bool known = !rsp_sequence_of_cell(arena, cell, &sequence);
  int64_t price =
      known ? rsp_price_operation(&command->pricing->parameters, command->pricing->cus, sequence, false).latency : -1;
  arena_free(arena);
  return price;
}

static void add_key(struct synth_command *command, struct mapping_key key) {
  struct synth_options *o = &command->options;
  o->weights[o->key_count] = command->pricing->weights[key.remote][key.kind];
  o->keys[o->key_count++] = key;
}

pcre2_code *synth_cells(const char *pattern, struct diags *diags) {
  int error;
  PCRE2_SIZE at;
  pcre2_code *cells = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &error, &at, NULL);
  if (!cells) diag_fail(diags, "option -cells: '%s' is not a regular expression", pattern);
  return cells;
}

bool synth_cells_match(const pcre2_code *cells, const char *text, size_t length) {
  pcre2_match_data *data = pcre2_match_data_create_from_pattern(cells, NULL);
  bool matches = pcre2_match(cells, (PCRE2_SPTR)text, length, 0, 0, data, NULL) > 0;
  pcre2_match_data_free(data);
  return matches;
}

/* The device-scope operations whose text matches. */
static bool choose_cells(struct synth_command *command, const char *pattern, struct diags *diags) {
  static const enum order ORDERS[] = {ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL};
  pcre2_code *cells = synth_cells(pattern, diags);
  if (!cells) return false;
  for (int remote = 0; remote <= 1; remote++)
    for (enum mapping_kind kind = MAP_LOAD; kind <= MAP_RMW; kind++) {
      struct mapping_key key = {kind, SCOPE_DEV, ORDERS[kind], remote, REGION_GLOBAL};
      const char *text = mapping_key_text(command->call->arena, key);
      if (synth_cells_match(cells, text, strlen(text))) add_key(command, key);
    }
  pcre2_code_free(cells);
  if (!command->options.key_count)
    diag_fail(diags,
              "option -cells: '%s' matches none of load acq dev, store rel dev, rmw ar dev, and "
              "the same with remote",
              pattern);
  return command->options.key_count > 0;
}

static bool choose_target(struct synth_command *command, const struct hardware *hardware, struct diags *diags) {
  size_t count;
  const struct target *targets = hardware_of_kind(hardware, &gpu_kind, command->call->arena, &count);
  if (count == 1 && targets[0].mapping) {
    command->target = targets[0];
    return true;
  }
  return diag_fail(diags, "synth begins with one mapping of the GPU, not with %zu", count);
}

static void show_cell(void *context, const struct mapping_key *key, size_t candidates) {
  struct synth_command *command = context;
  if (!isatty(STDERR_FILENO) || option_on(command->call, OPTION_QUIET)) return;
  struct arena *arena = arena_new();
  fprintf(stderr, "\r\033[K%s: %zu candidates\n", mapping_key_text(arena, *key), candidates);
  arena_free(arena);
}

bool synth_prepare(struct synth_command *command, const char *family, const char *cells, unsigned steps,
                   struct diags *diags) {
  struct invocation *call = command->call;
  struct model_set models;
  struct hardware hardware;
  if (option_given(call, OPTION_KNOB)) return diag_fail(diags, "option -knob: synth takes it for -target alone");
  if (!models_load(call, &models, diags) || !hardware_load(call, &hardware, diags)) return false;
  if (!choose_target(command, &hardware, diags)) return false;
  command->pricing = pricing_of_synth(call, diags);
  if (!command->pricing) return false;
  if (!small_family_read(call->arena, family, "-family", &small_opencl, &command->family, diags)) return false;
  const struct loaded_model *model = &models.at[models.by_language ? LANG_OPENCL : 0];
  if (!models_check_programs(call, model->model, model->name, command->family.language->tests, diags)) return false;
  command->options.model = models_judge(call, model);
  command->options.families = &command->family;
  command->options.family_count = 1;
  command->options.target = &command->target;
  command->options.steps = steps;
  command->options.price = price_of;
  command->options.progress = show_cell;
  command->options.context = command;
  command->options.workers = option_jobs(call);
  return choose_cells(command, cells, diags);
}

const char *synth_words(struct invocation *call, enum option_id id) {
  const char *all = "";
  if (option_table[id].kind != OPTION_LIST_OF) return option_text(call, id) ? option_text(call, id) : all;
  for (size_t i = 0; i < call->values[id].count; i++)
    all = arena_printf(call->arena, "%s%s%s", all, i ? "," : "", call->values[id].at[i]);
  return all;
}
