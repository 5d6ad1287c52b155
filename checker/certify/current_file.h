/* SPDX-License-Identifier: MIT */
/* The file that is checked now: its text, its memory, and where messages about it go. */
#ifndef LITSCOPE_CERTIFY_CURRENT_FILE_H
#define LITSCOPE_CERTIFY_CURRENT_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "checker/certify/certify.h"

enum { MOST_CHUNKS = 4096, MOST_LISTS = 4 * MOST_DEPTH };

struct current_file {
  const char *file;
  char *text;
  size_t size;
  FILE *err;   /* for messages */
  jmp_buf end; /* comes back with the status */
  char *chunks[MOST_CHUNKS];
  size_t used;
};

extern struct current_file current;

void memory_free(void);

#endif
