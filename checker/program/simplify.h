/* SPDX-License-Identifier: MIT */
/* Operations that come to one of their operands, or to a constant, whatever registers hold. */
#ifndef LITSCOPE_PROGRAM_SIMPLIFY_H
#define LITSCOPE_PROGRAM_SIMPLIFY_H

#include "checker/program/program.h"

/* What the operation comes to by a law; NULL: there is none that applies. */
const struct expr *expr_simplify(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                                 const struct expr *c);

#endif
