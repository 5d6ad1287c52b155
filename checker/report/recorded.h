/* Results recorded in files, to compare with: logs of litscope, of herd7 and of
 * the 2015 herd, and tables such as litmus/rsp/expected.tsv.
 *
 * Logs differ in small ways (`[x]=1;` or `x=1;`, with or without `Bad
 * executions`), so states are compared with their parts sorted and brackets
 * dropped.
 */
#ifndef LITSCOPE_REPORT_RECORDED_H
#define LITSCOPE_REPORT_RECORDED_H

#include <stdint.h>

#include "base/diag.h"
#include "verdict/verdict.h"

struct recorded {
  const char *test;
  const char *model;       /* or mapping; NULL: not said */
  const char *observation; /* "Never", "Sometimes", "Always", or `verify`'s answer; NULL: not said */
  const char **states;     /* normalised and sorted; NULL: not said */
  size_t state_count;
  bool undefined; /* bad executions, or a flag that means undefined behaviour */
  bool undefined_known;
};

struct recording {
  const char *path;
  struct recorded *at; /* sorted by test, then model */
  size_t count, room;
};

/* Reads a log or table into the arena; on error adds diagnostics and returns
 * NULL.  A file without a single result is an error. */
struct recording *recording_read(struct arena *arena, const char *path, struct diags *diags);

/* The result of a test, for this model where the recording tells models apart;
 * NULL: none. */
const struct recorded *recording_find(const struct recording *recording, const char *test, const char *model);

/* A verdict in the same form. */
struct recorded recorded_from_verdict(struct arena *arena, const struct verdict *verdict);

/* States given by the values of test->observables. */
void recorded_set_states(struct arena *arena, struct recorded *result, const struct litmus_test *test,
                         const int64_t *const *values, size_t count);

/* How two results of one test differ, as lines that begin with two blanks
 * (`  + STATE` for states that `after` has and `before` has not, `  - STATE`
 * for the reverse, `  observation Never, was Sometimes`); NULL: not at all. */
const char *recorded_difference(struct arena *arena, const struct recorded *before, const struct recorded *after);

#endif
