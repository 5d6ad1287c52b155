/* SPDX-License-Identifier: MIT */
/* The views of the timed GPU: prices of operations, and work stealing. */
#include <string.h>

#include "hwsem/mapping.h"
#include "hwsem/prices/rsp_mapping.h"
#include "hwsem/timing/rsp_steal.h"
#include "hwsem/timing/view_list.h"

static const char help_rsp_operations[] =
    "Prices of the nine operations (load, store, read-modify-write at work-group scope WG,\n"
    "device scope DV, and promoted to DV, that is remote) under compiler mappings, computed from the\n"
    "mappings' own XML: -mapping A,B chooses them, by default rsp-corrected, which is sound, and the\n"
    "two published ones, which are not; a new mapping is priced at once. Every compute unit holds q\n"
    "FIFO entries, d of them dirty; q3=5 sets unit 3 alone. The issuer is unit 0; hit and miss say\n"
    "whether the variable is valid in its L1. Hold is the time from the grant of the lock to its\n"
    "release. The L2 port moves one line a cycle for all units together.\n"
    "\n"
    "Without q the rows are those of the machine description, except those that the values given\n"
    "make impossible; with q, one row is made.\n"
    "\n"
    "What to believe: latencies of the caches are published; net, pop, alu, F and the port's rate are\n"
    "chosen. There is no DRAM (every line is in the L2) and no contention except at the L2 port.\n"
    "Whether INV_L1 DV waits for its acknowledgements in the published scheme is an interpretation\n"
    "(posted, after section 4.3 of the paper); the mapping says so where it does not. That remote\n"
    "operations are about ten times faster than device-scoped ones in total queueing (section 6.3) is\n"
    "not reproduced: under rsp-corrected a promoted read-modify-write costs 3.0 to 5.7 times a\n"
    "device-scoped one, and pays by being rare.\n";

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

/* ---- settings ------------------------------------------------------------------------ */

