/* SPDX-License-Identifier: MIT */
/* The events that the instructions of a program can make, each once, before any path is known. */
#ifndef LITSCOPE_EXEC_LOOPS_POSSIBLE_EVENTS_H
#define LITSCOPE_EXEC_LOOPS_POSSIBLE_EVENTS_H

#include "checker/exec/paths/event_structure.h"

/* All of them, without values, as one path of each thread.  NULL: they are too many, or some instruction is of a kind
 * (ADSM's, the Linux kernel's) whose events are not told so. */
struct structure *possible_events(struct arena *arena, const struct program *program);

#endif
