/* SPDX-License-Identifier: MIT */
/* Programs on the mesh of atomics: Figures 7 to 11 of the DynAMO paper from runs
 * of kernels under static policies and predictors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_amo_programs[] =
    "Kernels with real contention on the mesh of atomics: histograms, sparse matrix times vector,\n"
    "radix sort, breadth-first search, components, a task queue, counters, locks and barriers. They\n"
    "run under every static policy that keeps operations on unique lines near (rows of the\n"
    "description: a letter N or F for UC, UD, SC, SD and I; near=NNFNF tries another), and under the\n"
    "predictors. A far AtomicStore does not block its core until `win` are outstanding; the\n"
    "last-level cache is finite. Speed-ups are over AllNear: Figure 7 (static), Figure 8 (predictors\n"
    "next to the best static policy), Figure 9 (inputs), Figure 10 (the predictor's table) and Figure\n"
    "11 (distances and memory), then what determines Figures 7 and 8, the statements in the paper's\n"
    "text, each with whether it holds here, and what moves. Every answer is checked; a wrong one ends\n"
    "the view with an error.\n"
    "\n"
    "What to believe: caches, protocol, policies and predictors are executed. Cores are in order and\n"
    "their other accesses block, where the paper's are out of order; kernels stand for its programs\n"
    "and are small; there are no prefetchers. Energy is a sum of counts times energies of the\n"
    "description. The published order of Figure 7, PresentNear over UniqueNear and SharedFar below 1,\n"
    "holds for locks that are seldom contended, as in most of the paper's programs; the more threads\n"
    "want one at once, the more UniqueNear and SharedFar gain, as in its Radiosity (the table of\n"
    "contention). Metric falls behind Reuse as in Figure 8 in runs that come back to a line often\n"
    "enough: a Reuse entry changes to far after confmax useless visits (the table of lengths; Figure\n"
    "10: 3 bits gain most, 7 least). For the same reason PresentNear, which is far on lines that are\n"
    "not there from the first visit on, is ahead of both Reuse predictors here; it also helps that\n"
    "`win` outstanding updates hide the latency of those that go far needlessly: with one outstanding\n"
    "and a counter of 3 bits, the order is the paper's (the table of outstanding updates). Reuse-UN\n"
    "and Reuse-PN are alike, as mutexes with readers keep their confidence. UniqueNear loses on\n"
    "inputs with reuse (Figure 9) where updates block their core (win=1); with more outstanding,\n"
    "their latency is hidden. In Figure 11 the gain grows with the distance, and memory changes\n"
    "little.\n";

/* ---- policies ---- */

/* A column: a static policy by its letters, or a predictor. */
struct policy {
  const char *name;
  enum amo_policy kind;
  int64_t near;
};

enum { MOST_POLICIES = 40 };

struct policies {
  struct policy at[MOST_POLICIES];
  size_t count, statics; /* the static ones come first; the very first is what the others are compared with */
};

static struct policy policy_of(enum amo_policy kind) {
  return (struct policy){amo_policy_names[kind], kind, 0};
}

static bool load_policies(struct cost_report *report, struct policies *all) {
  struct settings rows = cost_settings(report, "static", NULL, NULL);
  *all = (struct policies){.at[0] = policy_of(AMO_ALL_NEAR), .count = 1};
  for (size_t i = 0; i < rows.list.count && all->count + 3 < MOST_POLICIES; i++) {
    struct policy *policy = &all->at[all->count++];
    *policy = (struct policy){rows.list.at[i].name, AMO_TABLE, 0};
    if (!amo_letters_read(&rows.list.at[i], &policy->near)) return false;
  }
  all->statics = all->count;
  for (enum amo_policy kind = AMO_METRIC; kind <= AMO_REUSE_PN; kind++) all->at[all->count++] = policy_of(kind);
  return true;
}

/* Plans a run of a setting with the parameters `p`; returns its number. */
static size_t plan_run(struct program_jobs *jobs, const struct setting *setting, const struct amo_parameters *p,
                       struct policy policy) {
  struct program_machine machine = {.kind = MACHINE_AMO, .amo = *p, .policy = policy.kind};
  machine.amo.near = policy.near;
  return program_jobs_add_amo(jobs, setting, &machine, policy.name);
}

