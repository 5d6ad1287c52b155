/* SPDX-License-Identifier: MIT */
/* Results of sweeps over generated programs as JSON, in the frame of json.h. */
#ifndef LITSCOPE_REPORT_SWEEP_JSON_H
#define LITSCOPE_REPORT_SWEEP_JSON_H

#include "checker/report/json.h"
#include "checker/verify/mapping_ablation.h"
#include "checker/verify/mapping_sweep.h"
#include "checker/verify/target_code_ablation.h"
#include "hwsem/machines/adsm_sweep.h"

/* Whether a change breaks the mapping: "needed", "not needed" or "undecided". */
const char *ablation_answer(const struct ablation *ablation);

/* The same of what is emitted: "needed", "hazard" or "not needed". */
const char *compiled_ablation_answer(const struct compiled_ablation *ablation);

/* Each writes one object on one line, ended by a newline.  `example`: the
 * smallest counterexample, or NULL. */
void json_write_sweep(FILE *out, const char *family, const char *target, const char *model,
                      const struct sweep_result *result, const struct verify_result *example);
void json_write_ablations(FILE *out, const char *mapping, const char *model, const struct ablate_result *result);
void json_write_compiled_ablations(FILE *out, const char *family, const char *target, const char *model,
                                   const struct compiled_ablations *result);
void json_write_adsm_sweep(FILE *out, unsigned operations, const char *const *machines, size_t machine_count,
                           const struct adsm_sweep *sweep);

#endif
