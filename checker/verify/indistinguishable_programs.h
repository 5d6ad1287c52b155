/* SPDX-License-Identifier: MIT */
/* Small programs that a model cannot tell apart.
 *
 * Two programs of one shape (kinds, locations and guards of their operations)
 * have the same events, values and choices of rf and co; they differ in scopes,
 * orders, annotations and places.  A model sees those only through sets and
 * relations that are fixed before anything is chosen.  Where these agree, so do
 * its executions, and what they show: "work-group scope" and "device scope" say
 * the same, for example, of two threads of one work-group.
 *
 * The key of a program has, for each two of its operations, the number of what
 * the model sees between them.  It is learnt from the model's own graph: the
 * largest nodes that are fixed and in which a pair's membership is decided by
 * its two events alone (plan_find_local) are evaluated on a program, and what
 * they say of two operations is remembered by all that could matter: the two
 * operations, whether they share a location, a thread, a work-group, a device,
 * whether one guards the other.
 *
 *     struct indistinguishable *classes = indistinguishable_new(arena, model);
 *     if (classes && indistinguishable_key(classes, &program, &key)) ... key.at[0 .. key.count - 1] ...
 */
#ifndef LITSCOPE_VERIFY_INDISTINGUISHABLE_PROGRAMS_H
#define LITSCOPE_VERIFY_INDISTINGUISHABLE_PROGRAMS_H

#include "checker/cat/cat.h"
#include "checker/small_programs/small_program.h"

struct indistinguishable;

/* Operations and initial writes, and of them each two. */
enum { ALIKE_ITEMS = SMALL_LOCATIONS + SMALL_THREADS * SMALL_OPS, ALIKE_KEY = ALIKE_ITEMS * (ALIKE_ITEMS + 1) / 2 };

struct indistinguishable_key {
  unsigned count;
  uint16_t at[ALIKE_KEY];
};

/* NULL: the model's text does not say all (it is in C, or interpreted), or it
 * chooses more than rf and co.  What is learnt lives in `arena`. */
struct indistinguishable *indistinguishable_new(struct arena *arena, const struct cat_model *model);

/* Do two programs have one shape?  Keys of others cannot be compared. */
bool indistinguishable_shape(const struct small_program *a, const struct small_program *b);

/* false: there are too many different operations. */
bool indistinguishable_key(struct indistinguishable *classes, const struct small_program *program,
                           struct indistinguishable_key *key);

#endif
