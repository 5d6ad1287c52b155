/* SPDX-License-Identifier: MIT */
/* What the files of the bounds share: bounds.c (setting up), bounds_update.c (keeping
 * them up to date), forbidden_rf_co_pairs.c (derivatives), bounds_complete.c (complete candidates). */
#ifndef LITSCOPE_EXEC_DEDUCTIONS_BOUNDS_INTERNAL_H
#define LITSCOPE_EXEC_DEDUCTIONS_BOUNDS_INTERNAL_H

#include "checker/cat/node_operators.h"
#include "checker/exec/deductions/bounds.h"
#include "checker/exec/deductions/evaluation_plan.h"

/* What is known of a check before the search. */
enum check_state { CHECK_OPEN, CHECK_TRUE, CHECK_FALSE };

struct bounds_constants {
  const struct plan *plan;
  const struct execution *structure;
  const bool *skip;
  enum bounds_mode mode;
  word **fixed;   /* by node: its value, where no choice changes it */
  uint32_t *list; /* nodes that checks ask for and that can vary, operands first */
  uint32_t count;
  uint32_t *slot; /* and by node its place among them, or NO_SLOT */
  uint64_t work;  /* what finding them out cost: rel_work */
};

struct bounds_level {
  word **value[SIDES]; /* by slot */
  word *own;           /* this level's storage: two values a slot */
  struct bounds_level *next;
};

/* Where a pair that is open may add something to a relation if it is chosen: nowhere but in these rows and columns.  Of
 * a set, both are the events. */
struct gain {
  word *rows, *columns;
};

struct bounds {
  struct arena *arena;
  const struct cat_ir *ir;
  const struct execution *structure;
  struct shape shape;
  size_t words; /* of a relation: storage of any value */
  const struct plan *plan;
  bool search; /* not BOUNDS_EXACT */
  bool prefix, prove, undecided;
  word **fixed;           /* by node: its value, when it cannot change */
  bool *need[SIDES];      /* by node: some undecided axiom asks for this bound */
  const uint32_t *slot;   /* by node */
  const uint32_t *active; /* nodes with a slot, operands first */
  uint32_t active_count;
  enum check_state *checks; /* of the model's checks, then of its hints */
  enum bounds_status root_status;
  const struct cat_check *root_failed; /* BOUNDS_FAIL: by which axiom, and its value */
  const word *root_value;
  struct bounds_level *root;
  struct { /* scratch of computing one bound */
    word *value;
    bool *changed[SIDES]; /* by node, in this update */
  } update;
  struct {            /* of taking derivatives */
    word **of[SIDES]; /* by node: NULL when untouched in this pass */
    word *store[SIDES];
    word *product, *around;
    struct gain *gain, open[CHOICES]; /* by slot; of what is chosen */
  } derive;
  struct {          /* of complete candidates */
    bool *need;     /* by node */
    uint32_t *list; /* nodes that are computed then only, operands first */
    uint32_t count;
    word **value;
  } exact;
};

#define NO_SLOT UINT32_MAX

/* Words of a node's value. */
static inline size_t bounds_words_of(const struct bounds *b, uint32_t node) {
  return node_words(b->shape, b->ir->nodes[node].type);
}

/* One bound of a node. */
static inline const word *bounds_value(const struct bounds *b, const struct bounds_level *level, uint32_t node,
                                       enum side side) {
  return b->fixed[node] ? b->fixed[node] : level->value[side][b->slot[node]];
}

static inline uint32_t bounds_check_count(const struct bounds *b) {
  return b->ir->check_count + b->ir->hint_count;
}

/* The model's checks are followed by its hints, which only prune. */
static inline const struct cat_check *bounds_check(const struct bounds *b, uint32_t c) {
  return c < b->ir->check_count ? &b->ir->checks[c] : &b->ir->hints[c - b->ir->check_count].axiom;
}

/* The condition of a check on a value, without negation. */
static inline bool bounds_holds_on(const struct bounds *b, const struct cat_check *check, const word *value) {
  word scratch[b->shape.w];
  return node_check(b->shape, check->kind, b->ir->nodes[check->node].type, value, scratch);
}

/* ---- bounds_update.c ---- */

struct bounds_level *level_new(struct bounds *b);

/* ---- bounds_of_node.c ---- */

/* Where a level keeps its own version of one bound. */
word *level_own(const struct bounds *b, const struct bounds_level *level, uint32_t node, enum side side);

/* One bound of a predefined name that varies. */
void level_base(const struct bounds *b, enum cat_base base, const struct partial *p, enum side side, word *out);

/* One bound of one node from its operands' bounds; not for CAT_REC. */
void level_node(const struct bounds *b, const struct bounds_level *level, uint32_t node, enum side side,
                const struct partial *p, word *out);

/* ---- bounds_let_rec_fixpoint.c ---- */

/* Least fixpoint of one bound of the recursive group that starts at a node. */
void level_group(const struct bounds *b, struct bounds_level *level, uint32_t first, enum side side,
                 const struct partial *p);

/* ---- bounds_complete.c ---- */

/* Is the node computed at complete candidates only? */
bool exact_only(const struct bounds *b, uint32_t node);

#endif
