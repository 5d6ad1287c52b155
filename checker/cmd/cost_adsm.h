/* SPDX-License-Identifier: MIT */
/* `cost adsm TEST...`: what ADSM litmus tests move and take. */
#ifndef LITSCOPE_CMD_COST_ADSM_H
#define LITSCOPE_CMD_COST_ADSM_H

#include "checker/cmd/command.h"
#include "checker/litmus/litmus.h"
#include "hwsem/machine_with_mapping.h"
#include "hwsem/prices/adsm_prices.h"

/* The parameters of timing-adsm, without -params.  False, adding errors, when
 * they cannot be read. */
bool adsm_prices_load(struct invocation *call, struct adsm_parameters *parameters, struct diags *diags);

/* What a test costs on an ADSM target, `up=1 down=1 faults=2 49011 ns`: cells
 * moved, faults, time, from the least to the most of all runs.  Returns false
 * when there is no price; *text says why then. */
int64_t adsm_price(const struct adsm_parameters *parameters, const struct litmus_test *test,
                   const struct target *target, struct arena *arena, const char **text);

int cost_adsm(struct invocation *call);

#endif
