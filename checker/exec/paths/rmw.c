/* SPDX-License-Identifier: MIT */
/* Read-modify-writes, compare-and-swaps, locks. */
#include "checker/base/tags.h"
#include "checker/exec/paths/symbolic.h"
#include "checker/exec/paths/thread_state.h"
#include "checker/program/mbarrier.h"

/* As in rmw_apply. */
static const struct expr *step_mbarrier(struct arena *arena, const struct expr *value) {
  const struct expr *most = expr_constant(arena, MBARRIER_MOST), *none = expr_constant(arena, 0);
  const struct expr *pending = symbolic_apply(arena, EXPR_AND, value, most, NULL);
  const struct expr *transactions =
      symbolic_apply(arena, EXPR_SHR, value, expr_constant(arena, MBARRIER_TRANSACTIONS), NULL);
  const struct expr *ends = symbolic_apply(arena, EXPR_LAND, symbolic_apply(arena, EXPR_EQ, pending, none, NULL),
                                           symbolic_apply(arena, EXPR_EQ, transactions, none, NULL), NULL);
  const struct expr *next =
      symbolic_apply(arena, EXPR_AND,
                     symbolic_apply(arena, EXPR_SHR, value, expr_constant(arena, MBARRIER_EXPECTED), NULL), most, NULL);
  const struct expr *turned =
      symbolic_apply(arena, EXPR_XOR, value, expr_constant(arena, INT64_C(1) << MBARRIER_PARITY), NULL);
  return symbolic_apply(arena, EXPR_COND, ends, symbolic_apply(arena, EXPR_ADD, turned, next, NULL), value);
}

/* `next` where it is less than the operand, else `beyond`. */
static const struct expr *wrapping(struct arena *arena, const struct expr *compared, const struct expr *operand,
                                   const struct expr *next, const struct expr *beyond) {
  return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_ULT, compared, operand, NULL), next, beyond);
}

static const struct expr *rmw_result(struct arena *arena, enum rmw_op op, const struct expr *old,
                                     const struct expr *operand) {
  const struct expr *one = expr_constant(arena, 1);
  switch (op) {
    case RMW_EXCHANGE:
      return operand;
    case RMW_MIN:
      return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_LT, old, operand, NULL), old, operand);
    case RMW_MAX:
      return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_GT, old, operand, NULL), old, operand);
    case RMW_UMIN:
      return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_ULT, old, operand, NULL), old, operand);
    case RMW_UMAX:
      return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_ULT, operand, old, NULL), old, operand);
    case RMW_INC:
      return wrapping(arena, old, operand, symbolic_apply(arena, EXPR_ADD, old, one, NULL), expr_constant(arena, 0));
    case RMW_DEC: {
      const struct expr *less = symbolic_apply(arena, EXPR_SUB, old, one, NULL);
      return wrapping(arena, less, operand, less, operand);
    }
    case RMW_FADD:
    case RMW_FADD_FLUSH:
    case RMW_FADD_LONG:
      return rmw_float_sum(arena, op, old, operand, symbolic_apply);
    case RMW_MBARRIER:
      return step_mbarrier(arena, symbolic_apply(arena, EXPR_ADD, old, operand, NULL));
    default:
      return symbolic_apply(arena, rmw_arithmetic(op), old, operand, NULL);
  }
}

void path_rmw(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  const struct expr *operand = state_value(r, s, instr->value);
  const struct reads *data = state_dependencies(r, s, instr->value);
  unsigned read = path_add_read(r, s, instr, cell);
  const struct expr *old = s->path.events[read].value;
  const struct reads *from = reads_one(r->arena, read);
  const struct reads *into = instr->op == RMW_EXCHANGE ? data : reads_union(r->arena, data, from);
  const struct expr *result = rmw_result(r->arena, instr->op, old, operand);
  const struct expr *value = expr_fit(r->arena, instr->width, result, symbolic_apply);
  path_add_rmw_write(r, s, instr, cell, read, (struct written){value, into});
  state_set_register(s, instr->reg, old, from);
}

