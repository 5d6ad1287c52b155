/* SPDX-License-Identifier: MIT */
/* Programs and their inputs: coroutines, graphs, keys, kernels on the mesh. */
#include "checker/base/array.h"
#include "hwsem/timing/amo_timed.h"
#include "hwsem/timing/gpu_timed.h"
#include "hwsem/workloads/atomic_kernels.h"
#include "hwsem/workloads/coroutine.h"
#include "hwsem/workloads/graph_programs.h"
#include "tests/unit/unit.h"

struct counter {
  struct coroutine *self;
  int seen[4];
  double kept;
};

static void count_up(void *context) {
  struct counter *c = context;
  double local = 0.5;
  for (int i = 0; i < 4; i++) {
    c->seen[i]++;
    local *= 3;
    coroutine_stop(c->self);
  }
  c->kept = local;
}

/* Two coroutines in turn: each goes on where it stopped, with its own variables. */
TEST(coroutines_take_turns) {
  struct counter a = {0}, b = {0};
  a.self = coroutine_new(count_up, &a);
  b.self = coroutine_new(count_up, &b);
  for (int i = 0; i < 4; i++) {
    assert_true(coroutine_resume(a.self));
    assert_int_equal(a.seen[i], 1);
    assert_int_equal(b.seen[i], 0);
    assert_true(coroutine_resume(b.self));
    assert_int_equal(b.seen[i], 1);
  }
  assert_false(coroutine_resume(a.self));
  assert_false(coroutine_resume(a.self));
  assert_true(a.kept == 0.5 * 81);
  coroutine_free(a.self);
  coroutine_free(b.self); /* in the middle */
}

static bool has_arc(const struct graph *g, uint32_t from, uint32_t to, int32_t weight) {
  for (uint32_t e = g->first[from]; e < g->first[from + 1]; e++)
    if (g->target[e] == to) return g->weight[e] == weight;
  return false;
}

/* Rows are sorted and without loops; every arc has its twin. */
static void check_graph(const struct graph *g) {
  assert_int_equal(g->first[g->vertices], g->arcs);
  for (uint32_t v = 0; v < g->vertices; v++)
    for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
      assert_true(e == g->first[v] || g->target[e - 1] < g->target[e]);
      assert_true(g->target[e] != v && g->target[e] < g->vertices && g->weight[e] >= 1);
      assert_true(has_arc(g, g->target[e], v, g->weight[e]));
    }
}

TEST(graphs_are_symmetric) {
  struct arena *arena = *state;
  for (int kind = 0; kind < GRAPH_KINDS; kind++) {
    const struct graph *g = graph_generate(arena, (enum graph_kind)kind, 500, 6, 7, NULL);
    const struct graph *same = graph_generate(arena, (enum graph_kind)kind, 500, 6, 7, NULL);
    check_graph(g);
    assert_true(g->arcs > g->vertices);
    assert_int_equal(g->arcs, same->arcs);
    assert_memory_equal(g->target, same->target, g->arcs * sizeof *g->target);
  }
}

TEST(zipf_prefers_low_keys) {
  struct arena *arena = *state;
  const uint32_t *keys = keys_zipf(arena, 10000, 100, 3);
  int first = 0, tenth = 0;
  for (int i = 0; i < 10000; i++) {
    assert_true(keys[i] < 100);
    first += keys[i] == 0;
    tenth += keys[i] == 9;
  }
  assert_in_range(first, 1800, 2050); /* 1 / H(100) = .193 */
  assert_in_range(tenth, 140, 250);
}

static struct amo_parameters machine_parameters(void) {
  return (struct amo_parameters){.hop = 2,
                                 .l1 = 2,
                                 .l2 = 8,
                                 .llc = 10,
                                 .l1sets = 4,
                                 .l1ways = 2,
                                 .l2sets = 8,
                                 .l2ways = 2,
                                 .dir = 2,
                                 .buf = 2,
                                 .hb = 2,
                                 .alu = 1,
                                 .wr = 1,
                                 .ldx = 2,
                                 .iss = 3,
                                 .win = 4,
                                 .early = 1,
                                 .spin = 10,
                                 .amt = 16,
                                 .amtways = 4,
                                 .confmax = 3,
                                 .mth = 2,
                                 .mdecay = 4096,
                                 .mmax = 255,
                                 .fr = 64,
                                 .llcsets = 2,
                                 .llcways = 2,
                                 .mem = 50};
}

