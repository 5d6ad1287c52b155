/* SPDX-License-Identifier: MIT */
/* ADSM: the protocols' edges, the orderings that every simulator of them must
 * reproduce, the closed forms of the access patterns, and the sweep's ownership
 * rules against the axiomatic model. */
/* plain: golden/adsm and golden/cost have its protocols and sweeps with sanitizers. */

#include "checker/base/array.h"
#include "checker/verdict/verdict.h"
#include "hwsem/machines/adsm_sweep.h"
#include "hwsem/timing/adsm_patterns.h"
#include "tests/unit/unit.h"

/* ---- Edges (Figure 6) ----------------------------------------------------- */

struct expected_edge {
  enum adsm_protocol protocol;
  enum adsm_state from;
  enum adsm_event event;
  enum adsm_state to;
  enum adsm_transfer transfer;
  bool fault;
};

TEST(edges_of_figure_6) {
  static const struct expected_edge edges[] = {
      {ADSM_BATCH, ADSM_DIRTY, ADSM_CALL, ADSM_INVALID, ADSM_UP, false},
      {ADSM_BATCH, ADSM_INVALID, ADSM_CALL, ADSM_INVALID, ADSM_STAY, false},
      {ADSM_BATCH, ADSM_INVALID, ADSM_SYNC, ADSM_DIRTY, ADSM_DOWN, false},
      {ADSM_BATCH, ADSM_DIRTY, ADSM_SYNC, ADSM_DIRTY, ADSM_STAY, false},
      {ADSM_BATCH, ADSM_INVALID, ADSM_READ, ADSM_INVALID, ADSM_STAY, false},
      {ADSM_BATCH, ADSM_INVALID, ADSM_WRITE, ADSM_INVALID, ADSM_STAY, false},
      {ADSM_LAZY, ADSM_INVALID, ADSM_READ, ADSM_READ_ONLY, ADSM_DOWN, true},
      {ADSM_LAZY, ADSM_INVALID, ADSM_WRITE, ADSM_DIRTY, ADSM_DOWN, true},
      {ADSM_LAZY, ADSM_READ_ONLY, ADSM_READ, ADSM_READ_ONLY, ADSM_STAY, false},
      {ADSM_LAZY, ADSM_READ_ONLY, ADSM_WRITE, ADSM_DIRTY, ADSM_STAY, true},
      {ADSM_LAZY, ADSM_READ_ONLY, ADSM_CALL, ADSM_INVALID, ADSM_STAY, false},
      {ADSM_LAZY, ADSM_DIRTY, ADSM_WRITE, ADSM_DIRTY, ADSM_STAY, false},
      {ADSM_LAZY, ADSM_DIRTY, ADSM_CALL, ADSM_INVALID, ADSM_UP, false},
      {ADSM_LAZY, ADSM_INVALID, ADSM_SYNC, ADSM_INVALID, ADSM_STAY, false},
      {ADSM_ROLLING, ADSM_DIRTY, ADSM_EVICT, ADSM_READ_ONLY, ADSM_UP, false},
      {ADSM_ROLLING, ADSM_INVALID, ADSM_WRITE, ADSM_DIRTY, ADSM_DOWN, true},
  };
  for (size_t i = 0; i < ARRAY_COUNT(edges); i++) {
    struct adsm_edge edge = adsm_edge(edges[i].protocol, edges[i].from, edges[i].event);
    assert_int_equal(edge.next, edges[i].to);
    assert_int_equal(edge.transfer, edges[i].transfer);
    assert_int_equal(edge.fault, edges[i].fault);
  }
  assert_int_equal(adsm_initial_state(ADSM_BATCH), ADSM_DIRTY);
  assert_int_equal(adsm_initial_state(ADSM_LAZY), ADSM_READ_ONLY);
  assert_int_equal(adsm_initial_state(ADSM_ROLLING), ADSM_READ_ONLY);
}

/* ---- Orderings over all legal programs of five operations ------------------ */

enum { OPERATIONS = 5, COUNTED_PROGRAMS = 27945 };

struct traffic {
  int64_t up, down;
};

enum { BATCH, LAZY, ROLLING_1, ROLLING_2, ROLLING_ALL, RUNS };

