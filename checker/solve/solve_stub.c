/* SPDX-License-Identifier: MIT */
/* CADICAL=no: no solver. */
#include "checker/solve/proof.h"
#include "checker/solve/solve.h"

const char *solve_refusal(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          bool stops) {
  (void)arena, (void)test, (void)model, (void)stops;
  return "this litscope was built without a solver (CADICAL=no)";
}

enum enumerate_end solve(const struct litmus_test *test, const struct cat_model *model,
                         const struct enumerate_options *options, const struct enumerate_sink *sink,
                         struct enumerate_stats *stats) {
  (void)test, (void)model, (void)options, (void)sink;
  *stats = (struct enumerate_stats){0};
  return END_DONE;
}

enum enumerate_end proof_write(FILE *out, const struct litmus_test *test, const struct cat_model *model,
                               const struct enumerate_options *options, struct arena *arena, struct proof *proof) {
  (void)out, (void)test, (void)model, (void)options, (void)arena;
  *proof = (struct proof){.lacks = "what no solver has shown"};
  return END_DONE;
}