static const struct expr *expected_value(struct runner *r, struct thread_state *s, const struct instr *instr,
                                         struct cell at, const struct reads **dependencies) {
  if (!instr->expected_in_memory) {
    *dependencies = state_dependencies(r, s, instr->expected);
    return state_value(r, s, instr->expected);
  }
  unsigned read = path_add_read(r, s, instr, at);
  path_make_ordinary(&s->path.events[read].event);
  *dependencies = reads_one(r->arena, read);
  return s->path.events[read].value;
}

/* Is the read the same event either way, but that on success it is half of a
 * read-modify-write, and may have another order?  Then the path has it before the fork. */
static bool reads_first(const struct runner *r, const struct instr *instr) {
  if (!r->limits->reads_first || instr->around || instr->fails_apart || instr->split) return false;
  if (instr->failure == instr->order) return true;
  return instr->order != ORDER_NA && instr->failure != ORDER_NA;
}

/* A compare-and-swap on its way to the fork. */
struct swap {
  const struct instr *instr;
  struct cell cell, at; /* `at`: of the value expected */
  const struct expr *expected;
  const struct reads *dependencies; /* of the value expected */
  bool has_read;
};

/* On a branch: the read, in events that are the branch's own. */
static unsigned cas_read(struct runner *r, struct thread_state *s, const struct swap *swap) {
  if (!swap->has_read) return path_add_read(r, s, swap->instr, swap->cell);
  state_room(r->arena, (void **)&s->path.events, &s->event_room, s->path.event_count, sizeof *s->path.events);
  s->path.events[s->path.event_count - 1].event.order_open = false;
  return s->path.event_count - 1;
}

static void cas_fails(struct runner *r, struct thread_state *s, const struct swap *swap) {
  const struct instr *instr = swap->instr;
  unsigned read = cas_read(r, s, swap);
  s->path.events[read].event.order = instr->failure;
  if (instr->fails_apart) s->path.events[read].event.tags = instr->tags | instr->failed_tags;
  const struct expr *seen = s->path.events[read].value;
  if (!instr->weak) state_require(r, s, symbolic_apply(r->arena, EXPR_NE, seen, swap->expected, NULL), !instr->unless);
  const struct reads *from = reads_one(r->arena, read);
  if (instr->writeback && instr->expected_in_memory) {
    path_add_write(r, s, instr, swap->at, seen, from);
    path_make_ordinary(&s->path.events[s->path.event_count - 1].event);
  }
  state_set_register(s, instr->reg, instr->returns_old ? seen : expr_constant(r->arena, 0), from);
  s->pc++;
}

/* One of the two fences around a compare-and-swap that succeeds, if it has them. */
static void add_fence(struct runner *r, struct thread_state *s, const struct instr *instr) {
  if (!instr->around) return;
  struct event *fence = &path_add_event(r, s, EVENT_FENCE, instr)->event;
  fence->tags = instr->around;
  fence->order = ORDER_NA;
}

/* On success the value read is the value expected, not a variable: a cycle of
 * values that only passes through the comparison is no cycle (as herd unifies
 * the two). */
static void cas_succeeds(struct runner *r, struct thread_state *s, const struct swap *swap) {
  const struct instr *instr = swap->instr;
  const struct expr *expected = swap->expected, *desired = state_value(r, s, instr->value);
  const struct reads *data = state_dependencies(r, s, instr->value);
  add_fence(r, s, instr);
  unsigned read = cas_read(r, s, swap);
  const struct reads *from = reads_one(r->arena, read);
  const struct expr *old = s->path.events[read].value;
  state_require(r, s, symbolic_apply(r->arena, EXPR_EQ, old, expected, NULL), !instr->unless);
  if (instr->unless) {
    desired = symbolic_apply(r->arena, EXPR_ADD, old, desired, NULL);
    data = reads_union(r->arena, data, from);
  } else {
    s->path.events[read].value = expected;
  }
  /* For the model of the Linux kernel, as in herd7, to compare is no dependency. */
  const struct reads *compared = instr->fails_apart ? &no_reads : reads_union(r->arena, swap->dependencies, from);
  const struct reads *ctrl = s->ctrl;
  s->ctrl = reads_union(r->arena, ctrl, compared);
  path_add_rmw_write(r, s, instr, swap->cell, read, (struct written){desired, data});
  s->ctrl = ctrl;
  add_fence(r, s, instr);
  state_set_register(s, instr->reg, instr->returns_old ? expected : expr_constant(r->arena, 1),
                     reads_union(r->arena, compared, from));
  s->pc++;
}

