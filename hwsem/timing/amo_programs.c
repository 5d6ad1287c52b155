/* SPDX-License-Identifier: MIT */
/* Programs on the mesh of atomics: Figures 7 to 11 of the DynAMO paper from runs
 * of kernels under static policies and predictors. */
#include <stdlib.h>
#include <string.h>

#include "hwsem/timing/amo.h"
#include "hwsem/timing/views.h"
#include "hwsem/workloads/kernels.h"

const char help_amo_programs[] =
    "Kernels with real contention on the mesh of atomics: histograms, sparse matrix times vector,\n"
    "radix sort, breadth-first search, components, a task queue, counters, locks and barriers. They run\n"
    "under every static policy that keeps operations on unique lines near (rows of the description: a\n"
    "letter N or F for UC, UD, SC, SD and I; near=NNFNF tries another), and under the predictors. A far\n"
    "AtomicStore does not block its core until `win` are outstanding; the last-level cache is finite.\n"
    "Speed-ups are over AllNear: Figure 7 (static), Figure 8 (predictors beside the best static policy),\n"
    "Figure 9 (inputs), Figure 10 (the predictor's table) and Figure 11 (distances and memory), then\n"
    "what moves. Every answer is checked; a wrong one ends the view with an error.\n"
    "\n"
    "What to believe: caches, protocol, policies and predictors are executed. Cores are in order and\n"
    "their other accesses block, where the paper's are out of order; kernels stand for its programs and\n"
    "are small; there are no prefetchers. Energy is a sum of counts times energies of the description.\n"
    "The published order of Figure 7, PresentNear over UniqueNear and SharedFar below 1, is that of the\n"
    "mutexes with readers, which most of the paper's programs are made of; updates of bins, rows and\n"
    "counters, half of the kernels here, want UniqueNear. Metric is above Reuse, unlike in Figure 8: a\n"
    "Reuse entry turns far after confmax unrewarded visits by a core, which short runs hardly have\n"
    "(Figure 10: with 3 bits it gains most). In Figure 11 the gain grows with the distance.\n";

