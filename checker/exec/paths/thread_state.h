/* SPDX-License-Identifier: MIT */
/* What the files of paths share: paths.c (instructions in turn), thread_state.c (a
 * thread on its way), events.c, operand_forks.c, if_conversion.c, rmw.c, jumps_and_unrolling.c,
 * control_dependencies.c. */
#ifndef LITSCOPE_EXEC_PATHS_THREAD_STATE_H
#define LITSCOPE_EXEC_PATHS_THREAD_STATE_H

#include "checker/base/vec.h"
#include "checker/exec/loops/idle_iterations.h"
#include "checker/exec/paths/paths.h"
#include "checker/exec/paths/read_set.h"

struct thread_state {
  struct path path; /* so far */
  enum thread_end end;
  unsigned pc;
  const struct reads **dependencies; /* by register: reads its value depends on */
  const struct reads *ctrl;
  const unsigned *joins;      /* where arms meet (control_dependencies.c); with it, what follows, else NULL or empty */
  const struct arms *arms;    /* the innermost that the thread is in */
  unsigned *begun;            /* by instruction: the number of events when it was last begun */
  const struct reads *hidden; /* what setting a register depends on here; and by register, when it was set */
  const struct reads **hidden_in; /* (besides what its value depends on) */
  unsigned launch, kernel;        /* in a kernel's body: as in struct event */
  const struct reads *host_ctrl;  /* in a kernel's body: its caller's ctrl */
  const bool *shown;              /* by register: path_shown */
  unsigned *taken;                /* by instruction: times its backward jump was taken */
  unsigned *failed;               /* and those after failed rounds, which do not count among them */
  unsigned *rounds;               /* by barrier label + 1 */
  int64_t pinned[2];      /* this instruction's indices, once forked on: of `address`, of `expected_at`; -1: not yet */
  bool divisions_checked; /* by the fork that led here, for the instruction at pc */
  unsigned event_room, condition_room, repeat_room, jump_room; /* a copy makes its own room before it adds */
  const bool *counted_spins;                                   /* `count_spins`: spin_count_find; else NULL */
  const struct iteration **iterations_at; /* NULL, or by instruction: when it was last begun with; NULL: never */
  const struct iteration **looks_at;      /* the same, for rounds in vain */
  VEC(struct thread_state *) branches;    /* THREAD_OPEN: how it can go on */
  bool kept;                              /* in a path_store, */
  struct thread_state **led_to;           /* with what each branch has led to, or NULL */
};

/* A thread being run. */
struct runner {
  struct arena *arena;
  const struct program *program;
  const struct thread *thread;
  unsigned thread_index;
  const struct path_limits *limits;
  bool too_long;
};

struct cell {
  int location, name;               /* `name`: as in struct event */
  const struct reads *dependencies; /* of the index */
};

/* ---- thread_state.c ---- */

struct thread_state *state_copy(const struct runner *r, const struct thread_state *from);

/* One of the branches along which an open thread can go on. */
struct thread_state *state_branch(const struct runner *r, struct thread_state *s);

/* Room for one more in an array that a state may share with the one that it was copied from. */
void state_room(struct arena *arena, void **at, unsigned *room, unsigned count, size_t size);

/* Adds what must hold from here on; a condition that can be decided and does
 * not hold ends this branch. */
void state_require(const struct runner *r, struct thread_state *s, const struct expr *e, bool nonzero);

/* A truth, as a constant where the path's conditions from `from` on say which (a compare-and-swap that failed has said
 * what its result is compared with).  A certificate has each fork. */
const struct expr *state_settle(const struct runner *r, const struct thread_state *s, const struct expr *truth,
                                unsigned from);

/* The same of all registers that hold truths (path_limits.settles). */
void state_settle_registers(const struct runner *r, struct thread_state *s, unsigned from);

/* Of a source expression: the reads on which its value depends, and the value. */
const struct reads *state_dependencies(const struct runner *r, const struct thread_state *s, const struct expr *e);
const struct expr *state_value(const struct runner *r, const struct thread_state *s, const struct expr *e);

void state_set_register(struct thread_state *s, int reg, const struct expr *value, const struct reads *dependencies);

/* ---- events.c ---- */

/* What events of all kinds have from their instruction. */
struct event path_event_of(const struct thread *thread, unsigned thread_index, const struct instr *instr,
                           enum event_kind kind);

/* The next event of the path. */
struct path_event *path_add_event(struct runner *r, struct thread_state *s, enum event_kind kind,
                                  const struct instr *instr);

/* A read whose value is the variable named after it; returns its index. */
unsigned path_add_read(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell);

void path_add_write(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                    const struct expr *value, const struct reads *data);

/* An event that is its tags only, at the cell if the instruction has an address. */
void path_add_mark(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell);

/* The write half of a read-modify-write whose read half is event `read`. */
struct written {
  const struct expr *value;
  const struct reads *data; /* that it depends on */
};
void path_add_rmw_write(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                        unsigned read, struct written written);

/* The read of what is expected, for languages that keep it in memory.  It is
 * an ordinary access (the reference semantics: see the corpus' notes). */
void path_make_ordinary(struct event *event);

/* ---- operand_forks.c ---- */

/* Finds the cell that an address names; leaves THREAD_RUNNING when the thread
 * forks on the index or ends.  `which`: of an instruction's two addresses. */
void cell_resolve(const struct runner *r, struct thread_state *s, const struct address *address, unsigned which,
                  struct cell *cell);

/* Does some expression that the instruction evaluates now divide by what is not
 * known to be other than zero?  Then forks have taken over, or the thread ends. */
bool divisions_fork(const struct runner *r, struct thread_state *s, const struct instr *instr);

/* ---- rmw.c ---- */

void path_rmw(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell);

/* `at`: where what is expected is kept, in languages that keep it in memory. */
void path_cas(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell, struct cell at);

void path_lock(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell);

/* ---- if_conversion.c ---- */

/* By register of a thread: is what it holds only ever shown in the end?  NULL for a
 * thread without branches, or with loops. */
const bool *path_shown(struct arena *arena, const struct thread *thread);

/* At a branch: if both its arms do nothing but set such registers, goes on after it. */
bool path_fold(const struct runner *r, struct thread_state *s);

/* ---- jumps_and_unrolling.c ---- */

/* The thread is after its last instruction. */
void path_end(const struct runner *r, struct thread_state *s);
void path_jump(const struct runner *r, struct thread_state *s, unsigned target);
void path_branch(const struct runner *r, struct thread_state *s, const struct instr *instr);

/* The thread is about to do its next instruction: notes that a round begins there, if one does. */
void path_note_round(const struct runner *r, struct thread_state *s);

/* The thread is about to do its next instruction.  Has it gone round in vain, and is that left out?
 * Then this ends it. */
bool path_in_vain(const struct runner *r, struct thread_state *s);

/* At a control barrier: the thread goes on, or stops. */
void path_meet_or_stop(const struct runner *r, struct thread_state *s);

#endif
