/* SPDX-License-Identifier: MIT */
/* The GPU machine: published state counts, reductions that keep every outcome,
 * values that outgrow their fields, and the SC machine next to it. */
/* plain: tests/mappings explores its machine with sanitizers. */
#include <stdio.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/small_programs/small_family.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/sc.h"
#include "tests/unit/unit.h"

static const char *const FOLDERS[] = {"mappings"};
static const struct xml_folders SEARCH = {FOLDERS, 1};

struct bench {
  struct arena *arena;
  struct diags diags;
  struct explorer *explorer;
  struct gpu_knobs knobs;
  struct exploration found;
  struct machine machine;
};

static int begin(void **state) {
  struct bench *b = calloc(1, sizeof *b);
  b->arena = arena_new();
  b->diags = diags_new(b->arena);
  b->explorer = explorer_new();
  *state = b;
  return 0;
}

static int end(void **state) {
  struct bench *b = *state;
  explorer_free(b->explorer);
  arena_free(b->arena);
  free(b);
  return 0;
}

static struct explore_request request_for(struct bench *b, const struct litmus_test *test,
                                          const struct explore_options *options) {
  return (struct explore_request){.program = test->program,
                                  .observables = test->observables,
                                  .observable_count = test->observable_count,
                                  .explorer = b->explorer,
                                  .options = options,
                                  .arena = b->arena};
}

static void run(struct bench *b, const struct litmus_test *test, const struct mapping *mapping, bool reduced) {
  struct explore_options options = {.por = reduced, .symmetry = reduced};
  struct target target = {.name = mapping->name, .kind = &gpu_kind, .settings = &b->knobs, .mapping = mapping};
  struct explore_request request = request_for(b, test, &options);
  assert_true(target_explore(&target, &request, &b->machine, &b->found, &b->diags));
}

struct count {
  const char *program, *mapping;
  unsigned write_back, l2, outcomes;
  uint64_t states, transitions;
};

/* Section "state counts" of the machine's description: two work-groups of one device. */
TEST_WITH(published_counts, begin, end) {
  static const struct count COUNTS[] = {
      {"Wxn1 Wyd1|Ryd ! Rxn", "rsp-original", 0, 0, 3, 211, 646},
      {"Wxn1 Wyd1|Ryd ! Rxn", "rsp-revised", 0, 0, 2, 215, 603},
      {"Wxn1 Wyd1|Ryd ! Rxn", "rsp-corrected", 0, L2_MODELLED, 2, 445, 1368},
      {"Wxn1 WyD1|Ryw ! Rxn", "rsp-corrected", 0, 0, 2, 414, 1151},
      {"Wxn1 Wyw1|RyD ! Rxn", "rsp-original", 0, 0, 3, 335, 974},
      {"Wxn1 Wyw1|RyD ! Rxn", "rsp-corrected", WRITE_BACK_ANY, 0, 2, 232, 627},
      {"Uxw8|WxD1", "rsp-revised", 0, 0, 3, 75, 132},
      {"Uxw8|WxD1", "rsp-corrected", 0, 0, 2, 84, 145},
      {"Uxw8|UxD16", "rsp-original", 0, 0, 2, 69, 111},
      {"Uxw8|UxD16", "rsp-revised", 0, 0, 3, 124, 230},
      {"Wxd1 Ryd|Wyd2 Rxd", "rsp-original", 0, 0, 4, 726, 2376},
      {"Wxd1 Ryd|Wyd2 Rxd", "rsp-corrected", 0, L2_MODELLED, 4, 1903, 6112},
      {"Wxd1 Wyd2|Wyd3 Wxd4", "rsp-corrected", WRITE_BACK_ANY, 0, 3, 631, 2076},
      {"Uyw8 = Rxn Wxn1 Wyw2|UyD16 = Rxn Wxn3 WyD4", "rsp-revised", 0, 0, 13, 6205, 20084},
      {"Uyw8 = Rxn Wxn1 Wyw2|UyD16 = Rxn Wxn3 WyD4", "rsp-corrected", WRITE_BACK_ANY, 0, 4, 2153, 6874},
      {"Wxn1 Wyw2|RyD ! WzD3|Rzw ! Rxn", "rsp-corrected", 0, 0, 3, 25464, 132056},
  };
  struct bench *b = *state;
  for (size_t i = 0; i < ARRAY_COUNT(COUNTS); i++) {
    struct small_program program;
    assert_null(small_read(COUNTS[i].program, &small_opencl, &program));
    b->knobs = (struct gpu_knobs){.write_back = COUNTS[i].write_back, .l2 = COUNTS[i].l2};
    struct mapping *mapping = mapping_load(b->arena, COUNTS[i].mapping, &SEARCH, &b->diags);
    assert_non_null(mapping);
    run(b, small_test(b->arena, &program), mapping, false);
    assert_int_equal(b->found.stats.states, COUNTS[i].states);
    assert_int_equal(b->found.stats.transitions, COUNTS[i].transitions);
    assert_int_equal(b->found.outcome_count, COUNTS[i].outcomes);
    run(b, small_test(b->arena, &program), mapping, true);
    assert_int_equal(b->found.outcome_count, COUNTS[i].outcomes);
    assert_true(b->found.stats.states < COUNTS[i].states);
  }
}

