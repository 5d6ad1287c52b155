/* SPDX-License-Identifier: MIT */
/* The axiomatic engine: all consistent executions of a program under a model.
 *
 * Threads are run against each other with symbolic read values until all have
 * ended (unfold_threads.h), which fixes the events.  Then rf and co are chosen, one
 * undecided pair at a time (search.h), while the model is kept evaluated as an
 * interval (bounds.h): what holds in every extension of the partial candidate,
 * and what may still hold.  A monotone axiom that fails on the lower bound drops
 * the subtree; and its derivative (which single pair, added now, would break it)
 * decides pairs before they are tried.
 *
 * Reentrant: no global state.
 */
#ifndef LITSCOPE_EXEC_ENUMERATE_H
#define LITSCOPE_EXEC_ENUMERATE_H

#include "checker/base/limit.h"
#include "checker/cat/cat.h"
#include "checker/exec/execution.h"
#include "checker/litmus/litmus.h"

struct spin_folds; /* exec/loops/spin_fold.h */
struct symmetry;   /* exec/search/thread_symmetry.h */
struct record;     /* exec/search/record_decision_tree.h */
struct observed;   /* exec/search/observed_registers.h */

/* Flags to look for besides the condition's answer: by check, is it one of them, and has an execution raised it? */
struct raised_checks {
  bool *wanted, *found;
};

struct enumerate_options {
  unsigned unroll;     /* times a backward jump may be taken, default 2 */
  unsigned max_events; /* 0: no limit */
  uint64_t max_memory; /* bytes, 0: no limit */
  double timeout;      /* seconds, 0: none */
  unsigned workers;    /* threads that share this one test's search; 0 or 1: one */
  bool cut_spins;      /* drop failed rounds of loops that show nothing new (spin_leave_out_repeated.h) */
  bool count_spins;    /* rounds of loops that poll are counted where that can be (spin_multiply_executions.h) */
  bool fold;           /* leave out rounds of loops in vain, where that can be (spin_fold.h) */
  const struct spin_folds *spin_folds; /* `fold`: which, where that is known already; else enumerate looks */
  const struct symmetry *symmetry;     /* threads that are alike: one execution counts for all; NULL: none */
  bool solve;                          /* verdicts: look for executions with the solver (solve/solve.h) instead */
  bool either;                         /* verdicts of kernels: ask the solver, too, where the search takes long */
  bool prune;                          /* false: every candidate is built and checked at its end */
  bool outcomes; /* what executions show counts, not how many do: of some that differ in the order of fences only,
                  * one is told of */
  bool stop_when_known;     /* -speedcheck: stop when the condition's answer is known */
  bool stop_when_undefined; /* verdicts: stop at the first bad execution; what else there is does not count */
  bool serial_first;        /* one worker: a few runs on one memory (serial_run.h) come first, and come again */
  bool undefined_ends;      /* a thread that does something undefined has ended there */
  bool begins;              /* beginnings of executions count: so has one that the bound cuts, or that waits */
  uint64_t most_work;       /* give up after about so much work of relations (base/rel.h); 0: never */
  uint64_t (*longer)(void *context,
                     uint64_t work); /* or ask then, as one worker: after how much to ask again; 0: give up */
  void *longer_context;
  uint64_t effort;            /* give up after about so many prefixes (enumerate_stats.gave_up); 0: never */
  uint64_t conflicts;         /* `solve`: give up a question after about so many of the solver's; 0: never */
  unsigned most_states;       /* `solve`: also tell of one execution of each state, up to so many of them, */
  const int64_t *const *told; /* but for these, values of test->observables each, that are known already */
  size_t told_count;
  const struct raised_checks
      *raised;                     /* `solve`, stop_when_known: also look for executions that raise them; NULL: none */
  bool stops;                      /* instead: executions in which some thread does not end, as struct event says */
  bool keep_rejected;              /* also call `rejected` (implies no pruning by the model) */
  struct record *record;           /* the search is written down there (one worker, no cut_spins); NULL: it is not */
  const char *bad_flag;            /* executions that raise this flag count as bad too; NULL: none */
  const char *only_flag;           /* only executions that raise this flag are told of; NULL: all */
  const struct observed *observed; /* whoever counts or shows executions passes over those that are not observed_all;
                                    * NULL: over none */
  const bool *skip;                /* by check index: leave this check out; NULL: none */
  bool through; /* no axiom rejects: `skip` has all of them, and the interpreter meets some that have no index */
  const atomic_int *cancel; /* becomes non-zero to stop soon (SIGINT); NULL: never */
};

