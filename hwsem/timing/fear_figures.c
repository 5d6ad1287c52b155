/* SPDX-License-Identifier: MIT */
/* Figures 5 to 9: runs, and what is made of them. */
#include "hwsem/timing/fear_figures.h"


#include "checker/base/array.h"
#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/view_list.h"

static const struct fear_sweep fear_parts = {.table = "parts", .own = {"k", "layout", "spec"}};
static const struct fear_sweep fear_sweeps[FEAR_SWEEPS] = {
    {"rings", "Ring size", "members of a ring (nodes)", {"k", "layout"}, false},
    {"mutexes", "Mutexes", "mutexes (number)", {"M"}, false},
    {"wires", "Busy wires", "busy wires of a ring (number)", {"B", "u"}, false},
    {"tables", "Lookup tables", "entries of a requester's table (number)", {"LUT"}, false},
    {"epochs", "Epoch length", "epoch (cycles)", {"E"}, false},
};

/* ---- runs: planned, then done together ---- */

/* Plans a run and returns its number: the defaults are a point of every sweep.  A workload has a thread on each core,
 * with as much to do on any machine. */
static size_t plan_run(struct fear_figures *f, const struct fear_benchmark *program,
                       const struct fear_mesh_parameters *p) {
  struct program_job job = {.setting = program->setting,
                            .title = program->setting->name,
                            .machine = {.kind = MACHINE_FEAR, .fear = *p},
                            .kind = program->runs ? JOB_KERNEL : JOB_PATTERN,
                            .kernel = program->kernel,
                            .sharing = program->sharing};
  job.kernel.threads = program_machine_cores(&job.machine);
  job.kernel.size *= job.kernel.threads;
  return program_jobs_add(&f->jobs, &job);
}

static size_t plan_memside(struct fear_figures *f, const struct fear_benchmark *program,
                           struct fear_mesh_parameters p) {
  p.memside = 1;
  return plan_run(f, program, &p);
}

static bool begin(struct cost_report *report, struct fear_figures *f, const struct fear_figures_view *view) {
  *f = (struct fear_figures){.jobs = {.arena = report->arena, .parameter = "kernel"},
                             .programs = cost_settings(report, view->table, view->alone, NULL)};
  f->program = ARENA_ARRAY(report->arena, struct fear_benchmark, f->programs.list.count);
  for (size_t i = 0; i < f->programs.list.count; i++) {
    struct fear_benchmark *program = &f->program[i];
    program->setting = &f->programs.list.at[i];
    if (!fear_mesh_setting_fill(program->setting, &program->p) || !view->fill(program)) return false;
    program->memside = plan_memside(f, program, program->p);
  }
  return true;
}

/* Rows of other sizes are left out where a ring or the nodes that only answer, as the user gave them, do not fit. */
static bool is_machine(const struct setting *s) {
  int64_t side = setting_number(s, "W"), k = setting_number(s, "k");
  return setting_number(s, "mems") < side * side && (k == 0 || side * side % k == 0);
}

static bool plan(struct cost_report *report, struct fear_figures *f, const struct fear_sweep *sweep,
                 struct fear_figure *figure) {
  struct settings settings = cost_settings(report, sweep->table, sweep->own[0], NULL);
  size_t programs = f->programs.list.count;
  figure->count = 0;
  figure->row = ARENA_ARRAY(report->arena, struct fear_row, settings.list.count + 1);
  for (size_t s = 0; s < settings.list.count; s++) {
    struct fear_mesh_parameters set;
    if (sweep->machines && !is_machine(&settings.list.at[s])) continue;
    if (!fear_mesh_setting_fill(&settings.list.at[s], &set)) return false;
    struct fear_row *row = &figure->row[figure->count++];
    *row = (struct fear_row){settings.list.at[s].name, ARENA_ARRAY(report->arena, size_t, programs + 1),
                             ARENA_ARRAY(report->arena, size_t, programs + 1)};
    for (size_t i = 0; i < programs; i++) {
      struct fear_mesh_parameters p = f->program[i].p;
      for (int k = 0; k < FEAR_OWN && sweep->own[k]; k++)
        *fear_mesh_parameter(&p, sweep->own[k]) = *fear_mesh_parameter(&set, sweep->own[k]);
      row->run[i] = plan_run(f, &f->program[i], &p);
      row->memside[i] = sweep->machines ? plan_memside(f, &f->program[i], p) : f->program[i].memside;
    }
  }
  return true;
}

/* ---- their results ---- */

size_t fear_figure_done(const struct fear_figures *f, const struct fear_figure *figure) {
  for (size_t s = 0; s < figure->count; s++)
    for (size_t i = 0; i < f->programs.list.count; i++)
      if (!f->jobs.list.at[figure->row[s].run[i]].done || !f->jobs.list.at[figure->row[s].memside[i]].done) return s;
  return figure->count;
}

const struct fear_result *fear_figure_result(const struct fear_figures *f, size_t run) {
  return &f->jobs.list.at[run].run.fear;
}

double fear_figure_speedup(const struct fear_figures *f, const struct fear_row *row, size_t program) {
  int64_t end = fear_figure_result(f, row->run[program])->end;
  return (double)fear_figure_result(f, row->memside[program])->end / (double)(end ? end : 1);
}

/* ---- what each part contributes ---- */

void fear_put_result(struct table *table, const struct fear_result *result, bool rings) {
  const int64_t counts[] = {result->cached, result->speculative, result->fetched};
  table_put_ratio(table, result->acquisition, rings ? result->operations : 0);
  table_put_ratio(table, result->latency, result->operations);
  for (int i = 0; i < 3; i++) table_put_number_where(table, rings, counts[i]);
}

