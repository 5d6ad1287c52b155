/* SPDX-License-Identifier: MIT */
/* Small functions of numbers that the library of C does not have. */
#ifndef LITSCOPE_BASE_NUMBER_H
#define LITSCOPE_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static inline int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t common_divisor(int64_t a, int64_t b) {
  return b ? common_divisor(b, a % b) : a;
}

/* As qsort wants it, and for it, of int64_t. */
static inline int number_order(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

static inline int number_compare(const void *a, const void *b) {
  return number_order(*(const int64_t *)a, *(const int64_t *)b);
}

static inline void swap_numbers(unsigned *a, unsigned *b) {
  unsigned kept = *a;
  *a = *b;
  *b = kept;
}

/* The next permutation in dictionary order; false after the last. */
static inline bool next_order(unsigned *order, unsigned count) {
  if (count < 2) return false;
  unsigned i = count - 1, j = count - 1;
  while (i > 0 && order[i - 1] >= order[i]) i--;
  if (i == 0) return false;
  while (order[j] <= order[i - 1]) j--;
  swap_numbers(&order[i - 1], &order[j]);
  for (unsigned a = i, b = count - 1; a < b; a++, b--) swap_numbers(&order[a], &order[b]);
  return true;
}

/* Floats and the bits that they are. */
static inline double double_of_bits(int64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline int64_t bits_of_double(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

#endif