/* Small caches, evictions everywhere, several far operations of a core on a line:
 * every kernel's answer is right under every policy. */
TEST(kernels_are_right_under_all_policies) {
  for (int kind = 0; kind < KERNEL_KINDS; kind++)
    for (int policy = 0; policy <= (int)AMO_TABLE; policy++) {
      struct arena *arena = arena_new();
      struct amo_parameters p = machine_parameters();
      p.near = (int64_t)1 << AMO_UD | (int64_t)1 << AMO_SC;
      struct kernel_options o = {.kind = (enum kernel_kind)kind,
                                 .threads = 5,
                                 .size = 100,
                                 .range = 3,
                                 .degree = 4,
                                 .graph = GRAPH_UNIFORM,
                                 .think = 3,
                                 .seed = 5};
      struct work *work = kernel_new(arena, &o);
      struct amo_machine *machine = amo_machine_new(arena, &p, (enum amo_policy)policy);
      struct cost_limit limit = {0};
      amo_set_work(machine, work);
      struct amo_result result = amo_run(machine, -1, &limit);
      const char *wrong = work->check(arena, work);
      if (wrong) print_error("kernel %d under policy %d: %s\n", kind, policy, wrong);
      assert_null(wrong);
      assert_false(result.stuck);
      assert_true(result.finish > 0);
      work_free(work);
      arena_free(arena);
    }
}

static void idle(struct work_thread *t) {
  if (t->index == 0) work_barrier(t);
  while (t->index == 1 && work_load(t, 0, WORK_PLAIN) == 0) work_compute(t, 1000000);
}

static void rest(struct work_thread *t) {
  work_compute(t, 1);
  work_compute(t, 2);
  work_compute(t, 3);
  if (work_load(t, 5, WORK_PLAIN) == 7) work_compute(t, 4);
}

/* Pauses in a row, before an access and at the end come in their order, whether or not a thread runs on
 * before them. */
TEST(pauses_come_in_order) {
  for (int runs_on = 0; runs_on < 2; runs_on++) {
    struct arena *arena = arena_new();
    struct work *work = work_new(arena, 1, rest, NULL);
    work->runs_on = runs_on;
    for (int64_t cycles = 1; cycles <= 4; cycles++) {
      struct work_request *request = work_next(work, 0);
      assert_int_equal(request->kind, WORK_COMPUTE);
      assert_int_equal(request->cycles, cycles);
      if (cycles != 3) continue;
      request = work_next(work, 0);
      assert_int_equal(request->kind, WORK_LOAD);
      assert_int_equal(request->address, 5);
      request->value = 7;
    }
    assert_null(work_next(work, 0));
    assert_int_equal(work->requests, 5);
    work_free(work);
    arena_free(arena);
  }
}

/* A check that finds nothing is none: an answer that is spoilt is not right. */
TEST(wrong_answers_are_found) {
  for (int kind = 0; kind < KERNEL_KINDS; kind++) {
    struct arena *arena = arena_new();
    struct kernel_options o = {.kind = (enum kernel_kind)kind,
                               .threads = 2,
                               .size = 40,
                               .range = 3,
                               .degree = 4,
                               .graph = GRAPH_GRID,
                               .think = 0,
                               .seed = 5};
    struct work *work = kernel_new(arena, &o); /* and it is never run */
    if (kind != KERNEL_BARRIER) assert_non_null(work->check(arena, work));
    work_free(work);
    arena_free(arena);
  }
}

