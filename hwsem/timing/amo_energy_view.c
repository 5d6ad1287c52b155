/* SPDX-License-Identifier: MIT */
/* The share of atomic operations in programs, and energy: Figure 6 and section 6.5 of the DynAMO paper. */
#include <stdlib.h>

#include "checker/base/array.h"
#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_amo_energy[] =
    "How much of a kernel is atomic operations (AMO: AtomicLoads and AtomicStores), and the dynamic\n"
    "energy of its network messages and memory lines under AllNear, UniqueNear and Reuse-PN, on\n"
    "the machine of amo-programs. Kernels stand in the order of their share, and fall into three sets\n"
    "of equal size, Low, Medium and High. Then the paper's statements on energy, each with whether it\n"
    "holds here.\n"
    "\n"
    "What to believe: counts come from actual runs. A request is an access, an atomic operation, a\n"
    "computation of any length or a barrier, so operations per 1000 requests are more than the paper's per\n"
    "1000 instructions, and the sets are by order, not by its bounds of 2 and 8. Energy is that of the\n"
    "network and of memory; energies of a hop and of a line are the description's. Cores and caches,\n"
    "which are part of the paper's sum and whose energy falls with the time, are left out.\n";

enum column { ALL_NEAR, UNIQUE_NEAR, REUSE_PN, COLUMNS };
static const enum amo_policy column_policies[COLUMNS] = {AMO_ALL_NEAR, AMO_UNIQUE_NEAR, AMO_REUSE_PN};

enum intensity { LOW, MEDIUM, HIGH, SETS };
static const char *const set_names[SETS + 1] = {"Low", "Medium", "High", "-"}; /* -: too few kernels for sets */

/* A kernel's runs. */
struct kernel_runs {
  const struct setting *setting;
  size_t job[COLUMNS];
  int64_t atomics, per_thousand; /* under AllNear; of its requests */
  struct amo_energy energy[COLUMNS];
  enum intensity set;
};

static bool plan_kernels(struct cost_report *report, const struct settings *settings, struct program_jobs *jobs,
                         struct kernel_runs *kernels) {
  for (size_t i = 0; i < settings->list.count; i++) {
    kernels[i].setting = &settings->list.at[i];
    struct program_machine machine = {.kind = MACHINE_AMO};
    if (!program_machine_load(report, kernels[i].setting, MACHINE_AMO, &machine)) return false;
    for (int c = 0; c < COLUMNS; c++) {
      machine.policy = column_policies[c];
      kernels[i].job[c] = program_jobs_add_amo(jobs, kernels[i].setting, &machine, amo_policy_names[machine.policy]);
    }
  }
  return true;
}

/* Those whose runs came to an end, first; returns how many. */
static size_t measure(const struct program_jobs *jobs, struct kernel_runs *kernels, size_t count) {
  size_t done = 0;
  for (size_t i = 0; i < count; i++) {
    struct kernel_runs k = kernels[i];
    bool whole = true;
    for (int c = 0; c < COLUMNS; c++) {
      const struct program_job *job = &jobs->list.at[k.job[c]];
      whole = whole && job->done;
      k.energy[c] = amo_energy_of(k.setting, &job->run.amo);
    }
    if (!whole) continue;
    const struct program_job *base = &jobs->list.at[k.job[ALL_NEAR]];
    k.atomics = base->run.amo.near + base->run.amo.far;
    k.per_thousand = base->accesses ? k.atomics * 1000 / base->accesses : 0;
    kernels[done++] = k;
  }
  return done;
}

static int by_share(const void *a, const void *b) {
  const struct kernel_runs *x = a, *y = b;
  if (x->per_thousand != y->per_thousand) return x->per_thousand < y->per_thousand ? -1 : 1;
  return x->setting < y->setting ? -1 : 1;
}

static int64_t energy_sum(const struct kernel_runs *k, enum column c) {
  return k->energy[c].network + k->energy[c].memory;
}

static void add_shares(struct cost_report *report, const struct kernel_runs *kernels, size_t count) {
  struct chart chart =
      chart_add(report, PLOT_BARS, "Atomic operations (Figure 6)", "kernel", "operations per 1000 requests");
  table_columns(chart.table, "kernel", "AMO|operations", "set", NULL);
  chart_column(&chart, "share", "per 1000 requests");
  for (size_t i = 0; i < count; i++) {
    chart_row(&chart, kernels[i].setting->name);
    table_put_number(chart.table, kernels[i].atomics);
    table_put_text(chart.table, set_names[kernels[i].set]);
    chart_put_number(&chart, kernels[i].per_thousand);
  }
}

static void add_energy(struct cost_report *report, const struct kernel_runs *kernels, size_t count) {
  struct chart chart = chart_add(report, PLOT_BARS, "Energy (section 6.5)", "kernel", "energy (times AllNear)");
  table_columns(chart.table, "kernel", "network|nJ, AllNear", "memory|nJ, AllNear", "UniqueNear network|times AllNear",
                "Reuse-PN network|times AllNear", NULL);
  for (int c = UNIQUE_NEAR; c < COLUMNS; c++)
    chart_column(&chart, amo_policy_names[column_policies[c]], "times AllNear");
  ARRAY_EACH (const struct kernel_runs, k, kernels, count) {
    chart_row(&chart, k->setting->name);
    table_put_numbers(chart.table, k->energy[ALL_NEAR].network / 1000, k->energy[ALL_NEAR].memory / 1000);
    for (int c = UNIQUE_NEAR; c < COLUMNS; c++)
      table_put_milli(chart.table, table_milli(k->energy[c].network, k->energy[ALL_NEAR].network));
    for (enum column c = UNIQUE_NEAR; c < COLUMNS; c++)
      chart_put_milli(&chart, table_milli(energy_sum(k, c), energy_sum(k, ALL_NEAR)));
  }
}

