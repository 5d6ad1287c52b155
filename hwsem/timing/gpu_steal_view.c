/* SPDX-License-Identifier: MIT */
/* The view of programs on the GPU: Figures 8, 9 and 10 and Table 3 of the
 * promotion paper from runs of its three programs on generated graphs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/number.h"
#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_gpu_stealing[] =
    "Programs on GPU caches that hold data: shortest paths, colouring and page rank on generated\n"
    "graphs, as tasks in one deque per work-group. base: pops at device scope; scope: pops at\n"
    "work-group scope; steal: pops and steals at device scope; rem: pops at work-group scope,\n"
    "promoting steals. The first table is Figure 8 (with the geometric mean), then Figure 9 (times of\n"
    "work-groups in all kernels, over the mean of base), Figure 10 (misses of the L1s over base's),\n"
    "Table 3 next to the published shares, what moves, and tasks that spawn tasks. What moves has\n"
    "energies, per event from the description (el1, el2, ememory, emessage). Every answer is compared\n"
    "word by word with the same iterations on the host, and every task must run once: anything else\n"
    "ends the view with an error. -mapping chooses a scheme other than rsp-corrected; rsp-original is\n"
    "the published one.\n"
    "\n"
    "What to believe: caches, scopes and the deques are executed, and no number is fitted. The inputs\n"
    "are of the kinds of Table 2, smaller than its graphs; wavefronts of a work-group advance in\n"
    "step; F, mem, net, launch, work and lanes are chosen. A deque's head and tail share a word.\n"
    "Steals that fail have lost a race for the head. A vain look is one at a deque that seemed to\n"
    "hold tasks and had none: before a promotion, the common level may hold an old copy of the deque.\n";

enum { BASE, SCOPE, STEAL, REM, SCENARIOS };

static const struct scenario {
  const char *name;
  enum work_scope pop, steal;
  bool steals;
} scenarios[SCENARIOS] = {{"base", WORK_DEVICE, WORK_DEVICE, false},
                          {"scope", WORK_GROUP, WORK_GROUP, false},
                          {"steal", WORK_DEVICE, WORK_DEVICE, true},
                          {"rem", WORK_GROUP, WORK_REMOTE, true}};

/* ---- one program ---- */

struct case_runs {
  const char *name, *paper;
  uint32_t vertices, arcs;      /* 0: a tree */
  const struct program_job *of; /* one of each scenario */
  int64_t threads;
};

static struct graphs_options options_of(const struct setting *s, const struct graph *graph) {
  return (struct graphs_options){.program = (enum graphs_program)setting_number(s, "program"),
                                 .graph = graph,
                                 .threads = (unsigned)setting_number(s, "n"),
                                 .lanes = (unsigned)setting_number(s, "lanes"),
                                 .iterations = (unsigned)setting_number(s, "iterations"),
                                 .alu = setting_number(s, "work"),
                                 .most = (unsigned)setting_number(s, "most"),
                                 .nodes = (uint32_t)setting_number(s, "V"),
                                 .seed = (uint64_t)setting_number(s, "seed")};
}

/* The runs of a view. */
struct planning {
  struct cost_report *report;
  struct arena *inputs; /* of programs */
  const struct gpu_scheme *scheme;
  struct program_jobs jobs;
};

/* Plans a setting's scenarios. */
static bool plan_case(struct planning *p, const struct setting *setting, struct case_runs *runs) {
  struct program_job job = {
      .setting = setting, .kind = JOB_GRAPHS, .machine = {.kind = MACHINE_GPU, .scheme = *p->scheme}};
  if (!gpu_setting_fill(setting, &job.machine.gpu)) return false;
  bool tree = setting_number(setting, "program") == GRAPHS_TREE;
  uint32_t vertices = (uint32_t)setting_number(setting, "V");
  const struct graph *graph = tree ? NULL : graph_setting(p->inputs, setting, vertices, &p->report->limit);
  if (!tree && !graph) return false;
  job.graphs = options_of(setting, graph);
  *runs = (struct case_runs){.name = setting->name,
                             .paper = setting_text(setting, "paper"),
                             .vertices = tree ? 0 : graph->vertices,
                             .arcs = tree ? 0 : graph->arcs,
                             .threads = job.machine.gpu.rsp.n};
  for (const struct scenario *s = scenarios; s < scenarios + SCENARIOS; s++) {
    job.title = arena_printf(p->report->arena, "%s, scenario %s", setting->name, s->name);
    job.graphs.pop = s->pop;
    job.graphs.steal = s->steal;
    job.graphs.steals = s->steals;
    program_jobs_add(&p->jobs, &job);
  }
  return tree || graph_fits(setting, graph, job.graphs.lanes, "V");
}

