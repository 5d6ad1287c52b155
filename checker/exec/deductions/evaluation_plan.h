/* SPDX-License-Identifier: MIT */
/* What a model's graph alone says of how it is to be evaluated: which nodes
 * matter, which can vary, and what more events can take away. */
#ifndef LITSCOPE_EXEC_DEDUCTIONS_EVALUATION_PLAN_H
#define LITSCOPE_EXEC_DEDUCTIONS_EVALUATION_PLAN_H

#include "checker/base/arena.h"
#include "checker/cat/ir.h"

/* What a candidate chooses: relations of which some pairs are decided, some open. */
enum choice {
  CHOICE_RF,
  CHOICE_CO,
  CHOICE_FENCES,   /* sync_fence: an order of PTX's sequentially consistent fences */
  CHOICE_MEETINGS, /* syncbar, where barriers with a quorum choose who synchronises */
  CHOICES
};

/* Besides choices: some event's order is open. */
enum { PLAN_ORDERS_OPEN = 1u << CHOICES, PLANS = 1u << (CHOICES + 1) };

static inline unsigned choice_bit(enum choice choice) {
  return 1u << choice;
}

/* The two bounds of what is not decided yet. */
enum side { LOWER, UPPER, SIDES };

static inline enum side other_side(enum side side) {
  return side == LOWER ? UPPER : LOWER;
}

/* The bound of operand `i` (0: a, 1: b) that one bound of a node is made of:
 * complements and right sides of differences swap. */
static inline enum side operand_side(enum cat_op op, unsigned i, enum side side) {
  return op == CAT_COMPL || (op == CAT_DIFF && i == 1) ? other_side(side) : side;
}

struct plan {
  const struct cat_ir *ir;
  unsigned chosen;
  bool *needed;   /* by node: some check that is not left out stands on it */
  uint32_t *list; /* these nodes, operands first, */
  uint32_t count;
  uint32_t *slot;  /* and by node its place among them; UINT32_MAX: it is not needed */
  bool *dynamic;   /* it depends on what is chosen */
  bool *late;      /* it has a value at complete candidates only */
  bool *within_co; /* its value always lies in co, which is transitive and irreflexive */
  bool *unstable;  /* what may yet come may take something from its lower bound */
};

/* `chosen`: the choices that there are in this structure, as bits, and PLAN_ORDERS_OPEN. */
struct plan plan_new(struct arena *arena, const struct cat_ir *ir, const bool *skip, unsigned chosen);

/* The same for the search's bounds, which look at checks alone: of a graph of the same nodes, with fewer of them to
 * keep up to date. */
struct plan plan_for_bounds(struct arena *arena, const struct cat_ir *ir, const bool *skip, unsigned chosen);

/* Is a pair's (an event's) membership decided by its two events alone, whatever
 * others there are?  Sets `local` for every such node.  Unless the events are `whole`, a
 * read may yet turn out to be half of a read-modify-write, and to have an order. */
void plan_find_local(const struct plan *plan, bool whole, bool *local);

/* The choice that a predefined name is, or CHOICES. */
enum choice plan_choice(enum cat_base base);

/* Is a base chosen, or made of what is chosen? */
bool plan_varies(enum cat_base base, unsigned chosen);

static inline bool is_binary(enum cat_op op) {
  return cat_operand_count(op) == 2;
}

static inline bool is_nullary(enum cat_op op) {
  return cat_operand_count(op) == 0;
}

#endif
