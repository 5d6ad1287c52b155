/* SPDX-License-Identifier: MIT */
/* A question to the model about a few events: does it rule out that they read from each other, or come one after
 * the other, in a certain way?  What it rejects of these events, it rejects whatever else there is (BOUNDS_PREFIX).
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_MODEL_QUESTION_H
#define LITSCOPE_EXEC_UNFOLDING_MODEL_QUESTION_H

#include "checker/exec/search/search.h"

enum { QUESTION_EVENTS = 6, QUESTION_DECISIONS = 3 }; /* events: both halves of three read-modify-writes */

struct model_question {
  struct arena *arena;
  const struct asked_model *asked;
  struct path *paths; /* by thread */
  struct decision decisions[QUESTION_DECISIONS];
  unsigned count;
};

/* An event of a question. */
struct question_event {
  int thread; /* -1: an initial write */
  unsigned index;
};

struct model_question question_new(const struct asked_model *asked);

/* Adds an event after those of its thread that are there.  Its dependencies are indices of these; its value does not
 * matter, since reads have theirs from what they see. */
struct question_event question_add(struct model_question *q, struct path_event event);

/* What it is about: a read that reads from a write; a write that comes after another in coherence. */
void question_reads(struct model_question *q, struct question_event read, struct question_event write);
void question_orders(struct model_question *q, struct question_event write, struct question_event before);

/* Asks, and frees the question. */
bool question_is_rejected(struct model_question *q);

#endif
