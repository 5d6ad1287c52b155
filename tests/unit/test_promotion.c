/* SPDX-License-Identifier: MIT */
/* The two formalisations of scope promotion, opencl-rsp and hrf-rsp, are one
 * model on small programs: they call the same ones race-free, and allow those
 * the same outcomes.
 *
 * A sample of each family is compared; with SWEEP_STEP=1 in the environment all
 * of the family that SWEEP_FAMILY names (2x2, guarded, devices, 3x1), which
 * scripts/promotion_models.sh does. */
/* plain: golden/search/gen compares models on families with sanitizers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/small_programs/small_family.h"
#include "checker/verdict/verdict.h"
#include "tests/unit/unit.h"

static const char *const FOLDERS[] = {"models"};

static const struct cat_model *load(struct arena *arena, const char *name, const char *variant) {
  const char **words = ARENA_ARRAY(arena, const char *, 2); /* the model keeps them */
  words[0] = variant;
  words[1] = "no-thin-air"; /* with n3 only */
  unsigned count = !variant ? 0 : !strcmp(variant, "n3") ? 2 : 1;
  struct diags diags = diags_new(arena);
  struct cat_search search = {.folders = FOLDERS, .folder_count = 1, .variants = words, .variant_count = count};
  const struct cat_model *model = cat_load(arena, name, &search, &diags);
  assert_non_null(model);
  return model;
}

struct comparison {
  const struct cat_model *a, *b;
  unsigned number, step;
  unsigned same, both_undefined, only_a_undefined, only_b_undefined, different;
  struct small_program first; /* of those that differ */
};

static bool same_outcomes(const struct verdict *a, const struct verdict *b) {
  size_t bytes = a->states.width * sizeof(int64_t);
  if (a->states.count != b->states.count) return false;
  for (size_t i = 0; i < a->states.count; i++)
    if (memcmp(a->states.at[i].values, b->states.at[i].values, bytes) != 0) return false;
  return true;
}

static bool compare(void *context, const struct small_program *program) {
  struct comparison *c = context;
  if (c->number++ % c->step != 0) return true;
  struct arena *arena = arena_new();
  const struct enumerate_options options = {.workers = 1, .unroll = 2, .prune = true};
  const struct litmus_test *test = small_test(arena, program);
  const struct verdict *a = verdict_run(arena, test, c->a, &options, NULL);
  const struct verdict *b = verdict_run(arena, test, c->b, &options, NULL);
  assert_int_equal(a->end, END_DONE);
  assert_int_equal(b->end, END_DONE);
  bool same = a->bad || b->bad ? a->bad && b->bad : same_outcomes(a, b);
  if (!same && c->different + c->only_a_undefined + c->only_b_undefined == 0) c->first = *program;
  c->both_undefined += a->bad && b->bad;
  c->only_a_undefined += a->bad && !b->bad;
  c->only_b_undefined += !a->bad && b->bad;
  c->same += !a->bad && !b->bad && same;
  c->different += !a->bad && !b->bad && !same;
  arena_free(arena);
  return true;
}

/* Guarded programs show two choices of hrf-rsp's papers: only one next acquire is
 * promoted (`WxD1 Rxw|Rxw ! Rxn`), where with n3 the first of each work-group is;
 * and a cycle of guarded loads and stores may feed itself (`Rxn ! Wyn1|Ryn !
 * Wxn2`), which no-thin-air excludes and opencl-rsp never has. */
struct family {
  const char *name;
  struct small_family family;
  unsigned step;
  const char *variant; /* of hrf-rsp; NULL: none */
};

static const struct family FAMILIES[] = {
    {"2x2", {.language = &small_opencl, .threads = 2, .ops = 2, .devices = 1}, 307, NULL},
    {"guarded", {.language = &small_opencl, .threads = 2, .ops = 2, .guarded = true, .devices = 1}, 809, "n3"},
    {"devices", {.language = &small_opencl, .threads = 2, .ops = 2, .devices = 2}, 2503, NULL},
    {"3x1", {.language = &small_opencl, .threads = 3, .ops = 1, .devices = 1}, 7, NULL},
};
enum { FAMILY_COUNT = ARRAY_COUNT(FAMILIES) };

static struct comparison sweep(struct arena *arena, const struct family *family, const char *variant,
                               const char *step) {
  struct comparison c = {.a = load(arena, "opencl-rsp", NULL), .b = load(arena, "hrf-rsp", variant)};
  c.step = step ? (unsigned)strtoul(step, NULL, 10) : family->step;
  small_generate(&family->family, compare, &c);
  return c;
}

TEST(one_model) {
  const char *wanted = getenv("SWEEP_FAMILY");
  for (unsigned i = 0; i < FAMILY_COUNT; i++) {
    if (wanted && strcmp(wanted, FAMILIES[i].name) != 0) continue;
    struct arena *arena = arena_new();
    struct comparison c = sweep(arena, &FAMILIES[i], FAMILIES[i].variant, getenv("SWEEP_STEP"));
    if (wanted) printf("%s: %u same, %u undefined in both\n", wanted, c.same, c.both_undefined);
    if (c.only_a_undefined || c.only_b_undefined || c.different) {
      fprintf(stderr, "%s: %u and %u undefined in one only, %u have other outcomes; first: ", FAMILIES[i].name,
              c.only_a_undefined, c.only_b_undefined, c.different);
      small_print(&c.first, stderr);
      fputc('\n', stderr);
      fail();
    }
    assert_true(c.same > 20);
    assert_true(c.both_undefined > 20);
    arena_free(arena);
  }
}

/* The comparison sees a difference where there is one: the reading k1. */
TEST(k1_is_another) {
  struct arena *arena = *state;
  struct comparison c = sweep(arena, &FAMILIES[0], "k1", NULL);
  assert_true(c.only_a_undefined > 0);
  assert_int_equal(c.only_b_undefined, 0);
}
