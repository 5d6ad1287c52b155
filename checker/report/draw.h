/* SPDX-License-Identifier: MIT */
/* -show, -through, -o: which executions of a test are drawn, and to which files. */
#ifndef LITSCOPE_REPORT_DRAW_H
#define LITSCOPE_REPORT_DRAW_H

#include "checker/report/graph.h"
#include "checker/verdict/verdict.h"

enum draw_show { DRAW_PROP, DRAW_NEG, DRAW_ALL, DRAW_COND, DRAW_NONE, DRAW_WIT };

/* Rejected executions to draw as well: none, all, or those that contradict
 * themselves at no single location (near misses). */
enum draw_through { THROUGH_NONE, THROUGH_INVALID, THROUGH_ALL };

/* One execution to draw.  `forbidden`: the model rejects it; `number` counts
 * within its kind.  Returns false to stop. */
struct draw_sink {
  void *context;
  bool (*draw)(void *context, const struct graph_subject *subject, bool forbidden, unsigned number);
};

struct draw_options {
  const char *folder; /* exists */
  const char *label;  /* TEST in the names of files: different for each test of a run */
  enum draw_show show;
  enum draw_through through;
  enum graph_format format;
  unsigned most; /* graphs a test and model */
};

/* Searches the executions wanted (folder and format do not matter) and hands
 * each to the sink, at most draw->most.  Returns false when the time limit of
 * `options`, which drawing counts towards, ended it. */
bool draw_each(const struct litmus_test *test, const struct cat_model *model, const struct enumerate_options *options,
               const struct draw_options *draw, const struct draw_sink *sink);

/* Writes each to a file `TEST-MODEL-NUMBER.svg` in the folder; rejected ones are
 * called `TEST-MODEL-forbidden-NUMBER.svg`.  Returns false with an error added
 * when a file cannot be written. */
bool draw_executions(struct grapher *grapher, const struct litmus_test *test, const struct cat_model *model,
                     const struct enumerate_options *options, const struct draw_options *draw, struct diags *diags);

#endif
