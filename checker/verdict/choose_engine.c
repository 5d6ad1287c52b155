/* SPDX-License-Identifier: MIT */
/* The solver answers as it does for -engine solve. */
#include "checker/verdict/choose_engine.h"

#include "checker/verdict/engine_turns.h"
#include "checker/verdict/kernel_verdict.h"

static struct verdict *solved(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                              const struct enumerate_options *options) {
  struct enumerate_options asked = *options;
  if (asked.stop_when_known) return verdict_run(arena, test, model, &asked, NULL);
  asked.most_states = MOST_STATES;
  return kernel_verdict_run(arena, test, model, &asked);
}

struct verdict *verdict_of_either(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options) {
  return verdict_in_turns(arena, test, model, options, solved);
}
