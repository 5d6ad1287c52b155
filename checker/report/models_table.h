/* SPDX-License-Identifier: MIT */
/* Tests by models: where definitions part, seen at once. */
#ifndef LITSCOPE_REPORT_MODELS_TABLE_H
#define LITSCOPE_REPORT_MODELS_TABLE_H

#include <stdio.h>

#include "checker/report/result.h"

/* Is it told next to the verdict that the program is undefined? */
bool models_table_racy(const struct result *result);

/* The results of one test follow each other, those of a row: where they end that begin at `first`. */
size_t models_table_row_end(const struct results *results, size_t first);

/* Do the models part there, as far as they have answers, which are observations? */
bool models_table_differs(const struct results *results, size_t first, size_t end);

/* Writes a row for each test and a column for each subject (model or mapping),
 * in the order given; cells hold the verdict, with `racy` where the program is
 * undefined.  Rows where they part are marked with `*`. */
void models_table_write(FILE *out, const struct results *results, const char *const *subjects, size_t subject_count);

#endif