/* PTX's writes back what it read where that is not what was expected. */
static void cas_rewrites(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  const struct expr *expected = state_value(r, s, instr->expected), *desired = state_value(r, s, instr->value);
  const struct reads *data =
      reads_union(r->arena, state_dependencies(r, s, instr->expected), state_dependencies(r, s, instr->value));
  unsigned read = path_add_read(r, s, instr, cell);
  const struct expr *old = s->path.events[read].value;
  const struct reads *from = reads_one(r->arena, read);
  const struct expr *equal = symbolic_apply(r->arena, EXPR_EQ, old, expected, NULL);
  const struct expr *value = symbolic_apply(r->arena, EXPR_COND, equal, desired, old);
  path_add_rmw_write(r, s, instr, cell, read, (struct written){value, reads_union(r->arena, data, from)});
  state_set_register(s, instr->reg, old, from);
  s->pc++;
}

void path_cas(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell, struct cell at) {
  if (instr->rewrites) {
    cas_rewrites(r, s, instr, cell);
    return;
  }
  struct swap swap = {.instr = instr, .cell = cell, .at = at};
  swap.expected = expected_value(r, s, instr, at, &swap.dependencies);
  swap.has_read = reads_first(r, instr);
  if (swap.has_read) {
    unsigned read = path_add_read(r, s, instr, cell);
    s->path.events[read].event.order_open = instr->failure != instr->order;
  }
  s->end = THREAD_OPEN;
  cas_fails(r, state_branch(r, s), &swap);
  cas_succeeds(r, state_branch(r, s), &swap);
}

/* The lock is had: nothing that follows depends on what was read, for it is known. */
static void lock_taken(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  unsigned read = path_add_read(r, s, instr, cell);
  s->path.events[read].event.tags = tag_bit(TAG_LKR);
  state_require(r, s, s->path.events[read].value, false);
  path_add_rmw_write(r, s, instr, cell, read, (struct written){expr_constant(r->arena, 1), &no_reads});
  s->path.events[s->path.event_count - 1].event.tags = tag_bit(TAG_LKW);
  state_set_register(s, instr->reg, expr_constant(r->arena, 1), &no_reads);
  s->pc++;
}

/* The lock is looked at, and found taken or not. */
static void lock_seen(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                      enum tag tag, int64_t result) {
  unsigned read = path_add_read(r, s, instr, cell);
  s->path.events[read].event.tags = tag_bit(tag);
  state_require(r, s, s->path.events[read].value, tag != TAG_RU);
  state_set_register(s, instr->reg, expr_constant(r->arena, result), &no_reads);
  s->pc++;
}

void path_lock(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  if (instr->lock == LOCK_TAKE) {
    lock_taken(r, s, instr, cell);
    return;
  }
  s->end = THREAD_OPEN;
  struct thread_state *first = state_branch(r, s), *second = state_branch(r, s);
  if (instr->lock == LOCK_TRY)
    lock_taken(r, first, instr, cell);
  else
    lock_seen(r, first, instr, cell, TAG_RU, 0);
  if (instr->lock == LOCK_TRY)
    lock_seen(r, second, instr, cell, TAG_LF, 0);
  else
    lock_seen(r, second, instr, cell, TAG_RL, 1);
}
