/* SPDX-License-Identifier: MIT */
/* A question to the model about a few events: does it rule out that they read from each other, or come one after
 * the other, in a certain way?  What it rejects of these events, it rejects whatever else there is (BOUNDS_PREFIX).
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_MODEL_QUERY_H
#define LITSCOPE_EXEC_UNFOLDING_MODEL_QUERY_H

#include "checker/base/hash_table.h"
#include "checker/base/vec.h"
#include "checker/exec/search/search.h"

enum { QUERY_EVENTS = 6, QUERY_DECISIONS = 3 }; /* events: both halves of three read-modify-writes */

struct model_query {
  struct arena *arena;
  const struct asked_model *asked;
  struct path *paths; /* by thread */
  struct decision decisions[QUERY_DECISIONS];
  unsigned count;
};

/* An event of a question. */
struct query_event {
  int thread; /* -1: an initial write */
  unsigned index;
};

struct model_query query_new(const struct asked_model *asked);

/* Adds an event after those of its thread that are there.  Its dependencies are indices of these; its value does not
 * matter, since reads have theirs from what they see. */
struct query_event query_add(struct model_query *q, struct path_event event);

/* What it is about: a read that reads from a write; a write that comes after another in coherence. */
void query_reads(struct model_query *q, struct query_event read, struct query_event write);
void query_orders(struct model_query *q, struct query_event write, struct query_event before);

/* Asks, and frees the question. */
bool query_is_rejected(struct model_query *q);

/* What was asked before: a question is a row of numbers. */
enum { QUERY_KEY = 8 };
struct query_answer {
  int64_t key[QUERY_KEY];
  bool known; /* it was asked before */
  bool rejected;
};
struct query_memo {
  VEC(struct query_answer *) all;
  struct hash_table by_key;
};

/* Its answer, to be filled in where it is not known. */
struct query_answer *query_find(struct arena *arena, struct query_memo *memo, const int64_t key[QUERY_KEY]);

#endif
