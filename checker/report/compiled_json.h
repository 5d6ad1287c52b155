/* SPDX-License-Identifier: MIT */
/* Families of programs through compilers and translations as JSON, in the frame of
 * json.h. */
#ifndef LITSCOPE_REPORT_COMPILED_JSON_H
#define LITSCOPE_REPORT_COMPILED_JSON_H

#include "checker/report/json.h"
#include "checker/verify/emitted_ablation.h"

/* "Unsound", "Hazard", "Deadlock", "Undecided" (a limit, or programs refused) or "Sound". */
const char *compiled_answer(const struct compiled_result *result);

/* "needed", "hazard" or "not needed". */
const char *compiled_ablation_answer(const struct compiled_ablation *ablation);

/* Each writes one object on one line, ended by a newline. */
void json_write_compiled(FILE *out, const char *family, const char *target, const char *model,
                         const struct compiled_result *result);
void json_write_compiled_ablations(FILE *out, const char *family, const char *target, const char *model,
                                   const struct compiled_ablations *result, double seconds);

#endif
