/* SPDX-License-Identifier: MIT */
/* How far work of one piece is, for whoever shows it while it goes on.
 *
 * Engines set it now and then, from one thread at a time; it is read from another.
 * There is one for the whole program, so it says something where one test is
 * worked on.
 */
#ifndef LITSCOPE_BASE_PROGRESS_GAUGE_H
#define LITSCOPE_BASE_PROGRESS_GAUGE_H

#include <stdint.h>

struct gauge {
  uint64_t steps;         /* of a search that asks smaller questions: what it has asked, */
  const char *steps_name; /* "changes"; NULL: there is none */
  uint64_t count;         /* what the question that is being asked has met, */
  const char *count_name; /* "states"; NULL: nothing is counted */
  double share;           /* of its tree, or 0: not known */
  double seconds;         /* since it was asked */
};

/* Another question is asked. */
void gauge_ask(void);

/* Its share that is done: of a search tree in which each child of a node counts alike, which is a guess (Knuth,
 * Estimating the efficiency of backtrack programs, 1975). */
void gauge_share(double share);

/* The names live for ever. */
void gauge_count(uint64_t count, const char *name);
void gauge_steps(uint64_t steps, const char *name);

struct gauge gauge_read(void);

#endif
