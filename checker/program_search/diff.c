/* SPDX-License-Identifier: MIT */
/* Sweeps that compare models: what a worker does of a part (verify/sweep_parts.h), and the sum of parts. */
#include "checker/program_search/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/sweep_parts.h"

enum { PART = 64 }; /* programs */

/* Classes of parts of programs that were met before: emptied when there are many. */
struct met {
  struct small_code code;
  uint16_t pair, class;
};
enum { MOST_MET = 1 << 15 };

struct worker {
  const struct diff_options *options;
  struct arena *memory; /* of what was met */
  VEC(struct met) met;
  struct hash_table met_table;
  struct arena *arena;                     /* of the part's text */
  uint64_t (*counts)[DIFF_SIZES][CLASSES]; /* by b */
  struct text minimal;
};

/* ---- one program ---- */

/* What is known of b's answer from a's where b is a less checks: fewer axioms leave
 * more executions, so that what is undefined stays so; fewer conditions of
 * definedness leave the outcomes of what is defined. */
static bool is_known(const struct judge_model *a, const struct judge_model *b, enum judge_answer answer,
                     enum diff_class *class) {
  if (a->model != b->model || answer == JUDGE_UNDECIDED) return false;
  bool axioms = false, others = false;
  for (uint32_t i = 0; i < a->model->ir.check_count; i++) {
    bool in_a = a->skip && a->skip[i], in_b = b->skip && b->skip[i];
    if (in_a && !in_b) return false;
    if (in_a == in_b) continue;
    if (a->model->ir.checks[i].role == ROLE_REQUIRE)
      axioms = true;
    else
      others = true;
  }
  *class = answer == JUDGE_UNDEFINED ? CLASS_BOTH_UNDEFINED : CLASS_SAME;
  return answer == JUDGE_UNDEFINED ? !others : !axioms;
}

static enum diff_class class_of(const struct worker *w, const struct litmus_test *test, size_t pair,
                                struct judgement *a, struct arena *arena) {
  const struct diff_options *o = w->options;
  enum diff_class class;
  struct judgement b;
  if (!a->outcomes.arena) judge_program(&o->a, test, &o->limits, arena, a);
  if (is_known(&o->a, &o->b[pair], a->answer, &class)) return class;
  judge_program(&o->b[pair], test, &o->limits, arena, &b);
  return judge_compare(a, &b);
}

static const struct met *find_met(const struct worker *w, const struct met *like, uint64_t hash) {
  HASH_EACH (at, &w->met_table, hash) {
    const struct met *met = &w->met.at[hash_number(&w->met_table, at)];
    if (met->pair == like->pair && !memcmp(&met->code, &like->code, sizeof like->code)) return met;
  }
  return NULL;
}

static void forget_met(struct worker *w) {
  arena_free(w->memory);
  w->memory = arena_new();
  memset(&w->met, 0, sizeof w->met);
  w->met_table = (struct hash_table){0};
}

/* The class of a program that may have been met before. */
static enum diff_class class_again(struct worker *w, const struct small_program *program, size_t pair) {
  struct met met = {small_canonical(program), (uint16_t)pair, 0};
  uint64_t hash = hash_bytes(&met.code, sizeof met.code) + pair;
  const struct met *known = find_met(w, &met, hash);
  if (known) return (enum diff_class)known->class;
  struct arena *arena = arena_new();
  struct judgement a = {0};
  enum diff_class class = class_of(w, small_test(arena, program), pair, &a, arena);
  arena_free(arena);
  if (w->met.count == MOST_MET) forget_met(w);
  met.class = (uint16_t) class;
  hash_add(w->memory, &w->met_table, hash, (uint32_t)w->met.count);
  *vec_push(w->memory, &w->met) = met;
  return class;
}

/* A program of a difference, and its parts. */
struct parting {
  struct worker *worker;
  const struct small_program *program;
  size_t pair;
  enum diff_class class;
  uint16_t left_out[SMALL_THREADS]; /* as in small_without */
};

/* Is there a part of the same class that lacks what is left out and one to `more` operations from operation `from` of
 * thread `t` on? */
static bool some_part_differs(struct parting *p, unsigned t, unsigned from, unsigned more) {
  bool found = false;
  for (; t < p->program->threads && !found; t++, from = 0)
    for (unsigned i = from; i < p->program->count[t] && !found && !is_cancelled(p->worker->options->cancel); i++) {
      struct small_program rest;
      p->left_out[t] |= (uint16_t)(1u << i);
      found = small_without(p->program, p->left_out, &rest) && class_again(p->worker, &rest, p->pair) == p->class;
      if (!found && more > 1) found = some_part_differs(p, t, i + 1, more - 1);
      p->left_out[t] &= (uint16_t) ~(1u << i);
    }
  return found;
}

static bool is_minimal(struct worker *w, const struct small_program *program, size_t pair, enum diff_class class) {
  struct parting p = {.worker = w, .program = program, .pair = pair, .class = class};
  unsigned size = small_size(program);
  return !some_part_differs(&p, 0, 0, size > DIFF_ALL_PARTS ? DIFF_FEWER : size);
}

