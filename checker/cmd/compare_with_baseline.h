/* SPDX-License-Identifier: MIT */
/* -expect: results compared with recorded ones. */
#ifndef LITSCOPE_CMD_COMPARE_WITH_BASELINE_H
#define LITSCOPE_CMD_COMPARE_WITH_BASELINE_H

#include <stdatomic.h>

#include "checker/cmd/command.h"
#include "checker/cmd/each_test.h"
#include "checker/report/baseline.h"

struct expectation {
  const struct baseline *baseline; /* NULL: no -expect */
  atomic_bool *met;                /* for each recorded result: it was compared with one of this run */
};

/* Reads the option's file; `recording` is NULL without the option.  On failure
 * adds errors and returns false. */
bool expect_load(struct invocation *call, struct expectation *expected, struct diags *diags);

/* Compares a result of the test in `file` with what is expected of it; from any
 * thread.  A difference is told on the test's error stream, sets its status and
 * is returned; else NULL. */
const char *expect_compare(const struct expectation *expected, const struct baseline_result *found, const char *file,
                           struct test_output *output);

/* These results were compared, perhaps in another process. */
void expect_note(const struct expectation *expected, const struct results *results);

/* Once all tests have run: warns of recorded tests that have no result in this
 * run, unless a selection (-names, -select, ...) leaves tests out, or -q. */
void expect_warn_missing(const struct invocation *call, const struct expectation *expected);

#endif
