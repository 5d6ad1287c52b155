/* SPDX-License-Identifier: MIT */
/* Spaces are those of C. */
#include "checker/base/cursor.h"

#include <ctype.h>

#include "checker/base/out_of_memory_guard.h"

static bool is_blank(const struct cursor *c, uint32_t at) {
  return isspace((unsigned char)c->text[at]);
}

struct cursor cursor_at_start(const struct source *source) {
  return (struct cursor){source->text, source_start(source), (uint32_t)source->size};
}

void cursor_skip_blanks(struct cursor *c) {
  while (c->at < c->end && is_blank(c, c->at)) c->at++;
}

bool cursor_take(struct cursor *c, const char *text) {
  cursor_skip_blanks(c);
  if (!cursor_looks_at(c, text)) return false;
  c->at += (uint32_t)strlen(text);
  return true;
}

void cursor_skip_to(struct cursor *c, const char *text) {
  const char *found = memmem(c->text + c->at, c->end - c->at, text, strlen(text));
  c->at = found ? (uint32_t)(found - c->text) : c->end;
}

bool cursor_skip_comment(struct cursor *c, const char *open, const char *close, bool nests) {
  unsigned depth = 1;
  for (c->at += (uint32_t)strlen(open); c->at < c->end;) {
    bool opens = nests && cursor_looks_at(c, open), closes = cursor_looks_at(c, close);
    c->at += opens || closes ? (uint32_t)strlen(opens ? open : close) : 1;
    depth += opens;
    if (closes && --depth == 0) return true;
  }
  return false;
}

uint32_t cursor_end_of(const struct cursor *c, char mark) {
  const char *found = memchr(c->text + c->at, mark, c->end - c->at);
  return found ? (uint32_t)(found - c->text) : c->end;
}

bool cursor_take_line(struct cursor *c, struct span *line) {
  if (c->at >= c->end) return false;
  uint32_t end = cursor_end_of(c, '\n');
  *line = (struct span){c->at, end - c->at};
  while (line->length && c->text[line->at + line->length - 1] == '\r') line->length--;
  c->at = end + 1;
  return true;
}

bool cursor_next_line(struct cursor *c, struct text_line *line) {
  struct span span;
  guard_poll();
  if (!cursor_take_line(c, &span)) return false;
  *line = (struct text_line){c->text + span.at, span.length};
  return true;
}

struct span cursor_take_word(struct cursor *c, const char *stops) {
  uint32_t start = c->at;
  while (c->at < c->end && !is_blank(c, c->at) && !strchr(stops, c->text[c->at])) c->at++;
  return (struct span){start, c->at - start};
}

struct span cursor_trim(const struct cursor *c, uint32_t to) {
  uint32_t from = c->at;
  while (from < to && is_blank(c, from)) from++;
  while (to > from && is_blank(c, to - 1)) to--;
  return (struct span){from, to - from};
}

bool cursor_is(const struct cursor *c, struct span span, const char *word) {
  return span.length == strlen(word) && !memcmp(c->text + span.at, word, span.length);
}

const char *cursor_keep(struct arena *arena, const struct cursor *c, uint32_t from) {
  return arena_strndup(arena, c->text + from, c->at - from);
}
