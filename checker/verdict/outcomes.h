/* SPDX-License-Identifier: MIT */
/* Sets of outcomes, and the answer to a test's question about them.
 *
 * Models and machines fill the same set: executions (or final states of a
 * machine) are added by what they show, each distinct outcome is kept once with
 * its number, and how many meet the test's proposition is counted, too.
 *
 *     struct outcomes outcomes;
 *     outcomes_open(&outcomes, arena, width);
 *     outcomes_add(&outcomes, values)->count++;
 *     outcomes_sort(&outcomes);
 *     ... outcomes_find(&outcomes, values) ...
 *
 * Everything lives in the arena.
 */
#ifndef LITSCOPE_VERDICT_OUTCOMES_H
#define LITSCOPE_VERDICT_OUTCOMES_H

#include "checker/base/hash_table.h"
#include "checker/program/outcome.h"

struct outcome {
  const int64_t *values; /* `width` of them */
  uint64_t count;        /* whatever is counted by outcome: executions, final states */
};

struct outcomes {
  struct arena *arena;
  unsigned width; /* values of an outcome */
  struct outcome *at;
  size_t count, room;
  uint64_t matching, failing; /* how many meet the proposition, and the rest: whoever fills the set counts them */
  struct hash_table table;    /* indices in `at`, while outcomes are added */
};

/* An empty set. */
void outcomes_open(struct outcomes *outcomes, struct arena *arena, unsigned width);

/* The outcome of these values, which are copied if it is new; then its count is
 * 0.  Good until the next one is added.  Not after outcomes_sort. */
struct outcome *outcomes_add(struct outcomes *outcomes, const int64_t *values);

/* Ends adding: by values, as logs list outcomes. */
void outcomes_sort(struct outcomes *outcomes);

/* A sorted copy of a set that is sorted. */
struct outcomes outcomes_keep(struct arena *arena, const struct outcomes *from);

/* The outcome of these values in a sorted set, or NULL. */
const struct outcome *outcomes_find(const struct outcomes *outcomes, const int64_t *values);

/* The quantifier's answer, by what was counted: `Ok` or `No`. */
bool outcomes_answer(const struct outcomes *outcomes, enum quantifier quantifier);

/* "Never", "Sometimes" or "Always", by the same. */
const char *outcomes_observation(const struct outcomes *outcomes);

#endif
