/* SPDX-License-Identifier: MIT */
/* The threads of a PTX module as far as their way is known, and where they meet. */
#ifndef LITSCOPE_LITMUS_PTX_MODULE_BARRIERS_H
#define LITSCOPE_LITMUS_PTX_MODULE_BARRIERS_H

#include "checker/base/diag.h"
#include "checker/program/program.h"
#include "checker/ptx/read.h"

/* Follows each thread (known_flow.h), and settles who is waited for: threads that have ended are not.  `warp_size`: of
 * threads, which are numbered warp by warp.  false: an error was added. */
bool ptx_module_follow(struct arena *arena, struct program *program, const struct ptx_meetings *meetings,
                       unsigned warp_size, struct diags *diags);

#endif
