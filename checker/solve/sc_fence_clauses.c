/* SPDX-License-Identifier: MIT */
/* Fences of scopes that include each other's thread are ordered, without a circle: for that, each pair that a chain of
 * these leads over has a literal too.  Others are ordered one way at most. */
#include "checker/solve/sc_fence_clauses.h"

#include "checker/exec/predefined_relations.h"

struct fences {
  struct formula *f;
  struct shape shape;    /* of the tree's events */
  const word *inclusive; /* by pair of them */
  unsigned *at, count;   /* events that are fences of the order */
  int *reach;            /* by two places among these */
};

static bool are_inclusive(const struct fences *all, unsigned i, unsigned k) {
  return rel_has(all->shape, all->inclusive, all->at[i], all->at[k]);
}

static void order_fences(const struct fences *all, unsigned i, unsigned k) {
  struct formula *f = all->f;
  unsigned a = all->at[i], b = all->at[k];
  if (!tree_compatible(f->tree, a, b)) return;
  int before = *formula_order_at(f, a, b) = sat_variable(f->sat);
  int behind = *formula_order_at(f, b, a) = sat_variable(f->sat);
  sat_clause_2(f->sat, -before, -behind);
  if (are_inclusive(all, i, k))
    sat_clause(f->sat, (const int[]){-formula_executed(f, a), -formula_executed(f, b), before, behind}, 4);
}

/* The pair, where it is ordered and both are executed, leads on from all that leads to it. */
static void lead_on(const struct fences *all, unsigned i, unsigned k) {
  struct formula *f = all->f;
  unsigned a = all->at[i], b = all->at[k];
  int order = formula_order(f, a, b);
  if (!order || !are_inclusive(all, i, k)) return;
  int step = sat_and(f->sat, order, sat_and(f->sat, formula_executed(f, a), formula_executed(f, b)));
  sat_clause_2(f->sat, -step, all->reach[i * all->count + k]);
  for (unsigned from = 0; from < all->count; from++)
    sat_clause_3(f->sat, -all->reach[from * all->count + i], -step, all->reach[from * all->count + k]);
}

void fences_add(struct formula *f) {
  unsigned count = (unsigned)f->tree->events.count;
  struct event *events = ARENA_ARRAY(f->arena, struct event, count + 1);
  struct fences all = {.f = f, .shape = shape_of(count), .at = ARENA_ARRAY(f->arena, unsigned, count + 1)};
  for (unsigned e = 0; e < count; e++) {
    events[e] = f->tree->events.at[e].event;
    if (fence_is_ordered(&events[e])) all.at[all.count++] = e;
  }
  struct execution of_all = {.program = f->tree->program, .shape = all.shape, .events = events};
  all.inclusive = execution_base(f->arena, &of_all, BASE_SR, 0);
  all.reach = ARENA_ARRAY(f->arena, int, (size_t)all.count *all.count + 1);
  for (unsigned i = 0; i < all.count; i++)
    for (unsigned k = 0; k < all.count; k++) {
      if (i < k) order_fences(&all, i, k);
      all.reach[i * all.count + k] = i == k ? SAT_FALSE : sat_variable(f->sat);
    }
  for (unsigned i = 0; i < all.count; i++)
    for (unsigned k = 0; k < all.count; k++)
      if (i != k) lead_on(&all, i, k);
}
