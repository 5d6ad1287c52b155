/* SPDX-License-Identifier: MIT */
/* Ablation of what a compiler or a translation emits for the programs of a family:
 * each program is tried with one change after the other, and changes are counted by
 * their names.  What a change is, and what is asked of a changed program, is the
 * caller's (compiled.c, translated.c). */
#ifndef LITSCOPE_VERIFY_FAMILY_ABLATION_H
#define LITSCOPE_VERIFY_FAMILY_ABLATION_H

#include "checker/verify/compiled.h"
#include "hwsem/explore.h"

struct ablation_block; /* what the changes of some programs have shown */

struct family_ablation {
  void *context;
  /* Tries every change of a program of the family and notes each; returns the
   * program, NULL when the family has none there.  From several threads at a time. */
  const struct family_program *(*change)(const void *context, size_t program, struct explorer *explorer,
                                         struct ablation_block *block);
  const size_t *programs; /* of the family: those to change */
  size_t count;
  unsigned workers;
};

/* One change of the program that is being tried: is it needed (some outcome is
 * forbidden without what it takes away), or is it a hazard?  The name is copied. */
void ablation_note(struct ablation_block *block, const char *change, bool needed, bool hazard);

/* Adds what all changes show to `result`, whose text lives in `arena`, sorted by
 * their names. */
void ablation_run(struct arena *arena, const struct family_ablation *ablation, struct compiled_ablations *result);

#endif
