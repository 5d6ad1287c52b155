/* SPDX-License-Identifier: MIT */
/* What a model says of one small program, as sweeps over millions of them ask:
 * undefined, or the set of its outcomes.  The search ends with the first
 * execution that has undefined behaviour, since nothing else counts then.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_JUDGE_PROGRAM_H
#define LITSCOPE_PROGRAM_SEARCH_JUDGE_PROGRAM_H

#include "checker/exec/enumerate.h"
#include "checker/verdict/outcomes.h"

/* A model that is asked, perhaps without some of its checks. */
struct judge_model {
  const char *name;
  const struct cat_model *model;
  const bool *skip; /* by check; NULL: none */
  bool whatever;    /* outcomes count though an execution is undefined: there is no other answer */
};

enum judge_answer { JUDGE_DEFINED, JUDGE_UNDEFINED, JUDGE_UNDECIDED /* a limit was reached */ };

struct judgement {
  enum judge_answer answer;
  const int64_t *undefined; /* JUDGE_UNDEFINED: what the execution that is undefined shows, if one is */
  struct outcomes outcomes; /* JUDGE_DEFINED: by the test's observables, sorted; counts mean nothing */
};

/* Asks; executions that do not pass the test's filter do not count.  The judgement lives in `arena`; `options` has
 * limits. */
void judge_program(const struct judge_model *model, const struct litmus_test *test,
                   const struct enumerate_options *options, struct arena *arena, struct judgement *judgement);

/* Can what the model says depend on operations being remote?  Of a model that C or the interpreter judges: yes. */
bool judge_sees_remote(const struct judge_model *model);

/* How two answers compare: the classes of `litscope diff`. */
enum diff_class {
  CLASS_SAME,
  CLASS_BOTH_UNDEFINED,
  CLASS_ONLY_A_UNDEFINED,
  CLASS_ONLY_B_UNDEFINED,
  CLASS_A_MORE, /* A allows all that B does, and more */
  CLASS_B_MORE,
  CLASS_NEITHER, /* each allows something that the other does not */
  CLASS_UNDECIDED,
  CLASSES
};

enum diff_class judge_compare(const struct judgement *a, const struct judgement *b);

static inline bool class_differs(enum diff_class class) {
  return class >= CLASS_ONLY_A_UNDEFINED && class <= CLASS_NEITHER;
}

/* An outcome of `a` that `b` has not, or NULL; all are defined. */
const int64_t *judge_difference(const struct judgement *a, const struct judgement *b);

#endif
