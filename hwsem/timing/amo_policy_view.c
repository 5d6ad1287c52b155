/* SPDX-License-Identifier: MIT */
/* The view of placement policies on sharing patterns. */
#include "checker/base/array.h"
#include "hwsem/timing/amo_patterns.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_amo_policies[] =
    "Finish time of the last core, and near/far operations, under five static policies, AllFar (a\n"
    "test) and the predictors Metric, Reuse-UN and Reuse-PN, on sharing patterns: alternating bursts,\n"
    "load then update, producer and consumer, flag, mutexes of one, two and four threads, spinning\n"
    "readers, and histograms with cold, hot and mixed bins. `best` names the fastest of those that\n"
    "are not tests. pattern=NAME chooses rows, R is the number of rounds, b the length of a burst.\n"
    "\n"
    "Far operations complete one by one (win=1), as Figure 3 of the paper draws them. A predictor\n"
    "that sees several operations per visit keeps the line near: it cannot see who waits. Reuse needs\n"
    "31 useless visits before it changes to far.\n"
    "\n" AMO_BELIEVE;

static void put_policies(struct table *times, struct table *counts, const char *name,
                         const struct amo_result results[AMO_POLICY_COUNT]) {
  int best = AMO_ALL_NEAR;
  table_put_text(times, name);
  table_put_text(counts, name);
  for (int k = 0; k < AMO_POLICY_COUNT; k++) {
    table_put_number(times, results[k].finish);
    table_put_text(counts, arena_printf(counts->arena, "%d/%d", (int)results[k].near, (int)results[k].far));
    if (k != AMO_ALL_FAR && results[k].finish < results[best].finish) best = k;
  }
  table_put_text(times, amo_policy_names[best]);
}

static bool show_amo_policies(struct cost_report *report) {
  struct settings settings = cost_settings(report, "patterns", NULL, "pattern");
  struct table *times = cost_add_table(report, "Finish of the last core");
  struct table *counts = cost_add_table(report, "Near/far operations");
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "Placement policies, time over AllNear's", "pattern",
                                    "time (times that of AllNear)");
  table_column(times, "pattern", NULL);
  table_column(counts, "pattern", NULL);
  for (int k = 0; k < AMO_POLICY_COUNT; k++) {
    table_column(times, amo_policy_names[k], "cycles");
    table_column(counts, amo_policy_names[k], "operations");
    if (k != AMO_ALL_NEAR && k != AMO_ALL_FAR) plot_add_series(plot, amo_policy_names[k]);
  }
  table_column(times, "best", NULL);
  ARRAY_EACH (const struct setting, setting, settings.list.at, settings.list.count) {
    struct amo_parameters p;
    if (!amo_setting_fill(setting, &p, false)) return false;
    int pattern = (int)setting_number(setting, "pattern");
    int64_t rounds = setting_number(setting, "R"), burst = setting_number(setting, "b");
    if (rounds * burst > COST_OPERATIONS)
      return setting_error(setting, "R", "R=%d rounds of b=%d operations are more than %d operations", (int)rounds,
                           (int)burst, COST_OPERATIONS);
    struct amo_result results[AMO_POLICY_COUNT];
    struct arena *arena = arena_new();
    struct amo_programs programs = amo_write_pattern(arena, (enum amo_pattern)pattern, rounds, burst);
    for (int k = 0; k < AMO_POLICY_COUNT; k++) {
      cost_begin(&report->effort);
      results[k] = amo_run_programs(&p, (enum amo_policy)k, &programs, &report->limit);
      cost_end(&report->effort, results[k].events);
    }
    arena_free(arena);
    if (report->limit.met) return true;
    put_policies(times, counts, setting->name, results);
    plot_add_group(plot, setting->name);
    for (int k = 0; k < AMO_POLICY_COUNT; k++) {
      if (k == AMO_ALL_NEAR || k == AMO_ALL_FAR) continue;
      double near = results[AMO_ALL_NEAR].finish ? (double)results[AMO_ALL_NEAR].finish : 1;
      plot_put(plot, (double)results[k].finish / near);
    }
  }
  return true;
}

const struct cost_view view_amo_policy = {
    .name = "amo-policy",
    .machine = "timing-amo",
    .summary = "near and far atomic operations: placement policies and predictors on sharing patterns",
    .help = help_amo_policies,
    .run = show_amo_policies};
