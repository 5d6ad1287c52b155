/* SPDX-License-Identifier: MIT */
/* One thread on its way, with symbolic read values.
 *
 * A thread is run until it ends or until it forks.  What a load returns is not
 * known yet: it is a variable, and expressions over registers become expressions
 * over these variables (`struct expr` again, where EXPR_REG names the path's
 * event that reads).  At a branch on an unknown condition, a compare-and-swap or
 * an unknown array index the thread is open: it can go on along several
 * branches, each of which keeps what must hold on it.  The complete executions
 * of a program are the choices of one branch at every fork whose conditions
 * hold: exactly one choice for each, so nothing is counted twice.
 *
 * Who chooses is unfold_threads.c, which knows what reads can see.
 */
#ifndef LITSCOPE_EXEC_PATHS_PATHS_H
#define LITSCOPE_EXEC_PATHS_PATHS_H

#include "checker/base/arena.h"
#include "checker/exec/execution.h"
#include "checker/program/program.h"

/* An event of a path.  `event.value` is unset: the value is `value`. */
struct path_event {
  struct event event;                   /* barrier_instance: see barrier_label */
  const struct expr *value;             /* over the path's reads; NULL where nothing is read or written */
  int barrier_label;                    /* -1: unlabelled; meaningful for barrier fences */
  const struct expr *resource, *quorum; /* MEET: as `value`; NULL: none */
  unsigned barrier_round;               /* how many barriers of that label came before */
  /* Reads (as indices into the path, ascending) on which it depends. */
  const unsigned *addr, *data, *ctrl;
  unsigned addr_count, data_count, ctrl_count;
};

/* Something that must hold of the values read: `value` is zero or not. */
struct path_condition {
  const struct expr *value;
  bool nonzero;
};

/* Two failed rounds of an await, one after the other, that do the same (spin_leave_out_repeated.h). */
struct repeat {
  unsigned before, after; /* their first events */
  unsigned count;         /* events of each */
  bool counted;           /* of a loop that polls (spin_multiply_executions.h): the same is the very same write */
};

/* A jump back: its instruction, and how many events came before. */
struct jump_back {
  unsigned from, before;
};

struct path {
  struct path_event *events;
  unsigned event_count;
  struct path_condition *conditions;
  unsigned condition_count;
  const struct expr **registers; /* value of each register so far, in the end its final one */
  struct repeat *repeats;
  unsigned repeat_count;
  struct jump_back *jumps;
  unsigned jump_count;
  uint64_t ways;     /* how many paths of a thread that has ended it stands for (spin_multiply_executions.h) */
  uint64_t identity; /* equal for equal choices at the forks that led here */
  unsigned round;    /* THREAD_IDLE: the first event of the last time round */
  bool busy;         /* THREAD_CUT: going on might change something */
};

/* A path's first write, as an index of its events; their number: it has none. */
static inline unsigned path_first_write(const struct path *path) {
  unsigned i = 0;
  while (i < path->event_count && path->events[i].event.kind != EVENT_WRITE) i++;
  return i;
}

struct spin_folds; /* spin_fold.h */

struct path_limits {
  unsigned unroll;     /* times each backward jump is taken */
  unsigned max_events; /* in one thread */
  bool stops;          /* threads may also stop: at every control barrier, and after a round that changed nothing */
  bool begins;         /* the beginning of a path will do: threads may also stop at every control barrier, and end with
                          a round in vain */
  bool cut_spins;      /* note failed rounds that follow one another */
  unsigned most_waits; /* `cut_spins`: at most so many failed rounds of a loop, whatever they see; 0: all that see
                          something new */
  const struct spin_folds *spin_folds; /* leave out rounds in vain (spin_fold.h); NULL: none */
  bool count_spins; /* leave out rounds of polling loops, and count them (spin_multiply_executions.h) */
  bool reads_first; /* where it can be, what a compare-and-swap reads is decided before it is known to succeed:
                       until then its read is no half of a read-modify-write */
  bool settles;     /* what is true or false by the way that was taken counts as that number, whatever it was read from:
                       where no read sees what comes of it (po_rf_acyclicity.h) */
  bool forks;       /* every branch is a fork, also where only registers differ after it */
};

enum thread_end {
  THREAD_RUNNING,
  THREAD_OPEN, /* forks */
  THREAD_ENDED,
  THREAD_CUT,       /* the unrolling bound ends it */
  THREAD_BLOCKED,   /* stops at a control barrier, its last event */
  THREAD_IDLE,      /* stops after a round of a loop that wrote nothing and brought it back to where it was */
  THREAD_UNDEFINED, /* an access outside its array, a division by zero */
  THREAD_IMPOSSIBLE /* a condition that does not hold, or a round in vain that is left out */
};

struct thread_state;

/* A thread run from its start, and from one branch of an open state, until it next
 * ends or forks.  NULL when it has more than limits->max_events events. */
struct thread_state *thread_start(struct arena *arena, const struct program *program, unsigned thread,
                                  const struct path_limits *limits);
struct thread_state *thread_resume(struct arena *arena, const struct program *program, unsigned thread,
                                   const struct path_limits *limits, const struct thread_state *open, unsigned branch);

/* States that are kept, each with those that its branches lead to, so that a thread runs along a path once
 * however often the others bring it there. */
struct path_store {
  const struct program *program;
  const struct path_limits *limits;
  struct arena *arena;
  size_t room; /* bytes, beyond which no more are kept */
};

/* Keeps a state of the store's arena. */
void thread_keep(const struct path_store *store, struct thread_state *state);
bool thread_is_kept(const struct thread_state *state);

/* As thread_resume; where the open state is kept and the store has room, so is what it returns, and else it
 * lives in `arena`. */
struct thread_state *thread_go_on(const struct path_store *store, struct arena *arena, unsigned thread,
                                  const struct thread_state *open, unsigned branch);

enum thread_end thread_end(const struct thread_state *state);

/* What it has done so far. */
const struct path *thread_path(const struct thread_state *state);

/* THREAD_OPEN: the number of branches, and each as the path at its very start, which
 * opens with the path so far; NULL for a branch that is impossible. */
unsigned thread_branch_count(const struct thread_state *state);
const struct path *thread_branch(const struct thread_state *state, unsigned branch);

/* May the instruction write to the location? */
bool instr_writes(const struct program *program, const struct instr *instr, unsigned location);

/* THREAD_OPEN: the instruction at which it is. */
unsigned thread_position(const struct thread_state *state);

/* A read or write of a location by an instruction, as far as the instruction says: its place in the path, its value
 * and what it depends on are unset, and whether it is half of a read-modify-write. */
struct event path_access(const struct program *program, unsigned thread, unsigned instr, unsigned location,
                         enum event_kind kind);

/* The write that an instruction makes to a location, in the same way, half of a read-modify-write if it is one.
 * `back`: that of a failing compare-and-swap, to where it keeps what it expects. */
struct event path_write(const struct program *program, unsigned thread, unsigned instr, unsigned location, bool back);

/* Evaluates an expression over a path's reads.  known[i] tells whether event
 * i's value is in value[i].  Returns false when an unknown value is needed. */
bool path_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result);

#endif
