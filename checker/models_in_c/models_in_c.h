/* SPDX-License-Identifier: MIT */
/* Models with a part in C.
 *
 * A native model is a .cat model of the same name, whose axioms the engine uses
 * to prune, and a function that has the last word on complete candidates, as
 * the interpreter has for models that the graph cannot express.
 */
#ifndef LITSCOPE_MODELS_IN_C_MODELS_IN_C_H
#define LITSCOPE_MODELS_IN_C_MODELS_IN_C_H

#include "checker/cat/cat.h"

/* Gives a model that C has a part in its judge (model->judge); call it on every
 * model that is loaded by name. */
void native_attach(struct cat_model *model);

#endif
