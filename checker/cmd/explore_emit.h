/* SPDX-License-Identifier: MIT */
/* `explore -emit`: the machine of a test as a model for SPIN or rumur. */
#ifndef LITSCOPE_CMD_EXPLORE_EMIT_H
#define LITSCOPE_CMD_EXPLORE_EMIT_H

#include "checker/cmd/each_test.h"
#include "hwsem/machine_with_mapping.h"

/* Prints the model of the test on the target, or writes it to the folder of -o. */
void explore_emit(const struct invocation *call, const struct target *target, const struct litmus_test *test,
                  struct test_output *output);

#endif
