/* SPDX-License-Identifier: MIT */
/* What a proposition says of a partial candidate, in three values: no,
 * perhaps, yes (Kleene). Registers and final values that are not known yet
 * make comparisons of them `perhaps`; only a `no` prunes. */
#include "checker/exec/search/wanted_outcome.h"

#include <string.h>

/* ---- Conditions from conjunctions -------------------------------------------- */

static enum compare negate(enum compare compare) {
  static const enum compare opposites[] = {
      [CMP_EQ] = CMP_NE, [CMP_NE] = CMP_EQ, [CMP_LT] = CMP_GE, [CMP_LE] = CMP_GT, [CMP_GT] = CMP_LE, [CMP_GE] = CMP_LT};
  return opposites[compare];
}

struct gather {
  struct arena *arena;
  struct structure *structure;
  struct structure_condition *conditions;
  unsigned count;
};

static void add_comparison(struct gather *g, const struct prop *prop, bool positive) {
  const struct operand *o = prop->left.constant ? &prop->right : &prop->left;
  const struct operand *other = o == &prop->left ? &prop->right : &prop->left;
  if (o->constant || !other->constant || o->what.thread < 0 || !g->structure->ended[o->what.thread]) return;
  const struct expr *constant = expr_constant(g->arena, other->value);
  const struct expr *reg = g->structure->paths[o->what.thread]->registers[o->what.index];
  enum compare compare = positive ? prop->compare : negate(prop->compare);
  bool left = o == &prop->left;
  const struct expr *e =
      expr_new(g->arena, compare_expression(compare), left ? reg : constant, left ? constant : reg, NULL);
  struct structure_condition c = {.value = e, .nonzero = true, .thread = (unsigned)o->what.thread};
  structure_collect_reads(reg, &c);
  g->conditions[g->count++] = c;
}

static unsigned comparisons(const struct prop *prop) {
  if (!prop) return 0;
  return (prop->kind == PROP_COMPARE) + comparisons(prop->a) + comparisons(prop->b);
}

static void gather(struct gather *g, const struct prop *prop, bool positive) {
  switch (prop->kind) {
    case PROP_COMPARE:
      add_comparison(g, prop, positive);
      break;
    case PROP_NOT:
      gather(g, prop->a, !positive);
      break;
    case PROP_AND:
    case PROP_OR:
      if ((prop->kind == PROP_AND) != positive) break;
      gather(g, prop->a, positive);
      gather(g, prop->b, positive);
      break;
    case PROP_IMPLIES:
      if (positive) break;
      gather(g, prop->a, true);
      gather(g, prop->b, false);
      break;
    default:
      break;
  }
}

void wanted_outcome_add_conditions(struct arena *arena, const struct litmus_test *test, struct structure *structure) {
  unsigned room = structure->condition_count + comparisons(test->condition) + comparisons(test->filter);
  struct gather g = {arena, structure, ARENA_ARRAY(arena, struct structure_condition, room),
                     structure->condition_count};
  if (g.count) memcpy(g.conditions, structure->conditions, g.count * sizeof *g.conditions);
  gather(&g, test->condition, test->quantifier != QUANT_FORALL);
  if (test->filter) gather(&g, test->filter, true);
  structure->conditions = g.conditions;
  structure->condition_count = g.count;
}

/* ---- Three-valued evaluation ---------------------------------------------------- */

enum truth { NO, MAYBE, YES };

static bool compare_values(enum compare compare, int64_t a, int64_t b) {
  return expr_apply(compare_expression(compare), a, b, 0, NULL) != 0;
}

/* The writes to a location that may be last, one after the other: the first
 * such event at or after `from`, or n. */
static unsigned next_final(const struct wanted_outcome_view *v, unsigned location, unsigned from) {
  const struct execution *x = &v->structure->execution;
  int physical = (int)program_physical(x->program, location);
  for (; from < x->shape.n; from++)
    if (x->events[from].kind == EVENT_WRITE && x->events[from].location == physical &&
        words_empty(x->shape.w, rel_row_const(x->shape, v->co_lo, from)))
      break;
  return from;
}

