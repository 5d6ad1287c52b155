/* SPDX-License-Identifier: MIT */
/* Assertions of Khronos' tests, by counting: executions that raise the flag `racy` and
 * others, those with a number of pairs and others, among the consistent ones and among all
 * candidates. */
#include "checker/verdict/khronos_verdict.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/exec/evaluate_model_on_execution.h"

static const char RACY[] = "racy";

/* How many executions there are, by whether they have the number of pairs that is asked for and whether they are racy,
 * and what kept them from being counted. */
struct tally {
  const struct cat_ir *ir;
  const struct assertion *asks; /* for a number of pairs; NULL: nothing does */
  uint32_t counted;             /* the node of these */
  uint64_t found[2][2];
  const char *lacks;
};

static bool has_flag(const struct cat_model *model) {
  for (uint32_t i = 0; i < model->ir.check_count; i++)
    if (model->ir.checks[i].role == ROLE_FLAG && !strcmp(model->ir.checks[i].name, RACY)) return true;
  return false;
}

/* The node of a relation by its name; node_count: there is none. */
static uint32_t find_relation(const struct cat_ir *ir, const char *name) {
  uint32_t node = 0;
  while (node < ir->node_count && !(ir->nodes[node].name && !strcmp(ir->nodes[node].name, name))) node++;
  return node;
}

static bool has_number(const struct tally *tally, const struct execution *x) {
  if (!tally->asks) return false;
  struct arena *scratch = arena_new();
  const struct valuation *v = evaluate(scratch, tally->ir, x);
  long pairs = (long)words_popcount((size_t)x->shape.n * x->shape.w, v->value[tally->counted]);
  arena_free(scratch);
  return tally->asks->least <= pairs && pairs <= tally->asks->most;
}

static void count_execution(void *context, const struct candidate *candidate, bool meets) {
  struct tally *tally = context;
  (void)meets;
  bool number = has_number(tally, candidate->execution);
  tally->found[number][candidate_raises(tally->ir, candidate, RACY)] += candidate->ways;
}

static void count(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                  const struct enumerate_options *options, bool consistent, struct tally *tally) {
  struct enumerate_options own = {.unroll = options->unroll,
                                  .max_events = options->max_events,
                                  .max_memory = options->max_memory,
                                  .timeout = options->timeout,
                                  .workers = options->workers,
                                  .prune = true,
                                  .through = !consistent,
                                  .cancel = options->cancel};
  struct verdict_observer observer = {.context = tally, .consistent = count_execution};
  bool *skip = ARENA_ARRAY(arena, bool, (size_t)model->ir.check_count + 1);
  for (uint32_t i = 0; i < model->ir.check_count; i++) skip[i] = model->ir.checks[i].role == ROLE_REQUIRE;
  if (!consistent) own.skip = skip;
  if (verdict_run(arena, test, model, &own, &observer)->end != END_DONE) tally->lacks = "a limit was reached";
}

/* The worlds that some execution is in; *lacks: why they are not known. */
static unsigned find_worlds(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                            const struct enumerate_options *options, const struct assertion *asks, bool all,
                            const char **lacks) {
  static const enum world WORLD_OF[2][2] = {{WORLD_INCONSISTENT, WORLD_INCONSISTENT_RACY},
                                            {WORLD_CONSISTENT, WORLD_RACY}};
  struct tally consistent = {.ir = &model->ir, .asks = asks, .counted = find_relation(&model->ir, "rs")};
  *lacks = !has_flag(model)                                          ? "the model has no flag 'racy'"
           : asks && consistent.counted == consistent.ir->node_count ? "the model has no relation 'rs'"
                                                                     : NULL;
  if (*lacks) return 0;
  struct tally whole = consistent;
  count(arena, test, model, options, true, &consistent);
  if (all) count(arena, test, model, options, false, &whole);
  *lacks = consistent.lacks ? consistent.lacks : whole.lacks;
  unsigned worlds = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t good = consistent.found[i / 2][i % 2];
    if (good) worlds |= 1u << (WORLD_OF[true][i % 2] + i / 2 * WORLDS);
    if (whole.found[i / 2][i % 2] > good) worlds |= 1u << (WORLD_OF[false][i % 2] + i / 2 * WORLDS);
  }
  return worlds;
}

static const unsigned INCONSISTENT = (1 + (1u << WORLDS)) * (1u << WORLD_INCONSISTENT | 1u << WORLD_INCONSISTENT_RACY);

/* What is known of the executions under one of the two models. */
struct known {
  unsigned worlds;
  const char *lacks;
  bool asked;
};

/* Does an assertion that can be judged, with chains or without, ask for inconsistent executions? */
static bool asks_for_all(const struct litmus_test *test, bool chains) {
  ARRAY_EACH (const struct assertion, assertion, test->assertions, test->assertion_count)
    if (!assertion->unsupported && assertion->chains == chains && assertion->worlds & INCONSISTENT) return true;
  return false;
}

struct assertion_answer *assertions_judge(struct arena *arena, const struct litmus_test *test,
                                          const struct cat_model *model, const struct cat_model *without_chains,
                                          const struct enumerate_options *options) {
  if (!test->assertion_count) return NULL;
  struct assertion_answer *answers = ARENA_ARRAY(arena, struct assertion_answer, test->assertion_count);
  struct known shared[2] = {{0}}; /* by `chains`: where no number is asked for */
  for (size_t i = 0; i < test->assertion_count; i++) {
    const struct assertion *assertion = &test->assertions[i];
    const struct cat_model *used = assertion->chains ? model : without_chains;
    struct known own = {0}, *known = assertion->counts ? &own : &shared[assertion->chains];
    bool all = assertion->counts ? assertion->worlds & INCONSISTENT : asks_for_all(test, assertion->chains);
    if (!assertion->unsupported && !used) known->lacks = "the model has no variant 'nochains'";
    if (!assertion->unsupported && used && !known->asked)
      known->worlds = find_worlds(arena, test, used, options, assertion->counts ? assertion : NULL, all, &known->lacks);
    known->asked |= !assertion->unsupported;
    answers[i].unsupported = assertion->unsupported ? assertion->unsupported : known->lacks;
    answers[i].holds = !answers[i].unsupported && assertion->satisfiable == ((known->worlds & assertion->worlds) != 0);
  }
  return answers;
}
