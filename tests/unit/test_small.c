/* SPDX-License-Identifier: MIT */
/* Families of small programs: how many there are, and that each program printed
 * as a test is read back as the program that sweeps build without a text. */
/* plain: golden/search has families and their texts with sanitizers. */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/program/program.h"
#include "checker/small_programs/small_family.h"
#include "checker/small_programs/small_language_list.h"
#include "checker/small_programs/small_program_text.h"
#include "tests/unit/unit.h"

static struct small_family family_of(struct arena *arena, const char *text) {
  struct small_family family;
  struct diags diags = diags_new(arena);
  bool good = small_family_read(arena, text, "-family", &small_opencl, &family, &diags);
  if (!good) diags_print(&diags, stderr);
  assert_true(good);
  return family;
}

static bool count_one(void *context, const struct small_program *program) {
  (void)program;
  ++*(uint64_t *)context;
  return true;
}

/* The first is counted by a program of another hand too; 2x1 of C by hand: five
 * operations (W R ordinary, W R U atomic) and one location, so 15 pairs. */
TEST(counts) {
  static const struct {
    const char *family;
    uint64_t count;
  } COUNTS[] = {
      {"2x2", 110968},
      {"2x2,orders=na+ra,scopes=wg+dev,remote,locations=2", 110968},
      {"2x1,language=c", 15},
      {"2x1", 11 * 12},
      {"2x1,devices=2", 17 * 18 / 2 * 3},
      {"2x1,locations=1,fences", 11 * 12},
      {"2x1,orders=na+rlx+ra+sc,language=c", 11 * 12 / 2},
      {"2x1,language=ptx", 8 * 9},
      /* five operations, two without a scope; of 12 pairs, each in three places, some operation names clusters */
      {"2x1,scopes=cluster,language=ptx", 2 * 3 + 3 * 12},
      {"2x1,scopes=cluster,clusters=1,language=ptx", 2 * 3 + 2 * 12},
      /* three operations; besides, a barrier before or behind each, in one work-group */
      {"2x2,locations=1,orders=ra,scopes=dv,language=vulkan", 12 + 54 + 90},
      /* 42 have one location; each of the others is in one class, too, and in two */
      {"2x2,orders=na,scopes=dv,language=vulkan", 42 + 136},
      {"2x2,orders=na,scopes=dv,classes=2,language=vulkan", 42 + 2 * 136},
      {"2x2,locations=1,orders=ra,scopes=dv,language=vulkan,barriers", 12 + 54 + 90 + 21},
  };
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(COUNTS); i++) {
    struct small_family family = family_of(arena, COUNTS[i].family);
    uint64_t count = 0, estimate = small_estimate(&family);
    small_generate_by_shape(&family, count_one, &count);
    if (count != COUNTS[i].count) print_error("%s\n", COUNTS[i].family);
    assert_int_equal(count, COUNTS[i].count);
    if (estimate < count / 2 || estimate > 2 * count)
      print_error("%s: about %" PRIu64 "\n", COUNTS[i].family, estimate);
    assert_in_range(estimate, count / 2, 2 * count);
  }
}

struct trip {
  unsigned step;
  uint64_t index;
};

/* Registers by name: a front end numbers first those that have an initial value. */
struct threads {
  const struct thread *a, *b;
};

static void same_register(const struct threads *of, unsigned a, unsigned b) {
  assert_string_equal(of->a->reg_names[a], of->b->reg_names[b]);
}

static void same_expr(const struct threads *of, const struct expr *a, const struct expr *b) {
  assert_int_equal(!a, !b);
  if (!a || !b) return;
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->value, b->value);
  if (a->kind == EXPR_REG) same_register(of, a->reg, b->reg);
  same_expr(of, a->a, b->a);
  same_expr(of, a->b, b->b);
}

static void same_instr(const struct threads *of, const struct instr *a, const struct instr *b) {
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->reg == NO_REG, b->reg == NO_REG);
  if (a->reg != NO_REG) same_register(of, (unsigned)a->reg, (unsigned)b->reg);
  assert_int_equal(a->address.base, b->address.base);
  assert_int_equal(a->address.size, b->address.size);
  assert_int_equal(a->op, b->op);
  assert_int_equal(a->order, b->order);
  assert_int_equal(a->scope, b->scope);
  assert_int_equal(a->implicit_scope, b->implicit_scope);
  assert_int_equal(a->tags, b->tags);
  assert_int_equal(a->read_tags, b->read_tags);
  assert_int_equal(a->write_tags, b->write_tags);
  assert_int_equal(a->regions, b->regions);
  assert_int_equal(a->split, b->split);
  assert_int_equal(a->target, b->target);
  same_expr(of, a->value, b->value);
}

