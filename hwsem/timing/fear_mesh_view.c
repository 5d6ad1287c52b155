/* SPDX-License-Identifier: MIT */
/* The view of FEAR on a mesh with contention: what its parts bring, and sweeps over
 * mutexes, busy wires, lookup tables and epochs (the paper's Figures 5 to 9). */
#include <string.h>

#include "hwsem/timing/fear_mesh.h"
#include "hwsem/timing/views.h"

const char help_fear_mesh[] =
    "The machine of the paper's Table I: a 6x6 mesh, 28 cores and 8 nodes that only answer and hold\n"
    "the L2, links that carry one flit a cycle at half the cores' clock, two classes of messages with\n"
    "buffers of four, an L1 of 32 kB. Speed-up is the time of memside, where operations are done at the\n"
    "L2, over the time of a configuration: AtomDir caches atomic data (k=1), Topology adds rings,\n"
    "SpecFetch speculative fetches (Figure 9). `queueing` is how long a message waits on its way, in\n"
    "cycles of the network. Then speed-up against mutexes, busy wires, entries of the lookup table and\n"
    "length of the epoch (Figures 5 to 8); u=0 is an update that takes no time and no message.\n"
    "Last, what moves and its energy: flits over hops and accesses to caches; and beside it what the\n"
    "tables of mutexes and the lookup tables take, at the power of the paper's Tables III and IV for as\n"
    "long as the run lasts (most of that time cores compute).\n"
    "\n"
    "Programs are stand-ins: `program` is a pattern of sharing after what the paper says of each, and Z\n"
    "the time between a core's operations that its Table II gives (1000 instructions / rate / IPC of a\n"
    "core). A core has one operation under way. Programs whose values the messages carry and whose\n"
    "answers are checked run by `litscope cost programs`.\n"
    "\n"
    "What to believe: which part helps whom, not how much. As published, GPUSort gains by caching alone\n"
    "(AtomDir), loses a little by the updates of its rings, and speculation makes up for it; canneal,\n"
    "whose elements are hardly ever found again, has only speculation to gain by; without atomic\n"
    "operations (threadFenceReduction) nothing changes; 1K entries of a lookup table and 2K mutexes are\n"
    "enough. What does not come out: hypercolumn and canneal rise from AtomDir to SpecFetch, but gain\n"
    "nothing (published: 7 and 4 %), whatever L2 and port: here a speculative fetch takes as long as an\n"
    "operation at the L2, and no core waits for another's result. Nor does fluidanimate beyond AtomDir:\n"
    "with its rate the updates of rings of nine keep 16 busy wires occupied, and rings of two or three\n"
    "are best. That updates go from member to member over the same links, entering the network anew at\n"
    "each, decides this (with u=0 AtomDir, Topology and SpecFetch rise as published: 1.41, 1.49, 1.54),\n"
    "and the latency of the L2 decides whether caching pays at all (L2=20: hardly).\n";

