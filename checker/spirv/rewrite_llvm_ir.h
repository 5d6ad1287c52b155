/* SPDX-License-Identifier: MIT */
/* LLVM IR of a kernel in OpenCL C, as text, on its way from clang to its back end for SPIR-V.
 *
 * The back end drops the orders and scopes of loads and stores, puts wrong scopes on
 * operations that name none, does not know many of OpenCL's functions, and writes no lines.  So
 * calls of OpenCL's atomic functions, fences and barriers, and LLVM's atomic loads and
 * stores, become calls of __spirv_AtomicLoad and its like, which it takes as they are; and
 * where the line changes, MODULE_LINE(line, column) is called, for module.c to read.
 */
#ifndef LITSCOPE_SPIRV_REWRITE_LLVM_IR_H
#define LITSCOPE_SPIRV_REWRITE_LLVM_IR_H

#include "checker/base/diag.h"
#include "checker/spirv/types.h"

/* What a pointer that a kernel is called with points to: the back end forgets it. */
struct ir_argument {
  const char *kernel;
  unsigned index;
  const struct kernel_type *type;
};

/* The IR for the back end, and the kernels' arguments as its notes for debuggers tell them.  NULL: an
 * error was added. */
char *ir_prepare(struct arena *arena, const struct source *source, const char *text,
                 const struct ir_argument **arguments, unsigned *argument_count, struct diags *diags);

#endif
