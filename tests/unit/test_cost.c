/* SPDX-License-Identifier: MIT */
/* The qualitative orderings that the timed machines must show, whatever their
 * numbers: each a test of its own.  They read the views' tables, at the
 * parameters of mappings/timing-*.xml. */
#include <string.h>

#include "checker/base/text.h"
#include "hwsem/timing/view_report.h"
#include "tests/unit/unit.h"

static const char *const folders[] = {"mappings"};
static const struct xml_folders search = {folders, 1};

/* One of the tables of a view. */
static const struct table *table_on(const char *machine, struct arena *arena, const char *name, const char *parameters,
                                    size_t table) {
  struct diags diags = diags_new(arena);
  const struct cost_view *found = cost_find_view(name, &diags);
  struct cost_request request = {.arena = arena, .search = &search, .machine = machine, .parameters = parameters};
  assert_non_null(found);
  const struct cost_report *report = cost_run(found, &request, &diags);
  diags_print(&diags, stderr);
  assert_non_null(report);
  return report->tables.at[table];
}

static const struct table *view(struct arena *arena, const char *name, const char *parameters, size_t table) {
  return table_on(NULL, arena, name, parameters, table);
}

/* Work stealing with the rows that were fitted to published means. */
static const struct table *fitted(struct arena *arena) {
  return table_on("tests/golden/cost/rsp-fitted.xml", arena, "rsp-steal", NULL, 0);
}

static size_t column(const struct table *table, const char *name) {
  int column = ROW_INDEX(table->columns.at, table->columns.count, name, name);
  if (column < 0) fail_msg("no column %s", name);
  return (size_t)column;
}

/* The number in a column; thousandths of a ratio. */
static int64_t at(const struct table *table, size_t row, const char *name) {
  const struct table_cell *cell = table_cell(table, row, column(table, name));
  assert_true(cell->kind == CELL_NUMBER || cell->kind == CELL_MILLI);
  return cell->number;
}

/* The row whose first words are these; `second` may be NULL. */
static size_t row_of(const struct table *table, const char *first, const char *second) {
  for (size_t row = 0; row < table_row_count(table); row++) {
    const struct table_cell *a = table_cell(table, row, 0), *b = table_cell(table, row, 1);
    if (a->kind != CELL_TEXT || strcmp(a->text, first) != 0) continue;
    if (!second || (b->kind == CELL_TEXT && !strcmp(b->text, second))) return row;
  }
  fail_msg("no row %s", first);
  return 0;
}

static int64_t cell(const struct table *table, const char *row, const char *name) {
  return at(table, row_of(table, row, NULL), name);
}

static bool text_is(const struct table *table, size_t row, const char *name, const char *text) {
  return !strcmp(table_cell(table, row, column(table, name))->text, text);
}

/* ---- the timed GPU --------------------------------------------------------------- */

enum { OPERATIONS = 9 };

TEST(test_default_is_the_sound_mapping) {
  assert_true(text_is(view(*state, "rsp-ops", NULL, 1), 0, "mapping", "rsp-corrected"));
  assert_string_equal(view(*state, "rsp-steal", NULL, 0)->columns.at[4].name, "T rem rsp-corrected");
}

TEST(test_r1_wg_cheapest_remote_rmw_dearest) {
  const struct table *t = view(*state, "rsp-ops", NULL, 1);
  assert_int_equal(table_row_count(t) % OPERATIONS, 0);
  for (size_t row = 0; row < table_row_count(t); row += OPERATIONS) {
    for (size_t kind = 0; kind < OPERATIONS; kind += 3)
      assert_true(at(t, row + kind, "hit") < at(t, row + kind + 1, "hit"));
    assert_true(text_is(t, row + 8, "operation", "RMW DV remote"));
    assert_true(at(t, row + 7, "hit") < at(t, row + 8, "hit"));
  }
}

/* Price of an operation (by number) under the default mapping, the first, on a hit. */
static int64_t price(struct arena *arena, const char *parameters, size_t operation) {
  return at(view(arena, "rsp-ops", parameters, 1), operation, "hit");
}

