/* SPDX-License-Identifier: MIT */
/* A model with one part of one of its rules left out: its mutants.
 *
 * Of `a | b`, `a & b` either part is left out, of `a \ b` the second, of `[s]; r` and
 * `r; [s]` the set, of `r?` and `r+` the sign; and each check is left out.  A part of a
 * function is left out in all its uses.  The rule is the nearest definition around the
 * part, or the check.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_MODEL_MUTANTS_H
#define LITSCOPE_PROGRAM_SEARCH_MODEL_MUTANTS_H

#include "checker/program_search/judge_program.h"

struct model_mutant {
  struct judge_model model;
  const char *rule, *what; /* "fr"; "without the second part of | (vulkan-base.cat:126)" */
};

/* All of them, in `arena`; none of a model that the interpreter or C has the last word of. */
struct model_mutant *model_mutants(struct arena *arena, const struct judge_model *of, size_t *count);

#endif