#define FIELD(name) \
  { #name, offsetof(struct fear_mesh_parameters, name) }
static const struct parameter_field FIELDS[] = {
    FIELD(W),   FIELD(mems), FIELD(period),  FIELD(classes), FIELD(buffer), FIELD(data), FIELD(layout),   FIELD(k),
    FIELD(B),   FIELD(M),    FIELD(u),       FIELD(L1),      FIELD(L2),     FIELD(ALU),  FIELD(Z),        FIELD(E),
    FIELD(LUT), FIELD(spec), FIELD(ops),     FIELD(sets),    FIELD(ways),   FIELD(port), FIELD(elements), FIELD(eflit),
    FIELD(el1), FIELD(el2),  FIELD(eatomic), FIELD(pmutex),  FIELD(plookup)};
#undef FIELD

static int64_t *member(struct fear_mesh_parameters *p, const char *name) {
  for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
    if (!strcmp(FIELDS[i].name, name)) return (int64_t *)(void *)((char *)p + FIELDS[i].offset);
  return NULL;
}

bool fear_mesh_fill(const struct setting *setting, struct fear_mesh_parameters *p, struct diags *diags) {
  *p = (struct fear_mesh_parameters){0};
  if (!setting_fill(setting, FIELDS, sizeof FIELDS / sizeof *FIELDS, p, diags)) return false;
  int64_t nodes = p->W * p->W;
  if (p->k == 0) p->k = nodes;
  if (p->mems >= nodes) {
    setting_error(setting, diags, "mems", "a mesh of %d nodes needs a core beside mems=%d nodes that only answer",
                  (int)nodes, (int)p->mems);
    return false;
  }
  if (nodes % p->k != 0) {
    setting_error(setting, diags, "k", "ring size k=%d does not divide the %d nodes of a %dx%d mesh", (int)p->k,
                  (int)nodes, (int)p->W, (int)p->W);
    return false;
  }
  if ((nodes - p->mems) * p->ops <= COST_OPERATIONS) return true;
  setting_error(setting, diags, "ops", "ops=%d operations of each of %d nodes are more than %d operations", (int)p->ops,
                (int)(nodes - p->mems), COST_OPERATIONS);
  return false;
}

/* ---- runs: planned, then done together ---- */

struct run {
  struct fear_mesh_parameters p;
  enum fear_sharing sharing;
  struct fear_mesh_result result;
  bool done;
};

struct plan {
  struct arena *arena;
  VEC(struct run) runs;
};

/* Plans a run and returns its number: the defaults are a point of every sweep. */
static size_t plan_run(struct plan *plan, const struct fear_mesh_parameters *p, enum fear_sharing sharing) {
  for (size_t i = 0; i < plan->runs.count; i++)
    if (plan->runs.at[i].sharing == sharing && !memcmp(&plan->runs.at[i].p, p, sizeof *p)) return i;
  *vec_push(plan->arena, &plan->runs) = (struct run){.p = *p, .sharing = sharing};
  return plan->runs.count - 1;
}

/* A lattice for every size that divides the nodes exists: its prime factors can be
 * dealt to columns and rows. */
static void do_run(void *context, size_t index, struct cost_task *task) {
  struct run *run = &((struct plan *)context)->runs.at[index];
  const struct fear_mesh_parameters *p = &run->p;
  struct fear_rings rings;
  if (!fear_rings_new(task->arena, p->W, (enum fear_layout)p->layout, p->k, 0, &rings)) return;
  cost_task_begin(task, NULL);
  run->result = fear_mesh_run(p, &rings, run->sharing, &task->limit);
  cost_task_end(task, NULL, run->result.events);
}

static bool take_run(void *context, size_t index, struct cost_task *task, struct diags *diags) {
  (void)task, (void)diags;
  ((struct plan *)context)->runs.at[index].done = true;
  return true;
}

/* A program and its runs. */
struct stand_in {
  const struct setting *setting;
  struct fear_mesh_parameters p;
  enum fear_sharing sharing;
  size_t memside; /* run: how long it takes at the L2 */
};

/* A row of a table: runs of one configuration, for each program. */
struct row {
  const char *name;
  size_t *run;
};

struct figure {
  struct row *row;
  size_t count;
};

enum { SWEEPS = 5 };

struct figures {
  struct plan plan;
  struct settings programs;
  struct stand_in *program;
  struct figure parts, sweep[SWEEPS];
};

static bool plan_programs(struct cost_report *report, struct figures *f, struct diags *diags) {
  f->programs = cost_settings(report, "programs", "program", NULL);
  f->program = ARENA_ARRAY(report->arena, struct stand_in, f->programs.list.count);
  for (size_t i = 0; i < f->programs.list.count; i++) {
    struct stand_in *program = &f->program[i];
    program->setting = &f->programs.list.at[i];
    if (!fear_mesh_fill(program->setting, &program->p, diags)) return false;
    program->sharing = (enum fear_sharing)setting_number(program->setting, "program", diags);
    struct fear_mesh_parameters memside = program->p;
    memside.memside = 1;
    program->memside = plan_run(&f->plan, &memside, program->sharing);
  }
  return true;
}

/* The rows of a table of the description, which set the parameters `own`, up to three. */
static bool plan_rows(struct cost_report *report, struct figures *f, const char *rows, const char *const *own,
                      struct figure *figure, struct diags *diags) {
  struct settings settings = cost_settings(report, rows, own[0], NULL);
  figure->count = settings.list.count;
  figure->row = ARENA_ARRAY(report->arena, struct row, figure->count + 1);
  for (size_t s = 0; s < figure->count; s++) {
    struct fear_mesh_parameters set;
    struct row *row = &figure->row[s];
    if (!fear_mesh_fill(&settings.list.at[s], &set, diags)) return false;
    *row = (struct row){settings.list.at[s].name, ARENA_ARRAY(report->arena, size_t, f->programs.list.count + 1)};
    for (size_t i = 0; i < f->programs.list.count; i++) {
      struct fear_mesh_parameters p = f->program[i].p;
      for (int k = 0; k < 3 && own[k]; k++) *member(&p, own[k]) = *member(&set, own[k]);
      row->run[i] = plan_run(&f->plan, &p, f->program[i].sharing);
    }
  }
  return true;
}

/* How many rows came to an end. */
static size_t rows_done(const struct figures *f, const struct figure *figure) {
  for (size_t s = 0; s < figure->count; s++)
    for (size_t i = 0; i < f->programs.list.count; i++)
      if (!f->plan.runs.at[figure->row[s].run[i]].done) return s;
  return figure->count;
}

static const struct fear_mesh_result *result_of(const struct figures *f, size_t run) {
  return &f->plan.runs.at[run].result;
}

/* ---- what each part brings ---- */

static void put_result(struct table *table, const struct figures *f, size_t program, const char *name, size_t run) {
  const struct fear_mesh_result *memside = result_of(f, f->program[program].memside), *result = result_of(f, run);
  const struct fear_result *fear = &result->fear;
  bool rings = result != memside;
  table_put_text(table, f->program[program].setting->name);
  table_put_text(table, name);
  table_put_number(table, fear->end);
  table_put_ratio(table, memside->fear.end, fear->end);
  if (rings)
    table_put_ratio(table, fear->acquisition, result->operations);
  else
    table_put_empty(table);
  table_put_ratio(table, fear->latency, result->operations);
  const int64_t counts[] = {fear->cached, fear->speculative, fear->fetched};
  for (int i = 0; i < 3; i++) {
    if (rings)
      table_put_number(table, counts[i]);
    else
      table_put_empty(table);
  }
  table_put_number(table, result->network.messages);
  table_put_number(table, result->network.hops);
  table_put_ratio(table, result->network.cycles - result->network.unloaded, result->network.messages);
}

static struct table *part_table(struct cost_report *report) {
  struct table *table = cost_add_table(report, "What each part brings");
  table_column(table, "program", NULL);
  table_column(table, "configuration", NULL);
  table_column(table, "end", "cycles");
  table_column(table, "speed-up", NULL);
  table_column(table, "mean acquisition", "cycles");
  table_column(table, "mean latency", "cycles");
  table_column(table, "cached", "operations");
  table_column(table, "speculative", "operations");
  table_column(table, "fetched", "operations");
  table_column(table, "messages", NULL);
  table_column(table, "hops", NULL);
  table_column(table, "queueing", "network cycles");
  return table;
}

static double speedup(const struct figures *f, size_t program, size_t run) {
  int64_t end = result_of(f, run)->fear.end;
  return (double)result_of(f, f->program[program].memside)->fear.end / (double)(end ? end : 1);
}

static void add_parts(struct cost_report *report, const struct figures *f) {
  const struct figure *parts = &f->parts;
  struct table *table = part_table(report);
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "What each part brings", "program", "speed-up over memside");
  struct plot_series **series = ARENA_ARRAY(report->arena, struct plot_series *, parts->count + 1);
  for (size_t k = 0; k < parts->count; k++) series[k] = plot_add_series(plot, parts->row[k].name);
  if (rows_done(f, parts) < parts->count) return;
  for (size_t i = 0; i < f->programs.list.count; i++) {
    put_result(table, f, i, "memside", f->program[i].memside);
    *vec_push(report->arena, &plot->groups) = f->program[i].setting->name;
    for (size_t k = 0; k < parts->count; k++) {
      put_result(table, f, i, parts->row[k].name, parts->row[k].run[i]);
      plot_push(plot, series[k], speedup(f, i, parts->row[k].run[i]));
    }
  }
}

