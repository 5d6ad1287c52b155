/* SPDX-License-Identifier: MIT */
/* A thread's code where the way through it is known in advance: loops whose rounds are counted are followed, branches
 * are decided, and values that no read has a part in are constants. */
#ifndef LITSCOPE_PROGRAM_KNOWN_FLOW_H
#define LITSCOPE_PROGRAM_KNOWN_FLOW_H

#include "checker/program/program.h"

/* Puts that code, in `arena`, in the place of the thread's, whose registers nobody asks for.  A thread that counts
 * for ever, or for long, keeps its code. */
void thread_follow_known(struct arena *arena, struct thread *thread);

#endif
