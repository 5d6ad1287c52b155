/* SPDX-License-Identifier: MIT */
/* `compile` with a mapping to a language: the test in that language. */
#ifndef LITSCOPE_CMD_COMPILE_LANGUAGE_H
#define LITSCOPE_CMD_COMPILE_LANGUAGE_H

#include "checker/cmd/each_test.h"
#include "hwsem/target.h"

/* Writes the translated test or, with `folder`, a file there, whose path is printed. */
void compile_for_language(const struct target *target, const struct litmus_test *test, const char *folder,
                          struct test_output *output);

#endif
