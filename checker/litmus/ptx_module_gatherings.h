/* SPDX-License-Identifier: MIT */
/* What the threads of a warp of a PTX module take from each other.
 *
 * In the text, what a thread gives is stored at [0] of a place, the lane that it takes from at [1], and what it takes
 * is loaded from [0] after the meeting.  In the program all of that is in the instruction of the meeting: `value`,
 * `expected` and `reg`. */
#ifndef LITSCOPE_LITMUS_PTX_MODULE_GATHERINGS_H
#define LITSCOPE_LITMUS_PTX_MODULE_GATHERINGS_H

#include "checker/litmus/ptx_module_following.h"

/* What a thread gives that has ended: no value of 32 bits. */
#define PTX_ENDED (INT64_C(1) << 41)

/* Puts what is stored and loaded at the place, locations `place` and the next, which are the program's last, into the
 * instructions of meetings, and takes the locations away. */
void ptx_gatherings_take(struct arena *arena, struct program *program, unsigned place);

/* Of threads that have been followed: takes are computed where all that is given is known.  Is there one, so that the
 * threads are to be followed again? */
bool ptx_gatherings_compute(struct following *f);

/* What is left is given in memory, by weak accesses, which order nothing. */
void ptx_gatherings_exchange(struct following *f);

#endif
