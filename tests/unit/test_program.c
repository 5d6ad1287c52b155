/* SPDX-License-Identifier: MIT */
/* The meaning of operators at their edges. */
#include <math.h>
#include <string.h>

#include "checker/base/number.h"
#include "checker/exec/loops/spin_multiply_executions.h"
#include "checker/program/program.h"
#include "tests/unit/unit.h"

TEST(arithmetic_wraps) {
  assert_int_equal(expr_apply(EXPR_ADD, INT64_MAX, 1, 0, NULL), INT64_MIN);
  assert_int_equal(expr_apply(EXPR_SUB, INT64_MIN, 1, 0, NULL), INT64_MAX);
  assert_int_equal(expr_apply(EXPR_MUL, INT64_MAX, 2, 0, NULL), -2);
  assert_int_equal(expr_apply(EXPR_NEG, INT64_MIN, 0, 0, NULL), INT64_MIN);
  assert_int_equal(expr_apply(EXPR_DIV, INT64_MIN, -1, 0, NULL), INT64_MIN);
  assert_int_equal(expr_apply(EXPR_MOD, INT64_MIN, -1, 0, NULL), 0);
  assert_int_equal(expr_apply(EXPR_DIV, -7, 2, 0, NULL), -3);
  assert_int_equal(expr_apply(EXPR_MOD, -7, 2, 0, NULL), -1);
}

static int64_t half_of(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return expr_apply(EXPR_HNARROW, bits, 0, 0, NULL);
}

TEST(floats_of_16_bits) {
  /* To the nearest, of two to the even one, by digits that a small number has fewer of. */
  assert_int_equal(half_of(1), 0x3c00);
  assert_int_equal(half_of(-2), INT16_MIN | 0x4000);
  assert_int_equal(half_of(-0.0), INT16_MIN);
  assert_int_equal(half_of(2049), half_of(2048));
  assert_int_equal(half_of(2051), half_of(2052));
  assert_int_equal(half_of(65519), half_of(65504));
  assert_int_equal(half_of(65520), half_of(1e300));
  assert_int_equal(half_of(0x1p-25), 0);
  assert_int_equal(half_of(0x1.8p-25), 1);
  assert_int_equal(half_of(0x1.ffep-15), 0x400);
  /* What a double is made of is found again. */
  for (int64_t bits = INT16_MIN; bits <= INT16_MAX; bits++) {
    int64_t again = expr_apply(EXPR_HNARROW, expr_apply(EXPR_HWIDEN, bits, 0, 0, NULL), 0, 0, NULL);
    bool number = (bits & 0x7c00) != 0x7c00 || !(bits & 0x3ff);
    assert_int_equal(again & 0xffff, number ? bits & 0xffff : (bits & 0x8000) | 0x7e00);
  }
}

TEST(sums_are_rounded_once) {
  uint32_t seed = 1;
  for (unsigned i = 0; i < 200000; i++) {
    float x[3];
    for (unsigned k = 0; k < 3; k++) {
      seed = seed * 1664525 + 1013904223;
      /* Numbers of few digits, whose products are often in the middle between two floats. */
      x[k] = ldexpf((float)(int)(seed >> 8 & (i & 1 ? 0xffffff : 0xf00f)) - (float)0x800000 * (float)(i & 1),
                    (int)(seed >> 27) * (k == 2 ? 2 : 1) - 40);
    }
    double product = (double)x[0] * x[1];
    int64_t bits = expr_apply(EXPR_FADDF, bits_of_double(product), bits_of_double(x[2]), 0, NULL);
    assert_int_equal((uint32_t)bits, bits_of_float(fmaf(x[0], x[1], x[2])));
  }
}

TEST(division_by_zero_is_undefined) {
  bool undefined = false;
  assert_int_equal(expr_apply(EXPR_DIV, 7, 1, 0, &undefined), 7);
  assert_false(undefined);
  assert_int_equal(expr_apply(EXPR_DIV, 7, 0, 0, &undefined), 0);
  assert_true(undefined);
  undefined = false;
  assert_int_equal(expr_apply(EXPR_MOD, 7, 0, 0, &undefined), 0);
  assert_true(undefined);
  assert_int_equal(expr_apply(EXPR_DIV, 7, 0, 0, NULL), 0);
}

