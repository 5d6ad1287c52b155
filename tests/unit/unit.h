/* SPDX-License-Identifier: MIT */
/* cmocka, with the headers that it wants before it. */
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

#endif
