/* SPDX-License-Identifier: MIT */
/* The view of throughput on one line of the mesh of atomics. */
#include "hwsem/timing/amo_patterns.h"
#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_amo_throughput[] =
    "Atomic operations performed by `cycles` when n threads loop over one line: near (the line\n"
    "travels), far AtomicLoad and far AtomicStore (the operation travels), and far AtomicStore with\n"
    "win2 outstanding operations per core.\n"
    "\n"
    "iss is fitted: it brings the ratio of AtomicStore to near at 32 threads to 1.664 (published:\n"
    "1.56). With early=0 far operations never win: the round trip for operands must overlap with\n"
    "queueing. The published near curve falls gradually; here it falls at two threads and is flat.\n"
    "\n" AMO_BELIEVE;

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

static bool show_amo_throughput(struct cost_report *report) {
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
    if (!amo_setting_fill(setting, &p, false)) return false;
    struct amo_parameters wide = p;
    wide.win = setting_number(setting, "win2");
    int threads = (int)setting_number(setting, "n");
    int64_t cycles = setting_number(setting, "cycles");
    int64_t *performed = rows[i].performed, events = 0;
    rows[i].threads = threads;
    cost_begin(&report->effort);
    for (int k = 0; k < KINDS; k++) {
      struct amo_loop loop = {k == NEAR ? AMO_ALL_NEAR : AMO_ALL_FAR, k == FAR_LOAD ? AMO_FETCH : AMO_UPDATE, threads,
                              cycles};
      performed[k] = amo_throughput(k == FAR_WIDE ? &wide : &p, &loop, &report->limit, &events);
    }
    cost_end(&report->effort, events);
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
