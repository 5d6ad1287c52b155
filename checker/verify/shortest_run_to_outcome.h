/* SPDX-License-Identifier: MIT */
/* A shortest run of a machine to an outcome that is asked for: a picture of how
 * a promoted release, or a stale read, comes about.
 */
#ifndef LITSCOPE_VERIFY_SHORTEST_RUN_TO_OUTCOME_H
#define LITSCOPE_VERIFY_SHORTEST_RUN_TO_OUTCOME_H

#include "checker/litmus/litmus.h"
#include "hwsem/machine_with_mapping.h"

struct witness {
  bool found;
  enum explore_end end;   /* not found: EXPLORE_DONE, there is none; else the limit that was met */
  enum explore_end cut;   /* found: the limit that ended the search for a shortest run; else EXPLORE_DONE */
  struct machine machine; /* for the trace */
  struct explore_step *trace;
  size_t length;
  const int64_t *values; /* of test->observables */
};

/* Looks for a run whose outcome passes the test's filter and meets its
 * proposition (`negated`: does not).  A shortest one, unless the search for it
 * without reductions grows too large, or meets a limit; then the shortest of the
 * reduced search.
 * Program, observables and visitor of the request are set here; everything lives in its arena.  Returns
 * false, with diagnostics, when the test cannot be run on the target. */
bool witness_find(const struct target *target, const struct litmus_test *test, bool negated,
                  struct explore_request request, struct witness *witness, struct diags *diags);

#endif
