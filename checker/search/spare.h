/* SPDX-License-Identifier: MIT */
/* What may go of what a compiler emits: of each operation's instructions the cheapest
 * that keep all programs of a family sound.
 *
 * An element is a kind of change (verify/family_ablation.h), such as leaving out the
 * invalidation of an acquire load at device scope, with what it saves.  Leaving out more
 * only allows more: so a set of elements that is unsound on a program is so within any
 * larger set, and what stays must have one of each set that was refuted.  The cheapest
 * such choice is tried on all programs; each that refutes it adds a smallest set that it
 * refutes; the first choice that none refutes is the cheapest sound one, and the sets
 * that were refuted are the proof that none is cheaper.
 */
#ifndef LITSCOPE_SEARCH_SPARE_H
#define LITSCOPE_SEARCH_SPARE_H

#include "checker/verify/family_ablation.h"

struct spare_element {
  const char *name;
  int64_t price;
  bool kept;
};

/* Elements that cannot go together, and a program of the family that shows it. */
struct spare_refutation {
  const size_t *elements; /* ascending */
  size_t count, program;
};

struct spare_options {
  const struct family_ablation *ablation;
  /* What leaving it out saves; negative: it is to stay. */
  int64_t (*price)(void *context, const char *change);
  void *context;
};

struct spare_result {
  struct spare_element *elements; /* by name */
  size_t element_count;
  struct spare_refutation *refuted;
  size_t refuted_count;
  bool complete; /* not cancelled, nothing undecided */
};

/* Lives in `arena`. */
struct spare_result spare_search(struct arena *arena, const struct spare_options *options);

/* Marks a cheapest choice of elements that has one of each set; returns its price. */
int64_t spare_choose(struct arena *arena, struct spare_element *elements, size_t element_count,
                     const struct spare_refutation *sets, size_t set_count);

/* Is a program unsound without these elements? */
bool spare_refutes(const struct family_ablation *ablation, const struct spare_element *elements,
                   const struct spare_refutation *claim);

#endif
