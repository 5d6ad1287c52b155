/* SPDX-License-Identifier: MIT */
/* A place in a text that is read from left to right, and lines of texts. */
#ifndef LITSCOPE_BASE_CURSOR_H
#define LITSCOPE_BASE_CURSOR_H

#include <ctype.h>
#include <string.h>

#include "checker/base/diag.h"

/* Of a word as C has them: a letter, a digit or `_`. */
static inline bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

struct cursor {
  const char *text;
  uint32_t at, end;
};

/* At the start of a source, after a byte order mark. */
struct cursor cursor_at_start(const struct source *source);

void cursor_skip_blanks(struct cursor *cursor);

/* Does this stand here?  The first byte decides most often. */
static inline bool cursor_looks_at(const struct cursor *c, const char *text) {
  size_t length = strlen(text);
  return c->at < c->end && c->text[c->at] == *text && c->end - c->at >= length &&
         !memcmp(c->text + c->at, text, length);
}

/* The same after spaces; moves past it. */
bool cursor_take(struct cursor *cursor, const char *text);

/* Moves to where it stands next, or to the end. */
void cursor_skip_to(struct cursor *cursor, const char *text);

/* From where a comment begins with `open` past its end; of a kind that nests, past those within.  false: it has no end,
 * and this is the text's. */
bool cursor_skip_comment(struct cursor *cursor, const char *open, const char *close, bool nests);

/* The end of the line, or whatever ends in the mark, or of the text. */
uint32_t cursor_end_of(const struct cursor *cursor, char mark);

/* The next line, without its end, with or without carriage return; false: at the end of the text. */
bool cursor_take_line(struct cursor *cursor, struct span *line);

/* The same, where it is looked at, not pointed out. */
struct text_line {
  const char *text;
  size_t length;
};
bool cursor_next_line(struct cursor *cursor, struct text_line *line);

/* What comes before the next blank or one of `stops`, and past it. */
struct span cursor_take_word(struct cursor *cursor, const char *stops);

/* From here to `to` without the spaces around it. */
struct span cursor_trim(const struct cursor *cursor, uint32_t to);

bool cursor_is(const struct cursor *cursor, struct span span, const char *word);

/* The text from `from` to here, kept. */
const char *cursor_keep(struct arena *arena, const struct cursor *cursor, uint32_t from);

#endif
