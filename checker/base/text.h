/* SPDX-License-Identifier: MIT */
/* Text in memory, from functions that print to a stream.
 *
 *     struct text text;
 *     text_open(&text);
 *     ... print to text.out ...
 *     const char *kept = text_keep(&text, arena);
 */
#ifndef LITSCOPE_BASE_TEXT_H
#define LITSCOPE_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/arena.h"

struct text_stream;

struct text {
  FILE *out;
  struct text_stream *stream;
  char *at; /* after text_end: the text, NUL-terminated */
  size_t size;
};

/* Running out of memory, here or in what follows, goes back to the guard, as for
 * arenas. */
void text_open(struct text *text);

/* Ends the printing; text_free gives the memory back. */
void text_end(struct text *text);
void text_free(struct text *text);

/* Does a name end in this? */
bool text_ends_in(const char *text, const char *suffix);

/* Is it one of these, which end in NULL (NULL: there are none)? */
bool text_is_one_of(const char *text, const char *const *words);

/* `a, b or c`, where `last` is " or ". */
const char *text_list(struct arena *arena, const char *const *texts, size_t count, const char *last);

/* A number that tells texts apart (FNV-1a); `before`: TEXT_HASH, or that of what comes before. */
#define TEXT_HASH UINT32_C(2166136261)
uint32_t text_hash(uint32_t before, const char *text);
uint32_t text_hash_part(uint32_t before, const char *text, size_t length);

/* For qsort, of pointers to texts. */
int text_compare(const void *a, const void *b);

/* Ends the printing and moves the text to the arena. */
char *text_keep(struct text *text, struct arena *arena);

#endif
