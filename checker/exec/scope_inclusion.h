/* SPDX-License-Identifier: MIT */
/* Inclusive scopes: what models know as `sr`. */
#ifndef LITSCOPE_EXEC_SCOPE_INCLUSION_H
#define LITSCOPE_EXEC_SCOPE_INCLUSION_H

#include "checker/exec/execution.h"

/* Have both a scope, and does each one's include the other's thread? */
bool scopes_inclusive(const struct program *program, const struct event *a, const struct event *b);

#endif
