/* SPDX-License-Identifier: MIT */
/* ADSM tests priced: for each protocol and outcome the cells and bytes moved,
 * faults, and time. */
#include "checker/cmd/cost_adsm.h"

#include <inttypes.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/cmd/machine_options.h"
#include "checker/report/json_cost.h"
#include "checker/report/log.h"
#include "hwsem/prices/settings.h"

struct cost_adsm_command {
  struct invocation *call;
  struct adsm_parameters parameters;
  const struct target *targets;
  size_t target_count;
  struct test_runner runner;
  bool csv;
};

static const char row_format[] = "%-20s  %-14s  %8s  %8s  %8s  %8s  %10s  %10s  %s\n";

/* ---- -cost of other commands ---- */

bool adsm_prices_load(struct invocation *call, struct adsm_parameters *parameters, struct diags *diags) {
  struct xml_folders search = mapping_search(call);
  struct setting setting;
  return setting_given(call->arena, "timing-adsm", NULL, &search, &setting, diags) &&
         adsm_setting_fill(&setting, parameters);
}

enum { EXPLORED_FOR_A_PRICE = 1000000 };

static const char *range_text(struct arena *arena, int64_t least, int64_t most) {
  return least == most ? arena_printf(arena, "%" PRId64, least)
                       : arena_printf(arena, "%" PRId64 "..%" PRId64, least, most);
}

int64_t adsm_price(const struct adsm_parameters *parameters, const struct litmus_test *test,
                   const struct target *target, struct arena *arena, const char **text) {
  struct explore_options limits = {.por = true, .max_states = EXPLORED_FOR_A_PRICE};
  struct diags diags = diags_new(arena);
  struct adsm_runs runs;
  struct explore_request request = {test->program, test->observables, test->observable_count, NULL, &limits, arena};
  if (!adsm_program_costs(parameters, &request, target->settings, &runs, &diags) || !runs.count) {
    *text = diags.count ? diags.at[0].message : "no run ends";
    return -1;
  }
  int64_t least[4], most[4];
  for (size_t r = 0; r < runs.count; r++) {
    const int64_t *counters = runs.at[r].values + test->observable_count;
    const int64_t now[] = {counters[ADSM_CELLS_UP], counters[ADSM_CELLS_DOWN], counters[ADSM_FAULTS],
                           adsm_cost_time(&runs.at[r].cost)};
    for (int i = 0; i < 4; i++) {
      if (!r || now[i] < least[i]) least[i] = now[i];
      if (!r || now[i] > most[i]) most[i] = now[i];
    }
  }
  const char *ranges[4];
  for (int i = 0; i < 4; i++) ranges[i] = range_text(arena, least[i], most[i]);
  *text = arena_printf(arena, "up=%s down=%s faults=%s %s ns%s", ranges[0], ranges[1], ranges[2], ranges[3],
                       runs.limit ? " (some runs are missing)" : "");
  return most[3];
}

/* ---- cost adsm ---- */

/* The sizes of rolling-update that -params gives in bytes. */
static bool set_sizes(struct cost_adsm_command *c, const struct setting *setting) {
  const struct adsm_parameters *p = &c->parameters;
  if (setting_is_given(setting, "B") && p->B % p->cell)
    return setting_error(setting, "B", "a block must hold whole cells, of %" PRId64 " bytes each", p->cell);
  for (size_t i = 0; i < c->target_count; i++) {
    struct adsm_machine_options *options = c->targets[i].settings;
    int64_t block = p->B / p->cell;
    if (setting_is_given(setting, "B")) options->block = block > 0 && block < 4096 ? (unsigned)block : 4096;
    if (setting_is_given(setting, "R") && p->R) options->rolling = (unsigned)p->R;
  }
  return true;
}

static bool load_parameters(struct cost_adsm_command *c, struct diags *diags) {
  struct invocation *call = c->call;
  struct xml_folders search = mapping_search(call);
  const char *name = option_text(call, OPTION_COST_MACHINE);
  struct setting setting;
  if (!setting_given(call->arena, name ? name : "timing-adsm", option_text(call, OPTION_PARAMS), &search, &setting,
                     diags))
    return false;
  if (!adsm_setting_read(&setting, &c->parameters)) return false;
  c->parameters.s = c->parameters.B; /* objects are as large as the test makes them */
  const char *fault = adsm_parameters_check(call->arena, &c->parameters);
  if (fault) diag_error(diags, setting.description->source, (struct span){0}, "%s", fault);
  return !fault && set_sizes(c, &setting);
}

static void write_row(const struct cost_adsm_command *c, const struct litmus_test *test, const struct target *target,
                      const struct adsm_run *run, struct test_output *output) {
  struct arena *arena = output->arena;
  const int64_t *counters = run->values + test->observable_count;
  const int64_t numbers[] = {counters[ADSM_CELLS_UP], counters[ADSM_CELLS_DOWN], counters[ADSM_FAULTS], run->cost.up,
                             run->cost.down,          adsm_cost_time(&run->cost)};
  const char *text[6];
  for (int i = 0; i < 6; i++) text[i] = arena_printf(arena, "%" PRId64, numbers[i]);
  const char *state = log_state_text(arena, test, run->values);
  if (!c->csv) {
    fprintf(output->out, row_format, test->name, target->name, text[0], text[1], text[2], text[3], text[4], text[5],
            state);
    return;
  }
  csv_print(test->name, output->out);
  fputc(',', output->out);
  csv_print(target->name, output->out);
  for (int i = 0; i < 6; i++) fprintf(output->out, ",%s", text[i]);
  fprintf(output->out, ",\"%s\"\n", state);
}

static void price_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct cost_adsm_command *c = context;
  struct explore_options limits = hardware_explore_options(c->call, c->runner.cancel);
  struct explore_request request = {test->program, test->observables, test->observable_count,
                                    NULL,          &limits,           output->arena};
  (void)workers;
  ARRAY_EACH (const struct target, target, c->targets, c->target_count) {
    struct diags diags = diags_new(output->arena);
    struct adsm_runs runs;
    if (!adsm_program_costs(&c->parameters, &request, target->settings, &runs, &diags)) {
      tests_refuse(output, test, target->name, &diags);
      return;
    }
    for (size_t r = 0; r < runs.count; r++) {
      if (output->json) json_write_adsm_run(output->json, test, target->name, &runs.at[r]);
      write_row(c, test, target, &runs.at[r], output);
    }
    if (runs.limit) tests_tell_limit(output, test, "%s: some runs of %s are missing", runs.limit, test->name);
  }
}

int cost_adsm(struct invocation *call) {
  struct cost_adsm_command c = {.call = call, .runner = {.run = price_test}, .csv = option_on(call, OPTION_CSV)};
  struct diags diags = diags_new(call->arena);
  struct hardware hardware;
  if (!hardware_load(call, &hardware, &diags)) return diags_report(&diags);
  c.targets = hardware_of_kind(&hardware, &adsm_kind, call->arena, &c.target_count);
  if (!load_parameters(&c, &diags)) return diags_report(&diags);
  c.runner.context = &c;
  if (c.csv)
    puts("test,machine,cells up,cells down,faults,bytes up,bytes down,time ns,state");
  else if (!option_on(call, OPTION_COST_JSON))
    printf(row_format, "test", "machine", "cells up", "down", "faults", "bytes up", "bytes down", "time ns", "state");
  return tests_run(call, &c.runner);
}