TEST(test_r2_remote_pays_for_all_dv_for_itself) {
  for (size_t operation = 2; operation < OPERATIONS; operation += 6) { /* load and RMW, remote */
    assert_true(price(*state, "n=4,q=8", operation) < price(*state, "n=8,q=8", operation));
    assert_true(price(*state, "n=8,q=0,q0=4,d0=4", operation) < price(*state, "n=8,q=8,q0=4,d0=4", operation));
  }
  for (size_t operation = 1; operation < OPERATIONS; operation += 3) { /* DV */
    assert_int_equal(price(*state, "n=4,q=8", operation), price(*state, "n=8,q=8", operation));
    assert_int_equal(price(*state, "n=8,q=0,q0=4,d0=4", operation), price(*state, "n=8,q=8,q0=4,d0=4", operation));
  }
  assert_true(price(*state, "q=4", 7) < price(*state, "q=32", 7));
}

static const char *const many_steals[] = {"SSSP-1", "color-1", "PR-1", "PR-3", NULL};

/* Calls `check` with each workload's row. */
static void each_workload(struct arena *arena, void (*check)(const struct table *table, size_t row)) {
  const struct table *t = fitted(arena);
  assert_int_equal(table_row_count(t), 11); /* ten, and the means */
  for (size_t row = 0; row < 10; row++) check(t, row);
}

static void check_remote_best(const struct table *t, size_t row) {
  assert_true(at(t, row, "rem") >= at(t, row, "scope"));
  assert_true(at(t, row, "rem") >= at(t, row, "steal"));
}
TEST(test_r3_promotion_wins_every_workload) {
  each_workload(*state, check_remote_best);
}

TEST(test_r4_means_are_ordered) {
  const struct table *t = fitted(*state);
  assert_true(cell(t, "mean", "rem") > cell(t, "mean", "steal"));
  assert_true(cell(t, "mean", "steal") > cell(t, "mean", "scope"));
  assert_true(cell(t, "mean", "scope") > 1000);
}

static void check_misses(const struct table *t, size_t row) {
  bool few_fewer = at(t, row, "fetches scope") * 10 > at(t, row, "fetches base") * 9;
  assert_int_equal(few_fewer, at(t, row, "scope") < 1030);
}
TEST(test_r5_scopes_pay_where_they_save_misses) {
  each_workload(*state, check_misses);
}

static void check_stolen(const struct table *t, size_t row) {
  bool many = text_is_one_of(table_cell(t, row, 0)->text, many_steals);
  assert_true(many ? at(t, row, "stolen rem") > 5000 : at(t, row, "stolen rem") <= 1500);
}
TEST(test_r6_where_steals_are_many) {
  each_workload(*state, check_stolen);
}

static void check_fails(const struct table *t, size_t row) {
  assert_true(at(t, row, "fails st") <= 5 && at(t, row, "fails rem") <= 5);
}
TEST(test_r7_few_steals_fail) {
  each_workload(*state, check_fails);
}

static void check_steal_cost(const struct table *t, size_t row) {
  assert_in_range(at(t, row, "steal cost"), 200000, 999999);
}
TEST(test_r8_remote_steals_take_hundreds_of_cycles) {
  each_workload(*state, check_steal_cost);
}

TEST(test_r9_tiny_tasks_lose) {
  assert_true(cell(view(*state, "rsp-steal", NULL, 1), "tiny", "rem") < 1000);
}

/* ---- the mesh of atomics --------------------------------------------------------------- */

static int64_t throughput(const struct table *t, int64_t threads, const char *kind) {
  for (size_t row = 0; row < table_row_count(t); row++)
    if (at(t, row, "n") == threads) return at(t, row, kind);
  fail_msg("no row of %d threads", (int)threads);
  return 0;
}

TEST(test_d1_one_thread_near_wins) {
  const struct table *t = view(*state, "amo-throughput", NULL, 0);
  assert_true(throughput(t, 1, "near") > 5 * throughput(t, 1, "far AtomicStore"));
  assert_true(throughput(t, 1, "near") > 5 * throughput(t, 1, "far AtomicLoad"));
}

