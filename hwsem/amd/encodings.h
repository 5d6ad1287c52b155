/* SPDX-License-Identifier: MIT */
/* What the encodings of a GPU's instructions have room for. */
#ifndef LITSCOPE_HWSEM_AMD_ENCODINGS_H
#define LITSCOPE_HWSEM_AMD_ENCODINGS_H

#include "hwsem/amd/assembly.h"

/* Is the modifier, or with `policy` what comes after `th:`, one that has no effect on the machine? */
bool amd_is_hint(const struct amd_instr *instr, const char *at, size_t length, bool policy);

/* Does the instruction have the modifier on this GPU?  `bit`: the amd_bit that it sets, or 0. */
bool amd_has_modifier(const struct amd_target *target, const struct amd_instr *instr, const char *at, size_t length,
                      unsigned bit);

/* What is wrong with the operands, and where; NULL: nothing. */
const char *amd_misfit(struct arena *arena, const struct amd_target *target, const struct amd_instr *instr,
                       struct span *span);

#endif
