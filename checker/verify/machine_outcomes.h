/* SPDX-License-Identifier: MIT */
/* What a machine shows of a test: its final states as the test's log lists
 * them, with the answer to the test's question.
 */
#ifndef LITSCOPE_VERIFY_MACHINE_OUTCOMES_H
#define LITSCOPE_VERIFY_MACHINE_OUTCOMES_H

#include "checker/litmus/litmus.h"
#include "checker/verdict/outcomes.h"
#include "hwsem/machine_with_mapping.h"

struct reached {
  const struct litmus_test *test;
  const char *target;       /* its name */
  struct machine machine;   /* for traces */
  struct exploration found; /* good until the explorer's next run */
  /* By test->observables, without what the test's filter leaves out.  A state
   * counts once, whatever the number of runs that end in it. */
  struct outcomes states;
  const char *fault;    /* how a run goes wrong, if one does: its state is not among them; else NULL */
  uint32_t fault_state; /* where that run ends, for explore_trace */
};

/* Explores the test on the target, as requested: program and observables of the request are the test's.
 * The result lives in its arena.  Returns false, with diagnostics, when the test cannot be run there. */
bool reach(const struct target *target, const struct litmus_test *test, struct explore_request request,
           struct reached *reached, struct diags *diags);

#endif
