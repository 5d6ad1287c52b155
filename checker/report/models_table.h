/* SPDX-License-Identifier: MIT */
/* Tests by models: where definitions part, seen at once. */
#ifndef LITSCOPE_REPORT_MODELS_TABLE_H
#define LITSCOPE_REPORT_MODELS_TABLE_H

#include <stdio.h>

#include "checker/report/result.h"

/* Writes a row for each test and a column for each subject (model or mapping),
 * in the order given; cells hold the verdict, with `racy` where the program is
 * undefined.  Rows whose cells differ are marked with `*`. */
void models_table_write(FILE *out, const struct results *results, const char *const *subjects, size_t subject_count);

#endif
