/* SPDX-License-Identifier: MIT */
/* The order of PTX's sequentially consistent fences (exec/search/sc_fence_order.h) as clauses. */
#ifndef LITSCOPE_SOLVE_SC_FENCE_CLAUSES_H
#define LITSCOPE_SOLVE_SC_FENCE_CLAUSES_H

#include "checker/exec/search/sc_fence_order.h"
#include "checker/solve/formula.h"

/* Gives each pair of fences that may both be executed a literal in the formula's table of orders. */
void fences_add(struct formula *f);

#endif
