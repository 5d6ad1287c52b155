/* SPDX-License-Identifier: MIT */
/* The report page: one file that needs nothing else, opens from file:// and
 * reads on a phone.  A table of tests by models and mappings, which can be
 * filtered and sorted, then a section for each test.
 */
#ifndef LITSCOPE_REPORT_HTML_H
#define LITSCOPE_REPORT_HTML_H

#include <stdio.h>

#include "checker/report/result.h"
#include "checker/verdict/verdict.h"

/* What the page says of itself. */
struct html_page {
  const char *title, *version, *date, *command;
};

/* A page up to its heading, in its header. */
void html_begin_page(FILE *out, const char *title, const char *css);

/* The page around `sections`, the HTML of all tests one after the other.  The
 * table has a row for each test of `results` and a column for each subject. */
void html_write_page(FILE *out, const struct html_page *page, const struct results *results,
                     const char *const *subjects, size_t subject_count, const char *sections);

/* The pieces of a test's section. */
/* Heading, source, scope tree; `label`: the section's name in links. */
void html_open_test(FILE *out, const struct litmus_test *test, const char *label);
void html_close_test(FILE *out);

/* States by model: a row for each state that some model has, a column for each
 * verdict with the number of executions. */
void html_write_states(FILE *out, const struct verdict *const *verdicts, size_t count);

/* A figure: an SVG document (its XML head is dropped) with a line below it.  The
 * picture is read when the section is opened, since some thousands of them take
 * minutes. */
void html_write_figure(FILE *out, const char *svg, const char *caption);

/* A block of text as it is, below a heading unless that is NULL; "": the heading alone. */
void html_write_text(FILE *out, const char *heading, const char *text);

#endif
