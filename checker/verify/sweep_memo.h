/* SPDX-License-Identifier: MIT */
/* A sweep's memory: what it has found out, and need not ask again.
 *
 * Of the programs of one shape the model is asked once for those that it cannot
 * tell apart (indistinguishable_programs.h), and the machine runs once for those that a mapping
 * compiles to the same code, of which the model allows the same.  The sweep meets
 * programs of one shape one after the other (small_generate_by_shape), so what is
 * known of the last shape is forgotten with the next.
 */
#ifndef LITSCOPE_VERIFY_SWEEP_MEMO_H
#define LITSCOPE_VERIFY_SWEEP_MEMO_H

#include "checker/small_programs/small_program.h"
#include "checker/verify/verify_test.h"

struct sweep_memo; /* of one worker */

struct sweep_memo *sweep_memo_new(const struct cat_model *model);
void sweep_memo_free(struct sweep_memo *memo);

/* The answer of verify_test to a program, the states that were explored, and
 * whether the model, which must be the memory's, could not say if it is defined. */
enum verify_answer sweep_memo_verify(struct sweep_memo *memo, const struct verifier *verifier,
                                     const struct small_program *program, uint64_t *states, bool *unjudged);

#endif
