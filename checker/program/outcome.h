/* SPDX-License-Identifier: MIT */
/* What a run of a program shows at its end, and what may be asked of it.
 *
 * An observable is a register of a thread or a location; an outcome is a vector
 * of values, one for each of a list of observables.  A proposition holds of an
 * outcome or does not; a quantifier asks whether some, none or all outcomes
 * meet one.  Models and machines answer the same questions in these words.
 */
#ifndef LITSCOPE_PROGRAM_OUTCOME_H
#define LITSCOPE_PROGRAM_OUTCOME_H

#include <stddef.h>

#include "checker/program/program.h"

/* A thing that an outcome shows: a thread's register or a location's final
 * value. */
struct observable {
  int thread;     /* -1: a location */
  unsigned index; /* register of the thread, or location */
};

/* Name of the register (without its thread) or of the location. */
const char *observable_name(const struct program *program, struct observable what);

/* Its type, and its value as text. */
struct width observable_width(const struct program *program, struct observable what);
void observable_print_value(const struct program *program, struct observable what, int64_t value, FILE *out);

/* The order in which outcomes list observables, as qsort's: by thread, then
 * name; then locations by name, cells of arrays after all others.  0: the same observable. */
int observable_compare(const struct program *program, struct observable a, struct observable b);

/* Puts them in this order. */
void observables_sort(const struct program *program, struct observable *observables, size_t count);

/* All that a program can show, in order: named registers and locations. */
struct observable *observables_all(struct arena *arena, const struct program *program, unsigned *count);

/* Outcomes of `width` values: the order in which logs list them, as qsort's. */
int outcome_compare(const int64_t *a, const int64_t *b, size_t width);

/* Propositions over outcomes.  Leaves compare two operands, each an observable
 * or a constant, or a sum of observables with a constant (SUM, for kernels alone). */
enum prop_kind { PROP_TRUE, PROP_FALSE, PROP_COMPARE, PROP_AND, PROP_OR, PROP_IMPLIES, PROP_NOT, PROP_SUM };
enum compare { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE };
enum expr_kind compare_expression(enum compare compare);

/* How texts write them; a word that others begin with comes after these; NULL at the end. */
extern const struct comparison_word {
  const char *text;
  enum compare compare;
} comparison_words[];

struct operand {
  bool constant;
  int64_t value;
  struct observable what;
};

struct addend {
  struct observable what;
  bool subtracted;
};

struct prop {
  enum prop_kind kind;
  enum compare compare;
  struct operand left, right;   /* SUM: right, a constant */
  const struct addend *addends; /* SUM: at least one */
  unsigned addend_count;
  const struct prop *a, *b;
  const char *text; /* how it was written, an array's cells as a={1,2}; NULL: as its parts say */
};

/* Value of a proposition where `value` gives that of each observable. */
bool prop_holds(const struct prop *prop, int64_t (*value)(void *context, struct observable what), void *context);

/* The sum where `value` gives the values, with 64 bits. */
int64_t prop_sum(const struct prop *prop, int64_t (*value)(void *context, struct observable what), void *context);

/* Are there sums in it?  NULL has none. */
bool prop_sums(const struct prop *prop);

/* Does it compare an observable of which this holds?  NULL has none. */
bool prop_has(const struct prop *prop, bool (*holds)(const void *context, struct observable what), const void *context);

/* A language's words for propositions.  `@` stands for an operand or for a part, in turn. */
struct prop_words {
  const char *kinds[PROP_NOT + 1]; /* but for PROP_COMPARE; sums are written as in C */
  const char *compares[CMP_GE + 1];
  bool bare; /* parentheses only around what binds less, and what has a text of its own is printed so */
};

typedef void prop_print_operand(const void *context, const struct operand *operand, const struct operand *beside,
                                FILE *out);
void prop_print(const struct prop *prop, const struct prop_words *words, prop_print_operand *print, const void *context,
                FILE *out);

/* An outcome with what it is of: values of so many observables. */
struct shown_state {
  const struct observable *observables;
  unsigned count;
  const int64_t *values;
};

/* The value of an observable; 0 where the outcome does not show it. */
int64_t shown_value(const struct shown_state *shown, struct observable what);

/* Does the outcome meet the proposition? */
bool shown_meets(const struct shown_state *shown, const struct prop *prop);

enum quantifier { QUANT_EXISTS, QUANT_NOT_EXISTS, QUANT_FORALL };

#endif
