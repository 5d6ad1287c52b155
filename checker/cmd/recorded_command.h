/* SPDX-License-Identifier: MIT */
/* A command line that was read from a file: `merge` runs again what a file of parts says that it is of, and whoever
 * wrote the file may be nobody's friend.  So it is run only where all it can do is compute and print: options of a
 * list (recorded_command.c), no operands, and names of what was installed or is in folders of the caller's own
 * LITSCOPE_LIB. What writes files, starts a program or reads other files has to be named by the caller. */
#ifndef LITSCOPE_CMD_RECORDED_COMMAND_H
#define LITSCOPE_CMD_RECORDED_COMMAND_H

#include "checker/cmd/command.h"

/* What a line asks for that no file may ask for (`option -o`, `a file to read`); NULL: nothing.  The line was parsed
 * with `recorded` set. */
const char *recorded_fault(const struct invocation *call);

#endif
