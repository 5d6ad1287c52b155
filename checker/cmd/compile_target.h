/* SPDX-License-Identifier: MIT */
/* `compile -target`: a test's threads as LLVM compiles them. */
#ifndef LITSCOPE_CMD_COMPILE_TARGET_H
#define LITSCOPE_CMD_COMPILE_TARGET_H

#include "checker/cmd/each_test.h"
#include "checker/compiler/compiled_machine.h"

/* Writes each thread's assembly, line by line with the source's lines and what
 * the machine understands; with `ir` the module instead.  With `folder` also
 * an AMDGPU litmus test of that code. */
void compile_for_target(const struct target *target, const struct litmus_test *test, bool ir, const char *folder,
                        struct test_output *output);

/* One line of the source, with its number, above what it has become. */
void compile_source_line(const struct source *source, unsigned line, FILE *out);

#endif
