/* SPDX-License-Identifier: MIT */
/* `verify -family adsm[,OPERATIONS]`. */
#ifndef LITSCOPE_CMD_EXHAUSTIVE_ADSM_H
#define LITSCOPE_CMD_EXHAUSTIVE_ADSM_H

#include "checker/cmd/machine_options.h"

/* Does -family name this family? */
bool is_adsm_family(const char *family);

/* Runs the sweep, prints its table and the shortest deviations, and returns the
 * exit status: STATUS_DIFFERS when a protocol deviates on a program that is
 * legal by the model's own rule. */
int verify_exhaustive_adsm(struct invocation *call, const struct hardware *hardware, const char *family);

#endif
