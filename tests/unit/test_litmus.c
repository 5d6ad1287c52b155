/* SPDX-License-Identifier: MIT */
/* What a test is made of: observables, the printed condition, the hash. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/litmus/litmus.h"
#include "checker/program/program.h"
#include "tests/unit/unit.h"

static const char MP[] =
    "OpenCL MP { x=0; y=0; } P0 (int* x, atomic_int* y) { *x = 1; atomic_store(y, 1); } "
    "P1 (int* x, atomic_int* y) { int r10 = 0; int r2 = atomic_load(y); if (r2) r10 = *x; } ";

static struct litmus_test *parse(struct arena *arena, const char *head, const char *tail) {
  struct diags diags = diags_new(arena);
  const char *text = arena_printf(arena, "%s%s", head, tail);
  const struct source *source = source_from_text(arena, "t.litmus", text, strlen(text));
  struct litmus_test *test = litmus_parse(arena, source, NULL, &diags);
  assert_int_equal(diags.errors, 0);
  assert_non_null(test);
  return test;
}

TEST(conditions_print_as_herds) {
  static const char *const pairs[][2] = {
      {"exists (1:r2=1 /\\ 1:r10=0)", "exists (1:r2=1 /\\ 1:r10=0)"},
      {"exists ((1:r2=1) /\\ ((x=0 /\\ [y]=1)))", "exists (1:r2=1 /\\ [x]=0 /\\ [y]=1)"},
      {"~exists x=1 \\/ y=1 /\\ P1:r2=-1", "~exists ([x]=1 \\/ [y]=1 /\\ 1:r2=-1)"},
      {"not exists ((x=1 \\/ y=1) /\\ true)", "~exists (([x]=1 \\/ [y]=1) /\\ true)"},
      {"forall x=1 => y=1 /\\ not false", "forall (([x]=1 => [y]=1) /\\ not (false))"},
      {"exists x != y \\/ x<=1 \\/ 3 > y", "exists (not ([x]=y) \\/ [x]<=1 \\/ 3>[y])"},
      {"exists ()", "exists (true)"},
      {"exists", "exists (true)"},
      {"", "forall (true)"},
  };
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(pairs); i++)
    assert_string_equal(parse(arena, MP, pairs[i][0])->condition_text, pairs[i][1]);
}

/* By thread, then name as herd compares names, then locations. */
TEST(observables_are_sorted) {
  struct arena *arena = *state;
  struct litmus_test *test = parse(arena, MP, "filter (y=1) locations [x; 1:r2;] exists (1:r10=0 /\\ x=1)");
  assert_int_equal(test->observable_count, 3);
  const struct thread *p1 = &test->program->threads[1];
  assert_string_equal(p1->reg_names[test->observables[0].index], "r10");
  assert_string_equal(p1->reg_names[test->observables[1].index], "r2");
  assert_int_equal(test->observables[2].thread, -1);
  assert_string_equal(test->program->locations[test->observables[2].index].name, "x");
}

static int64_t value(void *context, struct observable what) {
  const int64_t *locations = context;
  return locations[what.index];
}

TEST(propositions_hold) {
  static const struct {
    const char *condition;
    bool holds;
  } cases[] = {
      {"exists x=1", true},
      {"exists x=2", false},
      {"exists x=1 => y=3", false},
      {"exists x=2 => y=3", true},
      {"exists x=y", false},
      {"exists y>x /\\ y>=2 /\\ x<2 /\\ x<=1", true},
      {"exists ~(x=1 \\/ y=5)", false},
      {"exists false \\/ true", true},
      /* => binds tighter than /\ and \/, and leans right */
      {"exists x=2 /\\ x=2 => y=2", false},
      {"exists x=1 \\/ x=1 => y=3", true},
      {"exists x=2 => x=2 => y=3", true},
  };
  int64_t locations[] = {1, 2};
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
    assert_int_equal(prop_holds(parse(arena, MP, cases[i].condition)->condition, value, locations), cases[i].holds);
}

static const char *hash(struct arena *arena, const char *head, const char *tail) {
  return parse(arena, head, tail)->hash;
}

TEST(hashes_ignore_layout) {
  static const char other[] =
      "OPENCL Other\n\"note\"\n{ [x]=0; y=0; }\n\nP0 (global int *x, global atomic_int *y) {\n  *x = 1; // store\n"
      "  atomic_store_explicit(y, 01, memory_order_seq_cst);\n}\n(* *) P1 (int* x, atomic_int* y)\n"
      "{ int r10 = 0; r2 = atomic_load(y); if (r2) { r10 = *x; } }\n";
  static const char changed[] =
      "OpenCL MP { x=0; y=0; } P0 (int* x, atomic_int* y) { *x = 1; atomic_store(y, 2); } "
      "P1 (int* x, atomic_int* y) { int r10 = 0; int r2 = atomic_load(y); if (r2) r10 = *x; } ";
  struct arena *arena = *state;
  const char *first = hash(arena, MP, "exists (x=1)");
  assert_int_equal(strlen(first), 32);
  assert_string_not_equal(first, hash(arena, MP, "exists (y=1)"));      /* observes another location */
  assert_string_equal(first, hash(arena, MP, "~exists (x=2)"));         /* the condition does not count */
  assert_string_not_equal(first, hash(arena, changed, "exists (x=1)")); /* stores another value */
  const char *placed = "scopeTree (device (work_group P0 P1)) exists (x=1)";
  assert_string_not_equal(first, hash(arena, MP, placed));
  assert_string_equal(first, hash(arena, MP, "scopeTree (device (work_group P0) (work_group P1)) exists (x=1)"));
  assert_string_equal(first, hash(arena, other, "exists (x=1)"));
}