/* ---- tables ---- */

/* A number of each scenario, and what those after base are over base's. */
static void add_scenario_columns(const struct chart *chart, const char *what, const char *unit) {
  for (int k = 0; k < SCENARIOS; k++)
    table_column(chart->table, arena_printf(chart->table->arena, "%s %s", what, scenarios[k].name), unit);
  for (int k = SCOPE; k < SCENARIOS; k++) chart_column(chart, scenarios[k].name, "times base");
}

/* Up to the columns of speed-ups. */
static void put_blanks(struct table *table) {
  while (table->cells.count % table->columns.count < table->columns.count - REM) table_put_empty(table);
}

static void add_speedups(struct cost_report *report, const struct case_runs *runs, size_t count, const char *title,
                         bool published) {
  static const int64_t paper[SCENARIOS] = {1000, 1070, 1180, 1250}; /* section 6 */
  struct chart chart = chart_add(report, PLOT_BARS, title, "program and input", "speed-up (times base)");
  struct table *table = chart.table;
  int64_t *milli = ARENA_ARRAY(report->arena, int64_t, SCENARIOS * (count + 1));
  table_columns(table, "workload", "vertices", "arcs", "kernels", "accesses", NULL);
  add_scenario_columns(&chart, "T", "cycles");
  for (size_t i = 0; i < count; i++) {
    const struct case_runs *c = &runs[i];
    chart_row(&chart, c->name);
    table_put_number(table, c->vertices ? c->vertices : c->of[BASE].tasks);
    table_put_number_where(table, c->vertices, c->arcs);
    table_put_numbers(table, (int64_t)c->of[BASE].run.gpu.kernels, c->of[BASE].accesses);
    for (int k = 0; k < SCENARIOS; k++) table_put_number(table, c->of[k].run.gpu.time);
    for (size_t k = SCOPE; k < SCENARIOS; k++) {
      milli[k * count + i] = table_milli(c->of[BASE].run.gpu.time, c->of[k].run.gpu.time);
      chart_put_milli(&chart, milli[k * count + i]);
    }
  }
  if (count < 2) return;
  chart_row(&chart, "geometric mean");
  put_blanks(table);
  for (size_t k = SCOPE; k < SCENARIOS; k++) chart_put_milli(&chart, table_geometric_mean(&milli[k * count], count));
  if (!published) return;
  table_put_text(table, "paper's average");
  put_blanks(table);
  for (int k = SCOPE; k < SCENARIOS; k++) table_put_milli(table, paper[k]);
}

/* Of all times of work-groups in kernels, the least, the quartiles and the greatest, over `mean`. */
static void put_quartiles(const struct chart *chart, struct plot_series *series, const struct gpu_result *result,
                          int64_t threads, int64_t sum, int64_t all) {
  size_t samples = result->kernels * (size_t)threads;
  int64_t *sorted = ARENA_COPY(chart->table->arena, int64_t, result->busy, samples);
  if (samples) qsort(sorted, samples, sizeof *sorted, number_compare);
  for (size_t q = 0; q < PLOT_BOX; q++) {
    size_t at = samples ? (samples - 1) * q / (PLOT_BOX - 1) : 0;
    table_put_ratio(chart->table, sorted[at] * all, sum);
    plot_push(chart->plot, series, sum ? (double)(sorted[at] * all) / (double)sum : 0);
  }
}

