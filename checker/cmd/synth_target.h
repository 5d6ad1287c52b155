/* SPDX-License-Identifier: MIT */
/* `synth -target`: the cheapest sound rest of what a compiler emits. */
#ifndef LITSCOPE_CMD_SYNTH_TARGET_H
#define LITSCOPE_CMD_SYNTH_TARGET_H

#include "checker/cmd/command.h"

int synth_target(struct invocation *call);

/* `synth -check` of a certificate of such a rest: is the file one? */
bool synth_target_wrote(const char *path);
int synth_target_check(struct invocation *call, const char *path);

#endif
