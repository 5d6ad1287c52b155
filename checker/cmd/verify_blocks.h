/* SPDX-License-Identifier: MIT */
/* `verify -blocks FILE.ll...`. */
#ifndef LITSCOPE_CMD_VERIFY_BLOCKS_H
#define LITSCOPE_CMD_VERIFY_BLOCKS_H

#include "checker/cmd/command.h"

/* Verifies the code of LLVM's memory-legalizer tests, prints a line for each block and
 * a table of what its instructions are needed for, and returns the exit status:
 * STATUS_DIFFERS when a block is unsound, STATUS_BAD when a file cannot be read. */
int verify_blocks(struct invocation *call);

#endif
