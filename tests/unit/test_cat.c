/* SPDX-License-Identifier: MIT */
/* Models: precedences, sharing, the compiled graph, and the interpreter. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checker/cat/cat.h"
#include "checker/cat/print.h"
#include "tests/unit/unit.h"

/* Over the engine's own events, so that what is compiled is what is written. */
static const char *const two_events[] = {"normw"};

/* A model given as text. */
static struct cat_model *load_variant(struct arena *arena, const char *text, const char *const *variants,
                                      unsigned variant_count, struct diags *diags) {
  char path[] = "/tmp/litscope-test-XXXXXX.cat";
  int file = mkstemps(path, 4);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  struct cat_search search = {.variants = variants, .variant_count = variant_count};
  struct cat_model *model = cat_load(arena, path, &search, diags);
  unlink(path);
  return model;
}

static struct cat_model *load_good_variant(struct arena *arena, const char *text, const char *const *variants,
                                           unsigned variant_count) {
  struct diags diags = diags_new(arena);
  struct cat_model *model = load_variant(arena, text, variants, variant_count, &diags);
  if (!model) diags_print(&diags, stderr);
  assert_non_null(model);
  assert_int_equal(diags.errors, 0);
  return model;
}

static struct cat_model *load_good(struct arena *arena, const char *text) {
  return load_good_variant(arena, text, two_events, 1);
}

/* ---- the compiled form ------------------------------------------------ */

/* Do two expressions compile to one node? Then their difference is empty. */
static bool same(const char *a, const char *b) {
  struct arena *arena = arena_new();
  const char *text = arena_printf(
      arena, "let a = po let b = rf let c = co let d = loc let s = R let t = F\nempty (%s) \\ (%s)\n", a, b);
  const struct cat_ir *ir = &load_good(arena, text)->ir;
  bool empty = ir->nodes[ir->checks[0].node].op == CAT_EMPTY;
  arena_free(arena);
  return empty;
}

TEST(test_precedences) {
  assert_true(same("a | b ; c", "a | (b ; c)"));
  assert_true(same("a ; b | c", "(a ; b) | c"));
  assert_true(same("a ; b \\ c", "a ; (b \\ c)"));
  assert_true(same("a \\ b & c", "a \\ (b & c)"));
  assert_true(same("a \\ b \\ c", "(a \\ b) \\ c"));
  assert_true(same("a & s * t", "a & (s * t)"));
  assert_true(same("s * t & a", "(s * t) & a"));
  assert_true(same("~a & b", "(~a) & b"));
  assert_true(same("~a+", "~(a+)"));
  assert_true(same("~a ; b", "(~a) ; b"));
  assert_true(same("a ; b+", "a ; (b+)"));
  assert_true(same("a* ; b", "(a*) ; b"));
  assert_true(same("s * ~t", "s * (~t)"));
  assert_true(same("a^-1 ; b", "(a^-1) ; b"));
  assert_true(same("~a^-1", "~(a^-1)"));
  assert_true(same("b^-1+", "(b^-1)+"));
  assert_true(same("[domain a]; b", "[(domain a)] ; b"));
  assert_false(same("a ; b | c", "a ; (b | c)"));
  assert_false(same("a \\ b \\ c", "a \\ (b \\ c)"));
}

TEST(test_algebra) {
  assert_true(same("a & ~b", "a \\ b"));
  assert_true(same("~(~a)", "a"));
  assert_true(same("a | 0", "a"));
  assert_true(same("a & unv", "a"));
  assert_true(same("a | b", "b | a"));
  assert_true(same("b^-1 ; c", "fr"));
  assert_true(same("(rf^-1 ; co) \\ id", "fr"));
  assert_true(same("a ; b^-1 ; c", "a ; fr"));
  assert_true(same("id | b", "b?"));
  assert_true(same("b?*", "b*"));
  assert_true(same("[s] ; [t]", "[s & t]"));
  assert_true(same("(s * t)^-1", "t * s"));
  assert_true(same("_ * _", "unv"));
  assert_false(same("a", "b"));
}

static void assert_compiled(const char *text, unsigned variant_count, const char *expected) {
  struct arena *arena = arena_new();
  struct cat_model *model = load_good_variant(arena, text, two_events, variant_count);
  model->ir.name = "m";
  char *printed = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&printed, &size);
  cat_print(&model->ir, out);
  fclose(out);
  assert_string_equal(printed, expected);
  free(printed);
  arena_free(arena);
}

