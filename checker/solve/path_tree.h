/* SPDX-License-Identifier: MIT */
/* All paths of all threads at once, as a tree for each thread, whose branches may grow together.
 *
 * A node is a stretch of a thread from one fork to the next; its events are those that
 * the thread adds there.  Exactly one leaf of each thread belongs to an execution, so
 * that what a thread does is told by the nodes on the way to it.  Each thread is run
 * on its own, by the same steps as in the search (exec/paths/paths.h): what others write does
 * not matter yet.
 *
 * Paths that part may do the same again: what does not tell on which of them it is done is one event of all of them,
 * also where they write other values.
 * Where a thread comes to a fork from which it goes on as from another (exec/paths/thread_key.h), what follows is there
 * once: so there are as many nodes as the program has forks and rounds, and not as it has paths.
 */
#ifndef LITSCOPE_SOLVE_PATH_TREE_H
#define LITSCOPE_SOLVE_PATH_TREE_H

#include "checker/base/rel.h"
#include "checker/base/vec.h"
#include "checker/exec/enumerate.h"
#include "checker/exec/paths/expression_range.h"
#include "checker/exec/paths/paths.h"
#include "checker/solve/sat.h"

enum { TREE_NONE = -1 };

struct tree_node {
  unsigned thread;
  int parent;                  /* one of those that it may follow, the first; TREE_NONE: the thread's start */
  int first_child, next_child; /* of that parent; TREE_NONE: there is none, or no other */
  int goes_on;         /* THREAD_OPEN: where its children are: itself, or a node from which the thread goes on alike */
  int next_alike;      /* a list of these, from that node on; TREE_NONE: there is no other */
  bool certain;        /* every execution comes through here */
  enum thread_end end; /* THREAD_OPEN: it has children */
  const struct thread_state *state;
  unsigned branch;         /* of its parent's state */
  const struct path *path; /* from the thread's start to here, by way of `parent` */
  unsigned *events;        /* by place in that path: number of the event */
  unsigned first_event;    /* its own events in the path, and conditions */
  unsigned first_condition;
  unsigned instr; /* at which the thread stands */
};

struct tree_event {
  struct event event;           /* without a value, but of initial writes */
  int node;                     /* the first in which it is added; TREE_NONE: an initial write */
  const struct path_event *own; /* there; NULL: an initial write */
  uint64_t rounds;              /* equal for equal rounds of the loops that it is in */
  VEC(int) nodes;               /* all in which it is added */
  bool differs;                 /* what it writes, or has compared, is told by which of these it is */
};

struct tree {
  const struct program *program;
  bool addr, data, ctrl;         /* what tells events apart: the reads on which they depend in these ways */
  const bool *const *asked;      /* by thread and register: does somebody ask for its final value?  NULL: for all */
  const struct range *holds;     /* by location: all that it may hold (location_ranges.h); NULL: not known */
  struct path_limits limits;     /* without those that end a path early, to follow a known one again */
  VEC(struct tree_node) nodes;   /* those of a thread one after the other, its start first */
  VEC(unsigned) order;           /* their numbers, thread by thread: a node comes after all that it may follow */
  size_t *first_node;            /* by thread, and at the end: of both */
  VEC(struct tree_event) events; /* initial writes first */
  unsigned init_count;
  struct shape shape;  /* of the events */
  const word *earlier; /* a relation: to those that come before it on some path of its thread */
  const word *implied; /* likewise, to those that are on every path that has it */
};

enum tree_end { TREE_DONE, TREE_TOO_LONG, TREE_TOO_WIDE };

/* About as many clauses as a formula may have. */
#define TREE_MOST_CLAUSES 3e7

/* Grows a tree of which the program is set, and what tells events apart.  TREE_TOO_LONG: a thread has more events than
 * the limits allow; TREE_TOO_WIDE: there are more paths than can be put into one formula of about `most_clauses`. Stops
 * where `sat` is to (sat_poll).  Lives in `arena`. */
enum tree_end tree_grow(struct arena *arena, struct sat *sat, const struct path_limits *limits, double most_clauses,
                        struct tree *tree);

/* May the thread have come to the node's children from another node? */
static inline bool tree_is_joined(const struct tree *tree, int node) {
  return tree->nodes.at[node].goes_on != node || tree->nodes.at[node].next_alike != TREE_NONE;
}

/* The events on all paths of a thread whose nodes are possible (by node; NULL: all are): a set of tree->shape. */
const word *tree_always(struct arena *arena, const struct tree *tree, unsigned thread, const bool *possible);

/* Of the events that are `counted`, how many such paths have, at least and at most. */
struct tree_count {
  unsigned least, most;
};
struct tree_count tree_count(struct arena *arena, const struct tree *tree, unsigned thread, const bool *counted,
                             const bool *possible);

/* Is there a path that has both, or are they of different threads? */
bool tree_compatible(const struct tree *tree, unsigned event, unsigned other);

/* Has every path that has `event` the other, too?  Of one thread. */
bool tree_implies(const struct tree *tree, unsigned event, unsigned other);

#endif