static void add_balance(struct cost_report *report, const struct case_runs *runs, size_t count) {
  static const char *const names[] = {"min", "25 %", "median", "75 %", "max"};
  struct chart chart = chart_add(report, PLOT_BOXES, "Times of work-groups (Figure 9)", "program and input",
                                 "time in a kernel (times the mean of base)");
  table_columns(chart.table, "workload", "scenario", NULL);
  for (int i = 0; i < PLOT_BOX; i++) table_column(chart.table, names[i], "times the mean of base");
  for (int k = 0; k < SCENARIOS; k++) plot_add_series(chart.plot, scenarios[k].name);
  for (size_t i = 0; i < count; i++) {
    int64_t sum = 0, all = (int64_t)runs[i].of[BASE].run.gpu.kernels * runs[i].threads;
    for (int64_t j = 0; j < all; j++) sum += runs[i].of[BASE].run.gpu.busy[j];
    plot_add_group(chart.plot, runs[i].name);
    for (int k = 0; k < SCENARIOS; k++) {
      table_put_text(chart.table, runs[i].name);
      table_put_text(chart.table, scenarios[k].name);
      put_quartiles(&chart, chart.plot->series.at[k], &runs[i].of[k].run.gpu, runs[i].threads, sum, all);
    }
  }
}

static void add_misses(struct cost_report *report, const struct case_runs *runs, size_t count) {
  struct chart chart =
      chart_add(report, PLOT_BARS, "Misses of the L1s (Figure 10)", "program and input", "misses (times base)");
  table_column(chart.table, "workload", NULL);
  add_scenario_columns(&chart, "misses", "lines");
  for (size_t i = 0; i < count; i++) {
    const struct program_job *of = runs[i].of;
    chart_row(&chart, runs[i].name);
    for (int k = 0; k < SCENARIOS; k++) table_put_number(chart.table, of[k].run.gpu.counts.l1_misses);
    for (int k = SCOPE; k < SCENARIOS; k++)
      chart_put_milli(&chart, table_milli(of[k].run.gpu.counts.l1_misses, of[BASE].run.gpu.counts.l1_misses));
  }
}

/* The i-th of the published shares, `9.0/9.7/1.6/0.7`; empty where there are none. */
static void put_published(struct table *table, const char *paper, int i) {
  const char *at = paper;
  for (; at && i > 0; i--) at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL;
  if (at && strcmp(paper, "none") != 0)
    table_put_text(table, arena_strndup(table->arena, at, strcspn(at, "/")));
  else
    table_put_empty(table);
}

static void put_steals(struct table *table, const struct case_runs *runs) {
  table_put_text(table, runs->name);
  for (int column = 0; column < 4; column++) {
    const struct program_job *o = &runs->of[column % 2 ? REM : STEAL];
    const struct deque_counts *d = &o->deques;
    if (column < 2)
      table_put_ratio(table, 100 * d->stolen, o->tasks);
    else
      table_put_ratio(table, 100 * d->fails, d->fails + d->steals);
    put_published(table, runs->paper, column);
  }
  table_put_numbers(table, runs->of[STEAL].deques.vain, runs->of[REM].deques.vain);
  const struct gpu_counts *base = &runs->of[BASE].run.gpu.counts, *rem = &runs->of[REM].run.gpu.counts;
  table_put_ratio(table, base->sync_cycles, base->sync_count);
  table_put_ratio(table, rem->remote_cycles, rem->remote_count);
}

static void add_steals(struct cost_report *report, const struct case_runs *runs, size_t count, const char *title) {
  struct table *table = cost_add_table(report, title);
  table_column(table, "workload", NULL);
  static const char *const names[] = {"stolen st", "stolen rem", "fails st", "fails rem"};
  for (int i = 0; i < 4; i++) {
    table_column(table, names[i], i < 2 ? "% of tasks" : "% of steals");
    table_column(table, arena_printf(report->arena, "paper's %s", names[i]), "%");
  }
  table_columns(table, "vain looks st", "vain looks rem", "sync|cycles per operation of base",
                "remote|cycles per operation of rem", NULL);
  for (size_t i = 0; i < count; i++) put_steals(table, &runs[i]);
}

