/* SPDX-License-Identifier: MIT */
/* The reads that open threads' forks turn on: which of them to decide next, and which wait.
 *
 * A read waits that sees none of the writes that are there, but may yet be fed by a thread that
 * goes on. */
#ifndef LITSCOPE_EXEC_UNFOLDING_NEXT_READ_TO_DECIDE_H
#define LITSCOPE_EXEC_UNFOLDING_NEXT_READ_TO_DECIDE_H

#include "checker/base/vec.h"
#include "checker/exec/unfolding/future_writes.h"
#include "checker/exec/unfolding/prefix.h"

/* What is known where threads have come to forks. */
struct fork_view {
  struct arena *arena; /* for the list of reads */
  const struct program *program;
  struct thread_state *const *threads;
  const struct structure *structure;
  const struct prefix *prefix;
  struct future_writes *future;
};

/* An undecided read that a fork of a thread turns on, perhaps by way of other threads. */
struct fork_read {
  unsigned thread, read;
};

struct fork_reads {
  VEC(struct fork_read) list;
  bool stuck; /* some value depends on itself: nothing will come of this */
};

struct fork_reads fork_reads_find(const struct fork_view *view);

enum fork_choice {
  FORK_CLOSED,       /* one whose writes are all there */
  FORK_FIRST_CLOSED, /* the same, but only of those that are the first that a thread's fork turns on */
  FORK_OPEN_ENDED    /* of these, one that may yet be fed, but sees some write that is there */
};

/* The one with the fewest writes to see; the number of events: none. */
unsigned fork_reads_choose(const struct fork_view *view, const struct fork_reads *reads, enum fork_choice choice);

/* Of the read-modify-writes before those reads one whose writes are all there, since they settle what is
 * coherent, and so what later reads can see; if there is none, `chosen`. */
unsigned fork_reads_rmw_before(const struct fork_view *view, const struct fork_reads *reads, unsigned chosen);

/* Does some read wait for what only threads can write that wait themselves, each for the next?  What they
 * write follows, in program order, a read that sees what another writes, and so on around: a
 * cycle, if the read is to see it. */
bool fork_reads_wait_in_vain(const struct fork_view *view, const struct fork_reads *reads);

#endif
