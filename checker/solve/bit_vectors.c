/* SPDX-License-Identifier: MIT */
/* Circuits for the operators of expressions, from gates (sat.h). Sums ripple; a quotient takes a difference for each of
 * its bits; a shift is six choices, one for each bit of its count; an order is the sign of a difference that has room
 * for it. */
#include "checker/solve/bit_vectors.h"

enum { MOST_BITS = 64 };

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static unsigned at_most(unsigned count) {
  return count < MOST_BITS ? count : MOST_BITS;
}

static struct bits bits_room(struct arena *arena, unsigned count) {
  return (struct bits){count, ARENA_ARRAY(arena, int, count)};
}

/* Bits that say no more than the sign does go. */
static struct bits shorten(struct bits b) {
  while (b.count > 1 && b.at[b.count - 1] == b.at[b.count - 2]) b.count--;
  return b;
}

struct bits bits_constant(struct arena *arena, int64_t value) {
  struct bits out = bits_room(arena, MOST_BITS);
  for (unsigned i = 0; i < MOST_BITS; i++) out.at[i] = (uint64_t)value >> i & 1 ? SAT_TRUE : SAT_FALSE;
  return shorten(out);
}

struct bits bits_variable(struct arena *arena, struct sat *sat, unsigned count) {
  struct bits out = bits_room(arena, count);
  for (unsigned i = 0; i < count; i++) out.at[i] = sat_variable(sat);
  return out;
}

static struct bits bits_truth_value(struct arena *arena, int literal) {
  struct bits out = bits_room(arena, 2);
  out.at[0] = literal;
  out.at[1] = SAT_FALSE;
  return shorten(out);
}

int bits_truth(struct sat *sat, struct bits a) {
  int none = SAT_TRUE;
  for (unsigned i = 0; i < a.count; i++) none = sat_and(sat, none, -a.at[i]);
  return -none;
}

int bits_equal(struct sat *sat, struct bits a, struct bits b) {
  int equal = SAT_TRUE;
  for (unsigned i = larger(a.count, b.count); i-- > 0 && equal != SAT_FALSE;)
    equal = sat_and(sat, equal, -sat_xor(sat, bits_at(a, i), bits_at(b, i)));
  return equal;
}

void bits_require_equal(struct sat *sat, int condition, struct bits a, struct bits b) {
  for (unsigned i = 0; i < larger(a.count, b.count); i++) {
    sat_clause_3(sat, -condition, -bits_at(a, i), bits_at(b, i));
    sat_clause_3(sat, -condition, bits_at(a, i), -bits_at(b, i));
  }
}

/* a + b + carry, of `count` bits. */
static struct bits add(struct arena *arena, struct sat *sat, struct bits a, struct bits b, int carry, unsigned count) {
  struct bits out = bits_room(arena, count);
  for (unsigned i = 0; i < count; i++) {
    int x = bits_at(a, i), y = bits_at(b, i), half = sat_xor(sat, x, y);
    out.at[i] = sat_xor(sat, half, carry);
    carry = sat_or(sat, sat_and(sat, x, y), sat_and(sat, half, carry));
  }
  return shorten(out);
}

static struct bits invert(struct arena *arena, struct bits a) {
  struct bits out = bits_room(arena, a.count);
  for (unsigned i = 0; i < a.count; i++) out.at[i] = -a.at[i];
  return out;
}

static struct bits subtract(struct arena *arena, struct sat *sat, struct bits a, struct bits b) {
  return add(arena, sat, a, invert(arena, b), SAT_TRUE, at_most(larger(a.count, b.count) + 1));
}

static struct bits multiply(struct arena *arena, struct sat *sat, struct bits a, struct bits b) {
  unsigned count = at_most(a.count + b.count);
  struct bits sum = bits_constant(arena, 0);
  for (unsigned i = 0; i < count; i++) { /* b's sign has all places from its own on */
    int bit = bits_at(b, i);
    if (bit == SAT_FALSE) continue;
    struct bits term = bits_room(arena, count);
    for (unsigned k = 0; k < count; k++) term.at[k] = k < i ? SAT_FALSE : sat_and(sat, bit, bits_at(a, k - i));
    sum = add(arena, sat, sum, term, SAT_FALSE, count);
  }
  return sum;
}

