/* SPDX-License-Identifier: MIT */
/* Source texts and diagnostics.
 *
 * Every syntax node keeps a `struct span`, eight bytes into a source text that
 * stays in memory, so any later stage can quote the line.  Library code never
 * prints: it adds diagnostics to a list, and the command layer writes the list
 * (style after nvc's diag objects, caret lines as in chibicc's tokenizer):
 *
 *     litmus/x.litmus:7:14: error: unknown memory order 'memory_order_aquire'; did you mean 'memory_order_acquire'?
 *         7 |   int r0 = atomic_load_explicit(x, memory_order_aquire, memory_scope_device);
 *           |                                    ^~~~~~~~~~~~~~~~~~~
 */
#ifndef LITSCOPE_BASE_DIAG_H
#define LITSCOPE_BASE_DIAG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/arena.h"

/* A text with its name.  `text` is NUL-terminated at text[size], and may hold
 * NUL bytes before that. */
struct source {
  const char *name;
  const char *text;
  size_t size;
};

/* A piece of a source text: byte offset and length (0: a point). */
struct span {
  uint32_t at, length;
};

struct diag {
  const struct source *source; /* NULL: the message concerns no text */
  struct span span;
  const char *message;
  const char *severity; /* "error", "warning" or "note" */
};

/* A list of diagnostics, in the order they were added.  Lives in an arena. */
struct diags {
  struct arena *arena;
  struct diag *at;
  size_t count, room;
  size_t errors;
};

/* Reads a whole file into the arena.  On failure adds an error and returns
 * NULL.  Refuses directories and files above 64 MiB.  `-` is standard input. */
struct source *source_read(struct arena *arena, const char *path, struct diags *diags);

/* Where its text begins: after a byte order mark, if it has one. */
uint32_t source_start(const struct source *source);

/* A source over a text in memory, which is copied. */
struct source *source_from_text(struct arena *arena, const char *name, const char *text, size_t size);

/* An empty list whose messages live in `arena`. */
struct diags diags_new(struct arena *arena);

/* Adds a diagnostic.  `source` may be NULL.  An error returns false, for a caller that returns it. */
bool diag_error(struct diags *diags, const struct source *source, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(struct diags *diags, const struct source *source, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(struct diags *diags, const struct source *source, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* An error that concerns no text. */
bool diag_fail(struct diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Line and column, both from 1, of a byte offset.  Columns count bytes. */
void source_position(const struct source *source, uint32_t at, unsigned *line, unsigned *column);

/* How far a source has been counted; all 0 at first. */
struct counted {
  const struct source *source;
  uint32_t at;
  unsigned line, column;
};

/* The line alone, for many places in the order of the text: counting goes on from the
 * last one. */
unsigned source_line(struct counted *counted, const struct source *source, uint32_t at);

/* Writes all diagnostics, each with its line and a caret. */
void diags_print(const struct diags *diags, FILE *out);

/* The candidate nearest to `word` by edit distance (transpositions count one),
 * or NULL when none is near enough to be a likely slip; a letter is like itself in
 * the other case only. `words` ends in NULL. */
const char *suggest(const char *word, const char *const *words);

/* The end of a message: `; did you mean 'x'?` for what `suggest` found, "" for NULL. */
const char *suggest_hint(struct arena *arena, const char *nearest);

/* Adds the error that `what` cannot be `word`, with the words that it can be (`words`, one blank between them). */
bool diag_refuse_word(struct diags *diags, const char *what, const char *word, const char *words);

#endif
