/* SPDX-License-Identifier: MIT */
/* Text in memory, from functions that print to a stream.
 *
 *     struct text text = text_new();
 *     ... print to text.out ...
 *     const char *kept = text_keep(&text, arena);
 */
#ifndef LITSCOPE_BASE_TEXT_H
#define LITSCOPE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
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
struct text text_new(void);

/* Ends the printing; text_free gives the memory back. */
void text_end(struct text *text);
void text_free(struct text *text);

/* Does a text begin with this; does a name end in it?  Is it so much of a text? */
bool text_begins(const char *text, const char *prefix);
bool text_ends_in(const char *text, const char *suffix);
bool text_part_ends_in(const char *text, size_t length, const char *suffix);
bool text_part_is(const char *text, size_t length, const char *word);

/* Is it one of these, which end in NULL (NULL: there are none)? */
bool text_is_one_of(const char *text, const char *const *words);

/* Which of these it is, by its number; -1: none.  Of a list with NULL at its end, and of so many. */
int text_place(const char *text, const char *const *words);
int text_index(const char *text, const char *const *words, size_t count);

/* What lies between any of these bytes, without empty pieces, in the arena: as many as *count (which may be NULL) says,
 * and NULL. */
const char **text_split(struct arena *arena, const char *text, const char *separators, size_t *count);

/* Is all of it a decimal number from `low` to `high`?  Then *number is that. */
bool text_is_number(const char *text, int64_t low, int64_t high, int64_t *number);

/* Of a table's rows the first whose member is this text: its number, or -1; and the row, or NULL. */
#define ROW_INDEX(rows, count, member, text) \
  row_index((rows), (count), sizeof *(rows), offsetof(__typeof__(*(rows)), member), (text))
#define FIND_ROW(rows, count, member, text) \
  ((__typeof__(&(rows)[0]))row_find((rows), (count), sizeof *(rows), offsetof(__typeof__(*(rows)), member), (text)))
int row_index(const void *rows, size_t count, size_t size, size_t member, const char *text);
void *row_find(const void *rows, size_t count, size_t size, size_t member, const char *text);

/* That member of all rows, and NULL. */
#define ROW_TEXTS(arena, rows, count, member) \
  row_texts((arena), (rows), (count), sizeof *(rows), offsetof(__typeof__(*(rows)), member))
const char **row_texts(struct arena *arena, const void *rows, size_t count, size_t size, size_t member);

/* `a, b or c`, where `last` is " or ". */
const char *text_list(struct arena *arena, const char *const *texts, size_t count, const char *last);

/* Where the line of that number begins, from 1 on; NULL: there is none. */
const char *text_line(const char *text, unsigned number);

/* A number that tells texts apart (FNV-1a); `before`: TEXT_HASH, or that of what comes before. */
#define TEXT_HASH UINT32_C(2166136261)
uint32_t text_hash(uint32_t before, const char *text);
uint32_t text_hash_part(uint32_t before, const char *text, size_t length);

/* For qsort and bsearch, of pointers to texts, and of structs that begin with one. */
int text_compare(const void *a, const void *b);

/* Ends the printing and moves the text to the arena. */
char *text_keep(struct text *text, struct arena *arena);

/* What a call prints to `out`, a name for it alone, as a text in the arena. */
#define TEXT_PRINTED(arena, out, call)   \
  ({                                     \
    struct text out##_text = text_new(); \
    FILE *out = out##_text.out;          \
    call;                                \
    text_keep(&out##_text, (arena));     \
  })

#endif
