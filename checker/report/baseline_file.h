/* SPDX-License-Identifier: MIT */
/* The formats of files of results: each reads one and adds what it says to
 * the baseline, in the file's order; baseline_read chooses between them. */
#ifndef LITSCOPE_REPORT_BASELINE_FILE_H
#define LITSCOPE_REPORT_BASELINE_FILE_H

#include "checker/base/cursor.h"
#include "checker/report/baseline.h"

bool line_begins(const struct text_line *line, const char *prefix);

/* The word with this number (from 0) of a line; "": it has fewer. */
const char *line_word(struct arena *arena, const struct text_line *line, int number);

/* A test's name without folder and suffix, and with question marks for control characters. */
const char *baseline_test_name(struct arena *arena, const char *name);

/* Logs of litscope, herd7, litmus7 and the 2015 herd. */
void baseline_read_log(struct arena *arena, const struct source *source, struct baseline *baseline,
                       struct diags *diags);

/* Tables whose first line begins with `test`. */
bool baseline_is_table(const struct source *source);
void baseline_read_table(struct arena *arena, const struct source *source, struct baseline *baseline,
                         struct diags *diags);

/* herd's kinds files: `NAME Allowed` on each line. */
bool baseline_is_kinds(struct arena *arena, const struct source *source);
void baseline_read_kinds(struct arena *arena, const struct source *source, struct baseline *baseline,
                         struct diags *diags);

#endif
