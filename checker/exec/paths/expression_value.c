/* SPDX-License-Identifier: MIT */
/* The value of an expression over the reads of a path. */
#include "checker/exec/paths/paths.h"
#include "checker/program/shared_subexpressions.h"

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

/* Of a large one, what has been found of each part. */
struct part_value {
  bool known;
  int64_t value;
};
struct part_values {
  const bool *known;
  const int64_t *value;
  struct shared_subexpressions parts;
  VEC(struct part_value) found;
};

static struct part_value value_with(struct part_values *v, const struct expr *e) {
  struct part_value part[3] = {{true, 0}, {true, 0}, {true, 0}}, none = {false, 0};
  const struct expr *operands[] = {e->a, e->b, e->c};
  bool again;
  if (!e->a) {
    none.known = part_value(e, v->known, v->value, &none.value);
    return none;
  }
  uint32_t at = shared_subexpression(&v->parts, e, &again);
  if (again) return v->found.at[at];
  *vec_push(v->parts.arena, &v->found) = none;
  part[0] = value_with(v, e->a);
  if (e->kind == EXPR_COND && part[0].known) {
    part[0] = value_with(v, part[0].value ? e->b : e->c);
  } else if (e->kind != EXPR_COND) {
    for (unsigned i = 1; i < 3 && part[0].known; i++)
      if (operands[i]) part[i] = value_with(v, operands[i]);
    if (part[0].known && part[1].known && part[2].known)
      part[0].value = expr_apply(e->kind, part[0].value, part[1].value, part[2].value, NULL);
    else
      part[0] = none;
  }
  return v->found.at[at] = part[0];
}

static bool value_by_parts(const struct expr *e, const bool *known, const int64_t *value, int64_t *result) {
  struct part_values v = {.known = known, .value = value, .parts = {.arena = arena_new()}};
  struct part_value found = value_with(&v, e);
  arena_free(v.parts.arena);
  *result = found.value;
  return found.known;
}

bool path_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result) {
  int64_t part[3] = {0};
  if (expr_is_large(e)) return value_by_parts(e, known, value, result);
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
