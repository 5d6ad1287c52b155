/* SPDX-License-Identifier: MIT */
/* Which cells of an array an access may name, whatever its thread reads.
 *
 * Of `flags[4 * i + 1]` it is one in four: nobody who stores there can change `flags[0]`, from which `i` was taken.
 * This is found from the bits of registers that are the same in every execution (known bits, as compilers have
 * them). */
#ifndef LITSCOPE_PROGRAM_POSSIBLE_CELLS_H
#define LITSCOPE_PROGRAM_POSSIBLE_CELLS_H

#include "checker/program/program.h"

/* Sets address.possible, in `arena`, of the program's accesses whose index is not a constant. */
void possible_cells_find(struct arena *arena, struct program *program);

#endif