/* ---- what the paper's text says ---- */

static double ratio_of(const struct case_runs *runs, int scenario) {
  return (double)runs->of[BASE].run.gpu.time / (double)runs->of[scenario].run.gpu.time;
}

static double mean_ratio(const struct case_runs *runs, size_t count, int scenario) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += log(ratio_of(&runs[i], scenario));
  return exp(sum / (double)count);
}

static double share(uint64_t part, uint64_t whole) {
  return whole ? 100 * (double)part / (double)whole : 0;
}

static double stolen(const struct case_runs *runs) {
  return share((uint64_t)runs->of[REM].deques.stolen, (uint64_t)runs->of[REM].tasks);
}

static double failed(const struct case_runs *runs, int scenario) {
  const struct deque_counts *d = &runs->of[scenario].deques;
  return share((uint64_t)d->fails, (uint64_t)(d->fails + d->steals));
}

/* Names of the programs that a statement about each does not hold of. */
static const char *list_exceptions(struct arena *arena, const char *list, const char *name) {
  return arena_printf(arena, "%s%s%s", list, *list ? ", " : "but for ", name);
}

/* A program is uneven where the published share of stolen tasks is above 2 %. */
static bool is_uneven(const struct case_runs *runs) {
  return strtod(runs->paper, NULL) > 2;
}

static void put_steal_text(struct table *table, const struct case_runs *runs, size_t count) {
  double even = 0, uneven = 100;
  const char *failing = "";
  for (size_t i = 0; i < count; i++) {
    if (is_uneven(&runs[i]))
      uneven = fmin(uneven, stolen(&runs[i]));
    else
      even = fmax(even, stolen(&runs[i]));
    if (fmax(failed(&runs[i], STEAL), failed(&runs[i], REM)) > 4)
      failing = list_exceptions(table->arena, failing, runs[i].name);
  }
  cost_put_statement(table, "most tasks are stolen in SSSP-1, color-1, PR-1, PR-3 (Table 3)", uneven > even,
                     "%.1f %% at least, others %.1f %% at most", uneven, even);
  cost_put_statement(table, "at most 4 % of the steals fail", !*failing, "%s", *failing ? failing : "in all");
}

/* For the paper's programs, each with its published shares: not where the user gave others. */
static void add_text(struct cost_report *report, const struct case_runs *runs, size_t count) {
  enum { PAPERS = 10 };
  if (count != PAPERS) return;
  struct table *table = cost_add_statements(report, "The paper's text");
  double scope = mean_ratio(runs, count, SCOPE), steal = mean_ratio(runs, count, STEAL),
         rem = mean_ratio(runs, count, REM);
  cost_put_statement(table, "on average promotion leads stealing, small scopes and base (Figure 8)",
                     rem > steal && steal > scope && scope > 1, "%.3f, %.3f, %.3f", rem, steal, scope);
  const char *below = "";
  for (size_t i = 0; i < count; i++)
    if (ratio_of(&runs[i], REM) < 0.98 * fmax(ratio_of(&runs[i], SCOPE), ratio_of(&runs[i], STEAL)))
      below = list_exceptions(report->arena, below, runs[i].name);
  cost_put_statement(table, "promotion gains what the better one of the two gains, in each program", !*below, "%s",
                     *below ? below : "in all");
  put_steal_text(table, runs, count);
}

/* Energy of what happens once, in pJ. */
struct energies {
  int64_t l1, l2, memory, message;
};

static struct energies energies_of(const struct setting *s) {
  return (struct energies){setting_number(s, "el1"), setting_number(s, "el2"), setting_number(s, "ememory"),
                           setting_number(s, "emessage")};
}

