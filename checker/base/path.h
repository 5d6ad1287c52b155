/* SPDX-License-Identifier: MIT */
/* Paths of files, and what folders have. */
#ifndef LITSCOPE_BASE_PATH_H
#define LITSCOPE_BASE_PATH_H

#include <stdbool.h>

#include "checker/base/arena.h"

/* The last part of a path: what is after its last slash. */
const char *path_last(const char *path);

/* What is before that, with the slash; "": nothing. */
const char *path_folder(struct arena *arena, const char *path);

/* Is something there that is no folder? */
bool path_is_file(const char *path);

/* The path of a file in the first of these folders that has it; NULL: none has. */
const char *path_in_folders(struct arena *arena, const char *const *folders, size_t count, const char *name);

/* Names of what is in these folders and ends so, without this ending, each once, in order; ends in NULL. */
const char **names_in_folders(struct arena *arena, const char *const *folders, size_t count, const char *ending);

/* Names of what is in a folder and ends so, without this ending and without what is hidden, in order; ends in NULL.
 * NULL: it cannot be read, and errno says why. */
const char **folder_names(struct arena *arena, const char *folder, const char *ending);

#endif
