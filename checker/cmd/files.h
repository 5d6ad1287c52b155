/* SPDX-License-Identifier: MIT */
/* The tests that a command line names, as files. */
#ifndef LITSCOPE_CMD_FILES_H
#define LITSCOPE_CMD_FILES_H

#include "checker/cmd/command.h"

struct files {
  const char **at;
  size_t count, room;
};

/* Collects the files that the words of the call stand for, in their order: a
 * folder for all .litmus files below it, an index `@file` for the files that it
 * lists.  An empty list is a mistake: on failure adds diagnostics and returns
 * false. */
bool files_list(const struct invocation *call, struct files *files, struct diags *diags);

struct selection; /* cmd/select.h */

/* For each file, how many before it have a test of the same name, as -rename has it. */
unsigned *files_count_namesakes(struct arena *arena, const struct files *files, const struct selection *selection);

#endif
