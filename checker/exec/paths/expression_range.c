/* SPDX-License-Identifier: MIT */
/* What expressions may be, by the operations that they are made of; and what conditions leave of the reads in them. */
#include "checker/exec/paths/expression_range.h"

#include "checker/program/shared_subexpressions.h"

/* One of two values, or the one that can be had. */
static struct range range_of_chosen(struct range a, struct range yes, struct range no) {
  if (range_is_empty(yes) || (range_is_number(a) && !a.low)) return no;
  if (range_is_empty(no) || (!range_is_empty(a) && (a.low > 0 || a.high < 0))) return yes;
  return range_join(yes, no);
}

/* What has been found of the parts of a large expression. */
struct part_ranges {
  struct shared_subexpressions parts;
  VEC(struct range) found;
};

static struct range range_with(struct part_ranges *known, const struct expr *e, const struct range *reads);

static struct range range_of_operation(struct part_ranges *known, const struct expr *e, const struct range *reads) {
  struct range a = range_with(known, e->a, reads);
  if (e->kind == EXPR_COND) return range_of_chosen(a, range_with(known, e->b, reads), range_with(known, e->c, reads));
  if (range_is_empty(a)) return a;
  if (e->b) {
    struct range b = range_with(known, e->b, reads);
    return range_is_empty(b) ? b : range_of_two(e->kind, a, b);
  }
  if (e->kind == EXPR_LNOT) return range_of_two(EXPR_EQ, a, range_number(0));
  return range_is_number(a) ? range_number(expr_apply(e->kind, a.low, 0, 0, NULL)) : range_any;
}

static struct range range_with(struct part_ranges *known, const struct expr *e, const struct range *reads) {
  bool again;
  if (e->kind == EXPR_CONST) return range_number(e->value);
  if (e->kind == EXPR_REG) return reads[e->reg];
  if (!known) return range_of_operation(NULL, e, reads);
  uint32_t at = shared_subexpression(&known->parts, e, &again);
  if (again) return known->found.at[at];
  vec_push(known->parts.arena, &known->found);
  struct range range = range_of_operation(known, e, reads);
  return known->found.at[at] = range;
}

struct range range_of(const struct expr *e, const struct range *reads) {
  if (!expr_is_large(e)) return range_with(NULL, e, reads);
  struct part_ranges known = {.parts = {.arena = arena_new()}};
  struct range range = range_with(&known, e, reads);
  arena_free(known.parts.arena);
  return range;
}

/* ---- What conditions say of reads -------------------------------------------------------- */

static int64_t divide_down(int64_t a, int64_t by) {
  return a / by - (a % by < 0);
}

/* May the expression have a value of the range?  Of a large one, its choices are not looked into. */
static bool may_be(const struct expr *e, struct range to, const struct range *reads) {
  struct range r = range_of(e, reads);
  if (r.low > to.high || to.low > r.high) return false;
  return e->kind != EXPR_COND || expr_is_large(e) || may_be(e->b, to, reads) || may_be(e->c, to, reads);
}

static void require_chosen(const struct expr *e, struct range to, struct range *reads);

/* The value of the expression is in the range: what a read that it is linear in is then. */
static void limit(const struct expr *e, struct range to, struct range *reads) {
  if (to.low == INT64_MIN && to.high == INT64_MAX) return;
  if (e->kind == EXPR_COND) {
    require_chosen(e, to, reads);
    return;
  }
  if (e->kind == EXPR_REG) {
    struct range *r = &reads[e->reg];
    if (to.low > r->low) r->low = to.low;
    if (to.high < r->high) r->high = to.high;
    return;
  }
  if (e->kind != EXPR_ADD && e->kind != EXPR_SUB && e->kind != EXPR_MUL && e->kind != EXPR_SHL && e->kind != EXPR_SHR)
    return;
  struct range a = range_of(e->a, reads), b = range_of(e->b, reads), all = range_of(e, reads);
  if (all.low == INT64_MIN || all.high == INT64_MAX) return; /* it may wrap */
  if (to.low < all.low) to.low = all.low;
  if (to.high > all.high) to.high = all.high;
  if (e->kind == EXPR_SHR) {
    /* Of what was shifted to the left before: a value of fewer bits made one of 64. */
    const struct expr *left = e->a;
    if (left->kind == EXPR_SHL && range_is_number(b) && left->b->kind == EXPR_CONST && left->b->value == b.low &&
        a.low != INT64_MIN)
      limit(left->a, to, reads);
    return;
  }
  if (e->kind == EXPR_ADD && range_is_number(a) && !range_is_number(b)) {
    limit(e->b, range_difference(to, a), reads);
    return;
  }
  if (!range_is_number(b)) return;
  if (e->kind == EXPR_ADD) limit(e->a, range_difference(to, b), reads);
  if (e->kind == EXPR_SUB) limit(e->a, range_sum(to, b), reads);
  int64_t factor = e->kind == EXPR_MUL ? b.low : e->kind == EXPR_SHL ? range_shift_factor(b) : 0;
  if (factor > 0) limit(e->a, (struct range){-divide_down(-to.low, factor), divide_down(to.high, factor)}, reads);
}

/* Which of the two values is it? */
static void require_chosen(const struct expr *e, struct range to, struct range *reads) {
  bool first = may_be(e->b, to, reads), second = may_be(e->c, to, reads);
  if (first == second) return;
  range_require(e->a, first, reads);
  limit(first ? e->b : e->c, to, reads);
}

static bool may_hold(const struct expr *e, bool nonzero, const struct range *reads) {
  struct range r = range_of(e, reads);
  return !range_is_empty(r) && (nonzero ? r.low || r.high : r.low <= 0 && r.high >= 0);
}

/* Of two conditions of which one is enough: which, if only one can hold? */
static bool require_one(const struct expr *a, const struct expr *b, bool nonzero, struct range *reads) {
  bool first = may_hold(a, nonzero, reads), second = may_hold(b, nonzero, reads);
  return first == second ? first : range_require(first ? a : b, nonzero, reads);
}

bool range_require(const struct expr *e, bool nonzero, struct range *reads) {
  enum expr_kind kind = e->kind;
  if (!may_hold(e, nonzero, reads)) return false;
  if (kind == EXPR_LNOT) return range_require(e->a, !nonzero, reads);
  if (kind == EXPR_LAND || kind == EXPR_LOR) {
    if (expr_is_large(e)) return true;
    if (nonzero == (kind == EXPR_LOR)) return require_one(e->a, e->b, nonzero, reads);
    return range_require(e->a, nonzero, reads) && range_require(e->b, nonzero, reads);
  }
  if (expr_compares(kind) || kind == EXPR_ULT) {
    struct range a = range_of(e->a, reads), b = range_of(e->b, reads);
    bool zero = range_is_number(b) && !b.low && (kind == EXPR_EQ || kind == EXPR_NE);
    if (kind == EXPR_ULT && (a.low < 0 || b.low < 0)) return true;
    if (kind == EXPR_ULT) kind = EXPR_LT;
    if (zero && expr_is_truth(e->a->kind)) return range_require(e->a, nonzero == (kind == EXPR_NE), reads);
    limit(e->a, range_compared(a, kind, b, nonzero), reads);
    limit(e->b, range_compared(b, range_mirrored(kind), a, nonzero), reads);
  } else {
    limit(e, nonzero ? range_all_but(0, range_of(e, reads)) : range_number(0), reads);
  }
  return true;
}
