/* SPDX-License-Identifier: MIT */
/* Values as most languages and tools have them: integers with sign. */
#ifndef LITSCOPE_PROGRAM_PLAIN_H
#define LITSCOPE_PROGRAM_PLAIN_H

#include "checker/program/program.h"

/* Does the instruction compute with nothing but these: with no floats, and no values without sign? */
bool instr_is_plain(const struct instr *instr);

#endif
