/* SPDX-License-Identifier: MIT */
/* Ranges are of 64 bits with a sign; what may wrap is any value. */
#include "checker/program/value_range.h"

#include <string.h>

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

static struct range truth(bool may_fail, bool may_hold) {
  return (struct range){!may_fail, may_hold};
}

struct range range_sum(struct range a, struct range b) {
  struct range r;
  bool wraps = __builtin_add_overflow(a.low, b.low, &r.low) || __builtin_add_overflow(a.high, b.high, &r.high);
  return wraps ? range_any : r;
}

struct range range_difference(struct range a, struct range b) {
  struct range r;
  bool wraps = __builtin_sub_overflow(a.low, b.high, &r.low) || __builtin_sub_overflow(a.high, b.low, &r.high);
  return wraps ? range_any : r;
}

static struct range product(struct range a, struct range b) {
  int64_t corner[4];
  bool wraps = __builtin_mul_overflow(a.low, b.low, &corner[0]) || __builtin_mul_overflow(a.low, b.high, &corner[1]) ||
               __builtin_mul_overflow(a.high, b.low, &corner[2]) || __builtin_mul_overflow(a.high, b.high, &corner[3]);
  struct range r = range_number(corner[0]);
  for (int i = 1; i < 4 && !wraps; i++) r = range_join(r, range_number(corner[i]));
  return wraps ? range_any : r;
}

/* The least number 2^n - 1 that is no less. */
static int64_t ones(int64_t most) {
  int64_t number = 0;
  while (number < most) number = number * 2 + 1;
  return number;
}

int64_t range_shift_factor(struct range by) {
  return range_is_number(by) && by.low >= 0 && by.low < 62 ? (int64_t)1 << by.low : 0;
}

static struct range compare(enum expr_kind kind, struct range a, struct range b) {
  bool less = a.low<b.high, greater = a.high> b.low, equal = a.low <= b.high && b.low <= a.high;
  bool same = range_is_number(a) && range_is_number(b) && equal;
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
    return kind == EXPR_ADD ? range_sum(range_number(a), range_number(b))
                            : range_difference(range_number(a), range_number(b));
  if (kind == EXPR_MUL) return __builtin_mul_overflow(a, b, &value) ? range_any : range_number(value);
  if (kind == EXPR_SHL)
    return range_shift_factor(range_number(b))
               ? product(range_number(a), range_number(range_shift_factor(range_number(b))))
               : range_any;
  return range_number(expr_apply(kind, a, b, 0, NULL));
}

struct range range_of_two(enum expr_kind kind, struct range a, struct range b) {
  if (range_is_number(a) && range_is_number(b)) return range_of_points(kind, a.low, b.low);
  if (expr_compares(kind)) return compare(kind, a, b);
  bool positive = a.low >= 0 && b.low >= 0;
  switch (kind) {
    case EXPR_ADD:
      return range_sum(a, b);
    case EXPR_SUB:
      return range_difference(a, b);
    case EXPR_MUL:
      return product(a, b);
    case EXPR_DIV:
    case EXPR_UDIV:
      return positive ? (struct range){0, a.high} : range_any;
    case EXPR_SHL:
      return range_shift_factor(b) ? product(a, range_number(range_shift_factor(b))) : range_any;
    case EXPR_SHR:
      if (!range_is_number(b) || b.low < 0 || b.low > 63) return range_any;
      return (struct range){a.low >> b.low, a.high >> b.low};
    case EXPR_AND:
      if (positive && range_is_number(b) && !(b.low & (b.low + 1)) && a.high <= b.low) return a;
      if (positive) return (struct range){0, a.high < b.high ? a.high : b.high};
      return a.low < 0 && b.low < 0 ? range_any : (struct range){0, a.low >= 0 ? a.high : b.high};
    case EXPR_OR:
    case EXPR_XOR:
      if (!positive) return range_any;
      return (struct range){kind == EXPR_XOR ? 0 : a.low > b.low ? a.low : b.low, ones(a.high | b.high)};
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

struct range range_all_but(int64_t number, struct range r) {
  if (r.low == number && number < INT64_MAX) r.low++;
  if (r.high == number && number > INT64_MIN) r.high--;
  return r;
}

struct range range_compared(struct range r, enum expr_kind kind, struct range other, bool holds) {
  struct range to = range_any;
  if (other.low == INT64_MIN || other.high == INT64_MAX) return to;
  if (kind == (holds ? EXPR_EQ : EXPR_NE)) to = other;
  if (kind == (holds ? EXPR_NE : EXPR_EQ) && range_is_number(other)) to = range_all_but(other.low, r);
  if (kind == (holds ? EXPR_LT : EXPR_GE)) to.high = other.high - 1;
  if (kind == (holds ? EXPR_LE : EXPR_GT)) to.high = other.high;
  if (kind == (holds ? EXPR_GT : EXPR_LE)) to.low = other.low + 1;
  if (kind == (holds ? EXPR_GE : EXPR_LT)) to.low = other.low;
  return to;
}

enum expr_kind range_mirrored(enum expr_kind kind) {
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
