/* SPDX-License-Identifier: MIT */
/* Ablation of what a compiler or a translation emits for the programs of a family:
 * each program is tried with one change after the other, and changes are counted by
 * their names.  What a change is, and what is asked of a changed program, is the
 * caller's (compiled_ablation.c, translated.c). */
#ifndef LITSCOPE_VERIFY_FAMILY_ABLATION_H
#define LITSCOPE_VERIFY_FAMILY_ABLATION_H

#include <stdatomic.h>

#include "checker/base/parts.h"
#include "checker/verify/compiled_family.h"
#include "hwsem/explore.h"

struct ablation_block; /* what the changes of some programs have shown */

/* A changed program: its outcomes are allowed and no run goes wrong, or not; or there is no
 * such program, since the language does not have the changed instruction. */
enum ablation_answer { ABLATION_SOUND, ABLATION_UNSOUND, ABLATION_REFUSED, ABLATION_UNDECIDED };

static inline enum ablation_answer ablation_answer_of(const struct compiled_answer *a) {
  if (a->refused) return ABLATION_REFUSED;
  if (a->unsound || a->hazard || a->deadlock) return ABLATION_UNSOUND;
  return a->undecided ? ABLATION_UNDECIDED : ABLATION_SOUND;
}

/* Kinds of changes that are made at once. */
struct ablation_kinds {
  bool (*has)(const void *set, const char *change); /* is a change of this name one of them? */
  const void *set;
};

struct family_ablation {
  void *context;
  /* Names every change of a program of the family, some perhaps again. */
  void (*list)(const void *context, size_t program, void (*name)(void *to, const char *change), void *to);
  /* Tries every change of a program of the family and notes each; returns the
   * program, NULL when the family has none there.  From several threads at a time. */
  const struct family_program *(*change)(const void *context, size_t program, struct explorer *explorer,
                                         struct ablation_block *block);
  /* What is a program with all its changes of these kinds made at once?  From several
   * threads at a time. */
  enum ablation_answer (*sound_without)(const void *context, size_t program, const struct ablation_kinds *kinds,
                                        struct explorer *explorer);
  const atomic_int *cancel; /* becomes non-zero to stop soon; NULL: never */
  const size_t *programs;   /* of the family: those to change, which are sound as they are */
  size_t count;
  unsigned workers;
};

/* Every so-many-th of the programs that are counted, where it is sound. */
void ablation_choose(struct arena *arena, struct family_ablation *ablation, const bool *counted, const bool *sound,
                     size_t count, unsigned every);

/* One change of the program that is being tried: is it needed (some outcome is
 * forbidden without what it takes away), or is it a hazard?  The name is copied. */
void ablation_note(struct ablation_block *block, const char *change, bool needed, bool hazard);

/* In parts (base/parts.h), each some of a target's programs: as many for every target of a family, whatever part of it
 * is sound. */
uint64_t ablation_parts(size_t family, unsigned every);
void ablation_do_part(const struct family_ablation *ablation, uint64_t part, FILE *out);
/* Adds what all changes show to `result`, whose text lives in `arena`, sorted by their names; then marks those that may
 * go together: one after the other, of those that no program needs, each without which and without those before all are
 * sound.  The parts are those from `first` on; one that is not there shows nothing. */
void ablation_sum(struct arena *arena, const struct family_ablation *ablation, const struct compiled_family *family,
                  struct parts *parts, uint64_t first, uint64_t count, struct compiled_ablations *result);

#endif
