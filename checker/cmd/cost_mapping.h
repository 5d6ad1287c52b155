/* What mappings cost on tests: `cost mapping`, and -cost of other commands. */
#ifndef LITSCOPE_CMD_COST_MAPPING_H
#define LITSCOPE_CMD_COST_MAPPING_H

#include "cmd/command.h"
#include "cmd/hardware.h"
#include "cmd/tests.h"
#include "mapping.h"
#include "target.h"
#include "timing/adsm.h"
#include "timing/rsp.h"

/* Machine R as -params sets it, read once and shared by all tests.  With
 * `check` also mappings; `explore` and `verify` have theirs in their targets. */
struct pricing {
  struct rsp_parameters parameters;
  struct rsp_cu *cus;
  const struct mapping **mappings; /* those of -mapping; default rsp-corrected */
  size_t mapping_count;
  struct adsm_parameters adsm; /* for ADSM tests, which `check` prices on all protocols */
  struct hardware *hardware;
};

/* With -cost: reads -params and -mapping into *pricing.  Without: *pricing is
 * NULL.  On failure adds errors and returns false. */
bool pricing_load(struct invocation *call, struct pricing **pricing, struct diags *diags);

/* A line `Cost MAPPING P0=36 P1=28..61`: the cycles of each thread, from the
 * cheapest to the dearest path.  Of a test that has no price says why not. */
const char *pricing_line(const struct pricing *pricing, const struct litmus_test *test, const struct mapping *mapping,
                         struct arena *arena);

/* The same for a target: on an ADSM machine, what moves. */
const char *pricing_target_line(const struct pricing *pricing, const struct litmus_test *test,
                                const struct target *target, struct arena *arena);

/* The lines for all of the pricing's mappings; of an ADSM test, for all protocols. */
const char *pricing_lines(const struct pricing *pricing, const struct litmus_test *test, struct arena *arena);

int cost_mapping(struct invocation *call);
void cost_mapping_help(FILE *out);

#endif
