/* SPDX-License-Identifier: MIT */
/* The view of the ADSM protocols: access patterns, and sweeps over block and
 * rolling size. */
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/prices/adsm_prices.h"
#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/view_list.h"

static const char help_adsm[] =
    "Bytes from host to device (up) and back (down), page faults and time of the three protocols of\n"
    "ADSM on the access patterns of the paper's programs; then time against block size for a vector\n"
    "addition (the paper's Figure 11), against volume for a stencil (Figure 9), and against block and\n"
    "rolling size for passes of writes (Figure 12). `litscope cost adsm TEST...` prices ADSM litmus\n"
    "tests instead: traffic in cells and bytes for every outcome, under the protocols of -mapping;\n"
    "B (in bytes, a multiple of cell) and R set the sizes of rolling-update there.\n"
    "\n"
    "`litscope cost adsm -run` runs the patterns on this machine: objects in memory that page protection\n"
    "guards, a signal for each fault, other memory for the accelerator's, a thread that copies evicted\n"
    "blocks while the host runs. Bytes and faults must be the model's, every value that is read is checked,\n"
    "and the times are next to those of the model with the parameters of this machine.\n"
    "\n"
    "Besides copies by hand (Figures 7 and 8): a careful programmer copies an input once before the\n"
    "call, an output once when it is read, a cell where a cell is enough. Slow-down is over that,\n"
    "with `kernel` for each call in both; annotated: kernels say which objects they write (section\n"
    "4.3), and the others stay valid for the host, as with annotate=1 in all tables and in -run.\n"
    "\n"
    "time = faults + upload + download + host. A transfer of n bytes takes latency + (n + half) / peak;\n"
    "uploads of evicted blocks run while the host produces the next block, and only\n"
    "what is left is paid; transfers at calls and in faults are paid in full. A fault costs fault and\n"
    "search for each level of a balanced tree over all blocks. Kernels take no time.\n"
    "\n"
    "What to believe: bytes and faults are exact. Times show orders and shapes: which protocol moves\n"
    "less, the minimum of the upload time where a block's transfer takes as long as its production,\n"
    "the fall of faults as 1/B, the cliff where s fits into R blocks of B. Latency and cost of faults\n"
    "are chosen, half and produce are fitted. Passes of writes are timed with a fast producer, so that\n"
    "evictions are not hidden; that their time grows with B before the cliff, as published, is not\n"
    "reproduced: here larger transfers only save latency. The published slow-downs (65 times for pns,\n"
    "18 for rpes under batch-update) are of programs that are not modelled, and not claimed.\n";

/* ---- patterns ---- */

static void put_pattern(struct cost_report *report, struct table *table, const struct adsm_parameters *p,
                        enum adsm_pattern pattern, enum adsm_protocol protocol) {
  struct adsm_cost cost = adsm_run_pattern(report, p, pattern, protocol);
  table_put_text(table, adsm_pattern_name(pattern));
  table_put_text(table, adsm_protocol_name(protocol));
  table_put_numbers(table, cost.up, cost.down);
  adsm_put_cost(table, &cost);
}

static bool add_patterns(struct cost_report *report) {
  struct settings settings = cost_settings(report, "patterns", NULL, "pattern");
  struct table *table = cost_add_table(report, "Access patterns");
  table_columns(table, "pattern", "protocol", "up|bytes", "down|bytes", NULL);
  adsm_cost_columns(table);
  ARRAY_EACH (const struct setting, setting, settings.list.at, settings.list.count) {
    struct adsm_parameters p;
    enum adsm_pattern pattern;
    if (!adsm_setting_fill(setting, &p)) return false;
    if (!adsm_setting_pattern(setting, &pattern)) return false;
    for (enum adsm_protocol protocol = 0; protocol < ADSM_PROTOCOLS; protocol++)
      put_pattern(report, table, &p, pattern, protocol);
  }
  return true;
}

/* ---- block size of a vector addition ---- */

