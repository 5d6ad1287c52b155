/* SPDX-License-Identifier: MIT */
/* The languages that have small programs, and what each does not have. */
#ifndef LITSCOPE_VERIFY_SMALL_LANGUAGES_H
#define LITSCOPE_VERIFY_SMALL_LANGUAGES_H

#include "checker/verify/small_program.h"

extern const struct small_language *const small_languages[]; /* ends in NULL */

/* `opencl, hsa and c` */
const char *small_language_names(struct arena *arena);

/* Why its language does not have a program, or NULL: it has. */
const char *small_refusal(struct arena *arena, const struct small_program *program);

/* Why a language does not have an operation, or NULL. */
const char *small_refusal_of_op(struct arena *arena, const struct small_language *language, const struct small_op *op);

#endif