/* Threads that wait for what never comes are met by the limit. */
TEST(endless_programs_end_at_the_limit) {
  struct arena *arena = *state;
  struct amo_parameters p = machine_parameters();
  struct work *work = work_new(arena, 2, idle, NULL);
  work_allocate(work, 16);
  struct amo_machine *machine = amo_machine_new(arena, &p, AMO_ALL_NEAR);
  struct cost_limit limit = {.deadline = deadline_in(1e-6)};
  amo_set_work(machine, work);
  assert_true(amo_run(machine, -1, &limit).stuck);
  assert_true(limit.met);
  work_free(work);
}

/* The deques use loads and read-modify-writes only; these are rsp-corrected's. */
static struct gpu_scheme sound_scheme(void) {
  static const enum rsp_instr ld[] = {RSP_LD}, ld_device[] = {RSP_LD, RSP_INV_WG},
                              ld_remote[] = {RSP_LD, RSP_FLU_DV, RSP_INV_WG}, inc[] = {RSP_INC_L1},
                              inc_device[] = {RSP_FLU_WG, RSP_INC_L2, RSP_INV_WG},
                              inc_remote[] = {RSP_LK,     RSP_FLU_DV, RSP_INV_DV, RSP_INC_L2,
                                              RSP_FLU_DV, RSP_INV_WG, RSP_UNLK};
  struct gpu_scheme scheme = {0};
  scheme.load[WORK_GROUP] = (struct rsp_sequence){ld, 1};
  scheme.load[WORK_DEVICE] = (struct rsp_sequence){ld_device, 2};
  scheme.load[WORK_REMOTE] = (struct rsp_sequence){ld_remote, 3};
  scheme.rmw[WORK_GROUP] = (struct rsp_sequence){inc, 1};
  scheme.rmw[WORK_DEVICE] = (struct rsp_sequence){inc_device, 3};
  scheme.rmw[WORK_REMOTE] = (struct rsp_sequence){inc_remote, 7};
  return scheme;
}

/* Tiny caches and FIFOs: everything is evicted, combined and flushed; answers stay right. */
TEST(programs_are_right_in_all_scenarios) {
  static const struct {
    enum work_scope pop, steal;
    bool steals;
  } scenarios[] = {{WORK_DEVICE, WORK_DEVICE, false},
                   {WORK_GROUP, WORK_GROUP, false},
                   {WORK_DEVICE, WORK_DEVICE, true},
                   {WORK_GROUP, WORK_REMOTE, true}};
  struct gpu_scheme scheme = sound_scheme();
  struct gpu_parameters p = {.rsp = {.n = 3, .l1 = 4, .net = 12, .pop = 1, .inv = 1, .alu = 1, .F = 3},
                             .l1sets = 2,
                             .l1ways = 2,
                             .l2sets = 4,
                             .l2ways = 2,
                             .mem = 100,
                             .channels = 2,
                             .burst = 8};
  for (int program = 0; program < GRAPHS_PROGRAMS; program++)
    for (size_t k = 0; k < ARRAY_COUNT(scenarios); k++)
      for (unsigned most = 1; most <= 3; most += 2) {
        struct arena *arena = arena_new();
        struct graphs_options o = {.program = (enum graphs_program)program,
                                   .graph = graph_generate(arena, GRAPH_RMAT, 128, 6, 3, NULL),
                                   .threads = 3,
                                   .lanes = 4,
                                   .alu = 5,
                                   .nodes = 200,
                                   .seed = 2,
                                   .pop = scenarios[k].pop,
                                   .steal = scenarios[k].steal,
                                   .steals = scenarios[k].steals,
                                   .most = most,
                                   .iterations = program == GRAPHS_PAGERANK ? 3 : 0};
        struct work *work = graphs_new(arena, &o);
        struct cost_limit limit = {0};
        struct gpu_result result = gpu_run(arena, &p, &scheme, work, &limit);
        const char *wrong = work->check(arena, work);
        if (wrong) print_error("program %d, scenario %zu: %s\n", program, k, wrong);
        assert_null(wrong);
        assert_false(result.stuck);
        work_free(work);
        arena_free(arena);
      }
}