/* ---- what figures are made of ---- */

/* Tables of speed-ups under a few policies: of kernels on other inputs, or means over all kernels with other predictors
 * or on other systems. */
enum { INPUTS, PREDICTORS, SYSTEMS, CONTENTION, LENGTHS, ORDER, COMPARISONS, MOST_COLUMNS = 3 };
static const struct comparison {
  const char *rows, *title, *what;
  bool means;
  size_t width;
  enum amo_policy policies[MOST_COLUMNS];
} comparisons[COMPARISONS] = {
    [INPUTS] = {"inputs", "Inputs (Figure 9)", "kernel and input", false, 2, {AMO_UNIQUE_NEAR, AMO_REUSE_PN}},
    [PREDICTORS] = {"predictors", "The predictor's table (Figure 10)", "setting", true, 1, {AMO_REUSE_PN}},
    [SYSTEMS] = {"systems", "Distances and memory (Figure 11)", "setting", true, 1, {AMO_REUSE_PN}},
    [CONTENTION] = {"contention",
                    "Contention of locks, which decides Figure 7",
                    "locks",
                    false,
                    3,
                    {AMO_UNIQUE_NEAR, AMO_PRESENT_NEAR, AMO_SHARED_FAR}},
    [LENGTHS] = {"lengths",
                 "Lengths of runs, which decide Figure 8",
                 "kernel and size",
                 false,
                 3,
                 {AMO_METRIC, AMO_REUSE_UN, AMO_REUSE_PN}},
    [ORDER] = {"order",
               "Outstanding updates and counters, which decide PresentNear against Reuse",
               "setting",
               true,
               3,
               {AMO_PRESENT_NEAR, AMO_REUSE_UN, AMO_REUSE_PN}},
};

/* A speed-up: two runs. */
struct ratio {
  size_t base, own;
};

/* A cell is the mean of `depth` ratios: [(row * width + column) * depth + kernel]. */
struct figure {
  struct settings rows;
  size_t width, depth;
  struct ratio *ratio;
};

struct figures {
  struct program_jobs jobs;
  struct policies policies;
  struct settings kernels;
  size_t *grid; /* runs: [kernel * policies + policy] */
  struct figure of[COMPARISONS];
};

static bool plan_grid(struct cost_report *report, struct figures *f) {
  if (!load_policies(report, &f->policies)) return false;
  f->kernels = cost_settings(report, "kernels", NULL, "kernel");
  f->grid = ARENA_ARRAY(report->arena, size_t, f->kernels.list.count * f->policies.count + 1);
  for (size_t i = 0; i < f->kernels.list.count; i++) {
    struct amo_parameters p;
    if (!amo_setting_fill(&f->kernels.list.at[i], &p, true)) return false;
    for (size_t k = 0; k < f->policies.count; k++)
      f->grid[i * f->policies.count + k] = plan_run(&f->jobs, &f->kernels.list.at[i], &p, f->policies.at[k]);
  }
  return true;
}

/* What the rows of means vary. */
static bool vary(const struct setting *system, struct amo_parameters *p) {
  struct amo_parameters other;
  if (!amo_setting_fill(system, &other, true)) return false;
  p->hop = other.hop;
  p->mem = other.mem;
  p->win = other.win;
  p->amt = other.amt;
  p->amtways = other.amtways;
  p->confmax = other.confmax;
  return true;
}