static bool add_blocks(struct cost_report *report) {
  struct settings settings = cost_settings(report, "blocks", NULL, NULL);
  struct table *table = cost_add_table(report, "Block size: vector addition under rolling-update");
  struct plot *plot = adsm_add_parts(report, "Vector addition under rolling-update, by part of the time");
  table_columns(table, "B|bytes", "T(B) up|us", "g(B)|us", NULL);
  adsm_cost_columns(table);
  for (size_t i = 0; i < settings.list.count; i++) {
    struct adsm_parameters p;
    if (!adsm_setting_fill(&settings.list.at[i], &p)) return false;
    struct adsm_cost cost = adsm_run_pattern(report, &p, ADSM_VECTOR_ADD, ADSM_ROLLING);
    table_put_numbers(table, p.B, adsm_transfer_time(&p, true, p.B) / 1000, adsm_produce_time(&p, p.B) / 1000);
    adsm_put_cost(table, &cost);
    adsm_put_parts(plot, settings.list.at[i].name, &cost);
  }
  return true;
}

/* ---- two parameters at once ---- */

/* A table of times with a row for each of `rows`, and a column for each of
 * `columns`, which set one parameter more. */
struct grid {
  const char *title, *rows, *columns, *row_name, *axis, *parameter;
  enum adsm_pattern pattern;
  bool lazy;   /* a first column for lazy-update */
  bool blocks; /* rows are called by their block size, which the user may have set */
};

static int64_t *parameter_of(struct adsm_parameters *p, const char *name) {
  return !strcmp(name, "B") ? &p->B : &p->R;
}

static const char *size_text(struct arena *arena, int64_t bytes) {
  if (bytes % 1048576 == 0) return arena_printf(arena, "%lld MB", (long long)(bytes / 1048576));
  if (bytes % 1024 == 0) return arena_printf(arena, "%lld KB", (long long)(bytes / 1024));
  return arena_printf(arena, "%lld", (long long)bytes);
}

static bool put_row(const struct grid *grid, struct cost_report *report, const struct setting *row,
                    const struct settings *columns, const struct chart *chart) {
  struct adsm_parameters p;
  if (!adsm_setting_fill(row, &p)) return false;
  chart_row(chart, grid->blocks ? size_text(report->arena, p.B) : row->name);
  struct adsm_cost cost;
  if (grid->lazy) {
    cost = adsm_run_pattern(report, &p, grid->pattern, ADSM_LAZY);
    chart_put_time(chart, adsm_cost_time(&cost));
  }
  ARRAY_EACH (const struct setting, column, columns->list.at, columns->list.count) {
    *parameter_of(&p, grid->parameter) = setting_number(column, grid->parameter);
    const char *fault = adsm_parameters_check(report->arena, &p);
    if (fault) setting_error(column, grid->parameter, "%s", fault);
    if (fault) return false;
    cost = adsm_run_pattern(report, &p, grid->pattern, ADSM_ROLLING);
    chart_put_time(chart, adsm_cost_time(&cost));
  }
  return true;
}

static bool add_grid(const struct grid *grid, struct cost_report *report) {
  struct settings rows = cost_settings(report, grid->rows, NULL, NULL);
  struct settings columns = cost_settings(report, grid->columns, NULL, NULL);
  struct chart chart = chart_add(report, PLOT_LINES, grid->title, grid->axis, "time (ms)");
  table_column(chart.table, grid->row_name, NULL);
  if (grid->lazy) chart_column(&chart, "lazy", "us");
  for (size_t k = 0; k < columns.list.count; k++) chart_column(&chart, columns.list.at[k].name, "us");
  for (size_t i = 0; i < rows.list.count; i++)
    if (!put_row(grid, report, &rows.list.at[i], &columns, &chart)) return false;
  return true;
}

/* ---- the paper's text on Figure 9 ---- */

enum { LAZY, KB_256, MB_1, MB_32, TIMES };

