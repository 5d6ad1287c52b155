/* SPDX-License-Identifier: MIT */
/* Forks on what an instruction evaluates before it does anything: divisors that
 * may be zero, indices that are not known.
 */
#include "checker/exec/paths/symbolic.h"
#include "checker/exec/paths/thread_state.h"

/* Division by what may be zero: on that branch the program is undefined.  Operands
 * that C would not evaluate are left alone: their value is then not used either.
 * The last branch is the one on which nothing divides by zero. */
static struct thread_state *guard_divisions(const struct runner *r, struct thread_state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST || e->kind == EXPR_REG) return s;
  s = guard_divisions(r, s, e->a);
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR || e->kind == EXPR_COND) return s;
  s = guard_divisions(r, s, e->b);
  if (!expr_divides(e)) return s;
  const struct expr *divisor = state_value(r, s, e->b);
  if (divisor->kind == EXPR_CONST) {
    if (!divisor->value) s->end = THREAD_UNDEFINED;
    return s;
  }
  s->end = THREAD_OPEN;
  struct thread_state *zero = state_branch(r, s);
  state_require(r, zero, divisor, false);
  zero->end = THREAD_UNDEFINED;
  struct thread_state *other = state_branch(r, s);
  state_require(r, other, divisor, true);
  return other;
}

/* A branch for each value that an unknown index can have (a certificate has each of the array), and one for an index
 * outside the array. */
static void fork_on_index(const struct runner *r, struct thread_state *s, const struct address *address,
                          const struct expr *index, unsigned which) {
  struct arena *arena = r->arena;
  unsigned size = address->size;
  s->end = THREAD_OPEN;
  for (unsigned i = 0; i < size; i++) {
    if (!r->limits->forks && !address_may_have(address, i)) continue;
    struct thread_state *branch = state_branch(r, s);
    branch->pinned[which] = i;
    state_require(r, branch, symbolic_apply(arena, EXPR_EQ, index, expr_constant(arena, i), NULL), true);
  }
  struct thread_state *outside = state_branch(r, s);
  const struct expr *low = symbolic_apply(arena, EXPR_LT, index, expr_constant(arena, 0), NULL);
  const struct expr *high = symbolic_apply(arena, EXPR_GE, index, expr_constant(arena, size), NULL);
  state_require(r, outside, symbolic_apply(arena, EXPR_LOR, low, high, NULL), true);
  outside->end = THREAD_UNDEFINED;
}

/* The value that an index is known to have on this path, since another access has been to the same.  (A certificate has
 * each fork.) */
static bool find_pinned(const struct runner *r, const struct thread_state *s, const struct expr *index,
                        int64_t *value) {
  for (unsigned i = 0; i < s->path.condition_count && !r->limits->forks; i++)
    if (s->path.conditions[i].nonzero && symbolic_pins(s->path.conditions[i].value, index, value)) return true;
  return false;
}

/* Finds the cell that an address names; leaves THREAD_RUNNING when the thread
 * forks on the index or ends. */
void cell_resolve(const struct runner *r, struct thread_state *s, const struct address *address, unsigned which,
                  struct cell *cell) {
  *cell = (struct cell){(int)address->base, (int)address->base, &no_reads};
  if (!address->index) return;
  cell->dependencies = state_dependencies(r, s, address->index);
  const struct expr *index = state_value(r, s, address->index);
  int64_t at = index->kind == EXPR_CONST ? index->value : s->pinned[which];
  if (index->kind != EXPR_CONST && at < 0 && !find_pinned(r, s, index, &at)) {
    fork_on_index(r, s, address, index, which);
    return;
  }
  if (at >= 0 && at < (int64_t)address->size)
    cell->name = cell->location += (int)at;
  else
    s->end = THREAD_UNDEFINED;
}

bool divisions_fork(const struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct expr one = {.kind = EXPR_CONST, .value = 1}, quotient = {.kind = EXPR_DIV, .a = &one, .b = instr->value};
  bool by_value = instr->kind == INSTR_RMW && instr->op == RMW_DIV;
  const struct expr *evaluated[] = {instr->address.index, instr->expected_at.index,
                                    by_value ? &quotient : instr->value};
  if (s->divisions_checked) {
    s->divisions_checked = false;
    return false;
  }
  struct thread_state *last = s;
  for (unsigned i = 0; i < 3 && last->end != THREAD_UNDEFINED; i++)
    if (expr_has(evaluated[i], expr_divides)) last = guard_divisions(r, last, evaluated[i]);
  if (last != s) last->divisions_checked = true;
  return last != s || s->end != THREAD_RUNNING;
}
