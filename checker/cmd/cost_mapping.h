/* SPDX-License-Identifier: MIT */
/* What mappings cost on tests: `cost mapping`, and -cost of other commands. */
#ifndef LITSCOPE_CMD_COST_MAPPING_H
#define LITSCOPE_CMD_COST_MAPPING_H

#include "checker/cmd/command.h"
#include "checker/cmd/each_test.h"
#include "checker/cmd/machine_options.h"
#include "hwsem/machine_with_mapping.h"
#include "hwsem/mapping.h"
#include "hwsem/prices/adsm_prices.h"
#include "hwsem/prices/rsp_prices.h"

/* The timed GPU as -params sets it, and what tests are priced on: the call's
 * mappings, ADSM tests all its protocols.  Read once and shared by all tests. */
struct pricing {
  struct rsp_parameters parameters;
  struct rsp_cu *cus;
  int64_t weights[2][3]; /* of operations at device scope, by remote and enum mapping_kind: how often each counts */
  struct adsm_parameters adsm;
  struct hardware hardware;
};

/* `explore -cost`: reads -params and the targets into *pricing.  Without: *pricing is
 * NULL.  On failure adds errors and returns false. */
bool pricing_load(struct invocation *call, struct pricing **pricing, struct diags *diags);

/* The same whether or not -cost is given. */
struct pricing *pricing_new(struct invocation *call, struct diags *diags);

/* The same with eight dirty entries in every FIFO, unless -params or -price is given;
 * -params says so from then on. */
struct pricing *pricing_of_synth(struct invocation *call, struct diags *diags);

/* What a test costs on a target: `P0=36 P1=28..61`, the cycles of each thread
 * from the cheapest to the most expensive path; on an ADSM machine what moves.  Returns
 * the whole price, the cycles of the slowest thread at its most expensive (ADSM: the
 * nanoseconds of the slowest run); -1: there is none, and *text says why.  *unit
 * ends a heading: ", cycles by thread". */
int64_t pricing_target(const struct pricing *pricing, const struct litmus_test *test, const struct target *target,
                       struct arena *arena, const char **text, const char **unit);

/* The same as a line `Cost MAPPING P0=36 P1=28..61`. */
const char *pricing_target_line(const struct pricing *pricing, const struct litmus_test *test,
                                const struct target *target, struct arena *arena);

/* Notes after each step of a thread in a run on the target the cycle `@54` of that
 * thread at which it has been done (begun, where more steps of the instruction
 * follow).  Where steps have no prices, nothing. */
void pricing_note_steps(const struct pricing *pricing, const struct litmus_test *test, const struct target *target,
                        struct explore_step *trace, size_t length, struct arena *arena);

int cost_mapping(struct invocation *call);
void cost_mapping_help(FILE *out);

#endif
