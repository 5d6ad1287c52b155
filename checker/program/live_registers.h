/* SPDX-License-Identifier: MIT */
/* Which registers of a thread may still be used. */
#ifndef LITSCOPE_PROGRAM_LIVE_REGISTERS_H
#define LITSCOPE_PROGRAM_LIVE_REGISTERS_H

#include "checker/program/program.h"

/* The registers that are live before each instruction, and after the last: reg_count each, in `arena`.  `ends`: those
 * that are live in the end; NULL: none. */
const bool *live_registers(struct arena *arena, const struct thread *thread, const bool *ends);

#endif
