/* SPDX-License-Identifier: MIT */
/* Complete candidates: are they executions, and what is told of them. */
#ifndef LITSCOPE_EXEC_SEARCH_COMPLETE_CANDIDATE_H
#define LITSCOPE_EXEC_SEARCH_COMPLETE_CANDIDATE_H

#include "checker/exec/search/partial_candidate.h"
#include "checker/exec/search/work_sharing.h"

/* What judging the candidates of one event structure needs, and has counted. */
struct judge {
  const struct frames *frames;
  const struct litmus_test *test;
  const struct cat_model *model;
  struct structure *structure; /* its execution is filled in for each candidate */
  struct search_control *control;
  struct bounds *bounds;
  bool probe;        /* only ask whether there is an execution */
  bool found;        /* probe: there is */
  uint64_t rejected; /* candidates dropped by the model */
  uint64_t consistent;
  uint64_t *raised; /* scratch */
  int64_t **registers;
  int64_t *final;
  struct classes *classes; /* NULL: each execution counts */
};

/* Is an order of writes at which the model does not look, and which nobody observes,
 * none that tells executions apart?  Else all orders do. */
bool judge_counts_classes(const struct litmus_test *test, const struct cat_model *model);

/* Room for its scratch, in the frames' arena. */
void judge_prepare(struct judge *judge);

/* Judges a complete candidate and tells the sink.  Returns false when the
 * search is to stop: probe and found, or a reason in control->end. */
bool judge_candidate(struct judge *judge, struct frame *f);

/* ---- For many candidates that differ in what some reads see alone (independent_reads.c) ---- */

/* What they have in common: final values, what is raised. */
void judge_settle(struct judge *judge, struct frame *f);

/* Tells the sink of an execution, whose values are all in place. */
bool judge_tell(struct judge *judge, const struct frame *f, uint64_t key);

/* An execution's key, which depends on the execution alone and not on how it was
 * found: of its paths, then of its events `from` up to `to`, then of its orders. */
uint64_t judge_key_begin(const struct judge *judge);
uint64_t judge_key_events(const struct judge *judge, const struct frame *f, uint64_t key, unsigned from, unsigned to);
uint64_t judge_key_end(const struct judge *judge, const struct frame *f, uint64_t key);

#endif
