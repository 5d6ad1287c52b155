/* SPDX-License-Identifier: MIT */
/* Diagnostics as compilers print them: file, line and column, the quoted
 * line, a mark below the place. Long lines are quoted in part. */
#include "checker/base/diag.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/base/infile.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

static const size_t SOURCE_LIMIT = 64u << 20;

/* Lines longer than this are quoted in part. */
static const size_t QUOTE_LIMIT = 160;

uint32_t source_start(const struct source *source) {
  return text_begins(source->text, "\xef\xbb\xbf") ? 3 : 0;
}

struct source *source_from_text(struct arena *arena, const char *name, const char *text, size_t size) {
  return ARENA_MAKE(arena, struct source, .name = arena_strdup(arena, name), .text = arena_strndup(arena, text, size),
                    .size = size);
}

static struct source *read_stream(struct arena *arena, const char *path, FILE *in, struct diags *diags) {
  size_t room = 4096, size = 0;
  struct stat status;
  if (!fstat(fileno(in), &status) && S_ISREG(status.st_mode) && status.st_size > 0 &&
      (size_t)status.st_size <= SOURCE_LIMIT)
    room = (size_t)status.st_size + 1;
  char *text = arena_alloc(arena, room + 1);
  for (;;) {
    size_t got = fread(text + size, 1, room - size, in);
    size += got;
    if (size > SOURCE_LIMIT) {
      diag_fail(diags, "%s: larger than 64 MiB", path);
      return NULL;
    }
    if (size < room) break;
    char *larger = arena_alloc(arena, room * 2 + 1);
    memcpy(larger, text, size);
    text = larger;
    room *= 2;
  }
  if (ferror(in)) {
    diag_fail(diags, "%s: %s", path, strerror(errno));
    return NULL;
  }
  text[size] = '\0';
  return ARENA_MAKE(arena, struct source, arena_strdup(arena, path), text, size);
}

struct source *source_read(struct arena *arena, const char *path, struct diags *diags) {
  if (!strcmp(path, "-")) return read_stream(arena, path, stdin, diags);
  FILE *in = infile_open(path);
  if (!in && errno == ENOMEM) guard_out_of_memory(); /* unlike a file that is not there */
  struct stat status;
  if (!in || fstat(fileno(in), &status)) {
    diag_fail(diags, "%s: %s", path, infile_reason());
    if (in) fclose(in);
    return NULL;
  }
  struct source *source = NULL;
  if (S_ISDIR(status.st_mode))
    diag_fail(diags, "%s: is a folder", path);
  else
    source = read_stream(arena, path, in, diags);
  fclose(in);
  return source;
}

struct diags diags_new(struct arena *arena) {
  return (struct diags){.arena = arena};
}

/* A word of the input may be as long as the input: the middle of a message that
 * is longer than this is left out. */
enum { MESSAGE_LIMIT = 1000, MESSAGE_START = 200, MESSAGE_END = 100 };

static const char *shorten(struct arena *arena, const char *message) {
  size_t length = strlen(message);
  if (length <= MESSAGE_LIMIT) return message;
  return arena_printf(arena, "%.*s[...]%s", MESSAGE_START, message, message + length - MESSAGE_END);
}

static void add(struct diags *diags, const struct source *source, struct span span, const char *severity,
                const char *format, va_list args) {
  vec_reserve(diags->arena, (void **)&diags->at, &diags->room, diags->count + 1, sizeof *diags->at);
  diags->at[diags->count++] =
      (struct diag){source, span, shorten(diags->arena, arena_vprintf(diags->arena, format, args)), severity};
}

bool diag_error(struct diags *diags, const struct source *source, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diags, source, span, "error", format, args);
  va_end(args);
  diags->errors++;
  return false;
}

bool diag_fail(struct diags *diags, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diags, NULL, (struct span){0}, "error", format, args);
  va_end(args);
  diags->errors++;
  return false;
}

void diag_warning(struct diags *diags, const struct source *source, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diags, source, span, "warning", format, args);
  va_end(args);
}

void diag_note(struct diags *diags, const struct source *source, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diags, source, span, "note", format, args);
  va_end(args);
}

/* Goes back from where the last count ended. */
static void count_back(struct counted *counted, uint32_t at) {
  const char *text = counted->source->text;
  uint32_t start = at;
  for (; counted->at > at; counted->at--) counted->line -= text[counted->at - 1] == '\n';
  while (start && text[start - 1] != '\n') start--;
  counted->column = at - start + 1;
}

/* Goes on from where the last count ended, or back where that is not as far as from the start. */
static void count_to(struct counted *counted, const struct source *source, uint32_t at) {
  if (at > source->size) at = (uint32_t)source->size;
  bool back = counted->source == source && counted->at > at;
  if (back && counted->at - at < at)
    count_back(counted, at);
  else if (back || counted->source != source)
    *counted = (struct counted){source, 0, 1, 1};
  for (; counted->at < at; counted->at++) {
    bool ends = source->text[counted->at] == '\n';
    counted->line += ends;
    counted->column = ends ? 1 : counted->column + 1;
  }
}

