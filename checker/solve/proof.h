/* SPDX-License-Identifier: MIT */
/* What the solver has to show for an answer: an execution, or the clauses that refute it.
 *
 * The questions are put once more, of a formula that whoever checks can make by himself (certificate_formula.h).  What
 * a candidate fails by is a lemma: nodes, sources and orders that no execution has together.  With these and the
 * formula, clauses that CaDiCaL learns follow from those before by unit propagation.
 */
#ifndef LITSCOPE_SOLVE_PROOF_H
#define LITSCOPE_SOLVE_PROOF_H

#include <stdio.h>

#include "checker/exec/enumerate.h"

struct proof {
  const char *lacks;  /* why there is none: what it cannot be about; NULL: it is there */
  bool met, violated; /* the condition, by some execution */
  const bool *raised; /* by check, likewise */
};

/* Writes `(solved ...)` for `litscope-certify` (checker/certify/check_solver_proof.c has its grammar).  END_DONE: it is
 * there, or proof->lacks says why not.  `arena`: for proof->raised. */
enum enumerate_end proof_write(FILE *out, const struct litmus_test *test, const struct cat_model *model,
                               const struct enumerate_options *options, struct arena *arena, struct proof *proof);

#endif
