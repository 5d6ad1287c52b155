/* SPDX-License-Identifier: MIT */
/* Values as most languages and tools have them: integers with sign. */
#ifndef LITSCOPE_PROGRAM_SIGNED_INTEGERS_H
#define LITSCOPE_PROGRAM_SIGNED_INTEGERS_H

#include "checker/program/program.h"

/* Does the instruction compute with nothing but these: with no floats, and no values without sign? */
bool instr_is_signed(const struct instr *instr);

#endif
