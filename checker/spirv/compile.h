/* SPDX-License-Identifier: MIT */
/* Kernels in OpenCL C and GLSL: a compiler makes a module of the source.
 *
 *   .cl    clang with SPIR-V's target, not optimised.  Its IR is made fit first (rewrite_llvm_ir.h):
 *          the back end loses orders and scopes of atomic operations, and lines.
 *   .comp  glslangValidator, with Vulkan's memory model where the source asks for it.
 *
 * Compilers run as other programs do; one that is not there is an error.
 */
#ifndef LITSCOPE_SPIRV_COMPILE_H
#define LITSCOPE_SPIRV_COMPILE_H

#include "checker/spirv/rewrite_llvm_ir.h"

struct compiled {
  const char *words; /* of the module */
  size_t size;
  const struct ir_argument *arguments; /* OpenCL C: what the kernels' pointers point to */
  unsigned argument_count;
};

/* Is it a source, by its name? */
bool compile_is_source(const struct source *source);

/* Compiles it; `options` are further ones for the compiler, NULL after the last (NULL: none).
 * False: an error was added, at the compiler's line. */
bool compile_source(struct arena *arena, const struct source *source, const char *const *options,
                    struct compiled *compiled, struct diags *diags);

#endif
