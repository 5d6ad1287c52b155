/* SPDX-License-Identifier: MIT */
/* `verify` without tests: -family and -ablate. */
#ifndef LITSCOPE_CMD_EXHAUSTIVE_MAPPING_H
#define LITSCOPE_CMD_EXHAUSTIVE_MAPPING_H

#include "checker/cmd/machine_options.h"
#include "checker/verify/verify.h"

/* Both print a table on standard output, progress on standard error when it is
 * a terminal, and return the exit status. */
int sweeps_exhaustive(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                      struct verify_options options);
int sweeps_ablate(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                  struct verify_options options);

#endif
