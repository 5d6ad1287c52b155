/* SPDX-License-Identifier: MIT */
/* The GPU as a machine: its steps in a state, and which of them may go alone.
 * One function a rule; each copies the state, changes the copy and hands it to
 * the explorer.  Names of rules and helpers (WB1, FETCH1, ...) are those of
 * gpu.h.  The rules are in gpu_environment.c, gpu_access.c and gpu_flushes_and_locks.c. */
#include "checker/base/array.h"
#include "hwsem/machines/gpu_rules.h"

static bool backward_jump(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu_thread *thread = &m->g->threads[t];
  uint8_t *s = gpu_begin(m);
  bool taken = instr->op == HW_JUMP || gpu_eval(s, thread, instr->value) == 0;
  gpu_go_to(m, s, thread, taken ? instr->destination : pc + 1);
  return gpu_emit(m, GPU_THREAD, t, pc);
}

static bool thread_step(struct gpu_moves *m, unsigned t) {
  const struct gpu *g = m->g;
  const struct gpu_thread *thread = &g->threads[t];
  unsigned pc = gpu_pc(m->now, thread);
  if (pc == thread->code->instr_count) return true;
  const struct hw_instr *instr = &thread->code->instrs[pc];
  if (gpu_stalled(g, m->now, t, instr)) return true;
  switch (instr->op) {
    case HW_LD:
    case HW_ST:
    case HW_RMW:
      return gpu_access(m, t, pc, instr);
    case HW_FLU:
      return gpu_flush(m, t, pc, instr);
    case HW_INV:
      return gpu_invalidate(m, t, pc, instr);
    case HW_LOCK_RMW:
      return gpu_lock_rmw(m, t, pc, instr);
    case HW_UNLOCK_RMW:
      return gpu_unlock_rmw(m, t, pc);
    case HW_LOCK_LINE:
      return gpu_lock_line(m, t, pc, instr);
    case HW_UNLOCK_LINE:
      return gpu_unlock_line(m, t, pc);
    case HW_BRANCH:
    case HW_JUMP:
      return backward_jump(m, t, pc, instr);
    case HW_MEET:
    case HW_ASSIGN:
      return true;
  }
  return true;
}

bool gpu_all_finished(const struct gpu *g, const uint8_t *s) {
  for (unsigned t = 0; t < g->thread_count; t++)
    if (gpu_pc(s, &g->threads[t]) != g->threads[t].code->instr_count) return false;
  return true;
}

static bool all_steps(struct gpu_moves *m) {
  const struct gpu *g = m->g;
  if (!gpu_write_backs(m) || !gpu_posted_invalidations(m)) return false;
  if (gpu_all_finished(g, m->now)) return true;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (!thread_step(m, t)) return false;
  bool meet = gpu_has_meetings(g, m->now);
  for (unsigned w = 0; meet && w < g->wg_count; w++)
    if (!gpu_meetings(m, w)) return false;
  return gpu_fetches(m);
}

/* What is after the state is zero, and so it is in successors. */
static void copy_padded(uint8_t *to, const void *from, size_t size) {
  memset(to + size / 8 * 8, 0, GPU_PADDING);
  memcpy(to, from, size);
}

bool gpu_successors(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct gpu *g = machine->self;
  _Alignas(uint64_t) uint8_t now[GPU_BUFFER], own[GPU_BUFFER];
  copy_padded(now, state, g->state_size);
  struct gpu_moves m = {.g = g, .now = now, .own = own, .sink = sink};
  return all_steps(&m);
}

/* Partial-order reduction.  Some steps may as well be taken at once, alone: each
 * run that takes them later has one that takes them now and ends the same.
 *
 *   UNLK                a lock held longer only keeps others from steps (where it waits for
 *                       acknowledgements, it is released at the last of them either way);
 *   a FLU's end         changes nothing but its thread's place;
 *   a FLU of nothing    later it might have to wait, and waiting adds nothing;
 *   an INV of nothing   later it might drop or mark lines; a line not dropped
 *                       can be fetched anew wherever the dropped one had to be,
 *                       and a dirty line not marked can only be read more often.
 *
 * The last two may avoid a deadlock, so they count only where no line lock stops
 * write-back and nobody but other L1s is kept from fetching; an INV that loses
 * writes never counts, nor one that is posted and carried out later, nor a FLU
 * whose marker is what lets LK_rmw begin to stall others.  Every such step moves its thread forwards, and backward
 * jumps are not among them, so no step is put off for ever.  Besides, lines are
 * fetched only while someone may yet read them. */

static bool may_go_alone(const struct gpu *g, const uint8_t *s, unsigned t) {
  const struct gpu_thread *thread = &g->threads[t];
  unsigned pc = gpu_pc(s, thread);
  if (pc == thread->code->instr_count) return false;
  const struct hw_instr *instr = &thread->code->instrs[pc];
  if (gpu_stalled(g, s, t, instr)) return false;
  switch (instr->op) {
    case HW_UNLOCK_RMW:
    case HW_UNLOCK_LINE:
      return true;
    case HW_FLU:
      return gpu_flushes_nothing(g, s, t, instr);
    case HW_INV:
      return gpu_invalidates_nothing(g, s, t, instr);
    default:
      return false;
  }
}

bool gpu_ample(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct gpu *g = machine->self;
  _Alignas(uint64_t) uint8_t now[GPU_BUFFER], own[GPU_BUFFER];
  copy_padded(now, state, g->state_size);
  struct gpu_moves m = {.g = g, .now = now, .own = own, .sink = sink, .reduced = true};
  for (unsigned t = 0; t < g->thread_count; t++)
    if (may_go_alone(g, now, t)) return thread_step(&m, t);
  return all_steps(&m);
}

void gpu_initial(const struct machine *machine, void *state) {
  const struct gpu *g = machine->self;
  uint8_t s[GPU_BUFFER] = {0};
  struct gpu_moves m = {.g = g};
  for (unsigned i = 0; i < g->program->program->location_count; i++) {
    int line = g->line_of[i];
    value_set(s, line >= 0 ? g->memory[line] : g->local[-1 - line], g->program->program->locations[i].init);
  }
  ARRAY_EACH (const struct gpu_thread, thread, g->threads, g->thread_count) {
    for (unsigned r = 0; r < thread->code->reg_count; r++) value_set(s, thread->regs[r], thread->code->reg_init[r]);
    gpu_go_to(&m, s, thread, 0);
  }
  memcpy(state, s, g->state_size);
}

bool gpu_final(const struct machine *machine, const void *state) {
  const struct gpu *g = machine->self;
  uint8_t s[GPU_BUFFER];
  memcpy(s, state, g->state_size);
  if (!gpu_all_finished(g, s)) return false;
  for (unsigned w = 0; w < g->wg_count; w++)
    if (field_get(s, g->posted[w])) return false;
  for (unsigned c = 0; c < g->cache_count; c++)
    if (!cache_is_clean(g, s, &g->caches[c])) return false;
  return true;
}

bool gpu_idle(const struct machine *machine, struct step step) {
  (void)machine;
  return step.code == GPU_FETCH1 || step.code == GPU_FETCH2 || step.code == GPU_EVICT1 || step.code == GPU_EVICT2;
}

bool gpu_thread_step(struct step step, struct gpu_thread_step *out) {
  if (step.code != GPU_THREAD) return false;
  *out = (struct gpu_thread_step){step.agent, step.detail & 0xffffff, step.detail >> 24};
  return true;
}