/* Outcomes as one sorted text. */
static char *outcomes(struct bench *b) {
  size_t count = b->found.outcome_count, width = b->found.observable_count;
  char **lines = ARENA_ARRAY(b->arena, char *, count + 1);
  for (size_t i = 0; i < count; i++) {
    lines[i] = arena_strdup(b->arena, "");
    for (size_t k = 0; k < width; k++)
      lines[i] = arena_printf(b->arena, "%s %lld", lines[i], (long long)b->found.outcomes[i].values[k]);
    for (size_t k = i; k > 0 && strcmp(lines[k - 1], lines[k]) > 0; k--) {
      char *line = lines[k];
      lines[k] = lines[k - 1];
      lines[k - 1] = line;
    }
  }
  char *text = arena_strdup(b->arena, b->found.deadlock == EXPLORE_NO_STATE ? "" : "deadlock ");
  for (size_t i = 0; i < count; i++) text = arena_printf(b->arena, "%s%s\n", text, lines[i]);
  return text;
}

struct sample {
  struct bench *bench;
  const struct mapping *mapping;
  unsigned number, every;
  uint64_t full, reduced;
};

static bool compare_reduced(void *context, const struct small_program *program) {
  struct sample *sample = context;
  struct bench *b = sample->bench;
  if (sample->number++ % sample->every != 0) return true;
  struct litmus_test *test = small_test(b->arena, program);
  if (!compile_program(b->arena, test->program, sample->mapping, &b->diags)) return true;
  run(b, test, sample->mapping, false);
  sample->full += b->found.stats.states;
  char *full = outcomes(b);
  run(b, test, sample->mapping, true);
  sample->reduced += b->found.stats.states;
  char *reduced = outcomes(b);
  if (strcmp(full, reduced) != 0) {
    small_print(program, stderr);
#define PRINT_KNOB(member, attribute, words, meaning) fprintf(stderr, " %s=%u", attribute, b->knobs.member);
    GPU_KNOB_LIST(PRINT_KNOB)
#undef PRINT_KNOB
    fprintf(stderr, " %s\nfull\n%sreduced\n%s", sample->mapping->name, full, reduced);
  }
  assert_string_equal(full, reduced);
  return true;
}

TEST_WITH(reductions_keep_outcomes, begin, end) {
  static const struct gpu_knobs MACHINES[] = {
      {0},
      {.write_back = WRITE_BACK_ANY, .ld_hits_marked = GPU_YES, .inc_hits_marked = GPU_YES},
      {.invalidate = INVALIDATE_DRAIN, .inc_hits = INC_HITS_FRESH},
      {.line_blocks = LINE_BLOCKS_ALL, .rmw_taken = RMW_TAKEN_OWN_FIRST},
      {.line_blocks = LINE_BLOCKS_OTHERS, .broadcast = BROADCAST_DESCENDING},
      {.invalidate = INVALIDATE_DROP, .own_line = OWN_LINE_DISCARD, .duplicates = GPU_YES},
      {.l2 = L2_MODELLED, .invalidate = INVALIDATE_SKIP, .evict_clean = GPU_YES},
  };
  static const char *const NAMES[] = {"rsp-corrected", "rsp-original", "rsp-line-lock"};
  struct bench *b = *state;
  for (size_t i = 0; i < ARRAY_COUNT(NAMES); i++) {
    struct mapping *mapping = mapping_load(b->arena, NAMES[i], &SEARCH, &b->diags);
    for (size_t k = 0; k < ARRAY_COUNT(MACHINES); k++) {
      struct sample sample = {.bench = b, .mapping = mapping, .every = 6007};
      b->knobs = MACHINES[k];
      small_generate(
          &(struct small_family){.language = &small_opencl, .threads = 2, .ops = 2, .guarded = true, .devices = 1},
          compare_reduced, &sample);
      assert_true(sample.reduced < sample.full);
    }
  }
}