TEST(test_d2_contention_costs_near_forty_percent) {
  const struct table *t = view(*state, "amo-throughput", NULL, 0);
  for (size_t row = 1; row < table_row_count(t); row++) assert_true(10 * at(t, row, "near") <= 7 * at(t, 0, "near"));
  assert_true(10 * throughput(t, 2, "near") <= 6 * throughput(t, 1, "near"));
}

TEST(test_d3_far_grows_until_saturation) {
  const struct table *t = view(*state, "amo-throughput", NULL, 0);
  for (size_t row = 1; row < table_row_count(t); row++) {
    assert_true(at(t, row, "far AtomicLoad") >= at(t, row - 1, "far AtomicLoad"));
    assert_true(at(t, row, "far AtomicStore") >= at(t, row - 1, "far AtomicStore"));
  }
  assert_true(throughput(t, 8, "far AtomicStore") > 5 * throughput(t, 1, "far AtomicStore"));
}

TEST(test_d4_many_threads_far_store_wins) {
  const struct table *t = view(*state, "amo-throughput", NULL, 0);
  assert_true(throughput(t, 32, "far AtomicStore") > throughput(t, 32, "far AtomicLoad"));
  assert_true(throughput(t, 32, "far AtomicLoad") > throughput(t, 32, "near"));
  assert_in_range(throughput(t, 32, "AtomicStore/near"), 1300, 1900);
}

TEST(test_d5_single_operations_far_bursts_near) {
  const struct table *t = view(*state, "amo-policy", "pattern=burst", 0);
  static const char *const bursts[] = {"burst 3", "burst 4", "burst 8"};
  assert_true(cell(t, "burst 1", "AllFar") < cell(t, "burst 1", "AllNear"));
  for (int i = 0; i < 3; i++) assert_true(cell(t, bursts[i], "AllNear") < cell(t, bursts[i], "AllFar"));
}

TEST(test_d6_far_gains_with_distance) {
  const struct table *t = view(*state, "amo-policy", "pattern=burst", 0);
  static const char *const by_hop[] = {"burst 1, hop=1", "burst 1", "burst 1, hop=3"};
  int64_t before = 0;
  for (int i = 0; i < 3; i++) {
    int64_t saved = cell(t, by_hop[i], "AllNear") - cell(t, by_hop[i], "AllFar");
    assert_true(saved > before);
    before = saved;
  }
}

TEST(test_d7_far_on_own_line_is_ten_times_near) {
  const struct table *t = view(*state, "amo-lat", NULL, 0);
  assert_int_equal(cell(t, "far AtomicStore, own UD", "cycles"), 10 * cell(t, "near, L1 unique", "cycles"));
}

TEST(test_d8_mutexes_want_near) {
  static const char *const mutexes[] = {"mutex1", "mutex2", "mutex4"};
  static const char *const near[] = {"AllNear", "PresentNear"}, *const far[] = {"UniqueNear", "DirtyNear", "SharedFar"};
  const struct table *t = view(*state, "amo-policy", NULL, 0);
  for (int i = 0; i < 3; i++)
    for (int f = 0; f < 3; f++) {
      for (int n = 0; n < 2; n++) assert_true(cell(t, mutexes[i], near[n]) <= cell(t, mutexes[i], far[f]));
      assert_true(cell(t, mutexes[i], far[f]) < cell(t, mutexes[i], "AllFar"));
    }
}

TEST(test_d9_spinning_readers_want_far) {
  const struct table *t = view(*state, "amo-policy", "pattern=ttas4", 0);
  static const char *const far_when_shared[] = {"UniqueNear", "DirtyNear", "SharedFar"};
  for (int i = 0; i < 3; i++) assert_true(cell(t, "ttas4", far_when_shared[i]) < cell(t, "ttas4", "AllNear"));
}

