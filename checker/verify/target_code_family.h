/* SPDX-License-Identifier: MIT */
/* Compilers on whole families of programs: is the code that a compiler makes of
 * each sound on its machine?
 *
 * The model is asked once for all targets.  For each target the distinct threads
 * of the race-free programs are compiled in one process; then every program is
 * explored, on several workers.  The result does not depend on their number.
 */
#ifndef LITSCOPE_VERIFY_TARGET_CODE_FAMILY_H
#define LITSCOPE_VERIFY_TARGET_CODE_FAMILY_H

#include "checker/compiler/compiled_machine.h"
#include "checker/small_programs/small_family.h"
#include "checker/verdict/verdict.h"

struct compiled_options {
  struct enumerate_options model;
  struct explore_options explore;
  unsigned workers;
  bool
      by_operation; /* changes are named by the operation that their instruction was emitted for: compiled with lines */
};

/* The programs of a family, judged by the model. */
struct target_code_family;

/* Asks the model.  Everything lives in `arena`. */
struct target_code_family *target_code_family_new(struct arena *arena, const struct small_list *family,
                                                  const struct cat_model *model,
                                                  const struct compiled_options *options);

/* A family whose programs are judged one by one, as parts of a sweep are done (target_code_sweep.h):
 * what is allowed lives in `kept`, and is there as long as that. */
struct target_code_family *target_code_family_open(struct arena *arena, const struct small_list *family,
                                                   const struct compiled_options *options);
enum compiled_said { COMPILED_DEFINED, COMPILED_UNDEFINED, COMPILED_UNDECIDED };
enum compiled_said target_code_family_judge(struct target_code_family *family, size_t index,
                                            const struct cat_model *model, const struct compiled_options *options,
                                            struct arena *kept);
const struct small_listed *target_code_family_program(const struct target_code_family *family, size_t index);

/* With options.by_operation: the operation of a line that a compiler has given an
 * instruction, `load acq dev`; `none` for 0. */
const char *compiled_operation_of_line(struct arena *arena, unsigned line);

size_t target_code_family_count(const struct target_code_family *family);

/* A program of the family to which the model gives a meaning. */
struct family_judged {
  const struct small_listed *from;
  const struct litmus_test *test;
  const struct outcomes *allowed;
};

/* false: the model calls the program undefined, or could not decide. */
bool target_code_family_at(const struct target_code_family *family, size_t index, struct family_judged *judged);

/* What a target's code of one program shows, compared with what the model allows. */
struct compiled_answer {
  bool taken; /* false: the program is racy or left out, and nothing else is said */
  bool refused, unsound, hazard, deadlock, undecided;
  const char *message; /* of what was refused; NULL: it is not told */
  uint64_t states;
};

/* Sound as it is? */
static inline bool compiled_is_sound(const struct compiled_answer *a) {
  return a->taken && !a->refused && !a->unsound && !a->hazard && !a->undecided;
}

#endif
