/* SPDX-License-Identifier: MIT */
/* The model on a partial candidate: what holds whatever is still undecided.
 *
 * Every node of the model's graph that depends on rf or co has two values: a
 * lower bound (pairs that are there in every completion) and an upper bound
 * (pairs that are there in some).  Axioms look at one of them: an axiom that
 * fails on its bound fails in every completion.  Only bounds that some
 * undecided axiom asks for are computed, and only nodes whose operands changed.
 *
 * At the start of an event structure both bounds of all nodes are computed
 * once.  Nodes whose bounds agree are constants from then on (with no local
 * memory, say, everything about local memory is), and axioms that hold on the
 * upper bound can never fail and are dropped.
 *
 * bounds_derive answers the converse: which single pair, added to rf or co now,
 * or ruled out, would make an axiom fail?  It is reverse-mode differentiation of the graph
 * over the boolean algebra of relations: starting from "which pair added to the
 * root breaks the axiom", each operation passes on "which pair added to my
 * operand adds such a pair to me".  One backward pass answers for all pairs.
 */
#ifndef LITSCOPE_EXEC_DEDUCTIONS_BOUNDS_H
#define LITSCOPE_EXEC_DEDUCTIONS_BOUNDS_H

#include "checker/base/arena.h"
#include "checker/cat/ir.h"
#include "checker/exec/deductions/evaluation_plan.h"
#include "checker/exec/execution.h"

struct bounds; /* of one model on one event structure */
struct bounds_constants;

/* A partial candidate: what is chosen, and what may still be; n * w words each,
 * NULL where there is nothing to choose. */
struct partial {
  word *lo[CHOICES], *up[CHOICES];
};

/* Pairs by choice, for answers; NULL as in the partial candidate. */
struct choice_pairs {
  word *of[CHOICES];
};

/* The bounds of every node for one partial candidate, by depth of the search:
 * a level shares with its parent what did not change. */
struct bounds_level;

enum bounds_status {
  BOUNDS_OPEN, /* no axiom fails so far */
  BOUNDS_FAIL  /* an axiom fails in every completion */
};

enum bounds_mode {
  BOUNDS_SEARCH, /* as above */
  BOUNDS_EXACT,  /* no axiom is looked at before the end */
  BOUNDS_PREFIX, /* more events will come: only what these leave as it is counts */
  BOUNDS_PROVE,  /* the other bounds of axioms: those on which they hold, if they do, in every completion */
  BOUNDS_MODES
};

/* What a model says of an event structure (execution: events, po and the other fixed
 * relations; its rf and co are not read) whatever is chosen, by its plan for the choices there are.  `skip[i]` leaves
 * check i out.  Many bounds of one structure may share it.
 *
 * BOUNDS_PREFIX: the structure is a beginning of larger ones, whose threads go
 * on.  A lower bound that holds in all of those comes from operations that only
 * gain by more events; where an operation may lose (r \ s with an s that depends
 * on what else there is), nothing is assumed.  Axioms that fail on that are lost
 * for every way to go on. */
struct bounds_constants *bounds_constants_new(struct arena *arena, const struct plan *plan,
                                              const struct execution *structure, const bool *skip,
                                              enum bounds_mode mode);
/* What finding them out cost, as rel_work counts. */
uint64_t bounds_constants_work(const struct bounds_constants *constants);

/* Prepares the evaluation of the model for what `root` leaves open. */
struct bounds *bounds_new(struct arena *arena, const struct bounds_constants *constants, const struct partial *root);

/* Does an axiom fail already at the root? */
enum bounds_status bounds_root_status(const struct bounds *b);
/* The level of the root. */
struct bounds_level *bounds_root_level(struct bounds *b);
/* After BOUNDS_FAIL: an axiom that fails, and the value on which it does (NULL: not
 * kept). */
const struct cat_check *bounds_failed(const struct bounds *b, const struct bounds_level *level, const word **value);
/* Is any flag, or check of definedness, left that depends on what is undecided? */
bool bounds_flags_undecided(const struct bounds *b);
/* Is any axiom or flag left that depends on what is undecided? */
bool bounds_undecided(const struct bounds *b);

/* The model's checks, and of each whether it is an axiom that is open: else NULL. */
uint32_t bounds_check_total(const struct bounds *b);
const struct cat_check *bounds_open_axiom(const struct bounds *b, uint32_t check);

/* BOUNDS_PROVE: the upper bound of the value of an open axiom. */
const word *bounds_upper(const struct bounds *b, const struct bounds_level *level, uint32_t check);

/* A level to search below `parent`; give it back with level_pop, last first.
 * Levels are kept and reused. */
struct bounds_level *bounds_push(struct bounds *b, struct bounds_level *parent);

/* Brings a level up to date with `partial`. */
enum bounds_status bounds_update(struct bounds *b, struct bounds_level *level, const struct partial *partial);

/* Fills `forbidden` with the pairs that cannot be added, and `required` with
 * those that cannot be left out.  In both may be pairs that are decided. */
void bounds_derive(struct bounds *b, struct bounds_level *level, const struct partial *partial,
                   const struct choice_pairs *forbidden, const struct choice_pairs *required);

/* At a complete candidate (lower bounds equal upper bounds): the first axiom
 * that fails, or NULL; `raised` gets a bit for each check of role UNDEFINED
 * that fails and FLAG that is raised: (check_count + 63) / 64 words. */
const struct cat_check *bounds_finish(struct bounds *b, struct bounds_level *level, const struct partial *partial,
                                      uint64_t *raised);

#endif
