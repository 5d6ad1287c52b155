/* SPDX-License-Identifier: MIT */
/* Threads of OpenCL and C programs as instructions of another language, by a
 * mapping (language_mapping.h). */
#ifndef LITSCOPE_TRANSLATE_TRANSLATE_THREAD_H
#define LITSCOPE_TRANSLATE_TRANSLATE_THREAD_H

#include "checker/ptx/column.h"
#include "checker/translate/language_mapping.h"

/* A program in another language. */
struct lowered_program {
  const struct program *program;
  const struct language_mapping *mapping;
  const char *const *locations; /* names of locations there */
};

/* The thread as a column.  false,
 * with diagnostics, for an operation that the mapping does not have, and for
 * what columns cannot say: addresses that depend on registers, barriers under a
 * condition or in a loop. */
bool translate_thread(struct arena *arena, const struct lowered_program *lowered, unsigned thread,
                      struct column *column, struct diags *diags);

#endif
