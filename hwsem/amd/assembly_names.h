/* SPDX-License-Identifier: MIT */
/* The names of the assembly subset: what is not among them is refused. */
#ifndef LITSCOPE_HWSEM_AMD_ASSEMBLY_NAMES_H
#define LITSCOPE_HWSEM_AMD_ASSEMBLY_NAMES_H

#include "hwsem/amd/assembly.h"

struct amd_name {
  const char *text;
  enum amd_op op;
  unsigned fn, fn2, words;
  bool returns;
  unsigned gpus; /* that have it: a set of enum amd_gpu */
};

/* A name without suffixes, if there is one that this GPU has, else any; or NULL. */
const struct amd_name *amd_name_find(const char *at, size_t length, unsigned gpu);

/* All of them. */
const struct amd_name *amd_names(unsigned *count);

#endif
