/* SPDX-License-Identifier: MIT */
/* CaDiCaL, from C.  Where its memory runs out, C++ throws, which ends a program that is not C++: here, functions return
 * false then, and the solver can only be freed. */
#ifndef LITSCOPE_SOLVE_CADICAL_H
#define LITSCOPE_SOLVE_CADICAL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cadical;

/* Neither is left by a jump. */
struct cadical_caller {
  void *context;
  bool (*stop)(void *context); /* asked now and then */
  void (*learnt)(void *context,
                 int literal); /* of each clause, which 0 ends; NULL: it does not tell, and may simplify */
};

/* NULL: memory has run out. */
struct cadical *cadical_new(const struct cadical_caller *caller);
void cadical_free(struct cadical *solver);

/* As in IPASIR: a literal of a clause, or 0, which ends it. */
bool cadical_add(struct cadical *solver, int literal);
bool cadical_assume(struct cadical *solver, int literal);

/* `answer`: 10, 20, or 0 where it was stopped or has had so many conflicts (0: as many as it takes). */
bool cadical_solve(struct cadical *solver, int most_conflicts, int *answer);
bool cadical_value(struct cadical *solver, int variable, bool *value);

#ifdef __cplusplus
}
#endif

#endif
