/* SPDX-License-Identifier: MIT */
/* A program of unit tests: cmocka, with the headers that it wants before it, and main.
 *
 *     TEST(name) { ... }
 *
 * Tests run in the order in which they stand.  The state of each is an arena, or what TEST_WITH's first function makes
 * and its second one frees.
 */
#ifndef LITSCOPE_TESTS_UNIT_H
#define LITSCOPE_TESTS_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
/* clang-format on */

#include "checker/base/arena.h"

static struct CMUnitTest unit_tests[64];
static size_t unit_test_count;

static inline int unit_begin(void **state) {
  *state = arena_new();
  return 0;
}

static inline int unit_end(void **state) {
  arena_free(*state);
  return 0;
}

#define TEST(name) TEST_WITH(name, unit_begin, unit_end)

#define TEST_WITH(name, begin, end)                                                                       \
  static void name(void **state);                                                                         \
  __attribute__((constructor)) static void add_##name(void) {                                             \
    unit_tests[unit_test_count++] = (struct CMUnitTest)cmocka_unit_test_setup_teardown(name, begin, end); \
  }                                                                                                       \
  static void name(__attribute__((unused)) void **state)

int main(void) {
  return _cmocka_run_group_tests("tests", unit_tests, unit_test_count, NULL, NULL);
}

#endif
