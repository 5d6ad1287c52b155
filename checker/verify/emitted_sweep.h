/* SPDX-License-Identifier: MIT */
/* Sweeps of compiled and translated code in parts (base/parts.h): a part is a run of
 * the family's programs on all targets.  What a process has no part of it asks no model
 * about; but it compiles all threads, once, when it has some part.
 */
#ifndef LITSCOPE_VERIFY_EMITTED_SWEEP_H
#define LITSCOPE_VERIFY_EMITTED_SWEEP_H

#include "checker/base/parts.h"
#include "checker/verify/compiled_family.h"
#include "checker/verify/sweep_result.h"
#include "hwsem/target.h"

struct emitted_sweep {
  struct compiled_family *family; /* opened, and not judged */
  const struct cat_model *model;
  const struct target *targets;
  size_t target_count;
  const struct compiled_options *options;
};

/* Does the parts that are to be done here.  false, with diagnostics: a compiler cannot be used. */
bool emitted_run(struct parts *parts, const struct emitted_sweep *sweep, struct diags *diags);

/* The result of a target from all parts. */
void emitted_sum(struct arena *arena, struct parts *parts, const struct emitted_sweep *sweep, size_t target,
                 struct sweep_result *result);

#endif
