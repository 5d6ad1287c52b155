/* SPDX-License-Identifier: MIT */
/* Blocks of memory operations as a page: one file that needs nothing else.  First what
 * instructions are needed for, by GPU and operation, then each block. */
#ifndef LITSCOPE_REPORT_LEGALIZER_BLOCKS_HTML_H
#define LITSCOPE_REPORT_LEGALIZER_BLOCKS_HTML_H

#include <stdio.h>

#include "checker/verify/legalizer_blocks.h"

/* How often instructions of a kind are needed in the operations of a kind. */
struct blocks_row {
  const char *gpu, *operation, *kind; /* "gfx1010:cumode", "release store", "s_waitcnt vmcnt(0) before" */
  unsigned by_need[BLOCK_NOTHING + 1];
};

struct blocks_sums {
  const struct blocks_row *rows;
  size_t row_count;
  uint64_t blocks, answers[BLOCK_UNREAD + 1];
};

/* A section of the page. */
void blocks_html_block(FILE *out, const char *file, const char *gpu, const char *operation, const struct block *block);

/* The page around `sections`. */
void blocks_html_page(FILE *out, const char *version, const char *command, const struct blocks_sums *sums,
                      const char *sections);

#endif