TEST(shifts_take_six_bits) {
  assert_int_equal(expr_apply(EXPR_SHL, 1, 65, 0, NULL), 2);
  assert_int_equal(expr_apply(EXPR_SHL, -1, 63, 0, NULL), INT64_MIN);
  assert_int_equal(expr_apply(EXPR_SHR, -8, 1, 0, NULL), -4);
  assert_int_equal(expr_apply(EXPR_SHR, -8, 64, 0, NULL), -8);
  assert_int_equal(expr_apply(EXPR_SHR, INT64_MIN, 63, 0, NULL), -1);
  assert_int_equal(expr_apply(EXPR_SHR, 8, -63, 0, NULL), 4);
}

TEST(logic_gives_0_or_1) {
  assert_int_equal(expr_apply(EXPR_LAND, 2, -3, 0, NULL), 1);
  assert_int_equal(expr_apply(EXPR_LAND, 2, 0, 0, NULL), 0);
  assert_int_equal(expr_apply(EXPR_LOR, 0, 5, 0, NULL), 1);
  assert_int_equal(expr_apply(EXPR_LNOT, 5, 0, 0, NULL), 0);
  assert_int_equal(expr_apply(EXPR_NOT, 5, 0, 0, NULL), -6);
  assert_int_equal(expr_apply(EXPR_LT, -1, 0, 0, NULL), 1);
  assert_int_equal(expr_apply(EXPR_COND, 2, 3, 4, NULL), 3);
  assert_int_equal(expr_apply(EXPR_COND, 0, 3, 4, NULL), 4);
}

TEST(read_modify_writes) {
  assert_int_equal(rmw_apply(RMW_EXCHANGE, 6, 3), 3);
  assert_int_equal(rmw_apply(RMW_ADD, INT64_MAX, 1), INT64_MIN);
  assert_int_equal(rmw_apply(RMW_SUB, 6, 3), 3);
  assert_int_equal(rmw_apply(RMW_OR, 6, 3), 7);
  assert_int_equal(rmw_apply(RMW_XOR, 6, 3), 5);
  assert_int_equal(rmw_apply(RMW_AND, 6, 3), 2);
  assert_int_equal(rmw_apply(RMW_MIN, -6, 3), -6);
  assert_int_equal(rmw_apply(RMW_FADD, 0x3f800000, 0x40000000), 0x40400000);
  assert_int_equal(rmw_apply(RMW_FADD, 1, 2), 3);
  assert_int_equal(rmw_apply(RMW_FADD_FLUSH, 1, 0x40000000), 0x40000000);
  assert_int_equal(rmw_apply(RMW_FADD_FLUSH, INT32_MIN | 1, INT32_MIN | 2), INT32_MIN);
  assert_int_equal(rmw_apply(RMW_FADD_LONG, 0x3ff0000000000000, 0x4000000000000000), 0x4008000000000000);
  assert_int_equal(rmw_apply(RMW_MAX, -6, 3), 3);
}

/* Choices of rounds: as many as there are, or so many that they are not counted. */
TEST(rounds_are_counted) {
  assert_int_equal(spin_count_ways(1, 40, 0), 1);
  assert_int_equal(spin_count_ways(1, 40, 3), 9880);
  assert_int_equal(spin_count_ways(10, 4, 4), 10);
  assert_int_equal(spin_count_ways(1, 4, 5), 0);
  assert_int_equal(spin_count_product(POLLS_TOO_MANY / 2, 2), POLLS_TOO_MANY);
  assert_int_equal(spin_count_ways(1, 1000, 500), POLLS_TOO_MANY);
  assert_int_equal(spin_count_ways(POLLS_TOO_MANY, 7, 1), POLLS_TOO_MANY);
}
