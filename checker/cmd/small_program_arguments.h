/* SPDX-License-Identifier: MIT */
/* Small programs on the command line, and whose programs models are asked about. */
#ifndef LITSCOPE_CMD_SMALL_PROGRAM_ARGUMENTS_H
#define LITSCOPE_CMD_SMALL_PROGRAM_ARGUMENTS_H

#include "checker/cmd/command.h"
#include "checker/small_programs/small_program.h"

/* The language of the programs that models of these names are asked about; OpenCL where
 * they say nothing.  false: they are of languages that do not meet. */
bool programs_language(const char *const *models, size_t count, const struct small_language **language);

/* A test that a word of the call names: a file, or a small program in its notation, as a
 * test of the models' language that shows every outcome.  NULL, with diagnostics: neither. */
const struct source *programs_read_word(const struct invocation *call, struct arena *arena, const char *word,
                                        struct diags *diags);

#endif
