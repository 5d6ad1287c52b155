/* SPDX-License-Identifier: MIT */
/* `verify -target T -exhaustive FAMILY` and `-ablate`. */
#ifndef LITSCOPE_CMD_EXHAUSTIVE_COMPILED_H
#define LITSCOPE_CMD_EXHAUSTIVE_COMPILED_H

#include "checker/cmd/machine_options.h"
#include "checker/verify/verify.h"

/* Prints a summary for each target, or a table of what each emitted instruction
 * is needed for; returns the exit status. */
int sweep_compiled(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                   const struct verify_options *options);

#endif
