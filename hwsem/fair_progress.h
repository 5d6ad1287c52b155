/* SPDX-License-Identifier: MIT */
/* Does every fair run of a program end?
 *
 * Fair is what a scheduler makes it: it owes steps to the threads to which it
 * guarantees progress (Sorensen, Salvador, Raval, Evrard, Wickerson, Martonosi,
 * Donaldson: "Specifying and Testing GPU Workgroup Progress Models", OOPSLA 2021;
 * hsa, obe and lobe after the languages' texts and observed hardware).  A run that
 * does not end goes round in a strongly connected component of the state graph for
 * ever, or stands still with some thread not ended.  It is fair when every thread
 * that is owed steps, and could make one all the way round, makes one.
 *
 * The machine decides what runs there are; it must have `running` and `movers`
 * (machine.h), as machine sc has.
 */
#ifndef LITSCOPE_HWSEM_FAIR_PROGRESS_H
#define LITSCOPE_HWSEM_FAIR_PROGRESS_H

#include "hwsem/state_graph.h"

/* X(identifier, name, to whom it owes steps among the threads that have not ended) */
#define SCHEDULER_LIST(X)                                                       \
  X(FAIR, "fair", "all")                                                        \
  X(HSA, "hsa", "the lowest-numbered")                                          \
  X(OBE, "obe", "those that have made a step (occupancy-bound execution)")      \
  X(HSA_OBE, "hsa+obe", "the lowest-numbered, and those that have made a step") \
  X(LOBE, "lobe", "those up to the highest-numbered one that has made a step (linear occupancy-bound execution)")

enum scheduler {
#define SCHEDULER_ID(id, name, owed) SCHEDULER_##id,
  SCHEDULER_LIST(SCHEDULER_ID)
#undef SCHEDULER_ID
      SCHEDULERS
};

/* Only as a level's scheduler: it promises nothing to any one of them. */
enum { SCHEDULER_UNFAIR = SCHEDULERS + 1 };

/* Before a scheduler's name: it is strongly fair.  A step of a thread that is owed steps, if it could be made again and
 * again from one state, is made from there again and again: a loop that could sometimes be left is left in the end.
 * Else such a thread makes a step when it could always make one, whichever that is. */
#define SCHEDULER_STRONG "strong:"

/* Who owes steps to whom.  By level, `groups` chooses among work-groups and `items` among the work-items of each
 * sub-group, as if they were threads; a work-group's sub-groups are all chosen.  What is chosen, and could always make
 * a step, makes one: a group or sub-group does when any of its threads does.  If it is strong, the same holds of each
 * state that is come to again and again. */
struct schedule {
  const char *name;
  bool by_level;
  bool strong;
  enum scheduler plain;   /* unless `by_level` */
  unsigned groups, items; /* enum scheduler, or SCHEDULER_UNFAIR */
  unsigned group_count, sub_count;
  const uint64_t *group_threads, *sub_threads; /* the threads of each, in the order of their numbers */
};

const char *scheduler_name(enum scheduler scheduler);

/* The scheduler of that name; SCHEDULERS: there is none. */
enum scheduler scheduler_find(const char *name);

struct progress {
  bool ends;
  /* Not `ends`: a run to the nearest state from which it is seen, then once
   * round; a loop of no steps: it stands still there.  In the arena. */
  const struct explore_step *run, *loop;
  size_t run_length, loop_length;
  bool loop_unknown; /* the loop has too many states for a shortest way round to be looked for */
};

/* The strongly connected components of a graph, in `arena`: the same for all schedulers. */
struct components;
const struct components *progress_components(struct arena *arena, const struct state_graph *graph);

/* Answers for one schedule; results live in `arena`. */
struct progress progress_ask(struct arena *arena, const struct state_graph *graph, const struct components *components,
                             const struct schedule *schedule);

#endif
