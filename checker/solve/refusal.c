/* SPDX-License-Identifier: MIT */
/* What the solver is not asked, told before anything is tried. */
#include "checker/exec/deductions/evaluation_plan.h"
#include "checker/solve/bits.h"
#include "checker/solve/solve.h"

/* Does the model look at the order of fences that an execution chooses? */
static bool asks_for(const struct cat_ir *ir, enum cat_base base) {
  for (uint32_t i = 0; i < ir->node_count; i++)
    if (ir->nodes[i].op == CAT_BASE && ir->nodes[i].base == base) return true;
  return false;
}

static const char *refuse_model(const struct cat_model *model, const struct program *program) {
  const struct cat_ir *ir = &model->ir;
  if (ir->dynamic || model->judge) return "the model chooses relations for each execution";
  if (ir->co != CO_TOTAL || program->partial_coherence) return "the model has no total coherence order";
  if (asks_for(ir, BASE_SYNC_FENCE)) return "the model orders fences for each execution";
  return NULL;
}

static bool is_unknown(const struct expr *e) {
  if (!e) return false;
  if (!bits_can(e->kind)) return true;
  return is_unknown(e->a) || is_unknown(e->b) || is_unknown(e->c);
}

static bool computes_unknown(const struct instr *instr) {
  bool divides = instr->kind == INSTR_RMW && instr->op == RMW_DIV;
  return divides || is_unknown(instr->value) || is_unknown(instr->expected) || is_unknown(instr->address.index) ||
         is_unknown(instr->expected_at.index) || is_unknown(instr->resource) || is_unknown(instr->quorum);
}

static const char *refuse_instruction(const struct instr *instr) {
  if (instr->kind == INSTR_MEET) return "control barriers that threads must reach together";
  return computes_unknown(instr) ? "division and floating-point arithmetic" : NULL;
}

static const char *refuse_program(const struct program *program) {
  if (program->object_count) return "objects that are shared with an accelerator";
  for (unsigned i = 0; i < program->location_count; i++)
    if (program->locations[i].any) return "initial values that are not known";
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const char *why = refuse_instruction(&program->threads[t].instrs[i]);
      if (why) return why;
    }
  return NULL;
}

const char *solve_refusal(struct arena *arena, const struct litmus_test *test, const struct cat_model *model) {
  model = enumerate_model(test, model);
  const char *why = refuse_model(model, test->program);
  if (why) return why;
  why = refuse_program(test->program);
  return why ? arena_printf(arena, "the program has %s", why) : NULL;
}
