/* SPDX-License-Identifier: MIT */
/* `diff TEST...`: where models part on the variations of tests. */
#ifndef LITSCOPE_CMD_DIFF_VARIATIONS_H
#define LITSCOPE_CMD_DIFF_VARIATIONS_H

#include "checker/cmd/models.h"

/* Asks two models about the variations of the call's tests, and returns the exit
 * status: STATUS_DIFFERS where they differ on some. */
int diff_variations(struct invocation *call, const struct model_set *models);

#endif
