/* SPDX-License-Identifier: MIT */
/* The programs that the mesh of atomics runs: single transactions, free-running threads
 * on one line, and sharing patterns. */
#ifndef LITSCOPE_HWSEM_TIMING_AMO_PATTERNS_H
#define LITSCOPE_HWSEM_TIMING_AMO_PATTERNS_H

#include "hwsem/timing/amo_timed.h"

/* One transaction of a node on an otherwise idle machine. */
struct amo_case {
  const char *name;
  enum amo_op op;
  bool far;
  enum amo_state own, other; /* the line's state in the requester's L1 and in the other node's */
  bool buffered;             /* in the home's AMO buffer */
};

extern const struct amo_case amo_cases[];
extern const size_t amo_case_count;

/* Cycles from issue to completion at the requester.  *events grows by what the machine simulated. */
int64_t amo_case_latency(const struct amo_parameters *parameters, const struct amo_case *what, int64_t *events);

/* Threads on nodes 0 .. threads - 1 that loop over one line, until a cycle. */
struct amo_loop {
  enum amo_policy policy;
  enum amo_op op;
  int threads;
  int64_t until;
};

/* The operations that they perform. */
int64_t amo_throughput(const struct amo_parameters *parameters, const struct amo_loop *loop, struct cost_limit *limit,
                       int64_t *events);

/* The sharing patterns, in the order of the parameter's words (timing-amo.xml):
 * burst, ldamo, prodcons, flag, mutex1, mutex2, mutex4, ttas4, hist-cold,
 * hist-mix, hist-hot. */
enum amo_pattern {
  PATTERN_BURST,
  PATTERN_LDAMO,
  PATTERN_PRODCONS,
  PATTERN_FLAG,
  PATTERN_MUTEX1,
  PATTERN_MUTEX2,
  PATTERN_MUTEX4,
  PATTERN_TTAS4,
  PATTERN_HIST_COLD,
  PATTERN_HIST_MIX,
  PATTERN_HIST_HOT
};

/* A pattern's programs: the nodes that run one, and their instructions. */
enum { PATTERN_THREADS = 4 };
struct amo_programs {
  int count;
  struct amo_pattern_program {
    int node;
    const struct amo_instr *instrs;
    size_t count;
  } at[PATTERN_THREADS];
};

/* A pattern of `rounds` rounds (iterations of hist-*); `burst` is the length of a burst. */
struct amo_programs amo_write_pattern(struct arena *arena, enum amo_pattern pattern, int64_t rounds, int64_t burst);
struct amo_result amo_run_programs(const struct amo_parameters *parameters, enum amo_policy policy,
                                   const struct amo_programs *programs, struct cost_limit *limit);

/* What to believe of views of one operation, one line and patterns: the end of their help. */
#define AMO_BELIEVE                                                                                  \
  "What to believe: latencies of caches and mesh are published (Table 2); dir, buf, hb, alu, wr,\n"  \
  "ldx, win, early, mth, mdecay, mmax, fr and the threshold of 1/2 for the first decision of the\n"  \
  "Reuse predictors are chosen. Cores are in order and block; there are no prefetchers and no\n"     \
  "memory (every line starts in the last-level cache). The published application speed-ups (1.09,\n" \
  "1.31) are out of reach and not claimed.\n"

#endif
