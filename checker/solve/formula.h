/* SPDX-License-Identifier: MIT */
/* A program as a propositional formula.
 *
 * Each assignment is a choice of one path for each thread, of a source for each read, and
 * of an order of the writes to each location, such that values and control flow agree: a
 * candidate.  What the model says of candidates is not in it.
 */
#ifndef LITSCOPE_SOLVE_FORMULA_H
#define LITSCOPE_SOLVE_FORMULA_H

#include "checker/litmus/litmus.h"
#include "checker/solve/bit_vectors.h"
#include "checker/solve/path_tree.h"

/* A write that a read may read from. */
struct source_edge {
  unsigned write, read;
  int literal;
};

struct formula {
  struct arena *arena;
  struct sat *sat;
  const struct litmus_test *test;
  const struct tree *tree;
  int *taken;                      /* by node: the thread comes through it */
  int *executed;                   /* by event */
  struct bits *value;              /* by event; count 0: it has none */
  VEC(struct source_edge) sources; /* by read, those of one after the other */
  unsigned *first_source;          /* by event, with one more: the sources of a read */
  unsigned *place;     /* by event: number of the write or fence among those that are ordered; 0: it is not */
  unsigned ordered;    /* one more than these */
  bool partial;        /* two writes of one location need not be ordered */
  int *present;        /* by event: of a control barrier, it synchronises with those that it meets */
  bool some_stay_away; /* some need not */
  int *blocked;        /* by event: of a control barrier, its thread stays there for ever, and meets nobody */
  bool *chained;       /* by write: it is half of a read-modify-write that sees the write right before it
                        * (initial_coherence_clauses.h) */
  bool thin_air;       /* values may depend on themselves, and are then any */
  bool undefined_ends; /* a thread that does what is undefined has ended there (enumerate_options) */
  int *order;          /* by two places: the first comes before; 0: of two locations, or never both */
  int **ends_with;     /* where `partial`, by a location's name and event: the name ends with what this has written;
                        * NULL: nobody asks */
  int ended, cut, undefined; /* all threads have ended; some were cut; some do what is undefined */
};

/* Room for the formula of a tree, of which nothing is said yet. */
struct formula *formula_blank(struct arena *arena, struct sat *sat, const struct litmus_test *test,
                              const struct tree *tree);

/* Builds the formula of a tree.  Lives in `arena`, but for the solver, which is the caller's. */
struct formula *formula_new(struct arena *arena, struct sat *sat, const struct litmus_test *test,
                            const struct tree *tree, bool thin_air, bool undefined_ends);

/* Has a thread ended at the node, so that its registers are final? */
static inline bool formula_ends_at(const struct formula *f, const struct tree_node *node) {
  return node->end == THREAD_ENDED || (node->end == THREAD_UNDEFINED && f->undefined_ends);
}

/* By node: is anything known against it? */
const bool *formula_possible(const struct formula *f);

/* Says of all events where they are executed, once `taken` is said of all nodes. */
void formula_add_executed(struct formula *f);

/* Is the event executed? */
static inline int formula_executed(const struct formula *f, unsigned event) {
  return f->executed[event];
}

/* Does the read see the write?  SAT_FALSE where it cannot. */
int formula_reads(const struct formula *f, unsigned write, unsigned read);

/* Two writes to one location, or two fences that are ordered (sc_fence_clauses.h): does `a` come before `b`, where both
 * are executed?  0: they are neither. */
static inline int *formula_order_at(const struct formula *f, unsigned a, unsigned b) {
  return &f->order[(size_t)f->place[a] * f->ordered + f->place[b]];
}

static inline int formula_order(const struct formula *f, unsigned a, unsigned b) {
  return *formula_order_at(f, a, b);
}

/* Rules out that a thread that waits, with rounds that write nothing, sees the same twice (path_limits.cut_spins). */
void formula_leave_out_repeats(struct formula *f);

/* What a write writes if a read of its thread has another value. */
struct bits formula_value_if(const struct formula *f, unsigned write, unsigned read, struct bits value);

/* Where threads may stop (path_limits.stops): requires, where `asked` holds, that some thread may, and that reads which
 * one repeats for ever see writes that nothing follows. */
void formula_require_stop(struct formula *f, int asked);

/* Is a thread cut whose loop might still do something? */
int formula_cut_busy(const struct formula *f);

/* What a register or a location ends with. */
struct bits formula_final(struct formula *f, struct observable what);

/* Does a proposition hold of how the program ends? */
int formula_proposition(struct formula *f, const struct prop *prop);

#endif
