/* SPDX-License-Identifier: MIT */
/* Files that are read line by line, compressed by gzip or not, and are not kept. */
#ifndef LITSCOPE_HWSEM_WORKLOADS_LINE_FILE_H
#define LITSCOPE_HWSEM_WORKLOADS_LINE_FILE_H

#include <zlib.h>

#include "checker/base/diag.h"

struct line_file {
  gzFile file;
  const char *path;
  char *line; /* the last one read, with its end */
  char *at;   /* in it: what is read next, or at fault */
  size_t room;
  unsigned number; /* of the line, from 1 */
  struct arena *arena;
  struct diags *diags;
};

/* Lines live in the arena.  On failure adds a diagnostic and returns false. */
bool line_file_open(struct line_file *f, struct arena *arena, const char *path, struct diags *diags);
void line_file_close(struct line_file *f);

/* The next line, however long, with `at` at its start; false at the end, or where the file is damaged. */
bool line_file_next(struct line_file *f);

/* At the end: was everything read?  Else adds a diagnostic. */
bool line_file_is_whole(struct line_file *f);

/* Errors about the word at `at` of the line, or all of it when that is NULL; and about the file.  They return false. */
bool line_file_fail_at(struct line_file *f, const char *at, const char *what);
bool line_file_fail(struct line_file *f, const char *what);

#endif