TEST(test_d10_producer_wants_near) {
  const struct table *t = view(*state, "amo-policy", "pattern=prodcons", 0);
  int64_t near = cell(t, "prodcons", "AllNear"), dirty = cell(t, "prodcons", "DirtyNear");
  assert_true(dirty * 100 <= near * 101);
  assert_true(dirty < cell(t, "prodcons", "UniqueNear") && dirty < cell(t, "prodcons", "SharedFar"));
}

TEST(test_d11_histograms) {
  static const char *const far[] = {"UniqueNear", "PresentNear", "DirtyNear"};
  static const char *const reuse[] = {"Reuse-UN", "Reuse-PN"};
  static const char *const statics[] = {"AllNear", "UniqueNear", "PresentNear", "DirtyNear", "SharedFar"};
  const struct table *t = view(*state, "amo-policy", NULL, 0);
  for (int i = 0; i < 3; i++) {
    assert_true(cell(t, "hist-cold", far[i]) < cell(t, "hist-cold", "AllNear"));
    assert_true(cell(t, "hist-hot", far[i]) > cell(t, "hist-hot", "AllNear"));
  }
  for (int i = 0; i < 2; i++) {
    assert_true(cell(t, "hist-cold", reuse[i]) < cell(t, "hist-cold", "AllNear"));
    assert_true(cell(t, "hist-hot", reuse[i]) * 100 <= cell(t, "hist-hot", "AllNear") * 101);
    for (int k = 0; k < 5; k++) assert_true(cell(t, "hist-mix", reuse[i]) < cell(t, "hist-mix", statics[k]));
  }
}

TEST(test_d12_reuse_pn_never_much_slower) {
  const struct table *t = view(*state, "amo-policy", NULL, 0);
  assert_int_equal(table_row_count(t), 17);
  for (size_t row = 0; row < table_row_count(t); row++)
    assert_true(at(t, row, "Reuse-PN") * 100 <= at(t, row, "AllNear") * 101);
}

TEST(test_d13_reuse_un_breaks_ping_pong) {
  const struct table *t = view(*state, "amo-policy", NULL, 0);
  assert_true(cell(t, "ldamo", "Reuse-UN") < cell(t, "ldamo", "Reuse-PN"));
  assert_int_equal(cell(t, "ldamo", "Reuse-PN"), cell(t, "ldamo", "AllNear"));
  assert_int_equal(cell(t, "prodcons", "Reuse-UN"), cell(t, "prodcons", "AllNear"));
  assert_int_equal(cell(t, "prodcons", "Reuse-PN"), cell(t, "prodcons", "AllNear"));
}

TEST(test_d14_present_near_differs_on_shared_copies) {
  static const char *const sharing[] = {"ldamo", "prodcons", "mutex2", "mutex4", "ttas4", NULL};
  const struct table *t = view(*state, "amo-policy", NULL, 0);
  for (size_t row = 0; row < table_row_count(t); row++) {
    bool shares = text_is_one_of(table_cell(t, row, 0)->text, sharing);
    assert_int_equal(at(t, row, "PresentNear") != at(t, row, "UniqueNear"), shares);
  }
}

/* ---- the rings --------------------------------------------------------------- */

TEST(test_f1_best_ring_is_between) {
  const struct table *t = view(*state, "fear-rings", "W=4", 0);
  assert_int_equal(table_row_count(t), 5); /* k = 1, 2, 4, 8, 16 */
  assert_int_equal(at(t, 4, "decimal"), 7500);
  assert_int_equal(at(t, 0, "decimal"), 5000);
  assert_true(at(t, 2, "decimal") < at(t, 0, "decimal"));
  assert_true(at(t, 1, "decimal") > at(t, 2, "decimal") && at(t, 3, "decimal") > at(t, 2, "decimal"));
}

/* The ends of a workload's runs with 1, 2, 4, 8, 16, 32 wires. */
static void wires(const struct table *t, const char *name, int64_t ends[6]) {
  size_t first = row_of(t, name, NULL);
  for (size_t i = 0; i < 6; i++) {
    ends[i] = at(t, first + i, "end");
    assert_int_equal(at(t, first + i, "B"), 1 << i);
  }
}

