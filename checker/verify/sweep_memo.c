/* SPDX-License-Identifier: MIT */
/* What a sweep knows of the programs of one shape: verdicts by what the model
 * sees, answers by what the machine runs. */
#include "checker/verify/sweep_memo.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"
#include "checker/verify/indistinguishable_programs.h"
#include "checker/verify/test_observing_all.h"
#include "hwsem/compile_by_mapping.h"
#include "hwsem/machines/kinds.h"

enum { MOST_BYTES = 64 << 20 };

/* What was asked, as numbers, and what came of it. */
struct entry {
  const uint16_t *key;
  unsigned count;
  const struct verdict *verdict; /* of the model; NULL: undefined */
  enum verify_answer answer;     /* of the machine */
  uint64_t states;
};

struct table {
  VEC(struct entry *) entries;
  struct hash_table by_key;
};

/* A set of outcomes that some verdict has: equal ones are one. */
struct allowed {
  struct allowed *next;
  struct verdict verdict;
  uint16_t number;
};

struct sweep_memo {
  const struct cat_model *model;
  struct arena *arena;                         /* of the whole sweep */
  struct indistinguishable *indistinguishable; /* NULL: nothing can be known */
  const struct target *target;
  uint16_t cells[2][4][8][3]; /* of the target's mapping: see cell_of */
  bool some;                  /* programs of this shape were met: */
  struct small_program shape;
  struct arena *group;
  struct table model_table, machine_table;
  struct allowed *allowed;
  uint16_t allowed_count;
};

struct sweep_memo *sweep_memo_new(const struct cat_model *model) {
  struct sweep_memo *memo = guard_must(calloc(1, sizeof *memo));
  memo->model = model;
  memo->arena = arena_new();
  memo->group = arena_new();
  memo->indistinguishable = indistinguishable_new(memo->arena, model);
  return memo;
}

void sweep_memo_free(struct sweep_memo *memo) {
  if (!memo) return;
  arena_free(memo->group);
  arena_free(memo->arena);
  free(memo);
}

/* Begins a shape, or one of which too much is known. */
static void forget(struct sweep_memo *memo, const struct target *target, const struct small_program *program) {
  arena_free(memo->group);
  memo->group = arena_new();
  if (memo->target != target) memset(memo->cells, 0, sizeof memo->cells);
  memo->target = target;
  memo->shape = *program;
  memo->some = true;
  memo->model_table = memo->machine_table = (struct table){{0}, {0}};
  memo->allowed = NULL;
  memo->allowed_count = 0;
}

/* ---- tables ---- */

static const struct entry *find(const struct table *table, const uint16_t *key, unsigned count) {
  HASH_EACH (at, &table->by_key, hash_bytes(key, count * sizeof *key)) {
    const struct entry *e = table->entries.at[hash_number(&table->by_key, at)];
    if (e->count == count && !memcmp(e->key, key, count * sizeof *key)) return e;
  }
  return NULL;
}

static const struct entry *add(struct sweep_memo *memo, struct table *table, const uint16_t *key, unsigned count,
                               struct entry entry) {
  struct entry *e = ARENA_COPY(memo->group, struct entry, &entry, 1);
  e->key = ARENA_COPY(memo->group, uint16_t, key, count);
  e->count = count;
  hash_add(memo->group, &table->by_key, hash_bytes(key, count * sizeof *key), (uint32_t)table->entries.count);
  return *vec_push(memo->group, &table->entries) = e;
}

/* ---- the model ---- */

static bool same_outcomes(const struct outcomes *a, const struct outcomes *b) {
  if (a->count != b->count || a->width != b->width) return false;
  for (size_t i = 0; i < a->count; i++)
    if (memcmp(a->at[i].values, b->at[i].values, a->width * sizeof *a->at[i].values) != 0) return false;
  return true;
}

