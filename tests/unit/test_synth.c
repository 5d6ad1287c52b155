/* SPDX-License-Identifier: MIT */
/* Several cells together: which cells are within others, that these show what
 * those do, and that what is found is the cheapest, by trying all that is cheaper. */
#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/program_search/cell_pattern.h"
#include "checker/program_search/cheapest_choice.h"
#include "checker/program_search/synth.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/timing/splitmix.h"
#include "tests/unit/unit.h"

static const struct mapping_key LOAD = {MAP_LOAD, SCOPE_DEV, ORDER_ACQ, false, REGION_GLOBAL},
                                RMW = {MAP_RMW, SCOPE_DEV, ORDER_ACQ_REL, false, REGION_GLOBAL},
                                STORE = {MAP_STORE, SCOPE_DEV, ORDER_REL, false, REGION_GLOBAL},
                                REMOTE_STORE = {MAP_STORE, SCOPE_DEV, ORDER_REL, true, REGION_GLOBAL};

/* Cycles of a flush of the work-group and of the device, an invalidation of these, and a lock. */
struct prices {
  int64_t flush[2], invalidate[2], lock;
};

static int64_t price(void *context, const struct mapping_cell *cell) {
  const struct prices *prices = context;
  int64_t sum = 0;
  for (unsigned i = 0; i < cell->step_count; i++) {
    struct mapping_step step = cell->steps[i];
    if (step.op == HW_FLU) sum += prices->flush[step.target];
    if (step.op == HW_INV) sum += prices->invalidate[step.target];
    if (step.op == HW_LOCK_LINE || step.op == HW_LOCK_RMW) sum += prices->lock;
    if (hw_is_access(step.op)) sum += step.level == LEVEL_L1 ? 4 : 24;
  }
  return sum;
}

struct bench {
  struct arena *arena;
  struct gpu_knobs knobs;
  struct target target;
  struct small_family family;
  struct synth_options options;
};

static void bench_open(struct bench *b, const char *family, unsigned steps, const struct prices *prices) {
  static const char *const MODELS[] = {"models"}, *const MAPPINGS[] = {"mappings"};
  struct cat_search models = {.folders = MODELS, .folder_count = 1};
  struct xml_folders mappings = {.folders = MAPPINGS, .folder_count = 1};
  *b = (struct bench){.arena = arena_new()};
  struct diags diags = diags_new(b->arena);
  const struct mapping *mapping = mapping_load(b->arena, "rsp-corrected", &mappings, &diags);
  const struct cat_model *model = cat_load(b->arena, "opencl-rsp", &models, &diags);
  assert_true(small_family_read(b->arena, family, "-family", &small_opencl, &b->family, &diags));
  b->target = (struct target){.name = "gpu", .kind = &gpu_kind, .settings = &b->knobs, .mapping = mapping};
  b->options = (struct synth_options){
      .families = &b->family,
      .family_count = 1,
      .model = {.name = "opencl-rsp", .model = model},
      .verify = {.explore = {.workers = 1, .max_states = 100000}, .model = {.workers = 1, .unroll = 2, .prune = true}},
      .target = &b->target,
      .steps = steps,
      .price = price,
      .context = (void *)(uintptr_t)prices,
      .workers = 1};
}

static void add_key(struct bench *b, struct mapping_key key, int64_t weight) {
  b->options.weights[b->options.key_count] = weight;
  b->options.keys[b->options.key_count++] = key;
}

/* ---- patterns ---- */

TEST(within) {
  static const struct {
    const char *pattern, *cell;
    bool covers;
  } PAIRS[] = {
      {"FLU_L1 DV; ST", "ST", true},
      {"FLU_L1 DV; ST", "FLU_L1 WG; ST", true},
      {"FLU_L1 WG; ST", "FLU_L1 DV; ST", false},
      {"FLU_L1 WG; ST", "ST; FLU_L1 WG", false},
      {"ST", "ST_L2", false},
      {"FLU_L1 DV; INV_L1 DV; ST", "INV_L1 DV; FLU_L1 DV; ST", false},
      {"FLU_L1 DV; INV_L1 DV; FLU_L1 DV; ST", "INV_L1 WG; FLU_L1 DV; ST", true},
      {"FLU_L1 DV; ST", "FLU_L1 DV; FLU_L1 DV; ST", false},
      {"LK { ST }", "ST", true},
      {"ST", "LK { ST }", false},
      {"LK_rmw DV { ST }", "LK { ST }", false},
      {"LK_rmw DV { LK { FLU_L1 DV; ST } }", "FLU_L1 DV; LK { LK_rmw DV { ST } }", true},
      {"FLU_L1 DV; LK { ST }", "LK { FLU_L1 DV; ST }", false},
      {"LK { FLU_L1 DV; ST }; INV_L1 WG", "LK { ST }; INV_L1 WG", true},
      {"FLU_L1 DV; LK { FLU_L1 DV; ST }", "LK { FLU_L1 DV; ST }", true},
  };
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(PAIRS); i++) {
    const struct mapping_cell *pattern = pattern_parse(arena, PAIRS[i].pattern, MAP_STORE);
    const struct mapping_cell *cell = pattern_parse(arena, PAIRS[i].cell, MAP_STORE);
    assert_non_null(pattern);
    assert_non_null(cell);
    if (pattern_covers(pattern, cell) != PAIRS[i].covers) print_error("%s, %s\n", PAIRS[i].pattern, PAIRS[i].cell);
    assert_true(pattern_covers(pattern, cell) == PAIRS[i].covers);
  }
  static const char *const BAD[] = {
      "", "LD", "ST; ST", "LK { ST", "ST }", "FLU_L2 ST", "INV_L1 WG", "ST_GL", "LK { LK { LK { ST } } }"};
  for (size_t i = 0; i < ARRAY_COUNT(BAD); i++) assert_null(pattern_parse(arena, BAD[i], MAP_STORE));
}

