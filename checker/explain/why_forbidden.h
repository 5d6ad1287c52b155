/* SPDX-License-Identifier: MIT */
/* -why: why the condition is not met, or the program is undefined.
 *
 * The candidates that would settle the condition are searched once more,
 * without the model's pruning; each that the model rejects is explained, and
 * equal explanations are told once with their number.  Likewise the executions
 * that raise a flag or fail an undefined_unless.
 */
#ifndef LITSCOPE_EXPLAIN_WHY_FORBIDDEN_H
#define LITSCOPE_EXPLAIN_WHY_FORBIDDEN_H

#include "checker/verdict/verdict.h"

/* The explanations as lines, beginning `Why NAME`; or an empty string when
 * there is nothing to explain, or the verdict is not complete.  `v` is the verdict of the same test, model and
 * options.  How many different explanations are told is bounded, and so is how
 * many candidates are looked at: the text says so where a bound cuts.  *cut: a limit
 * of the options ended one of these searches, as the text says too. */
const char *why_text(struct arena *arena, const struct verdict *v, const struct cat_model *model,
                     const struct enumerate_options *options, bool *cut);

/* The same of an outcome that the model forbids, `v` being of the test that asks
 * for it: says so where a limit hides the reason. */
const char *why_forbidden(struct arena *arena, const struct verdict *v, const struct cat_model *model,
                          const struct enumerate_options *options);

#endif
