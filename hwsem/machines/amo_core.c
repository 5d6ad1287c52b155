/* SPDX-License-Identifier: MIT */
/* Cores of the machine of near and far atomic operations: what an instruction
 * does to registers and to a cell, wherever that is, and what must wait for
 * operations that were posted. */
#include "hwsem/machines/amo_state.h"

int64_t amo_eval(const struct amo *amo, void *state, unsigned core, const struct expr *e) {
  if (e->kind == EXPR_CONST) return e->value;
  if (e->kind == EXPR_REG) return amo_registers(amo, state, core)[e->reg];
  int64_t a = amo_eval(amo, state, core, e->a);
  int64_t b = e->b ? amo_eval(amo, state, core, e->b) : 0, c = e->c ? amo_eval(amo, state, core, e->c) : 0;
  return expr_apply(e->kind, a, b, c, NULL);
}

const struct instr *amo_instr(const struct amo *amo, const void *state, unsigned core) {
  const struct thread *thread = &amo->program->threads[core];
  unsigned place = ((const struct amo_core *)state + core)->place;
  return place < thread->instr_count ? &thread->instrs[place] : NULL;
}

void amo_advance(const struct amo *amo, void *state, unsigned core, unsigned place) {
  (void)amo;
  struct amo_core *c = amo_core(state, core);
  c->place = (uint16_t)place;
  c->stage = STAGE_FIRST;
  c->held = 0;
}

static struct amo_access locate(const struct amo *amo, void *state, unsigned core, const struct address *address,
                                enum amo_access_kind kind) {
  int64_t index = address->index ? amo_eval(amo, state, core, address->index) : 0;
  if (index < 0 || index >= (int64_t)(address->size ? address->size : 1)) return (struct amo_access){ACCESS_OUTSIDE, 0};
  unsigned location = program_physical(amo->program, address->base + (unsigned)index);
  return (struct amo_access){kind, amo->line_of[location]};
}

struct amo_access amo_access(const struct amo *amo, void *state, unsigned core) {
  const struct instr *instr = amo_instr(amo, state, core);
  enum amo_stage stage = amo_core(state, core)->stage;
  if (!instr || !instr_is_access(instr)) return (struct amo_access){ACCESS_NONE, 0};
  if (instr->kind == INSTR_LOAD) return locate(amo, state, core, &instr->address, ACCESS_LOAD);
  if (instr->kind == INSTR_STORE) return locate(amo, state, core, &instr->address, ACCESS_STORE);
  if (stage == STAGE_WRITE_BACK) return locate(amo, state, core, &instr->expected_at, ACCESS_STORE);
  if (instr->kind == INSTR_CAS && instr->expected_in_memory && stage == STAGE_FIRST)
    return locate(amo, state, core, &instr->expected_at, ACCESS_LOAD);
  return locate(amo, state, core, &instr->address, ACCESS_ATOMIC);
}

/* ---- order ---- */

static bool fence_waits(const struct amo *amo, enum order order) {
  if (amo->knobs.fences == FENCES_RELEASE) return order_releases(order);
  return amo->knobs.fences == FENCES_ALL;
}

bool amo_posts(const struct amo *amo, const struct instr *instr) {
  if (instr->kind != INSTR_RMW || instr->reg != NO_REG || amo->knobs.post == POST_NONE) return false;
  return amo->knobs.post == POST_ALL || (instr->order != ORDER_CON && !order_acquires(instr->order));
}

bool amo_in_order(const struct amo *amo, void *state, unsigned core, struct amo_access access, bool posts) {
  const struct instr *instr = amo_instr(amo, state, core);
  const struct amo_core *c = amo_core(state, core);
  if (!c->posted) return true;
  if (instr->kind == INSTR_FENCE) return !fence_waits(amo, instr->order);
  if (access.kind < ACCESS_LOAD) return true;
  bool writes = access.kind == ACCESS_STORE || access.kind == ACCESS_ATOMIC;
  if (writes && order_releases(instr->order) && amo->knobs.releases == AMO_YES) return false;
  bool same = false;
  for (unsigned i = 0; i < c->posted; i++) same |= c->queue[i].line == access.line;
  return !same || posts || amo->knobs.same_line == AMO_NO;
}