/* Times of the stencil with a dump by volume, in the order above. */
static bool stencil_times(struct cost_report *report, const struct setting *volume, double times[TIMES]) {
  static const int64_t blocks[TIMES] = {[LAZY] = 262144, [KB_256] = 262144, [MB_1] = 1 << 20, [MB_32] = 1 << 25};
  struct adsm_parameters p;
  if (!adsm_setting_fill(volume, &p)) return false;
  for (int k = 0; k < TIMES; k++) {
    p.B = blocks[k];
    struct adsm_cost cost = adsm_run_pattern(report, &p, ADSM_STENCIL_DUMP, k == LAZY ? ADSM_LAZY : ADSM_ROLLING);
    times[k] = (double)adsm_cost_time(&cost);
  }
  return true;
}

/* A volume that fits into one block of 32 MB is as with lazy-update, so that the last claim begins after these. */
static bool add_stencil_text(struct cost_report *report) {
  struct settings volumes = cost_settings(report, "volumes", "s", NULL);
  struct table *table = cost_add_statements(report, "The paper's text on Figure 9");
  size_t count = volumes.list.count;
  double(*times)[TIMES] = arena_alloc(report->arena, (count + 1) * sizeof *times);
  bool grows = true, slower = true, nears = true;
  const char *gains = "", *gaps = "";
  for (size_t i = 0; i < count; i++) {
    if (!stencil_times(report, &volumes.list.at[i], times[i])) return false;
    const double *t = times[i], *before = times[i ? i - 1 : 0];
    slower = slower && t[MB_32] > t[KB_256] && (t[MB_32] > t[MB_1] || t[MB_1] == t[LAZY]);
    grows = grows && (i == 0 || t[LAZY] / t[KB_256] > before[LAZY] / before[KB_256]);
    gains = arena_printf(report->arena, "%s%s%.1f", gains, i ? ", " : "", t[LAZY] / t[KB_256]);
    if (t[MB_32] == t[LAZY]) continue;
    nears = nears && (before[MB_32] == before[LAZY] || t[MB_32] / t[MB_1] < before[MB_32] / before[MB_1]);
    gaps = arena_printf(report->arena, "%s%s%.1f", gaps, *gaps ? ", " : "", t[MB_32] / t[MB_1]);
  }
  if (count < 2) return true;
  cost_put_statement(table, "rolling-update gains more over lazy-update as volumes grow (256 KB)", grows, "%s", gains);
  cost_put_statement(table, "blocks of 32 MB take longer than 256 KB and 1 MB", slower, "%s", gaps);
  cost_put_statement(table, "... and the difference shrinks as volumes grow", nears, "%s", gaps);
  return true;
}

static bool show_adsm(struct cost_report *report) {
  static const struct grid volumes = {.title = "Block size: stencil with a dump, by volume",
                                      .rows = "volumes",
                                      .columns = "volume-blocks",
                                      .row_name = "volume",
                                      .axis = "volume (points of the grid)",
                                      .parameter = "B",
                                      .pattern = ADSM_STENCIL_DUMP,
                                      .lazy = true};
  static const struct grid sizes = {.title = "Rolling size: passes of writes, then a call",
                                    .rows = "pass-blocks",
                                    .columns = "rolling-sizes",
                                    .row_name = "block size",
                                    .axis = "block size (bytes)",
                                    .parameter = "R",
                                    .pattern = ADSM_MULTI_PASS,
                                    .blocks = true};
  if (report->request->measure && !report->request->help) return view_adsm_measured(report);
  return add_patterns(report) && adsm_add_explicit(report) && add_blocks(report) && add_grid(&volumes, report) &&
         add_stencil_text(report) && add_grid(&sizes, report);
}

const struct cost_view view_adsm = {
    .name = "adsm",
    .machine = "timing-adsm",
    .summary = "ADSM protocols: bytes, faults and time on access patterns; block and rolling sizes",
    .help = help_adsm,
    .run = show_adsm};
