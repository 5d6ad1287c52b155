/* SPDX-License-Identifier: MIT */
/* Strict verification: a machine's executions among those of the model, not only
 * its outcomes.
 */
#ifndef LITSCOPE_VERIFY_EXECUTION_INCLUSION_H
#define LITSCOPE_VERIFY_EXECUTION_INCLUSION_H

#include "checker/exec/enumerate.h"
#include "hwsem/execution_rf_co.h"
#include "hwsem/explore.h"

/* What is searched. */
struct strict_search {
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct enumerate_options *model_options;
  const struct machine *machine; /* whose outcomes are executions */
  void (*key)(const struct machine *machine, const struct execution_words *execution, int64_t *key);
  struct explorer *explorer;
  const struct explore_options *explore_options; /* whose callbacks are not used */
};

struct strict_result {
  enum enumerate_end model; /* not END_DONE: the model's executions are not all known, and the machine was not asked */
  const int64_t *bad;       /* an outcome of the machine that is no execution of the model, good until the explorer's
                             * next run; NULL: none was found */
  uint32_t bad_state;       /* its nearest state */
  struct exploration found; /* how the machine's search ended */
};

/* Collects the model's executions, then explores the machine up to one that is
 * not among them. */
void execution_inclusion_find(const struct strict_search *search, struct arena *arena, struct strict_result *result);

#endif
