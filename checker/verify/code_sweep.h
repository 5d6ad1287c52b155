/* SPDX-License-Identifier: MIT */
/* Sweeps of compiled and translated code in parts (base/parts.h): a part is a run of
 * the family's programs on all targets.  What a process has no part of it asks no model
 * about; but it compiles all threads, once, when it has some part.
 */
#ifndef LITSCOPE_VERIFY_CODE_SWEEP_H
#define LITSCOPE_VERIFY_CODE_SWEEP_H

#include "checker/base/parts.h"
#include "checker/verify/compiled_family.h"
#include "hwsem/target.h"

/* A target's code of all programs of a family. */
struct emitted {
  void *context;
  /* From several threads at a time.  Fills an answer of zeros; a message lives in `arena`. */
  void (*ask)(void *context, size_t program, struct explorer *explorer, struct arena *arena,
              struct compiled_answer *answer);
  /* Numbers of a program's distinct threads; returns how many, 0 where nothing is compiled. */
  unsigned (*threads)(void *context, size_t program, struct arena *arena, unsigned *numbers);
};

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
                 struct compiled_result *result);

/* Compiles or translates a family for a target and chooses the programs to change
 * (compiled_ablation, translated_ablation).  NULL, with diagnostics. */
struct family_ablation *emitted_ablation(struct arena *arena, const struct compiled_family *family,
                                         const struct target *target, const struct compiled_options *options,
                                         unsigned every, struct diags *diags);

#endif