static struct bits bitwise(struct arena *arena, struct sat *sat, enum expr_kind kind, struct bits a, struct bits b) {
  struct bits out = bits_room(arena, larger(a.count, b.count));
  for (unsigned i = 0; i < out.count; i++) {
    int x = bits_at(a, i), y = bits_at(b, i);
    out.at[i] = kind == EXPR_AND ? sat_and(sat, x, y) : kind == EXPR_OR ? sat_or(sat, x, y) : sat_xor(sat, x, y);
  }
  return shorten(out);
}

static struct bits choose(struct arena *arena, struct sat *sat, int condition, struct bits a, struct bits b) {
  struct bits out = bits_room(arena, larger(a.count, b.count));
  for (unsigned i = 0; i < out.count; i++) out.at[i] = sat_if(sat, condition, bits_at(a, i), bits_at(b, i));
  return shorten(out);
}

/* Shifts by the low six bits of the count, a power of two at a time. */
static struct bits shift(struct arena *arena, struct sat *sat, bool left, struct bits a, struct bits by) {
  for (unsigned k = 0; k < 6; k++) {
    int bit = bits_at(by, k);
    if (bit == SAT_FALSE) continue;
    unsigned places = 1u << k;
    struct bits moved = bits_room(arena, left ? at_most(a.count + places) : a.count);
    for (unsigned i = 0; i < moved.count; i++)
      moved.at[i] = !left ? bits_at(a, i + places) : i < places ? SAT_FALSE : bits_at(a, i - places);
    a = choose(arena, sat, bit, moved, a);
  }
  return a;
}

/* a < b: the sign of the difference, which has room for it. */
static int less(struct arena *arena, struct sat *sat, struct bits a, struct bits b, bool has_sign) {
  unsigned count = larger(a.count, b.count);
  if (!has_sign) count = MOST_BITS;
  struct bits x = bits_room(arena, count + 1), y = bits_room(arena, count + 1);
  for (unsigned i = 0; i <= count; i++) {
    bool zero = !has_sign && i == count;
    x.at[i] = zero ? SAT_FALSE : bits_at(a, i);
    y.at[i] = zero ? SAT_TRUE : -bits_at(b, i);
  }
  int carry = SAT_TRUE, sign = SAT_FALSE;
  for (unsigned i = 0; i <= count; i++) {
    int half = sat_xor(sat, x.at[i], y.at[i]);
    sign = i == count ? sat_xor(sat, half, carry) : SAT_FALSE;
    carry = sat_or(sat, sat_and(sat, x.at[i], y.at[i]), sat_and(sat, half, carry));
  }
  return sign;
}

/* The number without its sign, or with it back; one bit longer than `a`. */
static struct bits negate_if(struct arena *arena, struct sat *sat, int sign, struct bits a) {
  struct bits flipped = bits_room(arena, a.count);
  for (unsigned i = 0; i < a.count; i++) flipped.at[i] = sat_xor(sat, a.at[i], sign);
  return add(arena, sat, flipped, bits_constant(arena, 0), sign, a.count + 1);
}

/* What the bits are as a number without sign. */
static struct bits without_sign(struct arena *arena, struct bits a) {
  if (a.at[a.count - 1] == SAT_FALSE) return a;
  struct bits out = bits_room(arena, MOST_BITS + 1);
  for (unsigned i = 0; i < MOST_BITS; i++) out.at[i] = bits_at(a, i);
  out.at[MOST_BITS] = SAT_FALSE;
  return out;
}

