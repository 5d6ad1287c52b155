/* SPDX-License-Identifier: MIT */
/* -show, -through: the executions of a test that are shown, one by one. */
#ifndef LITSCOPE_EXPLAIN_SHOWN_EXECUTIONS_H
#define LITSCOPE_EXPLAIN_SHOWN_EXECUTIONS_H

#include "checker/cat/cat.h"
#include "checker/exec/enumerate.h"
#include "checker/explain/explain_failed_check.h"

enum exhibit_show { SHOW_PROP, SHOW_NEG, SHOW_ALL, SHOW_COND, SHOW_NONE, SHOW_WIT };

/* Rejected executions to show as well: none, all, or those that contradict
 * themselves at no single location (near misses). */
enum exhibit_through { THROUGH_NONE, THROUGH_INVALID, THROUGH_ALL };

struct exhibit_options {
  enum exhibit_show show;
  enum exhibit_through through;
  unsigned most;             /* executions a test and model */
  bool first;                /* of a kernel: one alone, the first that is found as its verdict is */
  const char *flag;          /* only consistent ones that raise it, whatever `show` says; NULL: any */
  const char *const *cycles; /* names of checks: what fails one is shown as well, whatever `show` says; ends in NULL.
                              * NULL: none */
};

/* One execution with what is said of it.  Lives during the call that shows it. */
struct exhibit {
  const struct execution *execution;
  const struct valuation *valuation;
  const struct explanation *why; /* NULL: the execution is consistent */
  const char *title;             /* test, model, verdict */
  const char *caption;           /* a line or several below it */
};

/* `forbidden`: the model rejects it; `number` counts within its kind.  Returns
 * false to stop. */
struct exhibit_sink {
  void *context;
  bool (*show)(void *context, const struct exhibit *exhibit, bool forbidden, unsigned number);
};

/* Searches the executions wanted and hands each to the sink, at most
 * chosen->most.  Returns false when a limit of `options` ended it; showing counts
 * towards that of time. */
bool exhibit_each(const struct litmus_test *test, const struct cat_model *model,
                  const struct enumerate_options *options, const struct exhibit_options *chosen,
                  const struct exhibit_sink *sink);

#endif