/* A verdict's outcomes, kept with the shape. */
static const struct verdict *keep(struct sweep_memo *memo, const struct verdict *verdict) {
  const struct outcomes *from = &verdict->states;
  for (struct allowed *a = memo->allowed; a; a = a->next)
    if (same_outcomes(&a->verdict.states, from)) return &a->verdict;
  struct allowed *a = ARENA_NEW(memo->group, struct allowed);
  a->verdict.states = outcomes_keep(memo->group, from);
  a->verdict.model = verdict->model;
  a->number = memo->allowed_count++;
  a->next = memo->allowed;
  memo->allowed = a;
  return &a->verdict;
}

static uint16_t number_of(const struct sweep_memo *memo, const struct verdict *verdict) {
  const struct allowed *a = memo->allowed;
  while (&a->verdict != verdict) a = a->next;
  return a->number;
}

/* NULL: a limit was reached. */
static const struct entry *ask_model(struct sweep_memo *memo, const struct enumerate_options *options,
                                     const struct small_program *program) {
  struct indistinguishable_key key;
  if (!indistinguishable_key(memo->indistinguishable, program, &key)) return NULL;
  const struct entry *known = find(&memo->model_table, key.at, key.count);
  if (known) return known;
  struct arena *arena = arena_new();
  struct enumerate_options first = *options;
  first.stop_when_undefined = true;
  const struct verdict *v =
      verdict_run(arena, test_observing_all(arena, small_test(arena, program)), memo->model, &first, NULL);
  bool undefined = verdict_is_undefined(v), decided = v->end == END_DONE;
  if (undefined || (decided && !v->stats.cut))
    known =
        add(memo, &memo->model_table, key.at, key.count, (struct entry){.verdict = undefined ? NULL : keep(memo, v)});
  arena_free(arena);
  return known;
}

/* ---- the machine ---- */

static unsigned place_of(const char *letters, char letter) {
  return letter ? (unsigned)(strchr(letters, letter) - letters) : 0;
}

/* Where the cell of an operation is noted: 0: not met yet, else 2 + twice its number, and 1
 * more where the machine tells the operation's order. */
static uint16_t *cell_of(struct sweep_memo *memo, const struct small_op *op, bool wide) {
  unsigned order = op->order ? 1 + place_of("rc", op->order) : 0;
  return &memo->cells[wide][place_of("WRUF", op->kind)][place_of(SMALL_SCOPES, op->scope)][order];
}

static bool is_wide(const struct small_program *program) {
  for (unsigned t = 0; t < program->threads; t++)
    if (program->dev[t]) return true;
  return false;
}

static bool same_steps(const struct mapping_cell *a, const struct mapping_cell *b) {
  if (a->step_count != b->step_count) return false;
  for (unsigned i = 0; i < a->step_count; i++) {
    struct mapping_step x = a->steps[i], y = b->steps[i];
    if (x.op != y.op || x.level != y.level || x.target != y.target || x.posted != y.posted) return false;
  }
  return true;
}

/* The first cell with the steps of this one. */
static unsigned number_of_steps(const struct mapping *mapping, const struct mapping_cell *cell) {
  unsigned number = 0;
  while (!same_steps(&mapping->cells[number], cell)) number++;
  return number;
}

/* Notes the cells of a program.  false: it cannot be run. */
static bool learn_cells(struct sweep_memo *memo, const struct small_program *program) {
  const struct target *target = memo->target;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct program *p = small_test(arena, program)->program;
  bool runs = target_check(target, p, arena, &diags), wide = is_wide(program);
  bool orders = target->kind->tells_orders && target->kind->tells_orders(target->settings);
  for (unsigned t = 0; runs && t < p->thread_count; t++) {
    unsigned number = 0;
    for (unsigned i = 0; i < p->threads[t].instr_count; i++) {
      struct mapping_key key;
      if (!compile_key(p, &p->threads[t].instrs[i], &key)) continue;
      const struct mapping_cell *cell = mapping_find(target->mapping, key);
      *cell_of(memo, &program->ops[t][number++], wide) =
          (uint16_t)(2 + 2 * number_of_steps(target->mapping, cell) + (orders && key.order != ORDER_NA));
    }
  }
  arena_free(arena);
  return runs;
}

