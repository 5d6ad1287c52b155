/* SPDX-License-Identifier: MIT */
/* Results as a JUnit report, which continuous integration servers read. */
#ifndef LITSCOPE_REPORT_JUNIT_H
#define LITSCOPE_REPORT_JUNIT_H

#include <stdio.h>

#include "checker/report/result.h"

/* Writes the results as one test suite: a test case for each, a failure for
 * each RESULT_DIFFERS, an error for each RESULT_BAD, `skipped` for each
 * RESULT_LIMIT. */
void junit_write(FILE *out, const char *suite, const struct results *results);

#endif