static void same_thread(const struct thread *a, const struct thread *b) {
  assert_int_equal(a->sg, b->sg);
  assert_int_equal(a->wg, b->wg);
  assert_int_equal(a->qf, b->qf);
  assert_int_equal(a->dev, b->dev);
  assert_int_equal(a->instr_count, b->instr_count);
  assert_int_equal(a->reg_count, b->reg_count);
  for (unsigned i = 0; i < a->instr_count; i++) same_instr(&(struct threads){a, b}, &a->instrs[i], &b->instrs[i]);
  for (unsigned r = 0; r < a->reg_count; r++) {
    int at = thread_find_register(b, a->reg_names[r]);
    assert_true(at >= 0);
    assert_int_equal(a->reg_init[r], b->reg_init[at]);
  }
}

static void same_test(const struct litmus_test *a, const struct litmus_test *b) {
  assert_true(a && b);
  if (!a || !b) return;
  assert_int_equal(a->language, b->language);
  assert_int_equal(a->quantifier, b->quantifier);
  const struct program *p = a->program, *q = b->program;
  assert_int_equal(p->thread_count, q->thread_count);
  assert_int_equal(p->location_count, q->location_count);
  for (unsigned i = 0; i < p->location_count; i++) {
    assert_string_equal(p->locations[i].name, q->locations[i].name);
    assert_int_equal(p->locations[i].atomic, q->locations[i].atomic);
    assert_int_equal(p->locations[i].region, q->locations[i].region);
  }
  assert_int_equal(p->sg_count, q->sg_count);
  assert_int_equal(p->wg_count, q->wg_count);
  assert_int_equal(p->qf_count, q->qf_count);
  assert_int_equal(p->dev_count, q->dev_count);
  assert_int_equal(p->placed, q->placed);
  assert_int_equal(p->partial_coherence, q->partial_coherence);
  assert_int_equal(p->free_values, q->free_values);
  assert_ptr_equal(p->scope_words, q->scope_words);
  assert_ptr_equal(p->level_words, q->level_words);
  for (unsigned t = 0; t < p->thread_count; t++) same_thread(&p->threads[t], &q->threads[t]);
  assert_int_equal(a->observable_count, b->observable_count);
  for (unsigned i = 0; i < a->observable_count; i++) {
    assert_int_equal(a->observables[i].thread, b->observables[i].thread);
    assert_string_equal(observable_name(p, a->observables[i]), observable_name(q, b->observables[i]));
  }
}

/* What it expects is in a variable in the text. */
static bool has_compare_exchange(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (p->ops[t][i].kind == 'C') return true;
  return false;
}

/* Their numbers are those of a family. */
static bool has_words(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (p->ops[t][i].words) return true;
  return false;
}

static bool go_round(void *context, const struct small_program *p) {
  struct trip *trip = context;
  if (trip->index++ % trip->step) return true;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct text text = text_new();
  small_write(p, small_name(arena, p), "a program", "exists (true)", text.out);
  text_end(&text);
  const struct source *source = source_from_text(arena, "round", text.at, text.size);
  const struct litmus_test *read = litmus_parse(arena, source, NULL, &diags);
  if (!read || diags.count) {
    fputs(text.at, stderr);
    diags_print(&diags, stderr);
    fail();
    return false;
  }
  if (!has_compare_exchange(p)) same_test(small_test(arena, p), read);
  assert_string_equal(small_name(arena, p), read->name);
  /* The notation too is read back. */
  struct small_program again;
  assert_null(small_read(small_text(arena, p), p->language, &again));
  assert_null(small_refusal(arena, &again));
  assert_string_equal(small_text(arena, p), small_text(arena, &again));
  struct small_code a = small_canonical(p), b = small_canonical(&again);
  if (!has_words(p)) assert_memory_equal(&a, &b, sizeof a);
  text_free(&text);
  arena_free(arena);
  return true;
}

