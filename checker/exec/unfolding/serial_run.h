/* SPDX-License-Identifier: MIT */
/* Runs of a program on one memory, a thread at a time: executions that need no search.
 *
 * Where one execution of a kind is enough, as for a kernel's data race, it is often at hand: let threads do their
 * events in some order, each read see the last write, and ask the model about what comes of it.  Programs
 * that are too large for all executions to be tried are so found to race at once, if they do so in plain sight.
 * Where none of these runs is of the kind, nothing is known, and the search begins.
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_SERIAL_RUN_H
#define LITSCOPE_EXEC_UNFOLDING_SERIAL_RUN_H

#include "checker/exec/search/search.h"

/* Orders in which threads can take turns. */
enum { SERIAL_ORDERS = 10 };

struct serial_run {
  struct thread_state **threads;        /* all have ended, or do something undefined */
  const struct decision *decisions;     /* what each read sees and, where coherence is total, the order of writes */
  const struct decision *synchronising; /* without those of ordinary reads */
  bool ordinary;                        /* there are some */
  uint64_t key;                         /* equal for equal runs */
  unsigned events;
};

/* Runs the program, with turns taken in the order of that number.  A thread that waits stands still until memory has
 * changed.  False: the run comes to no end, or needs more rounds of a loop or events than the limits allow. */
bool serial_run(struct arena *arena, const struct program *program, const struct path_limits *limits, unsigned order,
                struct serial_run *run);

#endif
