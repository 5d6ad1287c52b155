/* SPDX-License-Identifier: MIT */
/* All paths of all threads at once, as a tree for each thread.
 *
 * A node is a stretch of a thread from one fork to the next; its events are those that
 * the thread adds there.  Exactly one leaf of each thread belongs to an execution, so
 * that what a thread does is told by the nodes on the way to it.  Each thread is run
 * on its own, by the same steps as in the search (exec/paths/paths.h): what others write does
 * not matter yet.
 *
 * Paths that part may do the same again: what does not tell on which of them it is done is one event of all of them.
 */
#ifndef LITSCOPE_SOLVE_PATH_TREE_H
#define LITSCOPE_SOLVE_PATH_TREE_H

#include "checker/base/rel.h"
#include "checker/base/vec.h"
#include "checker/exec/enumerate.h"
#include "checker/exec/paths/paths.h"
#include "checker/solve/sat.h"

enum { TREE_NONE = -1 };

struct tree_node {
  unsigned thread;
  int parent;              /* TREE_NONE: the thread's start */
  bool certain;            /* every execution comes through here */
  enum thread_end end;     /* THREAD_OPEN: it has children */
  const struct path *path; /* from the thread's start to here */
  unsigned *events;        /* by place in that path: number of the event */
  unsigned first_condition;
  unsigned instr; /* at which the thread stands */
};

struct tree_event {
  struct event event;           /* without a value, but of initial writes */
  int node;                     /* the first in which it is added; TREE_NONE: an initial write */
  const struct path_event *own; /* there; NULL: an initial write */
  uint64_t rounds;              /* equal for equal rounds of the loops that it is in */
  VEC(int) nodes;               /* all in which it is added */
  const word *leaves;           /* the leaves on whose paths it is, by their numbers among the nodes of its thread */
};

struct tree {
  const struct program *program;
  bool addr, data, ctrl;         /* what tells events apart: the reads on which they depend in these ways */
  VEC(struct tree_node) nodes;   /* parents first */
  VEC(struct tree_event) events; /* initial writes first */
  unsigned init_count;
  unsigned leaf_words; /* of each event's leaves */
};

enum tree_end { TREE_DONE, TREE_TOO_LONG, TREE_TOO_WIDE };

/* About as many clauses as a formula may have. */
#define TREE_MOST_CLAUSES 3e7

/* Grows a tree of which the program is set, and what tells events apart.  TREE_TOO_LONG: a thread has more events than
 * the limits allow; TREE_TOO_WIDE: there are more paths than can be put into one formula of about `most_clauses`. Stops
 * where `sat` is to (sat_poll).  Lives in `arena`. */
enum tree_end tree_grow(struct arena *arena, struct sat *sat, const struct path_limits *limits, double most_clauses,
                        struct tree *tree);

/* Is there a path that has both, or are they of different threads? */
bool tree_compatible(const struct tree *tree, unsigned event, unsigned other);

/* Has every path that has `event` the other, too?  Of one thread. */
bool tree_implies(const struct tree *tree, unsigned event, unsigned other);

#endif
