/* SPDX-License-Identifier: MIT */
/* Names for derived relations, which learnt clauses use.
 *
 * A clause that spells out a path of happens-before rules out that path alone; there are as
 * many as paths.  So the pairs of closures have literals of their own.  They are defined one
 * way, as far as reasons have needed it: from the steps that were met, whatever event a path
 * begins at.  A name may hold where its pair is not there, but never must.
 */
#ifndef LITSCOPE_SOLVE_CLOSURE_LITERALS_H
#define LITSCOPE_SOLVE_CLOSURE_LITERALS_H

#include "checker/solve/relation_bounds.h"

struct closure_literals;

/* Literals, each once. */
struct literals {
  struct arena *arena;
  VEC(int) list;
};

void literals_add(struct literals *literals, int literal);

/* A model's relations over the events of a formula, and what is known of them. */
struct known_relations {
  const struct formula *formula;
  const struct plan *plan;
  const struct relation_bounds *bounds;
  struct closure_literals *names; /* of what is derived; NULL: it has none */
};

/* No names yet.  Lives in `arena`, which is that of the formula. */
struct closure_literals *closure_literals_new(struct arena *arena, const struct formula *f,
                                              const struct relation_bounds *bounds, const struct cat_ir *ir);

/* Not all of the literals hold: adds the clause, unless it was added before. */
void closure_literals_learn(struct closure_literals *names, const struct literals *literals);

/* Events of the tree: the step (a, b) of the closure of `node` is there where the literals hold. */
void closure_literals_step(struct closure_literals *names, uint32_t node, unsigned a, unsigned b,
                           const struct literals *literals);

/* (a, b) is in the closure of `node`, by steps that have been told. */
int closure_literals_path(struct closure_literals *names, uint32_t node, unsigned a, unsigned b);

/* The read sees a write before `write`. */
int closure_literals_from_read(struct closure_literals *names, unsigned read, unsigned write);

#endif
