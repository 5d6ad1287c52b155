/* SPDX-License-Identifier: MIT */
/* -expect: results compared with recorded ones. */
#ifndef LITSCOPE_CMD_EXPECT_H
#define LITSCOPE_CMD_EXPECT_H

#include "checker/cmd/command.h"
#include "checker/cmd/tests.h"
#include "checker/report/recorded.h"

/* Reads the option's file; *expected is NULL without the option.  On failure
 * adds errors and returns false. */
bool expect_load(struct invocation *call, const struct recording **expected, struct diags *diags);

/* Compares a result of the test in `file` with what is expected of it
 * (`expected` may be NULL).  A difference is told on the test's error stream,
 * sets its status and is returned; else NULL. */
const char *expect_compare(const struct recording *expected, const struct recorded *found, const char *file,
                           struct test_output *output);

#endif
