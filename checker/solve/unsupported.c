/* SPDX-License-Identifier: MIT */
/* What the solver is not asked, told before anything is tried. */
#include "checker/base/array.h"
#include "checker/solve/bit_vectors.h"
#include "checker/solve/solve.h"

static const char *refuse_model(const struct cat_model *model) {
  const struct cat_ir *ir = &model->ir;
  if (ir->dynamic || model->judge) return "the model chooses relations for each execution";
  if (ir->co != CO_TOTAL) return "the model has no coherence order of its own";
  return NULL;
}

static bool is_unknown(const struct expr *e) {
  return !bits_can(e->kind);
}

/* Is which control barriers meet, or how many must, told by something that the thread reads? */
static bool reads_meeting(struct arena *arena, const struct thread *thread) {
  bool *read = ARENA_ARRAY(arena, bool, thread->reg_count + 1u), some = false;
  for (bool again = true; again;) {
    again = false;
    ARRAY_EACH (const struct instr, instr, thread->instrs, thread->instr_count) {
      if (instr->reg == NO_REG || read[instr->reg]) continue;
      again |= read[instr->reg] = instr->kind != INSTR_ASSIGN || expr_names_marked(instr->value, read);
    }
  }
  for (unsigned i = 0; i < thread->instr_count; i++)
    some |= expr_names_marked(thread->instrs[i].resource, read) || expr_names_marked(thread->instrs[i].quorum, read);
  return some;
}

static const char *refuse_instruction(const struct instr *instr, bool stops) {
  if (stops && instr->kind == INSTR_MEET && instr->arrive) return "control barriers at which a thread does not wait";
  return instr_has(instr, is_unknown) ? "floating-point arithmetic" : NULL;
}

static const char *refuse_program(struct arena *arena, const struct program *program, bool stops) {
  if (program->object_count) return "objects that are shared with an accelerator";
  for (unsigned t = 0; t < program->thread_count; t++) {
    if (reads_meeting(arena, &program->threads[t])) return "control barriers with a number that it reads";
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const char *why = refuse_instruction(&program->threads[t].instrs[i], stops);
      if (why) return why;
    }
  }
  return NULL;
}

const char *solve_refusal(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          bool stops) {
  model = enumerate_model(test, model);
  const char *why = refuse_model(model);
  if (why) return why;
  why = refuse_program(arena, test->program, stops);
  return why ? arena_printf(arena, "the program has %s", why) : NULL;
}