#define FIELD(name) \
  { #name, offsetof(struct steal_workload, name) }
static const struct parameter_field workload_fields[] = {FIELD(h), FIELD(f), FIELD(nT), FIELD(C),
                                                         FIELD(W), FIELD(S), FIELD(Dd)};
#undef FIELD
#define COUNT(fields) (sizeof(fields) / sizeof *(fields))

/* Those of -mapping; else the sound one, and the published ones to compare it with. */
static bool load_mappings(const struct cost_request *request, size_t *count, struct mapping ***mappings,
                          struct diags *diags) {
  static const char *const standard[] = {"rsp-corrected", "rsp-original", "rsp-revised"};
  const char *const *names = request->mapping_count ? request->mappings : standard;
  *count = request->mapping_count ? request->mapping_count : COUNT(standard);
  *mappings = ARENA_ARRAY(request->arena, struct mapping *, *count);
  for (size_t i = 0; i < *count; i++) {
    (*mappings)[i] = mapping_load(request->arena, names[i], request->search, diags);
    if (!(*mappings)[i]) return false;
  }
  return true;
}

/* ---- rsp-ops -------------------------------------------------------------------------- */

static int64_t price_instr(struct arena *arena, const struct rsp_parameters *p, const struct rsp_cu *cus,
                           enum rsp_instr instr) {
  struct rsp_machine machine = rsp_machine_new(arena, p);
  memcpy(machine.cus, cus, (size_t)p->n * sizeof *cus);
  return rsp_execute(&machine, 0, instr, 0);
}

/* A machine and what its FIFOs hold: a row of a table. */
struct occupancy {
  const char *name;
  struct rsp_parameters p;
  struct rsp_cu *cus;
};

struct occupancies {
  VEC(struct occupancy) list;
};

/* The rows of a table.  Those that the user's values make impossible are left
 * out; an error when none is left. */
static bool load_occupancies(struct cost_report *report, const char *rows, struct occupancies *all,
                             struct diags *diags) {
  struct settings settings = cost_settings(report, rows, "q", NULL);
  for (size_t i = 0; i < settings.list.count; i++) {
    const struct setting *setting = &settings.list.at[i];
    bool last_hope = i + 1 == settings.list.count && all->list.count == 0;
    struct diags own = diags_new(report->arena), *to = last_hope ? diags : &own;
    struct occupancy o = {.name = setting->name};
    if (!rsp_setting_fill(setting, &o.p, diags)) return false;
    o.cus = rsp_setting_units(report->arena, setting, &o.p, to);
    if (o.cus) *vec_push(report->arena, &all->list) = o;
  }
  return all->list.count > 0;
}

static bool add_flushes(struct cost_report *report, struct diags *diags) {
  struct occupancies rows = {0};
  if (!load_occupancies(report, "flushes", &rows, diags)) return false;
  struct table *table = cost_add_table(report, "Flushes, idle port");
  table_columns(table, "state", "n|compute units", "q|entries", "d|entries", "FLU_L1 WG|cycles", "FLU_L1 DV|cycles",
                NULL);
  for (size_t i = 0; i < rows.list.count; i++) {
    const struct occupancy *o = &rows.list.at[i];
    table_put_text(table, o->name);
    table_put_numbers(table, o->p.n, o->cus[0].q, o->cus[0].d, price_instr(report->arena, &o->p, o->cus, RSP_FLU_WG),
                      price_instr(report->arena, &o->p, o->cus, RSP_FLU_DV));
  }
  return true;
}

static void put_operation(struct table *table, const struct occupancy *o, const struct mapping *mapping,
                          const struct rsp_operation *operation) {
  table_put_numbers(table, o->p.n, o->cus[0].q, o->cus[0].d);
  table_put_text(table, mapping->name);
  table_put_text(table, operation->name);
  const struct mapping_cell *cell = mapping_find(mapping, operation->key);
  struct rsp_sequence sequence;
  if (!cell || rsp_sequence_of_cell(table->arena, cell, &sequence)) {
    for (int i = 0; i < 3; i++) table_put_empty(table);
    return;
  }
  struct rsp_price hit = rsp_price_operation(&o->p, o->cus, sequence, true);
  struct rsp_price miss = rsp_price_operation(&o->p, o->cus, sequence, false);
  table_put_numbers(table, hit.latency, miss.latency);
  table_put_number_where(table, hit.locked, hit.hold);
}

static bool add_operations(struct cost_report *report, struct mapping **mappings, size_t count, struct diags *diags) {
  struct occupancies rows = {0};
  if (!load_occupancies(report, "operations", &rows, diags)) return false;
  struct table *table = cost_add_table(report, "Operations, idle port");
  table_columns(table, "n|compute units", "q|entries", "d|entries", "mapping", "operation", "hit|cycles", "miss|cycles",
                "hold|cycles", NULL);
  for (size_t i = 0; i < rows.list.count; i++)
    for (size_t m = 0; m < count; m++)
      for (int o = 0; o < RSP_OPERATIONS; o++) put_operation(table, &rows.list.at[i], mappings[m], &rsp_operations[o]);
  return true;
}

/* What the operations are under each mapping, and why one has no price. */
static void add_sequences(struct cost_report *report, struct mapping **mappings, size_t count) {
  struct table *table = cost_add_table(report, "Instructions");
  table_columns(table, "mapping", "operation", "instructions", NULL);
  for (size_t m = 0; m < count; m++)
    for (int o = 0; o < RSP_OPERATIONS; o++) {
      const struct mapping_cell *cell = mapping_find(mappings[m], rsp_operations[o].key);
      struct rsp_sequence sequence;
      const char *fault = cell ? rsp_sequence_of_cell(report->arena, cell, &sequence) : "it has no <operation> for it";
      table_put_text(table, mappings[m]->name);
      table_put_text(table, rsp_operations[o].name);
      if (fault)
        table_put_text(table, arena_printf(report->arena, "no price: %s", fault));
      else
        table_put_text(table, mapping_cell_text(report->arena, cell));
    }
}

/* FLU_L1 DV against dirty lines, a curve for each number of compute units. */
static bool add_flush_plot(struct cost_report *report, struct diags *diags) {
  struct settings settings = cost_settings(report, "flush-plot", NULL, NULL);
  struct plot *plot = cost_add_plot(report, PLOT_LINES, "Flush of all L1s (FLU_L1 DV)",
                                    "dirty entries in each L1 (lines)", "time (cycles)");
  for (size_t i = 0; i < settings.list.count; i++) {
    struct rsp_parameters p;
    if (!rsp_setting_fill(&settings.list.at[i], &p, diags)) return false;
    struct rsp_cu *cus = ARENA_ARRAY(report->arena, struct rsp_cu, (size_t)p.n);
    struct plot_series *series =
        plot_add_series(plot, arena_printf(report->arena, "n = %d compute unit%s", (int)p.n, p.n > 1 ? "s" : ""));
    int64_t most = p.F < 64 ? p.F : 64, step = most < 16 ? 1 : most / 16;
    for (int64_t lines = 0; lines <= most; lines += step) {
      for (int64_t cu = 0; cu < p.n; cu++) cus[cu] = (struct rsp_cu){.q = lines, .d = lines};
      if (i == 0) *vec_push(report->arena, &plot->x) = (double)lines;
      plot_push(plot, series, (double)price_instr(report->arena, &p, cus, RSP_FLU_DV));
    }
  }
  return true;
}

static bool show_rsp_operations(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  struct mapping **mappings;
  size_t count;
  if (!load_mappings(request, &count, &mappings, diags)) return false;
  if (!add_flushes(report, diags) || !add_operations(report, mappings, count, diags)) return false;
  add_sequences(report, mappings, count);
  return add_flush_plot(report, diags);
}

const struct cost_view view_rsp_ops = {
    .name = "rsp-ops",
    .machine = "timing-rsp",
    .summary = "scoped GPU operations under compiler mappings: flushes, latency, time in the lock",
    .help = help_rsp_operations,
    .run = show_rsp_operations};

/* ---- rsp-steal ------------------------------------------------------------------------- */

enum { BASE, SCOPE, STEAL, REM }; /* then one REM for each further mapping */

static struct steal_scenario *make_scenarios(const struct cost_request *request, struct mapping **mappings,
                                             size_t count, struct diags *diags) {
  struct arena *arena = request->arena;
  struct mapping *published = mapping_load(arena, "rsp-original", request->search, diags);
  struct rsp_sequence device, group, remote;
  if (!published || !rsp_find_sequence(arena, published, RSP_RMW_DV, &device, diags)) return NULL;
  if (!rsp_find_sequence(arena, published, RSP_RMW_WG, &group, diags)) return NULL;
  struct steal_scenario *scenarios = ARENA_ARRAY(arena, struct steal_scenario, REM + count);
  scenarios[BASE].pop = scenarios[STEAL].pop = scenarios[STEAL].steal = device;
  scenarios[SCOPE].pop = group;
  scenarios[STEAL].steals = true;
  for (size_t i = 0; i < count; i++) {
    if (!rsp_find_sequence(arena, mappings[i], RSP_RMW_WG, &group, diags)) return NULL;
    if (!rsp_find_sequence(arena, mappings[i], RSP_RMW_REMOTE, &remote, diags)) return NULL;
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
  const struct cost_request *request;
  struct mapping **mappings;
  size_t count;
  struct steal_scenario *scenarios;
};

/* What the user gives for the heavy queues must fit the machine; where he makes it
 * smaller than a row needs, all its queues are heavy. */
static bool check_heavy(const struct setting *setting, const struct steal_workload *w, const struct rsp_parameters *p,
                        struct diags *diags) {
  if (w->h <= p->n || !setting_is_given(setting, "h")) return true;
  setting_error(setting, diags, "h", "h=%d heavy queues, but there are only n=%d", (int)w->h, (int)p->n);
  return false;
}

static bool add_workloads(const struct stealing *s, struct cost_report *report, const char *rows, const char *title,
                          struct plot *plot, struct diags *diags) {
  struct settings settings = cost_settings(report, rows, NULL, NULL);
  struct table *table = cost_add_table(report, title);
  add_steal_columns(table, s->mappings, s->count);
  size_t scenarios = REM + s->count;
  struct steal_result *results = ARENA_ARRAY(report->arena, struct steal_result, scenarios);
  int64_t sums[REM + 1] = {0};
  for (size_t i = 0; i < settings.list.count; i++) {
    const struct setting *setting = &settings.list.at[i];
    struct rsp_parameters p;
    struct steal_workload w;
    if (!rsp_setting_fill(setting, &p, diags)) return false;
    if (!setting_fill(setting, workload_fields, COUNT(workload_fields), &w, diags)) return false;
    if (!check_heavy(setting, &w, &p, diags)) return false;
    for (size_t k = 0; k < scenarios; k++) {
      cost_begin(report);
      results[k] = steal_simulate(report->arena, &p, &w, &s->scenarios[k], &report->limit);
      cost_end(report, results[k].events);
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

static bool show_rsp_stealing(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  struct stealing s = {.request = request};
  if (!load_mappings(request, &s.count, &s.mappings, diags)) return false;
  s.scenarios = make_scenarios(request, s.mappings, s.count, diags);
  if (!s.scenarios) return false;
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "Work stealing", "workload", "speed-up (times base)");
  static const char *const names[] = {"base", "scope", "steal", "rem"};
  for (size_t k = BASE; k <= REM; k++) plot_add_series(plot, names[k]);
  return add_workloads(&s, report, "workloads", "Work stealing", plot, diags) &&
         add_workloads(&s, report, "counterexamples", "Tasks as short as a remote steal", NULL, diags);
}

const struct cost_view view_rsp_steal = {
    .name = "rsp-steal",
    .machine = "timing-rsp",
    .summary = "work stealing with and without scopes and promotion: tasks of given sizes, four scenarios",
    .help = help_rsp_stealing,
    .run = show_rsp_stealing};
