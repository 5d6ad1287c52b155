/* SPDX-License-Identifier: MIT */
/* `compile -target sm_70`: a test's threads as LLVM compiles them to PTX. */
#ifndef LITSCOPE_CMD_COMPILE_NVPTX_H
#define LITSCOPE_CMD_COMPILE_NVPTX_H

#include "checker/cmd/each_test.h"
#include "hwsem/target.h"

/* Writes each thread's PTX, line by line with the source's lines and what is
 * understood of it; with `ir` the module instead.  With `folder` also a PTX
 * litmus test of that code. */
void compile_for_nvptx(const struct target *target, const struct litmus_test *test, bool ir, const char *folder,
                       struct test_output *output);

#endif
