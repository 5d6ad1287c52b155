/* SPDX-License-Identifier: MIT */
/* Strict verification: a machine's executions among those of the model, not only
 * its outcomes.
 */
#ifndef LITSCOPE_VERIFY_STRICT_H
#define LITSCOPE_VERIFY_STRICT_H

#include "checker/exec/enumerate.h"
#include "hwsem/explore.h"
#include "hwsem/follow.h"

/* What is searched. */
struct strict_search {
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct enumerate_options *model_options;
  const struct machine *machine; /* whose outcomes are executions */
  void (*key)(const struct machine *machine, const struct follow_execution *execution, int64_t *key);
  struct explorer *explorer;
  const struct explore_options *explore_options; /* whose callbacks are not used */
};

/* Collects the model's executions, which must be within the limits, then
 * explores the machine up to one that is not among them.  Returns that outcome
 * of the machine, good until the explorer's next run, and its nearest state; or
 * NULL.  `found` says how the search ended. */
const int64_t *strict_find(const struct strict_search *search, struct arena *arena, struct exploration *found,
                           uint32_t *state);

#endif
