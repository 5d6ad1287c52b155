/* SPDX-License-Identifier: MIT */
/* Folders that -o names. */
#pragma once

#include <stdbool.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"

/* Makes a folder, and those above it, where they are missing.  False, with an
 * error in diags, if the path then is no folder. */
bool folder_make(struct arena *arena, const char *path, struct diags *diags);
