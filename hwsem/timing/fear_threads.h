/* SPDX-License-Identifier: MIT */
/* Threads of a work (workload.h) on FEAR's mesh: what its cores ask next, and the values
 * that messages carry.
 *
 * Atomic operations hold their mutex, and what they leave is written back to the
 * slice before it is released.  Words that were never operated on atomically are
 * kept in an L1 of their own, by lines, which an acquire empties; stores go
 * through to the slice.  A store to a word that was operated on atomically is an
 * exchange under its mutex, and a load of one reads at the slice.  What releases
 * waits until the core's write-backs have arrived.
 */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_THREADS_H
#define LITSCOPE_HWSEM_TIMING_FEAR_THREADS_H

#include "checker/base/arena.h"
#include "hwsem/workloads/workload.h"

/* What a core does next. */
enum fear_step {
  FEAR_ENDS,
  FEAR_WAITS,    /* at a barrier, or until its write-backs have arrived */
  FEAR_MEETS,    /* it is the last to come to the barrier: all go on */
  FEAR_COMPUTES, /* for `cycles` */
  FEAR_HITS,     /* in its L1, for `cycles` accesses */
  FEAR_READS,    /* a line at a slice */
  FEAR_WRITES,   /* a word there */
  FEAR_OPERATES  /* atomically on a word */
};

struct fear_demand {
  enum fear_step step;
  int64_t word, cycles;
};

/* Of an operation under way: what a fetch and a speculative fetch have brought, and what it leaves. */
struct fear_value {
  int32_t fetched, guessed, result;
};

struct fear_threads;

/* Core i runs thread i.  An L1 has so many sets and ways.  `memside`: stores to atomic words are plain. */
struct fear_threads *fear_threads_new(struct arena *arena, struct work *work, int64_t sets, int64_t ways, bool memside);

/* The last demand of the core has been met. */
struct fear_demand fear_threads_ask(struct fear_threads *w, int64_t core);

/* The core's access of a word happens at the slice: it reads, writes or operates. */
void fear_threads_at_slice(struct fear_threads *w, int64_t core);

/* The core's operation happens at the core, with the old value; returns what it leaves. */
int32_t fear_threads_operate(struct fear_threads *w, int64_t core, int32_t old);

/* Its result has arrived at the slice.  Returns whether the core waited for that. */
bool fear_threads_written(struct fear_threads *w, int64_t core, int64_t word, int32_t result);

int32_t fear_threads_word(const struct fear_threads *w, int64_t word);

/* Threads that have not ended, or write-backs under way? */
bool fear_threads_runs(const struct fear_threads *w);

#endif
