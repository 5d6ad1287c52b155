/* SPDX-License-Identifier: MIT */
/* Is a mapping sound for a test: does the machine show only outcomes that the
 * model allows?
 *
 * Outcomes are compared in full: every named register and every location, since
 * some violations show in the final memory alone.  The search is breadth first,
 * so the trace to the first forbidden outcome is a shortest one.
 */
#ifndef LITSCOPE_VERIFY_VERIFY_TEST_H
#define LITSCOPE_VERIFY_VERIFY_TEST_H

#include "checker/verdict/verdict.h"
#include "hwsem/machine_with_mapping.h"

enum verify_answer {
  VERIFY_SOUND,
  VERIFY_UNSOUND,   /* an outcome (or, strictly, an execution) that the model forbids */
  VERIFY_UNDEFINED, /* the program is undefined under the model: the machine may do anything */
  VERIFY_DEADLOCK,  /* some run gets stuck */
  VERIFY_UNDECIDED, /* a limit was reached */
  VERIFY_HAZARD,    /* a run goes wrong in a way that the machine gives no meaning */
  VERIFY_BAD        /* the test cannot be run on the target; diagnostics say why */
};

/* Undefined programs, and those whose loops the model cuts, may well run for
 * ever: without a limit given, the machine's side ends after so many states. */
enum { VERIFY_STATES = 4000000 };

const char *verify_answer_name(enum verify_answer answer); /* "Sound", ... */
bool verify_is_violation(enum verify_answer answer);       /* a run shows that the target is wrong */

struct verify_options {
  struct explore_options explore;
  struct enumerate_options model;
  bool strict;   /* compare executions (rf, co), not only outcomes */
  bool shortest; /* find a violation's shortest run, which reductions may miss, where that is not too much */
  bool deepen;   /* unroll loops more often where the bound leaves the answer open */
  bool outcomes; /* go on after the first violation, and count all outcomes */
};

/* The result lives in the arena, apart from the trace's machine. */
struct verify_result {
  enum verify_answer answer;
  /* UNDECIDED: why; strict UNSOUND: what the run's execution is; UNDEFINED, on
   * ADSM machines: why the search for deviations is not complete; else NULL. */
  const char *reason;
  const struct litmus_test *test; /* the test with all observed; when UNSOUND its condition is the outcome */
  /* UNSOUND: values of test->observables.  UNDEFINED, on ADSM machines: an
   * outcome that no execution of the model has, if there is one. */
  const int64_t *outcome;
  struct machine machine;
  struct explore_step *trace; /* to the outcome; DEADLOCK */
  size_t trace_length;
  enum explore_end cut;          /* what ended the search for a shortest run, so that this may be longer; else DONE */
  const struct verdict *verdict; /* what the model allows */
  unsigned unroll;               /* how often loops were unrolled in the end (verify_options.deepen) */
  bool unjudged;                 /* a limit was reached on the model's side: the test may be undefined or not */
  struct explore_stats stats;
  size_t outcome_count; /* distinct outcomes of the machine (all of them only with `outcomes`) */
};

/* A target that is compared with a model. */
struct verifier {
  const struct target *target;
  const struct cat_model *model; /* verify_known does without */
  const struct verify_options *options;
  struct explorer *explorer; /* is used for the search and may be used again afterwards */
};

void verify_test(const struct verifier *verifier, const struct litmus_test *test, struct arena *arena,
                 struct verify_result *result, struct diags *diags);

/* The same when the model's verdict on the test is known: complete, without
 * undefined behaviour, and over the test's observables. */
void verify_known(const struct verifier *verifier, const struct litmus_test *test, const struct verdict *verdict,
                  struct arena *arena, struct verify_result *result, struct diags *diags);

#endif
