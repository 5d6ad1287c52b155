/* SPDX-License-Identifier: MIT */
/* Sweeps of compilers over families. */
#include "checker/verify/compiled_family.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/verify/code_sweep.h"
#include "checker/verify/compiled_parts.h"
#include "checker/verify/notation.h"

enum { BLOCK = 32 }; /* programs of one job */

static size_t blocks(size_t count) {
  return (count + BLOCK - 1) / BLOCK;
}

static bool cancelled(const atomic_int *cancel) {
  return cancel && *cancel;
}

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
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      struct instr *instr = &program->threads[t].instrs[i];
      if (!instr_is_access(instr) && instr->kind != INSTR_FENCE && instr->kind != INSTR_BARRIER) continue;
      instr->span.at = ((uint32_t)instr->kind * ORDERS + instr->order) * SCOPES + instr->scope;
      instr->span.length = 0;
    }
}

/* ---- the model ---- */

struct judging {
  struct compiled_family *family;
  const struct cat_model *model;
  const struct compiled_options *options;
};

/* What is kept of a verdict: allowed outcomes, in an arena of their own. */
static void judge_one(const struct judging *j, struct compiled_judged *p, struct arena *kept) {
  struct arena *arena = arena_new();
  const struct verdict *v = verdict_run(arena, p->test, j->model, &j->options->model, NULL);
  p->undefined = v->bad > 0 || v->stats.undefined || v->stats.cut_raised;
  p->undecided = !p->undefined && (v->end != END_DONE || v->stats.cut);
  if (!p->undefined && !p->undecided) {
    outcomes_open(&p->allowed, kept, p->test->observable_count);
    for (size_t i = 0; i < v->states.count; i++) outcomes_add(&p->allowed, v->states.at[i].values)->count++;
    outcomes_sort(&p->allowed);
  }
  arena_free(arena);
}

static void *judge_block(void *context, size_t block) {
  const struct judging *j = context;
  struct arena *kept = arena_new();
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < j->family->count; i++) {
    if (cancelled(j->options->model.cancel))
      j->family->at[i].undecided = true;
    else
      judge_one(j, &j->family->at[i], kept);
  }
  return kept;
}

/* Outcomes move to the family's arena in order, so that memory is one piece. */
static bool keep_block(void *context, size_t block, void *result) {
  const struct judging *j = context;
  struct compiled_family *family = j->family;
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < family->count; i++) {
    struct compiled_judged *p = &family->at[i];
    family->undecided += p->undecided;
    if (p->undefined || p->undecided) continue;
    struct outcomes from = p->allowed;
    outcomes_open(&p->allowed, family->arena, from.width);
    for (size_t k = 0; k < from.count; k++) outcomes_add(&p->allowed, from.at[k].values)->count++;
    outcomes_sort(&p->allowed);
    family->race_free++;
  }
  arena_free(result);
  return true;
}

static void drop_block(void *context, void *result) {
  (void)context;
  arena_free(result);
}

struct compiled_family *compiled_family_open(struct arena *arena, const struct family *family,
                                             const struct compiled_options *options) {
  struct compiled_family *all = ARENA_NEW(arena, struct compiled_family);
  *all = (struct compiled_family){.arena = arena, .at = ARENA_ARRAY(arena, struct compiled_judged, family->count + 1)};
  const struct source *source = options->by_operation ? line_source(arena) : NULL;
  for (size_t i = 0; i < family->count; i++) {
    const char *at;
    struct compiled_judged *p = &all->at[all->count];
    p->from = &family->at[i];
    p->test = notation_test(arena, p->from->text, p->from->groups, &at);
    if (!p->test) continue;
    if (source) mark_operations(p->test->program, source);
    for (unsigned x = 0; x < p->test->program->location_count; x++)
      p->local |= p->test->program->locations[x].region == REGION_LOCAL;
    all->count++;
  }
  return all;
}

enum compiled_said compiled_family_judge(struct compiled_family *family, size_t index, const struct cat_model *model,
                                         const struct compiled_options *options, struct arena *kept) {
  struct judging judging = {family, model, options};
  struct compiled_judged *p = &family->at[index];
  judge_one(&judging, p, kept);
  return p->undefined ? COMPILED_UNDEFINED : p->undecided ? COMPILED_UNDECIDED : COMPILED_DEFINED;
}