static const struct adsm_machine_options RUN[RUNS] = {
    [BATCH] = {.protocol = ADSM_BATCH, .count = true},
    [LAZY] = {.protocol = ADSM_LAZY, .count = true},
    [ROLLING_1] = {.protocol = ADSM_ROLLING, .block = 1, .rolling = 1, .count = true},
    [ROLLING_2] = {.protocol = ADSM_ROLLING, .block = 1, .rolling = 2, .count = true},
    [ROLLING_ALL] = {.protocol = ADSM_ROLLING, .block = 1, .rolling = 3, .count = true},
};

/* What happened on all legal programs over x:2 and y:1. */
struct tally {
  uint64_t programs, outcomes;
  uint64_t lazy_above_batch, down_above_lazy, up_above_lazy, up_above_batch, up_above_both;
};

/* The sweep's programs have z, the last object, as well: those that leave it
 * alone run without it.  Cell 3 is z. */
static bool leaves_z(struct adsm_sweep_program *p) {
  const struct thread *thread = &p->program->threads[0];
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    bool access = instr->kind == INSTR_LOAD || instr->kind == INSTR_STORE;
    if (access && instr->address.base == 3) return false;
  }
  p->program->object_count = 2;
  p->program->location_count = 3;
  return true;
}

static struct traffic traffic_of(struct explorer *explorer, struct arena *arena, const struct adsm_sweep_program *p,
                                 unsigned run, uint64_t *outcomes) {
  struct diags diags = diags_new(arena);
  struct machine *machine = adsm_machine_new(arena, p->program, p->observables, p->observable_count, &RUN[run], &diags);
  struct exploration result;
  explore(explorer, machine, &(struct explore_options){.por = false}, &result);
  *outcomes += result.outcome_count;
  const int64_t *counters = result.outcomes[0].values + p->observable_count;
  return (struct traffic){counters[ADSM_CELLS_UP], counters[ADSM_CELLS_DOWN]};
}

static void compare_runs(const struct traffic *t, struct tally *tally) {
  tally->lazy_above_batch += t[LAZY].up > t[BATCH].up || t[LAZY].down > t[BATCH].down;
  for (unsigned run = ROLLING_1; run <= ROLLING_ALL; run++) tally->down_above_lazy += t[run].down > t[LAZY].down;
  tally->up_above_lazy += t[ROLLING_ALL].up > t[LAZY].up;
  tally->up_above_batch += t[ROLLING_1].up > t[BATCH].up;
  tally->up_above_both += t[ROLLING_1].up > t[BATCH].up && t[ROLLING_1].up > t[LAZY].up;
}

static struct tally *tally_programs(void) {
  static struct tally tally;
  if (tally.programs) return &tally;
  struct explorer *explorer = explorer_new();
  uint64_t count = adsm_sweep_count(OPERATIONS);
  for (uint64_t number = 0; number < count; number++) {
    struct arena *arena = arena_new();
    struct adsm_sweep_program *p = adsm_sweep_program(arena, (struct adsm_sweep_id){OPERATIONS, number});
    if (p->legal[ADSM_OWN] && leaves_z(p)) {
      struct traffic t[RUNS];
      for (unsigned run = 0; run < RUNS; run++) t[run] = traffic_of(explorer, arena, p, run, &tally.outcomes);
      compare_runs(t, &tally);
      tally.programs++;
    }
    arena_free(arena);
  }
  explorer_free(explorer);
  return &tally;
}

/* One outcome, and one count of traffic, for every program and protocol. */
TEST(legal_programs_are_deterministic) {
  assert_int_equal(tally_programs()->programs, COUNTED_PROGRAMS);
  assert_int_equal(tally_programs()->outcomes, COUNTED_PROGRAMS * RUNS);
}

TEST(ordering_1_lazy_moves_no_more_than_batch) {
  assert_int_equal(tally_programs()->lazy_above_batch, 0);
}

TEST(ordering_2_rolling_fetches_no_more_than_lazy) {
  assert_int_equal(tally_programs()->down_above_lazy, 0);
}

TEST(ordering_3_without_evictions_rolling_sends_no_more_than_lazy) {
  assert_int_equal(tally_programs()->up_above_lazy, 0);
}

TEST(ordering_4_evictions_may_send_more_than_all_others) {
  assert_int_equal(tally_programs()->up_above_batch, 9528);
  assert_true(tally_programs()->up_above_both > 0);
}

/* ---- Invariants in all states of all legal programs ------------------------- */

/* A machine that looks at every state before it is expanded. */
struct watched {
  const struct machine *inner;
  const char *broken;
};

