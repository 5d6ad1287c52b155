/* SPDX-License-Identifier: MIT */
/* The graph programs of the work-stealing study: a task is a run of vertices,
 * one per lane of a work-group; kernels take their tasks from deques.
 *
 * Source: Orr et al., ASPLOS 2015, section 5.1; the kernels are those of the
 * Pannotia suite (Che et al., IISWC 2013) in their pull forms, with integers.
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_GRAPH_PROGRAMS_H
#define LITSCOPE_HWSEM_WORKLOADS_GRAPH_PROGRAMS_H

#include "hwsem/workloads/deque.h"
#include "hwsem/workloads/input_graph.h"

enum graphs_program { GRAPHS_SSSP, GRAPHS_COLOR, GRAPHS_PAGERANK, GRAPHS_TREE, GRAPHS_PROGRAMS };

struct graphs_options {
  enum graphs_program program;
  const struct graph *graph; /* not of GRAPHS_TREE */
  unsigned threads, lanes;   /* work-groups; work-items of each: vertices of a task */
  unsigned iterations;       /* at most; 0: until nothing changes */
  int64_t alu;               /* cycles of computation for each edge step of a task */
  enum work_scope pop, steal;
  bool steals;
  unsigned most;  /* tasks of one steal */
  uint32_t nodes; /* GRAPHS_TREE: about so many tasks are spawned */
  uint64_t seed;
};

/* A program ready to run.  Freed with work_free and the arena.  Its answer is right when it is,
 * word by word, that of the same iterations on the host, and every task was executed once. */
struct work *graphs_new(struct arena *arena, const struct graphs_options *options);

/* Of such a work, after the run. */
const struct deque_counts *graphs_counts(const struct work *work);
int64_t graphs_tasks(const struct work *work); /* that were executed */

#endif
