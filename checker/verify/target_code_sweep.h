/* SPDX-License-Identifier: MIT */
/* Sweeps of compiled and translated code in parts (base/parts.h): a part is a run of
 * the family's programs on all targets.  What a process has no part of it asks no model
 * about; but it compiles all threads, once, when it has some part.
 */
#ifndef LITSCOPE_VERIFY_TARGET_CODE_SWEEP_H
#define LITSCOPE_VERIFY_TARGET_CODE_SWEEP_H

#include "checker/base/parts.h"
#include "checker/verify/sweep_result.h"
#include "checker/verify/target_code_family.h"
#include "hwsem/machine_with_mapping.h"

struct target_code_sweep {
  struct target_code_family *family; /* opened, and not judged */
  const struct cat_model *model;
  const struct target *targets;
  size_t target_count;
  const struct compiled_options *options;
};

/* Does the parts that are to be done here.  false, with diagnostics: a compiler cannot be used. */
bool target_code_run(struct parts *parts, const struct target_code_sweep *sweep, struct diags *diags);

/* The result of a target from all parts. */
void target_code_sum(struct arena *arena, struct parts *parts, const struct target_code_sweep *sweep, size_t target,
                     struct sweep_result *result);

#endif