static void watched_initial(const struct machine *m, void *state) {
  const struct watched *w = m->self;
  w->inner->initial(w->inner, state);
}

static bool watched_successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  struct watched *w = m->self;
  if (!w->broken) w->broken = adsm_broken_invariant(w->inner, state);
  return w->inner->successors(w->inner, state, sink);
}

static bool watched_final(const struct machine *m, const void *state) {
  const struct watched *w = m->self;
  return w->inner->final(w->inner, state);
}

static int64_t watched_observe(const struct machine *m, const void *state, unsigned i) {
  const struct watched *w = m->self;
  return w->inner->observe(w->inner, state, i);
}

static const char *broken_in_program(struct explorer *explorer, struct arena *arena, const struct adsm_sweep_program *p,
                                     const struct adsm_machine_options *options) {
  struct diags diags = diags_new(arena);
  struct watched w = {adsm_machine_new(arena, p->program, p->observables, p->observable_count, options, &diags), NULL};
  struct machine machine = {.name = "watched",
                            .state_size = w.inner->state_size,
                            .self = &w,
                            .initial = watched_initial,
                            .successors = watched_successors,
                            .final = watched_final,
                            .observable_count = w.inner->observable_count,
                            .observe = watched_observe};
  struct exploration result;
  explore(explorer, &machine, &(struct explore_options){.por = false}, &result);
  return w.broken;
}

TEST(invariants_hold_in_all_states) {
  static const struct adsm_machine_options options[] = {
      {.protocol = ADSM_BATCH},
      {.protocol = ADSM_LAZY},
      {.protocol = ADSM_ROLLING, .block = 1, .rolling = 1},
      {.protocol = ADSM_ROLLING, .block = 1, .rolling = 2},
      {.protocol = ADSM_ROLLING, .block = 2, .rolling = 1},
      {.protocol = ADSM_ROLLING, .block = 1, .per_object = 2},
  };
  struct explorer *explorer = explorer_new();
  uint64_t broken_if_illegal = 0;
  for (uint64_t number = 0; number < adsm_sweep_count(4); number++) {
    struct arena *arena = arena_new();
    struct adsm_sweep_program *p = adsm_sweep_program(arena, (struct adsm_sweep_id){4, number});
    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
      const char *broken = broken_in_program(explorer, arena, p, &options[i]);
      if (p->legal[ADSM_OWN] && broken) fail_msg("program %llu: %s", (unsigned long long)number, broken);
      broken_if_illegal += broken != NULL;
    }
    arena_free(arena);
  }
  explorer_free(explorer);
  assert_true(broken_if_illegal > 0); /* ownership is needed */
}

/* ---- Costs ------------------------------------------------------------------ */

static const struct adsm_parameters DEFAULTS = {.latency = 10000,
                                                .up = 5600,
                                                .down = 5000,
                                                .half = 65536,
                                                .fault = 2000,
                                                .search = 100,
                                                .produce = 500,
                                                .input = 2000,
                                                .B = 65536,
                                                .R = 4,
                                                .cell = 4,
                                                .s = 32 << 20,
                                                .m = 8,
                                                .p = 3,
                                                .T = 2};

/* The upload time of a streaming producer falls with B as long as evictions
 * wait for the link, and grows when they do not: T(B) = g(B) in between. */
TEST(ordering_5_upload_time_has_its_minimum_inside) {
  struct adsm_parameters p = DEFAULTS;
  int64_t first = 0, last = 0, least = INT64_MAX, best = 0;
  for (p.B = 4096; p.B <= p.s; p.B *= 2) {
    int64_t time = adsm_pattern_cost(&p, ADSM_VECTOR_ADD, ADSM_ROLLING).up_time;
    if (!first) first = time;
    if (time < least) least = time, best = p.B;
    last = time;
  }
  assert_true(least < first && least < last);
  int64_t produced = best * p.produce / 1024, below = best / 2 * p.produce / 1024;
  assert_true(adsm_transfer_time(&p, true, best) <= produced);
  assert_true(adsm_transfer_time(&p, true, best / 2) > below);
}

TEST(ordering_6_faults_of_a_pass_fall_as_one_over_b) {
  struct adsm_parameters p = DEFAULTS;
  p.p = 1;
  for (p.B = 4096; p.B <= p.s; p.B *= 2)
    assert_int_equal(adsm_pattern_cost(&p, ADSM_MULTI_PASS, ADSM_ROLLING).faults, p.s / p.B);
}