static void assert_compiles(const char *text, const char *expected) {
  assert_compiled(text, 1, expected);
}

TEST(test_printed) {
  assert_compiles("\"SC\"\nlet com = rf | co | fr\nlet unused = po; com\nacyclic po | com as sc\nshow com\n",
                  "model m \"SC\"\n3 = rf | co\n4 com = fr | 3\n6 = 4:com | po\nacyclic 6 as sc\nshow 4:com as com\n");
  assert_compiles("let rec r = po | (s; r)\nand s = rf | r\nirreflexive r\n",
                  "model m\n2 r = rec 5:r\n3 s = rec 6:s\n4 = 3:s; 2:r\n5 r = po | 4\n6 s = rf | 2:r\n"
                  "irreflexive 2:r as irreflexive r\n");
  assert_compiles("flag ~empty [R] & loc as reads\nundefined_unless empty W as quiet\n",
                  "model m\n1 = [R]\n3 = 1 & loc\nflag ~empty 3 as reads\nundefined_unless empty W as quiet\n");
}

/* A model that does not speak of rmw as a relation has one event for each read-modify-write. */
TEST(test_one_event) {
  assert_compiled("empty [RMW] as none\n", 0, "model m\n1 = domain rmw\n2 = [1]\nempty 2 as none\n");
  assert_compiled("empty W as none\n", 0,
                  "model m\n2 = domain rmw\n3 = range rmw\n4 = W \\ 3\n5 = 2 | 4\nempty 5 as none\n");
  assert_compiled("empty W as none\n", 1, "model m\nempty W as none\n");
  assert_compiled("empty ([RMW] | rmw) & fr as none\n", 0,
                  "model m\n2 = [RMW]\n3 = rmw | 2\n5 = 3 & fr\nempty 5 as none\n");
  assert_compiled("\"old\" withoutsc\nempty _ \\ R as only_reads\n", 0,
                  "model m \"old\"\n2 = range rmw\n3 = R | 2\n4 = ~3\nempty 4 as only_reads\n");
}

/* ---- the interpreter ---------------------------------------------------- */

/* Three writes a, b, c of one location and a read of b. */
enum { EVENTS = 4 };

static const word writes[] = {0x7}, reads[] = {0x8}, every[] = {0xf}, nothing[EVENTS] = {0};
static const word same_location[EVENTS] = {0xf, 0xf, 0xf, 0xf}, reads_from[EVENTS] = {0, 0x8, 0, 0};
static const word order[EVENTS] = {0x6, 0x4, 0, 0};

static const word *value_of(void *context, const struct cat_node *node) {
  (void)context;
  switch (node->base) {
    case BASE_W:
      return writes;
    case BASE_R:
      return reads;
    case BASE_ALL_EVENTS:
      return every;
    case BASE_LOC:
      return same_location;
    case BASE_RF:
      return reads_from;
    case BASE_CO:
      return order;
    default:
      return nothing;
  }
}

struct ways {
  unsigned count, raised;
  char failed[32]; /* the first axiom that failed, or "" */
};

static void count_way(void *context, const struct cat_outcome *outcome) {
  struct ways *ways = context;
  ways->count++;
  ways->raised += outcome->raised_count;
}

static bool skip_order(void *context, const char *name) {
  (void)context;
  return !strcmp(name, "order");
}

static bool stop_now(void *context) {
  (void)context;
  return true;
}

static struct ways run_with(const char *text, const struct cat_env *env) {
  struct arena *arena = arena_new(), *scratch = arena_new();
  struct ways ways = {0};
  const char *name = NULL;
  unsigned count = cat_interpret(load_good(arena, text), env, scratch, count_way, &ways, &name);
  assert_int_equal(count, ways.count);
  snprintf(ways.failed, sizeof ways.failed, "%s", name ? name : "");
  arena_free(scratch);
  arena_free(arena);
  return ways;
}

static unsigned ways_of(const char *text) {
  const struct cat_env env = {.shape = shape_of(EVENTS), .base = value_of};
  return run_with(text, &env).count;
}

