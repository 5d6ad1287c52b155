/* SPDX-License-Identifier: MIT */
/* The usual equations over the instructions, solved backwards until nothing changes (Kildall, POPL 1973). */
#include "checker/program/live_registers.h"

#include <string.h>

/* Live before the instruction, given what is live after it. */
static void live_before(const struct instr *instr, bool *live) {
  if (instr->reg != NO_REG) live[instr->reg] = false;
  instr_mark_registers(instr, live);
}

static void join(bool *into, const bool *from, unsigned count) {
  for (unsigned i = 0; i < count; i++) into[i] |= from[i];
}

/* Where control may go on, but for the next instruction: a jump's target, and
 * where the caller of a kernel goes on. */
static bool branches(const struct instr *instr) {
  return instr_jumps(instr) || instr->kind == INSTR_CALL;
}

const bool *live_registers(struct arena *arena, const struct thread *thread, const bool *ends) {
  unsigned width = thread->reg_count;
  bool *live = ARENA_ARRAY(arena, bool, (size_t)(thread->instr_count + 1) * width + 1);
  bool next[width + 1];
  for (unsigned reg = 0; ends && reg < width; reg++) live[thread->instr_count * width + reg] = ends[reg];
  for (bool grew = true; grew;) {
    grew = false;
    for (unsigned i = thread->instr_count; i-- > 0;) {
      const struct instr *instr = &thread->instrs[i];
      memset(next, 0, sizeof next);
      if (instr->kind != INSTR_JUMP) join(next, &live[(i + 1) * width], width);
      if (branches(instr)) join(next, &live[instr->target * width], width);
      live_before(instr, next);
      if (!memcmp(next, &live[i * width], width)) continue;
      memcpy(&live[i * width], next, width);
      grew = true;
    }
  }
  return live;
}
