/* SPDX-License-Identifier: MIT */
/* The view of timed runs on rings. */
#include <string.h>

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

static bool fill(const struct setting *setting, struct fear_mesh_parameters *p, struct diags *diags) {
  *p = (struct fear_mesh_parameters){.ideal = 1, .period = 1};
  if (!setting_fill(setting, fields, sizeof fields / sizeof *fields, p, diags)) return false;
  if (p->k == 0) p->k = p->W * p->W;
  return fear_check_operations(setting, p, diags);
}

enum { WORKLOADS = FEAR_HOT - FEAR_PRIV + 1 };
static const char *const workload_names[WORKLOADS] = {"priv", "mix", "mig", "rnd", "hot"};

static bool make_rings(struct arena *arena, const struct setting *setting, const struct fear_mesh_parameters *p,
                       struct fear_rings *rings, struct diags *diags) {
  if (!fear_check_ring(setting, p->W, p->k, diags)) return false;
  if (fear_rings_new(arena, p->W, (enum fear_layout)p->layout, p->k, p->a, rings)) return true;
  setting_error(setting, diags, p->a ? "a" : "k", "no lattice%s spreads k=%d members evenly over a %dx%d mesh",
                p->a ? arena_printf(arena, " of a=%d columns", (int)p->a) : "", (int)p->k, (int)p->W, (int)p->W);
  return false;
}

static void add_timed_columns(struct table *table) {
  table_columns(table, "configuration", "workload", "end|cycles", "sum acquisition|cycles", "sum latency|cycles",
                FEAR_RESULT_COLUMNS, NULL);
}

static void put_result(struct table *table, const struct fear_result *result, bool rings) {
  table_put_number(table, result->end);
  table_put_number_where(table, rings, result->acquisition);
  table_put_number(table, result->latency);
  fear_put_result(table, result, rings);
}

/* The workloads of the first table: all, or the one that is given. */
static bool wants_workload(const struct setting *setting, int workload, struct diags *diags) {
  return !setting_is_given(setting, "workload") || setting_number(setting, "workload", diags) == workload;
}

static struct fear_result simulate(struct cost_report *report, const struct fear_mesh_parameters *p,
                                   const struct fear_rings *rings, int64_t workload) {
  cost_begin(&report->effort);
  struct fear_result result = fear_mesh_run(p, rings, (enum fear_sharing)(FEAR_PRIV + workload), &report->limit);
  cost_end(&report->effort, result.events);
  return result;
}

struct configuration {
  const struct fear_mesh_parameters *p;
  const struct fear_rings *rings;
  const char *name;
  bool has_rings; /* else the memory side does all */
};

static void add_workloads(struct cost_report *report, const struct setting *setting, const struct configuration *c,
                          struct table *table, struct diags *diags) {
  for (int w = 0; w < WORKLOADS; w++) {
    if (!wants_workload(setting, w, diags)) continue;
    struct fear_result result = simulate(report, c->p, c->rings, w);
    if (report->limit.met) return;
    table_put_text(table, c->name);
    table_put_text(table, workload_names[w]);
    put_result(table, &result, c->has_rings);
  }
}

/* Does the memory-side machine come to the same under both? */
static bool same_memside(const struct fear_mesh_parameters *a, const struct fear_mesh_parameters *b) {
  return a->W == b->W && a->hop == b->hop && a->L2 == b->L2 && a->ALU == b->ALU && a->Z == b->Z && a->ops == b->ops;
}

static bool add_memside(struct cost_report *report, const struct setting *setting, const char *name,
                        struct table *table, struct diags *diags) {
  struct fear_mesh_parameters p;
  if (!fill(setting, &p, diags)) return false;
  struct fear_rings rings;
  p.memside = 1;
  p.port = p.L2 + p.ALU;
  p.k = 1;
  fear_rings_new(report->arena, p.W, FEAR_ROWS, p.k, 0, &rings);
  add_workloads(report, setting, &(struct configuration){&p, &rings, name, false}, table, diags);
  return true;
}

/* The baseline of every mesh among the settings, once; from the second on it says
 * whose it is. */
static bool add_baselines(struct cost_report *report, const struct settings *settings, struct table *table,
                          struct diags *diags) {
  VEC(struct fear_mesh_parameters) shown = {0};
  for (size_t i = 0; i < settings->list.count; i++) {
    const struct setting *setting = &settings->list.at[i];
    struct fear_mesh_parameters p;
    if (!fill(setting, &p, diags)) return false;
    bool known = false;
    for (size_t j = 0; j < shown.count && !known; j++) known = same_memside(&shown.at[j], &p);
    if (known) continue;
    const char *name = shown.count ? arena_printf(report->arena, "memside of %s", setting->name) : "memside";
    *vec_push(report->arena, &shown) = p;
    if (!add_memside(report, setting, name, table, diags)) return false;
  }
  return true;
}

/* Does a row's name still say what is run?  The user may have changed what it sets,
 * or the mesh that "all nodes" are of. */
static bool is_renamed(const struct setting *setting) {
  if (setting_is_changed(setting)) return true;
  return setting_is_given(setting, "W") && setting_number(setting, "k", NULL) == 0;
}

static const char *name_of(struct arena *arena, const struct setting *setting, const struct fear_mesh_parameters *p,
                           const struct fear_rings *rings) {
  if (!is_renamed(setting)) return setting->name;
  const char *spec = p->spec ? "+spec" : "";
  if (p->layout == FEAR_LATTICE)
    return arena_printf(arena, "lattice %dx%d B%d%s", (int)rings->a, (int)rings->b, (int)p->B, spec);
  const char *kind = p->k == 1 ? "AtomDir" : p->k == rings->nodes ? "AtomNaive" : "rows";
  return arena_printf(arena, "%s k%d B%d%s", kind, (int)p->k, (int)p->B, spec);
}