TEST(test_f2_one_busy_wire_is_disastrous) {
  const struct table *t = view(*state, "fear-timed", NULL, 1);
  static const char *const wide[] = {"mix k=16", "rnd k=16"}, *const narrow[] = {"mix k=4", "rnd k=4"};
  for (int i = 0; i < 2; i++) {
    int64_t ends[6];
    wires(t, wide[i], ends);
    assert_true(ends[0] > 5 * ends[4]);
    for (int b = 1; b < 6; b++) assert_true(ends[b] < ends[b - 1]);
    wires(t, narrow[i], ends);
    assert_true(ends[3] * 100 <= ends[5] * 106 && ends[4] * 100 <= ends[5] * 101);
  }
}

TEST(test_f3_rings_mind_wires_less) {
  const struct table *t = view(*state, "fear-timed", NULL, 1);
  int64_t ring[6], naive[6];
  wires(t, "mix k=4", ring);
  wires(t, "mix k=16", naive);
  assert_true(ring[0] * naive[5] * 5 < naive[0] * ring[5]);
  wires(t, "rnd k=4", ring);
  wires(t, "rnd k=16", naive);
  assert_true(ring[0] * naive[5] * 5 < naive[0] * ring[5]);
}

static int64_t timed(const struct table *t, const char *configuration, const char *workload, const char *name) {
  return at(t, row_of(t, configuration, workload), name);
}

TEST(test_f4_caching_wins_on_private_data) {
  static const char *const winners[] = {"AtomDir k1", "rows k2", "rows k4", "rows k8", "lattice 2x2"};
  const struct table *t = view(*state, "fear-timed", NULL, 0);
  int64_t memside = timed(t, "memside", "priv", "end");
  for (int i = 0; i < 5; i++) assert_true(timed(t, winners[i], "priv", "end") < memside);
  assert_true(timed(t, "AtomNaive k16 B16", "priv", "end") >= memside);
}

TEST(test_f5_mutex_adds_latency_speculation_recovers) {
  const struct table *t = view(*state, "fear-timed", NULL, 0);
  int64_t plain = timed(t, "AtomDir k1", "mig", "sum latency"), spec = timed(t, "AtomDir+spec", "mig", "sum latency");
  assert_true(plain > timed(t, "memside", "mig", "sum latency"));
  assert_true(spec < plain && spec > timed(t, "memside", "mig", "sum latency"));
  int64_t gain = timed(t, "AtomDir k1", "rnd", "sum latency") - timed(t, "AtomDir+spec", "rnd", "sum latency");
  static const char *const others[] = {"priv", "mix", "mig", "hot"};
  for (int i = 0; i < 4; i++)
    assert_true(gain >
                timed(t, "AtomDir k1", others[i], "sum latency") - timed(t, "AtomDir+spec", others[i], "sum latency"));
}

TEST(test_f6_epoch_length_has_an_optimum) {
  const struct table *t = view(*state, "fear-timed", NULL, 2);
  size_t last = table_row_count(t) - 1, best = 0;
  for (size_t row = 1; row <= last; row++)
    if (at(t, row, "sum latency") < at(t, best, "sum latency")) best = row;
  assert_true(best > 0 && best < last);
}

TEST(test_f7_memside_wins_when_hot) {
  const struct table *t = view(*state, "fear-timed", NULL, 0);
  int64_t memside = timed(t, "memside", "hot", "end");
  for (size_t row = 0; row < table_row_count(t); row++)
    if (text_is(t, row, "workload", "hot") && !text_is(t, row, "configuration", "memside"))
      assert_true(memside < at(t, row, "end"));
}

TEST(test_f8_epochs_keep_atomicity) {
  const struct table *without = view(*state, "fear-check", "program=1+1,epoch=0", 0);
  assert_int_equal(at(view(*state, "fear-check", "program=1+1,epoch=1", 0), 0, "violating"), 0);
  assert_true(at(without, 0, "violating") > 0);
  assert_true(at(without, 0, "depth") > 0);
}
