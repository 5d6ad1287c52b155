/* SPDX-License-Identifier: MIT */
/* -o: the executions that are shown, as files. */
#ifndef LITSCOPE_REPORT_PICTURE_FILES_H
#define LITSCOPE_REPORT_PICTURE_FILES_H

#include <stdio.h>

#include "checker/explain/shown_executions.h"
#include "checker/report/execution_picture.h"

struct draw_options {
  const char *folder; /* exists */
  const char *label;  /* TEST in the names of files: different for each test of a run */
  const char *model;  /* MODEL in the names of files */
  FILE *told;         /* the paths of files are written here; NULL: nowhere */
  enum graph_format format;
  struct graph_look look;
  struct exhibit_options executions;
};

/* Writes each to a file `TEST-MODEL-NUMBER.svg` in the folder; rejected ones are
 * called `TEST-MODEL-forbidden-NUMBER.svg`.  Returns how many there are; adds an error
 * when a file cannot be written. */
unsigned draw_executions(struct grapher *grapher, const struct litmus_test *test, const struct cat_model *model,
                         const struct enumerate_options *options, const struct draw_options *draw, struct diags *diags);

#endif
