/* SPDX-License-Identifier: MIT */
/* -fail-on: which answers are failures, told by exit status 1 and in JUnit reports.
 *
 * A test claims that its condition holds where that is a `~exists` or a `forall`,
 * or one of its assertions, and that it is defined.  `exists` only asks whether
 * there is such an outcome, and a test with assertions may assert a race.
 */
#ifndef LITSCOPE_CMD_FAIL_ON_H
#define LITSCOPE_CMD_FAIL_ON_H

#include "checker/cmd/compare_with_baseline.h"
#include "checker/verdict/verdict.h"
#include "checker/verify/machine_outcomes.h"
#include "checker/verify/verify_test.h"

/* Why the answer is a failure, in a line that lives in the arena; NULL: it is none,
 * or there is no answer.  `undefined`: why the test is (explain/why_undefined.h), or NULL. */
const char *failure_of_verdict(const struct invocation *call, const struct verdict *verdict, const char *undefined,
                               struct arena *arena);
const char *failure_of_reached(const struct invocation *call, const struct reached *reached, struct arena *arena);

/* The same of a test that is known to be undefined. */
const char *failure_of_undefined(const struct invocation *call, const char *undefined, struct arena *arena);

/* What a target's answer is. */
enum result_kind failure_of_target(enum verify_answer answer);

/* Notes a failure, in the result and in the test's status: a `difference` from what
 * is expected or, without -expect, a `failure` (NULL: none): what is expected is none. */
void failure_note(const struct expectation *expected, const char *difference, const char *failure,
                  struct result *result, struct test_output *output);

#endif
