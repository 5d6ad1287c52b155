/* SPDX-License-Identifier: MIT */
/* The ways to choose rf and co for one event structure, and what can be said of
 * the beginning of one. */
#ifndef LITSCOPE_EXEC_SEARCH_H
#define LITSCOPE_EXEC_SEARCH_H

#include "checker/exec/bounds.h"
#include "checker/exec/enumerate.h"
#include "checker/exec/structure.h"

/* What one worker has done and how it shares work with others. */
struct search_control {
  const struct enumerate_options *options;
  const struct enumerate_sink *sink;
  struct enumerate_stats stats;
  enum enumerate_end end;
  double deadline; /* of the monotonic clock; 0: none */
  size_t memory;   /* bytes that the nodes above hold */
  uint64_t ticks;

  /* Work sharing.  A node of the search tree is as broad as the product of the
   * numbers of children on the way to it.  Subtrees at the first nodes that are
   * split_breadth broad, and leaves before, are units; every worker walks the
   * same tree down to there and does the units whose number it draws from the
   * shared counter. */
  bool follows;           /* not the first worker: what all do counts once */
  uint64_t split_breadth; /* 0: one worker, no units */
  uint64_t unit;          /* number of the next unit in the walk */
  uint64_t mine;          /* number drawn */
  uint64_t (*draw)(void *context);
  bool (*stopped)(void *context); /* another worker stopped the search */
  void *context;
};

/* Is the next unit of work another worker's? */
bool control_not_mine(struct search_control *control);

/* The breadth of nodes inside a unit: nothing below is divided. */
#define BREADTH_CLAIMED UINT64_MAX

/* Do all workers walk through nodes of this breadth? */
static inline bool control_shares(const struct search_control *control, uint64_t breadth) {
  return breadth < control->split_breadth;
}

/* The breadth of a node's children. */
static inline uint64_t breadth_below(uint64_t breadth, uint64_t children) {
  return breadth == BREADTH_CLAIMED ? breadth : breadth * children;
}

/* Where a unit begins, claims it: *breadth says so then.  Returns false when it
 * is another worker's. */
bool control_enter(struct search_control *control, uint64_t *breadth);

/* Within time, memory and interrupts?  If not, control->end says why. */
bool control_within_limits(struct search_control *control);

/* A decision taken while threads were unfolded: which write the read that is
 * event `index` of a thread's path reads from. */
struct decision {
  unsigned thread, index;
  int source_thread;     /* -1: the initial write */
  unsigned source_index; /* in that thread's path */
  const struct decision *before;
};

enum search_kind {
  SEARCH_PREFIX, /* some thread is open */
  SEARCH_ALL,    /* count its executions */
  SEARCH_PROBE   /* only ask whether it has one */
};

struct search;

enum search_status {
  SEARCH_OPEN,       /* go on */
  SEARCH_IMPOSSIBLE, /* values or control flow rule it out */
  SEARCH_REJECTED    /* the model does */
};

/* A search with its decisions taken and their consequences drawn.  Lives in
 * `arena`.  For SEARCH_PREFIX, `may_write(context, location)` tells what open
 * threads may still write. */
struct search *search_new(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          struct structure *structure, struct search_control *control, enum search_kind kind,
                          const struct decision *decisions, bool (*may_write)(void *context, unsigned location),
                          void *context);

enum search_status search_status(const struct search *search);

/* Searches to the end, below a node of the tree that workers share.  Returns
 * false when everything is to stop, with the reason in control->end. */
bool search_run(struct search *search, uint64_t breadth);

/* SEARCH_PROBE: has it an execution? */
bool search_found(const struct search *search);

/* ---- Questions about a beginning ---- */

/* The event whose read must be decided before event `event` has a value: the
 * number of events when there is none, since the value hangs on itself. */
unsigned search_undecided(const struct search *search, unsigned event);
bool search_known(const struct search *search, unsigned event);

/* May a read still see writes that are not there yet? */
bool search_open_ended(const struct search *search, unsigned read);

/* The writes that a read may read from, of those that are there. */
const word *search_sources(const struct search *search, unsigned read);

enum search_truth { TRUTH_NO, TRUTH_MAYBE, TRUTH_YES };

/* Does a condition of a thread's path hold?  MAYBE if it needs what is not known
 * or not there yet. */
enum search_truth search_condition(const struct search *search, unsigned thread,
                                   const struct path_condition *condition);

/* The i-th condition of the structure, if it is not known to hold yet; else NULL. */
const struct structure_condition *search_pending(const struct search *search, unsigned i);

#endif