static bool plan_comparison(struct cost_report *report, struct figures *f, int of) {
  const struct comparison *c = &comparisons[of];
  struct settings rows = cost_settings(report, c->rows, NULL, c->means ? NULL : "kernel");
  size_t depth = c->means ? f->kernels.list.count : 1;
  bool alone = !c->means && rows.list.count == 1 && !strcmp(rows.list.at[0].name, "given");
  if (alone && of != INPUTS) return true; /* there is nothing to compare */
  struct ratio *ratio = ARENA_ARRAY(report->arena, struct ratio, rows.list.count * c->width * depth + 1);
  f->of[of] = (struct figure){rows, c->width, depth, ratio};
  for (size_t i = 0; i < rows.list.count; i++)
    for (size_t k = 0; k < depth; k++) {
      struct amo_parameters p;
      const struct setting *row = &rows.list.at[i], *setting = c->means ? &f->kernels.list.at[k] : row;
      if (!amo_setting_fill(setting, &p, true) || (c->means && !vary(row, &p))) return false;
      for (size_t column = 0; column < c->width; column++)
        ratio[(i * c->width + column) * depth + k] =
            (struct ratio){plan_run(&f->jobs, setting, &p, policy_of(AMO_ALL_NEAR)),
                           plan_run(&f->jobs, setting, &p, policy_of(c->policies[column]))};
    }
  return true;
}

/* How many rows came to an end. */
static size_t rows_done(const struct figures *f, int of) {
  const struct figure *figure = &f->of[of];
  size_t row = figure->width * figure->depth, all = figure->rows.list.count * row;
  for (size_t i = 0; i < all; i++)
    if (!f->jobs.list.at[figure->ratio[i].base].done || !f->jobs.list.at[figure->ratio[i].own].done) return i / row;
  return figure->rows.list.count;
}

static int64_t cell_milli(const struct figures *f, int of, size_t row, size_t column) {
  const struct figure *figure = &f->of[of];
  const struct ratio *ratio = &figure->ratio[(row * figure->width + column) * figure->depth];
  int64_t *milli = ARENA_ARRAY(f->jobs.arena, int64_t, figure->depth + 1);
  for (size_t k = 0; k < figure->depth; k++)
    milli[k] = table_milli(f->jobs.list.at[ratio[k].base].run.cycles, f->jobs.list.at[ratio[k].own].run.cycles);
  return table_geometric_mean(milli, figure->depth);
}

/* ---- Figures 7 and 8 ---- */

static const struct amo_result *grid_result(const struct figures *f, size_t kernel, size_t policy) {
  return &f->jobs.list.at[f->grid[kernel * f->policies.count + policy]].run.amo;
}

/* How many kernels came to an end under all policies. */
static size_t grid_done(const struct figures *f) {
  size_t i = 0;
  while (i < f->kernels.list.count * f->policies.count && f->jobs.list.at[f->grid[i]].done) i++;
  return f->policies.count ? i / f->policies.count : 0;
}

static int64_t speedup(const struct figures *f, size_t kernel, size_t policy) {
  return table_milli(grid_result(f, kernel, 0)->finish, grid_result(f, kernel, policy)->finish);
}

static int64_t best_static(const struct figures *f, size_t kernel) {
  int64_t best = 0;
  for (size_t k = 0; k < f->policies.statics; k++)
    if (speedup(f, kernel, k) > best) best = speedup(f, kernel, k);
  return best;
}

/* A table of speed-ups: policies first .. end - 1, and the best static one. */
static void add_speedups(struct cost_report *report, const struct figures *f, const char *title, size_t first,
                         size_t end) {
  struct chart chart = chart_add(report, PLOT_BARS, title, "kernel", "speed-up (times AllNear)");
  size_t columns = end - first + 1, count = grid_done(f);
  int64_t *milli = ARENA_ARRAY(report->arena, int64_t, columns * (count + 1));
  table_columns(chart.table, "kernel", "AllNear|cycles", NULL);
  for (size_t k = first; k < end; k++) chart_column(&chart, f->policies.at[k].name, "times AllNear");
  chart_column(&chart, "Best Static", "times AllNear");
  for (size_t i = 0; i < count; i++) {
    chart_row(&chart, f->kernels.list.at[i].name);
    table_put_number(chart.table, grid_result(f, i, 0)->finish);
    for (size_t c = 0; c < columns; c++) {
      milli[c * count + i] = c + 1 < columns ? speedup(f, i, first + c) : best_static(f, i);
      chart_put_milli(&chart, milli[c * count + i]);
    }
  }
  if (count < 2) return;
  chart_row(&chart, "geometric mean");
  table_put_empty(chart.table);
  for (size_t c = 0; c < columns; c++) chart_put_milli(&chart, table_geometric_mean(&milli[c * count], count));
}

