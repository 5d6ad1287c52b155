/* SPDX-License-Identifier: MIT */
/* How a thread that forks goes on, as words: where they are equal, two paths of it go on alike.
 *
 * Of the past only what may still tell counts: registers that are used before they are set again, or whose final values
 * somebody looks at, what is known of the reads that they depend on, the iterations that the thread is in.
 */
#ifndef LITSCOPE_EXEC_PATHS_THREAD_KEY_H
#define LITSCOPE_EXEC_PATHS_THREAD_KEY_H

#include "checker/base/vec.h"
#include "checker/exec/paths/paths.h"

/* The instructions of a loop: empty, first > last, but where an instruction jumps back. */
struct loop {
  unsigned first, last;
};

/* By instruction that jumps back; loops that cross count as one. */
struct loop *loops_of(struct arena *arena, const struct thread *thread);

/* Which round of each loop around `instr` a path is in when it comes to that instruction, after `count` events: equal
 * for equal rounds. */
uint64_t loops_rounds(const struct loop *loops, const struct path *path, unsigned instr, unsigned count);

/* A thread, and what tells its paths apart. */
struct keyed_thread {
  const struct program *program;
  const struct thread *thread;
  const struct loop *loops;
  const bool *live;        /* live_registers, for what is asked of final values */
  bool dependencies, ctrl; /* does it matter on which reads events depend, and in which arms of branches they are? */
};

struct thread_key {
  uint64_t *at;
  size_t count, room;
};

/* `numbers`: by event of the path, what it is among those of all paths. */
struct thread_key thread_key_of(struct arena *arena, const struct keyed_thread *of, const struct thread_state *open,
                                const unsigned *numbers);

#endif