/* Random machines, mappings and programs, the same ones in every run. */

static uint64_t draw(uint64_t *seed, uint64_t below) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*seed >> 33) % below;
}

static unsigned count_words(const char *words) {
  unsigned count = 1;
  for (; *words; words++) count += *words == ' ';
  return count;
}

/* Half of the knobs stay as they are: deadlocks need few of them to be odd. */
static struct gpu_knobs draw_knobs(uint64_t *seed) {
  struct gpu_knobs knobs = {0};
#define DRAW_KNOB(member, attribute, words, meaning) \
  if (draw(seed, 2)) knobs.member = (unsigned)draw(seed, count_words(words));
  GPU_KNOB_LIST(DRAW_KNOB)
#undef DRAW_KNOB
  if (knobs.l2 == L2_MEMORY) knobs.l2 = L2_AUTO;
  return knobs;
}

struct lottery {
  struct bench *bench;
  struct mapping *mappings[6];
  uint64_t seed;
  unsigned wait, runs, stuck;
};

static bool compare_drawn(void *context, const struct small_program *program) {
  struct lottery *lottery = context;
  struct bench *b = lottery->bench;
  if (lottery->wait-- > 0) return true;
  lottery->wait = (unsigned)draw(&lottery->seed, 2000);
  b->knobs = draw_knobs(&lottery->seed);
  struct sample sample = {.bench = b, .mapping = lottery->mappings[draw(&lottery->seed, 6)], .every = 1};
  compare_reduced(&sample, program);
  lottery->runs++;
  lottery->stuck += b->found.deadlock != EXPLORE_NO_STATE;
  return true;
}

/* Some small programs, on machines and with mappings that are drawn. */
static struct lottery draw_programs(struct bench *b, uint64_t seed,
                                    bool (*compare)(void *context, const struct small_program *program)) {
  static const char *const NAMES[] = {"rsp-original",   "rsp-revised",       "rsp-corrected",
                                      "rsp-short-lock", "rsp-write-through", "rsp-line-lock"};
  struct lottery lottery = {.bench = b, .seed = seed};
  for (unsigned i = 0; i < 6; i++) lottery.mappings[i] = mapping_load(b->arena, NAMES[i], &SEARCH, &b->diags);
  small_generate(
      &(struct small_family){.language = &small_opencl, .threads = 2, .ops = 2, .guarded = true, .devices = 1}, compare,
      &lottery);
  assert_true(lottery.runs > 50);
  return lottery;
}

TEST_WITH(reductions_keep_deadlocks, begin, end) {
  assert_true(draw_programs(*state, 14, compare_drawn).stuck > 1);
}

/* The machine with values of `bits` bits: with 64 no cache's lines fit a word, and
 * each is looked at by itself. */
static struct explore_stats explore_with(struct bench *b, const struct hw_program *program,
                                         const struct explore_request *request, unsigned bits) {
  assert_true(gpu_machine(program, &b->knobs, request, bits, &b->machine, &b->diags));
  assert_int_equal(explore(b->explorer, &b->machine, request->options, &b->found), EXPLORE_DONE);
  return b->found.stats;
}

static bool compare_words(void *context, const struct small_program *program) {
  struct lottery *lottery = context;
  struct bench *b = lottery->bench;
  if (lottery->wait-- > 0) return true;
  lottery->wait = (unsigned)draw(&lottery->seed, 7000);
  b->knobs = draw_knobs(&lottery->seed);
  const struct litmus_test *test = small_test(b->arena, program);
  const struct mapping *mapping = lottery->mappings[draw(&lottery->seed, 6)];
  const struct hw_program *compiled = compile_program(b->arena, test->program, mapping, &b->diags);
  assert_non_null(compiled);
  struct explore_options options = {.por = draw(&lottery->seed, 2)};
  struct explore_request request = request_for(b, test, &options);
  struct explore_stats words = explore_with(b, compiled, &request, 0);
  char *shown = outcomes(b);
  struct explore_stats lines = explore_with(b, compiled, &request, 64);
  assert_string_equal(outcomes(b), shown);
  assert_int_equal(words.states, lines.states);
  assert_int_equal(words.transitions, lines.transitions);
  assert_int_equal(words.deadlocks, lines.deadlocks);
  assert_int_equal(words.depth, lines.depth);
  lottery->runs++;
  return true;
}

