/* SPDX-License-Identifier: MIT */
/* Limits, and the division of one search tree among workers.
 *
 * Workers agree on the units of work without talking: all walk the same upper
 * part of the tree, number what hangs below it alike, and draw numbers from one
 * counter.
 */
#include "checker/exec/search/work_sharing.h"

#include "checker/base/limit.h"
#include "checker/base/rel.h"

bool control_end(struct search_control *c, enum enumerate_end end) {
  c->end = end;
  return false;
}

/* Work on an execution, compared with that on relations. */
enum { WORK_OF_VISIT = 64 };

/* What is done in asking does not count. */
static uint64_t ask_for_more(struct search_control *c, uint64_t done) {
  uint64_t before = rel_work(), more = c->options->longer(c->options->longer_context, done);
  c->work += rel_work() - before;
  return more;
}

bool control_worked(struct search_control *c) {
  uint64_t done = rel_work() - c->work + WORK_OF_VISIT * c->stats.visited;
  if (!c->most_work || done < c->most_work) return false;
  uint64_t more = c->options->longer ? ask_for_more(c, done) : 0;
  if (more) {
    c->most_work = more;
    return false;
  }
  c->stats.gave_up = true;
  return !control_end(c, END_STOPPED);
}

bool control_within_limits(struct search_control *c) {
  const struct enumerate_options *o = c->options;
  if (!c->follows) gauge_count(c->stats.visited, "candidates");
  if (is_cancelled(o->cancel)) return control_end(c, END_CANCELLED);
  if (c->stopped && c->stopped(c->context)) return control_end(c, END_STOPPED);
  if (++c->effort >= c->most_effort && c->most_effort) {
    c->stats.gave_up = true;
    return control_end(c, END_STOPPED);
  }
  if (control_worked(c)) return false;
  if (deadline_passed(c->deadline)) return control_end(c, END_TIMEOUT);
  return c->end == END_DONE;
}

bool control_not_mine(struct search_control *c) {
  if (c->unit++ != c->mine) return true;
  c->mine = c->draw(c->context);
  return false;
}

bool control_enter(struct search_control *c, uint64_t *breadth) {
  if (!c->split_breadth || *breadth == BREADTH_CLAIMED || control_shares(c, *breadth)) return true;
  *breadth = BREADTH_CLAIMED;
  return !control_not_mine(c);
}

bool enumerate_limit(const struct enumerate_options *options, double deadline, size_t bytes, enum enumerate_end *end) {
  if (is_cancelled(options->cancel))
    *end = END_CANCELLED;
  else if (deadline_passed(deadline))
    *end = END_TIMEOUT;
  else if (options->max_memory && bytes > options->max_memory)
    *end = END_MEMORY;
  return *end != END_DONE;
}
