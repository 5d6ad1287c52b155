/* SPDX-License-Identifier: MIT */
/* Files that are written whole or not at all.
 *
 * What is written goes to a new file in the same folder, which takes the wanted
 * name once all of it has reached the disk.  A full disk leaves an earlier file
 * of that name as it was; a link of that name is replaced and never followed,
 * so that nothing is written outside the folder.
 *
 *     struct outfile file;
 *     if (outfile_open(arena, path, &file)) good = ... print to file.stream ...
 *     if (!outfile_close(&file, good)) ... errno says why, also when it was not opened ...
 */
#ifndef LITSCOPE_BASE_OUTFILE_H
#define LITSCOPE_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"

struct outfile {
  FILE *stream; /* NULL: it could not be opened */
  const char *path, *unfinished;
  const char *asked; /* the path as it was given */
  bool nameless;
  int error; /* why it could not be opened */
};

bool outfile_open(struct arena *arena, const char *path, struct outfile *file);

/* The same for a path that the user wrote: a link is followed, and what is no
 * file (a device, a pipe) is written as it is. */
bool outfile_open_named(struct arena *arena, const char *path, struct outfile *file);

/* Ends the writing: true when the file is there, complete.  Else, and when it
 * is not `good`, removes what was written, and errno says why. */
bool outfile_close(struct outfile *file, bool good);

/* The same; that something which is `good` cannot be written is an error. */
bool outfile_finish(struct outfile *file, bool good, struct diags *diags);

/* A name for a file from any text: letters, digits and `+-_.~` stay, what else
 * there is becomes `_`; what is changed or too long gets a hash of the text at
 * its end, so that two texts have two names. */
const char *outfile_name(struct arena *arena, const char *text);

#endif
