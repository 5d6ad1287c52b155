/* SPDX-License-Identifier: MIT */
/* The view of ring sizes: the mean latency of an idle mutex. */
#include "checker/base/number.h"
#include "hwsem/timing/fear_figures.h"
#include "hwsem/timing/fear_rings.h"
#include "hwsem/timing/view_list.h"

static const char help_fear_rings[] =
    "Mean latency of acquiring an idle mutex against the size k of the rings. Transport is the way\n"
    "to the nearest member and back, rotation the wait for the talking stick, (k-1)/2: k=1 is\n"
    "AtomDir, k of all nodes AtomNaive. S is the sum of the hops over all pairs of node and ring,\n"
    "for rows (runs of k nodes in reading order; the reference) and for the best lattice; `sum` adds\n"
    "up a cycle-exact wait over all phases of the stick. Stars mark the best sizes of a mesh. W\n"
    "chooses one mesh, k one size.\n"
    "\n"
    "The formula for rotation is blank in the text of the paper; 7.5 = (16-1)/2 fixes it.\n"
    "\n" FEAR_RINGS_BELIEVE;

/* Latency is (2 * hop * S + (k - 1) * pairs) / (2 * pairs). */
struct ring_row {
  int64_t k, pairs, sum, uncontended;
  bool lattice; /* does one exist? */
  int64_t a, b, lattice_sum;
  bool best, best_lattice; /* of all rows */
};

static int64_t latency_over(const struct ring_row *row, int64_t hop, bool lattice) {
  return 2 * hop * (lattice ? row->lattice_sum : row->sum) + (row->k - 1) * row->pairs;
}

static bool is_better(const struct ring_row *row, const struct ring_row *best, int64_t hop, bool lattice) {
  __extension__ typedef __int128 wide;
  return (wide)latency_over(row, hop, lattice) * best->pairs < (wide)latency_over(best, hop, lattice) * row->pairs;
}

static void put_fraction(struct table *table, int64_t numerator, int64_t denominator) {
  int64_t divisor = common_divisor(numerator, denominator);
  numerator /= divisor, denominator /= divisor;
  if (denominator == 1)
    table_put_text(table, arena_printf(table->arena, "%lld", (long long)numerator));
  else
    table_put_text(table, arena_printf(table->arena, "%lld/%lld", (long long)numerator, (long long)denominator));
}

static void put_ring_row(struct table *table, const char *mesh, const struct ring_row *row, int64_t nodes,
                         int64_t hop) {
  table_put_text(table, mesh);
  table_put_numbers(table, row->k, nodes / row->k, row->sum, row->pairs);
  table_put_ratio(table, hop * row->sum, row->pairs);
  table_put_ratio(table, row->k - 1, 2);
  put_fraction(table, latency_over(row, hop, false), 2 * row->pairs);
  table_put_ratio(table, latency_over(row, hop, false), 2 * row->pairs);
  table_put_text(table, row->best ? "*" : "");
  table_put_number(table, row->uncontended);
  if (!row->lattice) {
    for (int i = 0; i < 4; i++) table_put_empty(table);
    table_put_text(table, "");
    return;
  }
  table_put_text(table, arena_printf(table->arena, "%dx%d", (int)row->a, (int)row->b));
  table_put_number(table, row->lattice_sum);
  put_fraction(table, latency_over(row, hop, true), 2 * row->pairs);
  table_put_ratio(table, latency_over(row, hop, true), 2 * row->pairs);
  table_put_text(table, row->best_lattice ? "*" : "");
}

static struct ring_row measure(int64_t W, int64_t hop, int64_t k) {
  struct arena *arena = arena_new();
  struct fear_rings rings;
  fear_rings_new(arena, W, FEAR_ROWS, k, 0, &rings);
  struct ring_row row = {.k = k, .pairs = rings.nodes * rings.count, .sum = fear_transport(&rings)};
  row.uncontended = fear_uncontended(&rings, hop);
  row.lattice = fear_rings_new(arena, W, FEAR_LATTICE, k, 0, &rings);
  if (row.lattice) row.a = rings.a, row.b = rings.b, row.lattice_sum = fear_transport(&rings);
  arena_free(arena);
  return row;
}

