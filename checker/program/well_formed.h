/* SPDX-License-Identifier: MIT */
/* The invariant of programs that front ends promise and engines take for granted, for assertions. */
#ifndef LITSCOPE_PROGRAM_WELL_FORMED_H
#define LITSCOPE_PROGRAM_WELL_FORMED_H

#include "checker/program/program.h"

/* Do jumps lead to instructions or the end, registers, locations, objects, kernels and labels exist, and have
 * instructions the operands of their kind? */
bool program_is_well_formed(const struct program *program);

#endif
