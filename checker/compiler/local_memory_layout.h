/* SPDX-License-Identifier: MIT */
/* Where a kernel's variables lie in the local memory of its work-group, in code that LLVM made for AMD's GPUs.
 *
 * The code says how many bytes they take together, and no more; the places are those that LLVM gives them.
 */
#ifndef LITSCOPE_COMPILER_LOCAL_MEMORY_LAYOUT_H
#define LITSCOPE_COMPILER_LOCAL_MEMORY_LAYOUT_H

#include "checker/program/kernel_launch.h"
#include "hwsem/amd/unfold_assembly.h"

/* The bytes at which they begin, by number, of one work-group after the other; those that are left out are nowhere. */
struct local_memory_layout {
  unsigned *places, bytes;
};
enum { LOCAL_MEMORY_NOWHERE = UINT32_MAX };

/* How many bytes the code says that they take; 0: none, or they are all optimised away. */
unsigned long local_memory_bytes(const struct amd_code *code);

/* All variables, or those, if there is but one choice, that take as many bytes as the code says: compilers leave out
 * what nobody reads.  false: another number; the layout is then that of all. */
bool local_memory_lay_out(struct arena *arena, const struct kernel_launch *launch, const struct amd_code *code,
                          struct local_memory_layout *layout);

#endif
