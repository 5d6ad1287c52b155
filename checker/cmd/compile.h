/* SPDX-License-Identifier: MIT */
/* `compile`: what a test's threads become. */
#ifndef LITSCOPE_CMD_COMPILE_H
#define LITSCOPE_CMD_COMPILE_H

#include "checker/cmd/each_test.h"
#include "hwsem/machine_with_mapping.h"

struct compile_wanted {
  bool ir;            /* -ir: the module instead */
  const char *folder; /* -o: where tests of the code go, or NULL */
};

/* A way to compile: writes the code of each thread.  False, with a diagnostic: it cannot. */
typedef bool compile_way(const struct target *target, const struct litmus_test *test,
                         const struct compile_wanted *wanted, struct test_output *output, struct diags *diags);

/* By LLVM for AMD's GPUs (-target gfx...): assembly, line by line with the source's lines and what the machine
 * understands; a test of it is AMDGPU's. */
compile_way compile_for_target;

/* By LLVM to PTX (-target sm_70), likewise; a test of it is PTX's. */
compile_way compile_for_nvptx;

/* By a mapping to a language: the test in that language, or the path of its file. */
compile_way compile_for_language;

/* One line of the source, with its number, above what it has become. */
void compile_source_line(const struct source *source, unsigned line, FILE *out);

/* Saves a test in the folder; its path. */
const char *compile_save(const char *folder, const char *name, const char *text, struct test_output *output,
                         struct diags *diags);

#endif
