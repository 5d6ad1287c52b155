/* SPDX-License-Identifier: MIT */
/* `gen -cycle` and `gen -cycles`. */
#ifndef LITSCOPE_CMD_GEN_CYCLE_H
#define LITSCOPE_CMD_GEN_CYCLE_H

#include "checker/cmd/command.h"

int gen_cycles(struct invocation *call);

#endif
