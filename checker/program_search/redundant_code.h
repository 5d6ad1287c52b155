/* SPDX-License-Identifier: MIT */
/* What can be left out of what a compiler emits: of each operation's instructions the cheapest
 * that keep all programs of a family sound.
 *
 * An element is a kind of change (verify/target_code.h), such as leaving out the
 * invalidation of an acquire load at device scope, with what it saves.  Leaving out more
 * only allows more: so a set of elements that is unsound on a program is so within any
 * larger set, and what stays must have one of each set that was refuted.  The cheapest
 * such choice is tried on all programs; each that refutes it adds a smallest set that it
 * refutes; the first choice that none refutes is the cheapest sound one, and the sets
 * that were refuted are the proof that none is cheaper.
 *
 * Programs are tried after one another, some at a time, and a choice is made again as soon
 * as one refutes it: so few programs have to look for a smallest set.  Rounds over all of
 * them go on until none refutes.  A round is done in parts, each of which learns from its
 * own programs and, in the first round, from the first part: so what a part shows does not
 * depend on who does it.  Those of the first round are the parts of divided work; the
 * other rounds, which find little, are done by who joins them, and a journal has them too.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_REDUNDANT_CODE_H
#define LITSCOPE_PROGRAM_SEARCH_REDUNDANT_CODE_H

#include "checker/base/parts.h"
#include "checker/verify/target_code_ablation.h"

struct redundancy_element {
  const char *name;
  int64_t price;
  bool kept;
};

/* Elements that cannot go together, and a program of the family that shows it. */
struct redundancy_refutation {
  const size_t *elements; /* ascending */
  size_t count, program;
};

struct redundancy_options {
  const struct target_code_ablation *ablation;
  /* What leaving it out saves; negative: it is to stay. */
  int64_t (*price)(void *context, const char *change);
  void *context;
  struct parts *parts; /* what is there is not done again */
};

struct redundancy_result {
  struct redundancy_element *elements; /* by name */
  size_t element_count;
  struct redundancy_refutation *refuted;
  size_t refuted_count;
  bool complete; /* not cancelled, nothing undecided */
};

struct redundancy; /* a search: it lives in its arena */

struct redundancy *redundancy_new(struct arena *arena, const struct redundancy_options *options);

/* Does the parts that are to be done here.  false: it was cancelled, or something
 * was undecided. */
bool redundancy_do_parts(struct redundancy *redundancy);

/* Does what is left to be done, and gives the result. */
struct redundancy_result redundancy_finish(struct redundancy *redundancy);

/* Marks a cheapest choice of elements that has one of each set; returns its price. */
int64_t redundancy_choose(struct redundancy_element *elements, size_t element_count,
                          const struct redundancy_refutation *sets, size_t set_count);

/* Is a program unsound without these elements? */
bool redundancy_refutes(const struct target_code_ablation *ablation, const struct redundancy_element *elements,
                        const struct redundancy_refutation *claim);

#endif