/* While a thread is open, it may write any location. */
static bool all_ended(const struct wanted_outcome_view *v) {
  for (unsigned t = 0; t < v->structure->execution.program->thread_count; t++)
    if (!v->structure->ended[t]) return false;
  return true;
}

static bool operand_value(const struct wanted_outcome_view *v, const struct operand *o, int64_t *value) {
  if (o->constant) {
    *value = o->value;
    return true;
  }
  if (o->what.thread >= 0) {
    if (!v->structure->ended[o->what.thread]) return false;
    unsigned offset = v->structure->offset[o->what.thread];
    return path_value(v->structure->paths[o->what.thread]->registers[o->what.index], v->known + offset,
                      v->value + offset, value);
  }
  const struct execution *x = &v->structure->execution;
  if (!all_ended(v)) return false;
  unsigned last = next_final(v, o->what.index, 0);
  *value = x->program->locations[o->what.index].init;
  if (last == x->shape.n) return true; /* never touched */
  *value = v->value[last];
  return v->known[last] && next_final(v, o->what.index, last + 1) == x->shape.n;
}

/* A final value against a known one: NO (YES) when no (every) candidate for the
 * last write compares so. */
static enum truth compare_final(const struct wanted_outcome_view *v, const struct prop *prop,
                                const struct operand *final, int64_t other) {
  bool some = false, all = true;
  if (!all_ended(v)) return MAYBE;
  unsigned n = v->structure->execution.shape.n;
  for (unsigned w = next_final(v, final->what.index, 0); w < n; w = next_final(v, final->what.index, w + 1)) {
    if (!v->known[w]) return MAYBE;
    bool holds = final == &prop->left ? compare_values(prop->compare, v->value[w], other)
                                      : compare_values(prop->compare, other, v->value[w]);
    some |= holds;
    all &= holds;
  }
  return !some ? NO : all ? YES : MAYBE;
}

static enum truth compare(const struct wanted_outcome_view *v, const struct prop *prop) {
  int64_t left, right;
  bool left_known = operand_value(v, &prop->left, &left), right_known = operand_value(v, &prop->right, &right);
  if (left_known && right_known) return compare_values(prop->compare, left, right) ? YES : NO;
  if (!left_known && right_known && prop->left.what.thread < 0) return compare_final(v, prop, &prop->left, right);
  if (left_known && !right_known && prop->right.what.thread < 0) return compare_final(v, prop, &prop->right, left);
  return MAYBE;
}

static enum truth compare_sum(const struct wanted_outcome_view *v, const struct prop *prop) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < prop->addend_count; i++) {
    struct operand addend = {.what = prop->addends[i].what};
    int64_t value;
    if (!operand_value(v, &addend, &value)) return MAYBE;
    sum += prop->addends[i].subtracted ? -(uint64_t)value : (uint64_t)value;
  }
  return compare_values(prop->compare, (int64_t)sum, prop->right.value) ? YES : NO;
}

static enum truth opposite(enum truth t) {
  return t == NO ? YES : t == YES ? NO : MAYBE;
}

static enum truth truth_of(const struct wanted_outcome_view *v, const struct prop *prop) {
  switch (prop->kind) {
    case PROP_TRUE:
      return YES;
    case PROP_FALSE:
      return NO;
    case PROP_COMPARE:
      return compare(v, prop);
    case PROP_SUM:
      return compare_sum(v, prop);
    case PROP_NOT:
      return opposite(truth_of(v, prop->a));
    default:
      break;
  }
  enum truth a = truth_of(v, prop->a), b = truth_of(v, prop->b);
  if (prop->kind == PROP_AND) return a < b ? a : b;
  if (prop->kind == PROP_IMPLIES) a = opposite(a);
  return a > b ? a : b;
}

bool wanted_outcome_possible(const struct litmus_test *test, const struct wanted_outcome_view *view) {
  if (test->filter && truth_of(view, test->filter) == NO) return false;
  enum truth wanted = truth_of(view, test->condition);
  return (test->quantifier == QUANT_FORALL ? opposite(wanted) : wanted) != NO;
}
