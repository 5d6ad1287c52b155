/* SPDX-License-Identifier: MIT */
/* The view of the timed GPU's prices of operations. */
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/mapping.h"
#include "hwsem/prices/rsp_mapping.h"
#include "hwsem/timing/view_list.h"

static const char help_rsp_operations[] =
    "Prices of the nine operations (load, store, read-modify-write at work-group scope WG,\n"
    "device scope DV, and promoted to DV, that is remote) under compiler mappings, computed from the\n"
    "mappings' own XML: -mapping A,B chooses them, by default rsp-corrected, which is sound, and the\n"
    "two published ones, which are not; a new mapping is priced at once. Every compute unit holds q\n"
    "FIFO entries, d of them dirty; q3=5 sets unit 3 alone. The issuer is unit 0; hit and miss say\n"
    "whether the variable is valid in its L1. Hold is the time from the grant of the lock to its\n"
    "release. The L2 port moves one line a cycle for all units together.\n"
    "\n"
    "Without q the rows are those of the machine description, except those that the values given\n"
    "make impossible; with q, one row is made.\n"
    "\n"
    "What to believe: latencies of the caches are published; net, pop, alu, F and the port's rate are\n"
    "chosen. There is no DRAM (every line is in the L2) and no contention except at the L2 port.\n"
    "Whether INV_L1 DV waits for its acknowledgements in the published scheme is an interpretation\n"
    "(posted, after section 4.3 of the paper); the mapping says so where it does not. That remote\n"
    "operations are about ten times faster than device-scoped ones in total queueing (section 6.3) is\n"
    "not reproduced: under rsp-corrected a promoted read-modify-write costs 3.0 to 5.7 times a\n"
    "device-scoped one, and pays by being rare.\n";

bool cost_load_mappings(const struct cost_report *report, size_t *count, struct mapping ***mappings) {
  const struct cost_request *request = report->request;
  static const char *const standard[] = {"rsp-corrected", "rsp-original", "rsp-revised"};
  const char *const *names = request->mapping_count ? request->mappings : standard;
  *count = request->mapping_count ? request->mapping_count : ARRAY_COUNT(standard);
  *mappings = ARENA_ARRAY(request->arena, struct mapping *, *count);
  for (size_t i = 0; i < *count; i++) {
    (*mappings)[i] = mapping_load(request->arena, names[i], request->search, report->diags);
    if (!(*mappings)[i]) return false;
  }
  return true;
}

static int64_t price_instr(struct arena *arena, const struct rsp_parameters *p, const struct rsp_cu *cus,
                           enum rsp_instr instr) {
  struct rsp_machine machine = rsp_machine_new(arena, p);
  memcpy(machine.cus, cus, (size_t)p->n * sizeof *cus);
  return rsp_execute(&machine, 0, instr, 0);
}

/* A machine and what its FIFOs hold: a row of a table. */
struct occupancy {
  const char *name;
  struct rsp_parameters p;
  struct rsp_cu *cus;
};

struct occupancies {
  VEC(struct occupancy) list;
};

/* The rows of a table.  Those that the user's values make impossible are left
 * out; an error when none is left. */
static bool load_occupancies(struct cost_report *report, const char *rows, struct occupancies *all) {
  struct settings settings = cost_settings(report, rows, "q", NULL);
  for (size_t i = 0; i < settings.list.count; i++) {
    struct setting setting = settings.list.at[i];
    bool last_hope = i + 1 == settings.list.count && all->list.count == 0;
    struct diags silent = diags_new(report->arena);
    struct occupancy o = {.name = setting.name};
    if (!rsp_setting_fill(&setting, &o.p)) return false;
    if (!last_hope) setting.diags = &silent;
    o.cus = rsp_setting_units(report->arena, &setting, &o.p);
    if (o.cus) *vec_push(report->arena, &all->list) = o;
  }
  return all->list.count > 0;
}

static bool add_flushes(struct cost_report *report) {
  struct occupancies rows = {0};
  if (!load_occupancies(report, "flushes", &rows)) return false;
  struct table *table = cost_add_table(report, "Flushes, idle port");
  table_columns(table, "state", "n|compute units", "q|entries", "d|entries", "FLU_L1 WG|cycles", "FLU_L1 DV|cycles",
                NULL);
  ARRAY_EACH (const struct occupancy, o, rows.list.at, rows.list.count) {
    table_put_text(table, o->name);
    table_put_numbers(table, o->p.n, o->cus[0].q, o->cus[0].d, price_instr(report->arena, &o->p, o->cus, RSP_FLU_WG),
                      price_instr(report->arena, &o->p, o->cus, RSP_FLU_DV));
  }
  return true;
}

