/* SPDX-License-Identifier: MIT */
/* Jumps, forward and back: the bound on loops, failed rounds of spin loops, cut or counted, and of loops
 * that poll, threads that stop.
 */
#include <string.h>

#include "checker/exec/loops/spin_fold.h"
#include "checker/exec/loops/spin_iteration_estimate.h"
#include "checker/exec/loops/spin_multiply_executions.h"
#include "checker/exec/paths/control_dependencies.h"
#include "checker/exec/paths/symbolic.h"
#include "checker/exec/paths/thread_state.h"

/* The loops of the instructions `first` to `last` are over: in how many ways may they
 * have gone round as often as they have failed with something new to see?  Where the
 * condition to leave stands at the head, the last jump led there. */
static void count_rounds(const struct runner *r, struct thread_state *s, unsigned first, unsigned last) {
  for (unsigned i = first; s->counted_spins && i < last; i++) {
    if (!s->counted_spins[i] || !s->failed[i]) continue;
    unsigned leaves = iterations_start(r->thread, r->thread->instrs[i].target, i) > r->thread->instrs[i].target;
    s->path.ways = spin_count_ways(s->path.ways, r->limits->unroll - s->taken[i] - leaves, s->failed[i] - leaves);
  }
}

void path_end(const struct runner *r, struct thread_state *s) {
  count_rounds(r, s, 0, r->thread->instr_count);
  s->end = THREAD_ENDED;
}

/* Takes a backward jump, unless the bound on it, which counts in `taken`, is met. */
static void take_jump(const struct runner *r, struct thread_state *s, unsigned target, unsigned *taken, unsigned most) {
  unsigned from = s->pc;
  if (taken[from] >= most) {
    s->end = THREAD_CUT;
    return;
  }
  count_rounds(r, s, target, from);
  taken[from]++;
  state_room(r->arena, (void **)&s->path.jumps, &s->jump_room, s->path.jump_count, sizeof *s->path.jumps);
  s->path.jumps[s->path.jump_count++] = (struct jump_back){from, s->path.event_count};
  /* Loops inside this one start afresh. */
  memset(&s->taken[target], 0, (from - target) * sizeof s->taken[0]);
  memset(&s->failed[target], 0, (from - target) * sizeof s->failed[0]);
  s->pc = target;
}

static void jump_back(const struct runner *r, struct thread_state *s, unsigned target) {
  take_jump(r, s, target, s->taken, r->limits->unroll - s->failed[s->pc]);
}

/* Has the round that begins at `start` failed in vain?  Then it is noted where it repeats
 * the one before it. */
static bool fails(const struct runner *r, struct thread_state *s, unsigned start, bool counted) {
  const struct iteration *round = s->iterations_at[start];
  if (!round || !iteration_may_fail(round, r->thread, &s->path, s->dependencies)) return false;
  struct repeat repeat;
  if (!iterations_fail(r->arena, s->iterations_at, start, &s->path, &repeat)) return true;
  repeat.counted = counted;
  state_room(r->arena, (void **)&s->path.repeats, &s->repeat_room, s->path.repeat_count, sizeof repeat);
  s->path.repeats[s->path.repeat_count++] = repeat;
  return true;
}

/* Where a round begins of the loop that jumps back to `target` here.  With objects, at its head: that a host polls
 * in vain is seen by the bound on such loops (complete_candidate.c). */
static unsigned round_start(const struct runner *r, const struct thread_state *s, unsigned target) {
  return r->program->object_count ? target : iterations_start(r->thread, target, s->pc);
}

/* Another round begins: where one does after a condition, this holds. */
static void require_round(const struct runner *r, struct thread_state *s, unsigned start, unsigned target) {
  if (start > target) state_require(r, s, state_value(r, s, r->thread->instrs[target].value), true);
}

/* The bound may cut the thread here, or what is returned goes on. */
static struct thread_state *end_or_go_on(const struct runner *r, struct thread_state *s, unsigned start,
                                         unsigned target) {
  s->end = THREAD_OPEN;
  struct thread_state *cut = state_branch(r, s), *on = state_branch(r, s);
  cut->end = THREAD_CUT;
  require_round(r, cut, start, target);
  return on;
}

/* A jump back where failed rounds are told apart. */
static void await(const struct runner *r, struct thread_state *s, unsigned target) {
  unsigned start = round_start(r, s, target);
  bool leaves_first = start > target; /* one jump more than rounds that fail, to leave */
  const struct iteration *round = s->iterations_at[start];
  if (!fails(r, s, start, false)) {
    jump_back(r, s, target);
    return;
  }
  unsigned most = spin_most_rounds(r->program, r->thread_index, &s->path, round), least = r->limits->unroll;
  if (most + 1 < least) most = least - 1;
  if (r->limits->most_waits && most > r->limits->most_waits) most = r->limits->most_waits;
  if (r->limits->begins) s = end_or_go_on(r, s, start, target);
  take_jump(r, s, target, s->failed, most + leaves_first);
}

