/* SPDX-License-Identifier: MIT */
/* What the files of the search share: initial_choices.c (setting up), prefix_decisions.c (decisions while threads are
 * unfolded), propagate_and_branch.c (conclusions and the two sides of a choice), minimal_orders.c (where only the
 * smallest orders count), choose_rf_co.c (which choice is next). */
#ifndef LITSCOPE_EXEC_SEARCH_SEARCH_STATE_H
#define LITSCOPE_EXEC_SEARCH_SEARCH_STATE_H

#include "checker/base/vec.h"
#include "checker/exec/deductions/deduce.h"
#include "checker/exec/search/complete_candidate.h"
#include "checker/exec/search/search.h"

struct search {
  struct frames frames;
  struct judge judge;
  struct choice_pairs forbidden, required; /* scratch: what a derivative says */
  bool minimal;                            /* of partial orders only the smallest count */
  VEC(word) accepted;                      /* minimal: the orders found for what else is decided */
  enum search_kind kind;
  const struct source_filter *filter; /* NULL: nobody is asked */
  bool prune;
  double below_root; /* candidates_below the root of the bounds at hand */
  bool proven;       /* no axiom can fail below, and no flag is open */
  bool goes_on;      /* as search_goes_on */
  enum search_status status;
  struct frame *root;
};

static inline const struct event *search_event(const struct search *s, unsigned event) {
  return &s->frames.structure->events[event];
}

/* ---- initial_choices.c ---- */

/* The model's constants on the structure at hand, in `arena` unless the structure is kept. */
const struct bounds_constants *search_constants(struct search *s, struct arena *arena, enum bounds_mode mode);

/* Asks the model about the root: what it decides, no candidate need try. */
enum search_status search_ask_model(struct search *s, struct arena *arena);

/* ---- propagate_and_branch.c ---- */

/* Draws all conclusions of what a frame has decided.  Returns whether it is still open.
 * `breadth`: where the node is in the tree that workers share. */
enum search_status search_conclude(struct search *s, struct frame *f, uint64_t breadth);

/* Writes into the record the leaf of a candidate for which there is nothing to search. */
void search_record_closed(const struct search *s, const struct frame *f, enum search_status status);

/* Counts a step of the struct search at `context`.  Returns false, with the reason in
 * control->end, when a limit has been met. */
bool search_within_limits(void *context);

/* A child, equal to the frame `from` until it decides more.  Lives until its parent's next. */
struct frame *search_push(struct search *s, struct frame *from);

/* A child in which what is not ordered stays so. */
struct frame *search_push_closed(struct search *s, struct frame *from);

/* Is there a pair to order, of writes or of fences that may as well stay apart?
 * Sets *choice, *a and *b to the first of them. */
bool search_pair_to_order(const struct search *s, const struct frame *f, enum choice *choice, unsigned *a, unsigned *b);

/* One side of an open pair: it is left out, or taken. */
void search_settle_pair(struct search *s, struct frame *f, enum choice choice, unsigned a, unsigned b, bool taken);

/* Nothing is left to decide in a frame that search_conclude found to be `status`: judges it,
 * or counts it as rejected.  Returns false when everything is to stop. */
bool search_end_branch(struct search *s, struct frame *f, enum search_status status, uint64_t breadth);

/* The plan of the bounds, the same for all structures that leave the same choices. */
const struct plan *search_plan(const struct search *s);

/* An estimate of how many candidates there are below a node: what reads may read, each
 * for itself, but read-modify-writes of one location from different writes. */
double search_candidates_below(const struct search *s, const struct frame *f);

/* ---- minimal_orders.c ---- */

/* All but the orders is decided: finds the smallest that the model accepts.  Returns false
 * when everything is to stop. */
bool search_smallest(struct search *s, struct frame *f, uint64_t breadth);

#endif
