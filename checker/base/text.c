/* SPDX-License-Identifier: MIT */
/* Text in memory: a stream whose writes go to a buffer that grows.  The C
 * library's own streams in memory drop what they have no room for without
 * marking the stream; here the place remembers it until the text is ended. */
#include "checker/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"

struct text_stream {
  FILE *out; /* NULL: ended */
  char *at;
  size_t size, room;
  bool failed; /* some of it is lost */
  struct guarded guarded;
  char buffer[1024]; /* the stream's */
};

static void free_stream(void *object) {
  struct text_stream *stream = object;
  if (stream->out) fclose(stream->out);
  free(stream->at);
  free(stream);
}

/* Room for more, and the byte that ends it. */
static bool reserve(struct text_stream *stream, size_t more) {
  if (stream->size + more < stream->room) return true;
  size_t room = 2 * stream->room + more + 256;
  char *grown = realloc(stream->at, room);
  if (!grown) return false;
  stream->at = grown;
  stream->room = room;
  return true;
}

static ssize_t take(void *cookie, const char *text, size_t size) {
  struct text_stream *stream = cookie;
  if (stream->failed || !reserve(stream, size)) {
    stream->failed = true;
    errno = ENOMEM;
    return 0;
  }
  memcpy(stream->at + stream->size, text, size);
  stream->size += size;
  return (ssize_t)size;
}

struct text text_new(void) {
  struct text_stream *stream = guard_must(malloc(sizeof *stream));
  *stream = (struct text_stream){.out = NULL};
  guard_own(&stream->guarded, free_stream, stream);
  stream->out = guard_must(fopencookie(stream, "w", (cookie_io_functions_t){.write = take}));
  setvbuf(stream->out, stream->buffer, _IOFBF, sizeof stream->buffer);
  return (struct text){.out = stream->out, .stream = stream};
}

void text_end(struct text *text) {
  struct text_stream *stream = text->stream;
  fclose(stream->out);
  stream->out = text->out = NULL;
  if (stream->failed || !reserve(stream, 0)) guard_out_of_memory();
  stream->at[stream->size] = '\0';
  text->at = stream->at;
  text->size = stream->size;
}

void text_free(struct text *text) {
  guard_disown(&text->stream->guarded);
  free_stream(text->stream);
}

char *text_keep(struct text *text, struct arena *arena) {
  text_end(text);
  char *kept = arena_strndup(arena, text->at, text->size);
  text_free(text);
  return kept;
}

bool text_begins(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

bool text_part_is(const char *text, size_t length, const char *word) {
  return strlen(word) == length && !memcmp(text, word, length);
}

bool text_ends_in(const char *text, const char *suffix) {
  return text_part_ends_in(text, strlen(text), suffix);
}

bool text_part_ends_in(const char *text, size_t length, const char *suffix) {
  size_t size = strlen(suffix);
  return length >= size && !memcmp(text + length - size, suffix, size);
}

static const char *row_text(const void *rows, size_t size, size_t member, size_t row) {
  return *(const char *const *)(const void *)((const char *)rows + row * size + member);
}

int row_index(const void *rows, size_t count, size_t size, size_t member, const char *text) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(row_text(rows, size, member, i), text)) return (int)i;
  return -1;
}

const char **row_texts(struct arena *arena, const void *rows, size_t count, size_t size, size_t member) {
  const char **texts = ARENA_ARRAY(arena, const char *, count + 1);
  for (size_t i = 0; i < count; i++) texts[i] = row_text(rows, size, member, i);
  return texts;
}

void *row_find(const void *rows, size_t count, size_t size, size_t member, const char *text) {
  int index = row_index(rows, count, size, member, text);
  return index < 0 ? NULL : (char *)(uintptr_t)rows + (size_t)index * size;
}

int text_index(const char *text, const char *const *words, size_t count) {
  return row_index(words, count, sizeof *words, 0, text);
}

int text_place(const char *text, const char *const *words) {
  size_t count = 0;
  while (words && words[count]) count++;
  return text_index(text, words, count);
}

bool text_is_one_of(const char *text, const char *const *words) {
  return text_place(text, words) >= 0;
}

const char **text_split(struct arena *arena, const char *text, const char *separators, size_t *count) {
  VEC(const char *) pieces = {0};
  char *rest = arena_strdup(arena, text), *piece;
  while ((piece = strsep(&rest, separators)))
    if (*piece) *vec_push(arena, &pieces) = piece;
  if (count) *count = pieces.count;
  *vec_push(arena, &pieces) = NULL;
  return pieces.at;
}

const char *text_line(const char *text, unsigned number) {
  for (; number > 1 && text; number--) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  return text;
}

const char *text_list(struct arena *arena, const char *const *texts, size_t count, const char *last) {
  const char *list = count ? texts[0] : "";
  for (size_t i = 1; i < count; i++) list = arena_printf(arena, "%s%s%s", list, i + 1 == count ? last : ", ", texts[i]);
  return list;
}

bool text_is_number(const char *text, int64_t low, int64_t high, int64_t *number) {
  char *end;
  errno = 0;
  *number = strtoll(text, &end, 10);
  return isdigit((unsigned char)text[*text == '-']) && !*end && !errno && *number >= low && *number <= high;
}

uint32_t text_hash_part(uint32_t before, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) before = (before ^ (unsigned char)text[i]) * 16777619u;
  return before;
}

uint32_t text_hash(uint32_t before, const char *text) {
  return text_hash_part(before, text, strlen(text));
}

int text_compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}
