/* SPDX-License-Identifier: MIT */
/* Event structures: one path a thread put together.
 *
 * The events of threads that have run so far with their fixed relations (po,
 * rmw, addr, data, ctrl), and what is symbolic in them: the value of each event
 * over the reads of its thread, and the conditions under which control flows
 * this way.
 */
#ifndef LITSCOPE_EXEC_PATHS_EVENT_STRUCTURE_H
#define LITSCOPE_EXEC_PATHS_EVENT_STRUCTURE_H

#include "checker/base/vec.h"
#include "checker/exec/execution.h"
#include "checker/exec/paths/paths.h"

/* A condition of a path; `reads` are indices into the path, at most
 * CONDITION_READS of them listed (more: count says so and no list is kept). */
enum { CONDITION_READS = 4 };

struct structure_condition {
  const struct expr *value;
  bool nonzero;
  unsigned thread;
  unsigned reads[CONDITION_READS];
  unsigned read_count;
};

struct structure_facts; /* initial_choices.c */

struct structure {
  struct execution execution; /* rf, co, registers, final: NULL until a candidate is complete */
  struct event *events;       /* execution.events, to be given values */
  const struct path **paths;  /* by thread */
  bool *ended;                /* by thread: its registers are final */
  unsigned *offset;           /* first event, by thread */
  unsigned init_count;
  const struct expr **value; /* by event, over its thread's reads; NULL: initial writes, fences */
  struct structure_condition *conditions;
  unsigned condition_count;
  uint64_t ways;                 /* how many choices of paths it stands for: that of the paths multiplied */
  struct arena *kept_in;         /* it is kept for other searches, there with what they need, or NULL */
  struct structure_facts *facts; /* what a search found that holds in all others, too */
};

/* Has the thread written? */
static inline bool structure_writes(const struct structure *s, unsigned thread) {
  return path_first_write(s->paths[thread]) < s->paths[thread]->event_count;
}

/* Notes the reads of an expression in a condition's list. */
void structure_collect_reads(const struct expr *e, struct structure_condition *condition);

/* Barriers of one work-group, label and round are one instance: numbers an event of one. */
struct structure_barrier {
  unsigned wg, round;
  int label;
};
struct structure_barriers {
  struct structure_barrier *at;
  size_t count, room;
};
void structure_number_barrier(struct arena *arena, struct structure_barriers *known, const struct program *program,
                              const struct path_event *own, struct event *event);

/* Puts the paths that the threads have taken together; the arrays become the
 * structure's.  Only locations that some event touches get an initial write. */
struct structure *structure_build(struct arena *arena, const struct program *program, const struct path **paths,
                                  bool *ended);

#endif