/* ---- energy ---- */

static void put_energy(struct table *table, struct plot *plot, struct plot_series *series, const struct figures *f,
                       size_t program, const char *name, size_t run) {
  const struct run *memside = &f->plan.runs.at[f->program[program].memside], *of = &f->plan.runs.at[run];
  struct fear_mesh_energy least = fear_mesh_energy(&memside->p, &memside->result),
                          energy = fear_mesh_energy(&of->p, &of->result);
  int64_t all = energy.network + energy.caches, base = least.network + least.caches;
  const int64_t numbers[] = {of->result.network.flit_hops, of->result.l1,        of->result.lines, of->result.atomics,
                             energy.network / 1000,        energy.caches / 1000, all / 1000};
  table_put_text(table, f->program[program].setting->name);
  table_put_text(table, name);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) table_put_number(table, numbers[i]);
  table_put_ratio(table, all, base);
  table_put_number(table, energy.tables / 1000);
  if (series) plot_push(plot, series, base ? (double)all / (double)base : 0);
}

/* What a run moves, and what that takes. */
static void add_energy(struct cost_report *report, const struct figures *f) {
  static const struct {
    const char *name, *unit;
  } columns[] = {{"program", NULL}, {"configuration", NULL},     {"flit hops", NULL}, {"L1", "accesses"},
                 {"L2", "lines"},   {"at the L2", "operations"}, {"network", "nJ"},   {"caches", "nJ"},
                 {"both", "nJ"},    {"times memside", NULL},     {"tables", "nJ"}};
  const struct figure *parts = &f->parts;
  struct table *table = cost_add_table(report, "What moves");
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "Energy", "program", "energy (times memside)");
  struct plot_series **series = ARENA_ARRAY(report->arena, struct plot_series *, parts->count + 1);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) table_column(table, columns[i].name, columns[i].unit);
  for (size_t k = 0; k < parts->count; k++) series[k] = plot_add_series(plot, parts->row[k].name);
  if (rows_done(f, parts) < parts->count) return;
  for (size_t i = 0; i < f->programs.list.count; i++) {
    put_energy(table, plot, NULL, f, i, "memside", f->program[i].memside);
    *vec_push(report->arena, &plot->groups) = f->program[i].setting->name;
    for (size_t k = 0; k < parts->count; k++)
      put_energy(table, plot, series[k], f, i, parts->row[k].name, parts->row[k].run[i]);
  }
}

