/* SPDX-License-Identifier: MIT */
/* Blocks of memory operations as JSON. */
#ifndef LITSCOPE_REPORT_LEGALIZER_BLOCKS_JSON_H
#define LITSCOPE_REPORT_LEGALIZER_BLOCKS_JSON_H

#include "checker/report/json.h"
#include "checker/verify/legalizer_blocks.h"

/* A line: one block of a file, with what its instructions are needed for. */
void json_write_block(FILE *out, const char *file, const char *gpu, const char *model, const struct block *block);

#endif
