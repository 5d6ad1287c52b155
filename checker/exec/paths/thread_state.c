/* SPDX-License-Identifier: MIT */
/* A thread on its way: copies of it, the branches along which it can go on, what
 * must hold on each, and what its registers hold.
 */
#include "checker/exec/paths/thread_state.h"

#include <string.h>

#include "checker/exec/paths/symbolic.h"

struct thread_state *state_copy(const struct runner *r, const struct thread_state *from) {
  struct arena *arena = r->arena;
  const struct thread *thread = r->thread;
  struct thread_state *copy = ARENA_COPY(arena, struct thread_state, from, 1);
  copy->path.registers = ARENA_COPY(arena, const struct expr *, from->path.registers, thread->reg_count);
  copy->dependencies = ARENA_COPY(arena, const struct reads *, from->dependencies, thread->reg_count);
  copy->taken = ARENA_COPY(arena, unsigned, from->taken, thread->instr_count);
  copy->failed = ARENA_COPY(arena, unsigned, from->failed, thread->instr_count);
  copy->rounds = ARENA_COPY(arena, unsigned, from->rounds, r->program->barrier_label_count + 1);
  if (from->joins) {
    copy->begun = ARENA_COPY(arena, unsigned, from->begun, thread->instr_count);
    copy->hidden_in = ARENA_COPY(arena, const struct reads *, from->hidden_in, thread->reg_count);
  }
  if (from->iterations_at) copy->iterations_at = iterations_copy(arena, thread, from->iterations_at);
  if (from->looks_at) copy->looks_at = iterations_copy(arena, thread, from->looks_at);
  copy->event_room = copy->condition_room = copy->repeat_room = copy->jump_room = 0;
  copy->branches.at = NULL;
  copy->branches.count = copy->branches.room = 0;
  return copy;
}

struct thread_state *state_branch(const struct runner *r, struct thread_state *s) {
  struct thread_state *branch = state_copy(r, s);
  branch->end = THREAD_RUNNING;
  branch->path.identity = s->path.identity * 31 + s->branches.count + 1;
  *vec_push(r->arena, &s->branches) = branch;
  return branch;
}

void state_room(struct arena *arena, void **at, unsigned *room, unsigned count, size_t size) {
  if (count < *room) return;
  *room = count < 8 ? 16 : count * 2;
  void *larger = arena_array(arena, *room, size);
  if (count) memcpy(larger, *at, count * size);
  *at = larger;
}

void state_require(const struct runner *r, struct thread_state *s, const struct expr *e, bool nonzero) {
  if (e->kind == EXPR_CONST) {
    if ((e->value != 0) != nonzero) s->end = THREAD_IMPOSSIBLE;
    return;
  }
  state_room(r->arena, (void **)&s->path.conditions, &s->condition_room, s->path.condition_count,
             sizeof *s->path.conditions);
  s->path.conditions[s->path.condition_count++] = (struct path_condition){e, nonzero};
}

const struct expr *state_settle(const struct runner *r, const struct thread_state *s, const struct expr *truth,
                                unsigned from) {
  bool result;
  for (unsigned i = from; i < s->path.condition_count && !r->limits->forks && truth->kind != EXPR_CONST; i++)
    if (symbolic_settles(s->path.conditions[i].value, s->path.conditions[i].nonzero, truth, &result))
      truth = expr_constant(r->arena, result);
  return truth;
}

void state_settle_registers(const struct runner *r, struct thread_state *s, unsigned from) {
  for (unsigned reg = 0; r->limits->settles && reg < r->thread->reg_count; reg++)
    if (expr_is_truth(s->path.registers[reg]->kind))
      s->path.registers[reg] = state_settle(r, s, s->path.registers[reg], from);
}

/* Reads on which a source expression's value depends. */
const struct reads *state_dependencies(const struct runner *r, const struct thread_state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST) return &no_reads;
  if (e->kind == EXPR_REG) return s->dependencies[e->reg];
  const struct reads *dependencies = state_dependencies(r, s, e->a);
  dependencies = reads_union(r->arena, dependencies, state_dependencies(r, s, e->b));
  return reads_union(r->arena, dependencies, state_dependencies(r, s, e->c));
}

const struct expr *state_value(const struct runner *r, const struct thread_state *s, const struct expr *e) {
  return symbolic_substitute(r->arena, e, s->path.registers);
}

void state_set_register(struct thread_state *s, int reg, const struct expr *value, const struct reads *dependencies) {
  if (reg == NO_REG) return;
  s->path.registers[reg] = value;
  s->dependencies[reg] = dependencies;
  if (s->joins) s->hidden_in[reg] = s->hidden;
}
