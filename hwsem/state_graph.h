/* SPDX-License-Identifier: MIT */
/* The whole graph of a machine's states, with its edges, for questions about runs
 * that do not end (fair_progress.h).  explore.h, which keeps no edges, reaches further.
 *
 * A node is a state of the machine together with the set of threads that have
 * made a step on the way to it: schedulers speak of both.
 *
 * Where a thread that has made a step is at one of its own (machine.h, `alone`), the
 * node has that edge alone (options.por): whatever others do here they can do after it, the
 * scheduler owes the same steps there, and who is not owed any stands as still.
 */
#ifndef LITSCOPE_HWSEM_STATE_GRAPH_H
#define LITSCOPE_HWSEM_STATE_GRAPH_H

#include "checker/base/arena.h"
#include "hwsem/explore.h"

struct state_edge {
  uint32_t to;
  struct step step;
  uint64_t movers; /* threads that it moves */
};

struct state_graph {
  const struct machine *machine;
  uint32_t count; /* nodes, numbered breadth first from the initial one, 0 */
  const void *const *states;
  const uint64_t *stepped;        /* by node: threads that have made a step */
  const uint64_t *running;        /* by node: threads that have not ended */
  const uint64_t *enabled;        /* by node: threads that can make a step, whatever its edges */
  const uint32_t *parent;         /* by node: the one it was first reached from; of 0: itself */
  const size_t *first;            /* by node and one more: where its edges begin */
  const struct state_edge *edges; /* first[count] of them */
};

/* Builds it in `arena`; the machine must have `running` and `movers` and stay valid.
 * Heeds max_states, max_memory, timeout and cancel of the options.  Returns
 * EXPLORE_DONE, or the limit that ended it: edges of the `count` nodes then lead to others, too. */
enum explore_end state_graph_build(struct arena *arena, const struct machine *machine,
                                   const struct explore_options *options, struct state_graph *graph);

#endif
