/* SPDX-License-Identifier: MIT */
/* Mappings to languages from the command line. */
#ifndef LITSCOPE_CMD_LANGUAGE_MAPPING_OPTIONS_H
#define LITSCOPE_CMD_LANGUAGE_MAPPING_OPTIONS_H

#include "checker/cmd/command.h"
#include "checker/translate/model_as_machine.h"

/* A mapping by name or path, with the model of its language: that of
 * -target-model or the default.  On failure adds diagnostics and returns NULL. */
struct translated_setup *translated_load(struct invocation *call, const char *name, const struct xml_folders *search,
                                         struct diags *diags);

/* The mappings to languages among what -mapping names, each with the model of its language; in the order of the
 * command line. */
struct translated_setup **translated_named(struct invocation *call, size_t *count, struct diags *diags);

/* Gives a setup the model of the language that it translates to, and the bound on
 * loops.  On failure adds diagnostics and returns false. */
bool translated_finish(struct invocation *call, struct translated_setup *setup, struct diags *diags);

#endif
