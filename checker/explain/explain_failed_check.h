/* SPDX-License-Identifier: MIT */
/* Why an execution fails a check: the offending cycle or pair, edge by edge.
 *
 * A model's check speaks of a derived relation (`acyclic hb`).  Its value on
 * the execution tells which pair or cycle offends; the model's graph tells how
 * each pair came about, down to rf, co, po and the other predefined relations.
 * Of several derivations the shortest is taken, and operands of intersections
 * that only restrict (same location, scopes, sets) are skipped in favour of
 * those that lead somewhere.
 */
#ifndef LITSCOPE_EXPLAIN_EXPLAIN_FAILED_CHECK_H
#define LITSCOPE_EXPLAIN_EXPLAIN_FAILED_CHECK_H

#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/exec/execution.h"

/* One step between two events.  `backwards`: the relation holds from `to` to
 * `from`, as in rf^-1. */
struct explained_edge {
  unsigned from, to;
  const char *relation;
  bool backwards;
};

/* A stretch of edges that the model gives a name (`sw`, `hb`). */
struct explained_span {
  unsigned from, to;
  const char *name;
  bool closure; /* a transitive closure */
};

struct explanation {
  const struct cat_check *check;
  enum { EXPLAINED_CYCLE, EXPLAINED_PAIR, EXPLAINED_EVENT, EXPLAINED_NOTHING } kind;
  /* CYCLE: edges from `first` back to it.  PAIR: from `first` to `second`. */
  unsigned first, second;
  struct explained_edge *edges;
  size_t edge_count;
  struct explained_span *spans; /* named stretches, inner before outer */
  size_t span_count;
};

/* Explains the failure of a check (for flags: why it is raised); `v` is the
 * model's value on `x`.  EXPLAINED_NOTHING when there is nothing to point at
 * (`flag empty r`).  Everything lives in `arena`. */
struct explanation *explain(struct arena *arena, const struct valuation *v, const struct execution *x,
                            const struct cat_check *check);

/* Does a candidate contradict itself at one location already (po among the
 * accesses to it, rf, co and fr in a circle, or a write between the halves of a
 * read-modify-write)?  Such candidates are many and teach little. */
bool explain_is_trivial(struct arena *scratch, const struct execution *x);

/* Writes it as lines that begin with two spaces:
 *
 *     P1 R(acq,dev,remote) y=1 --rf^-1--> P0 W(rel,wg) y=1 --po^-1--> ...
 */
void explanation_print(const struct explanation *e, const struct execution *x, FILE *out);

/* The names of the relations that link threads in it, each once, by the alphabet: `co, hb`; "": none. */
const char *explanation_relations(struct arena *arena, const struct explanation *e, const struct execution *x);

/* The statement of a check as in the model's text: `irreflexive rf; [A]; hb`. */
const char *check_statement(struct arena *arena, const struct cat_check *check);

#endif
