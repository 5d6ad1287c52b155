/* SPDX-License-Identifier: MIT */
/* Ranges are of 64 bits with a sign; what may wrap is any value. */
#include "checker/exec/paths/expression_range.h"

#include <string.h>

#include "checker/program/shared_subexpressions.h"

const struct range range_any = {INT64_MIN, INT64_MAX}, range_none = {1, 0};

struct range range_join(struct range a, struct range b) {
  return (struct range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

bool range_widen(struct range *range, struct range by) {
  if (range_is_empty(by)) return false;
  struct range wider = range_is_empty(*range) ? by : range_join(*range, by);
  bool moved = memcmp(&wider, range, sizeof wider) != 0;
  *range = wider;
  return moved;
}

struct range range_at_first(const struct location *location) {
  unsigned bits = location->width.bits;
  if (!location->any) return (struct range){location->init, location->init};
  if (!bits || bits >= 64) return range_any;
  int64_t half = (int64_t)1 << (bits - 1);
  return location->width.is_signed ? (struct range){-half, half - 1} : (struct range){0, half - 1 + half};
}

/* ---- Ranges of expressions --------------------------------------------------------------- */

static struct range point(int64_t value) {
  return (struct range){value, value};
}

static bool is_point(struct range r) {
  return r.low == r.high;
}

static struct range truth(bool may_fail, bool may_hold) {
  return (struct range){!may_fail, may_hold};
}

static struct range sum(struct range a, struct range b) {
  struct range r;
  bool wraps = __builtin_add_overflow(a.low, b.low, &r.low) || __builtin_add_overflow(a.high, b.high, &r.high);
  return wraps ? range_any : r;
}

static struct range difference(struct range a, struct range b) {
  struct range r;
  bool wraps = __builtin_sub_overflow(a.low, b.high, &r.low) || __builtin_sub_overflow(a.high, b.low, &r.high);
  return wraps ? range_any : r;
}

static struct range product(struct range a, struct range b) {
  int64_t corner[4];
  bool wraps = __builtin_mul_overflow(a.low, b.low, &corner[0]) || __builtin_mul_overflow(a.low, b.high, &corner[1]) ||
               __builtin_mul_overflow(a.high, b.low, &corner[2]) || __builtin_mul_overflow(a.high, b.high, &corner[3]);
  struct range r = point(corner[0]);
  for (int i = 1; i < 4 && !wraps; i++) r = range_join(r, point(corner[i]));
  return wraps ? range_any : r;
}

/* The least number 2^n - 1 that is no less. */
static int64_t ones(int64_t most) {
  int64_t number = 0;
  while (number < most) number = number * 2 + 1;
  return number;
}

/* The factor of a shift to the left, if it is one; 0: none. */
static int64_t shift_factor(struct range by) {
  return is_point(by) && by.low >= 0 && by.low < 62 ? (int64_t)1 << by.low : 0;
}

static struct range compare(enum expr_kind kind, struct range a, struct range b) {
  bool less = a.low<b.high, greater = a.high> b.low, equal = a.low <= b.high && b.low <= a.high;
  bool same = is_point(a) && is_point(b) && equal;
  switch (kind) {
    case EXPR_EQ:
      return truth(!same, equal);
    case EXPR_NE:
      return truth(equal, !same);
    case EXPR_LT:
      return truth(a.high >= b.low, less);
    case EXPR_LE:
      return truth(greater, a.low <= b.high);
    case EXPR_GT:
      return truth(a.low <= b.high, greater);
    default: /* EXPR_GE */
      return truth(less, a.high >= b.low);
  }
}

/* Of two values: one, but where it wraps. */
static struct range range_of_points(enum expr_kind kind, int64_t a, int64_t b) {
  int64_t value;
  if (kind == EXPR_ADD || kind == EXPR_SUB)
    return kind == EXPR_ADD ? sum(point(a), point(b)) : difference(point(a), point(b));
  if (kind == EXPR_MUL) return __builtin_mul_overflow(a, b, &value) ? range_any : point(value);
  if (kind == EXPR_SHL) return shift_factor(point(b)) ? product(point(a), point(shift_factor(point(b)))) : range_any;
  return point(expr_apply(kind, a, b, 0, NULL));
}

static struct range range_of_two(enum expr_kind kind, struct range a, struct range b) {
  if (is_point(a) && is_point(b)) return range_of_points(kind, a.low, b.low);
  if (expr_compares(kind)) return compare(kind, a, b);
  bool positive = a.low >= 0 && b.low >= 0;
  switch (kind) {
    case EXPR_ADD:
      return sum(a, b);
    case EXPR_SUB:
      return difference(a, b);
    case EXPR_MUL:
      return product(a, b);
    case EXPR_DIV:
    case EXPR_UDIV:
      return positive ? (struct range){0, a.high} : range_any;
    case EXPR_SHL:
      return shift_factor(b) ? product(a, point(shift_factor(b))) : range_any;
    case EXPR_SHR:
      if (!is_point(b) || b.low < 0 || b.low > 63) return range_any;
      return (struct range){a.low >> b.low, a.high >> b.low};
    case EXPR_AND:
      if (positive && is_point(b) && !(b.low & (b.low + 1)) && a.high <= b.low) return a;
      if (positive) return (struct range){0, a.high < b.high ? a.high : b.high};
      return a.low < 0 && b.low < 0 ? range_any : (struct range){0, a.low >= 0 ? a.high : b.high};
    case EXPR_OR:
    case EXPR_XOR:
      return positive ? (struct range){0, ones(a.high | b.high)} : range_any;
    case EXPR_MOD:
    case EXPR_UMOD:
      if (!positive) return range_any;
      return a.high < b.low ? a : (struct range){0, a.high < b.high - 1 || !b.low ? a.high : b.high - 1};
    case EXPR_ULT:
      return positive ? compare(EXPR_LT, a, b) : truth(true, true);
    case EXPR_LAND:
      return truth((a.low <= 0 && a.high >= 0) || (b.low <= 0 && b.high >= 0), (a.low || a.high) && (b.low || b.high));
    case EXPR_LOR:
      return truth(a.low <= 0 && a.high >= 0 && b.low <= 0 && b.high >= 0, a.low || a.high || b.low || b.high);
    default:
      return expr_is_truth(kind) ? truth(true, true) : range_any;
  }
}

/* One of two values, or the one that can be had. */
static struct range range_of_chosen(struct range a, struct range yes, struct range no) {
  if (range_is_empty(yes) || (is_point(a) && !a.low)) return no;
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
  if (e->kind == EXPR_LNOT) return truth(a.low || a.high, a.low <= 0 && a.high >= 0);
  return is_point(a) ? point(expr_apply(e->kind, a.low, 0, 0, NULL)) : range_any;
}

static struct range range_with(struct part_ranges *known, const struct expr *e, const struct range *reads) {
  bool again;
  if (e->kind == EXPR_CONST) return point(e->value);
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
    if (left->kind == EXPR_SHL && is_point(b) && left->b->kind == EXPR_CONST && left->b->value == b.low &&
        a.low != INT64_MIN)
      limit(left->a, to, reads);
    return;
  }
  if (e->kind == EXPR_ADD && is_point(a) && !is_point(b)) {
    limit(e->b, difference(to, a), reads);
    return;
  }
  if (!is_point(b)) return;
  if (e->kind == EXPR_ADD) limit(e->a, difference(to, b), reads);
  if (e->kind == EXPR_SUB) limit(e->a, sum(to, b), reads);
  int64_t factor = e->kind == EXPR_MUL ? b.low : e->kind == EXPR_SHL ? shift_factor(b) : 0;
  if (factor > 0) limit(e->a, (struct range){-divide_down(-to.low, factor), divide_down(to.high, factor)}, reads);
}

/* Which of the two values is it? */
static void require_chosen(const struct expr *e, struct range to, struct range *reads) {
  bool first = may_be(e->b, to, reads), second = may_be(e->c, to, reads);
  if (first == second) return;
  range_require(e->a, first, reads);
  limit(first ? e->b : e->c, to, reads);
}

/* Of a range, what is left without a number at its end. */
static struct range all_but(int64_t number, struct range r) {
  if (r.low == number && number < INT64_MAX) r.low++;
  if (r.high == number && number > INT64_MIN) r.high--;
  return r;
}

static void limit_compared(enum expr_kind kind, const struct expr *a, struct range b, bool holds, struct range *reads) {
  struct range to = range_any;
  if (b.low == INT64_MIN || b.high == INT64_MAX) return;
  if (kind == (holds ? EXPR_EQ : EXPR_NE)) to = b;
  if (kind == (holds ? EXPR_NE : EXPR_EQ) && is_point(b)) to = all_but(b.low, range_of(a, reads));
  if (kind == (holds ? EXPR_LT : EXPR_GE)) to.high = b.high - 1;
  if (kind == (holds ? EXPR_LE : EXPR_GT)) to.high = b.high;
  if (kind == (holds ? EXPR_GT : EXPR_LE)) to.low = b.low + 1;
  if (kind == (holds ? EXPR_GE : EXPR_LT)) to.low = b.low;
  limit(a, to, reads);
}

static enum expr_kind mirrored(enum expr_kind kind) {
  switch (kind) {
    case EXPR_LT:
      return EXPR_GT;
    case EXPR_LE:
      return EXPR_GE;
    case EXPR_GT:
      return EXPR_LT;
    case EXPR_GE:
      return EXPR_LE;
    default:
      return kind;
  }
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
    bool zero = is_point(b) && !b.low && (kind == EXPR_EQ || kind == EXPR_NE);
    if (kind == EXPR_ULT && (a.low < 0 || b.low < 0)) return true;
    if (kind == EXPR_ULT) kind = EXPR_LT;
    if (zero && expr_is_truth(e->a->kind)) return range_require(e->a, nonzero == (kind == EXPR_NE), reads);
    limit_compared(kind, e->a, b, nonzero, reads);
    limit_compared(mirrored(kind), e->b, a, nonzero, reads);
  } else {
    limit(e, nonzero ? all_but(0, range_of(e, reads)) : point(0), reads);
  }
  return true;
}
