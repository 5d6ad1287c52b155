/* SPDX-License-Identifier: MIT */
/* Sweeps with a memory find what sweeps without one do, program by program; and
 * families in their two orders have the same programs.
 *
 * All programs of every so manieth shape of a family are tried, since what is
 * remembered is of one shape. */
/* plain: golden/search has such sweeps with sanitizers. */

#include "checker/base/array.h"
#include "checker/small_programs/small_family.h"
#include "checker/verify/indistinguishable_programs.h"
#include "checker/verify/sweep_memo.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/mapping.h"
#include "tests/unit/unit.h"

#ifdef __SANITIZE_ADDRESS__
enum { RARELY = 3 };
#else
enum { RARELY = 1 };
#endif

static const char *const FOLDERS[] = {"models"};

static struct small_family family_of(struct arena *arena, const char *text) {
  struct small_family family;
  struct diags diags = diags_new(arena);
  assert_true(small_family_read(arena, text, "-family", &small_opencl, &family, &diags));
  return family;
}

/* ---- the two orders ---- */

struct orders {
  struct small_program last;
  uint64_t count, sum; /* of hashes: which programs they are, in any order */
};

static uint64_t hash_of(const struct small_program *program) {
  struct small_code code = small_canonical(program);
  uint64_t hash = 14695981039346656037u;
  for (unsigned i = 0; i < SMALL_CODE; i++) hash = (hash ^ code.at[i]) * 1099511628211u;
  return hash ^ hash >> 29;
}

static bool add(void *context, const struct small_program *program) {
  struct orders *o = context;
  o->sum += hash_of(program);
  o->count++;
  return true;
}

static bool add_next(void *context, const struct small_program *program) {
  struct orders *o = context;
  assert_true(!o->count || small_compare(&o->last, program) < 0);
  o->last = *program;
  return add(context, program);
}

TEST(two_orders) {
  static const char *const FAMILIES[] = {"2x2,guarded,scopes=dev", "3x1,devices=2", "2x1,orders=na+rlx+ra+sc,fences",
                                         "2x2,language=c,fences", "3x2,locations=1,scopes=wg,orders=ra"};
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(FAMILIES); i++) {
    struct small_family family = family_of(arena, FAMILIES[i]);
    struct orders one = {.count = 0}, other = {.count = 0};
    small_generate(&family, add_next, &one);
    small_generate_by_shape(&family, add, &other);
    assert_true(one.count > 50);
    assert_int_equal(one.count, other.count);
    assert_int_equal(one.sum, other.sum);
  }
}

/* ---- memory ---- */

struct trial {
  const struct cat_model *model;
  struct target target;
  struct verify_options options;
  struct sweep_memo *memo;
  struct explorer *explorer;
  struct small_program shape;
  unsigned shapes, every, tried, unsound, undefined;
};

static bool try_both(void *context, const struct small_program *program) {
  struct trial *t = context;
  if (!t->shapes || !indistinguishable_shape(&t->shape, program)) t->shapes++;
  t->shape = *program;
  if ((t->shapes - 1) % t->every != 0) return true;
  uint64_t states;
  bool unjudged;
  struct verifier verifier = {&t->target, t->model, &t->options, t->explorer};
  enum verify_answer answer = sweep_memo_verify(t->memo, &verifier, program, &states, &unjudged);
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct verify_result plain;
  verify_test(&verifier, small_test(arena, program), arena, &plain, &diags);
  assert_int_equal(answer, plain.answer);
  assert_int_equal(states, plain.stats.states);
  assert_int_equal(unjudged, plain.unjudged);
  t->tried++;
  t->unsound += answer == VERIFY_UNSOUND;
  t->undefined += answer == VERIFY_UNDEFINED;
  arena_free(arena);
  return true;
}

static const struct {
  const char *family, *model, *mapping; /* NULL: sequential consistency */
  bool sync, remembers;
  unsigned every;
} TRIALS[] = {
    {"2x2", "opencl-rsp", "rsp-original", false, true, 61},
    {"2x2", "opencl-rsp", "rsp-revised", true, true, 97},
    {"2x2,guarded", "opencl", "rsp-original", false, true, 191},
    {"2x2,orders=na+ra+sc,scopes=dev,remote,fences", "opencl-rsp", "rsp-original", false, true, 197},
    {"3x1,devices=2", "hrf-direct", "rsp-original", false, true, 5},
    {"2x2", "hrf-rsp", "rsp-original", false, false, 211},
    {"2x2,orders=na+rlx+ra+sc,language=c,guarded", "rc11", NULL, false, true, 67},
};

TEST(memory) {
  unsigned unsound = 0;
  for (size_t i = 0; i < ARRAY_COUNT(TRIALS); i++) {
    struct arena *arena = arena_new();
    struct diags diags = diags_new(arena);
    struct cat_search search = {.folders = FOLDERS, .folder_count = 1};
    struct xml_folders maps = {.folders = (const char *const[]){"mappings"}, .folder_count = 1};
    struct gpu_knobs knobs = {.rmw_blocks = TRIALS[i].sync ? RMW_BLOCKS_SYNC : RMW_BLOCKS_RMW1};
    struct trial t = {.model = cat_load(arena, TRIALS[i].model, &search, &diags), .every = TRIALS[i].every * RARELY};
    assert_non_null(t.model);
    assert_int_equal(indistinguishable_new(arena, t.model) != NULL, TRIALS[i].remembers);
    t.target = (struct target){.name = "sc", .kind = machine_kind_of_root("sc")};
    if (TRIALS[i].mapping)
      t.target = (struct target){.name = TRIALS[i].mapping,
                                 .kind = &gpu_kind,
                                 .settings = &knobs,
                                 .mapping = mapping_load(arena, TRIALS[i].mapping, &maps, &diags)};
    t.options.explore = (struct explore_options){.por = true, .symmetry = true};
    t.options.model = (struct enumerate_options){.workers = 1, .unroll = 2, .prune = true};
    t.explorer = explorer_new();
    t.memo = sweep_memo_new(t.model);
    struct small_family family = family_of(arena, TRIALS[i].family);
    small_generate_by_shape(&family, try_both, &t);
    assert_true(t.tried > 10);
    assert_true(t.undefined > 0 && t.undefined < t.tried);
    unsound += t.unsound;
    sweep_memo_free(t.memo);
    explorer_free(t.explorer);
    arena_free(arena);
  }
  assert_true(unsound > 0);
}
