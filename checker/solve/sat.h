/* SPDX-License-Identifier: MIT */
/* A propositional formula, and the solver that it is given to.
 *
 * Literals are integers other than 0, as in DIMACS; SAT_TRUE always holds.  Gates are
 * literals that are as their operands say; constants are folded away.
 */
#ifndef LITSCOPE_SOLVE_SAT_H
#define LITSCOPE_SOLVE_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAT_TRUE = 1, SAT_FALSE = -1 };

struct sat; /* the caller ends it with sat_free */

/* `stop` is asked now and then whether to give up: an answer is then SAT_STOPPED, and whoever
 * adds clauses goes back to the guard (base/out_of_memory_guard.h), which frees the solver too.  `proves`: keeps what
 * it learns. */
struct sat *sat_new(bool (*stop)(void *context), void *context, bool proves);
void sat_free(struct sat *sat);

/* Asks it, for those who work long before they add a clause. */
void sat_poll(struct sat *sat);

/* About how many bytes the clauses take that were added. */
size_t sat_size(const struct sat *sat);

/* A new variable. */
int sat_variable(struct sat *sat);

/* At least one of the literals holds. */
void sat_clause(struct sat *sat, const int *literals, size_t count);

/* The same of few. */
void sat_clause_2(struct sat *sat, int a, int b);
void sat_clause_3(struct sat *sat, int a, int b, int c);

int sat_and(struct sat *sat, int a, int b);
int sat_or(struct sat *sat, int a, int b);
int sat_xor(struct sat *sat, int a, int b);
int sat_if(struct sat *sat, int condition, int then, int otherwise);

/* What must hold in the next answer alone. */
void sat_assume(struct sat *sat, int literal);

enum sat_answer { SAT_YES, SAT_NO, SAT_STOPPED };

/* Is there an assignment?  SAT_STOPPED also after so many conflicts; 0: as many as it takes. */
enum sat_answer sat_solve(struct sat *sat, unsigned most_conflicts);

/* Of one that proves: the clauses that it has learnt, each ended by 0; each follows from those before by unit
 * propagation, and SAT_NO from all of them. */
const int *sat_proof(const struct sat *sat, size_t *count);

/* SAT_YES: does the literal hold in it? */
bool sat_holds(const struct sat *sat, int literal);

/* For assertions: is it not otherwise in the last answer, which may not have had it yet? */
bool sat_agrees(const struct sat *sat, int literal);

#endif
