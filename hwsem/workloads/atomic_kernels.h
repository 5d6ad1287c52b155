/* SPDX-License-Identifier: MIT */
/* Kernels with atomic operations, for machines that place them near or far.
 *
 * Source: Soria-Pardos et al., ISCA 2023, section 6.1 and Table 3: the direct
 * updates (histogram, sparse matrix times vector, radix sort), graph programs
 * with atomic minima, and the synchronisation that the others spend their atomic
 * operations on; and the programs of Franey and Lipasti's Table II.  Each checks
 * its answer.
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_ATOMIC_KERNELS_H
#define LITSCOPE_HWSEM_WORKLOADS_ATOMIC_KERNELS_H

#include "hwsem/workloads/input_graph.h"
#include "hwsem/workloads/workload.h"

enum kernel_kind {
  KERNEL_HISTOGRAM,  /* AtomicStore add into bins, as well as reads of an image */
  KERNEL_SPMV,       /* columns of a matrix: AtomicStore add into the result */
  KERNEL_SORT,       /* one digit: counted and placed by atomic operations, then each bucket sorted */
  KERNEL_BFS,        /* levels by compare-and-swap, frontier by fetch-and-add */
  KERNEL_COMPONENTS, /* labels by AtomicStore min, until nothing changes */
  KERNEL_QUEUE,      /* tasks from one queue by fetch-and-add after a look */
  KERNEL_COUNTERS,   /* AtomicStore add to a few counters, read now and then */
  KERNEL_TTAS,       /* test-and-test-and-set lock around a few accesses */
  KERNEL_TICKET,     /* ticket lock */
  KERNEL_MUTEX,      /* POSIX mutexes as their Figure 4 has them: the lock's other members share its line */
  KERNEL_BARRIER,    /* sense-reversing barriers by fetch-and-add */
  /* Those of Franey and Lipasti's Table II, by what its sources do. */
  KERNEL_FLUID,   /* fluidanimate: pairs of particles add to each other's density, then to their forces */
  KERNEL_COLUMNS, /* hypercolumn: a tree of columns from one queue; a parent waits for its children */
  KERNEL_ANNEAL,  /* canneal: random pairs of elements change places without locks */
  KERNEL_BUCKETS, /* GPUSort: keys counted in bins of each thread's own, placed, sorted */
  KERNEL_REDUCE,  /* threadFenceReduction: a sum, whose last part to be done adds up the parts */
  KERNEL_KINDS
};

/* Keys of the histogram and the sort. */
enum kernel_keys { KEYS_UNIFORM, KEYS_ZIPF, KEYS_HOT, KEYS_MIXED };

struct kernel_options {
  enum kernel_kind kind;
  unsigned threads;
  uint32_t size;  /* operations, vertices, rounds, particles, columns, swaps, keys: of all threads together */
  uint32_t range; /* bins, counters, locks, elements */
  enum kernel_keys keys;
  enum graph_kind graph;
  const struct graph *given; /* in place of a generated one; or NULL */
  uint32_t degree;
  int64_t think; /* cycles of computation next to each atomic operation */
  uint64_t seed;
  struct cost_limit *limit; /* of making the input, or NULL; once it is met, the input does not count */
};

/* A kernel ready to run.  Freed with work_free and the arena. */
struct work *kernel_new(struct arena *arena, const struct kernel_options *options);

#endif
