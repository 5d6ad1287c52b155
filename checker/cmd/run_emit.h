/* SPDX-License-Identifier: MIT */
/* What `run` writes to folders: with -o kernels and the tables of their first
 * launch, with -emit programs that run tests where litscope is not. */
#ifndef LITSCOPE_CMD_RUN_EMIT_H
#define LITSCOPE_CMD_RUN_EMIT_H

#include "checker/cmd/device_runs.h"

/* Writes NAME.cl and NAME.tables to the folder.  False: it could not, and the
 * test's output says why. */
bool emit_launch(const char *folder, const char *label, const struct device_setup *setup,
                 const struct device_test *made, struct test_output *output);

/* -emit LANGUAGE DIR TEST...: writes a folder for each test, DIR itself where one
 * is named, and returns the exit status. */
int emit_tests(struct invocation *call, const struct device_setup *setup);

#endif
