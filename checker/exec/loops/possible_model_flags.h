/* SPDX-License-Identifier: MIT */
/* What events can come to in any execution that has them, whatever else there is and in whatever
 * order their threads come to them: an upper bound of every value of a model's graph among them.
 * Where a path may lead through other events, anything is possible.
 */
#ifndef LITSCOPE_EXEC_LOOPS_POSSIBLE_MODEL_FLAGS_H
#define LITSCOPE_EXEC_LOOPS_POSSIBLE_MODEL_FLAGS_H

#include "checker/base/arena.h"
#include "checker/cat/ir.h"
#include "checker/exec/execution.h"

/* Adds to `out` (a set) the events of a structure, whose rf and co are not read, that checks which ask for
 * some (checks_survive_removal.h) may be about.  `skip` (by check; may be NULL) leaves checks out. */
void possible_model_flags_find(const struct cat_ir *ir, const struct execution *events, const bool *skip, word *out);

/* May some execution of the program raise the check?  False: none does, whatever its threads come to. */
bool possible_flag(const struct cat_ir *ir, const struct program *program, uint32_t check);

#endif
