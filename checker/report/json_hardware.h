/* SPDX-License-Identifier: MIT */
/* Results of explore and verify as JSON (json.h). */
#ifndef LITSCOPE_REPORT_JSON_HARDWARE_H
#define LITSCOPE_REPORT_JSON_HARDWARE_H

#include "checker/report/json.h"
#include "checker/verify/machine_outcomes.h"
#include "checker/verify/verify_test.h"

/* What a machine reaches, and whether a mapping or machine keeps to a model, each
 * as an object on one line. */
void json_write_exploration(FILE *out, const struct reached *reached);
void json_write_verification(FILE *out, const struct litmus_test *test, const char *target, const char *model,
                             const struct verify_result *result);

/* The steps of a result's run, in words; NULL: of none. */
void json_put_trace(struct json *j, const struct verify_result *result);

#endif
