/* SPDX-License-Identifier: MIT */
/* HRF-indirect-relaxed with scope promotion, as the paper states it.
 *
 * Orr et al., ASPLOS 2015, Figures 12 and 13: a remote acquire replaces the
 * scope of the last release of its location, a remote release that of the next
 * acquire, and what follows is HRF-indirect-relaxed (Gaster, Hower and Howes,
 * TACO 2015, Figures 9 and 12) on the scopes so changed.
 *
 * This is written on actions, scope instances and one coherence order of all
 * accesses to a location, loads included, as the papers are; models/hrf-rsp.cat
 * says the same with relations.  Neither is derived from the other, and the
 * tests compare them.
 *
 * Readings where the text leaves a choice: a read-modify-write is one action
 * with two scopes, one for its release and one for its acquire; promotions use
 * scopes as written (none promotes with a scope that it was promoted to);
 * synchronisation asks that each scope include the other actor.  Which next
 * acquire is promoted, and which atomic conflicts are races, are parameters.
 * Fences, which the papers leave out, release at the atomic stores after them
 * and acquire at the atomic loads before them (models/hrf-base.cat).
 */
#ifndef LITSCOPE_MODELS_IN_C_HRF_PROMOTION_H
#define LITSCOPE_MODELS_IN_C_HRF_PROMOTION_H

#include "checker/exec/execution.h"

/* What a remote release promotes. */
enum hrf_next {
  HRF_NEXT_ACQUIRE,  /* the next acquire in coherence order; loads of one value are tried in every order */
  HRF_NEXT_SLOT,     /* all acquires that may come next */
  HRF_NEXT_PER_GROUP /* the same for each work-group on its own, as the paper's hardware does */
};

/* Which conflicts of atomic accesses are no races. */
enum hrf_inclusion {
  HRF_REACHING, /* each scope as written includes the other actor, or that of a remote one does */
  HRF_NESTED,   /* one scope, as promoted, contains the other */
  HRF_MUTUAL    /* each scope, as promoted, includes the other actor */
};

struct hrf_readings {
  enum hrf_next next;
  enum hrf_inclusion inclusion;
};

/* A node of the scope tree: which instance of a level. */
struct hrf_instance {
  enum scope level;
  unsigned index;
};

/* Event `promoter` widened the scope of event `promoted`. */
struct hrf_promotion {
  unsigned promoter, promoted;
  struct hrf_instance from, to;
};

struct hrf_race {
  bool found;
  unsigned a, b; /* events */
};

/* One candidate with one choice of next acquires. */
struct hrf_judgement {
  const char *failed;            /* the first axiom that fails, or NULL: an execution of the model */
  unsigned failed_at, failed_to; /* two events between which it fails */
  const struct hrf_promotion *promotions;
  unsigned promotion_count;
  struct hrf_race ordinary_race; /* conflict of which one side is an ordinary access */
  struct hrf_race scope_race;    /* conflict of two atomic accesses of unrelated scopes */
};

/* Judges a complete candidate: calls `each` once for every choice of next
 * acquires, in an order that depends on nothing but the candidate.  `skipped`
 * (may be NULL) says which axioms, by name, are left out.  Everything handed to
 * `each` lives in `scratch`.  Stops when `each` returns false, and then returns
 * false itself. */
bool hrf_judge(struct arena *scratch, const struct execution *execution, struct hrf_readings readings,
               bool (*skipped)(void *context, const char *axiom),
               bool (*each)(void *context, const struct hrf_judgement *judgement), void *context);

/* Writes the promotions, the failed axiom and the races, a line each, indented
 * by four spaces. */
void hrf_judgement_print(const struct execution *execution, const struct hrf_judgement *judgement, FILE *out);

#endif