/* ---- Figures 9, 10 and 11, and what decides the others ---- */

static void add_comparison(struct cost_report *report, const struct figures *f, int of) {
  const struct comparison *c = &comparisons[of];
  struct chart chart = chart_add(report, PLOT_BARS, c->title, c->what,
                                 c->means ? "speed-up (times AllNear, geometric mean)" : "speed-up (times AllNear)");
  table_column(chart.table, c->what, NULL);
  for (size_t k = 0; k < c->width; k++)
    chart_column(&chart, amo_policy_names[c->policies[k]],
                 c->means ? "times AllNear, geometric mean" : "times AllNear");
  for (size_t i = 0, done = rows_done(f, of); i < done; i++) {
    chart_row(&chart, f->of[of].rows.list.at[i].name);
    for (size_t k = 0; k < c->width; k++) chart_put_milli(&chart, cell_milli(f, of, i, k));
  }
}

/* ---- what the paper's text says ---- */

/* The mean speed-up of all kernels under a policy; NULL: under each one's best static policy. */
static double mean_of(const struct figures *f, const char *name) {
  int64_t *milli = ARENA_ARRAY(f->jobs.arena, int64_t, f->kernels.list.count + 1);
  size_t policy = 0, kernels = f->kernels.list.count;
  while (name && policy + 1 < f->policies.count && strcmp(f->policies.at[policy].name, name) != 0) policy++;
  for (size_t k = 0; k < kernels; k++) milli[k] = name ? speedup(f, k, policy) : best_static(f, k);
  return (double)table_geometric_mean(milli, kernels) / 1000;
}

static void put_static_text(struct table *table, const struct figures *f) {
  double present = mean_of(f, "PresentNear"), unique = mean_of(f, "UniqueNear"), dirty = mean_of(f, "DirtyNear"),
         shared = mean_of(f, "SharedFar");
  cost_put_statement(table, "PresentNear is the best static policy on average (Figure 7)",
                     present > unique && present > dirty && present > shared && present > 1,
                     "%.3f; UniqueNear %.3f, DirtyNear %.3f, SharedFar %.3f", present, unique, dirty, shared);
  cost_put_statement(table, "SharedFar does worse than AllNear on average", shared < 1, "%.3f", shared);
}

static void put_predictor_text(struct table *table, const struct figures *f) {
  double present = mean_of(f, "PresentNear"), by_metric = mean_of(f, "Metric"), un = mean_of(f, "Reuse-UN"),
         pn = mean_of(f, "Reuse-PN"), best = mean_of(f, NULL);
  double least = 2;
  for (size_t k = 0; k < f->kernels.list.count; k++) {
    double here = (double)speedup(f, k, f->policies.count - 1) / 1000;
    least = here < least ? here : least;
  }
  cost_put_statement(table, "both Reuse predictors beat PresentNear (Figure 8)", un > present && pn > present,
                     "UN %.3f, PN %.3f; PresentNear %.3f", un, pn, present);
  cost_put_statement(table, "both beat Metric, which beats AllNear", un > by_metric && pn > by_metric && by_metric > 1,
                     "UN %.3f, PN %.3f; Metric %.3f", un, pn, by_metric);
  cost_put_statement(table, "Reuse-PN does better than Reuse-UN", pn > un, "%.3f; UN %.3f", pn, un);
  cost_put_statement(table, "the best static policy of each program is not reached", un < best && pn < best, "%.3f",
                     best);
  cost_put_statement(table, "Reuse-PN is never slower than AllNear", least > 0.995, "%.3f at least", least);
}

/* Rows of a table of means from one on to another: do they rise? */
static bool rises(const double *mean, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (mean[i] <= mean[i - 1]) return false;
  return true;
}

static double named_mean(const struct figures *f, int of, const char *name) {
  const struct settings *rows = &f->of[of].rows;
  size_t row = 0;
  while (row + 1 < rows->list.count && strcmp(rows->list.at[row].name, name) != 0) row++;
  return (double)cell_milli(f, of, row, 0) / 1000;
}

