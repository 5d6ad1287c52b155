/* SPDX-License-Identifier: MIT */
/* Results recorded in files, to compare with: logs of litscope, of herd7 and
 * litmus7, and of the 2015 herd; tables such as litmus/rsp/expected.tsv; and
 * herd's kinds files.
 *
 * Logs say the same in different words (`[x]=0x1;` or `x=1;`, `Flag *undef*`
 * or `Bad executions`), so results are brought to one form when they are read.
 */
#ifndef LITSCOPE_REPORT_BASELINE_H
#define LITSCOPE_REPORT_BASELINE_H

#include <stdint.h>

#include "checker/base/diag.h"
#include "checker/verdict/verdict.h"

/* Which states a result has: all, or those that settle the question, of which the search always finds the same ones, or
 * some that a solver has found. */
enum states_listed { LISTED_ALL, LISTED_SETTLING, LISTED_SOLVED };

struct baseline_result {
  const char *test;
  const char *model;       /* or mapping; NULL: not said */
  const char *observation; /* "Never", "Sometimes", "Always", or `verify`'s answer; NULL: not said */
  const char *kind;        /* what a kinds file demands: "Allowed", "Forbidden" or "Required"; else NULL */
  const char *asked;       /* what the test asks, as its log says, in the words of `kind`; NULL: not said */
  const char *hash;        /* of the program; NULL: not said */
  const char *condition;   /* as in the log, without `is validated`; NULL: not said */
  const char *path;        /* of the file that says all this */
  const char **states;     /* normalised, sorted, each once; NULL: not said */
  size_t state_count;
  enum states_listed listed;
  bool undefined; /* bad executions, or a flag that means undefined behaviour */
  bool undefined_known;
  bool other_programs, other_conditions; /* of a sum: its results do not agree on their hash, on their condition */
  bool joins;                            /* one of several runs on hardware, whose states count together */
};

struct baseline {
  const char *path;
  struct baseline_result *at; /* sorted by test, then model; no two have both in common */
  size_t count, room;
};

/* Reads a file of results into the arena; on error adds diagnostics and
 * returns NULL.  A file without a single result is an error; what cannot be
 * relied on (a result that breaks off, a count that is wrong, one test with
 * several results) is left out or joined, with a warning. */
struct baseline *baseline_read(struct arena *arena, const char *path, struct diags *diags);

/* Several baselines as one: of each test what any of them says, models taken
 * together.  Hash, condition and what follows from it stay where all that have
 * one agree; where they do not, a warning names the files, and `conflicts` counts
 * the tests. */
struct baseline *baseline_sum(struct arena *arena, const struct baseline *const *baselines, size_t count,
                              size_t *conflicts, struct diags *diags);

/* The result of a test, for this model where the baseline tells models apart;
 * NULL: none. */
const struct baseline_result *baseline_find(const struct baseline *baseline, const char *test, const char *model);

/* A verdict in the same form. */
struct baseline_result baseline_from_verdict(struct arena *arena, const struct verdict *verdict);

/* States given as outcomes by test->observables. */
void baseline_set_states(struct arena *arena, struct baseline_result *result, const struct litmus_test *test,
                         const struct outcomes *outcomes);

/* How two results of one test differ, as lines that begin with two spaces
 * (`  + STATE` for states that `after` has and `before` has not, `  - STATE`
 * for the reverse, `  Never, was Sometimes`); NULL: not at all.  Where the two
 * observe different locations, states are compared on those in common. */
const char *baseline_difference(struct arena *arena, const struct baseline_result *before,
                                const struct baseline_result *after);

#endif
