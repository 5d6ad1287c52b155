/* SPDX-License-Identifier: MIT */
/* A solver's answer as an execution: the same structure that the search would build of
 * these paths (exec/paths/event_structure.h), with its values, and each event's number in the tree. */
#ifndef LITSCOPE_SOLVE_CANDIDATE_H
#define LITSCOPE_SOLVE_CANDIDATE_H

#include "checker/exec/paths/event_structure.h"
#include "checker/solve/closure_literals.h"

struct candidate_events {
  struct structure *structure;
  const struct execution *execution; /* of it, complete but for what values_complete fills in */
  unsigned *number;                  /* by event of the execution: that in the tree */
  const struct path **paths;         /* by thread: its path, */
  unsigned **path_numbers;           /* the numbers in the tree of the path's events, */
  int *leaf;                         /* the last node, */
  struct nodes_told {
    VEC(int) at;
  } * told_by;           /* and the nodes that together say which path it is */
  unsigned *source;      /* by event: of a read, the event that it reads from */
  bool *known;           /* by event: it has a value */
  VEC(unsigned) guesses; /* reads whose value depends on itself, and is the solver's choice */
  int64_t *value;
};

/* Reads the solver's answer.  Lives in `arena`. */
struct candidate_events *candidate_read(struct arena *arena, const struct formula *f);

/* The literals by which a thread takes its path. */
void candidate_add_path(const struct formula *f, const struct candidate_events *c, unsigned thread,
                        struct literals *out);

/* Gives all events their values, registers and locations their final ones.  False when some
 * value depends on itself; `known` tells which do not. */
bool candidate_complete(struct arena *arena, const struct formula *f, struct candidate_events *c);

#endif
