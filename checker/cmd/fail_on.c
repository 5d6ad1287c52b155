/* SPDX-License-Identifier: MIT */
/* Which answers are failures. */
#include "checker/cmd/fail_on.h"

#include <string.h>

/* herd7 ends with 0 whatever the answers are, and so does what its files of options ask for. */
static const char *fails_on(const struct invocation *call) {
  bool herds = option_given(call, OPTION_CONF) && !option_given(call, OPTION_FAIL_ON);
  return herds ? "nothing" : option_text(call, OPTION_FAIL_ON);
}

/* Is a `No` a failure? */
static bool is_claim(const struct invocation *call, const struct litmus_test *test) {
  const char *on = fails_on(call);
  bool question = test->quantifier == QUANT_EXISTS && !test->assertion_count;
  return !strcmp(on, "no") || (!strcmp(on, "violation") && !question);
}

/* Of the condition, or else the assertions: some are known not to hold. */
static const char *violated(const struct litmus_test *test, bool condition_holds, struct arena *arena) {
  return condition_holds ? "an assertion does not hold"
                         : arena_printf(arena, "the condition does not hold: %s", test->condition_text);
}

const char *failure_of_undefined(const struct invocation *call, const char *sentence, struct arena *arena) {
  return strcmp(fails_on(call), "nothing") != 0 ? arena_printf(arena, "undefined: %s", sentence) : NULL;
}

const char *failure_of_verdict(const struct invocation *call, const struct verdict *v, const char *undefined,
                               struct arena *arena) {
  if (v->end != END_DONE) return NULL;
  if (undefined && !v->test->assertion_count) return failure_of_undefined(call, undefined, arena);
  if (v->endless && strcmp(fails_on(call), "nothing") != 0)
    return v->stats.cut ? "no execution is found that ends before its loops are cut"
                        : "no execution ends: some work-item waits for ever in each, at a barrier or in a loop";
  if (verdict_filters_all(v) && strcmp(fails_on(call), "nothing") != 0)
    return "no execution that ends passes the filter";
  if (verdict_ok(v) || !is_claim(call, v->test)) return NULL;
  return violated(v->test, outcomes_answer(&v->states, v->test->quantifier), arena);
}

const char *failure_of_reached(const struct invocation *call, const struct reached *reached, struct arena *arena) {
  if (reached->found.end != EXPLORE_DONE || reached->machine.lacks) return NULL;
  bool holds = outcomes_answer(&reached->states, reached->test->quantifier);
  return holds || !is_claim(call, reached->test) ? NULL : violated(reached->test, false, arena);
}

enum result_kind failure_of_target(enum verify_answer answer) {
  if (verify_is_violation(answer)) return RESULT_DIFFERS;
  return answer == VERIFY_UNDECIDED ? RESULT_LIMIT : RESULT_DONE;
}

void failure_note(const struct expectation *expected, const char *difference, const char *failure,
                  struct result *result, struct test_output *output) {
  if (difference) {
    result->message = "not as expected";
    result->detail = difference;
  } else if (failure && !expected->baseline) {
    result->message = failure;
  } else {
    return;
  }
  result->kind = RESULT_DIFFERS;
  output->status = status_join(output->status, STATUS_DIFFERS);
}