TEST(test_orders) {
  assert_int_equal(ways_of("acyclic rf | co\n"), 1);
  assert_int_equal(ways_of("irreflexive loc\n"), 0);
  assert_int_equal(ways_of("with o from linearisations(W, 0)\n"), 6);
  assert_int_equal(ways_of("with o from linearisations(W, co)\n"), 1);
  assert_int_equal(ways_of("with o from linearisations(_, rf)\n"), 12);
  assert_int_equal(ways_of("with o from linearisations(W, 0)\nirreflexive o; co as against\n"), 1);
  assert_int_equal(ways_of("with o from linearisations(W, 0)\nwith p from linearisations(W, 0)\n"), 36);
  assert_int_equal(ways_of("with o from linearisations(W, 0)\nwith p from linearisations(W, o)\n"), 6);
  assert_int_equal(ways_of("with o from linearisations(W, rf | rf^-1)\n"), 0);
  assert_int_equal(ways_of("with o from generate_orders(R | W, 0)\n"), 24);
  assert_int_equal(ways_of("with co from generate_cos(0)\nacyclic rf | co\n"), 1);
  assert_int_equal(ways_of("with x from {rf, co, fr, rf}\n"), 3);
  assert_int_equal(ways_of("with w from classes-loc W\n"), 1);
}

TEST(test_outcomes) {
  const struct cat_env env = {.shape = shape_of(EVENTS), .base = value_of};
  struct ways ways = run_with(
      "with o from linearisations(W, 0)\nflag ~empty o as some\nflag empty o as none\n"
      "undefined_unless irreflexive o; co as with_co\n",
      &env);
  assert_int_equal(ways.count, 6);
  assert_int_equal(ways.raised, 6 + 5);
  assert_string_equal(ways.failed, "");
  ways = run_with("with o from linearisations(W, 0)\nempty o as order\n", &env);
  assert_int_equal(ways.count, 0);
  assert_string_equal(ways.failed, "order");
  const struct cat_env skipping = {.shape = shape_of(EVENTS), .base = value_of, .skip = skip_order};
  ways = run_with("with o from linearisations(W, 0)\nempty o as order\n", &skipping);
  assert_int_equal(ways.count, 6);
  const struct cat_env stopped = {.shape = shape_of(EVENTS), .base = value_of, .stop = stop_now};
  ways = run_with("with o from linearisations(W, 0)\n", &stopped);
  assert_int_equal(ways.count, 0);
}

/* What cannot be seen before a candidate is there is reported then. */
TEST(test_late_errors) {
  struct arena *arena = *state;
  struct diags diags = diags_new(arena);
  const struct cat_env env = {.shape = shape_of(EVENTS), .base = value_of, .diags = &diags};
  static const char text[] = "with x from {R, W}\nacyclic x\n";
  assert_int_equal(cat_interpret(load_good(arena, text), &env, arena, NULL, NULL, NULL), 0);
  assert_int_equal(diags.errors, 1);
  assert_non_null(strstr(diags.at[0].message, "expected a relation"));
}

/* More than 64 events: several words a row. */
static const word *wide_value(void *context, const struct cat_node *node) {
  enum cat_base base = node->base;
  word *const *values = context;
  return values[cat_bases[base].type == CAT_REL];
}

TEST(test_wide) {
  enum { WIDE = 130 };
  struct arena *arena = *state;
  struct shape shape = shape_of(WIDE);
  word *values[2] = {ARENA_ARRAY(arena, word, set_words(shape)), ARENA_ARRAY(arena, word, rel_words(shape))};
  for (unsigned i = 0; i + 1 < WIDE; i++) rel_add(shape, values[1], i, i + 1);
  rel_close(shape, values[1]);
  set_add(values[0], 1);
  set_add(values[0], 70);
  set_add(values[0], 129);
  const struct cat_env env = {.shape = shape, .base = wide_value, .context = values};
  static const char text[] =
      "let rec far = po | (po; far)\n"
      "let rec count s = match s with || {} -> {} || e ++ s -> {e} | count s end\n"
      "empty far \\ po+ as closure\n"
      "irreflexive far as order\n"
      "empty ([count W] \\ [W]) | ([W] \\ [count W]) as counted\n"
      "with o from linearisations(W, po)\n"
      "empty o \\ far as within\n";
  assert_int_equal(cat_interpret(load_good(arena, text), &env, arena, NULL, NULL, NULL), 1);
}
