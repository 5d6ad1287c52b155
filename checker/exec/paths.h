/* Control-flow paths of one thread, with symbolic read values.
 *
 * A thread is run from its start to its end.  What a load returns is not known
 * yet: it is a variable, and expressions over registers become expressions over
 * these variables (`struct expr` again, where EXPR_REG names the path's event
 * that reads).  At a branch on an unknown condition, a compare-and-swap or an
 * unknown array index the path forks, and each side records what must hold.
 * The complete executions of a program are then the choices of one path a
 * thread whose recorded conditions hold: exactly one choice for each, so
 * nothing is counted twice.
 *
 * Before paths are made, the values that each location can ever hold are
 * computed as a least fixpoint, so that control flow forks only on values that
 * can occur (engine.md).
 */
#ifndef LITSCOPE_EXEC_PATHS_H
#define LITSCOPE_EXEC_PATHS_H

#include "base/arena.h"
#include "exec/execution.h"
#include "program/program.h"

/* An event of a path.  `event.value` is unset: the value is `value`. */
struct path_event {
  struct event event;        /* barrier_instance: see barrier_label */
  const struct expr *value;  /* over the path's reads; NULL where nothing is read or written */
  int barrier_label;         /* -1: unlabelled; meaningful for barrier fences */
  unsigned barrier_round;    /* how many barriers of that label came before */
  /* Reads (as indices into the path, ascending) on which it depends. */
  const unsigned *addr, *data, *ctrl;
  unsigned addr_count, data_count, ctrl_count;
};

/* Something that must hold of the values read: `value` is zero or not. */
struct path_condition {
  const struct expr *value;
  bool nonzero;
};

struct path {
  struct path_event *events;
  unsigned event_count;
  struct path_condition *conditions;
  unsigned condition_count;
  const struct expr **registers; /* final value of each register */
  bool undefined; /* ends at an access outside its array or a division by zero */
};

struct paths {
  struct path *at;
  size_t count;
};

struct path_limits {
  unsigned unroll;  /* times each backward jump is taken */
  size_t max_paths; /* in one thread */
  unsigned max_events;
};

enum paths_end { PATHS_DONE, PATHS_TOO_MANY, PATHS_TOO_LONG };

/* All paths of all threads: fills out[0 .. thread_count - 1].  Sets *cut when
 * the unrolling bound ended some path that could have gone on. */
enum paths_end paths_of_program(struct arena *arena, const struct program *program,
                                const struct path_limits *limits, struct paths *out, bool *cut);

/* Evaluates an expression over a path's reads.  known[i] tells whether event
 * i's value is in value[i].  Returns false when an unknown value is needed. */
bool path_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result);

#endif