#ifdef __SANITIZE_ADDRESS__
enum { RARELY = 29 };
#else
enum { RARELY = 1 };
#endif

/* All of 2x2; samples of others. */
TEST(round_trips) {
  static const struct {
    const char *family;
    unsigned step;
  } TRIPS[] = {
      {"2x2", 1},
      {"2x2,guarded,devices=2", 1009},
      {"3x1,orders=na+rlx+ra+sc,scopes=wg+dev+sys,remote,fences,devices=2", 2003},
      {"2x2,orders=na+rlx+ra+sc,fences,guarded,language=c", 211},
      {"2x2,guarded,language=hsa", 307},
      {"2x2,orders=rlx+ra+sc,fences,language=hsa", 2503},
      {"2x2,orders=na+rlx+ra+sc,fences,guarded,language=ptx", 2503},
      {"2x2,devices=2,language=ptx", 307},
      {"2x2,orders=na+rlx+ra,fences,guarded,language=vulkan", 2503},
      {"2x2,devices=2,language=vulkan", 307},
      {"2x2,scopes=cta+cluster,orders=ra,fences,devices=2,language=ptx", 2503},
      {"2x2,barriers,scopes=cluster,orders=ra,locations=1,words=1,language=ptx", 601},
      {"2x2,fences,orders=na+ra,scopes=dv,classes=2,language=vulkan", 601},
      {"2x2,barriers,orders=ra,scopes=dv,classes=2,words=1,language=vulkan", 5003},
      {"2x3,locations=3,language=c", 6007},
      {"2x2,orders=na+rlx+ra,fences,guarded,language=linux", 211},
      {"M3", 7},
      {"2x2,guarded,barriers,locations=1,language=hsa", 701},
      {"2x2,guarded,barriers,fences,orders=ra,locations=1,words=1,scopes=gpu,language=ptx", 301},
      {"2x2,guarded,barriers,orders=ra,locations=1,words=1,scopes=dv,language=vulkan", 301},
  };
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(TRIPS); i++) {
    struct small_family family = family_of(arena, TRIPS[i].family);
    struct trip trip = {.step = TRIPS[i].step * RARELY};
    small_generate(&family, go_round, &trip);
    assert_true(trip.index > trip.step);
  }
}

/* Dependencies: in no family, but in the notation, as far as something was read before. */
TEST(dependencies) {
  static const struct {
    const char *text;
    bool good;
    const struct small_language *language;
  } CASES[] = {
      {"Rxd &Wyd1|Ryd ^Wxd1", true, &small_opencl}, {"Rxn &Ryn|Wyn1 Uxd2", true, &small_hsa},
      {"Uxar1 ^Uyar2|Wyar4", true, &small_c},       {"Rxd ! ^Wyd1 &Rxd|Wxd2", true, &small_opencl},
      {"Rxd ^Wyd1|Wxd2", true, &small_ptx},         {"Rxd ^Uyd1|Wxd2", true, &small_vulkan},
      {"&Wyd1|Ryd", false, &small_opencl},          {"Rxd &Fd|Wxd1", false, &small_opencl},
      {"Wxd1 ^Wyd1|Ryd", false, &small_opencl},
  };
  for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
    struct small_program program;
    struct trip trip = {.step = 1};
    assert_int_equal(!small_read(CASES[i].text, CASES[i].language, &program), CASES[i].good);
    if (!CASES[i].good) continue;
    assert_true(small_has_dependencies(&program));
    assert_true(go_round(&trip, &program));
  }
}

/* What is left of a guarded thread keeps its guard as long as something is read before it. */
TEST(left_out) {
  struct arena *arena = *state;
  static const struct {
    const char *program;
    uint16_t without[SMALL_THREADS];
    const char *rest; /* NULL: no program of a family */
  } CASES[] = {
      {"Rxd ! Ryd Wxd1|Wxd2", {2}, "Rxd ! Wxd1|Wxd2"},
      {"Rxd ! Ryd Wxd1|Wxd2", {1}, "Ryd Wxd1|Wxd2"},
      {"Rxd Wyd1|Wxd2 Ryd", {0, 2}, "Rxd Wyd1|Wxd2"},
      {"Wxn1 Wyd2|Ryd Rxn", {1}, "Wyd1|Ryd Rxn"},
      {"Rxd ^Wyd1 Wxd2|Wxd3 Ryd", {1}, "Wyd1 Wxd2|Wxd3 Ryd"},
      {"Ryd Rxd ^Wyd1|Wxd3 Ryd", {2}, "Ryd ^Wyd1|Wxd2 Ryd"},
      {"Wxn1|Rxd", {1}, NULL},
      {"Wxn1 Wyd2|Ryd", {2}, NULL},
  };
  for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
    struct small_program program, rest;
    assert_null(small_read(CASES[i].program, &small_opencl, &program));
    assert_int_equal(small_without(&program, CASES[i].without, &rest), CASES[i].rest != NULL);
    if (!CASES[i].rest) continue;
    const char *text = small_text(arena, &rest);
    assert_memory_equal(text, CASES[i].rest, strlen(CASES[i].rest));
    assert_memory_equal(text + strlen(CASES[i].rest), " (", 2);
  }
}

