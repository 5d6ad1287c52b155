/* SPDX-License-Identifier: MIT */
/* The view of timed runs on rings. */
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/timing/fear_figures.h"
#include "hwsem/timing/fear_rings.h"
#include "hwsem/timing/view_list.h"

static const char help_fear_timed[] =
    "Nodes run `ops` operations each, with ring tables, busy wires, epochs and speculative fetches,\n"
    "against memside, where each operation is done at its L2 slice. Workloads: priv (private lines),\n"
    "mix (private with some shared), mig (migrating), rnd (random), hot (one line). Data comes from\n"
    "the node's own cache, a speculative answer or a fetch. Then sweeps of the busy wires B (u=0:\n"
    "updates take no time) and of the epoch length E. Giving k or layout makes one row, with defaults\n"
    "for everything else.\n"
    "\n" FEAR_RINGS_BELIEVE;

#define FIELD(name) \
  { #name, offsetof(struct fear_mesh_parameters, name) }
static const struct parameter_field fields[] = {FIELD(W), FIELD(hop), FIELD(layout), FIELD(k),  FIELD(a),   FIELD(B),
                                                FIELD(M), FIELD(u),   FIELD(L1),     FIELD(L2), FIELD(ALU), FIELD(Z),
                                                FIELD(E), FIELD(LUT), FIELD(spec),   FIELD(ops)};
#undef FIELD

static bool fill(const struct setting *setting, struct fear_mesh_parameters *p) {
  *p = (struct fear_mesh_parameters){.ideal = 1, .period = 1};
  if (!setting_fill(setting, fields, ARRAY_COUNT(fields), p)) return false;
  if (p->k == 0) p->k = p->W * p->W;
  return fear_check_operations(setting, p);
}

enum { WORKLOADS = FEAR_HOT - FEAR_PRIV + 1 };
static const char *const workload_names[WORKLOADS] = {"priv", "mix", "mig", "rnd", "hot"};

/* A row's machine, and what it is called. */
struct configuration {
  const struct setting *setting;
  const char *name;
  struct fear_mesh_parameters p; /* memside: nobody asks for its rings */
  struct fear_rings rings;
};

/* Rows of a table that the mesh which the user gave has no rings for. */
struct left_out {
  size_t count;
  const char *first;
};

/* Of several rows one that does not fit is left out; what the user asks for himself has to fit. */
static bool may_be_left_out(const struct setting *setting, size_t rows) {
  return rows > 1 && setting_is_given(setting, "W") && !setting_is_given(setting, "k") &&
         !setting_is_given(setting, "a");
}

static bool refuse_rings(const struct setting *setting, const struct fear_mesh_parameters *p) {
  if (!fear_check_ring(setting, p->W, p->k)) return false;
  const char *columns = p->a ? arena_printf(setting->diags->arena, " of a=%d columns", (int)p->a) : "";
  return setting_error(setting, p->a ? "a" : "k", "no lattice%s spreads k=%d members evenly over a %dx%d mesh", columns,
                       (int)p->k, (int)p->W, (int)p->W);
}

/* The i-th of some rows; one that is left out has no setting.  False with an error. */
static bool load(struct arena *arena, const struct settings *rows, size_t i, struct left_out *out,
                 struct configuration *c) {
  const struct setting *setting = &rows->list.at[i];
  struct fear_mesh_parameters *p = &c->p;
  *c = (struct configuration){.setting = setting, .name = setting->name};
  if (!fill(setting, p)) return false;
  if (p->W * p->W % p->k == 0 && fear_rings_new(arena, p->W, (enum fear_layout)p->layout, p->k, p->a, &c->rings))
    return true;
  if (!may_be_left_out(setting, rows->list.count)) return refuse_rings(setting, p);
  if (out->count++ == 0) out->first = setting->name;
  c->setting = NULL;
  return true;
}

static void warn_of_left_out(const struct left_out *out, const struct cost_report *report, const struct table *table) {
  if (out->count)
    diag_warning(report->diags, NULL, (struct span){0},
                 "%s: %zu row%s left out, '%s' first: no such rings fit on this mesh", table->title, out->count,
                 out->count == 1 ? "" : "s", out->first);
}

static void add_timed_columns(struct table *table) {
  table_columns(table, "configuration", "workload", "end|cycles", "sum acquisition|cycles", "sum latency|cycles",
                FEAR_RESULT_COLUMNS, NULL);
}

/* Runs a workload and puts what it came to; false: the limit is met. */
static bool put_run(struct cost_report *report, struct table *table, const struct configuration *c, int64_t workload,
                    struct fear_result *result) {
  bool rings = !c->p.memside;
  cost_begin(&report->effort);
  *result = fear_mesh_run(&c->p, &c->rings, (enum fear_sharing)(FEAR_PRIV + workload), &report->limit);
  cost_end(&report->effort, result->events);
  if (report->limit.met) return false;
  table_put_text(table, c->name);
  table_put_text(table, workload_names[workload]);
  table_put_number(table, result->end);
  table_put_number_where(table, rings, result->acquisition);
  table_put_number(table, result->latency);
  fear_put_result(table, result, rings);
  return true;
}

/* The workloads of the first table: all, or the one that is given. */
static void add_workloads(struct cost_report *report, const struct configuration *c, struct table *table) {
  bool given = setting_is_given(c->setting, "workload");
  for (int w = 0; w < WORKLOADS; w++) {
    struct fear_result result;
    if (given && setting_number(c->setting, "workload") != w) continue;
    if (!put_run(report, table, c, w, &result)) return;
  }
}

/* Does the memory-side machine come to the same under both? */
static bool same_memside(const struct fear_mesh_parameters *a, const struct fear_mesh_parameters *b) {
  return a->W == b->W && a->hop == b->hop && a->L2 == b->L2 && a->ALU == b->ALU && a->Z == b->Z && a->ops == b->ops;
}

/* The baseline of every mesh among the settings, once; from the second on it says
 * whose it is. */
static bool add_baselines(struct cost_report *report, const struct settings *settings, struct table *table) {
  VEC(struct fear_mesh_parameters) shown = {0};
  for (size_t i = 0; i < settings->list.count; i++) {
    struct configuration c = {.setting = &settings->list.at[i], .name = "memside"};
    if (!fill(c.setting, &c.p)) return false;
    bool known = false;
    for (size_t j = 0; j < shown.count && !known; j++) known = same_memside(&shown.at[j], &c.p);
    if (known) continue;
    if (shown.count) c.name = arena_printf(report->arena, "memside of %s", c.setting->name);
    *vec_push(report->arena, &shown) = c.p;
    c.p.memside = c.p.k = 1;
    c.p.port = c.p.L2 + c.p.ALU;
    fear_rings_new(report->arena, c.p.W, FEAR_ROWS, c.p.k, 0, &c.rings);
    add_workloads(report, &c, table);
  }
  return true;
}

/* Does a row's name still say what is run?  The user may have changed what it sets,
 * or the mesh that "all nodes" are of. */
static bool is_renamed(const struct setting *setting) {
  if (setting_is_changed(setting)) return true;
  return setting_is_given(setting, "W") && setting_number(setting, "k") == 0;
}

static const char *name_of(struct arena *arena, const struct configuration *c) {
  const struct fear_mesh_parameters *p = &c->p;
  const char *spec = p->spec ? "+spec" : "";
  if (!is_renamed(c->setting)) return c->setting->name;
  if (p->layout == FEAR_LATTICE)
    return arena_printf(arena, "lattice %dx%d B%d%s", (int)c->rings.a, (int)c->rings.b, (int)p->B, spec);
  const char *kind = p->k == 1 ? "AtomDir" : p->k == c->rings.nodes ? "AtomNaive" : "rows";
  return arena_printf(arena, "%s k%d B%d%s", kind, (int)p->k, (int)p->B, spec);
}

static bool add_configurations(struct cost_report *report, const struct settings *settings, struct table *table) {
  struct left_out out = {0};
  for (size_t i = 0; i < settings->list.count; i++) {
    struct configuration c;
    if (!load(report->arena, settings, i, &out, &c)) return false;
    if (!c.setting) continue;
    c.name = name_of(report->arena, &c);
    add_workloads(report, &c, table);
  }
  warn_of_left_out(&out, report, table);
  return true;
}

/* A sweep: one row for each setting, led by the parameters that it varies, and a curve for
 * each configuration. */
struct parameter_sweep {
  const char *table, *title;
  const char *names[4]; /* of numbers, ending in NULL */
  const char *x, *x_label, *y_label;
  bool close_up;
};

/* The series of a name, made when it is new. */
static struct plot_series *series_of(struct plot *plot, const char *name) {
  for (size_t i = 0; i < plot->series.count; i++)
    if (!strcmp(plot->series.at[i]->name, name)) return plot->series.at[i];
  return plot_add_series(plot, name);
}

static void push_x(struct plot *plot, double x) {
  for (size_t i = 0; i < plot->x.count; i++)
    if (plot->x.at[i] == x) return;
  *vec_push(plot->arena, &plot->x) = x;
}

static const char *curve_of(struct arena *arena, const struct configuration *c, int64_t workload) {
  if (!is_renamed(c->setting)) return c->setting->name;
  return arena_printf(arena, "%s k=%d%s", workload_names[workload], (int)c->p.k,
                      c->p.layout == FEAR_LATTICE ? " lattice" : "");
}

static void add_point(struct cost_report *report, const struct parameter_sweep *sweep, struct configuration *c,
                      struct table *table, struct plot *plot) {
  struct fear_result result;
  int64_t workload = setting_number(c->setting, "workload");
  c->name = curve_of(report->arena, c, workload);
  if (!put_run(report, table, c, workload, &result)) return;
  for (int i = 0; sweep->names[i]; i++)
    table_put_number(table, !strcmp(sweep->names[i], "k") ? c->p.k : setting_number(c->setting, sweep->names[i]));
  if (c->p.u == 0) return; /* ideal updates have no place on the axis */
  bool wires = !strcmp(sweep->x, "B");
  plot_push(plot, series_of(plot, c->name), (double)(wires ? result.end : result.latency));
  push_x(plot, (double)setting_number(c->setting, sweep->x));
}

static bool add_sweep(struct cost_report *report, const struct parameter_sweep *sweep) {
  struct settings settings = cost_settings(report, sweep->table, NULL, NULL);
  struct table *table = cost_add_table(report, sweep->title);
  struct plot *plot = cost_add_plot(report, PLOT_LINES, sweep->title, sweep->x_label, sweep->y_label);
  struct left_out out = {0};
  plot->doubling = true;
  plot->close_up = sweep->close_up;
  add_timed_columns(table);
  for (int i = 0; sweep->names[i]; i++) table_column(table, sweep->names[i], NULL);
  for (size_t i = 0; i < settings.list.count && !report->limit.met; i++) {
    struct configuration c;
    if (!load(report->arena, &settings, i, &out, &c)) return false;
    if (c.setting) add_point(report, sweep, &c, table, plot);
  }
  warn_of_left_out(&out, report, table);
  return true;
}

static bool show_fear_timed(struct cost_report *report) {
  struct settings settings = cost_settings(report, "configurations", "k", NULL);
  if (setting_is_given(&settings.list.at[0], "layout"))
    settings = cost_settings(report, "configurations", "layout", NULL);
  struct table *table = cost_add_table(report, "Timed runs");
  add_timed_columns(table);
  static const struct parameter_sweep wires = {
      "wires", "Busy wires", {"k", "B", "u"}, "B", "busy wires of a ring (number)", "end (cycles)", false};
  static const struct parameter_sweep epochs = {
      "epochs", "Epoch length", {"E"}, "E", "epoch (cycles)", "sum of latencies (cycles)", true};
  return add_baselines(report, &settings, table) && add_configurations(report, &settings, table) &&
         add_sweep(report, &wires) && add_sweep(report, &epochs);
}

const struct cost_view view_fear_timed = {.name = "fear-timed",
                                          .machine = "timing-fear",
                                          .summary = "mutex rings on a mesh: timed runs, busy wires, epochs",
                                          .help = help_fear_timed,
                                          .run = show_fear_timed};