static int64_t time_of(const struct adsm_parameters *p, enum adsm_pattern pattern, enum adsm_protocol protocol) {
  struct adsm_cost cost = adsm_pattern_cost(p, pattern, protocol);
  return adsm_cost_time(&cost);
}

/* Figure 9: blocks of 256 KB and 1 MB are fastest, those of 32 MB beat whole
 * objects, and what they lose shrinks as the volume grows. */
TEST(stencils_prefer_blocks_below_32_mb) {
  struct adsm_parameters p = DEFAULTS;
  int64_t before = INT64_MAX;
  p.T = 20;
  for (int64_t side = 256; side <= 384; side += 64) {
    int64_t time[3], lazy;
    p.s = side * side * side * 4;
    p.B = 256 << 10, time[0] = time_of(&p, ADSM_STENCIL_DUMP, ADSM_ROLLING);
    p.B = 1 << 20, time[1] = time_of(&p, ADSM_STENCIL_DUMP, ADSM_ROLLING);
    p.B = 32 << 20, time[2] = time_of(&p, ADSM_STENCIL_DUMP, ADSM_ROLLING);
    lazy = time_of(&p, ADSM_STENCIL_DUMP, ADSM_LAZY);
    assert_true(time[0] < time[2] && time[1] < time[2] && time[2] < lazy);
    int64_t ratio = time[2] * 1000 / time[0];
    assert_true(ratio < before);
    before = ratio;
  }
}

/* Figure 12: one upload for each pass, until R blocks of B hold the input. */
TEST(passes_fall_off_a_cliff_at_r_times_b) {
  struct adsm_parameters p = DEFAULTS;
  p.s = 4 << 20;
  for (p.R = 1; p.R <= 4; p.R *= 2)
    for (p.B = 128 << 10; p.B <= 32 << 20; p.B *= 2) {
      int64_t passes = p.R * p.B < p.s ? p.p : 1;
      assert_int_equal(adsm_pattern_cost(&p, ADSM_MULTI_PASS, ADSM_ROLLING).up, passes * p.s);
    }
}

