/* SPDX-License-Identifier: MIT */
/* A target's code of all programs of a family, and changes of it: what a compiler emits
 * (target_code_compiled.c), or what a translation gives (target_code_translated.c).
 */
#ifndef LITSCOPE_VERIFY_TARGET_CODE_H
#define LITSCOPE_VERIFY_TARGET_CODE_H

#include "checker/verify/target_code_family.h"
#include "hwsem/machine_with_mapping.h"

/* Changes of a program's code that are made at once: one, by its number among them, or all of some kinds. */
struct target_code_choice {
  size_t number;
  bool (*has)(const void *set, const char *kind); /* is this kind one of them?  NULL: the one */
  const void *set;
};

struct emitted {
  void *context;
  /* What a program shows with these changes (NULL: as it is): fills an answer of zeros, whose message lives in `arena`.
   * From several threads at a time. */
  void (*ask)(void *context, size_t program, const struct target_code_choice *choice, struct explorer *explorer,
              struct arena *arena, struct compiled_answer *answer);
  /* The kinds of a program's changes, in their order; NULL: it would leave everything as it is, as far as that is seen
   * at a glance or, where `strict`, from what the machine gets. */
  const char **(*changes)(void *context, size_t program, bool strict, struct arena *arena, size_t *count);
  /* Numbers of a program's distinct threads; returns how many, 0 where nothing is compiled. */
  unsigned (*threads)(void *context, size_t program, struct arena *arena, unsigned *numbers);
};

/* What code is emitted of: a family, whose programs are those to which the model gives a meaning, or all, if it has not
 * been asked yet. */
struct target_code_source {
  const struct target_code_family *family;
  const struct target *target;
  const struct compiled_options *options;
  /* Code is to be changed, and a register that is read too early then holds what it held before, or what was loaded,
   * whichever it is by then. */
  bool past_hazards;
};

/* Compiles or translates it.  Lives in `arena`.  false, with diagnostics: a compiler cannot be used. */
bool target_code_open(struct arena *arena, const struct target_code_source *source, struct emitted *emitted,
                      struct diags *diags);

/* The two kinds of target. */
bool compiled_open(struct arena *arena, const struct target_code_source *source, struct emitted *emitted,
                   struct diags *diags);
bool translated_open(struct arena *arena, const struct target_code_source *source, struct emitted *emitted,
                     struct diags *diags);

#endif