/* Division of numbers that are not negative, bit by bit as on paper; returns the quotient. */
static struct bits divide_by(struct arena *arena, struct sat *sat, struct bits a, struct bits b, struct bits *rest) {
  struct bits quotient = bits_room(arena, a.count), inverse = invert(arena, b);
  *rest = bits_constant(arena, 0);
  for (unsigned i = a.count; i-- > 0;) {
    struct bits next = bits_room(arena, rest->count + 1);
    next.at[0] = a.at[i];
    for (unsigned k = 0; k < rest->count; k++) next.at[k + 1] = rest->at[k];
    int fits = -less(arena, sat, next, b, true);
    quotient.at[i] = fits;
    *rest = choose(arena, sat, fits, add(arena, sat, next, inverse, SAT_TRUE, larger(next.count, b.count) + 1), next);
    if (rest->count > b.count) rest->count = b.count; /* it is less than b */
    rest->at[rest->count - 1] = SAT_FALSE;
  }
  return shorten(quotient);
}

/* Of zero nothing comes. */
static struct bits divide(struct arena *arena, struct sat *sat, enum expr_kind kind, struct bits a, struct bits b) {
  bool has_sign = kind == EXPR_DIV || kind == EXPR_MOD, wants_rest = kind == EXPR_MOD || kind == EXPR_UMOD;
  int sign = has_sign ? a.at[a.count - 1] : SAT_FALSE, other = has_sign ? b.at[b.count - 1] : SAT_FALSE;
  struct bits x = has_sign ? negate_if(arena, sat, sign, a) : without_sign(arena, a);
  struct bits y = has_sign ? negate_if(arena, sat, other, b) : without_sign(arena, b), rest;
  struct bits quotient = divide_by(arena, sat, x, y, &rest);
  struct bits out = negate_if(arena, sat, wants_rest ? sign : sat_xor(sat, sign, other), wants_rest ? rest : quotient);
  out.count = at_most(out.count);
  return choose(arena, sat, bits_truth(sat, b), out, bits_constant(arena, 0));
}

bool bits_can(enum expr_kind kind) {
  return !expr_is_float(kind);
}

struct bits bits_apply(struct arena *arena, struct sat *sat, enum expr_kind kind, struct bits a, struct bits b,
                       struct bits c) {
  switch (kind) {
    case EXPR_ADD:
      return add(arena, sat, a, b, SAT_FALSE, at_most(larger(a.count, b.count) + 1));
    case EXPR_SUB:
      return subtract(arena, sat, a, b);
    case EXPR_NEG:
      return subtract(arena, sat, bits_constant(arena, 0), a);
    case EXPR_MUL:
      return multiply(arena, sat, a, b);
    case EXPR_DIV:
    case EXPR_MOD:
    case EXPR_UDIV:
    case EXPR_UMOD:
      return divide(arena, sat, kind, a, b);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
      return bitwise(arena, sat, kind, a, b);
    case EXPR_NOT:
      return invert(arena, a);
    case EXPR_SHL:
    case EXPR_SHR:
      return shift(arena, sat, kind == EXPR_SHL, a, b);
    case EXPR_EQ:
      return bits_truth_value(arena, bits_equal(sat, a, b));
    case EXPR_NE:
      return bits_truth_value(arena, -bits_equal(sat, a, b));
    case EXPR_LT:
      return bits_truth_value(arena, less(arena, sat, a, b, true));
    case EXPR_GE:
      return bits_truth_value(arena, -less(arena, sat, a, b, true));
    case EXPR_GT:
      return bits_truth_value(arena, less(arena, sat, b, a, true));
    case EXPR_LE:
      return bits_truth_value(arena, -less(arena, sat, b, a, true));
    case EXPR_ULT:
      return bits_truth_value(arena, less(arena, sat, a, b, false));
    case EXPR_LAND:
      return bits_truth_value(arena, sat_and(sat, bits_truth(sat, a), bits_truth(sat, b)));
    case EXPR_LOR:
      return bits_truth_value(arena, sat_or(sat, bits_truth(sat, a), bits_truth(sat, b)));
    case EXPR_LNOT:
      return bits_truth_value(arena, -bits_truth(sat, a));
    case EXPR_COND:
      return choose(arena, sat, bits_truth(sat, a), b, c);
    default:
      return a;
  }
}

int64_t bits_value(const struct sat *sat, struct bits a) {
  uint64_t value = 0;
  for (unsigned i = 0; i < MOST_BITS; i++) value |= (uint64_t)sat_holds(sat, bits_at(a, i)) << i;
  return (int64_t)value;
}
