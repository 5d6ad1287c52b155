/* SPDX-License-Identifier: MIT */
/* Questions about a prefix: threads that have not all ended, with what follows
 * from the reads decided so far. */
#ifndef LITSCOPE_EXEC_UNFOLDING_PREFIX_H
#define LITSCOPE_EXEC_UNFOLDING_PREFIX_H

#include "checker/exec/paths/expression_range.h"
#include "checker/exec/search/partial_candidate.h"
#include "checker/exec/unfolding/rf_source_filter.h"

struct prefix {
  struct frames *frames;
  struct frame *frame;
  const struct range *ranges; /* of values, by event (increment_only_counters.h); NULL: nothing is known of them */
  const struct source_filter *filter;
};

/* Is the value of this event known? */
bool prefix_known(const struct prefix *prefix, unsigned event);

/* The event whose read must be decided before event `event` has a value: the
 * number of events when there is none, since the value depends on itself. */
unsigned prefix_undecided(const struct prefix *prefix, unsigned event);

/* An expression over the reads of a thread: its value, if it is known; and, if it
 * is not, the read to decide first, as above. */
bool prefix_value(const struct prefix *prefix, unsigned thread, const struct expr *e, int64_t *value);
unsigned prefix_undecided_in(const struct prefix *prefix, unsigned thread, const struct expr *e);

/* May a read still see writes that are not there yet? */
bool prefix_open_ended(const struct prefix *prefix, unsigned read);

/* The writes that a read may read from, of those that are there. */
const word *prefix_sources(const struct prefix *prefix, unsigned read);

enum prefix_truth { TRUTH_NO, TRUTH_MAYBE, TRUTH_YES };

/* Does a condition of a thread's path hold?  MAYBE if it needs what is not known
 * or not there yet. */
enum prefix_truth prefix_condition(const struct prefix *prefix, unsigned thread,
                                   const struct path_condition *condition);

/* And if a read of the thread sees a write whose value is known? */
enum prefix_truth prefix_condition_on(const struct frames *all, const struct frame *f, unsigned thread,
                                      const struct path_condition *condition, unsigned read, unsigned write);

#endif
