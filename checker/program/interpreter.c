/* SPDX-License-Identifier: MIT */
/* The interpreter of threads; see interpreter.h. */
#include "checker/program/interpreter.h"

#include <assert.h>

int64_t expr_evaluate(const struct expr *e, register_get *get, const void *registers) {
  if (e->kind == EXPR_CONST) return e->value;
  if (e->kind == EXPR_REG) return get(registers, e->reg);
  int64_t a = expr_evaluate(e->a, get, registers), b = e->b ? expr_evaluate(e->b, get, registers) : 0;
  return expr_apply(e->kind, a, b, e->c ? expr_evaluate(e->c, get, registers) : 0, NULL);
}

int address_locate(const struct address *address, int64_t index) {
  if (!address->index) return (int)address->base;
  return index >= 0 && index < (int64_t)address->size ? (int)(address->base + (unsigned)index) : -1;
}

static int64_t get_word(const void *registers, unsigned reg) {
  return ((const int64_t *)registers)[reg];
}

int64_t thread_evaluate(const struct thread_run *t, const struct expr *e) {
  return expr_evaluate(e, get_word, t->registers);
}

const struct instr *thread_instr(const struct thread_run *t) {
  return t->place < t->thread->instr_count ? &t->thread->instrs[t->place] : NULL;
}

static void set_register(const struct thread_run *t, int reg, int64_t value) {
  assert(reg == NO_REG || (unsigned)reg < t->thread->reg_count);
  if (reg != NO_REG) t->registers[reg] = value;
}

static void go_to(struct thread_run *t, unsigned place) {
  t->place = place;
  t->stage = STAGE_FIRST;
  t->held = 0;
}

/* ---- accesses ---- */

static struct thread_access access_at(const struct thread_run *t, const struct address *address,
                                      enum access_kind kind) {
  int location = address_locate(address, address->index ? thread_evaluate(t, address->index) : 0);
  if (location >= 0) location = (int)program_physical(t->program, (unsigned)location);
  return (struct thread_access){kind, location};
}

struct thread_access thread_access(const struct thread_run *t) {
  const struct instr *instr = thread_instr(t);
  if (!instr || !instr_is_access(instr)) return (struct thread_access){ACCESS_NONE, -1};
  if (instr->kind == INSTR_LOAD) return access_at(t, &instr->address, ACCESS_LOAD);
  if (instr->kind == INSTR_STORE) return access_at(t, &instr->address, ACCESS_STORE);
  if (t->stage == STAGE_WRITE_BACK) return access_at(t, &instr->expected_at, ACCESS_STORE);
  bool reads_expected = instr->kind == INSTR_CAS && instr->expected_in_memory && t->stage == STAGE_FIRST;
  return reads_expected ? access_at(t, &instr->expected_at, ACCESS_LOAD) : access_at(t, &instr->address, ACCESS_ATOMIC);
}

static bool succeeds(const struct thread_run *t, const struct instr *instr, int64_t old) {
  return old == (instr->expected_in_memory ? t->held : thread_evaluate(t, instr->expected));
}

int64_t thread_written(const struct thread_run *t, int64_t old, bool fails) {
  const struct instr *instr = thread_instr(t);
  if (instr->kind == INSTR_LOCK) return instr->lock == LOCK_LOOK || old ? old : 1;
  if (instr->kind == INSTR_CAS && (fails || !succeeds(t, instr, old))) return old;
  int64_t operand = thread_evaluate(t, instr->value);
  return instr->kind == INSTR_CAS ? operand : width_fit(instr->width, rmw_apply(instr->op, old, operand));
}

void thread_deliver(struct thread_run *t, int64_t old, bool fails) {
  const struct instr *instr = thread_instr(t);
  int64_t result = old;
  bool equal = true;
  if (instr->kind == INSTR_LOCK) {
    result = (instr->lock == LOCK_LOOK) == (old != 0);
  } else if (instr->kind == INSTR_CAS) {
    equal = !fails && succeeds(t, instr, old);
    if (!instr->returns_old) result = equal;
  }
  set_register(t, instr->reg, result);
  go_to(t, t->place + 1);
  if (equal || !instr->writeback || !instr->expected_in_memory) return;
  t->place--;
  t->stage = STAGE_WRITE_BACK;
  t->held = old;
}

static void perform_atomic(struct thread_run *t, int64_t *cell, bool fails) {
  int64_t old = *cell;
  *cell = thread_written(t, old, fails);
  thread_deliver(t, old, fails);
}

void thread_perform(struct thread_run *t, int64_t *cell, bool fails) {
  const struct instr *instr = thread_instr(t);
  enum access_kind kind = thread_access(t).kind;
  if (kind == ACCESS_LOAD && instr->kind == INSTR_CAS) {
    t->held = cell ? *cell : 0;
    t->stage = STAGE_OPERATION;
  } else if (kind == ACCESS_ATOMIC && cell) {
    perform_atomic(t, cell, fails);
  } else {
    if (kind == ACCESS_LOAD && cell) set_register(t, instr->reg, *cell);
    if (kind == ACCESS_STORE && cell) *cell = t->stage == STAGE_WRITE_BACK ? t->held : thread_evaluate(t, instr->value);
    go_to(t, t->place + 1);
  }
}

void thread_pass(struct thread_run *t) {
  const struct instr *instr = thread_instr(t);
  unsigned next = t->place + 1;
  if (instr->kind == INSTR_ASSIGN) set_register(t, instr->reg, thread_evaluate(t, instr->value));
  if (instr->kind == INSTR_JUMP || instr->kind == INSTR_CALL ||
      (instr->kind == INSTR_BRANCH && !thread_evaluate(t, instr->value)))
    next = instr->target;
  go_to(t, next);
}
