/* SPDX-License-Identifier: MIT */
/* Small sums over whole numbers that the library of C does not have. */
#ifndef LITSCOPE_BASE_NUMBER_H
#define LITSCOPE_BASE_NUMBER_H

#include <stdint.h>

static inline int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static inline int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t common_divisor(int64_t a, int64_t b) {
  return b ? common_divisor(b, a % b) : a;
}

#endif
