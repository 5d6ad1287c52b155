/* SPDX-License-Identifier: MIT */
/* The value of an expression over the reads of a path. */
#include "checker/exec/paths/paths.h"

bool path_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result) {
  int64_t part[3] = {0};
  switch (expr_arity(e->kind)) {
    case 0:
      *result = e->kind == EXPR_CONST ? e->value : value[e->reg];
      return e->kind == EXPR_CONST || known[e->reg];
    case 3: /* as it is evaluated: the value does not depend on the other one */
      if (!path_value(e->a, known, value, &part[0])) return false;
      return path_value(part[0] ? e->b : e->c, known, value, result);
    case 2:
      if (!path_value(e->b, known, value, &part[1])) return false; /* fall through */
    default:
      if (!path_value(e->a, known, value, &part[0])) return false;
  }
  *result = expr_apply(e->kind, part[0], part[1], part[2], NULL);
  return true;
}
