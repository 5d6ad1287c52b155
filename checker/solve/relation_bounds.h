/* SPDX-License-Identifier: MIT */
/* What a model's relations are in every candidate of a program.
 *
 * Over all events of a tree at once, each node of the model's graph has two bounds: a
 * pair in the lower one is in the node's value wherever both events are executed, and a
 * pair outside the upper one never is.  What is decided so needs no reason (conflict_clauses.h).
 */
#ifndef LITSCOPE_SOLVE_RELATION_BOUNDS_H
#define LITSCOPE_SOLVE_RELATION_BOUNDS_H

#include "checker/cat/cat.h"
#include "checker/exec/deductions/evaluation_plan.h"
#include "checker/exec/execution.h"
#include "checker/solve/formula.h"

/* Does each pair of it depend on few literals of the formula? */
static inline bool has_literals(enum cat_base base) {
  return base == BASE_RF || base == BASE_CO || base == BASE_FR || base == BASE_SYNC_FENCE || base == BASE_SAME_B;
}

struct relation_bounds {
  struct execution all; /* the events of all paths, as if they were one, with all sources and orders that can be */
  struct shape shape;   /* of the tree's events */
  word **lower;         /* by node */
  word **upper;
};

/* Is (a, b), or, of a set, `a`, in one of the bounds (`lower`, `upper`) of a node? */
static inline bool bound_has(const struct relation_bounds *bounds, word *const *bound, const struct cat_ir *ir,
                             uint32_t node, unsigned a, unsigned b) {
  return ir->nodes[node].type == CAT_SET ? set_has(bound[node], a) : rel_has(bounds->shape, bound[node], a, b);
}

/* Bounds of all nodes that the plan needs.  Lives in `arena`. */
struct relation_bounds *relation_bounds_new(struct arena *arena, const struct formula *f, const struct plan *plan);

#endif
