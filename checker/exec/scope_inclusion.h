/* SPDX-License-Identifier: MIT */
/* Inclusive scopes: what models know as `sr`. */
#ifndef LITSCOPE_EXEC_SCOPE_INCLUSION_H
#define LITSCOPE_EXEC_SCOPE_INCLUSION_H

#include "checker/exec/execution.h"

/* Is there, at `thread`, the instance of a scope that `of` has there?  Of SCOPE_NONE there is none. */
bool scope_includes(const struct thread *of, enum scope scope, const struct thread *thread);

/* Have both a scope, and does each one's include the other's thread? */
bool scopes_inclusive(const struct program *program, const struct event *a, const struct event *b);

#endif
