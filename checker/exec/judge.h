/* SPDX-License-Identifier: MIT */
/* Complete candidates: are they executions, and what is told of them. */
#ifndef LITSCOPE_EXEC_JUDGE_H
#define LITSCOPE_EXEC_JUDGE_H

#include "checker/exec/control.h"
#include "checker/exec/frame.h"

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
};

/* Room for its scratch, in the frames' arena. */
void judge_prepare(struct judge *judge);

/* Judges a complete candidate and tells the sink.  Returns false when the
 * search is to stop: probe and found, or a reason in control->end. */
bool judge_candidate(struct judge *judge, struct frame *f);

#endif
