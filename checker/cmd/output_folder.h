/* SPDX-License-Identifier: MIT */
/* Folders that -o names. */
#ifndef LITSCOPE_CMD_OUTPUT_FOLDER_H
#define LITSCOPE_CMD_OUTPUT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "checker/cmd/command.h"
#include "checker/report/execution_picture.h"

/* Where pictures go: the folder of -o or, where -svg or -dot asks for pictures
 * without one, the working folder.  NULL: none are asked for. */
const char *pictures_folder(const struct invocation *call);

/* Where the paths of pictures are told that are in no folder that was named, and
 * that nothing was drawn: `err`, or NULL under -q and with -o. */
FILE *pictures_told(const struct invocation *call, FILE *err);

/* Makes the folder, and opens what draws pictures of executions; NULL, with an error: it cannot be had. */
struct grapher *pictures_open(const struct invocation *call, const char *folder, struct diags *diags);

/* Makes a folder, and those above it, where they are missing.  False, with an
 * error in diags, if the path then is no folder. */
bool folder_make(struct arena *arena, const char *path, struct diags *diags);

#endif
