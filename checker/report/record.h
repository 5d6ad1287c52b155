/* SPDX-License-Identifier: MIT */
/* One result in brief, for summaries: tables, JUnit reports, comparison with
 * what was expected.
 */
#ifndef LITSCOPE_REPORT_RECORD_H
#define LITSCOPE_REPORT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_kind {
  RECORD_DONE,    /* an answer */
  RECORD_DIFFERS, /* an answer other than the expected one; an unsound mapping */
  RECORD_BAD,     /* the input could not be read */
  RECORD_LIMIT    /* a limit was met */
};

struct record {
  const char *test; /* its name, or the file's when it has none */
  const char *file;
  const char *label;   /* the test's, different for each test of a run */
  const char *subject; /* model or mapping; "" when there is none */
  const char *verdict; /* `Never`, `Sometimes`, `Always`, `Sound`, ...; "" without an answer */
  bool racy;           /* undefined behaviour: races and the like */
  enum record_kind kind;
  const char *message; /* for RECORD_BAD, RECORD_DIFFERS and RECORD_LIMIT: what and why, in a line; else NULL */
  const char *detail;  /* the same at length, in lines: the difference, the reason, the run; NULL: no more than that */
  double seconds;
  bool ranked; /* the verdict is an amount: tables sort it by `rank` */
  int64_t rank;
};

struct records {
  struct record *at;
  size_t count, room;
};

#endif
