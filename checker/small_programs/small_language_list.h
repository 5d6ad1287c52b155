/* SPDX-License-Identifier: MIT */
/* The list of the languages that have small programs, and what each does not have. */
#ifndef LITSCOPE_SMALL_PROGRAMS_SMALL_LANGUAGE_LIST_H
#define LITSCOPE_SMALL_PROGRAMS_SMALL_LANGUAGE_LIST_H

struct arena;
struct small_language;
struct small_op;
struct small_program;

/* Every language: X(name) stands for small_name, which small_language_words.h describes. */
#define SMALL_LANGUAGES(X, SEP) \
  X(opencl) SEP X(hsa)          \
  SEP X(c)                      \
  SEP X(ptx)                    \
  SEP X(vulkan)                 \
  SEP X(linux)

/* As the words of an option. */
#define SMALL_LANGUAGE_WORD(name) #name
#define SMALL_LANGUAGE_WORDS SMALL_LANGUAGES(SMALL_LANGUAGE_WORD, "|")

#define SMALL_DECLARE(name) extern const struct small_language small_##name;
SMALL_LANGUAGES(SMALL_DECLARE, )

extern const struct small_language *const small_languages[]; /* ends in NULL */

/* `opencl, hsa and c` */
const char *small_language_names(struct arena *arena);

/* Why its language does not have a program, or NULL: it has. */
const char *small_refusal(struct arena *arena, const struct small_program *program);

/* Why a language does not have an operation, or NULL. */
const char *small_refusal_of_op(struct arena *arena, const struct small_language *language, const struct small_op *op);

#endif
