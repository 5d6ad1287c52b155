/* SPDX-License-Identifier: MIT */
/* One result in brief, for summaries: tables, JUnit reports, comparison with
 * what was expected.
 */
#ifndef LITSCOPE_REPORT_RESULT_H
#define LITSCOPE_REPORT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum result_kind {
  RESULT_DONE,    /* an answer */
  RESULT_DIFFERS, /* a failure: of what the test claims or what was expected; an unsound mapping */
  RESULT_BAD,     /* the input could not be read */
  RESULT_LIMIT    /* a limit was reached */
};

struct result {
  const char *test; /* its name, or the file's when it has none */
  const char *file;
  const char *label;   /* the test's, different for each test of a run */
  const char *subject; /* model or mapping; "" when there is none */
  const char *verdict; /* `Never`, `Sometimes`, `Always`, `Sound`, ...; "" without an answer */
  bool undefined;      /* undefined behaviour: races and the like */
  enum result_kind kind;
  const char *message; /* for RESULT_BAD, RESULT_DIFFERS and RESULT_LIMIT: what and why, in a line; else NULL */
  const char *detail;  /* the same at length, in lines: the difference, the reason, the run; NULL: no more than that */
  double seconds;
  bool ranked; /* the verdict is an amount: tables sort it by `rank` */
  int64_t rank;
};

/* What tables show for it: its verdict, or why there is none. */
static inline const char *result_answer(const struct result *result) {
  return result->kind == RESULT_LIMIT ? "limit" : result->kind == RESULT_BAD ? "error" : result->verdict;
}

struct results {
  struct result *at;
  size_t count, room;
};

#endif
