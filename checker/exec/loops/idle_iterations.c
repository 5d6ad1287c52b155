/* SPDX-License-Identifier: MIT */
/* Heads of loops are the targets of backward jumps.  In `while (r != 3) r = load(x);` r lives on at the head, with
 * another value each time; after the condition it is dead, and iterations are alike. */
#include "checker/exec/loops/idle_iterations.h"

#include <string.h>

#include "checker/exec/paths/symbolic.h"
#include "checker/program/live_registers.h"

const struct iteration **iterations_new(struct arena *arena, const struct thread *thread) {
  return ARENA_ARRAY(arena, const struct iteration *, thread->instr_count + 1);
}

const struct iteration **iterations_copy(struct arena *arena, const struct thread *thread,
                                         const struct iteration *const *iterations) {
  const struct iteration **copy = iterations_new(arena, thread);
  memcpy(copy, iterations, (thread->instr_count + 1) * sizeof *copy);
  return copy;
}

unsigned iterations_start(const struct thread *thread, unsigned target, unsigned from) {
  const struct instr *first = &thread->instrs[target];
  return first->kind == INSTR_BRANCH && first->target > from ? target + 1 : target;
}

/* Does an iteration begin here: at the head of a loop, or after the condition that is its head? */
static bool begins_round(const struct thread *thread, unsigned pc) {
  if (thread_jumps_to(thread, pc, thread->instr_count, pc)) return true;
  for (unsigned i = pc; pc > 0 && i < thread->instr_count; i++)
    if (instr_jumps(&thread->instrs[i]) && thread->instrs[i].target == pc - 1 &&
        iterations_start(thread, pc - 1, i) == pc)
      return true;
  return false;
}

const bool *iterations_named(struct arena *arena, const struct thread *thread) {
  bool *named = ARENA_ARRAY(arena, bool, thread->reg_count + 1u);
  for (unsigned reg = 0; reg < thread->reg_count; reg++) named[reg] = thread->reg_names[reg];
  return named;
}

static struct iteration *begin(struct arena *arena, const struct thread *thread, const bool *live,
                               const struct path *path, const struct reads *const *dependencies) {
  return ARENA_MAKE(arena, struct iteration, .first = path->event_count, .conditions = path->condition_count,
                    .registers = arena_copy(arena, path->registers, thread->reg_count, sizeof(void *)),
                    .dependencies = arena_copy(arena, dependencies, thread->reg_count, sizeof(void *)), .live = live);
}

const struct iteration *iteration_begin(struct arena *arena, const struct thread *thread, const bool *live,
                                        const struct path *path, const struct reads *const *dependencies) {
  return begin(arena, thread, live, path, dependencies);
}

void iterations_note(struct arena *arena, const struct thread *thread, const struct iteration **iterations,
                     struct thread_place at, bool ends) {
  if (at.pc >= thread->instr_count || !begins_round(thread, at.pc)) return;
  const struct iteration *last = iterations[at.pc];
  const bool *shown = ends && !last ? iterations_named(arena, thread) : NULL;
  const bool *live = last ? last->live : live_registers(arena, thread, shown) + (size_t)at.pc * thread->reg_count;
  struct iteration *iteration = begin(arena, thread, live, at.path, at.dependencies);
  iteration->follows = last && last->failed;
  iteration->before = iteration->follows ? last->first : 0;
  iterations[at.pc] = iteration;
}

void iterations_leave(const struct iteration **iterations, unsigned from, unsigned to) {
  for (unsigned pc = from; pc < to; pc++) iterations[pc] = NULL;
}

bool iteration_is_idle(const struct iteration *iteration, const struct path *path) {
  for (unsigned i = iteration->first; i < path->event_count; i++) {
    enum event_kind kind = path->events[i].event.kind;
    if (kind != EVENT_READ && kind != EVENT_FENCE && kind != EVENT_MEET && kind != EVENT_MARK) return false;
  }
  return true;
}

/* May a failed iteration hold this event?  Nothing releases, and what is written takes
 * the place of what was read. */
static bool may_repeat(const struct event *event) {
  if (event->kind == EVENT_READ) return true;
  if (order_releases(event->order) || event->barrier_entry || event->barrier_exit) return false;
  return event->kind == EVENT_FENCE || (event->kind == EVENT_WRITE && event->rmw);
}

/* Does a condition of the path say that the expression has a value? */
static bool is_settled(const struct path_condition *condition, const struct expr *e, int64_t value) {
  bool result;
  int64_t pinned;
  if (symbolic_settles(condition->value, condition->nonzero, e, &result))
    return result == (value != 0) && (!result || (value == 1 && expr_is_truth(e->kind)));
  return condition->nonzero && symbolic_pins(condition->value, e, &pinned) && pinned == value;
}

/* Is it the value that was there before, whatever the path has read? */
static bool same_value(const struct path *path, const struct expr *before, const struct expr *now) {
  if (before == now) return true;
  if (before->kind != EXPR_CONST) return false;
  if (now->kind == EXPR_CONST) return before->value == now->value;
  for (unsigned i = path->condition_count; i-- > 0;)
    if (is_settled(&path->conditions[i], now, before->value)) return true;
  return false;
}

/* How many of the reads are before an event. */
static unsigned reads_before(const struct reads *reads, unsigned event) {
  unsigned count = reads->count;
  while (count && reads->at[count - 1] >= event) count--;
  return count;
}

/* Reads of the iteration itself are gone where it is left out. */
static bool same_reads(const struct iteration *iteration, const struct reads *a, const struct reads *b) {
  if (a == b) return true;
  unsigned count = reads_before(b, iteration->first);
  return a->count == count && (!count || !memcmp(a->at, b->at, count * sizeof a->at[0]));
}

bool iteration_keeps_registers(const struct iteration *iteration, const struct thread *thread, const struct path *path,
                               const struct reads *const *dependencies) {
  for (unsigned reg = 0; reg < thread->reg_count; reg++)
    if (iteration->live[reg] && (!same_value(path, iteration->registers[reg], path->registers[reg]) ||
                                 !same_reads(iteration, iteration->dependencies[reg], dependencies[reg])))
      return false;
  return true;
}

bool iteration_may_fail(const struct iteration *iteration, const struct thread *thread, const struct path *path,
                        const struct reads *const *dependencies) {
  for (unsigned i = iteration->first; i < path->event_count; i++)
    if (!may_repeat(&path->events[i].event)) return false;
  return iteration_keeps_registers(iteration, thread, path, dependencies);
}

bool iterations_fail(struct arena *arena, const struct iteration **iterations, unsigned pc, const struct path *path,
                     struct repeat *repeat) {
  struct iteration *iteration = ARENA_COPY(arena, struct iteration, iterations[pc], 1);
  iteration->failed = true;
  iterations[pc] = iteration;
  unsigned count = path->event_count - iteration->first;
  *repeat = (struct repeat){iteration->before, iteration->first, count, false};
  if (!iteration->follows || iteration->first - iteration->before != count) return false;
  for (unsigned i = 0; i < count; i++) {
    const struct event *a = &path->events[iteration->before + i].event, *b = &path->events[iteration->first + i].event;
    if (a->instr != b->instr || !event_alike(a, b)) return false;
  }
  return true;
}
