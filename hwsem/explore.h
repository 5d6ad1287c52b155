/* SPDX-License-Identifier: MIT */
/* The explorer: every state that a machine can reach, breadth first.
 *
 * It knows no machine (machine.h is the seam).  States are bytes in one packed
 * store with an open-addressed table and full comparison (state_hash_set.h); of each is kept
 * which state it was first reached from (visited_states.h), so that the shortest trace
 * to any state can be rebuilt by running the machine again.
 *
 *     struct explorer *explorer = explorer_new();
 *     struct exploration result;
 *     explore(explorer, &machine, &(struct explore_options){.por = true, .symmetry = true}, &result);
 *     for (size_t i = 0; i < result.outcome_count; i++) ... result.outcomes[i].values ...
 *     explorer_free(explorer);
 *
 * An explorer keeps its memory from one run to the next: sweeps over many small
 * programs allocate nothing after the first ones.  Two threads need two
 * explorers; nothing else is shared.
 */
#ifndef LITSCOPE_HWSEM_EXPLORE_H
#define LITSCOPE_HWSEM_EXPLORE_H

#include "checker/base/arena.h"
#include "checker/base/limit.h"
#include "hwsem/machine.h"

#define EXPLORE_NO_STATE UINT32_MAX

/* A distinct combination of observed values among final states. */
struct explore_outcome {
  const int64_t *values; /* machine.observable_count of them */
  uint64_t states;       /* final states that show it */
  uint32_t state;        /* the nearest of them: for explore_trace */
};

struct explore_options {
  bool por, symmetry;       /* use the machine's reductions, where it has them */
  bool compress;            /* keep states compressed, without loss (state_compression.h): smaller, slower */
  unsigned workers;         /* threads of large explorations; 0, 1: one. Results are the same, unless a limit
                             * of memory or time ends the run */
  uint64_t max_states;      /* 0: no limit (32 bits number the states in any case) */
  uint64_t max_memory;      /* bytes, 0: no limit */
  double timeout;           /* seconds, 0: none */
  const atomic_int *cancel; /* becomes non-zero to stop soon; NULL: never */

  /* Called once for each new outcome, in breadth-first order; returns false to
   * stop there. NULL: none. */
  bool (*outcome)(void *context, const struct explore_outcome *outcome);
  /* Called for the first deadlock (machine.h, final); returns false to stop.
   * NULL: go on. */
  bool (*deadlock)(void *context, uint32_t state);
  void *context;
};

enum explore_end {
  EXPLORE_DONE,    /* every reachable state was visited */
  EXPLORE_STOPPED, /* a callback asked to stop */
  EXPLORE_STATES,  /* limits: states, memory, time */
  EXPLORE_MEMORY,
  EXPLORE_TIMEOUT,
  EXPLORE_CANCELLED,
  EXPLORE_MACHINE /* the machine gave up (machine.h, successors) */
};

struct explore_stats {
  uint64_t states, transitions;
  uint64_t finals, deadlocks; /* states */
  uint32_t depth;             /* longest shortest path */
  uint64_t bytes;             /* of states, parents and table */
  double seconds;
};

/* What a run found.  Lives in the explorer until its next run. */
struct exploration {
  enum explore_end end;
  struct explore_stats stats;
  struct explore_outcome *outcomes; /* in the order of their nearest state */
  size_t outcome_count;
  uint32_t deadlock;         /* the nearest deadlock, or EXPLORE_NO_STATE */
  unsigned observable_count; /* values of an outcome */
};

struct explorer;

/* Never NULL: running out of memory here ends the process as arenas do. */
struct explorer *explorer_new(void);
void explorer_free(struct explorer *explorer);

/* Runs the machine to exhaustion or to a limit.  `machine` must stay valid as
 * long as traces are asked for.  Returns result->end. */
enum explore_end explore(struct explorer *explorer, const struct machine *machine,
                         const struct explore_options *options, struct exploration *result);

/* One transition of a trace. */
struct explore_step {
  struct step step;
  const void *before, *after;
  const char *note; /* what reports print after it; NULL here: nothing */
};

/* The shortest run to `state` (an index from outcomes or `deadlock`), in
 * `arena`.  Under symmetry the run ends in a state of the same class.  With
 * partial-order reduction it is the shortest of the reduced graph. */
size_t explore_trace(struct explorer *explorer, uint32_t state, struct arena *arena, struct explore_step **steps);

/* Why a run ended, as reports say it: "limit of 1000 states met", or NULL when
 * it was complete. */
const char *explore_end_text(enum explore_end end);

#endif
