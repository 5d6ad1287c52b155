/* SPDX-License-Identifier: MIT */
/* Ablation of what a compiler or a translation emits for the programs of a family: is each
 * instruction, or bit of one, needed?  Each sound program is asked again with one change
 * after the other (target_code.h), and changes are counted by their kinds. */
#ifndef LITSCOPE_VERIFY_TARGET_CODE_ABLATION_H
#define LITSCOPE_VERIFY_TARGET_CODE_ABLATION_H

#include "checker/base/parts.h"
#include "checker/verify/target_code.h"

struct target_code_ablation {
  const struct target_code_family *family;
  struct emitted code;
  const struct compiled_options *options;
  const size_t *programs; /* of the family: those to change, which are sound as they are */
  size_t count;
  size_t left_out, first_left_out; /* programs that would be changed, but are refused or undecided; the first of them */
  const char *reason;              /* of the first; NULL: it is not told */
};

/* Compiles or translates a family that was judged, and chooses the programs to change: of those with a meaning every
 * so-many-th, if it is sound.  Lives in `arena`; NULL, with diagnostics, when the compiler failed. */
struct target_code_ablation *target_code_ablation_new(struct arena *arena, const struct target_code_family *family,
                                                      const struct target *target,
                                                      const struct compiled_options *options, unsigned every,
                                                      struct diags *diags);

/* A changed program: its outcomes are allowed and no run goes wrong, or not; or there is no
 * such program, since the language does not have the changed instruction. */
enum ablation_answer { ABLATION_SOUND, ABLATION_UNSOUND, ABLATION_REFUSED, ABLATION_UNDECIDED };

/* What is a program of the family with all its changes of some kinds?  From several threads at a time. */
enum ablation_answer ablation_without(const struct target_code_ablation *ablation, size_t program,
                                      bool (*has)(const void *set, const char *kind), const void *set,
                                      struct explorer *explorer);

/* What an ablation did to one kind of instruction. */
struct compiled_ablation {
  const char *change; /* "s_waitcnt vmcnt load store" */
  uint64_t occurs, needed, hazards, undecided;
  const struct small_listed *smallest; /* that the change makes unsound */
  bool goes;                           /* needed nowhere: it may go everywhere, and the others with this mark with it */
};

struct compiled_ablations {
  struct compiled_ablation *at;
  size_t count, room;
  uint64_t programs, explored; /* sound programs that were changed; machines explored */
  uint64_t left_out;           /* programs that are refused or undecided as they are */
  double seconds;              /* what the parts took together */
  bool stopped;
};

/* In parts (base/parts.h), each some of a target's programs: as many for every target of a family, whatever part of it
 * is sound. */
uint64_t ablation_parts(size_t family, unsigned every);
void ablation_do_part(const struct target_code_ablation *ablation, uint64_t part, FILE *out);
/* Adds what all changes show to `result`, whose text lives in `arena`, sorted by their names; then marks those that may
 * go together: one after the other, of those that no program needs, each without which and without those before all are
 * sound.  The parts are those from `first` on; one that is not there shows nothing. */
void ablation_sum(struct arena *arena, const struct target_code_ablation *ablation, struct parts *parts, uint64_t first,
                  uint64_t count, struct compiled_ablations *result);

#endif
