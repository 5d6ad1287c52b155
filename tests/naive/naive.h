/* SPDX-License-Identifier: MIT */
/* A second implementation of the axiomatic engine, to check the first with.
 *
 * It shares the parser and the model compiler with litscope, and nothing else:
 * threads run on concrete values guessed from a domain, every choice of runs,
 * every rf and every co is built in full, and the axioms are evaluated at the
 * end on matrices of bool.  Nothing is pruned, shared or packed; the only aim
 * is to be plainly right.
 *
 *     domain.. -> runs of each thread (run.c) -> candidates (candidate.c) -> axioms (axioms.c) -> table (naive.c)
 */
#ifndef LITSCOPE_TESTS_NAIVE_H
#define LITSCOPE_TESTS_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/vec.h"
#include "checker/cat/cat.h"
#include "checker/litmus/litmus.h"
#include "checker/program/program.h"

/* What is larger is left out: a run's events, a candidate's, forks of one
 * thread, choices of runs. */
enum { MAX_RUN = 24, MAX_EVENTS = 64, MAX_FORKS = 5000, MAX_CHOICES = 200000 };

enum kind { KIND_READ, KIND_WRITE, KIND_FENCE, KIND_MEET, KIND_MARK };

/* One event.  The dependencies say, for each event of the same run, whether
 * this one depends on what that one read; in a candidate they are offset by
 * `first`, the number of the run's first event. */
struct naive_event {
  enum kind kind;
  int thread; /* -1: initial write */
  int location;
  int name; /* accesses: the location by whose name */
  int instr;
  int64_t value;
  enum order order;
  enum scope scope;
  tag_set tags;
  bool rmw_read, rmw_write; /* the halves of a read-modify-write, adjacent in a run */
  unsigned regions;
  bool entry, exit; /* barrier fences */
  int label;        /* of the barrier, -1: none */
  int round;        /* barriers of that label before this one in the run */
  /* MEET */
  int meeting;
  bool arrive, has_resource, has_quorum;
  int64_t resource, quorum;
  int first;
  bool flows[MAX_RUN]; /* the value written is computed from that read's; `compared`: so is the one read */
  bool compared;       /* the read of a compare-and-swap that has succeeded: its value is the one expected */
  bool addr[MAX_RUN], data[MAX_RUN], ctrl[MAX_RUN];
};

/* One run of one thread, from start to end. */
struct run {
  int count;
  struct naive_event events[MAX_RUN];
  int64_t *registers;
};

typedef VEC(int64_t) value_set;
typedef VEC(struct run *) run_list;

/* The values that each location can hold. */
struct domain {
  value_set *of; /* by location */
};

/* All runs of a thread in which every read returns a value of its location's
 * domain, and no backward jump is taken more than `unroll` times.  Returns false if a run needs more than MAX_RUN
 * events. */
bool naive_runs(struct arena *arena, const struct program *program, int thread, unsigned unroll,
                const struct domain *domain, run_list *out);

/* Least domains: what initial values lead to, and `guesses` at any location, through
 * all threads.  Returns false if that is too much. */
bool naive_domain(struct arena *arena, const struct program *program, unsigned unroll, const value_set *guesses,
                  struct domain *domain);

/* A complete candidate execution. */
struct candidate {
  bool thin_air; /* some value rests on itself */
  const struct program *program;
  int count;
  struct naive_event events[MAX_EVENTS]; /* initial writes first */
  int source[MAX_EVENTS];                /* reads: the write read from */
  int rank[MAX_EVENTS];                  /* writes: place in their location's co, 0 for the initial one */
  bool co_chosen;                        /* false: the model does without co */
  /* Programs of partial coherence: co, and the order of fences, pair by pair. */
  bool order[MAX_EVENTS][MAX_EVENTS], fences[MAX_EVENTS][MAX_EVENTS];
  bool synchronises[MAX_EVENTS]; /* MEET: by its row of syncbar */
  uint64_t group;                /* equal where only co and the fences that may be unordered differ */
  const struct run *const *runs; /* by thread */
};

/* Builds every candidate of every choice of runs.  Returns false if there are
 * too many choices, or `each` returned false. */
bool naive_candidates(struct arena *arena, const struct program *program, const run_list *runs, bool with_co,
                      bool (*each)(void *context, const struct candidate *candidate), void *context);

/* Is (a, b) in co? */
bool naive_in_co(const struct candidate *c, int a, int b);

/* Does the scope of each include the other's thread? */
bool naive_inclusive(const struct candidate *c, int a, int b);

/* Can these two control barriers meet? */
bool naive_meet(const struct candidate *c, int a, int b);

/* What is needed to judge many candidates by one model; lives in `arena`. */
struct judge *naive_judge_new(struct arena *arena, const struct cat_model *model);

/* The number of ways in which the candidate satisfies the model (none: it is
 * no execution), and how many of them have undefined behaviour. */
unsigned naive_judge(struct judge *judge, const struct candidate *candidate, unsigned *bad);

#endif
