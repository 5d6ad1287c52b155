/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share.  A target is libFuzzer's one function; replay.c
 * calls the same function on files, so that what fuzzing once found is tried
 * again by every `make check`, with any compiler. */
#ifndef LITSCOPE_TESTS_FUZZ_H
#define LITSCOPE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A readable path to a file in memory that holds `data`: for readers that take
 * names.  The caller closes *file. */
void fuzz_file(const uint8_t *data, size_t size, int *file, char path[64]);

/* A stream that takes what a target prints: printing is part of what is tried. */
FILE *fuzz_nowhere(void);

#endif
