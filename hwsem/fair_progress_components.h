/* SPDX-License-Identifier: MIT */
/* What both forms of fairness need: strongly connected components of a state graph, and
 * runs through it (fair_progress_components.c). */
#ifndef LITSCOPE_HWSEM_FAIR_PROGRESS_COMPONENTS_H
#define LITSCOPE_HWSEM_FAIR_PROGRESS_COMPONENTS_H

#include "checker/base/vec.h"
#include "hwsem/fair_progress.h"

/* A component of the graph: what the edges inside it move, and who could always move. */
struct component {
  uint32_t nearest; /* its node of the lowest number */
  uint64_t moved, enabled;
  bool loops; /* has an edge inside */
};

struct components {
  uint32_t *of; /* by node; NO_COMPONENT: it is left out */
  VEC(struct component) list;
};

enum { NO_COMPONENT = UINT32_MAX };

/* The lowest-numbered thread of a set, as a set. */
static inline uint64_t threads_lowest(uint64_t threads) {
  return threads & (~threads + 1);
}

/* The components of the graph of which the nodes in `out` are left out (NULL: none). */
struct components *progress_components_without(struct arena *arena, const struct state_graph *graph, const bool *out);

/* Can nothing happen there, though some thread has not ended? */
bool progress_stands_still(const struct state_graph *graph, uint32_t node);

/* Sets p->run: to a node. */
void progress_set_run(struct arena *arena, const struct state_graph *graph, uint32_t node, struct progress *p);

/* The steps of edges that begin at these nodes. */
const struct explore_step *progress_steps_along(struct arena *arena, const struct state_graph *graph,
                                                const size_t *edges, const uint32_t *from, size_t length);

/* Sets of threads, of work-groups, of sub-groups. */
struct owed {
  uint64_t threads, groups, subs;
};

/* The groups of which some thread is in the set. */
uint64_t progress_units_with(const uint64_t *units, unsigned count, uint64_t threads);

/* Whom a schedule owes steps, where they can make them. */
struct owed progress_owed(const struct schedule *schedule, uint64_t running, uint64_t stepped);

/* fair_progress_strong.c: answers for one schedule that is strongly fair. */
struct progress progress_ask_strongly(struct arena *arena, const struct state_graph *graph,
                                      const struct schedule *schedule);

#endif
