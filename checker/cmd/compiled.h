/* SPDX-License-Identifier: MIT */
/* -target, -compiler, -compiler-option, -place: compilers and GPUs as targets. */
#ifndef LITSCOPE_CMD_COMPILED_H
#define LITSCOPE_CMD_COMPILED_H

#include "checker/cmd/hardware.h"

/* A target for every pair of -target and -compiler.  On failure adds
 * diagnostics and returns false. */
bool compiled_load(struct invocation *call, const struct xml_search *search, struct hardware *hardware,
                   struct diags *diags);

#endif
