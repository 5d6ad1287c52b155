/* SPDX-License-Identifier: MIT */
/* Does a model itself make read-modify-writes atomic?
 *
 * For herd7 a read-modify-write of C is one event, and no model can let a write
 * come between its read and its write.  Dat3M has two events joined by `rmw`, and
 * each of its models has an axiom that keeps other writes out, most of them
 * `empty rmw & (fre; coe)`.  A model that is read with two events and has no such
 * axiom allows the lost update; one that has it means two events.
 *
 * What decides is what the axioms say, not how they are written: of the lost
 * update, two read-modify-writes that both read the initial value,
 *
 *     init -rf-> R1, R2     init -co-> W1 -co-> W2     R1, R2 -fr-> W1, W2     R1 -rmw-> W1, R2 -rmw-> W2,
 *
 * is there an axiom that may fail with `rmw` as here, and cannot if `rmw` were
 * empty?  What else the operations have is left open (orders, scopes, annotations,
 * dependencies): nodes have a lower and an upper bound.  Definitions that no axiom
 * stands on, flags, and axioms on an order of writes of the model's own, which ask
 * neither for `co` nor for `fr`, decide nothing. */
#ifndef LITSCOPE_CAT_RMW_ATOMICITY_H
#define LITSCOPE_CAT_RMW_ATOMICITY_H

#include "checker/cat/operation_graph.h"

/* Does one of the axioms among `checks` forbid the lost update because of `rmw`?
 * Their nodes are of a finished graph whose read-modify-writes are two events.
 * `scratch` is used freely. */
bool atomicity_demanded(const struct graph *graph, const struct cat_check *checks, size_t count, struct arena *scratch);

/* The first of the checks that stands on `rmw`; NULL: none does. */
const struct cat_check *atomicity_mentioned(const struct graph *graph, const struct cat_check *checks, size_t count,
                                            struct arena *scratch);

#endif
