/* SPDX-License-Identifier: MIT */
/* Sweeps of compilers over families. */
#include "checker/verify/target_code_family.h"

#include <string.h>

#include "checker/base/pool.h"

enum { BLOCK = 32 }; /* programs of one job */

/* x, y and z are there, used or not: a write-back passes the queues of all three. */
enum { GLOBALS = 3 };

/* ---- operations by their lines ---- */

/* A source of empty lines, one for each operation that a program can have, so that what is
 * emitted for one has its line. Programs that share a thread still do. */
enum { KINDS = INSTR_BARRIER + 1, ORDERS = ORDER_SC + 1, SCOPES = SCOPE_SYS + 1, OPERATIONS = KINDS * ORDERS * SCOPES };

const char *compiled_operation_of_line(struct arena *arena, unsigned line) {
  static const char *const NAMES[KINDS] = {"load", "store", "rmw", "cas", "fence", "barrier"};
  if (!line || line > OPERATIONS) return "none";
  unsigned at = line - 1, scope = at % SCOPES, order = at / SCOPES % ORDERS;
  const char *scope_word = scope_name((enum scope)scope);
  return arena_printf(arena, "%s %s%s%s", NAMES[at / SCOPES / ORDERS], order_name((enum order)order),
                      *scope_word ? " " : "", scope_word);
}

static const struct source *line_source(struct arena *arena) {
  char *text = arena_array(arena, OPERATIONS + 1, 1);
  memset(text, '\n', OPERATIONS);
  return source_from_text(arena, "(generated)", text, OPERATIONS);
}

static void mark_operations(struct program *program, const struct source *source) {
  program->source = source;
  INSTR_EACH (instr, program) {
    if (!instr_is_access(instr) && instr->kind != INSTR_FENCE && instr->kind != INSTR_BARRIER) continue;
    instr->span.at = ((uint32_t)instr->kind * ORDERS + instr->order) * SCOPES + instr->scope;
    instr->span.length = 0;
  }
}

/* ---- the model ---- */

/* A program of the family, and what the model says of it. */
struct compiled_judged {
  const struct small_listed *from;
  struct litmus_test *test;
  bool undefined, undecided;
  struct outcomes allowed; /* of race-free programs */
};

struct target_code_family {
  struct arena *arena;
  struct compiled_judged *at;
  size_t count;
};

struct judging {
  struct target_code_family *family;
  const struct cat_model *model;
  const struct compiled_options *options;
};

static void judge_one(const struct judging *j, struct compiled_judged *p, struct arena *kept) {
  struct arena *arena = arena_new();
  const struct verdict *v = verdict_run(arena, p->test, j->model, &j->options->model, NULL);
  p->undefined = verdict_is_undefined(v);
  p->undecided = !p->undefined && (v->end != END_DONE || v->stats.cut);
  if (!p->undefined && !p->undecided) p->allowed = outcomes_keep(kept, &v->states);
  arena_free(arena);
}

static void *judge_block(void *context, size_t block) {
  const struct judging *j = context;
  struct arena *kept = arena_new();
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < j->family->count; i++) {
    if (is_cancelled(j->options->model.cancel))
      j->family->at[i].undecided = true;
    else
      judge_one(j, &j->family->at[i], kept);
  }
  return kept;
}

/* Outcomes move to the family's arena, which one thread fills. */
static bool keep_block(void *context, size_t block, void *kept) {
  struct target_code_family *family = ((const struct judging *)context)->family;
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < family->count; i++) {
    struct compiled_judged *p = &family->at[i];
    if (!p->undefined && !p->undecided) p->allowed = outcomes_keep(family->arena, &p->allowed);
  }
  arena_free(kept);
  return true;
}

struct target_code_family *target_code_family_open(struct arena *arena, const struct small_list *family,
                                                   const struct compiled_options *options) {
  struct target_code_family *all = ARENA_NEW(arena, struct target_code_family);
  *all =
      (struct target_code_family){.arena = arena, .at = ARENA_ARRAY(arena, struct compiled_judged, family->count + 1)};
  const struct source *source = options->by_operation ? line_source(arena) : NULL;
  for (size_t i = 0; i < family->count; i++) {
    struct compiled_judged *p = &all->at[all->count];
    p->from = &family->at[i];
    struct small_program program = p->from->program;
    program.globals = GLOBALS;
    p->test = small_test(arena, &program);
    if (source) mark_operations(p->test->program, source);
    all->count++;
  }
  return all;
}

enum compiled_said target_code_family_judge(struct target_code_family *family, size_t index,
                                            const struct cat_model *model, const struct compiled_options *options,
                                            struct arena *kept) {
  struct judging judging = {family, model, options};
  struct compiled_judged *p = &family->at[index];
  judge_one(&judging, p, kept);
  return p->undefined ? COMPILED_UNDEFINED : p->undecided ? COMPILED_UNDECIDED : COMPILED_DEFINED;
}

struct target_code_family *target_code_family_new(struct arena *arena, const struct small_list *family,
                                                  const struct cat_model *model,
                                                  const struct compiled_options *options) {
  struct target_code_family *all = target_code_family_open(arena, family, options);
  struct judging judging = {all, model, options};
  struct pool_jobs jobs = {&judging, judge_block, keep_block, NULL};
  pool_run((all->count + BLOCK - 1) / BLOCK, options->workers, &jobs);
  return all;
}

const struct small_listed *target_code_family_program(const struct target_code_family *family, size_t index) {
  return family->at[index].from;
}

size_t target_code_family_count(const struct target_code_family *family) {
  return family->count;
}

bool target_code_family_at(const struct target_code_family *family, size_t index, struct family_judged *judged) {
  const struct compiled_judged *p = &family->at[index];
  *judged = (struct family_judged){p->from, p->test, &p->allowed};
  return !p->undefined && !p->undecided;
}
