/* SPDX-License-Identifier: MIT */
/* The GPUs for which tests can be compiled. */
#ifndef LITSCOPE_CMD_LIST_TARGETS_H
#define LITSCOPE_CMD_LIST_TARGETS_H

#include "checker/cmd/command.h"

/* Prints those that the call's words name, or all, with the compilers found. */
int targets_list(struct invocation *call);

#endif
