/* SPDX-License-Identifier: MIT */
/* Kernels as programs: SPIR-V in text or words, OpenCL C and GLSL.
 *
 * A program has a thread for each work-item (P0, P1, ...) in the groups that
 * @Config names, and a location for each scalar of shared memory, named as in the
 * module: `x[2]`, `A[2].next`.  spec: Khronos, SPIR-V 1.6; header_comments.h for comments.
 */
#ifndef LITSCOPE_SPIRV_SPIRV_H
#define LITSCOPE_SPIRV_SPIRV_H

#include <string.h>

#include "checker/base/diag.h"
#include "checker/program/header_condition.h"

struct spirv_test {
  const char *name; /* of the file */
  struct program *program;
  bool vulkan; /* Vulkan's memory model; else OpenCL's */
  struct kernel_question asks;
};

/* What a command line says of kernels. */
struct spirv_options {
  const char *const *compiler; /* further options for compilers of sources, NULL after the last; NULL: none */
  const struct source *header; /* lines as in header_comments.h, which take the place of the files' own; NULL: none */
  bool asks_all;               /* where no condition names anything, all that others see is asked for */
  const char *condition;       /* as after @Output, in the place of all of these; NULL: none */
};

/* Is the file a kernel, by its name or its first bytes? */
bool spirv_is_kernel(const struct source *source);

/* What a kernel is called: as its file, without folder and ending. */
static inline const char *spirv_name(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
  return arena_strndup(arena, start, dot && dot > start ? (size_t)(dot - start) : strlen(start));
}

/* Reads a kernel; options: NULL: none.  False: an error was added to `diags`.  Everything lives in `arena`. */
bool spirv_read(struct arena *arena, const struct source *source, const struct spirv_options *options,
                struct spirv_test *test, struct diags *diags);

#endif
