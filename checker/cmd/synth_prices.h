/* SPDX-License-Identifier: MIT */
/* What each change of emitted code saves, for `synth -target` and `repair`: from the timed GPU, or
 * from a list of instructions with their prices (-price FILE). */
#ifndef LITSCOPE_CMD_SYNTH_PRICES_H
#define LITSCOPE_CMD_SYNTH_PRICES_H

#include "checker/cmd/command.h"

struct target_code_prices {
  /* A list: instructions, or how they begin, and what each costs.  Of several that fit
   * the longest counts, of none `else`, without which it is to stay. */
  const char **names; /* NULL: no list */
  int64_t *prices;
  size_t count;
  int64_t invalidate, write_back; /* without a list: what these add to an access on the timed GPU */
};

/* Reads the description `name` (NULL: the timed GPU's own) and -params.  On failure adds errors and returns false. */
bool target_code_prices_load(struct invocation *call, const char *name, struct target_code_prices *prices,
                             struct diags *diags);

/* Of a change as `load acq dev: buffer_inv`; negative: it is not to be made. */
int64_t target_code_price(const struct target_code_prices *prices, const char *change);

#endif
