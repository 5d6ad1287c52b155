/* SPDX-License-Identifier: MIT */
/* The view of FEAR on programs that run: Figures 5 to 9 and Table II, beside what the
 * paper says of them, and the machine's size. */
#include <string.h>

#include "hwsem/timing/fear_figures.h"
#include "hwsem/timing/views.h"

const char help_fear_programs[] =
    "The machine of `fear-mesh`, with programs that run on it in place of patterns: a thread on each core,\n"
    "values carried by the messages, every answer checked. `size` is the work of each core, so that all\n"
    "of it grows with the mesh. The programs are those of the paper's Table II, by what their sources do:\n"
    "pairs of particles that add to each other's density and force, most of them the core's own\n"
    "(fluidanimate); a tree of columns taken from one queue, whose parents wait for their children\n"
    "(hypercolumn); random elements that change places without locks (canneal); keys counted in each\n"
    "core's own bins, placed and sorted (GPUSort); a sum, whose last part adds up the others\n"
    "(threadFenceReduction). `kernel` may be any other program too. Z is what a core computes between its\n"
    "accesses; `between` is the time from one of its operations to the next that comes of it, next to that of\n"
    "Table II. Plain words have an L1 of their own, and a core has one access under way.\n"
    "\n"
    "Tables and plots are those of `fear-mesh` (Figures 5 to 9), the best speed-up next to Table II's, the\n"
    "orderings that the paper's text has next to the results, and speed-up against the mesh's side, each\n"
    "over its own L2.\n"
    "\n"
    "What to believe: canneal gains by speculation most, GPUSort by caching alone, and loses some of it by\n"
    "its rings' updates, and threadFenceReduction not at all, as published. What does not come out, and\n"
    "what decides it: fluidanimate falls from AtomDir to Topology, as the updates of rings of nine keep\n"
    "busy wires occupied: with u=0 the three rise as published (1.31, 1.33, 1.35). hypercolumn does not\n"
    "gain, as an operation on its queue takes the L2 no longer than a fetch: it does where it takes longer\n"
    "(rmw=300: 1.02, rmw=1000: 1.06, whatever L2 and port). Nothing scales with the mesh: updates pass\n"
    "all members of rings that grow with it.\n";

static bool fill_workload(struct cost_report *report, struct fear_program *program, struct diags *diags) {
  const struct setting *s = program->setting;
  (void)report;
  program->runs = true;
  program->kernel = (struct kernel_options){.kind = (enum kernel_kind)setting_number(s, "kernel", diags),
                                            .size = (uint32_t)setting_number(s, "size", diags),
                                            .range = (uint32_t)setting_number(s, "range", diags),
                                            .keys = (enum kernel_keys)setting_number(s, "keys", diags),
                                            .graph = (enum graph_kind)setting_number(s, "graph", diags),
                                            .degree = (uint32_t)setting_number(s, "degree", diags),
                                            .think = program->p.Z,
                                            .seed = (uint64_t)setting_number(s, "seed", diags)};
  return true;
}

/* ---- Table II ---- */

static void add_summary(struct cost_report *report, const struct fear_figures *f, const struct fear_figure *parts,
                        struct diags *diags) {
  struct table *table = cost_add_table(report, "Best speed-up (Table II)");
  static const struct {
    const char *name, *unit;
  } columns[] = {{"program", NULL},
                 {"best", NULL},
                 {"by", NULL},
                 {"published", NULL},
                 {"operations", "at the L2"},
                 {"between", "cycles of a core per operation"},
                 {"published between", "cycles of a core per operation"}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) table_column(table, columns[i].name, columns[i].unit);
  if (fear_figure_done(f, parts) < parts->count) return;
  for (size_t i = 0; i < f->programs.list.count; i++) {
    const struct fear_program *program = &f->program[i];
    const struct fear_mesh_result *memside = fear_figure_result(f, program->memside);
    size_t best = 0;
    for (size_t k = 1; k < parts->count; k++)
      if (fear_figure_speedup(f, &parts->row[k], i) > fear_figure_speedup(f, &parts->row[best], i)) best = k;
    int64_t published = setting_number(program->setting, "published", diags);
    table_put_text(table, program->setting->name);
    if (parts->count)
      table_put_ratio(table, memside->fear.end, fear_figure_result(f, parts->row[best].run[i])->fear.end);
    else
      table_put_empty(table);
    table_put_text(table, parts->count ? parts->row[best].name : "-");
    if (published)
      table_put_milli(table, published);
    else
      table_put_empty(table);
    table_put_number(table, memside->operations);
    int64_t cores = program->p.W * program->p.W - program->p.mems;
    table_put_number(table, memside->operations ? cores * memside->fear.end / memside->operations : 0);
    int64_t between = setting_number(program->setting, "between", diags);
    if (between)
      table_put_number(table, between);
    else
      table_put_empty(table);
  }
}

