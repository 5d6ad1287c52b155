/* SPDX-License-Identifier: MIT */
/* Values that are not known, but the same for all: what a location holds at first that nobody writes, as the arguments
 * of a kernel.  Paths whose conditions say opposite things of them do not go together.
 *
 *     given = unknown_initial_values_new(arena, program);                            once
 *     if (unknown_initial_values_deny(given, path, condition, other)) ... NO
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_UNKNOWN_INITIAL_VALUES_H
#define LITSCOPE_EXEC_UNFOLDING_UNKNOWN_INITIAL_VALUES_H

#include "checker/exec/paths/paths.h"

struct unknown_initial_values;

/* NULL: the program has none.  Lives in the arena. */
struct unknown_initial_values *unknown_initial_values_new(struct arena *arena, const struct program *program);

/* Does some condition of the other path say the opposite of this one of `path`, in the same words? */
bool unknown_initial_values_deny(const struct unknown_initial_values *given, const struct path *path,
                                 const struct path_condition *condition, const struct path *other);

#endif