/* What may be left out, blanks, and where a text is not understood. */
TEST(notation) {
  static const struct {
    const char *text, *printed; /* NULL: not understood, from `stop` on */
    const char *stop;
  } CASES[] = {
      {"Wxn Wyd | Ryd ! Rxn", "Wxn1 Wyd2|Ryd ! Rxn (wg 0,1 dev 0,0)", NULL},
      {" Wxn7 Uyd | Uyd Wxd(wg 0,0)", "Wxn7 Uyd8|Uyd16 Wxd2 (wg 0,0 dev 0,0)", NULL},
      {"Rxdq|Wxdl|Uxda | Fda Fdl (wg 0,1,2,3 dev 0,1,1,0)", "Rxd|Wxd1|Uxd8|Fd Fdl (wg 0,1,2,3 dev 0,1,1,0)", NULL},
      {"Wan B|B Ran (wg 0,0)", "Wan1 B|B Ran (wg 0,0 dev 0,0)", NULL},
      {"Xawr|Caw = Rbw", "Xawr1|Caw2 = Rbw (wg 0,1 dev 0,0)", NULL},
      {"Wxn|Rx", NULL, ""},
      {"Wxn|Qxn", NULL, "Qxn"},
      {"Wxn|! Rxn", NULL, " Rxn"},
      {"Wxn||Rxn", NULL, "|Rxn"},
      {"Wxn|Rxn !", NULL, ""},
      {"Uxn|Rxn", NULL, "|Rxn"},
      {"Wxn|Rxn (wg 0)", NULL, ")"},
      {"Wxn|Rxn (wg 0,9)", NULL, "9)"},
      {"Wxn|Rxn (wg 0,0 dev 0,1)", NULL, ")"},
      {"Wxn|Rxn (wg 0,1) x", NULL, "x"},
      {"Wxn|Rxn|Rxn|Rxn|Rxn|Rxn|Rxn|Rxn|Rxn", NULL, "|Rxn"},
      {"Wxn\t Wyd\t|\tRyd ! Rxn\t(wg 0,0\tdev 1,1)\t", "Wxn1 Wyd2|Ryd ! Rxn (wg 0,0 dev 1,1)", NULL},
      {"Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn|Rxn",
       "Wxn1 Wxn2 Wxn3 Wxn4 Wxn5 Wxn6 Wxn7 Wxn8 Wxn9 Wxn10 Wxn11 Wxn12|Rxn (wg 0,1 dev 0,0)", NULL},
      {"Uxd Uxd Uxd Uxd Uxd Uxd Uxd Uxd|Uxd Uxd Uxd Uxd Uxd Uxd Uxd Uxd",
       "Uxd8 Uxd16 Uxd32 Uxd64 Uxd128 Uxd256 Uxd512 Uxd1024|"
       "Uxd2048 Uxd4096 Uxd8192 Uxd16384 Uxd32768 Uxd65536 Uxd131072 Uxd8 (wg 0,1 dev 0,0)",
       NULL},
      {"Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn|Rxn", NULL, "Wxn|Rxn"},
  };
  struct arena *arena = *state;
  for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
    struct small_program program;
    const char *stop = small_read(CASES[i].text, &small_opencl, &program);
    if (CASES[i].printed) {
      assert_null(stop);
      assert_string_equal(small_text(arena, &program), CASES[i].printed);
    } else {
      if (!stop) print_error("%s\n", CASES[i].text);
      assert_non_null(stop);
      assert_string_equal(stop, CASES[i].stop);
    }
  }
}