TEST_WITH(lines_by_the_word_are_as_one_by_one, begin, end) {
  draw_programs(*state, 22, compare_words);
}

/* Dropping clean lines and fetching them again goes on for ever: a run that is
 * stuck is stuck all the same. */
TEST_WITH(eviction_hides_no_deadlock, begin, end) {
  struct bench *b = *state;
  struct small_program program;
  assert_null(small_read("UxD8 Ryn|UxD16 Ryn", &small_opencl, &program));
  struct litmus_test *test = small_test(b->arena, &program);
  struct mapping *mapping = mapping_load(b->arena, "rsp-corrected", &SEARCH, &b->diags);
  for (unsigned evict = GPU_NO; evict <= GPU_YES; evict++) {
    for (unsigned l2 = L2_MEMORY; l2 <= L2_MODELLED; l2++) {
      for (unsigned reduced = 0; reduced < 2; reduced++) {
        b->knobs = (struct gpu_knobs){.rmw_taken = RMW_TAKEN_OWN_FIRST, .evict_clean = evict, .l2 = l2};
        run(b, test, mapping, reduced);
        assert_int_not_equal(b->found.deadlock, EXPLORE_NO_STATE);
        b->knobs.rmw_taken = RMW_TAKEN_IN_ORDER;
        run(b, test, mapping, reduced);
        assert_int_equal(b->found.deadlock, EXPLORE_NO_STATE);
      }
    }
  }
}

/* Three threads alike: one state stands for up to six. */
TEST_WITH(symmetry_saves, begin, end) {
  struct bench *b = *state;
  struct small_program program;
  assert_null(small_read("Uxd8 Rxd|Uxd8 Rxd|Uxd8 Rxd", &small_opencl, &program));
  struct mapping *mapping = mapping_load(b->arena, "rsp-corrected", &SEARCH, &b->diags);
  struct litmus_test *test = small_test(b->arena, &program);
  run(b, test, mapping, false);
  uint64_t full = b->found.stats.states;
  char *all = outcomes(b);
  struct explore_options options = {.symmetry = true};
  explore(b->explorer, &b->machine, &options, &b->found);
  assert_string_equal(outcomes(b), all);
  assert_true(b->found.stats.states * 4 < full);
}

/* Added up, the values need more bits than any constant of the program. */
TEST_WITH(values_outgrow_fields, begin, end) {
  struct bench *b = *state;
  struct small_program program;
  assert_null(small_read("Wxd90000|Uxd99999 Uxd99999", &small_opencl, &program));
  struct litmus_test *test = small_test(b->arena, &program);
  struct mapping *mapping = mapping_load(b->arena, "rsp-corrected", &SEARCH, &b->diags);
  struct hw_program *compiled = compile_program(b->arena, test->program, mapping, &b->diags);
  struct explore_request request = request_for(b, test, NULL);
  assert_true(gpu_machine(compiled, &b->knobs, &request, 8, &b->machine, &b->diags));
  assert_int_equal(explore(b->explorer, &b->machine, &(struct explore_options){0}, &b->found), EXPLORE_MACHINE);
  run(b, test, mapping, true);
  assert_int_equal(b->found.end, EXPLORE_DONE);
  assert_true(b->found.outcome_count > 1);
}

TEST_WITH(sc_has_no_store_buffers, begin, end) {
  struct bench *b = *state;
  struct small_program program;
  assert_null(small_read("Wxd1 Ryd|Wyd1 Rxd", &small_opencl, &program));
  struct litmus_test *test = small_test(b->arena, &program);
  struct explore_request request = request_for(b, test, NULL);
  assert_true(sc_machine(&request, &b->machine, &b->diags));
  assert_int_equal(explore(b->explorer, &b->machine, &(struct explore_options){0}, &b->found), EXPLORE_DONE);
  assert_int_equal(b->found.outcome_count, 3);
  run(b, test, mapping_load(b->arena, "rsp-corrected", &SEARCH, &b->diags), true);
  assert_int_equal(b->found.outcome_count, 4);
}
