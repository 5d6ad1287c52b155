/* SPDX-License-Identifier: MIT */
/* Work-items run the same code: what one says of an argument, another says in the same words. */
#include "checker/exec/unfolding/unknown_initial_values.h"

struct unknown_initial_values {
  const bool *is; /* by location */
};

static void note_written(const struct address *address, bool *given) {
  for (unsigned c = 0; c < address->size; c++) given[address->base + c] = false;
}

struct unknown_initial_values *unknown_initial_values_new(struct arena *arena, const struct program *program) {
  bool *given = ARENA_ARRAY(arena, bool, program->location_count + 1u), some = false;
  for (unsigned x = 0; x < program->location_count; x++)
    given[x] = program->locations[x].any && !program->locations[x].physical;
  INSTR_EACH (instr, program) {
    if (instr->kind != INSTR_LOAD) note_written(&instr->address, given);
    note_written(&instr->expected_at, given);
  }
  for (unsigned x = 0; x < program->location_count; x++) some |= given[x];
  struct unknown_initial_values *values = ARENA_MAKE(arena, struct unknown_initial_values, given);
  return some ? values : NULL;
}

static int location_of(const struct path *path, const struct expr *e) {
  return e->reg < path->event_count ? path->events[e->reg].event.location : -1;
}

/* Do both compute the same of the same given values? */
static bool same(const struct unknown_initial_values *given, const struct path *p, const struct expr *a,
                 const struct path *q, const struct expr *b) {
  if (!a || !b || a->kind != b->kind) return a == b;
  if (a->kind == EXPR_CONST) return a->value == b->value;
  if (a->kind != EXPR_REG)
    return same(given, p, a->a, q, b->a) && same(given, p, a->b, q, b->b) && same(given, p, a->c, q, b->c);
  int location = location_of(p, a);
  return location >= 0 && given->is[location] && location == location_of(q, b);
}

bool unknown_initial_values_deny(const struct unknown_initial_values *given, const struct path *path,
                                 const struct path_condition *condition, const struct path *other) {
  for (unsigned i = 0; given && i < other->condition_count; i++)
    if (other->conditions[i].nonzero != condition->nonzero &&
        same(given, path, condition->value, other, other->conditions[i].value))
      return true;
  return false;
}
