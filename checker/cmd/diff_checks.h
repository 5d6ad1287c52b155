/* SPDX-License-Identifier: MIT */
/* A model compared with itself without one of its checks, for each of them. */
#ifndef LITSCOPE_CMD_DIFF_CHECKS_H
#define LITSCOPE_CMD_DIFF_CHECKS_H

#include "checker/cmd/models.h"
#include "checker/cmd/sharding.h"

/* Does it for the one model, prints what is found, and returns the exit status. */
int diff_checks(struct invocation *call, const struct model_set *models);

#endif
