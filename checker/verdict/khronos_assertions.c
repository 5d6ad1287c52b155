/* SPDX-License-Identifier: MIT */
/* Assertions of Khronos' tests, by counting: executions in all, and those that
 * raise the flag `racy`, among the consistent ones and among all candidates. */
#include "checker/verdict/khronos_assertions.h"

#include <string.h>

static const char RACY[] = "racy";

/* How many executions there are, and what kept them from being counted. */
struct tally {
  uint64_t racy, others;
  const char *lacks;
};

static bool has_flag(const struct cat_model *model) {
  for (uint32_t i = 0; i < model->ir.check_count; i++)
    if (model->ir.checks[i].role == ROLE_FLAG && !strcmp(model->ir.checks[i].name, RACY)) return true;
  return false;
}

static struct tally count(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          const struct enumerate_options *options, bool consistent) {
  struct enumerate_options own = {.unroll = options->unroll,
                                  .max_events = options->max_events,
                                  .max_memory = options->max_memory,
                                  .timeout = options->timeout,
                                  .workers = options->workers,
                                  .prune = true,
                                  .through = !consistent,
                                  .cancel = options->cancel};
  bool *skip = ARENA_ARRAY(arena, bool, (size_t)model->ir.check_count + 1);
  for (uint32_t i = 0; i < model->ir.check_count; i++) skip[i] = model->ir.checks[i].role == ROLE_REQUIRE;
  if (!consistent) own.skip = skip;
  const struct verdict *v = verdict_run(arena, test, model, &own, NULL);
  struct tally tally = {.others = v->states.matching + v->states.failing};
  for (size_t i = 0; i < v->flag_count; i++)
    if (!strcmp(v->flags[i].name, RACY)) tally.racy = v->flags[i].count;
  tally.others -= tally.racy;
  if (v->end != END_DONE) tally.lacks = "a limit was reached";
  return tally;
}

/* The worlds that some execution is in; *lacks: why they are not known. */
static unsigned find_worlds(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                            const struct enumerate_options *options, bool all, const char **lacks) {
  if (!has_flag(model)) {
    *lacks = "the model has no flag 'racy'";
    return 0;
  }
  struct tally consistent = count(arena, test, model, options, true);
  struct tally whole = all ? count(arena, test, model, options, false) : consistent;
  *lacks = consistent.lacks ? consistent.lacks : whole.lacks;
  return (unsigned)(consistent.others > 0) << WORLD_CONSISTENT | (unsigned)(consistent.racy > 0) << WORLD_RACY |
         (unsigned)(whole.others > consistent.others) << WORLD_INCONSISTENT |
         (unsigned)(whole.racy > consistent.racy) << WORLD_INCONSISTENT_RACY;
}

static const unsigned INCONSISTENT = 1u << WORLD_INCONSISTENT | 1u << WORLD_INCONSISTENT_RACY;

/* Does an assertion that can be judged, with chains or without, ask for some of these worlds? */
static bool asks(const struct litmus_test *test, bool chains, unsigned worlds) {
  for (size_t i = 0; i < test->assertion_count; i++) {
    const struct assertion *assertion = &test->assertions[i];
    if (!assertion->unsupported && assertion->chains == chains && assertion->worlds & worlds) return true;
  }
  return false;
}

struct assertion_answer *assertions_judge(struct arena *arena, const struct litmus_test *test,
                                          const struct cat_model *model, const struct cat_model *without_chains,
                                          const struct enumerate_options *options) {
  if (!test->assertion_count) return NULL;
  struct assertion_answer *answers = ARENA_ARRAY(arena, struct assertion_answer, test->assertion_count);
  unsigned worlds[2] = {0, 0}; /* by `chains` */
  const char *lacks[2] = {NULL, NULL};
  for (int chains = 0; chains < 2; chains++) {
    const struct cat_model *used = chains ? model : without_chains;
    if (!asks(test, chains, ~0u)) continue;
    if (used)
      worlds[chains] = find_worlds(arena, test, used, options, asks(test, chains, INCONSISTENT), &lacks[chains]);
    else
      lacks[chains] = "the model has no variant 'nochains'";
  }
  for (size_t i = 0; i < test->assertion_count; i++) {
    const struct assertion *assertion = &test->assertions[i];
    answers[i].unsupported = assertion->unsupported ? assertion->unsupported : lacks[assertion->chains];
    answers[i].holds =
        !answers[i].unsupported && assertion->satisfiable == ((worlds[assertion->chains] & assertion->worlds) != 0);
  }
  return answers;
}
