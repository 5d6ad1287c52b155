/* SPDX-License-Identifier: MIT */
/* What the files that run a compiler's code share: compiled_family.c (families judged, compiled
 * and explored), compiled_ablation.c (one instruction changed at a time).
 */
#ifndef LITSCOPE_VERIFY_COMPILED_PARTS_H
#define LITSCOPE_VERIFY_COMPILED_PARTS_H

#include "checker/verify/compiled_family.h"

/* A program of the family, and what the model says of it. */
struct compiled_judged {
  const struct family_program *from;
  struct litmus_test *test;
  bool undefined, undecided, local;
  struct outcomes allowed; /* of race-free programs */
};

struct compiled_family {
  struct arena *arena;
  struct compiled_judged *at;
  size_t count, race_free, undecided;
};

/* A family in a compiler's code. */
struct compiled_prepared {
  const struct compiled_family *family;
  const struct compiled_setup *setup;
  const struct compiled_options *options;
  struct amd_build *build;
  unsigned (*kernels)[8]; /* by program of the family */
};

static inline bool compiled_has_meaning(const struct compiled_judged *program) {
  return !program->undefined && !program->undecided;
}

/* Compiles all that takes part, with `family`, `setup` and `options` given: all code is read
 * before workers share it.  Lives in `arena`.  false, with diagnostics, when the compiler fails. */
bool compiled_prepare(struct arena *arena, struct compiled_prepared *p, struct diags *diags);

/* Explores code of a program and fills `answer`; diagnostics when the machine refuses it. */
void compiled_explore_code(const struct compiled_prepared *p, const struct compiled_judged *program,
                           const struct amd_program *code, struct explorer *explorer, struct arena *arena,
                           struct compiled_answer *answer, struct diags *diags);

/* Told each program's answer, in the order of the family; `taken` is false of those that take no
 * part. */
typedef void compiled_note(void *context, size_t index, const struct compiled_answer *answer);

/* Explores them all, by options.workers threads.  false when a limit ended that early. */
bool compiled_explore_all(const struct compiled_prepared *prepared, compiled_note *note, void *context);

#endif
