/* SPDX-License-Identifier: MIT */
/* Cores of the machine of near and far atomic operations: where a core's thread
 * is, operations in two halves, and what must wait for those that were posted. */
#include "hwsem/machines/amo_state.h"

struct thread_run amo_thread(const struct amo *amo, const void *state, unsigned core) {
  const struct amo_core *c = amo_core(state, core);
  return (struct thread_run){.program = amo->program,
                             .thread = &amo->program->threads[core],
                             .registers = amo_registers(amo, state, core),
                             .place = c->place,
                             .stage = (enum thread_stage)c->stage,
                             .held = c->held};
}

void amo_keep(void *state, unsigned core, const struct thread_run *thread) {
  struct amo_core *c = amo_core(state, core);
  c->place = (uint16_t)thread->place;
  c->stage = (uint8_t)thread->stage;
  c->held = thread->held;
}

const struct instr *amo_instr(const struct amo *amo, const void *state, unsigned core) {
  const struct thread *thread = &amo->program->threads[core];
  unsigned place = amo_core(state, core)->place;
  return place < thread->instr_count ? &thread->instrs[place] : NULL;
}

struct amo_access amo_access(const struct amo *amo, const void *state, unsigned core) {
  struct thread_run thread = amo_thread(amo, state, core);
  struct thread_access access = thread_access(&thread);
  return (struct amo_access){access.kind, access.location < 0 ? -1 : (int)amo->line_of[access.location]};
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

bool amo_in_order(const struct amo *amo, const void *state, unsigned core, struct amo_access access, bool posts) {
  const struct instr *instr = amo_instr(amo, state, core);
  const struct amo_core *c = amo_core(state, core);
  if (!c->posted) return true;
  if (instr->kind == INSTR_FENCE) return !fence_waits(amo, instr->order);
  if (access.line < 0) return true;
  if (access.kind != ACCESS_LOAD && order_releases(instr->order) && amo->knobs.releases == AMO_YES) return false;
  bool same = false;
  for (unsigned i = 0; i < c->posted; i++) same |= c->queue[i].line == access.line;
  return !same || posts || amo->knobs.same_line == AMO_NO;
}

/* ---- accesses ---- */

void amo_perform(const struct amo *amo, void *state, unsigned core, int64_t *cell) {
  struct thread_run thread = amo_thread(amo, state, core);
  bool halves = amo->knobs.holds == AMO_NO && thread_instr(&thread)->kind == INSTR_RMW;
  if (!halves) {
    thread_perform(&thread, cell, false);
  } else if (amo_core(state, core)->stage != STAGE_HALF) {
    thread.stage = (enum thread_stage)STAGE_HALF;
    thread.held = *cell;
  } else {
    int64_t read = thread.held;
    *cell = thread_written(&thread, read, false);
    thread_deliver(&thread, read, false);
  }
  amo_keep(state, core, &thread);
}
