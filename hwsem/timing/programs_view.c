/* SPDX-License-Identifier: MIT */
/* The view that runs every program on every machine. */
#include <string.h>

#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_programs[] =
    "Every program on every machine that runs programs: the GPU with caches (timing-gpu; -mapping\n"
    "chooses the scheme), the mesh of atomics with operations near and, unless a line is unique, far\n"
    "(timing-amo-run), and the mesh of mutex rings (timing-fear-mesh) with operations at the L2\n"
    "(memside), with a directory of owners (AtomDir) and with rings and speculation (rings). Machines\n"
    "have the parameters of their descriptions, and a program has as many threads as the machine has\n"
    "cores: compare columns of one machine. The values are those that caches and protocols deliver,\n"
    "and every answer is checked; a wrong one ends the view with an error.\n"
    "\n"
    "What to believe: as for gpu-steal, amo-programs and fear-mesh. On the mesh of rings only atomic\n"
    "operations hold mutexes; a store to an atomic word is an exchange, a load reads at the L2, and a\n"
    "release waits for the core's write-backs. Other words are kept in an L1 of their own, which an\n"
    "acquire empties. Vectors go lane by lane on both meshes.\n";

enum place { GPU, NEAR, FAR, MEMSIDE, DIRECTORY, RINGS, MACHINES };
static const char *const machine_names[MACHINES] = {"GPU", "near", "far", "memside", "AtomDir", "rings"};

/* As their descriptions have them. */
static bool load_machines(struct cost_report *report, struct program_machine *machine) {
  static const enum place place[MACHINE_KINDS] = {GPU, NEAR, RINGS};
  for (enum program_machine_kind kind = 0; kind < MACHINE_KINDS; kind++) {
    struct setting s;
    if (!setting_given(report->arena, program_machine_names[kind], NULL, report->request->search, &s, report->diags) ||
        !program_machine_load(report, &s, kind, &machine[place[kind]]))
      return false;
  }
  machine[FAR] = machine[NEAR];
  machine[FAR].policy = AMO_UNIQUE_NEAR;
  machine[MEMSIDE] = machine[DIRECTORY] = machine[RINGS];
  machine[MEMSIDE].fear.memside = 1;
  machine[DIRECTORY].fear.k = 1;
  machine[DIRECTORY].fear.spec = 0;
  machine[DIRECTORY].fear.layout = FEAR_ROWS;
  return true;
}

/* ---- what runs ---- */

static bool plan_program(const struct setting *s, struct arena *inputs, struct cost_limit *limit,
                         const struct program_machine *machines, struct program_jobs *jobs) {
  int64_t program = setting_number(s, "program"), think = setting_number(s, "think");
  unsigned lanes = (unsigned)setting_number(s, "lanes");
  bool is_kernel = program >= GRAPHS_PROGRAMS, read = strcmp(setting_text(s, "file"), "none") != 0;
  struct kernel_options kernel = kernel_setting(s);
  const struct graph *graph = NULL;
  if (read || !is_kernel) graph = graph_setting(inputs, s, kernel.size, limit);
  if (read && !graph) return false;
  if (!is_kernel && program != GRAPHS_TREE && !graph_fits(s, graph, lanes, "size")) return false;
  kernel.kind = (enum kernel_kind)(is_kernel ? program - GRAPHS_PROGRAMS : 0);
  kernel.given = graph;
  kernel.think = think;
  for (int machine = 0; machine < MACHINES; machine++) {
    kernel.threads = program_machine_cores(&machines[machine]);
    *vec_push(jobs->arena, &jobs->list) = (struct program_job){
        .setting = s,
        .title = arena_printf(jobs->arena, "%s on %s", s->name, machine_names[machine]),
        .machine = machines[machine],
        .kind = is_kernel ? JOB_KERNEL : JOB_GRAPHS,
        .kernel = kernel,
        .graphs = {.program = (enum graphs_program)(is_kernel ? 0 : program),
                   .graph = program == GRAPHS_TREE ? NULL : graph,
                   .threads = kernel.threads,
                   .lanes = lanes,
                   .iterations = (unsigned)setting_number(s, "iterations"),
                   .alu = think,
                   .pop = WORK_DEVICE,
                   .steal = WORK_DEVICE,
                   .steals = true,
                   .most = 1,
                   .nodes = kernel.size,
                   .seed = kernel.seed},
    };
  }
  return true;
}

static void add_table(struct cost_report *report, const struct settings *settings, const struct program_jobs *jobs,
                      const char *title, const char *unit, bool accesses) {
  struct chart chart = chart_add(report, PLOT_BARS, title, "program", unit);
  table_column(chart.table, "program", NULL);
  for (int m = 0; m < MACHINES; m++) chart_column(&chart, machine_names[m], unit);
  for (size_t i = 0; (i + 1) * MACHINES <= jobs->list.count; i++) {
    const struct program_job *job = &jobs->list.at[i * MACHINES];
    if (!job[RINGS].done) break;
    chart_row(&chart, settings->list.at[i].name);
    for (size_t m = 0; m < MACHINES; m++) {
      chart_put_number(&chart, accesses ? job[m].accesses : job[m].run.cycles);
    }
  }
}

static bool show_programs(struct cost_report *report) {
  struct program_machine machines[MACHINES];
  struct program_jobs jobs = {.arena = report->arena, .parameter = "program"};
  if (!load_machines(report, machines)) return false;
  struct settings settings = cost_settings(report, "programs", NULL, "program");
  machines[GPU].gpu.age = setting_number(&report->given, "age");
  struct arena *inputs = arena_new();
  bool good = true;
  for (size_t i = 0; i < settings.list.count && good; i++) {
    good = plan_program(&settings.list.at[i], inputs, &report->limit, machines, &jobs);
    if (cost_is_late(report)) break;
  }
  good = good && program_jobs_run(report, &jobs);
  arena_free(inputs);
  if (!good) return false;
  add_table(report, &settings, &jobs, "Cycles", "cycles", false);
  add_table(report, &settings, &jobs, "Accesses", "accesses of all threads", true);
  return true;
}

const struct cost_view view_programs = {.name = "programs",
                                        .machine = "timing-programs",
                                        .summary = "every program on every machine that runs programs",
                                        .help = help_programs,
                                        .run = show_programs,
                                        .slow = true};
