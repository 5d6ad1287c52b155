/* SPDX-License-Identifier: MIT */
/* Bell: what annotations there are.
 *
 *   enum Accesses = 'once || 'acquire
 *   instructions R[Accesses]
 *
 * says that reads may be annotated `once` or `acquire`, as `__load{once}(*x)` is,
 * and that the events with either are the sets `Once` and `Acquire`: the tags
 * with their first letter in upper case, as in herd7.
 */
#ifndef LITSCOPE_CAT_BELL_H
#define LITSCOPE_CAT_BELL_H

#include "checker/base/vec.h"
#include "checker/cat/run_statements.h"

struct bell {
  VEC(struct cat_instruction) instructions;
};

/* Runs an `instructions` statement: binds the sets, and keeps the declaration in
 * runner->eval->bell.  False after an error. */
bool bell_declare(struct runner *runner, struct run_state *state, const struct statement *statement);

#endif
