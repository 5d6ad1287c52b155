/* SPDX-License-Identifier: MIT */
/* The choices of rf and co for one event structure, or for a prefix of one. */
#ifndef LITSCOPE_EXEC_SEARCH_SEARCH_H
#define LITSCOPE_EXEC_SEARCH_SEARCH_H

#include "checker/exec/paths/event_structure.h"
#include "checker/exec/search/work_sharing.h"
#include "checker/exec/unfolding/prefix.h"
#include "checker/exec/unfolding/rf_source_filter.h"

/* A decision taken while threads were unfolded: which write the read that is
 * event `index` of a thread's path reads from, or does not; or which write it, a write, comes after. */
struct decision {
  unsigned thread, index;
  bool excluded;         /* it does not */
  int source_thread;     /* -1: the initial write */
  unsigned source_index; /* in that thread's path */
  bool orders;           /* two writes */
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

/* What is decided before a search begins. */
struct search_start {
  const struct decision *decisions;
  const struct prefix *above; /* what was known of a beginning of the structure, with decisions that are among these;
                                 NULL: nothing */
};

/* Whom is asked of what test, within which limits. */
struct asked_model {
  const struct litmus_test *test;
  const struct cat_model *model;
  struct search_control *control;
};

/* A search with its decisions taken and their consequences drawn.  Lives in
 * `arena`.  `filter`: NULL: no event will come, and no pair of
 * events was asked about. */
struct search *search_new(struct arena *arena, const struct asked_model *asked, struct structure *structure,
                          enum search_kind kind, const struct search_start *from, const struct source_filter *filter);

enum search_status search_status(const struct search *search);

/* Does the model reject these events under these decisions, whatever else there is? */
bool search_is_rejected(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                        struct structure *structure, const struct search_control *control,
                        const struct decision *decisions);

/* SEARCH_PREFIX: what is known, for questions about it. */
struct prefix search_prefix(struct search *search);

/* SEARCH_PREFIX: can decisions be added to it?  Not in large ones, whose bounds go as soon as they have answered.  If
 * so, the model has not been asked yet: mostly a thread goes on at once, and then it is asked about more. */
bool search_goes_on(const struct search *search);

/* A prefix of the same events as *prefix, which it becomes, with one decision more: a read sees a
 * write, or none of those that it may see by now (`write`: the number of events).  Lives
 * until another is made of the same one.  Again the model is not asked. */
enum search_status search_decide(struct search *search, struct prefix *prefix, unsigned read, unsigned write);

/* Asks it, and draws all conclusions.  Before decisions are added, it is to be asked once. */
enum search_status search_look_closely(struct search *search, struct prefix *prefix);

/* Searches to the end, below a node of the tree that workers share.  Returns
 * false when everything is to stop, with the reason in control->end. */
bool search_run(struct search *search, uint64_t breadth);

/* SEARCH_PROBE: has it an execution? */
bool search_found(const struct search *search);

#endif
