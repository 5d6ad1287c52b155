/* SPDX-License-Identifier: MIT */
/* What CUDA and HIP have in common: operations are macros of hosts/scoped.h,
 * which both compilers of CUDA and clang's HIP spell in their own ways. */
#ifndef LITSCOPE_DEVICE_DIALECT_SCOPED_H
#define LITSCOPE_DEVICE_DIALECT_SCOPED_H

#include "checker/device/kernel.h"

void scoped_prelude(const struct layout *layout, const struct kernel_options *options, FILE *out);
void scoped_epilogue(const struct layout *layout, FILE *out);
void scoped_load(const struct kernel_access *access, FILE *out);
void scoped_store(const struct kernel_access *access, FILE *out);
void scoped_rmw(const struct kernel_access *access, FILE *out);
void scoped_swap(const struct kernel_access *access, const char *indent, FILE *out);
void scoped_fence(const struct kernel_access *access, FILE *out);
void scoped_barrier(const struct instr *barrier, const char *indent, FILE *out);

#endif
