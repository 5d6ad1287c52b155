/* SPDX-License-Identifier: MIT */
/* Files that the user names, which may be pipes.  A pipe is read or written as by any tool, but one that has nobody at
 * its other end does not hold litscope up for ever without a word: it gives up after ten seconds. */
#ifndef LITSCOPE_BASE_INFILE_H
#define LITSCOPE_BASE_INFILE_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a file for reading (`write`: for writing); below 0: it cannot be opened, and infile_reason says why. */
int infile_descriptor(const char *path, bool write);

/* The same as a stream; NULL: it cannot be opened. */
FILE *infile_open(const char *path);

/* Is it a file that was among the first few thousand opened for reading, by whatever name? */
bool infile_was_read(const char *path);

/* Calls visit(context, path) for each of these, in the order in which they were opened, as often as they were. */
void infile_each_read(void (*visit)(void *context, const char *path), void *context);

/* Why the last one could not be opened, from errno. */
const char *infile_reason(void);

#endif
