/* SPDX-License-Identifier: MIT */
/* Guarded commands as text, in the languages of two other explorers of states:
 * Promela for SPIN, Murphi for rumur and CMurphi.
 *
 * A machine says its rules once, with conditions and values as text made by the
 * functions below, and has them in either language:
 *
 *     struct rules rules = rules_new(arena, RULES_MURPHI, out);
 *     rules_variable(&rules, "x", 0, 3, 1);
 *     rules_begin(&rules, false);
 *     rules_rule(&rules, "step", rules_compare(&rules, "x", CMP_EQ, "1"), false);
 *     rules_set(&rules, "x", "2");
 *     rules_end_rule(&rules);
 *     rules_finish(&rules);
 *
 * Variables are integers in a range, 0 or 1 where they stand for truth.  Every
 * rule is one transition, and a state is the values of the variables, so that
 * the explorers count what explore.h counts without reductions.  Texts live in
 * the arena.
 */
#ifndef LITSCOPE_HWSEM_GUARDED_COMMANDS_H
#define LITSCOPE_HWSEM_GUARDED_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/vec.h"
#include "checker/program/outcome.h"
#include "checker/program/program.h"

enum rules_language { RULES_PROMELA, RULES_MURPHI };

struct rules_variable {
  const char *name;
  int64_t low, high, initial;
};

struct rules {
  struct arena *arena;
  enum rules_language language;
  FILE *out;
  unsigned depth;
  bool keeps;      /* the rule that is being written sets RULES_OLD */
  bool at_else;    /* nothing has been written since rules_else */
  VEC(bool) elses; /* of the conditions that are open: with an else */
  VEC(struct rules_variable) variables;
};

struct rules rules_new(struct arena *arena, enum rules_language language, FILE *out);

/* ---- conditions ---- */

extern const char RULES_TRUE[], RULES_FALSE[];

const char *rules_and(const struct rules *r, const char *a, const char *b);
const char *rules_or(const struct rules *r, const char *a, const char *b);
const char *rules_not(const struct rules *r, const char *a);
const char *rules_compare(const struct rules *r, const char *a, enum compare compare, const char *b);

/* ---- values ---- */

const char *rules_number(const struct rules *r, int64_t number);
const char *rules_choose(const struct rules *r, const char *condition, const char *a, const char *b);

/* An operator of C, such as "+" or "<<", which both languages have. */
const char *rules_operation(const struct rules *r, const char *a, const char *sign, const char *b);

/* An expression over registers, whose names are `names`, as a value or as a condition. */
const char *rules_value(const struct rules *r, const struct expr *e, const char *const *names);
const char *rules_truth(const struct rules *r, const struct expr *e, const char *const *names);

/* What a read-modify-write writes for what it has read, RULES_OLD, and its operand. */
const char *rules_modified(const struct rules *r, enum rmw_op op, struct width width, const char *operand);

/* ---- declarations, before rules_begin ---- */

void rules_comment(struct rules *r, const char *text);
void rules_variable(struct rules *r, const char *name, int64_t low, int64_t high, int64_t initial);
void rules_procedure(struct rules *r, const char *name); /* its statements follow, of which there must be some */
void rules_end_procedure(struct rules *r);

/* The value that a rule keeps while it changes variables; 0 between rules, so that it makes no states. */
extern const char RULES_OLD[];

/* ---- rules, after rules_begin ---- */

void rules_begin(struct rules *r, bool keeps);                                     /* keeps: some rule sets RULES_OLD */
void rules_rule(struct rules *r, const char *name, const char *guard, bool keeps); /* keeps: it sets RULES_OLD */
void rules_end_rule(struct rules *r);

/* The end of the text: states in which `final` and `wanted` hold can be looked for. */
void rules_finish(struct rules *r, const char *final, const char *wanted);

/* ---- statements ---- */

void rules_set(struct rules *r, const char *name, const char *value);
void rules_call(struct rules *r, const char *procedure);
void rules_if(struct rules *r, const char *condition);
void rules_else(struct rules *r); /* where nothing follows, it is left out */
void rules_end_if(struct rules *r);

#endif
