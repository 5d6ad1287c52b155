/* SPDX-License-Identifier: MIT */
/* The views of the mesh of atomics: single transactions, throughput, placement policies. */
#include "hwsem/timing/amo_patterns.h"
#include "hwsem/timing/chart.h"
#include "hwsem/timing/program_machines.h"
#include "hwsem/timing/view_list.h"

#define BELIEVE                                                                                      \
  "What to believe: latencies of caches and mesh are published (Table 2); dir, buf, hb, alu, wr,\n"  \
  "ldx, win, early, mth, mdecay, mmax, fr and the threshold of 1/2 for the first decision of the\n"  \
  "Reuse predictors are chosen. Cores are in order and block; there are no prefetchers and no\n"     \
  "memory (every line starts in the last-level cache). The published application speed-ups (1.09,\n" \
  "1.31) are out of reach and not claimed.\n"

static const char help_amo_latency[] =
    "Cycles from issue to completion of one access on an idle machine: node 12 issues, the line's\n"
    "home is three hops away, node 18 is the other holder, one hop from the home. A far operation on\n"
    "a line that is unique in the issuer's own L1 is the pathological case that policies avoid.\n"
    "\n" BELIEVE;

static const char help_amo_throughput[] =
    "Atomic operations performed by `cycles` when n threads loop over one line: near (the line\n"
    "travels), far AtomicLoad and far AtomicStore (the operation travels), and far AtomicStore with\n"
    "win2 outstanding operations per core.\n"
    "\n"
    "iss is fitted: it brings the ratio of AtomicStore to near at 32 threads to 1.664 (published:\n"
    "1.56). With early=0 far operations never win: the round trip for operands must overlap with\n"
    "queueing. The published near curve falls gradually; here it falls at two threads and is flat.\n"
    "\n" BELIEVE;

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
    "\n" BELIEVE;

/* ---- amo-lat ---------------------------------------------------------------------------- */

static bool show_amo_latency(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  (void)request;
  struct setting setting = cost_settings(report, "patterns", "pattern", NULL).list.at[0];
  setting.row = ARENA_NEW(report->arena, struct assignments);
  struct amo_parameters p;
  if (!amo_setting_fill(&setting, &p, false, diags)) return false;
  struct table *table = cost_add_table(report, "Single transactions");
  table_columns(table, "case", "cycles|cycles", NULL);
  int64_t events = 0;
  cost_begin(report);
  for (size_t i = 0; i < amo_case_count; i++) {
    table_put_text(table, amo_cases[i].name);
    table_put_number(table, amo_case_latency(&p, &amo_cases[i], &events));
  }
  cost_end(report, events);
  return true;
}

const struct cost_view view_amo_lat = {.name = "amo-lat",
                                       .machine = "timing-amo",
                                       .summary = "near and far atomic operations: latency of single transactions",
                                       .help = help_amo_latency,
                                       .run = show_amo_latency};

/* ---- amo-throughput ---------------------------------------------------------------------- */

enum { NEAR, FAR_LOAD, FAR_STORE, FAR_WIDE, KINDS };

/* What was performed by how many threads, from one on. */
struct throughput {
  int64_t threads, performed[KINDS];
};

/* Throughput of near operations falls a little with each thread more, not by a third at once. */
static bool falls_gradually(const struct throughput *row, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (row[i].performed[NEAR] * 3 < row[i - 1].performed[NEAR] * 2) return false;
  return row[count - 1].performed[NEAR] < row[0].performed[NEAR];
}

static double gain(const struct throughput *row) {
  return (double)row->performed[FAR_STORE] / (double)row->performed[NEAR];
}

static void add_throughput_text(struct cost_report *report, const struct throughput *row, size_t count) {
  if (count < 3) return; /* the user gave a number of threads */
  struct table *table = cost_add_statements(report, "The paper's text on Figure 1");
  const struct throughput *last = &row[count - 1];
  cost_put_statement(table, "one thread does more near than far", gain(row) < 1, "%.1f times as many", 1 / gain(row));
  cost_put_statement(table, "many threads do more far than near: AtomicStore 1.56 times as many",
                     gain(last) > 1.4 && gain(last) < 1.7, "%.2f with %d threads", gain(last), (int)last->threads);
  cost_put_statement(table, "near operations fall gradually with threads", falls_gradually(row, count), "%d, %d, %d",
                     (int)row[0].performed[NEAR], (int)row[1].performed[NEAR], (int)row[2].performed[NEAR]);
}