/* A jump back of a loop that polls: the bound may cut the thread here, after it has
 * failed in vain so often, or it goes on to see something new. */
static void poll(const struct runner *r, struct thread_state *s, unsigned target) {
  unsigned start = iterations_start(r->thread, target, s->pc), taken = s->taken[s->pc];
  if (!fails(r, s, start, true)) {
    jump_back(r, s, target);
    return;
  }
  struct thread_state *on = end_or_go_on(r, s, start, target);
  take_jump(r, on, target, on->failed, r->limits->unroll - taken);
}

/* A jump back where threads may stop: after a round that brings the thread to
 * where it was, if it reads the same for ever, it goes round for ever. */
static void stop_or_go_on(const struct runner *r, struct thread_state *s, unsigned target) {
  unsigned start = round_start(r, s, target);
  const struct iteration *round = s->iterations_at[start];
  s->path.busy = true;
  if (!round || !iteration_is_idle(round, &s->path)) {
    jump_back(r, s, target);
    return;
  }
  s->end = THREAD_OPEN;
  struct thread_state *idle = state_branch(r, s), *busy = state_branch(r, s);
  idle->end = THREAD_IDLE;
  idle->path.round = round->first;
  busy->path.busy = false;
  for (unsigned reg = 0; reg < r->thread->reg_count && idle->end == THREAD_IDLE; reg++) {
    if (!round->live[reg] || round->registers[reg] == s->path.registers[reg]) continue;
    state_require(r, idle, symbolic_apply(r->arena, EXPR_EQ, round->registers[reg], s->path.registers[reg], NULL),
                  true);
    busy->path.busy = true;
  }
  if (idle->end == THREAD_IDLE) require_round(r, idle, start, target);
  jump_back(r, busy, target);
}

void path_jump(const struct runner *r, struct thread_state *s, unsigned target) {
  if (target > s->pc) {
    if (s->iterations_at) iterations_leave(s->iterations_at, s->pc + 1, target);
    if (s->looks_at) iterations_leave(s->looks_at, s->pc + 1, target);
    s->pc = target;
  } else if (r->limits->stops)
    stop_or_go_on(r, s, target);
  else if (r->limits->cut_spins)
    await(r, s, target);
  else if (s->counted_spins && s->counted_spins[s->pc])
    poll(r, s, target);
  else
    jump_back(r, s, target);
}

static struct thread_place place_of(const struct thread_state *s) {
  return (struct thread_place){s->pc, &s->path, s->dependencies};
}

void path_note_round(const struct runner *r, struct thread_state *s) {
  if (s->iterations_at) iterations_note(r->arena, r->thread, s->iterations_at, place_of(s), !r->limits->stops);
}

bool path_in_vain(const struct runner *r, struct thread_state *s) {
  const struct spin_folds *spin_folds = r->limits->spin_folds;
  if (!spin_folds || !spin_folds_idle_round(r->arena, spin_folds, r->thread_index, s->looks_at, place_of(s)))
    return false;
  s->end = r->limits->begins ? THREAD_CUT : THREAD_IMPOSSIBLE;
  return true;
}

/* Where a branch leads back to the head of a loop at once, it is known before anybody follows it whether it
 * goes round in vain. */
static void follow_jumps(const struct runner *r, struct thread_state *s) {
  while (r->limits->spin_folds && s->end == THREAD_RUNNING && !path_in_vain(r, s) && s->pc < r->thread->instr_count &&
         r->thread->instrs[s->pc].kind == INSTR_JUMP) {
    path_note_round(r, s);
    path_jump(r, s, r->thread->instrs[s->pc].target);
  }
}

void path_meet_or_stop(const struct runner *r, struct thread_state *s) {
  s->end = THREAD_OPEN;
  state_branch(r, s);
  state_branch(r, s)->end = THREAD_BLOCKED;
}

void path_branch(const struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct expr *condition = state_settle(r, s, state_value(r, s, instr->value), 0);
  if (instr->condition && condition->kind != EXPR_CONST && path_fold(r, s)) return;
  if (instr->condition)
    arms_enter(r, s, instr);
  else
    s->ctrl = reads_union(r->arena, s->ctrl, state_dependencies(r, s, instr->value));
  if (condition->kind == EXPR_CONST) {
    if (condition->value)
      s->pc++;
    else
      path_jump(r, s, instr->target);
    return;
  }
  if (!instr->condition && path_fold(r, s)) return;
  s->end = THREAD_OPEN;
  struct thread_state *taken = state_branch(r, s);
  state_require(r, taken, condition, true);
  taken->pc++;
  struct thread_state *other = state_branch(r, s);
  state_require(r, other, condition, false);
  path_jump(r, other, instr->target);
  follow_jumps(r, taken);
  follow_jumps(r, other);
}
