/* SPDX-License-Identifier: MIT */
/* The machines that have prices, in a setting (parameters.h): what -params and a row of a description say of them. */
#ifndef LITSCOPE_HWSEM_PRICES_SETTINGS_H
#define LITSCOPE_HWSEM_PRICES_SETTINGS_H

#include "hwsem/prices/adsm_prices.h"
#include "hwsem/prices/parameters.h"
#include "hwsem/prices/rsp_prices.h"

/* The ADSM protocols in a setting, as it is, and checked for access patterns. */
bool adsm_setting_read(const struct setting *setting, struct adsm_parameters *parameters);
bool adsm_setting_fill(const struct setting *setting, struct adsm_parameters *parameters);

/* The timed GPU in a setting: its parameters, and what the FIFOs hold at the start
 * (one entry for each compute unit, in `arena`). */
bool rsp_setting_fill(const struct setting *setting, struct rsp_parameters *parameters);
struct rsp_cu *rsp_setting_units(struct arena *arena, const struct setting *setting,
                                 const struct rsp_parameters *parameters);

#endif
