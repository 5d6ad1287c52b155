/* SPDX-License-Identifier: MIT */
/* Control barriers at which all must meet: their quorum is all that can ever come. */
#ifndef LITSCOPE_PROGRAM_FULL_MEETINGS_H
#define LITSCOPE_PROGRAM_FULL_MEETINGS_H

#include "checker/program/program.h"

/* Sets `full` of the program's MEET instructions. */
void full_meetings_find(struct program *program);

#endif