struct compiled_family *compiled_family_new(struct arena *arena, const struct family *family,
                                            const struct cat_model *model, const struct compiled_options *options) {
  struct compiled_family *all = compiled_family_open(arena, family, options);
  struct judging judging = {all, model, options};
  struct pool_jobs jobs = {&judging, judge_block, keep_block, drop_block};
  pool_run(blocks(all->count), options->workers, &jobs);
  return all;
}

const struct family_program *compiled_family_program(const struct compiled_family *family, size_t index) {
  return family->at[index].from;
}

size_t compiled_family_count(const struct compiled_family *family) {
  return family->count;
}

bool compiled_family_at(const struct compiled_family *family, size_t index, struct family_judged *judged) {
  const struct compiled_judged *p = &family->at[index];
  *judged = (struct family_judged){p->from, p->test, &p->allowed};
  return !p->undefined && !p->undecided;
}

/* ---- compiling ---- */

static bool takes_part(const struct compiled_prepared *p, size_t i) {
  const struct compiled_judged *program = &p->family->at[i];
  if (!compiled_has_meaning(program)) return false;
  return !program->local || p->setup->target->mode->local;
}

bool compiled_prepare(struct arena *arena, struct compiled_prepared *p, struct diags *diags) {
  p->build = amd_build_new(arena, p->setup->target, &p->setup->llc, &p->setup->build, diags);
  p->kernels = arena_array(arena, p->family->count + 1, sizeof *p->kernels);
  for (size_t i = 0; p->build && i < p->family->count; i++)
    if (takes_part(p, i) && !amd_build_add(p->build, p->family->at[i].test->program, p->kernels[i], diags))
      return false;
  return p->build && amd_build_run_each(p->build, diags);
}

/* ---- exploring ---- */

void compiled_explore_code(const struct compiled_prepared *p, const struct compiled_judged *program,
                           const struct amd_program *code, struct explorer *explorer, struct arena *arena,
                           struct compiled_answer *answer, struct diags *diags) {
  const struct litmus_test *test = program->test;
  unsigned width = test->observable_count;
  struct machine machine;
  struct exploration found;
  if (!amd_machine(arena, code, &p->setup->knobs, amd_observables(arena, test->program, test->observables, width),
                   width, &machine, diags))
    return;
  explore(explorer, &machine, &p->options->explore, &found);
  answer->states = found.stats.states;
  answer->deadlock = found.stats.deadlocks > 0;
  answer->undecided = found.end != EXPLORE_DONE;
  for (size_t i = 0; i < found.outcome_count; i++) {
    const int64_t *values = found.outcomes[i].values;
    if (values[width]) answer->hazard = true;
    if (values[width] >= 0 && !outcomes_find(&program->allowed, values)) answer->unsound = true;
  }
}

/* ---- in parts ---- */

static void ask_emitted(void *context, size_t index, struct explorer *explorer, struct arena *arena,
                        struct compiled_answer *answer) {
  const struct compiled_prepared *p = context;
  const struct compiled_judged *program = &p->family->at[index];
  struct diags diags = diags_new(arena);
  struct amd_program code;
  if (!takes_part(p, index)) return;
  answer->taken = true;
  if (amd_build_program(arena, p->build, program->test->program, p->kernels[index], &code, &diags))
    compiled_explore_code(p, program, &code, explorer, arena, answer, &diags);
  answer->refused = diags.count > 0;
  if (answer->refused) answer->message = diags.at[0].message;
}

static unsigned emitted_threads(void *context, size_t index, struct arena *arena, unsigned *numbers) {
  const struct compiled_prepared *p = context;
  unsigned count = p->family->at[index].test->program->thread_count;
  (void)arena;
  memcpy(numbers, p->kernels[index], count * sizeof *numbers);
  return count;
}

bool compiled_emitted(struct arena *arena, const struct compiled_family *family, const struct compiled_setup *setup,
                      const struct compiled_options *options, struct emitted *emitted, struct diags *diags) {
  struct compiled_prepared *p = ARENA_NEW(arena, struct compiled_prepared);
  *p = (struct compiled_prepared){.family = family, .setup = setup, .options = options};
  *emitted = (struct emitted){p, ask_emitted, emitted_threads};
  return compiled_prepare(arena, p, diags);
}

