/* SPDX-License-Identifier: MIT */
/* The log: one entry for each test, in herd's format.
 * Tools that read herd's logs (mcompare and the like) read these.
 */
#ifndef LITSCOPE_REPORT_LOG_H
#define LITSCOPE_REPORT_LOG_H

#include <stdio.h>

#include "checker/verdict/verdict.h"
#include "checker/verify/machine_outcomes.h"

/* A line of entries without states, for herd's tools: mcompare7 would take the
 * next entry's states for theirs. */
#define LOG_NO_RESULT "Fatal: no result\n"

/* What the line `Solved` says where no state is missing. */
#define LOG_ALL_STATES "one execution of each state"

/* Writes a verdict's entry.  `why`: lines put before the empty line that ends
 * the entry, or NULL.  A run that a limit ended has no states and no
 * observation: the entry says `Undecided` and why. */
void log_write(FILE *out, const struct verdict *verdict, bool candidates, const char *why);

/* The entry of what a machine shows, without the empty line that ends it.
 * `cost`: lines put before the time. */
void log_write_reached(FILE *out, const struct reached *reached, const char *cost);

/* The pieces, for other commands that print such entries. */
const char *log_kind(enum quantifier quantifier); /* "Allowed", "Forbidden", "Required" */

/* Reads a kind, as log_kind or herd's kinds files (`Allow`, `Forbid`, `Require`)
 * write it; false: it is none. */
bool log_read_kind(const char *text, enum quantifier *quantifier);

const char *log_observation(const struct verdict *verdict); /* "Never", "Sometimes", "Always" */
const char *log_limit(enum enumerate_end end);              /* "time limit", ... */

/* `0:r0`, `[x]` or, for a cell of an array, `x[1]`, as states show it; the
 * caller frees it. */
char *log_observable_name(const struct litmus_test *test, struct observable what);

/* The same in an arena. */
const char *log_observable_text(struct arena *arena, const struct litmus_test *test, struct observable what);

/* One state's line with its newline: `0:r0=1; [x]=2;`. */
void log_write_state(FILE *out, const struct litmus_test *test, const int64_t *values);

/* The same without the newline, in the arena. */
const char *log_state_text(struct arena *arena, const struct litmus_test *test, const int64_t *values);

#endif