/* ---- what the paper's text says ---- */

enum { FLUIDANIMATE, HYPERCOLUMN, CANNEAL, GPUSORT, REDUCTION, PAPERS };
enum { ATOMDIR, TOPOLOGY, SPECFETCH, PARTS };
enum { RINGS, MUTEXES, WIRES, TABLES, EPOCHS };

/* Speed-ups by part and program; the figures that have been done. */
struct findings {
  const struct fear_figures *f;
  const struct fear_figure *parts, *sweeps;
  double part[PARTS][PAPERS];
};

/* How far apart the speed-ups of a program are from a row of a sweep on. */
static double spread(const struct findings *x, int sweep, size_t from, size_t program) {
  const struct fear_figure *figure = &x->sweeps[sweep];
  double least = fear_figure_speedup(x->f, &figure->row[from], program), most = least;
  for (size_t s = from; s < figure->count; s++) {
    double here = fear_figure_speedup(x->f, &figure->row[s], program);
    least = here < least ? here : least;
    most = here > most ? here : most;
  }
  return most - least;
}

/* The widest spread among programs from one on to another. */
static double widest(const struct findings *x, int sweep, size_t from, size_t first, size_t last) {
  double most = 0;
  for (size_t i = first; i <= last; i++) most = spread(x, sweep, from, i) > most ? spread(x, sweep, from, i) : most;
  return most;
}

/* The row of a sweep by name. */
static size_t row_named(const struct fear_figure *figure, const char *name) {
  size_t s = 0;
  while (s + 1 < figure->count && strcmp(figure->row[s].name, name) != 0) s++;
  return s;
}

static bool rises(const struct findings *x, size_t program) {
  return x->part[ATOMDIR][program] < x->part[TOPOLOGY][program] &&
         x->part[TOPOLOGY][program] < x->part[SPECFETCH][program];
}

static void put_parts(struct table *table, const struct findings *x, const char *says, size_t program, bool holds) {
  cost_put_statement(table, says, holds, "%.3f, %.3f, %.3f", x->part[ATOMDIR][program], x->part[TOPOLOGY][program],
                     x->part[SPECFETCH][program]);
}