static void compare(void *worker, size_t subject, uint64_t index, const struct small_program *program) {
  struct worker *w = worker;
  (void)subject;
  struct arena *arena = arena_new();
  const struct litmus_test *test = small_test(arena, program);
  struct judgement a = {0};
  for (size_t i = 0; i < w->options->count; i++) {
    enum diff_class class = class_of(w, test, i, &a, arena);
    w->counts[i][small_size(program)][class]++;
    if (!class_differs(class) || !is_minimal(w, program, i, class)) continue;
    fprintf(w->minimal.out, "m %zu %d %" PRIu64 " ", i, (int)class, index);
    small_print(program, w->minimal.out);
    fputc('\n', w->minimal.out);
  }
  arena_free(arena);
}

/* ---- parts ---- */

static void *open_worker(void *context) {
  struct worker *w = guard_must(malloc(sizeof *w));
  *w = (struct worker){.options = context, .memory = arena_new()};
  return w;
}

static void close_worker(void *worker) {
  struct worker *w = worker;
  arena_free(w->memory);
  free(w);
}

static void begin_part(void *worker) {
  struct worker *w = worker;
  w->arena = arena_new();
  w->counts = arena_alloc(w->arena, w->options->count * sizeof *w->counts);
  w->minimal = text_new();
}

static void end_part(void *worker, FILE *out) {
  struct worker *w = worker;
  for (size_t i = 0; i < w->options->count; i++) {
    for (unsigned size = 0; size < DIFF_SIZES; size++) {
      uint64_t all = 0;
      for (int c = 0; c < CLASSES; c++) all += w->counts[i][size][c];
      if (!all) continue;
      fprintf(out, "n %zu %u", i, size);
      for (int c = 0; c < CLASSES; c++) fprintf(out, " %" PRIu64, w->counts[i][size][c]);
      fputc('\n', out);
    }
  }
  text_end(&w->minimal);
  fputs(w->minimal.at, out);
  text_free(&w->minimal);
  arena_free(w->arena);
}

struct counting {
  const atomic_int *cancel;
  uint64_t programs;
};

static bool count_one(void *context, const struct small_program *program) {
  struct counting *c = context;
  (void)program;
  c->programs++;
  return !is_cancelled(c->cancel);
}

bool diff_run(struct parts *parts, const struct diff_options *options) {
  struct diff_options own = *options;
  struct counting family = {.cancel = own.cancel}; /* quick, compared with what the models take */
  small_generate(&own.family, count_one, &family);
  if (is_cancelled(own.cancel)) return false;
  struct sweep_work work = {.family = &own.family,
                            .generate = small_generate,
                            .cut = {PART, (family.programs + PART - 1) / PART},
                            .subjects = 1,
                            .workers = own.workers,
                            .cancel = own.cancel,
                            .whole = true,
                            .context = &own,
                            .open = open_worker,
                            .close = close_worker,
                            .begin = begin_part,
                            .try_program = compare,
                            .end = end_part};
  return sweep_parts_run(parts, &work);
}

/* ---- the sum ---- */

typedef VEC(struct diff_minimal) minimal_list;

static void add_counts(struct diff_result *results, size_t count, const char *line) {
  size_t pair;
  unsigned size;
  int used = 0;
  if (sscanf(line, "n %zu %u%n", &pair, &size, &used) != 2 || pair >= count || size >= DIFF_SIZES) return;
  char *at = (char *)(uintptr_t)line + used;
  for (int c = 0; c < CLASSES; c++) results[pair].counts[size][c] += strtoull(at, &at, 10);
}

static void add_minimal(struct arena *arena, minimal_list *lists, const struct diff_options *o, const char *line) {
  size_t pair;
  int class, used = 0;
  struct diff_minimal m = {0};
  if (sscanf(line, "m %zu %d %" SCNu64 " %n", &pair, &class, &m.index, &used) != 3 || pair >= o->count) return;
  if (class < 0 || class >= CLASSES || small_read(line + used, o->family.language, &m.program)) return;
  m.class = (enum diff_class) class;
  *vec_push(arena, &lists[pair]) = m;
}

static int compare_minimal(const void *a, const void *b) {
  const struct diff_minimal *s = a, *t = b;
  unsigned x = small_size(&s->program), y = small_size(&t->program);
  if (s->class != t->class) return s->class < t->class ? -1 : 1;
  if (x != y) return x < y ? -1 : 1;
  return s->index < t->index ? -1 : s->index > t->index;
}

struct diff_result *diff_sum(struct arena *arena, struct parts *parts, const struct diff_options *options) {
  struct diff_result *results = ARENA_ARRAY(arena, struct diff_result, options->count);
  minimal_list *lists = ARENA_ARRAY(arena, minimal_list, options->count);
  for (uint64_t part = 0; part < parts_total(parts); part++) {
    for (const char **at = text_split(arena, parts_text(parts, part), "\n", NULL), *line; (line = *at); at++) {
      if (line[0] == 'n') add_counts(results, options->count, line);
      if (line[0] == 'm') add_minimal(arena, lists, options, line);
    }
  }
  for (size_t i = 0; i < options->count; i++) {
    if (lists[i].count) qsort(lists[i].at, lists[i].count, sizeof *lists[i].at, compare_minimal);
    results[i].minimal = lists[i].at;
    results[i].minimal_count = lists[i].count;
  }
  return results;
}

uint64_t diff_total(const struct diff_result *result, enum diff_class class) {
  uint64_t total = 0;
  for (unsigned size = 0; size < DIFF_SIZES; size++) total += result->counts[size][class];
  return total;
}
