/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share.  A target is libFuzzer's one function; replay.c
 * calls the same function on files, so that what fuzzing once found is tried
 * again by every `make check`, with any compiler. */
#ifndef LITSCOPE_TESTS_FUZZ_H
#define LITSCOPE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A readable path to a file in memory that holds `data`: for readers that take
 * names.  The caller closes *file. */
void fuzz_file(const uint8_t *data, size_t size, int *file, char path[64]);

/* The same with what a reader needs besides, and what it says. */
struct fuzz_input {
  struct arena *arena;
  struct diags diags;
  const struct source *source; /* of a reader of texts */
  int file;                    /* of others */
  char path[64];
};

struct fuzz_input fuzz_input(const uint8_t *data, size_t size);
struct fuzz_input fuzz_text(const uint8_t *data, size_t size);

/* A reader returns something exactly where it has no errors to tell; they are printed. */
void fuzz_check_read(struct fuzz_input *in, const void *read);

int fuzz_done(struct fuzz_input *in); /* 0 */

/* A stream that takes what a target prints: printing is part of what is tried. */
FILE *fuzz_nowhere(void);

#endif