/* The paper reacts to a tenth of a percent in Table II; here half a percent is nothing. */
static void put_findings(struct table *table, const struct findings *x) {
  const double none = 0.005;
  put_parts(table, x, "fluidanimate rises with each part (Figure 9)", FLUIDANIMATE, rises(x, FLUIDANIMATE));
  put_parts(table, x, "hypercolumn rises with each part", HYPERCOLUMN, rises(x, HYPERCOLUMN));
  const double *cached = x->part[ATOMDIR], *ringed = x->part[TOPOLOGY], *guessed = x->part[SPECFETCH];
  double step = guessed[CANNEAL] - ringed[CANNEAL];
  put_parts(table, x, "canneal gains by speculation above all", CANNEAL,
            step > cached[CANNEAL] - 1 && step > ringed[CANNEAL] - cached[CANNEAL] && guessed[CANNEAL] > 1 + none);
  put_parts(table, x, "GPUSort gains by caching, loses by updates, and speculation makes up", GPUSORT,
            cached[GPUSORT] > 1 + none && ringed[GPUSORT] < cached[GPUSORT] && guessed[GPUSORT] > ringed[GPUSORT]);
  put_parts(table, x, "threadFenceReduction does not suffer", REDUCTION, guessed[REDUCTION] > 1 - none);
  size_t entries = row_named(&x->sweeps[TABLES], "1024");
  double tables = widest(x, TABLES, entries, 0, PAPERS - 1);
  cost_put_statement(table, "tables above 1K entries change nothing (Figure 7)", tables < none, "%.3f, %.3f", tables,
                     none);
  const struct fear_figure *wires = &x->sweeps[WIRES];
  size_t some = row_named(wires, "16"), ideal = row_named(wires, "ideal");
  double worst = 0;
  for (size_t i = 0; i < PAPERS; i++) {
    double lost = fear_figure_speedup(x->f, &wires->row[ideal], i) - fear_figure_speedup(x->f, &wires->row[some], i);
    worst = lost > worst ? lost : worst;
  }
  cost_put_statement(table, "16 busy wires come close to ideal updates: lost (Figure 6)", worst < 4 * none,
                     "%.3f, %.3f", worst, 4 * none);
  static const struct {
    int sweep;
    const char *says;
  } most[] = {{MUTEXES, "fluidanimate reacts to mutexes most (Figure 5)"},
              {WIRES, "fluidanimate reacts to busy wires most"},
              {EPOCHS, "fluidanimate reacts to the epoch most (Figure 8)"}};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
    double own = spread(x, most[i].sweep, 0, FLUIDANIMATE), others = widest(x, most[i].sweep, 0, 1, PAPERS - 1);
    cost_put_statement(table, most[i].says, own > others, "%.3f, %.3f", own, others);
  }
}

/* For the paper's programs, parts and sweeps only: not where the user gave others. */
static void add_orderings(struct cost_report *report, const struct fear_figures *f, const struct fear_figure *parts,
                          const struct fear_figure *sweeps) {
  struct table *table = cost_add_statements(report, "The paper's text");
  bool whole = f->programs.list.count == PAPERS && parts->count == PARTS && fear_figure_done(f, parts) == PARTS;
  for (size_t i = 0; i < FEAR_SWEEPS; i++)
    whole = whole && sweeps[i].count > 1 && fear_figure_done(f, &sweeps[i]) == sweeps[i].count;
  if (!whole) return;
  struct findings x = {.f = f, .parts = parts, .sweeps = sweeps};
  for (size_t k = 0; k < PARTS; k++)
    for (size_t i = 0; i < PAPERS; i++) x.part[k][i] = fear_figure_speedup(f, &parts->row[k], i);
  put_findings(table, &x);
}

bool view_fear_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  static const struct fear_sweep nodes = {"nodes", "Nodes", "side of the mesh (nodes)", {"W", "mems", "k"}, true};
  struct fear_figures f;
  struct fear_figure parts, sweeps[FEAR_SWEEPS], sizes;
  (void)request;
  if (!fear_figures_begin(report, &f, "kernels", "kernel", fill_workload, diags) ||
      !fear_figures_plan(report, &f, &fear_parts, &parts, diags) ||
      !fear_figures_plan(report, &f, &nodes, &sizes, diags))
    return false;
  for (size_t i = 0; i < FEAR_SWEEPS; i++)
    if (!fear_figures_plan(report, &f, &fear_sweeps[i], &sweeps[i], diags)) return false;
  if (!fear_figures_run(report, &f, diags)) return false;
  fear_figures_add_parts(report, &f, &parts);
  add_summary(report, &f, &parts, diags);
  add_orderings(report, &f, &parts, sweeps);
  for (size_t i = 0; i < FEAR_SWEEPS; i++) fear_figures_add_sweep(report, &fear_sweeps[i], &f, &sweeps[i]);
  fear_figures_add_sweep(report, &nodes, &f, &sizes);
  fear_figures_add_energy(report, &f, &parts);
  return true;
}
