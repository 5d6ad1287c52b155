/* SPDX-License-Identifier: MIT */
/* The timed GPU with caches that hold data, for programs (workload.h): the machine
 * of rsp_prices.h with lines, an L2 of finite size and memory.
 *
 * Every compute unit runs one work-group, a thread of the workload, whose vector
 * accesses are coalesced into lines.  L1s are set-associative; a store writes
 * words into the L1 without fetching the line (a mask says which words are
 * valid) and pushes its line's address into the FIFO, where further stores to
 * the line are combined until the entry leaves.  The L2 and memory always agree:
 * the L2's tags only say how long an access takes.  Synchronising accesses run
 * the sequences of a compiler mapping, instruction by instruction; what an
 * instruction changes, it changes when it starts.  As an L1 can hold stale words,
 * a scheme that flushes or invalidates too little gives wrong answers.
 *
 * Source: Orr et al., ASPLOS 2015, Table 1 and section 2.
 */
#ifndef LITSCOPE_HWSEM_TIMING_GPU_TIMED_H
#define LITSCOPE_HWSEM_TIMING_GPU_TIMED_H

#include "hwsem/prices/rsp_prices.h"
#include "hwsem/timing/simulation_limit.h"
#include "hwsem/workloads/workload.h"

/* Parameters, by the names of the machine description (mappings/timing-gpu.xml). */
struct gpu_parameters {
  struct rsp_parameters rsp; /* n is the workload's number of threads */
  int64_t l1sets, l1ways;
  int64_t l2sets, l2ways;
  int64_t mem;      /* memory access beyond the L2 */
  int64_t channels; /* of memory */
  int64_t burst;    /* a channel is busy with a line */
  int64_t launch;   /* from the end of a kernel to the start of the next */
  /* After so many cycles at its head an entry leaves a FIFO by itself; 0: never, so that whoever
   * waits for a store without a further flush after it may wait for ever. */
  int64_t age;
};

/* Sequences of a mapping: acquire loads, release stores and acquire-release
 * read-modify-writes by scope (enum work_scope; WORK_PLAIN is not used). */
struct gpu_scheme {
  struct rsp_sequence load[WORK_SCOPES], store[WORK_SCOPES], rmw[WORK_SCOPES];
};

/* What happened, in numbers. */
struct gpu_counts {
  int64_t l1_accesses;            /* lines looked up by loads, stores and read-modify-writes in the L1 */
  int64_t l1_misses;              /* lines fetched by an L1 */
  int64_t l2_accesses, l2_misses; /* lines read or written at the L2; lines read from memory */
  int64_t writes;                 /* lines that an L1 writes to the L2 */
  int64_t flushes, invalidations; /* of one L1 */
  int64_t messages;               /* commands to and acknowledgements from other L1s */
  int64_t sync_cycles;            /* in operations at device scope or above, and their number */
  int64_t sync_count, remote_cycles, remote_count;
};

struct gpu_result {
  bool stuck;   /* threads wait for ever */
  int64_t time; /* when the last thread ended */
  struct gpu_counts counts;
  /* Per kernel and thread, row after row: when it arrived at the kernel's end,
   * from the kernel's start. */
  const int64_t *busy;
  size_t kernels;
};

/* Runs a work to its end.  Once the limit is met, nothing in the result counts. */
struct gpu_result gpu_run(struct arena *arena, const struct gpu_parameters *parameters, const struct gpu_scheme *scheme,
                          struct work *work, struct cost_limit *limit);

#endif