unsigned source_line(struct counted *counted, const struct source *source, uint32_t at) {
  count_to(counted, source, at);
  return counted->line;
}

void source_position(const struct source *source, uint32_t at, unsigned *line, unsigned *column) {
  struct counted counted = {0};
  count_to(&counted, source, at);
  *line = counted.line;
  *column = counted.column;
}

/* One byte of a quoted line: those of control characters become one blank, and those that are no
 * UTF-8 one question mark, so that the caret stays below its column whatever the
 * input holds.  `rest`: bytes of a character that are still to come, below 0 of a control character. */
static void quote_byte(const char *at, int *rest, FILE *out) {
  int length = *rest ? 1 : utf8_length(at);
  bool control = *rest ? *rest < 0 : !*at || (length && control_length(at));
  fputc(!length ? '?' : control ? ' ' : *at, out);
  if (!*rest)
    *rest = length < 2 ? 0 : control ? 1 - length : length - 1;
  else
    *rest += *rest < 0 ? 1 : -1;
}

static void quote(const struct diag *diag, unsigned line, unsigned column, FILE *out) {
  const char *text = diag->source->text;
  size_t start = diag->span.at > diag->source->size ? diag->source->size : diag->span.at;
  start -= column - 1;
  size_t end = start;
  while (end < diag->source->size && text[end] != '\n') end++;
  size_t skipped = column - 1 > QUOTE_LIMIT / 2 && end - start > QUOTE_LIMIT ? column - 1 - QUOTE_LIMIT / 2 : 0;
  int rest = 0;
  fprintf(out, "%6u | ", line);
  for (size_t i = start + skipped; i < end && i < start + skipped + QUOTE_LIMIT; i++) quote_byte(text + i, &rest, out);
  fputs("\n       | ", out);
  for (size_t i = skipped; i + 1 < column; i++) fputc(' ', out);
  fputc('^', out);
  size_t width = diag->span.length;
  if (width > end - start - (column - 1)) width = end - start - (column - 1);
  if (width > QUOTE_LIMIT) width = QUOTE_LIMIT;
  for (size_t i = 1; i < width; i++) fputc('~', out);
  fputc('\n', out);
}

/* A message is one line, whatever names are in it; other unprintable bytes are for the
 * stream to show (escape.h). */
static void print_line(const char *text, FILE *out) {
  print_replaced(out, text, (const char *const[]){"\n\\x0a", NULL});
}

void diags_print(const struct diags *diags, FILE *out) {
  struct counted counted = {0};
  ARRAY_EACH (const struct diag, diag, diags->at, diags->count) {
    if (!diag->source) {
      fprintf(out, "litscope: %s: ", diag->severity);
      print_line(diag->message, out);
      fputc('\n', out);
      continue;
    }
    count_to(&counted, diag->source, diag->span.at);
    print_line(diag->source->name, out);
    fprintf(out, ":%u:%u: %s: ", counted.line, counted.column, diag->severity);
    print_line(diag->message, out);
    fputc('\n', out);
    quote(diag, counted.line, counted.column, out);
  }
}

enum { WORD_LIMIT = 64 };

/* Optimal string alignment distance, three rows at a time. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
  size_t rows[3][WORD_LIMIT + 1];
  for (size_t j = 0; j <= nb; j++) rows[0][j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      now[j] = best;
    }
  }
  return rows[na % 3][nb];
}

const char *suggest(const char *word, const char *const *words) {
  size_t length = strlen(word);
  if (length > WORD_LIMIT) return NULL;
  const char *best = NULL;
  size_t best_distance = length <= 3 ? 2 : length / 3 + 1;
  for (; *words; words++) {
    size_t other = strlen(*words);
    if (other > WORD_LIMIT) continue;
    if (length == 1 && strcasecmp(word, *words) != 0) continue; /* one letter is like no other */
    size_t d = distance(word, length, *words, other);
    if (d < best_distance) {
      best = *words;
      best_distance = d;
    }
  }
  return best;
}

const char *suggest_hint(struct arena *arena, const char *nearest) {
  return nearest ? arena_printf(arena, "; did you mean '%s'?", nearest) : "";
}

bool diag_refuse_word(struct diags *diags, const char *what, const char *word, const char *words) {
  char *list = arena_strdup(diags->arena, words);
  const char **all = text_split(diags->arena, words, " ", NULL);
  for (char *at = list; *at; at++) *at = *at == ' ' ? '|' : *at;
  return diag_fail(diags, "%s takes %s, not '%s'%s", what, list, word, suggest_hint(diags->arena, suggest(word, all)));
}
