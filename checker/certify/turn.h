/* SPDX-License-Identifier: MIT */
/* One file's turn: its text, its memory, and where a message about it goes on. */
#ifndef LITSCOPE_CERTIFY_TURN_H
#define LITSCOPE_CERTIFY_TURN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "checker/certify/certify.h"

enum { MOST_CHUNKS = 4096, MOST_LISTS = 4 * MOST_DEPTH };

struct turn {
  const char *file;
  char *text;
  size_t size;
  FILE *err;   /* for messages */
  jmp_buf end; /* comes back with the status */
  char *chunks[MOST_CHUNKS];
  size_t used;
};

extern struct turn turn;

void memory_free(void);

#endif
