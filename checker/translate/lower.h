/* SPDX-License-Identifier: MIT */
/* Threads of OpenCL and C programs as instructions of another language, by a
 * mapping (language_mapping.h). */
#ifndef LITSCOPE_TRANSLATE_LOWER_H
#define LITSCOPE_TRANSLATE_LOWER_H

#include "checker/translate/column.h"
#include "checker/translate/language_mapping.h"

/* The thread as a column; `locations` are the names of locations there.  false,
 * with diagnostics, for an operation that the mapping does not have, and for
 * what columns cannot say: addresses that depend on registers, barriers under a
 * condition or in a loop. */
bool lower_thread(struct arena *arena, const struct language_mapping *mapping, const struct program *program,
                  unsigned thread, const char *const *locations, struct column *column, struct diags *diags);

#endif