/* ---- sweeps: a row for each value, a column for each program ---- */

struct sweep {
  const char *table, *title, *axis;
  const char *own[3]; /* parameters that its rows set; the first is the axis */
};

static void add_sweep(struct cost_report *report, const struct sweep *sweep, const struct figures *f,
                      const struct figure *figure) {
  size_t count = f->programs.list.count, done = rows_done(f, figure);
  struct table *table = cost_add_table(report, sweep->title);
  struct plot *plot = cost_add_plot(report, PLOT_LINES, sweep->title, sweep->axis, "speed-up over memside");
  struct plot_series **series = ARENA_ARRAY(report->arena, struct plot_series *, count + 1);
  table_column(table, sweep->own[0], NULL);
  for (size_t i = 0; i < count; i++) {
    table_column(table, f->program[i].setting->name, NULL);
    series[i] = plot_add_series(plot, f->program[i].setting->name);
  }
  plot->close_up = true;
  for (size_t s = 0; s < done; s++) {
    const struct row *row = &figure->row[s];
    double place = (double)plot->x.count + 0.5;
    *vec_push(plot->arena, &plot->x) = place;
    *vec_push(plot->arena, &plot->groups) = row->name;
    table_put_text(table, row->name);
    for (size_t i = 0; i < count; i++) {
      table_put_ratio(table, result_of(f, f->program[i].memside)->fear.end, result_of(f, row->run[i])->fear.end);
      plot_push(plot, series[i], speedup(f, i, row->run[i]));
    }
  }
}

bool view_fear_mesh(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  static const char *const parts[] = {"k", "layout", "spec"};
  static const struct sweep sweeps[SWEEPS] = {
      {"rings", "Ring size", "members of a ring (nodes)", {"k", "layout"}},
      {"mutexes", "Mutexes", "mutexes (number)", {"M"}},
      {"wires", "Busy wires", "busy wires of a ring (number)", {"B", "u"}},
      {"tables", "Lookup tables", "entries of a requester's table (number)", {"LUT"}},
      {"epochs", "Epoch length", "epoch (cycles)", {"E"}},
  };
  struct figures f = {.plan.arena = report->arena};
  (void)request;
  if (!plan_programs(report, &f, diags) || !plan_rows(report, &f, "parts", parts, &f.parts, diags)) return false;
  for (size_t i = 0; i < SWEEPS; i++)
    if (!plan_rows(report, &f, sweeps[i].table, sweeps[i].own, &f.sweep[i], diags)) return false;
  if (!cost_tasks_run(report, &(struct cost_tasks){&f.plan, f.plan.runs.count, do_run, take_run}, diags)) return false;
  add_parts(report, &f);
  for (size_t i = 0; i < SWEEPS; i++) add_sweep(report, &sweeps[i], &f, &f.sweep[i]);
  add_energy(report, &f);
  return true;
}