/* Rows of a table that the mesh which the user gave has no rings for. */
struct left_out {
  size_t count;
  const char *first;
};

/* Is a row to be left out?  Of several rows one that does not fit is; what the user
 * asks for himself has to fit. */
static bool leaves_out(const struct setting *setting, size_t rows, struct left_out *out) {
  if (rows < 2 || !setting_is_given(setting, "W") || setting_is_given(setting, "k") || setting_is_given(setting, "a"))
    return false;
  struct arena *arena = arena_new();
  struct diags silent = diags_new(arena);
  struct fear_mesh_parameters p;
  struct fear_rings rings;
  bool misfit = fill(setting, &p, &silent) && !make_rings(arena, setting, &p, &rings, &silent);
  arena_free(arena);
  if (misfit && out->count++ == 0) out->first = setting->name;
  return misfit;
}

static void warn_of_left_out(const struct left_out *out, const struct table *table, struct diags *diags) {
  if (out->count)
    diag_warning(diags, NULL, (struct span){0}, "%s: %zu row%s left out, '%s' first: no such rings fit on this mesh",
                 table->title, out->count, out->count == 1 ? "" : "s", out->first);
}

static bool add_configuration(struct cost_report *report, const struct setting *setting, struct table *table,
                              struct diags *diags) {
  struct fear_mesh_parameters p;
  struct fear_rings rings;
  if (!fill(setting, &p, diags) || !make_rings(report->arena, setting, &p, &rings, diags)) return false;
  const char *name = name_of(report->arena, setting, &p, &rings);
  add_workloads(report, setting, &(struct configuration){&p, &rings, name, true}, table, diags);
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

static const char *curve_of(struct arena *arena, const struct setting *setting, const struct fear_mesh_parameters *p,
                            int64_t workload) {
  if (!is_renamed(setting)) return setting->name;
  return arena_printf(arena, "%s k=%d%s", workload_names[workload], (int)p->k,
                      p->layout == FEAR_LATTICE ? " lattice" : "");
}

static bool add_point(struct cost_report *report, const struct parameter_sweep *sweep, const struct setting *setting,
                      struct table *table, struct plot *plot, struct diags *diags) {
  struct fear_mesh_parameters p;
  struct fear_rings rings;
  if (!fill(setting, &p, diags) || !make_rings(report->arena, setting, &p, &rings, diags)) return false;
  int64_t workload = setting_number(setting, "workload", diags);
  struct fear_result result = simulate(report, &p, &rings, workload);
  if (report->limit.met) return true;
  const char *curve = curve_of(report->arena, setting, &p, workload);
  table_put_text(table, curve);
  table_put_text(table, workload_names[workload]);
  put_result(table, &result, true);
  for (int i = 0; sweep->names[i]; i++)
    table_put_number(table, !strcmp(sweep->names[i], "k") ? p.k : setting_number(setting, sweep->names[i], diags));
  if (p.u == 0) return true; /* ideal updates have no place on the axis */
  bool wires = !strcmp(sweep->x, "B");
  plot_push(plot, series_of(plot, curve), (double)(wires ? result.end : result.latency));
  push_x(plot, (double)setting_number(setting, sweep->x, diags));
  return true;
}

static bool add_sweep(struct cost_report *report, const struct parameter_sweep *sweep, struct diags *diags) {
  struct settings settings = cost_settings(report, sweep->table, NULL, NULL);
  struct table *table = cost_add_table(report, sweep->title);
  struct plot *plot = cost_add_plot(report, PLOT_LINES, sweep->title, sweep->x_label, sweep->y_label);
  struct left_out out = {0};
  plot->doubling = true;
  plot->close_up = sweep->close_up;
  add_timed_columns(table);
  for (int i = 0; sweep->names[i]; i++) table_column(table, sweep->names[i], NULL);
  for (size_t i = 0; i < settings.list.count && !report->limit.met; i++) {
    const struct setting *setting = &settings.list.at[i];
    if (leaves_out(setting, settings.list.count, &out)) continue;
    if (!add_point(report, sweep, setting, table, plot, diags)) return false;
  }
  warn_of_left_out(&out, table, diags);
  return true;
}

static bool show_fear_timed(struct cost_report *report, struct diags *diags) {
  struct settings settings = cost_settings(report, "configurations", "k", NULL);
  if (setting_is_given(&settings.list.at[0], "layout"))
    settings = cost_settings(report, "configurations", "layout", NULL);
  struct table *table = cost_add_table(report, "Timed runs");
  struct left_out out = {0};
  add_timed_columns(table);
  if (!add_baselines(report, &settings, table, diags)) return false;
  for (size_t i = 0; i < settings.list.count; i++) {
    if (leaves_out(&settings.list.at[i], settings.list.count, &out)) continue;
    if (!add_configuration(report, &settings.list.at[i], table, diags)) return false;
  }
  warn_of_left_out(&out, table, diags);
  static const struct parameter_sweep wires = {
      "wires", "Busy wires", {"k", "B", "u"}, "B", "busy wires of a ring (number)", "end (cycles)", false};
  static const struct parameter_sweep epochs = {
      "epochs", "Epoch length", {"E"}, "E", "epoch (cycles)", "sum of latencies (cycles)", true};
  return add_sweep(report, &wires, diags) && add_sweep(report, &epochs, diags);
}

const struct cost_view view_fear_timed = {.name = "fear-timed",
                                          .machine = "timing-fear",
                                          .summary = "mutex rings on a mesh: timed runs, busy wires, epochs",
                                          .help = help_fear_timed,
                                          .run = show_fear_timed};
