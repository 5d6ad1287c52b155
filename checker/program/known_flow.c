/* SPDX-License-Identifier: MIT */
/* The code is followed from its beginning with what is known of registers.  Where another way leads to an instruction
 * that is there already, with the same known of the registers that are still used, the new code is joined to it. */
#include "checker/program/known_flow.h"

#include "checker/base/hash_table.h"
#include "checker/base/vec.h"
#include "checker/program/live_registers.h"

/* Steps and instructions that a thread is followed for. */
enum { MOST_STEPS = 20000 };

/* By register: a constant, or NULL. */
typedef const struct expr **values;

/* An instruction that is reached with this known, and where the new code has it. */
struct arrival {
  unsigned pc, at;
  values known;
};

/* A branch in the new code whose target is still to be followed. */
struct turn {
  unsigned branch, pc;
  values known;
};

struct flow {
  struct arena *arena;
  const struct thread *thread;
  const bool *live, *target; /* by instruction: it is jumped to */
  VEC(struct instr) code;
  VEC(struct arrival) arrivals;
  VEC(struct turn) turns;
  struct hash_table by_state;
};

/* ---- expressions ---- */

static const struct expr *fold(struct flow *f, values known, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST) return e;
  if (e->kind == EXPR_REG) return known[e->reg] ? known[e->reg] : e;
  const struct expr *a = fold(f, known, e->a), *b = fold(f, known, e->b), *c = fold(f, known, e->c);
  return a == e->a && b == e->b && c == e->c ? e : expr_operation(f->arena, e->kind, a, b, c);
}

/* An index that is known is none. */
static void fold_address(struct flow *f, values known, struct address *address) {
  const struct expr *index = address->index = fold(f, known, address->index);
  if (!index || index->kind != EXPR_CONST || index->value < 0 || index->value >= address->size) return;
  *address = (struct address){.base = address->base + (unsigned)index->value, .size = 1};
}

static struct instr folded(struct flow *f, values known, const struct instr *instr) {
  struct instr copy = *instr;
  copy.value = fold(f, known, instr->value);
  copy.expected = fold(f, known, instr->expected);
  copy.resource = fold(f, known, instr->resource);
  copy.quorum = fold(f, known, instr->quorum);
  fold_address(f, known, &copy.address);
  return copy;
}

/* ---- what is known where ---- */

static uint64_t state_hash(const struct flow *f, unsigned pc, values known) {
  uint64_t hash = hash_join(0, pc);
  const bool *live = f->live + (size_t)pc * f->thread->reg_count;
  for (unsigned r = 0; r < f->thread->reg_count; r++)
    if (live[r]) hash = hash_join(hash, known[r] ? (uint64_t)known[r]->value : 0);
  return hash;
}

static bool same_state(const struct flow *f, const struct arrival *a, unsigned pc, values known) {
  const bool *live = f->live + (size_t)pc * f->thread->reg_count;
  bool same = a->pc == pc;
  for (unsigned r = 0; same && r < f->thread->reg_count; r++)
    same = !live[r] || (!a->known[r] == !known[r] && (!known[r] || a->known[r]->value == known[r]->value));
  return same;
}

/* Where the new code has this already; else it is noted that it comes here, and false. */
static bool find_arrival(struct flow *f, unsigned pc, values known, unsigned *at) {
  uint64_t hash = state_hash(f, pc, known);
  HASH_EACH (slot, &f->by_state, hash) {
    const struct arrival *arrival = &f->arrivals.at[hash_number(&f->by_state, slot)];
    *at = arrival->at;
    if (same_state(f, arrival, pc, known)) return true;
  }
  hash_add(f->arena, &f->by_state, hash, (uint32_t)f->arrivals.count);
  *vec_push(f->arena, &f->arrivals) = (struct arrival){
      pc, (unsigned)f->code.count, ARENA_COPY(f->arena, const struct expr *, known, f->thread->reg_count)};
  return false;
}

/* ---- the code ---- */

static bool is_short(const struct flow *f) {
  return f->code.count + f->arrivals.count < MOST_STEPS;
}

static void jump_to(struct flow *f, unsigned at) {
  *vec_push(f->arena, &f->code) = (struct instr){.kind = INSTR_JUMP, .reg = NO_REG, .barrier_label = -1, .target = at};
}

/* From an instruction on, as far as it goes: to the end, or to where the new code has been.  `noted`: that it begins
 * here is. */
static void follow(struct flow *f, unsigned pc, values known, bool noted) {
  const struct thread *thread = f->thread;
  for (; is_short(f); noted = false) {
    unsigned at;
    if (pc == thread->instr_count) {
      jump_to(f, UINT32_MAX);
      return;
    }
    if (!noted && f->target[pc] && find_arrival(f, pc, known, &at)) {
      jump_to(f, at);
      return;
    }
    struct instr instr = folded(f, known, &thread->instrs[pc++]);
    bool constant = instr.value && instr.value->kind == EXPR_CONST;
    if (instr.kind == INSTR_JUMP || (instr.kind == INSTR_BRANCH && constant)) {
      if (instr.kind == INSTR_JUMP || !instr.value->value) pc = instr.target;
      continue;
    }
    if (instr.reg != NO_REG) known[instr.reg] = instr.kind == INSTR_ASSIGN && constant ? instr.value : NULL;
    if (instr.kind == INSTR_ASSIGN && constant) continue;
    if (instr.kind == INSTR_BRANCH)
      *vec_push(f->arena, &f->turns) = (struct turn){
          (unsigned)f->code.count, instr.target, ARENA_COPY(f->arena, const struct expr *, known, thread->reg_count)};
    *vec_push(f->arena, &f->code) = instr;
  }
}

static void follow_turns(struct flow *f) {
  while (f->turns.count && is_short(f)) {
    struct turn turn = f->turns.at[--f->turns.count];
    unsigned at = (unsigned)f->code.count;
    bool end = turn.pc == f->thread->instr_count, known = !end && find_arrival(f, turn.pc, turn.known, &at);
    f->code.at[turn.branch].target = end ? UINT32_MAX : at;
    if (!end && !known) follow(f, turn.pc, turn.known, true);
  }
}

void thread_follow_known(struct arena *arena, struct thread *thread) {
  struct flow f = {.arena = arena, .thread = thread, .live = live_registers(arena, thread, NULL)};
  bool *target = ARENA_ARRAY(arena, bool, thread->instr_count + 1u);
  values known = ARENA_ARRAY(arena, const struct expr *, thread->reg_count + 1u);
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (instr_jumps(&thread->instrs[i])) target[thread->instrs[i].target] = true;
  for (unsigned r = 0; r < thread->reg_count; r++) known[r] = expr_constant(arena, thread->reg_init[r]);
  f.target = target;
  follow(&f, 0, known, false);
  follow_turns(&f);
  if (!is_short(&f)) return;
  struct instr *last = &f.code.at[f.code.count - 1]; /* to the end, which is there */
  f.code.count -= last->kind == INSTR_JUMP && last->target == UINT32_MAX;
  for (size_t i = 0; i < f.code.count; i++)
    if (instr_jumps(&f.code.at[i]) && f.code.at[i].target == UINT32_MAX) f.code.at[i].target = (unsigned)f.code.count;
  thread->instrs = f.code.at;
  thread->instr_count = (unsigned)f.code.count;
}