static bool show_amo_throughput(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  (void)request;
  static const char *const names[] = {"near", "far AtomicLoad", "far AtomicStore", "far AtomicStore win2"};
  struct settings settings = cost_settings(report, "throughput", NULL, NULL);
  struct chart chart = {cost_add_table(report, "Operations on one line"),
                        cost_add_plot(report, PLOT_LINES, "Atomic operations on one line", "threads (number)",
                                      "operations (number in the given cycles)")};
  table_column(chart.table, "n", "threads");
  struct throughput *rows = ARENA_ARRAY(report->arena, struct throughput, settings.list.count + 1);
  for (int k = 0; k < KINDS; k++) chart_column(&chart, names[k], "operations");
  table_columns(chart.table, "AtomicLoad/near|times", "AtomicStore/near|times", NULL);
  for (size_t i = 0; i < settings.list.count; i++) {
    const struct setting *setting = &settings.list.at[i];
    struct amo_parameters p;
    if (!amo_setting_fill(setting, &p, false, diags)) return false;
    struct amo_parameters wide = p;
    wide.win = setting_number(setting, "win2", diags);
    int threads = (int)setting_number(setting, "n", diags);
    int64_t cycles = setting_number(setting, "cycles", diags);
    int64_t *performed = rows[i].performed, events = 0;
    rows[i].threads = threads;
    cost_begin(report);
    for (int k = 0; k < KINDS; k++) {
      struct amo_loop loop = {k == NEAR ? AMO_ALL_NEAR : AMO_ALL_FAR, k == FAR_LOAD ? AMO_FETCH : AMO_UPDATE, threads,
                              cycles};
      performed[k] = amo_throughput(k == FAR_WIDE ? &wide : &p, &loop, &report->limit, &events);
    }
    cost_end(report, events);
    if (report->limit.met) return true;
    table_put_number(chart.table, threads);
    *vec_push(report->arena, &chart.plot->x) = threads;
    for (int k = 0; k < KINDS; k++) chart_put_number(&chart, performed[k]);
    table_put_ratio(chart.table, performed[FAR_LOAD], performed[NEAR]);
    table_put_ratio(chart.table, performed[FAR_STORE], performed[NEAR]);
  }
  add_throughput_text(report, rows, settings.list.count);
  return true;
}

const struct cost_view view_amo_throughput = {
    .name = "amo-throughput",
    .machine = "timing-amo",
    .summary = "near and far atomic operations: throughput on one line against threads",
    .help = help_amo_throughput,
    .run = show_amo_throughput};

/* ---- amo-policy ---------------------------------------------------------------------------- */

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

static bool show_amo_policies(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  (void)request;
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
  for (size_t i = 0; i < settings.list.count; i++) {
    const struct setting *setting = &settings.list.at[i];
    struct amo_parameters p;
    if (!amo_setting_fill(setting, &p, false, diags)) return false;
    int pattern = (int)setting_number(setting, "pattern", diags);
    int64_t rounds = setting_number(setting, "R", diags), burst = setting_number(setting, "b", diags);
    if (rounds * burst > COST_OPERATIONS) {
      setting_error(setting, diags, "R", "R=%d rounds of b=%d operations are more than %d operations", (int)rounds,
                    (int)burst, COST_OPERATIONS);
      return false;
    }
    struct amo_result results[AMO_POLICY_COUNT];
    struct arena *arena = arena_new();
    struct amo_programs programs = amo_write_pattern(arena, (enum amo_pattern)pattern, rounds, burst);
    for (int k = 0; k < AMO_POLICY_COUNT; k++) {
      cost_begin(report);
      results[k] = amo_run_programs(&p, (enum amo_policy)k, &programs, &report->limit);
      cost_end(report, results[k].events);
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
