/* SPDX-License-Identifier: MIT */
/* Models written in C.
 *
 * A native model is a .cat model of the same name, whose axioms the engine uses
 * to prune, and a function that has the last word on complete candidates, as
 * the interpreter has for models that the graph cannot express.
 */
#ifndef LITSCOPE_NATIVE_NATIVE_H
#define LITSCOPE_NATIVE_NATIVE_H

#include "checker/cat/cat.h"
#include "checker/exec/execution.h"

/* Does C have the last word on this model? */
bool native_has(const struct cat_model *model);

/* Judges a complete candidate: calls `each` once for every way in which it is
 * an execution of the model, and returns how many.  `skip` (by index of
 * model->ir.checks; may be NULL) leaves axioms out.  `scratch` is used freely. */
unsigned native_interpret(const struct cat_model *model, const struct execution *execution, const bool *skip,
                          struct arena *scratch, void (*each)(void *context, const struct cat_outcome *outcome),
                          void *context);

/* Writes, a line each, what the model has to say of a candidate: for every
 * choice it leaves, who promotes whom, the axiom that fails, the races. */
void native_explain(const struct cat_model *model, const struct execution *execution, FILE *out);

#endif
