/* SPDX-License-Identifier: MIT */
/* What `repair`'s changes cost: by their number, or in cycles or the like, by a list of instructions or by the timed
 * machine.
 *
 * The price of a form is what the test costs with it alone more than without any change; that of several changes is
 * taken to be the sum. */
#ifndef LITSCOPE_CMD_REPAIR_PRICES_H
#define LITSCOPE_CMD_REPAIR_PRICES_H

#include "checker/cmd/synth_prices.h"
#include "checker/litmus/repair_moves.h"
#include "hwsem/machine_with_mapping.h"

struct pricing;

struct repair_pricing {
  const char *name;               /* for people; NULL: only the number of changes counts */
  struct target_code_prices list; /* names NULL: the timed machine */
  const struct pricing *timed;    /* that */
  const struct target *target;    /* whose code is priced; NULL: the forms themselves, as they are written */
};

/* Reads -cost, -target, -mapping and what belongs to them.  On failure adds errors and returns false. */
bool repair_pricing_load(struct invocation *call, struct repair_pricing *pricing, struct diags *diags);

/* The prices, by place and form, in `arena`; those of first forms are 0.  Forms that the compiler or the machine does
 * not have are taken from the places.  NULL: the test itself has no price, and an error says why. */
int64_t **repair_prices(const struct repair_pricing *pricing, struct arena *arena, const struct litmus_test *test,
                        struct places *places, const struct litmus_options *reading, struct diags *diags);

#endif