static void put_result(struct table *table, const struct fear_figures *f, size_t program, const char *name,
                       size_t run) {
  const struct fear_result *memside = fear_figure_result(f, f->program[program].memside),
                           *result = fear_figure_result(f, run);
  table_put_text(table, f->program[program].setting->name);
  table_put_text(table, name);
  table_put_number(table, result->end);
  table_put_ratio(table, memside->end, result->end);
  fear_put_result(table, result, result != memside);
  table_put_numbers(table, result->network.messages, result->network.hops);
  table_put_ratio(table, result->network.cycles - result->network.unloaded, result->network.messages);
}

static void add_parts(struct cost_report *report, const struct fear_figures *f, const struct fear_figure *parts) {
  struct chart chart = chart_add(report, PLOT_BARS, "What each part contributes", "program", "speed-up over memside");
  table_columns(chart.table, "program", "configuration", "end|cycles", "speed-up", FEAR_RESULT_COLUMNS, "messages",
                "hops", "queueing|network cycles", NULL);
  for (size_t k = 0; k < parts->count; k++) plot_add_series(chart.plot, parts->row[k].name);
  if (fear_figure_done(f, parts) < parts->count) return;
  for (size_t i = 0; i < f->programs.list.count; i++) {
    put_result(chart.table, f, i, "memside", f->program[i].memside);
    plot_add_group(chart.plot, f->program[i].setting->name);
    for (size_t k = 0; k < parts->count; k++) {
      put_result(chart.table, f, i, parts->row[k].name, parts->row[k].run[i]);
      plot_put(chart.plot, fear_figure_speedup(f, &parts->row[k], i));
    }
  }
}

/* ---- energy ---- */

/* Returns it over that of memside. */
static double put_energy(struct table *table, const struct fear_figures *f, size_t program, const char *name,
                         size_t run) {
  const struct program_job *memside = &f->jobs.list.at[f->program[program].memside], *of = &f->jobs.list.at[run];
  struct fear_mesh_energy least = fear_mesh_energy(&memside->machine.fear, &memside->run.fear),
                          energy = fear_mesh_energy(&of->machine.fear, &of->run.fear);
  int64_t all = energy.network + energy.caches, base = least.network + least.caches;
  table_put_text(table, f->program[program].setting->name);
  table_put_text(table, name);
  table_put_numbers(table, of->run.fear.network.flit_hops, of->run.fear.l1, of->run.fear.lines, of->run.fear.atomics,
                    energy.network / 1000, energy.caches / 1000, all / 1000);
  table_put_ratio(table, all, base);
  table_put_number(table, energy.tables / 1000);
  return base ? (double)all / (double)base : 0;
}

/* What a run moves, and what that takes. */
static void add_energy(struct cost_report *report, const struct fear_figures *f, const struct fear_figure *parts) {
  struct table *table = cost_add_table(report, "What moves");
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "Energy", "program", "energy (times memside)");
  table_columns(table, "program", "configuration", "flit hops", "L1|accesses", "L2|lines", "at the L2|operations",
                "network|nJ", "caches|nJ", "both|nJ", "times memside", "tables|nJ", NULL);
  for (size_t k = 0; k < parts->count; k++) plot_add_series(plot, parts->row[k].name);
  if (fear_figure_done(f, parts) < parts->count) return;
  for (size_t i = 0; i < f->programs.list.count; i++) {
    put_energy(table, f, i, "memside", f->program[i].memside);
    plot_add_group(plot, f->program[i].setting->name);
    for (size_t k = 0; k < parts->count; k++)
      plot_put(plot, put_energy(table, f, i, parts->row[k].name, parts->row[k].run[i]));
  }
}

/* ---- sweeps: a row for each value, a column for each program ---- */

static void add_sweep(struct cost_report *report, const struct fear_sweep *sweep, const struct fear_figures *f,
                      const struct fear_figure *figure) {
  size_t count = f->programs.list.count, done = fear_figure_done(f, figure);
  struct chart chart = chart_add(report, PLOT_LINES, sweep->title, sweep->axis, "speed-up over memside");
  table_column(chart.table, sweep->own[0], NULL);
  for (size_t i = 0; i < count; i++) chart_column(&chart, f->program[i].setting->name, NULL);
  chart.plot->close_up = true;
  ARRAY_EACH (const struct fear_row, row, figure->row, done) {
    chart_row(&chart, row->name);
    for (size_t i = 0; i < count; i++)
      chart_put_ratio(&chart, fear_figure_result(f, row->memside[i])->end, fear_figure_result(f, row->run[i])->end);
  }
}

bool fear_figures_show(struct cost_report *report, const struct fear_figures_view *view) {
  struct fear_figures f;
  struct fear_figure parts, sizes, sweeps[FEAR_SWEEPS];
  if (!begin(report, &f, view) || !plan(report, &f, &fear_parts, &parts) ||
      (view->own && !plan(report, &f, view->own, &sizes)))
    return false;
  for (size_t i = 0; i < FEAR_SWEEPS; i++)
    if (!plan(report, &f, &fear_sweeps[i], &sweeps[i])) return false;
  if (!program_jobs_run(report, &f.jobs)) return false;
  add_parts(report, &f, &parts);
  view->tell(report, &f, &parts, sweeps);
  for (size_t i = 0; i < FEAR_SWEEPS; i++) add_sweep(report, &fear_sweeps[i], &f, &sweeps[i]);
  if (view->own) add_sweep(report, view->own, &f, &sizes);
  add_energy(report, &f, &parts);
  return true;
}