static void add_traffic(struct cost_report *report, const struct case_runs *runs, size_t count) {
  struct table *table = cost_add_table(report, "What moves");
  struct plot *plot =
      cost_add_plot(report, PLOT_BARS, "Energy of what moves", "program and input", "energy (times base)");
  struct energies e = energies_of(&report->given);
  table_columns(table, "workload", "scenario", "L1 lookups|lines", "L2 accesses|lines", "from memory|lines",
                "written|lines", "flushes|of an L1", "invalidations|of an L1", "commands|messages", "energy|nJ", NULL);
  for (int k = SCOPE; k < SCENARIOS; k++) plot_add_series(plot, scenarios[k].name);
  for (size_t i = 0; i < count; i++) {
    int64_t base = 0;
    plot_add_group(plot, runs[i].name);
    for (int k = 0; k < SCENARIOS; k++) {
      const struct gpu_counts *c = &runs[i].of[k].run.gpu.counts;
      int64_t energy = c->l1_accesses * e.l1 + c->l2_accesses * e.l2 + (c->l2_misses + c->writes) * e.memory +
                       c->messages * e.message;
      table_put_text(table, runs[i].name);
      table_put_text(table, scenarios[k].name);
      table_put_numbers(table, c->l1_accesses, c->l2_accesses, c->l2_misses, c->writes, c->flushes, c->invalidations,
                        c->messages, energy / 1000);
      if (k == BASE)
        base = energy;
      else
        plot_put(plot, base ? (double)energy / (double)base : 0);
    }
  }
}

/* ---- the view ---- */

/* Runs the rows of a table; *count of them came to an end. */
static struct case_runs *run_rows(struct cost_report *report, const struct gpu_scheme *scheme, const char *rows,
                                  size_t *count) {
  struct settings settings = cost_settings(report, rows, !strcmp(rows, "programs") ? "file" : NULL, "program");
  size_t all = settings.list.count;
  struct case_runs *runs = ARENA_ARRAY(report->arena, struct case_runs, all + 1);
  struct planning p = {report, arena_new(), scheme, {.arena = report->arena, .parameter = "program"}};
  bool good = true;
  for (size_t i = 0; i < all && good; i++) {
    good = plan_case(&p, &settings.list.at[i], &runs[i]);
    if (cost_is_late(report)) break;
  }
  good = good && program_jobs_run(report, &p.jobs);
  arena_free(p.inputs);
  for (*count = 0; (*count + 1) * SCENARIOS <= p.jobs.list.count; ++*count) {
    runs[*count].of = &p.jobs.list.at[*count * SCENARIOS];
    if (!runs[*count].of[SCENARIOS - 1].done) break;
  }
  return good ? runs : NULL;
}

/* Does the user ask for programs on graphs, or for trees of tasks? */
static bool wants(const struct cost_report *report, bool tree) {
  const struct setting *given = &report->given;
  if (setting_is_given(given, "program")) return (setting_number(given, "program") == GRAPHS_TREE) == tree;
  return !tree || !setting_is_given(given, "file");
}

static bool show_gpu_stealing(struct cost_report *report) {
  struct gpu_scheme scheme = {0};
  size_t count = 0;
  if (!gpu_scheme_load(report, &scheme)) return false;
  if (wants(report, false)) {
    struct case_runs *runs = run_rows(report, &scheme, "programs", &count);
    if (!runs) return false;
    add_speedups(report, runs, count, "Speed-up over base (Figure 8)", true);
    add_balance(report, runs, count);
    add_misses(report, runs, count);
    add_steals(report, runs, count, "Steals (Table 3)");
    add_text(report, runs, count);
    add_traffic(report, runs, count);
  }
  if (!wants(report, true)) return true;
  struct case_runs *trees = run_rows(report, &scheme, "spawning", &count);
  if (!trees) return false;
  add_speedups(report, trees, count, "Tasks that spawn tasks", false);
  add_steals(report, trees, count, "Steals of tasks that were spawned");
  return true;
}

const struct cost_view view_gpu_steal = {
    .name = "gpu-steal",
    .machine = "timing-gpu",
    .summary = "programs on GPU caches: work stealing with and without scopes and promotion",
    .help = help_gpu_stealing,
    .run = show_gpu_stealing,
    .slow = true};