/* Each candidate that is within another shows what that does: all pairs, on programs of which each is sensitive
 * to some of the steps. */
TEST(weaker_shows_more) {
  static const char *const PROGRAMS[] = {"Wxn1 Wyd2|Ryd ! Rxn", "WxD1|Uxw8", "Wyn1 WxD2|Rxw ! Ryn"};
  static const struct prices PRICES = {{1, 1}, {1, 1}, 1};
  const struct mapping_key *const KEYS[] = {&LOAD, &REMOTE_STORE};
  struct bench b;
  size_t pairs = 0, refuted = 0;
  bench_open(&b, "2x1", 3, &PRICES);
  for (size_t k = 0; k < 2; k++) {
    b.options.key_count = 0;
    add_key(&b, *KEYS[k], 1);
    size_t count;
    struct mapping_cell **cells = synth_candidates(b.arena, &b.options, *KEYS[k], &count);
    bool *unsound = ARENA_ARRAY(b.arena, bool, count);
    for (size_t p = 0; p < ARRAY_COUNT(PROGRAMS); p++) {
      struct small_program program;
      assert_null(small_read(PROGRAMS[p], &small_opencl, &program));
      for (size_t i = 0; i < count; i++) {
        struct synth_conflict conflict = {.patterns = {cells[i]}, .program = &program, .order = WRITE_BACK_ANY};
        unsound[i] = synth_is_conflict(&b.options, &conflict);
        refuted += unsound[i];
      }
      for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && unsound[i]; j++) {
          if (!pattern_covers(cells[i], cells[j])) continue;
          assert_true(unsound[j]);
          pairs++;
        }
    }
  }
  assert_true(refuted > 200 && pairs > 1000);
  arena_free(b.arena);
}

/* ---- the cheapest ---- */

/* Is a choice refuted by one of the programs that refuted something, without what was learned of them? */
static bool is_refuted(const struct bench *b, const struct synth_result *r, const struct mapping *mapping) {
  for (size_t i = 0; i < r->conflict_count; i++)
    if (synth_refutes(&b->options, mapping, r->conflicts[i].program, r->conflicts[i].order)) return true;
  return false;
}

/* A choice of cells so far, and its price. */
struct choice {
  const struct mapping *mapping;
  int64_t price;
};

/* Of all choices for the operations from `key` on each that is cheaper is refuted. */
static size_t check_cheaper(const struct bench *b, const struct synth_result *r, size_t key, struct choice choice) {
  const struct synth_options *o = &b->options;
  size_t count, cheaper = 0;
  if (choice.price >= r->price) return 0;
  if (key == o->key_count) {
    assert_true(is_refuted(b, r, choice.mapping));
    return 1;
  }
  struct arena *arena = arena_new();
  const struct mapping_cell **cells = synth_domain(arena, o, key, &count);
  for (size_t i = 0; i < count; i++) {
    struct choice more = {mapping_with(arena, choice.mapping, o->keys[key], cells[i]),
                          choice.price + o->weights[key] * price(o->context, cells[i])};
    cheaper += check_cheaper(b, r, key + 1, more);
  }
  arena_free(arena);
  return cheaper;
}

static void check_cell(const struct mapping_cell *cell, const char *expected) {
  struct arena *arena = arena_new();
  assert_string_equal(mapping_cell_text(arena, cell), expected);
  arena_free(arena);
}