#define FIELD(name) \
  { #name, offsetof(struct amo_parameters, name) }
static const struct parameter_field fields[] = {
    FIELD(hop),    FIELD(l1),   FIELD(l2),    FIELD(llc),     FIELD(l1sets),  FIELD(l1ways),  FIELD(l2sets),
    FIELD(l2ways), FIELD(dir),  FIELD(buf),   FIELD(hb),      FIELD(alu),     FIELD(wr),      FIELD(ldx),
    FIELD(iss),    FIELD(win),  FIELD(early), FIELD(amt),     FIELD(amtways), FIELD(confmax), FIELD(mth),
    FIELD(mdecay), FIELD(mmax), FIELD(fr),    FIELD(llcsets), FIELD(llcways), FIELD(mem)};
#undef FIELD

bool amo_program_fill(const struct setting *setting, struct amo_parameters *p, struct diags *diags) {
  *p = (struct amo_parameters){0};
  if (!setting_fill(setting, fields, sizeof fields / sizeof *fields, p, diags)) return false;
  if (p->amt % p->amtways == 0) return true;
  setting_error(setting, diags, setting_is_given(setting, "amtways") ? "amtways" : "amt",
                "amt=%d entries are not a multiple of amtways=%d", (int)p->amt, (int)p->amtways);
  return false;
}

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

/* `NNFNF`: UC, UD, SC, SD, I. */
bool amo_letters_read(const struct setting *setting, int64_t *near, struct diags *diags) {
  static const enum amo_state states[] = {AMO_UC, AMO_UD, AMO_SC, AMO_SD, AMO_I};
  const char *letters = setting_text(setting, "near", diags);
  *near = 0;
  if (strlen(letters) == 5 && strspn(letters, "NF") == 5) {
    for (int i = 0; i < 5; i++)
      if (letters[i] == 'N') *near |= (int64_t)1 << states[i];
    return true;
  }
  setting_error(setting, diags, "near", "a policy is five letters N or F, for UC, UD, SC, SD and I, not '%s'", letters);
  return false;
}

static bool load_policies(struct cost_report *report, struct policies *all, struct diags *diags) {
  static const struct policy predictors[] = {
      {"Metric", AMO_METRIC, 0}, {"Reuse-UN", AMO_REUSE_UN, 0}, {"Reuse-PN", AMO_REUSE_PN, 0}};
  struct settings rows = cost_settings(report, "static", NULL, NULL);
  *all = (struct policies){.at[0] = {"AllNear", AMO_ALL_NEAR, 0}, .count = 1};
  for (size_t i = 0; i < rows.list.count && all->count + 3 < MOST_POLICIES; i++) {
    struct policy *policy = &all->at[all->count++];
    *policy = (struct policy){rows.list.at[i].name, AMO_TABLE, 0};
    if (!amo_letters_read(&rows.list.at[i], &policy->near, diags)) return false;
  }
  all->statics = all->count;
  for (size_t i = 0; i < 3; i++) all->at[all->count++] = predictors[i];
  return true;
}

/* ---- one run ---- */

static struct kernel_options options_of(const struct setting *s, struct diags *diags) {
  return (struct kernel_options){.kind = (enum kernel_kind)setting_number(s, "kernel", diags),
                                 .threads = (unsigned)setting_number(s, "n", diags),
                                 .size = (uint32_t)setting_number(s, "size", diags),
                                 .range = (uint32_t)setting_number(s, "range", diags),
                                 .keys = (enum kernel_keys)setting_number(s, "keys", diags),
                                 .graph = (enum graph_kind)setting_number(s, "graph", diags),
                                 .degree = (uint32_t)setting_number(s, "degree", diags),
                                 .think = setting_number(s, "think", diags),
                                 .seed = (uint64_t)setting_number(s, "seed", diags)};
}

static bool run_kernel(struct cost_report *report, const struct setting *setting, const struct amo_parameters *p,
                       const struct policy *policy, struct amo_result *result, struct diags *diags) {
  struct arena *arena = arena_new();
  struct amo_parameters own = *p;
  struct kernel_options o = options_of(setting, diags);
  struct kernel *kernel = kernel_new(arena, &o);
  struct work *work = kernel_work(kernel);
  const char *wrong = NULL;
  own.near = policy->near;
  bool recording = !work->out_of_memory && cost_record_start(report, work, diags);
  if (recording) {
    struct amo_machine *machine = amo_machine_new(arena, &own, policy->kind);
    amo_set_work(machine, work);
    *result = amo_run(machine, -1, &report->limit);
    if (!report->limit.met) wrong = result->stuck ? "threads wait for ever" : kernel_check(arena, kernel);
  }
  if (work->out_of_memory) wrong = "no memory for it";
  if (wrong) setting_error(setting, diags, "kernel", "%s under %s: %s", setting->name, policy->name, wrong);
  bool recorded = recording && cost_record_end(report, work, diags);
  work_free(work);
  arena_free(arena);
  return !wrong && recorded;
}

/* ---- Figures 7 and 8 ---- */

/* All kernels under all policies: result[kernel * policies + policy]. */
struct grid {
  struct settings kernels;
  struct policies policies;
  struct amo_result *result;
  size_t count; /* kernels that came to an end */
};

static int64_t speedup(const struct grid *g, size_t kernel, size_t policy) {
  const struct amo_result *row = &g->result[kernel * g->policies.count];
  return table_milli(row[0].finish, row[policy].finish);
}

static int64_t best_static(const struct grid *g, size_t kernel) {
  int64_t best = 0;
  for (size_t k = 0; k < g->policies.statics; k++)
    if (speedup(g, kernel, k) > best) best = speedup(g, kernel, k);
  return best;
}

static bool run_grid(struct cost_report *report, struct grid *g, struct diags *diags) {
  if (!load_policies(report, &g->policies, diags)) return false;
  g->kernels = cost_settings(report, "kernels", NULL, "kernel");
  g->result = ARENA_ARRAY(report->arena, struct amo_result, g->kernels.list.count * g->policies.count + 1);
  for (size_t i = 0; i < g->kernels.list.count; i++) {
    const struct setting *setting = &g->kernels.list.at[i];
    struct amo_parameters p;
    if (!amo_program_fill(setting, &p, diags)) return false;
    for (size_t k = 0; k < g->policies.count && !report->limit.met; k++)
      if (!run_kernel(report, setting, &p, &g->policies.at[k], &g->result[i * g->policies.count + k], diags))
        return false;
    if (report->limit.met) return true;
    g->count++;
  }
  return true;
}

/* A table of speed-ups: policies first .. end - 1, and the best static one. */
static void add_speedups(struct cost_report *report, const struct grid *g, const char *title, size_t first,
                         size_t end) {
  struct table *table = cost_add_table(report, title);
  struct plot *plot = cost_add_plot(report, PLOT_BARS, title, "kernel", "speed-up (times AllNear)");
  size_t columns = end - first + 1;
  int64_t *milli = ARENA_ARRAY(report->arena, int64_t, columns * (g->count + 1));
  table_column(table, "kernel", NULL);
  table_column(table, "AllNear", "cycles");
  for (size_t c = 0; c < columns; c++) {
    const char *name = c + 1 < columns ? g->policies.at[first + c].name : "Best Static";
    table_column(table, name, "times AllNear");
    plot_add_series(plot, name);
  }
  for (size_t i = 0; i < g->count; i++) {
    table_put_text(table, g->kernels.list.at[i].name);
    table_put_number(table, g->result[i * g->policies.count].finish);
    *vec_push(report->arena, &plot->groups) = g->kernels.list.at[i].name;
    for (size_t c = 0; c < columns; c++) {
      int64_t value = c + 1 < columns ? speedup(g, i, first + c) : best_static(g, i);
      milli[c * g->count + i] = value;
      table_put_milli(table, value);
      plot_push(plot, plot->series.at[c], (double)value / 1000);
    }
  }
  if (g->count < 2) return;
  table_put_text(table, "geometric mean");
  table_put_empty(table);
  for (size_t c = 0; c < columns; c++) table_put_milli(table, table_geometric_mean(&milli[c * g->count], g->count));
}

/* ---- Figure 9: inputs ---- */

/* Speed-up of a policy over AllNear for one setting; 0 once the limit is met, below 0 with an error. */
static int64_t measure(struct cost_report *report, const struct setting *setting, const struct amo_parameters *p,
                       const struct policy *policy, struct diags *diags) {
  static const struct policy near = {"AllNear", AMO_ALL_NEAR, 0};
  struct amo_result base, own;
  if (!run_kernel(report, setting, p, &near, &base, diags)) return -1;
  if (report->limit.met) return 0;
  if (!run_kernel(report, setting, p, policy, &own, diags)) return -1;
  return report->limit.met ? 0 : table_milli(base.finish, own.finish);
}

static bool add_inputs(struct cost_report *report, struct diags *diags) {
  static const struct policy shown[] = {{"UniqueNear", AMO_UNIQUE_NEAR, 0}, {"Reuse-PN", AMO_REUSE_PN, 0}};
  struct settings inputs = cost_settings(report, "inputs", NULL, "kernel");
  struct table *table = cost_add_table(report, "Inputs (Figure 9)");
  table_column(table, "kernel and input", NULL);
  for (int k = 0; k < 2; k++) table_column(table, shown[k].name, "times AllNear");
  for (size_t i = 0; i < inputs.list.count; i++) {
    struct amo_parameters p;
    int64_t ratio[2];
    if (!amo_program_fill(&inputs.list.at[i], &p, diags)) return false;
    for (int k = 0; k < 2; k++) {
      ratio[k] = measure(report, &inputs.list.at[i], &p, &shown[k], diags);
      if (ratio[k] < 0) return false;
      if (report->limit.met) return true;
    }
    table_put_text(table, inputs.list.at[i].name);
    for (int k = 0; k < 2; k++) table_put_milli(table, ratio[k]);
  }
  return true;
}

/* ---- Figures 10 and 11: other predictors and other systems ---- */

/* What the rows of these tables vary. */
static bool vary(const struct setting *system, struct amo_parameters *p, struct diags *diags) {
  struct amo_parameters other;
  if (!amo_program_fill(system, &other, diags)) return false;
  p->hop = other.hop;
  p->mem = other.mem;
  p->amt = other.amt;
  p->amtways = other.amtways;
  p->confmax = other.confmax;
  return true;
}

static bool add_systems(struct cost_report *report, const char *rows, const char *title, struct diags *diags) {
  static const struct policy policy = {"Reuse-PN", AMO_REUSE_PN, 0};
  struct settings systems = cost_settings(report, rows, NULL, NULL);
  struct settings kernels = cost_settings(report, "kernels", NULL, "kernel");
  struct table *table = cost_add_table(report, title);
  int64_t *milli = ARENA_ARRAY(report->arena, int64_t, kernels.list.count + 1);
  table_column(table, "setting", NULL);
  table_column(table, "Reuse-PN", "times AllNear, geometric mean");
  for (size_t i = 0; i < systems.list.count; i++) {
    for (size_t k = 0; k < kernels.list.count; k++) {
      struct amo_parameters p;
      if (!amo_program_fill(&kernels.list.at[k], &p, diags) || !vary(&systems.list.at[i], &p, diags)) return false;
      milli[k] = measure(report, &kernels.list.at[k], &p, &policy, diags);
      if (milli[k] < 0) return false;
      if (report->limit.met) return true;
    }
    table_put_text(table, systems.list.at[i].name);
    table_put_milli(table, table_geometric_mean(milli, kernels.list.count));
  }
  return true;
}

/* ---- what moves ---- */

static bool add_traffic(struct cost_report *report, const struct grid *g, struct diags *diags) {
  struct table *table = cost_add_table(report, "What moves");
  static const char *const names[] = {"near", "far", "events", "control", "data", "from memory", "energy"};
  static const char *const units[] = {"operations", "operations", NULL, "message hops", "line hops", "lines", "nJ"};
  table_column(table, "kernel", NULL);
  table_column(table, "policy", NULL);
  for (int i = 0; i < 7; i++) table_column(table, names[i], units[i]);
  for (size_t i = 0; i < g->count; i++) {
    const struct setting *s = &g->kernels.list.at[i];
    int64_t control = setting_number(s, "econtrol", diags), data = setting_number(s, "edata", diags),
            memory = setting_number(s, "ememory", diags);
    for (size_t k = 0; k < g->policies.count; k++) {
      const struct amo_result *r = &g->result[i * g->policies.count + k];
      int64_t energy = r->control_hops * control + r->data_hops * data + r->memory_lines * memory;
      table_put_text(table, s->name);
      table_put_text(table, g->policies.at[k].name);
      const int64_t numbers[] = {r->near,      r->far,          r->events,    r->control_hops,
                                 r->data_hops, r->memory_lines, energy / 1000};
      for (int j = 0; j < 7; j++) table_put_number(table, numbers[j]);
    }
  }
  return diags->errors == 0;
}

bool view_amo_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  struct grid g = {0};
  (void)request;
  if (!run_grid(report, &g, diags)) return false;
  add_speedups(report, &g, "Static policies (Figure 7)", 1, g.policies.statics);
  add_speedups(report, &g, "Predictors (Figure 8)", g.policies.statics, g.policies.count);
  return add_inputs(report, diags) && add_systems(report, "predictors", "The predictor's table (Figure 10)", diags) &&
         add_systems(report, "systems", "Distances and memory (Figure 11)", diags) && add_traffic(report, &g, diags);
}
