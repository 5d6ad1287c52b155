/* SPDX-License-Identifier: MIT */
/* Kernels in OpenCL C, compiled as they are for the AMD machine.
 *
 * Each work-item is a wave of its own, with one active lane: it gets its number and
 * its group's as the hardware has them, and the kernel's arguments at the offsets that
 * the compiler's metadata give.  How many work-items and groups there are is a
 * constant; functions of OpenCL's library become operations of the compiler.
 */
#ifndef LITSCOPE_COMPILER_OPENCL_KERNEL_H
#define LITSCOPE_COMPILER_OPENCL_KERNEL_H

#include "checker/compiler/write_llvm_ir.h"
#include "hwsem/amd/unfold_assembly.h"

/* The module, as the one kernel of its batch, called `t0`.  false, with diagnostics, where its code could not be run.
 */
bool kernel_source(struct arena *arena, const struct program *program, struct ir_kernel *kernel, struct diags *diags);

/* The program's locations as the code sees them: arrays of words, without variables that the compiler has left out. */
const struct location *kernel_locations(struct arena *arena, const struct program *program,
                                        const struct amd_code *code);

/* What the thread is called with, by the code's metadata.  Returns the locations as this thread sees them, without
 * other work-groups' local memory; NULL, with diagnostics, where the metadata say something that is not known. */
const struct location *kernel_call(struct arena *arena, const struct program *program, unsigned thread,
                                   struct amd_thread_input *input, struct diags *diags);

#endif