/* The cheapest, and how many are cheaper. */
static size_t check_cheapest(struct bench *b, const char *const *expected) {
  const struct parts_division whole = {.version = "", .command = "", .files = ""};
  struct diags diags = diags_new(b->arena);
  b->options.parts = parts_open(b->arena, &whole, &diags);
  struct synth_result r = synth_finish(synth_new(b->arena, &b->options));
  assert_true(r.complete && r.sound && parts_close(b->options.parts, &diags));
  for (size_t i = 0; i < r.cell_count; i++) check_cell(r.cells[i].found, expected[i]);
  size_t cheaper = check_cheaper(b, &r, 0, (struct choice){b->target.mapping, 0});
  arena_free(b->arena);
  return cheaper;
}

/* As on the timed GPU; and where stores are frequent, and had better leave the flush to what acquires. */
TEST(cheapest) {
  static const struct prices USUAL = {{32, 53}, {1, 25}, 25}, TURNED = {{300, 20}, {19, 19}, 500};
  static const char *const THROUGH[] = {"LD; INV_L1 WG", "ST_L2"}, *const TOGETHER[] = {"INV_L1 WG; LD; FLU_L1 DV",
                                                                                        "ST", "INC_L2; FLU_L1 DV"};
  struct bench b;
  bench_open(&b, "2x2,scopes=dev,orders=ra", 2, &USUAL);
  add_key(&b, LOAD, 1);
  add_key(&b, STORE, 1);
  assert_true(check_cheapest(&b, THROUGH) >= 10);
  bench_open(&b, "2x2,scopes=dev,orders=ra", 3, &TURNED);
  add_key(&b, LOAD, 1);
  add_key(&b, STORE, 9);
  add_key(&b, RMW, 1);
  assert_true(check_cheapest(&b, TOGETHER) > 100);
}

/* A random problem of so many places and sets, with as many forms in a set as in its last argument. */
struct choosing {
  size_t places, sets, in_set;
};

static struct choices random_choices(struct arena *arena, const struct choosing *size, uint64_t *random) {
  struct choices c = {.arena = arena, .place_count = size->places};
  for (unsigned p = 0; p < size->places; p++)
    for (uint64_t f = 0, count = 1 + splitmix_next(random) % 4; f < count; f++)
      choices_add_form(&c, p, (int64_t)(splitmix_next(random) % 5), false);
  for (size_t k = 0; k < size->sets; k++) {
    bool *in = ARENA_ARRAY(arena, bool, c.forms.count);
    for (size_t i = 0; i < size->in_set; i++) in[splitmix_next(random) % c.forms.count] = true;
    choices_add_set(&c, in);
  }
  return c;
}

/* The sets that a choice has one of, by bits, and its price. */
static uint64_t met_by(const struct choices *c, const unsigned *chosen, int64_t *price) {
  uint64_t met = 0;
  *price = 0;
  for (size_t f = 0; f < c->forms.count; f++) {
    const struct choice_form *form = &c->forms.at[f];
    if (chosen[form->place] != form->number) continue;
    met |= c->in.at[0][f];
    *price += form->price;
  }
  return met;
}

/* The least price of all choices, one after the other; -1: none has one of each set. */
static int64_t least_of_all(const struct choices *c, unsigned *chosen) {
  unsigned *counts = ARENA_ARRAY(c->arena, unsigned, c->place_count);
  int64_t least = -1, price;
  size_t p;
  for (size_t f = 0; f < c->forms.count; f++) counts[c->forms.at[f].place]++;
  do {
    bool good = met_by(c, chosen, &price) == (UINT64_C(1) << c->set_count) - 1;
    if (good && (least < 0 || price < least)) least = price;
    for (p = 0; p < c->place_count && ++chosen[p] == counts[p]; p++) chosen[p] = 0;
  } while (p < c->place_count);
  return least;
}

TEST(cheapest_of_all) {
  uint64_t random = 35;
  unsigned none = 0;
  for (size_t i = 0; i < 3000; i++) {
    struct arena *arena = arena_new();
    struct choices c = random_choices(arena, &(struct choosing){1 + i % 6, i % 13, 1 + i % 4}, &random);
    if (!c.set_count) choices_add_set(&c, memset(ARENA_ARRAY(arena, bool, c.forms.count), true, c.forms.count));
    unsigned *chosen = ARENA_ARRAY(arena, unsigned, c.place_count), *each = ARENA_ARRAY(arena, unsigned, c.place_count);
    int64_t least = least_of_all(&c, each), found = choices_cheapest(&c, chosen).price, price;
    assert_int_equal(found, least);
    uint64_t met = met_by(&c, chosen, &price);
    if (least >= 0) assert_int_equal(price, least);
    if (least >= 0) assert_true(met == (UINT64_C(1) << c.set_count) - 1);
    none += least < 0;
    arena_free(arena);
  }
  assert_true(none > 100 && none < 2000);
}
