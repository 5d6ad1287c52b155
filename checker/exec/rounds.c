/* SPDX-License-Identifier: MIT */
/* Heads of loops are the targets of backward jumps; live registers come from the
 * usual equations over the instructions, solved backwards until nothing changes
 * (Kildall, POPL 1973). */
#include "checker/exec/rounds.h"

#include <string.h>

const struct round **rounds_new(struct arena *arena, const struct thread *thread) {
  return ARENA_ARRAY(arena, const struct round *, thread->instr_count + 1);
}

const struct round **rounds_copy(struct arena *arena, const struct thread *thread, const struct round *const *rounds) {
  const struct round **copy = rounds_new(arena, thread);
  memcpy(copy, rounds, (thread->instr_count + 1) * sizeof *copy);
  return copy;
}

static bool jumps(const struct instr *instr) {
  return instr->kind == INSTR_BRANCH || instr->kind == INSTR_JUMP;
}

static bool is_head(const struct thread *thread, unsigned pc) {
  for (unsigned i = pc; i < thread->instr_count; i++)
    if (jumps(&thread->instrs[i]) && thread->instrs[i].target == pc) return true;
  return false;
}

static void use(const struct expr *e, bool *live) {
  if (!e || e->kind == EXPR_CONST) return;
  if (e->kind == EXPR_REG) {
    live[e->reg] = true;
    return;
  }
  use(e->a, live);
  use(e->b, live);
  use(e->c, live);
}

/* Live before the instruction, given what is live behind it. */
static void live_before(const struct instr *instr, bool *live) {
  if (instr->reg != NO_REG) live[instr->reg] = false;
  use(instr->address.index, live);
  use(instr->value, live);
  use(instr->expected_at.index, live);
  use(instr->expected, live);
  use(instr->resource, live);
  use(instr->quorum, live);
}

static void join(bool *into, const bool *from, unsigned count) {
  for (unsigned i = 0; i < count; i++) into[i] |= from[i];
}

/* The registers that are live before `pc`. */
static const bool *live_at(struct arena *arena, const struct thread *thread, unsigned pc) {
  unsigned width = thread->reg_count;
  bool *live = ARENA_ARRAY(arena, bool, (size_t)(thread->instr_count + 1) * width);
  bool next[width + 1];
  for (bool grew = true; grew;) {
    grew = false;
    for (unsigned i = thread->instr_count; i-- > 0;) {
      const struct instr *instr = &thread->instrs[i];
      memset(next, 0, sizeof next);
      if (instr->kind != INSTR_JUMP) join(next, &live[(i + 1) * width], width);
      if (jumps(instr)) join(next, &live[instr->target * width], width);
      live_before(instr, next);
      if (!memcmp(next, &live[i * width], width)) continue;
      memcpy(&live[i * width], next, width);
      grew = true;
    }
  }
  return &live[pc * width];
}

void rounds_note(struct arena *arena, const struct thread *thread, const struct round **rounds, unsigned pc,
                 const struct path *path) {
  if (pc >= thread->instr_count || !is_head(thread, pc)) return;
  struct round *round = ARENA_NEW(arena, struct round);
  round->first = path->event_count;
  round->registers = ARENA_ARRAY(arena, const struct expr *, thread->reg_count);
  if (thread->reg_count) memcpy(round->registers, path->registers, thread->reg_count * sizeof *round->registers);
  round->live = rounds[pc] ? rounds[pc]->live : live_at(arena, thread, pc);
  rounds[pc] = round;
}

bool round_is_idle(const struct round *round, const struct path *path) {
  for (unsigned i = round->first; i < path->event_count; i++) {
    enum event_kind kind = path->events[i].event.kind;
    if (kind != EVENT_READ && kind != EVENT_FENCE && kind != EVENT_MEET && kind != EVENT_MARK) return false;
  }
  return true;
}