static void plot_mesh(struct cost_report *report, const char *mesh, const struct ring_row *rows, size_t count,
                      int64_t hop) {
  const char *title = arena_printf(report->arena, "Acquiring an idle mutex, %s mesh, rows", mesh);
  struct plot *plot = cost_add_plot(report, PLOT_STACK, title, "members of a ring (nodes)", "time (cycles)");
  plot_add_series(plot, "transport");
  plot_add_series(plot, "rotation");
  for (size_t i = 0; i < count; i++) {
    plot_add_group(plot, arena_printf(report->arena, "%d", (int)rows[i].k));
    plot_put(plot, (double)(hop * rows[i].sum) / (double)rows[i].pairs);
    plot_put(plot, (double)(rows[i].k - 1) / 2);
  }
}

static bool add_mesh(struct cost_report *report, const struct setting *setting, struct table *table) {
  int64_t W = setting_number(setting, "W"), hop = setting_number(setting, "hop");
  int64_t only = setting_is_given(setting, "k") ? setting_number(setting, "k") : 0;
  if (setting_is_given(setting, "k") && only == 0) only = W * W;
  if (only && W * W % only != 0 && !setting_is_given(setting, "W")) return true; /* another mesh may fit */
  if (only && !fear_check_ring(setting, W, only)) return false;
  VEC(struct ring_row) rows = {0};
  for (int64_t k = 1; k <= W * W; k++)
    if (W * W % k == 0 && (!only || k == only)) *vec_push(report->arena, &rows) = measure(W, hop, k);
  size_t best = 0, best_lattice = 0;
  for (size_t i = 1; i < rows.count; i++) {
    if (is_better(&rows.at[i], &rows.at[best], hop, false)) best = i;
    if (rows.at[i].lattice && is_better(&rows.at[i], &rows.at[best_lattice], hop, true)) best_lattice = i;
  }
  const char *mesh = arena_printf(report->arena, "%dx%d", (int)W, (int)W);
  for (size_t i = 0; i < rows.count; i++) {
    rows.at[i].best = !is_better(&rows.at[best], &rows.at[i], hop, false);
    rows.at[i].best_lattice = rows.at[i].lattice && !is_better(&rows.at[best_lattice], &rows.at[i], hop, true);
    put_ring_row(table, mesh, &rows.at[i], W * W, hop);
  }
  plot_mesh(report, mesh, rows.at, rows.count, hop);
  return true;
}

/* The only numbers of Figure 3 that the text has. */
static void add_ring_text(struct cost_report *report, int64_t hop) {
  enum { SIDE = 4, NODES = SIDE * SIDE };
  struct table *table = cost_add_statements(report, "The paper's text on Figure 3");
  struct ring_row directory = measure(SIDE, hop, 1), ring = measure(SIDE, hop, NODES);
  double way = (double)(hop * directory.sum) / (double)directory.pairs;
  double wait = (double)ring.uncontended / (double)(ring.pairs * NODES); /* every node is a member */
  cost_put_statement(table, "on 16 nodes a directory's owner is 5 cycles away, there and back", way == 5, "%.1f", way);
  cost_put_statement(table, "a ring of all 16 waits 7.5 cycles for the stick", wait == 7.5, "%.1f", wait);
}

static bool show_fear_rings(struct cost_report *report) {
  struct settings settings = cost_settings(report, "rings", "W", NULL);
  struct table *table = cost_add_table(report, "Acquiring an idle mutex");
  table_columns(table, "mesh", "k|members", "rings", "S|hops", "pairs", "transport|cycles", "rotation|cycles",
                "latency|cycles", "decimal|cycles", "best", "sum|cycles", "lattice", "lattice S|hops",
                "lattice latency|cycles", "lattice decimal|cycles", "lattice best", NULL);
  for (size_t i = 0; i < settings.list.count; i++)
    if (!add_mesh(report, &settings.list.at[i], table)) return false;
  const struct setting *last = &settings.list.at[settings.list.count - 1];
  if (table_row_count(table) == 0)
    setting_error(last, "k", "no mesh has a number of nodes that ring size k=%d divides",
                  (int)setting_number(last, "k"));
  if (settings.list.count > 1 && !setting_is_given(last, "k")) add_ring_text(report, setting_number(last, "hop"));
  return true;
}

const struct cost_view view_fear_rings = {.name = "fear-rings",
                                          .machine = "timing-fear",
                                          .summary = "mutex rings on a mesh: analytic latency against ring size",
                                          .help = help_fear_rings,
                                          .run = show_fear_rings};