/* ---- what the paper's text says ---- */

/* The mean of a set: Reuse-PN's energy, or the network's alone, over AllNear's. */
static double set_mean(const struct kernel_runs *kernels, size_t count, enum intensity set, bool network,
                       struct arena *arena) {
  int64_t *milli = ARENA_ARRAY(arena, int64_t, count + 1);
  size_t members = 0;
  ARRAY_EACH (const struct kernel_runs, k, kernels, count) {
    if (k->set != set) continue;
    milli[members++] = network ? table_milli(k->energy[REUSE_PN].network, k->energy[ALL_NEAR].network)
                               : table_milli(energy_sum(k, REUSE_PN), energy_sum(k, ALL_NEAR));
  }
  return (double)table_geometric_mean(milli, members) / 1000;
}

static const struct kernel_runs *kernel_of(const struct kernel_runs *kernels, size_t count, enum kernel_kind kind) {
  for (size_t i = 0; i < count; i++)
    if (setting_number(kernels[i].setting, "kernel") == (int64_t)kind) return &kernels[i];
  return NULL;
}

static void add_text(struct cost_report *report, const struct kernel_runs *kernels, size_t count) {
  const struct kernel_runs *spmv = kernel_of(kernels, count, KERNEL_SPMV),
                           *histogram = kernel_of(kernels, count, KERNEL_HISTOGRAM);
  if (count < SETS || !spmv || !histogram) return;
  double all[SETS], network[SETS];
  for (enum intensity set = LOW; set < SETS; set++) {
    all[set] = set_mean(kernels, count, set, false, report->arena);
    network[set] = set_mean(kernels, count, set, true, report->arena);
  }
  struct table *table = cost_add_statements(report, "The paper's text");
  cost_put_statement(table, "Reuse-PN takes less energy in each set (4, 6 and 12% less in the paper)",
                     all[LOW] < 1 && all[MEDIUM] < 1 && all[HIGH] < 1, "%.3f, %.3f, %.3f", all[LOW], all[MEDIUM],
                     all[HIGH]);
  cost_put_statement(table, "the more atomic operations, the more is saved",
                     all[LOW] > all[MEDIUM] && all[MEDIUM] > all[HIGH], "%.3f, %.3f, %.3f", all[LOW], all[MEDIUM],
                     all[HIGH]);
  cost_put_statement(table, "the network's energy is about the same in Low and Medium",
                     network[LOW] > 0.95 && network[LOW] < 1.05 && network[MEDIUM] > 0.95 && network[MEDIUM] < 1.05,
                     "%.3f, %.3f", network[LOW], network[MEDIUM]);
  const double sums[] = {(double)energy_sum(spmv, REUSE_PN) / (double)energy_sum(spmv, ALL_NEAR),
                         (double)energy_sum(histogram, REUSE_PN) / (double)energy_sum(histogram, ALL_NEAR)},
               networks[] = {(double)spmv->energy[REUSE_PN].network / (double)spmv->energy[ALL_NEAR].network,
                             (double)histogram->energy[REUSE_PN].network / (double)histogram->energy[ALL_NEAR].network};
  cost_put_statement(table, "for spmv and histogram the network takes more energy", networks[0] > 1 && networks[1] > 1,
                     "%.3f, %.3f", networks[0], networks[1]);
  cost_put_statement(table, "yet both take less in all (up to 40% less)", sums[0] < 1 && sums[1] < 1, "%.3f, %.3f",
                     sums[0], sums[1]);
}

static bool show_amo_energy(struct cost_report *report) {
  struct program_jobs jobs = {.arena = report->arena, .parameter = "kernel"};
  struct settings settings = cost_settings(report, "kernels", NULL, "kernel");
  struct kernel_runs *kernels = ARENA_ARRAY(report->arena, struct kernel_runs, settings.list.count + 1);
  if (!plan_kernels(report, &settings, &jobs, kernels) || !program_jobs_run(report, &jobs)) return false;
  size_t count = measure(&jobs, kernels, settings.list.count);
  qsort(kernels, count, sizeof *kernels, by_share);
  for (size_t i = 0; i < count; i++) kernels[i].set = count < SETS ? SETS : (enum intensity)(i * SETS / count);
  add_shares(report, kernels, count);
  add_energy(report, kernels, count);
  add_text(report, kernels, count);
  return true;
}

const struct cost_view view_amo_energy = {.name = "amo-energy",
                                          .machine = "timing-amo-run",
                                          .summary = "how much of a kernel is atomic operations, and energy by policy",
                                          .help = help_amo_energy,
                                          .run = show_amo_energy,
                                          .slow = true};
