/* SPDX-License-Identifier: MIT */
/* A run that a reduced search has found, as a run of the machine itself.
 *
 * The reduced search leaves out steps of the environment that can be thought of as taken (amd/: fetches of lines).
 * Reports need them: whoever reads that a load finds a stale line wants to see when the line was fetched.
 */
#ifndef LITSCOPE_HWSEM_EXPAND_REDUCED_RUN_H
#define LITSCOPE_HWSEM_EXPAND_REDUCED_RUN_H

#include "hwsem/explore.h"

/* Rewrites the run: its steps, with others before and after them where these lead to the state that it had led to, less
 * those of the environment without which it ends in the same state.  False: no such run was found, and it is as it was.
 */
bool unreduced_run(const struct machine *machine, struct arena *arena, struct explore_step **steps, size_t *length);

#endif
