/* SPDX-License-Identifier: MIT */
/* What a device showed of a test, compared with a model.
 *
 * An outcome that the model forbids in a defined program is a violation: of the
 * model by the device, or of the device by its maker.  What the model allows and
 * nobody saw proves nothing, but is worth knowing.
 */
#ifndef LITSCOPE_VERIFY_DEVICE_OUTCOMES_H
#define LITSCOPE_VERIFY_DEVICE_OUTCOMES_H

#include "checker/verdict/verdict.h"

enum seen_answer {
  SEEN_ALLOWED,   /* all that was seen is allowed */
  SEEN_VIOLATION, /* an outcome that the model forbids */
  SEEN_UNDEFINED, /* the program has undefined behaviour: nothing is concluded */
  SEEN_UNDECIDED  /* a limit was reached on the model's side */
};

const char *seen_answer_name(enum seen_answer answer); /* "Allowed", "Violation", ... */

/* One outcome that the model forbids. */
struct violation {
  const int64_t *values; /* by full->observables */
  uint64_t count;
  const struct litmus_test *asked; /* the test that asks for this outcome: for reasons and pictures */
};

struct seen {
  const struct litmus_test *test;
  const struct litmus_test *full; /* with everything observed */
  struct outcomes all;            /* by full->observables; sorted */
  struct outcomes states;         /* by test->observables, without what the test's filter leaves out; sorted */
  enum seen_answer answer;
  const char *reason;            /* UNDECIDED: why */
  const struct verdict *verdict; /* the model's, of `full` */
  struct violation *violations;  /* by values */
  size_t violation_count;
  uint64_t forbidden;     /* instances that ended in one */
  struct outcomes unseen; /* states that the model allows and nobody saw, by test->observables; sorted */
};

/* A set to be filled with what is seen: outcomes of test_observing_all(test), counted. */
struct seen *seen_new(struct arena *arena, const struct litmus_test *test);

/* The same, of what the test observes itself. */
struct seen *seen_new_asked(struct arena *arena, const struct litmus_test *test);

/* Ends the counting, and holds what was seen against the model. */
void seen_judge(struct seen *seen, struct arena *arena, const struct cat_model *model,
                const struct enumerate_options *options);

#endif