/* ---- all at once ---- */

struct block_result {
  struct compiled_answer at[BLOCK];
  struct arena *arena; /* of messages */
};

static void *explore_block(void *context, size_t block) {
  const struct compiled_prepared *p = context;
  struct block_result *result = calloc(1, sizeof *result);
  if (!result) arena_out_of_memory();
  result->arena = arena_new();
  struct explorer *explorer = explorer_new();
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < p->family->count; i++) {
    struct compiled_answer *answer = &result->at[i - block * BLOCK];
    const struct compiled_judged *program = &p->family->at[i];
    struct arena *arena = arena_new();
    struct amd_program code;
    if (!takes_part(p, i)) {
      arena_free(arena);
      continue;
    }
    struct diags diags = diags_new(arena);
    answer->taken = true;
    if (cancelled(p->options->explore.cancel))
      answer->undecided = true;
    else if (amd_build_program(arena, p->build, program->test->program, p->kernels[i], &code, &diags))
      compiled_explore_code(p, program, &code, explorer, arena, answer, &diags);
    answer->refused = diags.count > 0;
    if (answer->refused) answer->message = arena_strdup(result->arena, diags.at[0].message);
    arena_free(arena);
  }
  explorer_free(explorer);
  return result;
}

static struct compiled_kind_count *kind_of(struct compiled_result *result, const char *kind) {
  for (unsigned i = 0; i < result->kind_count; i++) {
    const char *known = result->kinds[i].kind;
    if (known == kind || (known && kind && !strcmp(known, kind))) return &result->kinds[i];
  }
  if (result->kind_count == COMPILED_KINDS) return &result->kinds[COMPILED_KINDS - 1];
  result->kinds[result->kind_count] = (struct compiled_kind_count){.kind = kind};
  return &result->kinds[result->kind_count++];
}

void compiled_count(struct compiled_result *result, const struct compiled_answer *answer) {
  result->race_free += answer->taken;
  result->states += answer->states;
  result->hazards += answer->hazard;
  result->deadlocks += answer->deadlock;
  result->undecided += answer->undecided && !answer->unsound;
}

void compiled_count_unsound(struct compiled_result *result, const struct family_program *program) {
  struct compiled_kind_count *kind = kind_of(result, program->kind);
  result->unsound++;
  kind->unsound++;
  if (!kind->smallest || family_compare(program, kind->smallest) < 0) kind->smallest = program;
}

/* Messages that are alike up to their end are one. */
void compiled_count_refused(struct compiled_result *result, const struct family_program *program, const char *message) {
  struct compiled_refusal *refusal = result->refusals, *end = refusal + result->refusal_count;
  result->refused++;
  while (refusal < end && strncmp(refusal->message, message, REFUSAL_TEXT - 1) != 0) refusal++;
  if (refusal == result->refusals + COMPILED_REFUSALS) return;
  if (refusal == end) {
    result->refusal_count++;
    snprintf(refusal->message, sizeof refusal->message, "%s", message);
  }
  refusal->count++;
  if (!refusal->smallest || family_compare(program, refusal->smallest) < 0) refusal->smallest = program;
}

/* What is done with each answer, in the order of the family. */
struct exploring {
  struct compiled_prepared prepared; /* first: workers get it */
  compiled_note *note;
  void *context;
};

static bool note_block(void *context, size_t block, void *done) {
  struct exploring *e = context;
  struct block_result *part = done;
  for (size_t i = 0; i < BLOCK && block * BLOCK + i < e->prepared.family->count; i++)
    e->note(e->context, block * BLOCK + i, &part->at[i]);
  arena_free(part->arena);
  free(part);
  return true;
}

static void drop_part(void *context, void *from) {
  struct block_result *part = from;
  (void)context;
  arena_free(part->arena);
  free(part);
}

bool compiled_explore_all(const struct compiled_prepared *prepared, compiled_note *note, void *context) {
  struct exploring exploring = {*prepared, note, context};
  struct pool_jobs jobs = {&exploring, explore_block, note_block, drop_part};
  return pool_run(blocks(prepared->family->count), prepared->options->workers, &jobs);
}
