/* SPDX-License-Identifier: MIT */
/* -target, -compiler, -compiler-option, -place: compilers and GPUs as targets. */
#ifndef LITSCOPE_CMD_COMPILER_OPTIONS_H
#define LITSCOPE_CMD_COMPILER_OPTIONS_H

#include "checker/cmd/machine_options.h"

/* A target for every pair of -target and -compiler.  On failure adds
 * diagnostics and returns false. */
bool compiled_load(struct invocation *call, const struct xml_folders *search, struct hardware *hardware,
                   struct diags *diags);

/* Calls set(context, name, word, diags) for all that -knob and -place say. */
void compiler_each_knob(const struct invocation *call,
                        void (*set)(void *context, const char *name, const char *word, struct diags *diags),
                        void *context, struct diags *diags);

#endif
