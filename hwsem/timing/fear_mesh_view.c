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
    "\n"
    "Programs are stand-ins: `program` is a pattern of sharing after what the paper says of each, and Z\n"
    "the time between a core's operations that its Table II gives (1000 instructions / rate / IPC of a\n"
    "core). A core has one operation under way.\n"
    "\n"
    "What to believe: which part helps whom, not how much. As published, GPUSort gains by caching alone\n"
    "(AtomDir), loses a little by the updates of its rings, and speculation makes up for it; canneal,\n"
    "whose elements are hardly ever found again, has only speculation to gain by; without atomic\n"
    "operations (threadFenceReduction) nothing changes; 1K entries of a lookup table and 2K mutexes are\n"
    "enough. What does not come out is fluidanimate beyond AtomDir: with its rate the updates of rings\n"
    "of nine keep 16 busy wires occupied, and rings of two or three are best. That updates go from\n"
    "member to member over the same links, entering the network anew at each, decides this (u=0 is what\n"
    "they take away), and the latency of the L2 decides whether caching pays at all (L2=20: hardly).\n";

#define FIELD(name) \
  { #name, offsetof(struct fear_mesh_parameters, name) }
static const struct parameter_field FIELDS[] = {
    FIELD(W),   FIELD(mems), FIELD(period), FIELD(classes), FIELD(buffer), FIELD(data), FIELD(layout),  FIELD(k),
    FIELD(B),   FIELD(M),    FIELD(u),      FIELD(L1),      FIELD(L2),     FIELD(ALU),  FIELD(Z),       FIELD(E),
    FIELD(LUT), FIELD(spec), FIELD(ops),    FIELD(sets),    FIELD(ways),   FIELD(port), FIELD(elements)};
#undef FIELD

static int64_t *member(struct fear_mesh_parameters *p, const char *name) {
  for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
    if (!strcmp(FIELDS[i].name, name)) return (int64_t *)(void *)((char *)p + FIELDS[i].offset);
  return NULL;
}

static bool fill(const struct setting *setting, struct fear_mesh_parameters *p, struct diags *diags) {
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

/* A lattice for every size that divides the nodes exists: its prime factors can be
 * dealt to columns and rows. */
static struct fear_mesh_result run(struct cost_report *report, const struct fear_mesh_parameters *p,
                                   enum fear_sharing sharing) {
  struct arena *arena = arena_new();
  struct fear_rings rings;
  struct fear_mesh_result result = {0};
  if (fear_rings_new(arena, p->W, (enum fear_layout)p->layout, p->k, 0, &rings))
    result = fear_mesh_run(p, &rings, sharing, &report->limit);
  arena_free(arena);
  return result;
}

/* A program with the time that it takes at the L2. */
struct stand_in {
  const struct setting *setting;
  struct fear_mesh_parameters p;
  enum fear_sharing sharing;
  struct fear_mesh_result memside;
};

static bool load_programs(struct cost_report *report, struct settings *settings, struct stand_in **programs,
                          struct diags *diags) {
  *settings = cost_settings(report, "programs", "program", NULL);
  *programs = ARENA_ARRAY(report->arena, struct stand_in, settings->list.count);
  for (size_t i = 0; i < settings->list.count; i++) {
    struct stand_in *program = &(*programs)[i];
    program->setting = &settings->list.at[i];
    if (!fill(program->setting, &program->p, diags)) return false;
    program->sharing = (enum fear_sharing)setting_number(program->setting, "program", diags);
    struct fear_mesh_parameters memside = program->p;
    memside.memside = 1;
    program->memside = run(report, &memside, program->sharing);
  }
  return true;
}

/* ---- what each part brings ---- */

static void put_result(struct table *table, const struct stand_in *program, const char *name,
                       const struct fear_mesh_result *result) {
  const struct fear_result *fear = &result->fear;
  bool rings = result != &program->memside;
  table_put_text(table, program->setting->name);
  table_put_text(table, name);
  table_put_number(table, fear->end);
  table_put_ratio(table, program->memside.fear.end, fear->end);
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

static bool add_parts(struct cost_report *report, const struct stand_in *programs, size_t count, struct diags *diags) {
  static const char *const own[] = {"k", "layout", "spec"};
  struct settings parts = cost_settings(report, "parts", "k", NULL);
  struct table *table = part_table(report);
  struct plot *plot = cost_add_plot(report, PLOT_BARS, "What each part brings", "program", "speed-up over memside");
  struct plot_series **series = ARENA_ARRAY(report->arena, struct plot_series *, parts.list.count);
  for (size_t k = 0; k < parts.list.count; k++) series[k] = plot_add_series(plot, parts.list.at[k].name);
  for (size_t i = 0; i < count && !report->limit.met; i++) {
    put_result(table, &programs[i], "memside", &programs[i].memside);
    *vec_push(report->arena, &plot->groups) = programs[i].setting->name;
    for (size_t k = 0; k < parts.list.count; k++) {
      struct fear_mesh_parameters part, p = programs[i].p;
      if (!fill(&parts.list.at[k], &part, diags)) return false;
      for (int f = 0; f < 3; f++) *member(&p, own[f]) = *member(&part, own[f]);
      struct fear_mesh_result result = run(report, &p, programs[i].sharing);
      if (report->limit.met) return true;
      put_result(table, &programs[i], parts.list.at[k].name, &result);
      plot_push(plot, series[k], (double)programs[i].memside.fear.end / (double)result.fear.end);
    }
  }
  return true;
}

/* ---- sweeps: a row for each value, a column for each program ---- */

struct sweep {
  const char *table, *title, *axis;
  const char *own[3]; /* parameters that its rows set; the first is the axis */
};

static bool add_point(struct cost_report *report, const struct sweep *sweep, const struct setting *setting,
                      const struct stand_in *programs, size_t count, struct table *table, double *speedup,
                      struct diags *diags) {
  struct fear_mesh_parameters point;
  if (!fill(setting, &point, diags)) return false;
  table_put_text(table, setting->name);
  for (size_t i = 0; i < count; i++) {
    struct fear_mesh_parameters p = programs[i].p;
    for (int f = 0; f < 3 && sweep->own[f]; f++) *member(&p, sweep->own[f]) = *member(&point, sweep->own[f]);
    struct fear_mesh_result result = run(report, &p, programs[i].sharing);
    table_put_ratio(table, programs[i].memside.fear.end, result.fear.end);
    speedup[i] = (double)programs[i].memside.fear.end / (double)(result.fear.end ? result.fear.end : 1);
  }
  return true;
}

static bool add_sweep(struct cost_report *report, const struct sweep *sweep, const struct stand_in *programs,
                      size_t count, struct diags *diags) {
  struct settings settings = cost_settings(report, sweep->table, sweep->own[0], NULL);
  struct table *table = cost_add_table(report, sweep->title);
  struct plot *plot = cost_add_plot(report, PLOT_LINES, sweep->title, sweep->axis, "speed-up over memside");
  struct plot_series **series = ARENA_ARRAY(report->arena, struct plot_series *, count);
  double *speedup = ARENA_ARRAY(report->arena, double, count);
  table_column(table, sweep->own[0], NULL);
  for (size_t i = 0; i < count; i++) {
    table_column(table, programs[i].setting->name, NULL);
    series[i] = plot_add_series(plot, programs[i].setting->name);
  }
  plot->close_up = true;
  for (size_t s = 0; s < settings.list.count && !report->limit.met; s++) {
    if (!add_point(report, sweep, &settings.list.at[s], programs, count, table, speedup, diags)) return false;
    double place = (double)plot->x.count + 0.5;
    *vec_push(plot->arena, &plot->x) = place;
    *vec_push(plot->arena, &plot->groups) = settings.list.at[s].name;
    for (size_t i = 0; i < count; i++) plot_push(plot, series[i], speedup[i]);
  }
  return true;
}

bool view_fear_mesh(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  static const struct sweep sweeps[] = {
      {"rings", "Ring size", "members of a ring (nodes)", {"k", "layout"}},
      {"mutexes", "Mutexes", "mutexes (number)", {"M"}},
      {"wires", "Busy wires", "busy wires of a ring (number)", {"B", "u"}},
      {"tables", "Lookup tables", "entries of a requester's table (number)", {"LUT"}},
      {"epochs", "Epoch length", "epoch (cycles)", {"E"}},
  };
  struct settings settings;
  struct stand_in *programs;
  (void)request;
  if (!load_programs(report, &settings, &programs, diags)) return false;
  if (!add_parts(report, programs, settings.list.count, diags)) return false;
  for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
    if (!add_sweep(report, &sweeps[i], programs, settings.list.count, diags)) return false;
  return true;
}
