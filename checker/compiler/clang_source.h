/* SPDX-License-Identifier: MIT */
/* A test's threads as source text for clang: kernels in OpenCL C, or in C with
 * clang's builtins for atomic operations with scopes.
 *
 * Arguments and results are those of the IR (write_llvm_ir.h), so that what comes out is
 * read in the same way; the front end and the optimisers of clang come in.
 */
#ifndef LITSCOPE_COMPILER_CLANG_SOURCE_H
#define LITSCOPE_COMPILER_CLANG_SOURCE_H

#include "checker/compiler/write_llvm_ir.h"

/* The thread as a kernel in the form that the options ask for, IR or source.
 * false, with diagnostics, for what has no IR. */
bool source_kernel(struct arena *arena, const struct program *program, unsigned thread,
                   const struct ir_options *options, struct ir_kernel *kernel, struct diags *diags);

/* A module, in the same form, with kernels t0, t1, ..., but for those with `skip`
 * (NULL: all). */
void source_write_module(const struct ir_kernel *kernels, unsigned count, const bool *skip,
                         const struct ir_options *options, FILE *out);

#endif