/* ---- what accesses do ---- */

static void set_register(const struct amo *amo, void *state, unsigned core, int reg, int64_t value) {
  if (reg != NO_REG) amo_registers(amo, state, core)[reg] = value;
}

static bool succeeds(const struct amo *amo, void *state, unsigned core, const struct instr *instr, int64_t old) {
  int64_t held = amo_core(state, core)->held;
  return old == (instr->expected_in_memory ? held : amo_eval(amo, state, core, instr->expected));
}

int64_t amo_written(const struct amo *amo, void *state, unsigned core, int64_t old) {
  const struct instr *instr = amo_instr(amo, state, core);
  if (instr->kind == INSTR_CAS && !succeeds(amo, state, core, instr, old)) return old;
  int64_t value = amo_eval(amo, state, core, instr->value);
  return instr->kind == INSTR_CAS ? value : width_fit(instr->width, rmw_apply(instr->op, old, value));
}

void amo_deliver(const struct amo *amo, void *state, unsigned core, int64_t old) {
  const struct instr *instr = amo_instr(amo, state, core);
  struct amo_core *c = amo_core(state, core);
  if (instr->kind == INSTR_RMW) {
    set_register(amo, state, core, instr->reg, old);
    amo_advance(amo, state, core, c->place + 1u);
    return;
  }
  bool equal = succeeds(amo, state, core, instr, old);
  set_register(amo, state, core, instr->reg, instr->returns_old ? old : equal);
  bool back = !equal && instr->writeback && instr->expected_in_memory;
  if (!back) {
    amo_advance(amo, state, core, c->place + 1u);
    return;
  }
  c->stage = STAGE_WRITE_BACK;
  c->held = old;
}

static void perform_atomic(const struct amo *amo, void *state, unsigned core, int64_t *cell) {
  struct amo_core *c = amo_core(state, core);
  const struct instr *instr = amo_instr(amo, state, core);
  bool halves = amo->knobs.holds == AMO_NO && instr->kind == INSTR_RMW;
  if (halves && c->stage != STAGE_HALF) {
    c->stage = STAGE_HALF;
    c->held = *cell;
    return;
  }
  int64_t old = c->stage == STAGE_HALF ? c->held : *cell;
  *cell = amo_written(amo, state, core, old);
  amo_deliver(amo, state, core, old);
}

void amo_perform(const struct amo *amo, void *state, unsigned core, int64_t *cell) {
  struct amo_core *c = amo_core(state, core);
  const struct instr *instr = amo_instr(amo, state, core);
  struct amo_access access = amo_access(amo, state, core);
  if (access.kind == ACCESS_ATOMIC) {
    perform_atomic(amo, state, core, cell);
  } else if (instr->kind == INSTR_CAS && c->stage == STAGE_FIRST) {
    c->held = *cell;
    c->stage = STAGE_OPERATION;
  } else {
    if (access.kind == ACCESS_LOAD) set_register(amo, state, core, instr->reg, *cell);
    if (access.kind == ACCESS_STORE)
      *cell = c->stage == STAGE_WRITE_BACK ? c->held : amo_eval(amo, state, core, instr->value);
    amo_advance(amo, state, core, c->place + 1u);
  }
}

void amo_local(const struct amo *amo, void *state, unsigned core) {
  const struct instr *instr = amo_instr(amo, state, core);
  unsigned next = amo_core(state, core)->place + 1u;
  if (instr->kind == INSTR_ASSIGN) set_register(amo, state, core, instr->reg, amo_eval(amo, state, core, instr->value));
  if (instr->kind == INSTR_JUMP) next = instr->target;
  if (instr->kind == INSTR_BRANCH && amo_eval(amo, state, core, instr->value) == 0) next = instr->target;
  amo_advance(amo, state, core, next);
}
