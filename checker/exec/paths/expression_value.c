/* SPDX-License-Identifier: MIT */
/* The value of an expression over the reads of a path. */
#include "checker/exec/paths/paths.h"

/* Most operands are read or constant. */
static inline bool part_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result) {
  if (e->kind == EXPR_CONST) {
    *result = e->value;
    return true;
  }
  if (e->kind != EXPR_REG) return path_value(e, known, value, result);
  *result = value[e->reg];
  return known[e->reg];
}

bool path_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result) {
  int64_t part[3] = {0};
  switch (expr_arity(e->kind)) {
    case 0:
      return part_value(e, known, value, result);
    case 3: /* as it is evaluated: the value does not depend on the other one */
      if (!part_value(e->a, known, value, &part[0])) return false;
      return part_value(part[0] ? e->b : e->c, known, value, result);
    case 2:
      if (!part_value(e->b, known, value, &part[1])) return false; /* fall through */
    default:
      if (!part_value(e->a, known, value, &part[0])) return false;
  }
  *result = expr_apply(e->kind, part[0], part[1], part[2], NULL);
  return true;
}
