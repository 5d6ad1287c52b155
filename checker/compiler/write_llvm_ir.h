/* SPDX-License-Identifier: MIT */
/* A test's threads as LLVM IR: one kernel for each, whose operations are those
 * that front ends of OpenCL emit.
 *
 * Addresses are divergent (location plus work-item number), so that ordinary
 * loads become vector loads and not scalar ones.  At its end a kernel stores
 * every register to its results, in order.
 */
#ifndef LITSCOPE_COMPILER_WRITE_LLVM_IR_H
#define LITSCOPE_COMPILER_WRITE_LLVM_IR_H

#include "checker/program/program.h"

enum ir_machine { IR_AMDGPU, IR_NVPTX };

/* What the compiler reads: IR, or source (clang_source.h). */
enum ir_form {
  IR_TEXT,
  IR_OPENCL,
  IR_C,
  IR_KERNEL /* a kernel's own source (opencl_kernel.h) */
};

struct ir_options {
  enum ir_machine machine;
  enum ir_form form;
  bool one_as; /* atomics, and fences of one address space, order that space only */
  bool lines;  /* with debug locations: a source line for each instruction */
  bool wide;   /* values have 64 bits, and cells as many as they have: only source can say so */
};

/* A kernel, named `@t0` for the batch to rename, and what its arguments are. */
struct ir_kernel {
  const char *text;
  const unsigned *locations; /* of the arguments after the results, in order */
  unsigned location_count;
  unsigned local_count; /* local locations of the program */
  bool wide;            /* as in the options */
};

/* The thread as a kernel.  false, with diagnostics, for what has no IR, such as remote
 * operations. */
bool ir_kernel(struct arena *arena, const struct program *program, unsigned thread, const struct ir_options *options,
               struct ir_kernel *kernel, struct diags *diags);

/* The word of local memory at which a local location is: arrays are too far apart for
 * one instruction to reach two. */
enum { IR_LOCAL_STRIDE = 301 };
unsigned ir_local_word(const struct program *program, unsigned location);

/* Kernels choose an element by its address, `p == 21474836480 ? 0 : p == 21474836484 ? 1 : -1`: p, and the address of
 * the first; NULL: the index is another, or the elements do not follow each other, each of so many bytes. */
const struct expr *ir_byte_of(const struct address *address, unsigned bytes, int64_t *first);

/* How many bytes the cell has. */
unsigned ir_cell_bytes(const struct program *program, unsigned location);

/* A module with kernels @t0, @t1, ..., but for those with `skip` (NULL: all). */
void ir_write_module(const struct ir_kernel *kernels, unsigned count, const bool *skip,
                     const struct ir_options *options, FILE *out);

#endif
