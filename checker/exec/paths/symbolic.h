/* SPDX-License-Identifier: MIT */
/* Values of a thread as expressions over what its reads return (`struct expr`,
 * where EXPR_REG names the path's event that reads). */
#ifndef LITSCOPE_EXEC_PATHS_SYMBOLIC_H
#define LITSCOPE_EXEC_PATHS_SYMBOLIC_H

#include "checker/base/arena.h"
#include "checker/program/program.h"

/* An operation, simplified: b and c are NULL where it has no such operand.  A
 * value that does not depend on a read (`r ^ r`, `r - r`, `r * 0`, `r == r`) is a
 * constant: nothing that returns it depends on that read. */
const struct expr *symbolic_apply(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                                  const struct expr *c);

/* Replaces registers by what they hold. */
const struct expr *symbolic_substitute(struct arena *arena, const struct expr *e, const struct expr *const *registers);

/* Does one truth value, which is known, settle another?  Sets *result then. */
bool symbolic_settles(const struct expr *known, bool nonzero, const struct expr *e, bool *result);

/* Does a truth, which holds, give the expression a value?  Sets *value then. */
bool symbolic_pins(const struct expr *known, const struct expr *e, int64_t *value);

#endif
