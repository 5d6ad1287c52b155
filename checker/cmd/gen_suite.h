/* SPDX-License-Identifier: MIT */
/* `gen -suite TEST...`: tests that tell a model from its mutants. */
#ifndef LITSCOPE_CMD_GEN_SUITE_H
#define LITSCOPE_CMD_GEN_SUITE_H

#include "checker/cmd/models.h"

/* Makes a suite from the variations of the call's tests, and returns the exit status. */
int gen_suite(struct invocation *call);

#endif