/* A consistent execution.  `raised` holds one bit for each check of the model
 * with role UNDEFINED that fails or FLAG that is raised. */
struct candidate {
  const struct execution *execution;
  const uint64_t *raised;          /* bit i: ir.checks[i], 64 a word; NULL for dynamic models */
  const char *const *raised_names; /* dynamic models: names; else NULL */
  const bool *raised_undefined;    /* for each name: is it of undefined_unless? */
  unsigned raised_name_count;
  uint64_t ways; /* how many executions it stands for: 1, but with options.count_spins */
  uint64_t key;  /* equal for every search order, -j and pruning: sorts executions */
};

/* Does the execution raise the flag, or fail the undefined_unless, of this name? */
bool candidate_raises(const struct cat_ir *ir, const struct candidate *candidate, const char *name);

struct enumerate_sink {
  void *context;
  /* Called for each consistent execution, from one thread at a time. Returns
   * false to stop the search. */
  bool (*consistent)(void *context, const struct candidate *candidate);
  /* For keep_rejected: a complete candidate that fails the axiom `check`
   * (first in the model's order; NULL when the interpreter rejected it). */
  bool (*rejected)(void *context, const struct candidate *candidate, const struct cat_check *check);
  /* Optional, both or none: several workers then count side by side.  `part`
   * makes a context for one worker's calls, and `join` adds what it counted to
   * the whole, once all have ended, in the same order every time.  Without them
   * workers take turns. */
  void *(*part)(void *context);
  void (*join)(void *context, void *part);
};

enum enumerate_end {
  END_DONE,
  END_STOPPED,
  END_TIMEOUT,
  END_EVENTS,
  END_MEMORY,
  END_CANCELLED,
  END_MODEL /* the model cannot be evaluated on some candidate: see enumerate_stats.problem */
};

struct enumerate_stats {
  uint64_t visited; /* candidates: complete ones checked, and partial ones on which an axiom failed */
  uint64_t consistent;
  uint64_t merged; /* consistent ones that only an order tells apart from another at which the model does not look */
  uint64_t structures; /* event structures: choices of one path per thread */
  bool cut;            /* the unrolling bound cut a consistent execution; `stops`: a loop that may do something */
  bool held;           /* a consistent execution ends but for barriers at which too few meet */
  bool sampled;        /* something was computed from an initial value that is not known, of which some were tried */
  bool gave_up;        /* END_STOPPED: for options.effort or most_work */
  bool all_states;     /* options.most_states: no state is left that has not been told of */
  struct {             /* `undefined`: the instruction that is, in one of those executions */
    unsigned thread, instr;
  } undefined_at;
  bool undefined;      /* a consistent execution has an access outside an array or a division by zero */
  uint64_t cut_raised; /* bit i: undefined_unless, check i < 64, fails in an execution that the bound cut (ADSM) */
  unsigned events;     /* most events in one candidate */
  struct {             /* END_MODEL: what is wrong, and where in the model's text */
    const struct source *source;
    struct span span;
    char text[256];
  } problem;
};

/* To the counts of one search those of another, or of a part. */
void enumerate_stats_add(struct enumerate_stats *total, const struct enumerate_stats *part);

/* Which rounds enumerate leaves out; NULL: none. */
const struct spin_folds *enumerate_spin_folds(struct arena *arena, const struct litmus_test *test,
                                              const struct cat_model *model, const struct enumerate_options *options);

/* The form of a model that judges a test: cat_model's `plain` where it serves. */
const struct cat_model *enumerate_model(const struct litmus_test *test, const struct cat_model *model);

/* Enumerates.  Returns why it ended; *stats is filled in any case. */
enum enumerate_end enumerate(const struct litmus_test *test, const struct cat_model *model,
                             const struct enumerate_options *options, const struct enumerate_sink *sink,
                             struct enumerate_stats *stats);

#endif
