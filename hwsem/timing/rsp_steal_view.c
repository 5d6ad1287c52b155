/* SPDX-License-Identifier: MIT */
/* The view of work stealing by tasks of given sizes. */
#include "checker/base/array.h"
#include "hwsem/mapping.h"
#include "hwsem/prices/rsp_mapping.h"
#include "hwsem/timing/rsp_steal.h"
#include "hwsem/timing/view_list.h"

static const char help_rsp_stealing[] =
    "Work stealing by tasks of given sizes in the paper's four scenarios: base pops at device scope and does\n"
    "not steal; scope pops at work-group scope and does not steal; steal pops and steals at device\n"
    "scope; rem pops at work-group scope and steals by promotion. -mapping A,B chooses the mappings\n"
    "for rem, one column each: the first is the one compared; by default rsp-corrected, which is sound,\n"
    "then the two published ones, which are not. Operations at device scope are those of rsp-original.\n"
    "Speed-ups are over base; stolen is the share of all tasks; fetches are lines that tasks bring\n"
    "into an L1.\n"
    "\n"
    "A workload is a row of the machine description: the first h queues hold tasks of weight f percent,\n"
    "each queue nT tasks; a task of weight 100 computes for C cycles, re-uses W lines, streams S and\n"
    "dirties Dd. -params replaces any of these in every row.\n"
    "\n"
    "What to believe: how the four compare as tasks get shorter, for even and for uneven queues; the\n"
    "sizes are chosen, and stand for no program. The paper's Figures 8 to 10 and Table 3 come from\n"
    "`gpu-steal`, which runs programs, with nothing fitted. A wavefront is one thread; there is no\n"
    "DRAM. Stealing by promotion wins where remote steals are rare: `tiny`, with tasks as short as a\n"
    "remote steal, is slower than without stealing.\n";

