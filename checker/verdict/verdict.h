/* SPDX-License-Identifier: MIT */
/* A test's verdict: what the log, JSON and reports are written from.
 *
 * verdict_run joins a test, a model and the engine; the result it returns owns
 * nothing outside its arena and can be kept while the next test runs.
 */
#ifndef LITSCOPE_VERDICT_VERDICT_H
#define LITSCOPE_VERDICT_VERDICT_H

#include "checker/exec/enumerate.h"
#include "checker/verdict/outcomes.h"

/* The flag of a kernel's access outside all objects. */
#define VERDICT_OUT_OF_BOUNDS "out_of_bounds"

struct verdict_flag {
  const char *name;
  uint64_t count;      /* executions that raise it */
  bool undefined;      /* from undefined_unless, or a race flag: those executions are bad */
  const char *meaning; /* in the model's words; NULL: it has none */
};

/* Whether an assertion holds (khronos_verdict.h). */
struct assertion_answer {
  bool holds;
  const char *unsupported; /* why that is not known; NULL: it is */
};

struct verdict {
  const struct litmus_test *test;
  const char *model;
  struct outcomes states; /* by test->observables, with executions counted; sorted */
  bool operations_open;   /* of a kernel: whether it does an undefined operation was looked into only so far */
  bool any_outcome;       /* of undefined behaviour, which alone answers the question: it was not settled otherwise */
  bool empty;             /* of a kernel no execution counts, so that its condition says nothing, */
  bool endless;           /* since none ends, or is found that does before loops are cut */
  bool partial;           /* -speedcheck, or a kernel: only what settles the question was looked for */
  bool solved;            /* -engine solve: at most one execution of each state is counted; have all states one?
                           * (stats.all_states) */
  struct verdict_flag *flags;
  size_t flag_count;
  uint64_t bad;             /* executions with undefined behaviour */
  const uint64_t *bad_list; /* their numbers, ascending, counted from 0 by state, then key; NULL when too many */
  const struct assertion_answer *assertions; /* by test->assertions; NULL: not judged, or the test has none */
  enum enumerate_end end;
  struct enumerate_stats stats;
  unsigned loops_folded; /* loops whose rounds in vain were left out (exec/loops/spin_fold.h) */
  double seconds;
};

/* Receives executions as they are found, for drawing and explaining; NULL
 * members are not called. */
struct verdict_observer {
  void *context;
  void (*begun)(void *context, const struct verdict *counting); /* whose states and bad executions are counted now */
  void (*consistent)(void *context, const struct candidate *candidate, bool meets);
  void (*rejected)(void *context, const struct candidate *candidate, const struct cat_check *check, bool meets);
};

/* The flag of an undefined operation that was met: kernels leave a division of 0 by 0 where an access is outside all
 * objects, and an index says where one may be. */
const char *verdict_undefined_name(const struct litmus_test *test, const struct enumerate_stats *stats);

/* Does a flag of this name mean undefined behaviour: a race, divergence? */
bool flag_means_undefined(const char *name);

/* Does a check that is raised?  `also`: another flag that means it (-bad); NULL: none. */
bool check_means_undefined(const struct cat_check *check, const char *also);

/* The first flag of undefined behaviour that some execution raises; NULL: none does. */
const char *verdict_undefined_flag(const struct verdict *v);

/* Does some execution have undefined behaviour, or one that a bound cut? */
bool verdict_is_undefined(const struct verdict *v);

/* Gives a verdict its flags, in the order of their names, as herd7's; they are kept. */
void verdict_set_flags(struct verdict *verdict, struct verdict_flag *flags, size_t count);

/* Are all states listed? */
bool verdict_lists_all(const struct verdict *verdict);

/* Makes the solver's verdict, which may also know what does not settle the question, as the search's is where it looks
 * for no more: if something settles it, nothing else is listed. */
void verdict_keep_settling(struct verdict *verdict);

/* The answer to the test's question: `Ok` or `No`; of a test with assertions, `No`
 * where one is known not to hold. */
bool verdict_ok(const struct verdict *verdict);

/* Does no execution pass the test's filter, so that the condition says nothing? */
bool verdict_filters_all(const struct verdict *verdict);

/* Is that so because no execution is found that would change it?  One that settles the answer does so whatever others
 * there are. */
bool verdict_by_absence(const struct verdict *verdict);

struct verdict *verdict_run(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                            const struct enumerate_options *options, const struct verdict_observer *observer);

#endif
