/* SPDX-License-Identifier: MIT */
/* The view that runs every program on every machine. */
#include <string.h>

#include "hwsem/timing/chart.h"
#include "hwsem/timing/fear_mesh.h"
#include "hwsem/timing/views.h"
#include "hwsem/workloads/graphs.h"
#include "hwsem/workloads/kernels.h"

const char help_programs[] =
    "Every program on every machine that runs programs: the GPU with caches (timing-gpu; -mapping\n"
    "chooses the scheme), the mesh of atomics with operations near and, unless a line is unique, far\n"
    "(timing-amo-run), and the mesh of mutex rings (timing-fear-mesh) with operations at the L2\n"
    "(memside), with a directory of owners (AtomDir) and with rings and speculation (rings). Machines\n"
    "are as their descriptions have them, and a program has as many threads as the machine has cores:\n"
    "compare columns of one machine. The values are those that caches and protocols deliver, and every\n"
    "answer is checked; a wrong one ends the view with an error.\n"
    "\n"
    "What to believe: as for gpu-steal, amo-programs and fear-mesh. On the mesh of rings only atomic\n"
    "operations hold mutexes; a store to an atomic word is an exchange, a load reads at the L2, and\n"
    "what releases waits for the core's write-backs. Other words are kept in an L1 of their own, which\n"
    "an acquire empties. Vectors go lane by lane on both meshes.\n";

enum place { GPU, NEAR, FAR, MEMSIDE, DIRECTORY, RINGS, MACHINES };
static const char *const machine_names[MACHINES] = {"GPU", "near", "far", "memside", "AtomDir", "rings"};
static const char *const descriptions[] = {"timing-gpu", "timing-amo-run", "timing-fear-mesh"};

/* What runs are made of. */
struct machines {
  struct gpu_parameters gpu;
  struct gpu_scheme scheme;
  struct amo_parameters amo;
  struct fear_mesh_parameters fear;
};

/* A program on one machine. */
struct run {
  const struct setting *setting;
  enum place machine;
  int64_t program; /* of graph_program_names, then of kernel_names */
  struct kernel_options kernel;
  struct graphs_options graphs;
  int64_t cycles, accesses;
  bool done;
};

struct plan {
  const struct machines *machines;
  struct run *run;
  size_t count;
};

static unsigned threads_of(const struct machines *m, enum place machine) {
  if (machine == GPU) return (unsigned)m->gpu.rsp.n;
  return machine <= FAR ? AMO_NODES : (unsigned)(m->fear.W * m->fear.W - m->fear.mems);
}

static bool load_machines(struct cost_report *report, struct machines *m, struct diags *diags) {
  const struct assignments *none = ARENA_NEW(report->arena, struct assignments);
  struct setting settings[3];
  for (int i = 0; i < 3; i++) {
    struct description *d = description_load(report->arena, descriptions[i], report->request->search, diags);
    if (!d) return false;
    settings[i] = (struct setting){d, none, none, d->name, ARENA_ARRAY(report->arena, bool, d->parameters.count)};
  }
  return gpu_setting_fill(&settings[0], &m->gpu, diags) && gpu_scheme_load(report->request, &m->scheme, diags) &&
         amo_program_fill(&settings[1], &m->amo, diags) && fear_mesh_fill(&settings[2], &m->fear, diags);
}

/* ---- a run ---- */

static void run_on_mesh(const struct run *run, const struct machines *m, struct work *work, struct cost_task *task,
                        int64_t *cycles, int64_t *events, bool *stuck) {
  struct amo_machine *machine =
      amo_machine_new(task->arena, &m->amo, run->machine == NEAR ? AMO_ALL_NEAR : AMO_UNIQUE_NEAR);
  amo_set_work(machine, work);
  struct amo_result r = amo_run(machine, -1, &task->limit);
  *cycles = r.finish;
  *events = r.events;
  *stuck = r.stuck;
}

static void run_on_rings(const struct run *run, const struct machines *m, struct work *work, struct cost_task *task,
                         int64_t *cycles, int64_t *events, bool *stuck) {
  struct fear_mesh_parameters p = m->fear;
  p.memside = run->machine == MEMSIDE;
  if (run->machine == DIRECTORY) p.k = 1, p.spec = 0, p.layout = FEAR_ROWS;
  struct fear_rings rings = fear_mesh_rings(task->arena, &p);
  struct fear_mesh_result r = fear_mesh_run_work(&p, &rings, work, &task->limit);
  *cycles = r.fear.end;
  *events = r.events;
  *stuck = r.stuck;
}

static bool is_kernel(const struct run *run) {
  return run->program >= GRAPHS_PROGRAMS;
}

static void do_run(void *context, size_t index, struct cost_task *task) {
  const struct plan *plan = context;
  struct run *run = &plan->run[index];
  struct kernel_options options = run->kernel;
  options.limit = &task->limit;
  struct kernel *kernel = is_kernel(run) ? kernel_new(task->arena, &options) : NULL;
  struct graphs *graphs = kernel ? NULL : graphs_new(task->arena, &run->graphs);
  struct work *work = kernel ? kernel_work(kernel) : graphs_work(graphs);
  bool stuck = false;
  if (!work->out_of_memory) {
    int64_t events = 0;
    cost_task_begin(task, work);
    if (run->machine == GPU) {
      struct gpu_result r = gpu_run(task->arena, &plan->machines->gpu, &plan->machines->scheme, work, &task->limit);
      run->cycles = r.time;
      stuck = r.stuck;
      events = (int64_t)work->accesses;
    } else {
      (run->machine <= FAR ? run_on_mesh : run_on_rings)(run, plan->machines, work, task, &run->cycles, &events,
                                                         &stuck);
    }
    cost_task_end(task, work, events);
    run->accesses = (int64_t)work->accesses;
    if (!task->limit.met && stuck) task->wrong = "threads wait for ever";
    if (!task->limit.met && !stuck)
      task->wrong = kernel ? kernel_check(task->arena, kernel) : graphs_check(task->arena, graphs);
  }
  if (work->out_of_memory) task->wrong = "no memory for it";
  work_free(work);
}