#define FIELD(name) \
  { #name, offsetof(struct steal_workload, name) }
static const struct parameter_field workload_fields[] = {FIELD(h), FIELD(f), FIELD(nT), FIELD(C),
                                                         FIELD(W), FIELD(S), FIELD(Dd)};
#undef FIELD

enum { BASE, SCOPE, STEAL, REM }; /* then one REM for each further mapping */

static struct steal_scenario *make_scenarios(const struct cost_report *report, struct mapping **mappings,
                                             size_t count) {
  struct arena *arena = report->arena;
  struct mapping *published = mapping_load(arena, "rsp-original", report->request->search, report->diags);
  struct rsp_sequence device, group, remote;
  if (!published || !rsp_find_sequence(arena, published, RSP_RMW_DV, &device, report->diags)) return NULL;
  if (!rsp_find_sequence(arena, published, RSP_RMW_WG, &group, report->diags)) return NULL;
  struct steal_scenario *scenarios = ARENA_ARRAY(arena, struct steal_scenario, REM + count);
  scenarios[BASE].pop = scenarios[STEAL].pop = scenarios[STEAL].steal = device;
  scenarios[SCOPE].pop = group;
  scenarios[STEAL].steals = true;
  for (size_t i = 0; i < count; i++) {
    if (!rsp_find_sequence(arena, mappings[i], RSP_RMW_WG, &group, report->diags)) return NULL;
    if (!rsp_find_sequence(arena, mappings[i], RSP_RMW_REMOTE, &remote, report->diags)) return NULL;
    scenarios[REM + i] = (struct steal_scenario){group, remote, true};
  }
  return scenarios;
}

static void add_steal_columns(struct table *table, struct mapping **mappings, size_t count) {
  table_columns(table, "workload", "T base|cycles", "T scope|cycles", "T steal|cycles", NULL);
  for (size_t i = 0; i < count; i++)
    table_column(table, arena_printf(table->arena, "T rem %s", mappings[i]->name), "cycles");
  table_columns(table, "scope|times base", "steal|times base", "rem|times base", "steals st|tasks", "steals rem|tasks",
                "stolen st|% of tasks", "stolen rem|% of tasks", "fails st|steals", "fails rem|steals",
                "fetches base|lines", "fetches scope|lines", "steal cost|cycles a steal", NULL);
}

static void put_steal_row(struct table *table, const char *name, const struct steal_result *r, size_t scenarios,
                          int64_t tasks) {
  table_put_text(table, name);
  for (size_t i = 0; i < scenarios; i++) table_put_number(table, r[i].time);
  for (size_t i = SCOPE; i <= REM; i++) table_put_ratio(table, r[BASE].time, r[i].time);
  table_put_numbers(table, r[STEAL].steals, r[REM].steals);
  table_put_ratio(table, 100 * r[STEAL].steals, tasks);
  table_put_ratio(table, 100 * r[REM].steals, tasks);
  table_put_numbers(table, r[STEAL].fails, r[REM].fails, r[BASE].fetches, r[SCOPE].fetches);
  table_put_ratio(table, r[REM].steal_cycles, r[REM].steals + r[REM].fails);
}

/* Arithmetic means of the speed-ups, summed in millionths. */
static void put_mean_row(struct table *table, const int64_t *sums, int64_t workloads, size_t scenarios) {
  table_put_text(table, "mean");
  for (size_t i = 0; i < scenarios; i++) table_put_empty(table);
  for (size_t i = SCOPE; i <= REM; i++) table_put_ratio(table, sums[i], workloads * 1000000);
  while (table->cells.count % table->columns.count) table_put_empty(table);
}

struct stealing {
  struct mapping **mappings;
  size_t count;
  struct steal_scenario *scenarios;
};

/* What the user gives for the heavy queues must fit the machine; where he makes it
 * smaller than a row needs, all its queues are heavy. */
static bool check_heavy(const struct setting *setting, const struct steal_workload *w, const struct rsp_parameters *p) {
  if (w->h <= p->n || !setting_is_given(setting, "h")) return true;
  return setting_error(setting, "h", "h=%d heavy queues, but there are only n=%d", (int)w->h, (int)p->n);
}

static bool add_workloads(const struct stealing *s, struct cost_report *report, const char *rows, const char *title,
                          struct plot *plot) {
  struct settings settings = cost_settings(report, rows, NULL, NULL);
  struct table *table = cost_add_table(report, title);
  add_steal_columns(table, s->mappings, s->count);
  size_t scenarios = REM + s->count;
  struct steal_result *results = ARENA_ARRAY(report->arena, struct steal_result, scenarios);
  int64_t sums[REM + 1] = {0};
  ARRAY_EACH (const struct setting, setting, settings.list.at, settings.list.count) {
    struct rsp_parameters p;
    struct steal_workload w;
    if (!rsp_setting_fill(setting, &p)) return false;
    if (!setting_fill(setting, workload_fields, ARRAY_COUNT(workload_fields), &w)) return false;
    if (!check_heavy(setting, &w, &p)) return false;
    for (size_t k = 0; k < scenarios; k++) {
      cost_begin(&report->effort);
      results[k] = steal_simulate(report->arena, &p, &w, &s->scenarios[k], &report->limit);
      cost_end(&report->effort, results[k].events);
      if (k <= REM && results[k].time) sums[k] += table_milli(results[BASE].time * 1000, results[k].time);
    }
    if (report->limit.met) return true;
    put_steal_row(table, setting->name, results, scenarios, p.n * w.nT);
    if (!plot) continue;
    plot_add_group(plot, setting->name);
    for (size_t k = BASE; k <= REM; k++)
      plot_put(plot, results[k].time ? (double)results[BASE].time / (double)results[k].time : 0);
  }
  if (plot && settings.list.count > 1) put_mean_row(table, sums, (int64_t)settings.list.count, scenarios);
  return true;
}

static bool show_rsp_stealing(struct cost_report *report) {
  struct stealing s = {.mappings = NULL};
  if (!cost_load_mappings(report, &s.count, &s.mappings)) return false;
  s.scenarios = make_scenarios(report, s.mappings, s.count);
  if (!s.scenarios) return false;
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "Work stealing", "workload", "speed-up (times base)");
  static const char *const names[] = {"base", "scope", "steal", "rem"};
  for (size_t k = BASE; k <= REM; k++) plot_add_series(plot, names[k]);
  return add_workloads(&s, report, "workloads", "Work stealing", plot) &&
         add_workloads(&s, report, "counterexamples", "Tasks as short as a remote steal", NULL);
}

const struct cost_view view_rsp_steal = {
    .name = "rsp-steal",
    .machine = "timing-rsp",
    .summary = "work stealing with and without scopes and promotion: tasks of given sizes, four scenarios",
    .help = help_rsp_stealing,
    .run = show_rsp_stealing};
