/* SPDX-License-Identifier: MIT */
/* What one worker has done, within which limits, and how it shares work with
 * others. */
#ifndef LITSCOPE_EXEC_SEARCH_WORK_SHARING_H
#define LITSCOPE_EXEC_SEARCH_WORK_SHARING_H

#include "checker/base/progress_gauge.h"
#include "checker/exec/deductions/evaluation_plan.h"
#include "checker/exec/enumerate.h"

struct search_control {
  const struct enumerate_options *options;
  const struct enumerate_sink *sink;
  struct enumerate_stats stats;
  enum enumerate_end end;
  double deadline; /* of the monotonic clock; 0: none */
  size_t memory;   /* bytes that the nodes above hold */
  uint64_t ticks;
  double share;         /* of the tree that is done, as far as it is measured */
  uint64_t effort;      /* times that limits were looked at */
  uint64_t most_effort; /* stop then; 0: never */
  uint64_t work;        /* rel_work when it began */
  uint64_t most_work;   /* stop then, unless options->longer has it go on; 0: never */

  struct arena *arena;             /* of the whole search, for: */
  const struct plan *plans[PLANS]; /* the model's, by what a structure leaves open; NULL: not yet */

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

/* A node was left, on coming to which `before` of the tree was done: broad nodes alone are measured. */
enum { MEASURED_BREADTH = 1 << 16 };

static inline void control_leave(struct search_control *control, double before, uint64_t breadth) {
  if (!breadth || breadth > MEASURED_BREADTH) return;
  control->share = before + 1 / (double)breadth;
  if (!control->follows) gauge_share(control->share);
}

/* Has as much work been done as is to be?  Then the search has ended. */
bool control_worked(struct search_control *control);

/* Within time, memory and interrupts?  If not, control->end says why. */
bool control_within_limits(struct search_control *control);

/* Ends the search for a reason; returns false. */
bool control_end(struct search_control *control, enum enumerate_end end);

/* Has a limit been met: the call is cancelled, it is past the deadline (0: none), so many bytes are too many?  Then
 * `*end` says which. */
bool enumerate_limit(const struct enumerate_options *options, double deadline, size_t bytes, enum enumerate_end *end);

#endif