static bool take_run(void *context, size_t index, struct cost_task *task, struct diags *diags) {
  struct run *run = &((const struct plan *)context)->run[index];
  run->done = true;
  if (task->wrong)
    setting_error(run->setting, diags, "program", "%s on %s: %s", run->setting->name, machine_names[run->machine],
                  task->wrong);
  return !task->wrong;
}

/* ---- what runs ---- */

static bool plan_program(const struct setting *s, struct arena *inputs, struct cost_limit *limit,
                         const struct machines *machines, struct run *run, struct diags *diags) {
  int64_t program = setting_number(s, "program", diags), think = setting_number(s, "think", diags);
  uint32_t size = (uint32_t)setting_number(s, "size", diags), degree = (uint32_t)setting_number(s, "degree", diags);
  uint64_t seed = (uint64_t)setting_number(s, "seed", diags);
  unsigned lanes = (unsigned)setting_number(s, "lanes", diags);
  enum graph_kind kind = (enum graph_kind)setting_number(s, "graph", diags);
  const char *file = setting_text(s, "file", diags);
  bool kernel = program >= GRAPHS_PROGRAMS;
  const struct graph *graph = NULL;
  if (strcmp(file, "none") != 0) {
    graph = graph_read(inputs, file, diags);
    if (!graph) return false;
  }
  if (!graph && !kernel) graph = graph_generate(inputs, kind, size, degree, seed, limit);
  if (!kernel && program != GRAPHS_TREE && graph->vertices > (uint64_t)lanes * DEQUE_TASKS) {
    setting_error(s, diags, setting_is_given(s, "lanes") ? "lanes" : "size", "%u vertices are more than %d tasks of %u",
                  graph->vertices, DEQUE_TASKS, lanes);
    return false;
  }
  for (int machine = 0; machine < MACHINES; machine++) {
    unsigned threads = threads_of(machines, (enum place)machine);
    run[machine] = (struct run){
        .setting = s,
        .machine = (enum place)machine,
        .program = program,
        .kernel = {.kind = (enum kernel_kind)(kernel ? program - GRAPHS_PROGRAMS : 0),
                   .threads = threads,
                   .size = size,
                   .range = (uint32_t)setting_number(s, "range", diags),
                   .keys = (enum kernel_keys)setting_number(s, "keys", diags),
                   .graph = kind,
                   .given = graph,
                   .degree = degree,
                   .think = think,
                   .seed = seed},
        .graphs = {.program = (enum graphs_program)(kernel ? 0 : program),
                   .graph = program == GRAPHS_TREE ? NULL : graph,
                   .threads = threads,
                   .lanes = lanes,
                   .iterations = (unsigned)setting_number(s, "iterations", diags),
                   .alu = think,
                   .pop = WORK_DEVICE,
                   .steal = WORK_DEVICE,
                   .steals = true,
                   .most = 1,
                   .nodes = size,
                   .seed = seed},
    };
  }
  return true;
}

static void add_table(struct cost_report *report, const struct settings *settings, const struct run *runs,
                      const char *title, const char *unit, bool accesses) {
  struct chart chart = chart_add(report, PLOT_BARS, title, "program", unit);
  table_column(chart.table, "program", NULL);
  for (int m = 0; m < MACHINES; m++) chart_column(&chart, machine_names[m], unit);
  for (size_t i = 0; i < settings->list.count && runs[i * MACHINES + RINGS].done; i++) {
    chart_row(&chart, settings->list.at[i].name);
    for (size_t m = 0; m < MACHINES; m++) {
      const struct run *run = &runs[i * MACHINES + m];
      chart_put_number(&chart, accesses ? run->accesses : run->cycles);
    }
  }
}

bool view_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  (void)request;
  struct machines *machines = ARENA_NEW(report->arena, struct machines);
  if (!load_machines(report, machines, diags)) return false;
  struct settings settings = cost_settings(report, "programs", NULL, "program");
  size_t count = settings.list.count;
  struct plan plan = {machines, ARENA_ARRAY(report->arena, struct run, (count + 1) * MACHINES), count};
  struct setting alone = cost_setting_alone(report);
  machines->gpu.age = setting_number(&alone, "age", diags);
  struct arena *inputs = arena_new();
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    good = plan_program(&settings.list.at[i], inputs, &report->limit, machines, &plan.run[i * MACHINES], diags);
    if (cost_is_late(report)) break;
  }
  good = good && cost_tasks_run(report, &(struct cost_tasks){&plan, count * MACHINES, do_run, take_run}, diags);
  arena_free(inputs);
  if (!good) return false;
  add_table(report, &settings, plan.run, "Cycles", "cycles", false);
  add_table(report, &settings, plan.run, "Accesses", "accesses of all threads", true);
  return true;
}
