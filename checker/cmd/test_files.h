/* SPDX-License-Identifier: MIT */
/* The tests that a command line names, as files. */
#ifndef LITSCOPE_CMD_TEST_FILES_H
#define LITSCOPE_CMD_TEST_FILES_H

#include "checker/cmd/command.h"
#include "checker/litmus/litmus.h"

struct files {
  const char **at;
  size_t count, room;
  const struct source **sources; /* by file, once files_read_pipes has been called: NULL, or its text */
};

/* Collects the files that the words of the call stand for, in their order: a
 * folder for all .litmus files below it, an index `@file` for the files that it
 * lists, a pattern of names of the Vulkan CTS (litmus/vulkan_cts_names.h) for those with programs of
 * their own.  An empty list is a mistake: on failure adds diagnostics and returns
 * false. */
bool files_list(const struct invocation *call, struct files *files, struct diags *diags);

/* The text of a test: of a file, or what a name of the Vulkan CTS stands for.  NULL, with a diagnostic: there is none.
 */
const struct source *files_read(struct arena *arena, const char *path, struct diags *diags);

/* Reads what can be read only once: standard input and pipes.  For work that is divided, which is known by the contents
 * of its tests.  false, with diagnostics: one cannot be read. */
bool files_read_pipes(struct arena *arena, struct files *files, struct diags *diags);

/* Results are not written over what they are results of: a test among `files`, or a
 * file that has been read by now; nor is one place named twice, that of a journal
 * among them.  Only -json takes `-` for standard output.  On failure adds a diagnostic and returns false. */
bool files_spare(const struct invocation *call, const struct files *files, struct diags *diags);

/* The languages of the tests that the call's words name, where these are few files
 * which can be read more than once; else all.  Any not found in them no test has. */
void files_find_languages(struct invocation *call, bool found[LANGUAGES]);

struct selection; /* cmd/select_tests.h */

/* For each file, how many before it have a test of the same name, as -rename has it. */
unsigned *files_count_namesakes(struct arena *arena, const struct files *files, const struct selection *selection);

#endif
