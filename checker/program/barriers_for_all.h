/* SPDX-License-Identifier: MIT */
/* Control barriers at which all must meet: their quorum is all that can ever come. */
#ifndef LITSCOPE_PROGRAM_BARRIERS_FOR_ALL_H
#define LITSCOPE_PROGRAM_BARRIERS_FOR_ALL_H

#include "checker/program/program.h"

/* Sets `full` of the program's MEET instructions. */
void barriers_for_all_find(struct program *program);

#endif
