/* SPDX-License-Identifier: MIT */
/* What a sweep of mappings or of code has counted, in every form that is wanted. */
#ifndef LITSCOPE_CMD_SWEEP_REPORT_H
#define LITSCOPE_CMD_SWEEP_REPORT_H

#include "checker/cmd/result_files.h"
#include "checker/verify/sweep_result.h"
#include "checker/verify/verify_test.h"

/* The counts of one mapping or target, as text, JSON and a test case.  `example`: the run of the smallest
 * program, or NULL.  Returns the exit status. */
int sweep_report(struct result_files *files, const char *family, const char *target, const char *model,
                 const struct sweep_result *result, const struct verify_result *example);

#endif