static void assert_cost(const struct adsm_parameters *p, enum adsm_pattern pattern, enum adsm_protocol protocol,
                        int64_t up, int64_t down, int64_t faults) {
  struct adsm_cost cost = adsm_pattern_cost(p, pattern, protocol);
  assert_int_equal(cost.up, up);
  assert_int_equal(cost.down, down);
  assert_int_equal(cost.faults, faults);
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* The closed forms for one setting; sizes are multiples of B. */
static void assert_closed_forms(const struct adsm_parameters *p) {
  int64_t s = p->s, B = p->B, n = s / B, m = least(p->m, n), T = p->T;
  assert_cost(p, ADSM_VECTOR_ADD, ADSM_BATCH, 3 * s, 3 * s, 0);
  assert_cost(p, ADSM_VECTOR_ADD, ADSM_LAZY, 2 * s, s, 3);
  assert_cost(p, ADSM_VECTOR_ADD, ADSM_ROLLING, 2 * s, s, 3 * n);
  assert_cost(p, ADSM_STENCIL_STEP, ADSM_BATCH, 2 * s, 2 * s, 0);
  assert_cost(p, ADSM_STENCIL_STEP, ADSM_LAZY, s, s, 1);
  assert_cost(p, ADSM_STENCIL_STEP, ADSM_ROLLING, B, B, 1);
  assert_cost(p, ADSM_STENCIL, ADSM_LAZY, (T + 1) * s, T * s, T + 1);
  assert_cost(p, ADSM_STENCIL_DUMP, ADSM_BATCH, 2 * (T + 1) * s, 2 * (T + 1) * s, 0);
  assert_cost(p, ADSM_STENCIL_DUMP, ADSM_LAZY, (T + 1) * s, (T + 1) * s, T + 2);
  assert_cost(p, ADSM_STENCIL_DUMP, ADSM_ROLLING, s + T * B, s + T * B, 2 * n + T);
  assert_cost(p, ADSM_FILE_INPUT, ADSM_BATCH, s, s, 0);
  assert_cost(p, ADSM_FILE_INPUT, ADSM_LAZY, s, 0, 1);
  assert_cost(p, ADSM_FILE_INPUT, ADSM_ROLLING, s, 0, n);
  assert_cost(p, ADSM_SPARSE_READ, ADSM_BATCH, s, s, 0);
  assert_cost(p, ADSM_SPARSE_READ, ADSM_LAZY, 0, s, 1);
  assert_cost(p, ADSM_SPARSE_READ, ADSM_ROLLING, 0, m * B, m);
  assert_cost(p, ADSM_SPARSE_WRITE, ADSM_BATCH, s, s, 0);
  assert_cost(p, ADSM_SPARSE_WRITE, ADSM_LAZY, s, s, 1);
  assert_cost(p, ADSM_SPARSE_WRITE, ADSM_ROLLING, m * B, m * B, m);
  int64_t passes = n <= p->R ? 1 : p->p;
  assert_cost(p, ADSM_MULTI_PASS, ADSM_BATCH, s, s, 0);
  assert_cost(p, ADSM_MULTI_PASS, ADSM_LAZY, s, 0, 1);
  assert_cost(p, ADSM_MULTI_PASS, ADSM_ROLLING, passes * s, 0, passes * n);
  assert_cost(p, ADSM_CONSTANT_INPUT, ADSM_BATCH, T * s, T * s, 0);
  assert_cost(p, ADSM_CONSTANT_INPUT, ADSM_LAZY, s, 0, 1);
  assert_cost(p, ADSM_CONSTANT_INPUT, ADSM_ROLLING, s, 0, n);
  assert_cost(p, ADSM_READ_BACK, ADSM_LAZY, 0, s, 1);
  assert_cost(p, ADSM_READ_BACK, ADSM_ROLLING, 0, s, n);
}

TEST(patterns_have_their_closed_forms) {
  struct adsm_parameters p = DEFAULTS;
  for (p.B = 1; p.B <= 64; p.B *= 2)
    for (int64_t n = 1; n <= 64; n *= 4)
      for (p.R = 1; p.R <= 64; p.R *= 2)
        for (p.m = 1; p.m <= 16; p.m *= 3)
          for (p.T = 1; p.T <= 3; p.T++) {
            p.s = n * p.B;
            assert_closed_forms(&p);
          }
}

/* ---- The sweep's rules and the model ---------------------------------------- */

static const char *const VARIANT[ADSM_RULES] = {"own", "obj-any", "obj-conf", "byte"};

static const struct cat_model *load_model(struct arena *arena, enum adsm_rule rule) {
  static const char *const folders[] = {"models"};
  struct cat_search search = {.folders = folders, .folder_count = 1, .variants = &VARIANT[rule], .variant_count = 1};
  struct diags diags = diags_new(arena);
  const struct cat_model *model = cat_load(arena, "adsm", &search, &diags);
  assert_non_null(model);
  return model;
}

static void assert_verdict(const struct cat_model *model, const struct adsm_sweep_program *p, enum adsm_rule rule) {
  static const struct prop truth = {.kind = PROP_TRUE};
  struct arena *arena = arena_new();
  struct litmus_test test = {.name = "sweep",
                             .language = LANG_ADSM,
                             .program = p->program,
                             .quantifier = QUANT_FORALL,
                             .condition = &truth,
                             .observable_count = p->observable_count,
                             .observables = p->observables};
  struct enumerate_options options = {.unroll = 2, .prune = true};
  const struct verdict *v = verdict_run(arena, &test, model, &options, NULL);
  /* The second half of U2 is the weakest rule on its own. */
  assert_int_equal(v->bad == 0, p->legal[rule]);
  if (p->legal[rule]) {
    assert_int_equal(v->states.count, 1);
    assert_memory_equal(v->states.at[0].values, p->outcome, p->observable_count * sizeof *p->outcome);
  }
  arena_free(arena);
}

TEST(model_and_sweep_agree_on_ownership) {
  struct arena *models = arena_new();
  for (enum adsm_rule rule = 0; rule < ADSM_RULES; rule++) {
    const struct cat_model *model = load_model(models, rule);
    for (unsigned operations = 1; operations <= 4; operations++)
      for (uint64_t number = 0; number < adsm_sweep_count(operations); number++) {
        struct arena *arena = arena_new();
        struct adsm_sweep_program *p = adsm_sweep_program(arena, (struct adsm_sweep_id){operations, number});
        if (p->counted) assert_verdict(model, p, rule);
        arena_free(arena);
      }
  }
  arena_free(models);
}