static void put_operation(struct table *table, const struct occupancy *o, const struct mapping *mapping,
                          const struct rsp_operation *operation) {
  table_put_numbers(table, o->p.n, o->cus[0].q, o->cus[0].d);
  table_put_text(table, mapping->name);
  table_put_text(table, operation->name);
  const struct mapping_cell *cell = mapping_find(mapping, operation->key);
  struct rsp_sequence sequence;
  if (!cell || rsp_sequence_of_cell(table->arena, cell, &sequence)) {
    for (int i = 0; i < 3; i++) table_put_empty(table);
    return;
  }
  struct rsp_price hit = rsp_price_operation(&o->p, o->cus, sequence, true);
  struct rsp_price miss = rsp_price_operation(&o->p, o->cus, sequence, false);
  table_put_numbers(table, hit.latency, miss.latency);
  table_put_number_where(table, hit.locked, hit.hold);
}

static bool add_operations(struct cost_report *report, struct mapping **mappings, size_t count) {
  struct occupancies rows = {0};
  if (!load_occupancies(report, "operations", &rows)) return false;
  struct table *table = cost_add_table(report, "Operations, idle port");
  table_columns(table, "n|compute units", "q|entries", "d|entries", "mapping", "operation", "hit|cycles", "miss|cycles",
                "hold|cycles", NULL);
  for (size_t i = 0; i < rows.list.count; i++)
    for (size_t m = 0; m < count; m++)
      for (int o = 0; o < RSP_OPERATIONS; o++) put_operation(table, &rows.list.at[i], mappings[m], &rsp_operations[o]);
  return true;
}

/* What the operations are under each mapping, and why one has no price. */
static void add_sequences(struct cost_report *report, struct mapping **mappings, size_t count) {
  struct table *table = cost_add_table(report, "Instructions");
  table_columns(table, "mapping", "operation", "instructions", NULL);
  for (size_t m = 0; m < count; m++)
    for (int o = 0; o < RSP_OPERATIONS; o++) {
      const struct mapping_cell *cell = mapping_find(mappings[m], rsp_operations[o].key);
      struct rsp_sequence sequence;
      const char *fault = cell ? rsp_sequence_of_cell(report->arena, cell, &sequence) : "it has no <operation> for it";
      table_put_text(table, mappings[m]->name);
      table_put_text(table, rsp_operations[o].name);
      if (fault)
        table_put_text(table, arena_printf(report->arena, "no price: %s", fault));
      else
        table_put_text(table, mapping_cell_text(report->arena, cell));
    }
}

/* FLU_L1 DV against dirty lines, a curve for each number of compute units. */
static bool add_flush_plot(struct cost_report *report) {
  struct settings settings = cost_settings(report, "flush-plot", NULL, NULL);
  struct plot *plot = cost_add_plot(report, PLOT_LINES, "Flush of all L1s (FLU_L1 DV)",
                                    "dirty entries in each L1 (lines)", "time (cycles)");
  for (size_t i = 0; i < settings.list.count; i++) {
    struct rsp_parameters p;
    if (!rsp_setting_fill(&settings.list.at[i], &p)) return false;
    struct rsp_cu *cus = ARENA_ARRAY(report->arena, struct rsp_cu, (size_t)p.n);
    struct plot_series *series =
        plot_add_series(plot, arena_printf(report->arena, "n = %d compute unit%s", (int)p.n, p.n > 1 ? "s" : ""));
    int64_t most = p.F < 64 ? p.F : 64, step = most < 16 ? 1 : most / 16;
    for (int64_t lines = 0; lines <= most; lines += step) {
      for (int64_t cu = 0; cu < p.n; cu++) cus[cu] = (struct rsp_cu){.q = lines, .d = lines};
      if (i == 0) *vec_push(report->arena, &plot->x) = (double)lines;
      plot_push(plot, series, (double)price_instr(report->arena, &p, cus, RSP_FLU_DV));
    }
  }
  return true;
}

static bool show_rsp_operations(struct cost_report *report) {
  struct mapping **mappings;
  size_t count;
  if (!cost_load_mappings(report, &count, &mappings)) return false;
  if (!add_flushes(report) || !add_operations(report, mappings, count)) return false;
  add_sequences(report, mappings, count);
  return add_flush_plot(report);
}

const struct cost_view view_rsp_ops = {
    .name = "rsp-ops",
    .machine = "timing-rsp",
    .summary = "scoped GPU operations under compiler mappings: flushes, latency, time in the lock",
    .help = help_rsp_operations,
    .run = show_rsp_operations};