static void put_system_text(struct table *table, const struct figures *f) {
  double small = named_mean(f, PREDICTORS, "32 entries"), large = named_mean(f, PREDICTORS, "256 entries");
  cost_put_statement(table, "small tables do, larger ones lose (Figure 10)", small > large, "32: %.3f, 256: %.3f",
                     small, large);
  const double bits[] = {named_mean(f, PREDICTORS, "3 bits"), named_mean(f, PREDICTORS, "128 entries, 4 ways, 5 bits"),
                         named_mean(f, PREDICTORS, "7 bits")};
  cost_put_statement(table, "a counter of 5 bits is best", bits[1] > bits[0] && bits[1] > bits[2],
                     "3: %.3f, 5: %.3f, 7: %.3f", bits[0], bits[1], bits[2]);
  const double hops[] = {named_mean(f, SYSTEMS, "NoC-1c"), named_mean(f, SYSTEMS, "original"),
                         named_mean(f, SYSTEMS, "NoC-3c")};
  cost_put_statement(table, "the gain grows with the distance (Figure 11)", rises(hops, 3), "%.3f, %.3f, %.3f", hops[0],
                     hops[1], hops[2]);
  double fast = named_mean(f, SYSTEMS, "Half-Lat"), slow = named_mean(f, SYSTEMS, "Double-Lat");
  cost_put_statement(table, "memory hardly matters", fabs(fast - slow) < 0.05, "%.3f, %.3f", fast, slow);
}

/* For all of the paper's figures only: not where the user gave a kernel, or a limit was reached. */
static void add_text(struct cost_report *report, const struct figures *f) {
  bool whole = f->kernels.list.count > 1 && grid_done(f) == f->kernels.list.count;
  for (int of = 0; of < COMPARISONS; of++)
    whole = whole && (!comparisons[of].means || rows_done(f, of) == f->of[of].rows.list.count);
  if (!whole) return;
  struct table *table = cost_add_statements(report, "The paper's text");
  put_static_text(table, f);
  put_predictor_text(table, f);
  put_system_text(table, f);
}

/* ---- what moves ---- */

static void add_traffic(struct cost_report *report, const struct figures *f) {
  struct table *table = cost_add_table(report, "What moves");
  table_columns(table, "kernel", "policy", "near|operations", "far|operations", "events", "control|message hops",
                "data|line hops", "from memory|lines", "energy|nJ", NULL);
  for (size_t i = 0, count = grid_done(f); i < count; i++) {
    const struct setting *s = &f->kernels.list.at[i];
    for (size_t k = 0; k < f->policies.count; k++) {
      const struct amo_result *r = grid_result(f, i, k);
      struct amo_energy energy = amo_energy_of(s, r);
      table_put_text(table, s->name);
      table_put_text(table, f->policies.at[k].name);
      table_put_numbers(table, r->near, r->far, r->events, r->control_hops, r->data_hops, r->memory_lines,
                        (energy.network + energy.memory) / 1000);
    }
  }
}

static bool show_amo_programs(struct cost_report *report) {
  struct figures f = {.jobs = {.arena = report->arena, .parameter = "kernel"}};
  if (!plan_grid(report, &f)) return false;
  for (int of = 0; of < COMPARISONS; of++)
    if (!plan_comparison(report, &f, of)) return false;
  if (!program_jobs_run(report, &f.jobs)) return false;
  add_speedups(report, &f, "Static policies (Figure 7)", 1, f.policies.statics);
  add_speedups(report, &f, "Predictors (Figure 8)", f.policies.statics, f.policies.count);
  for (int of = 0; of < COMPARISONS; of++)
    if (f.of[of].width) add_comparison(report, &f, of);
  add_text(report, &f);
  add_traffic(report, &f);
  return true;
}

const struct cost_view view_amo_programs = {
    .name = "amo-programs",
    .machine = "timing-amo-run",
    .summary = "near and far atomic operations: kernels under static policies and predictors",
    .help = help_amo_programs,
    .run = show_amo_programs,
    .slow = true};
