/* SPDX-License-Identifier: MIT */
/* A thread on the GPU: expressions, and moving on to its next step. */
#include "checker/program/interpreter.h"
#include "hwsem/machines/gpu_rules.h"

void gpu_put(struct gpu_moves *m, uint8_t *s, struct gpu_cell c, int64_t value) {
  if (!value_set(s, c, value)) m->outgrown = true;
}

struct registers {
  const uint8_t *state;
  const struct gpu_cell *cells;
};

static int64_t get_register(const void *registers, unsigned reg) {
  const struct registers *r = registers;
  return value_get(r->state, r->cells[reg]);
}

int64_t gpu_eval(const uint8_t *s, const struct gpu_thread *t, const struct expr *e) {
  return expr_evaluate(e, get_register, &(struct registers){s, t->regs});
}

void gpu_set_register(struct gpu_moves *m, uint8_t *s, const struct gpu_thread *t, int reg, int64_t value) {
  if (reg != NO_REG) gpu_put(m, s, t->regs[reg], value);
}

/* Arithmetic and branches up to the next step.  A backward jump is a step of
 * its own, so that this ends. */
static unsigned run_pure(struct gpu_moves *m, uint8_t *s, const struct gpu_thread *t, unsigned pc) {
  for (; pc < t->code->instr_count; pc++) {
    const struct hw_instr *instr = &t->code->instrs[pc];
    if (instr->op == HW_ASSIGN) {
      gpu_set_register(m, s, t, instr->reg, gpu_eval(s, t, instr->value));
    } else if (instr->op == HW_BRANCH && instr->destination > pc) {
      if (gpu_eval(s, t, instr->value) == 0) pc = instr->destination - 1;
    } else if (instr->op == HW_JUMP && instr->destination > pc) {
      pc = instr->destination - 1;
    } else {
      break;
    }
  }
  return pc;
}

/* Registers that are never read again are cleared: states that differ in
 * nothing else are one. */
static void forget_dead(uint8_t *s, const struct gpu_thread *t, unsigned pc) {
  for (uint64_t dead = t->dead[pc]; dead; dead &= dead - 1) field_set(s, t->regs[__builtin_ctzll(dead)].field, 0);
}

void gpu_go_to(struct gpu_moves *m, uint8_t *s, const struct gpu_thread *t, unsigned pc) {
  pc = run_pure(m, s, t, pc);
  field_set(s, t->pc, pc);
  field_set(s, t->phase, 0);
  forget_dead(s, t, pc);
}

bool gpu_finish(struct gpu_moves *m, unsigned t, unsigned pc, unsigned phase) {
  gpu_go_to(m, m->next, &m->g->threads[t], pc + 1);
  return gpu_emit(m, GPU_THREAD, t, pc | phase << 24);
}

bool gpu_stay(struct gpu_moves *m, unsigned t, unsigned pc, unsigned phase, unsigned next_phase) {
  field_set(m->next, m->g->threads[t].phase, next_phase);
  return gpu_emit(m, GPU_THREAD, t, pc | phase << 24);
}

int gpu_locate(const uint8_t *s, const struct gpu_thread *t, const struct address *address) {
  return address_locate(address, address->index ? gpu_eval(s, t, address->index) : 0);
}