/* Numbers that say which code runs where, in a shape; *count 0: machines without a mapping run
 * the programs themselves.  false: this one cannot be run. */
static bool code_of(struct sweep_memo *memo, const struct small_program *program, uint16_t *code, unsigned *count) {
  bool wide = is_wide(program);
  *count = 0;
  if (!memo->target->mapping) return !memo->target->kind->check;
  for (unsigned t = 0; t < program->threads; t++) {
    code[(*count)++] = (uint16_t)(program->wg[t] * SMALL_THREADS + program->dev[t]);
    for (unsigned i = 0; i < program->count[t]; i++) {
      const uint16_t *cell = cell_of(memo, &program->ops[t][i], wide);
      if (!*cell && !learn_cells(memo, program)) return false;
      code[(*count)++] = *cell;
    }
  }
  return true;
}

/* Runs the machine on a program of which the model allows so much. */
static struct entry run_machine(const struct verifier *verifier, const struct small_program *program,
                                const struct verdict *allowed) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct verify_result result;
  const struct litmus_test *test = test_observing_all(arena, small_test(arena, program));
  verify_known(verifier, test, allowed, arena, &result, &diags);
  struct entry found = {.answer = result.answer, .states = result.stats.states};
  arena_free(arena);
  return found;
}

enum { CODE = SMALL_THREADS * (SMALL_OPS + 1) };

/* `code` has room for one number more: that of what is allowed. */
static struct entry ask_machine(struct sweep_memo *memo, const struct verifier *verifier,
                                const struct small_program *program, const struct verdict *allowed, uint16_t *code,
                                unsigned count) {
  if (!count) return run_machine(verifier, program, allowed);
  code[count++] = number_of(memo, allowed);
  const struct entry *known = find(&memo->machine_table, code, count);
  if (known) return *known;
  struct entry found = run_machine(verifier, program, allowed);
  if (found.answer != VERIFY_UNDECIDED) add(memo, &memo->machine_table, code, count, found);
  return found;
}

/* ---- programs ---- */

static enum verify_answer verify_anew(const struct verifier *verifier, const struct small_program *program,
                                      uint64_t *states, bool *unjudged) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct verify_options options = *verifier->options;
  struct verifier first = *verifier;
  struct verify_result result;
  options.model.stop_when_undefined = !verifier->target->kind->explains_undefined;
  first.options = &options;
  verify_test(&first, small_test(arena, program), arena, &result, &diags);
  *states = result.stats.states;
  *unjudged = result.unjudged;
  arena_free(arena);
  return result.answer;
}

enum verify_answer sweep_memo_verify(struct sweep_memo *memo, const struct verifier *verifier,
                                     const struct small_program *program, uint64_t *states, bool *unjudged) {
  const struct target *target = verifier->target;
  bool knows = memo->indistinguishable && !verifier->options->strict && !target->kind->explains_undefined &&
               !small_is_special(program);
  if (!knows) return verify_anew(verifier, program, states, unjudged);
  if (!memo->some || memo->target != target || !indistinguishable_shape(&memo->shape, program) ||
      arena_size(memo->group) > MOST_BYTES)
    forget(memo, target, program);
  uint16_t code[CODE + 1];
  unsigned count;
  *states = 0;
  *unjudged = false;
  const struct entry *known =
      code_of(memo, program, code, &count) ? ask_model(memo, &verifier->options->model, program) : NULL;
  if (!known) return verify_anew(verifier, program, states, unjudged);
  if (!known->verdict) return VERIFY_UNDEFINED;
  struct entry answer = ask_machine(memo, verifier, program, known->verdict, code, count);
  *states = answer.states;
  return answer.answer;
}
