/* SPDX-License-Identifier: MIT */
/* The formula of a certificate: that which `litscope-certify` makes of the program by itself, variable by variable
 * (checker/certify/program_clauses.c says which), so that it can follow how the solver refutes it.
 *
 * Nothing is known beforehand of values, sources or orders, and each value that an event may have is a variable. So it
 * is larger than the other (formula.h), and for small programs.
 */
#ifndef LITSCOPE_SOLVE_CERTIFICATE_FORMULA_H
#define LITSCOPE_SOLVE_CERTIFICATE_FORMULA_H

#include "checker/cat/cat.h"
#include "checker/solve/formula.h"

enum certificate_question { CERTIFICATE_MEETS, CERTIFICATE_VIOLATES, CERTIFICATE_RAISES };

struct certificate_asked {
  enum certificate_question question;
  bool set, diagonal; /* what pairs a flag may ask for */
  bool thin_air;      /* as in formula_new */
};

struct certificate_formula {
  struct formula *formula; /* literals of nodes, sources and orders, as for any other */
  int **wanted;            /* CERTIFICATE_RAISES: by two events; 0: they cannot be there together */
  unsigned *symmetric;     /* threads that stand for one another, in turn; a class ends with the number of threads */
  unsigned symmetric_count;
};

/* Why there is no such formula of a test; NULL: there may be. */
const char *certificate_formula_refusal(const struct litmus_test *test, const struct cat_model *model);

/* The formula with its question.  NULL: there is none, and `lacks` says what cannot be said with it.  Lives in `arena`,
 * but for the solver. */
struct certificate_formula *certificate_formula_new(struct arena *arena, struct sat *sat,
                                                    const struct litmus_test *test, const struct tree *tree,
                                                    const struct certificate_asked *asked, const char **lacks);

/* The number in the certificate of a variable of the solver's. */
static inline int certificate_number(int literal) {
  return literal < 0 ? literal + 1 : literal - 1; /* the solver's first is SAT_TRUE */
}

#endif
