/* SPDX-License-Identifier: MIT */
/* Certificates as text: words and lists in parentheses, as Lisp's.
 *
 *     item = word | "word with spaces" | ( item... )        ; and a comment to the line's end
 *
 * Memory is a bump allocator: whatever a branch of the tree needed is dropped when
 * its turn is over.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/certify/current_file.h"

struct current_file current;

/* ---- Messages -------------------------------------------------------------------- */

static void print_line(unsigned line, unsigned column) {
  const char *at = current.text, *end = current.text + current.size;
  for (unsigned i = 1; i < line && at < end; i++) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    at = next ? next + 1 : end;
  }
  /* Of long lines, what is around the place. */
  unsigned from = column > 60 ? column - 60 : 1;
  size_t length = 0;
  at += from - 1 < (size_t)(end - at) ? from - 1 : (size_t)(end - at);
  while (length < 100 && at + length < end && at[length] != '\n') length++;
  fputs("  ", current.err);
  for (size_t i = 0; i < length; i++) fputc(isprint((unsigned char)at[i]) ? at[i] : ' ', current.err);
  fprintf(current.err, "\n  %*s^\n", (int)(column - from), "");
}

static void say(const struct item *at, const char *what, const char *format, va_list arguments) {
  fflush(stdout);
  fprintf(current.err, "%s:", current.file);
  if (at) fprintf(current.err, "%u:%u:", at->line, at->column);
  fprintf(current.err, " %s", what);
  vfprintf(current.err, format, arguments);
  fputc('\n', current.err);
  if (at) print_line(at->line, at->column);
}

void bad(const struct item *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(at, "error: ", format, arguments);
  va_end(arguments);
  longjmp(current.end, 2);
}

void reject(const struct item *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(at, "rejected: ", format, arguments);
  va_end(arguments);
  longjmp(current.end, 1);
}

/* ---- Memory ------------------------------------------------------------------------ */

enum { CHUNK = 1 << 20 };

void *make(size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (size > CHUNK) bad(NULL, "too large to be checked");
  if (current.used % CHUNK + size > CHUNK) current.used += CHUNK - current.used % CHUNK;
  size_t chunk = current.used / CHUNK;
  if (chunk >= MOST_CHUNKS) bad(NULL, "too large to be checked");
  if (!current.chunks[chunk] && !(current.chunks[chunk] = malloc(CHUNK))) bad(NULL, "out of memory");
  void *at = current.chunks[chunk] + current.used % CHUNK;
  current.used += size;
  return memset(at, 0, size);
}

size_t memory_mark(void) {
  return current.used;
}

void memory_drop(size_t mark) {
  current.used = mark;
}

void memory_free(void) {
  for (size_t i = 0; i < MOST_CHUNKS && current.chunks[i]; i++) {
    free(current.chunks[i]);
    current.chunks[i] = NULL;
  }
  current.used = 0;
}

/* ---- Reading -------------------------------------------------------------------------- */

struct reader {
  char *at, *end, *line_start;
  unsigned line;
};

static void skip_blanks(struct reader *r) {
  for (; r->at < r->end; r->at++) {
    if (*r->at == ';')
      while (r->at + 1 < r->end && r->at[1] != '\n') r->at++;
    else if (*r->at == '\n')
      r->line++, r->line_start = r->at + 1;
    else if (!isspace((unsigned char)*r->at))
      return;
  }
}

/* A copy of `length` bytes, which quotes may have been around. */
static const char *copy_word(const char *from, size_t length) {
  char *copy = make(length + 1);
  memcpy(copy, from, length);
  return copy;
}

static const char *read_word(struct reader *r, const struct item *at) {
  char *start = r->at;
  if (*start == '"') {
    char *close = memchr(start + 1, '"', (size_t)(r->end - start - 1));
    if (!close) bad(at, "this quotation has no end");
    if (memchr(start, '\n', (size_t)(close - start))) bad(at, "this quotation has no end on its line");
    r->at = close + 1;
    start++;
    return copy_word(start, (size_t)(close - start));
  }
  while (r->at < r->end && !isspace((unsigned char)*r->at) && !strchr("();\"", *r->at)) r->at++;
  if (r->at == start) bad(at, "this cannot be read");
  return copy_word(start, (size_t)(r->at - start));
}

const struct item *read_items(char *text, size_t size) {
  struct reader r = {text, text + size, text, 1};
  struct item top = {0}, *lists[MOST_LISTS], *last[MOST_LISTS] = {NULL};
  unsigned depth = 0;
  lists[0] = &top;
  for (skip_blanks(&r); r.at < r.end; skip_blanks(&r)) {
    struct item *item = make(sizeof *item);
    item->line = r.line;
    item->column = (unsigned)(r.at - r.line_start) + 1;
    if (*r.at == ')') {
      if (!depth) bad(item, "nothing is open here");
      depth--, r.at++;
      continue;
    }
    if (last[depth])
      last[depth]->next = item;
    else
      lists[depth]->first = item;
    last[depth] = item;
    lists[depth]->count++;
    if (*r.at != '(') {
      item->word = read_word(&r, item);
      continue;
    }
    if (++depth == MOST_LISTS) bad(item, "lists are nested too deep");
    lists[depth] = item;
    last[depth] = NULL;
    r.at++;
  }
  if (depth) bad(lists[depth], "this list has no end");
  return top.first;
}

/* ---- Items ------------------------------------------------------------------------------ */

bool is_list(const struct item *item, const char *head) {
  return item && !item->word && item->first && item->first->word && !strcmp(item->first->word, head);
}

const struct item *part(const struct item *list, unsigned index) {
  const struct item *at = list->word ? NULL : list->first;
  while (at && index--) at = at->next;
  if (!at) bad(list, "something is missing here");
  return at;
}

void no_more_than(const struct item *list, unsigned parts) {
  if (list->count > parts) reject(part(list, parts), "nothing asks for this");
}

const char *word_of(const struct item *item) {
  if (!item->word) bad(item, "expected a word");
  return item->word;
}

int64_t number_of(const struct item *item) {
  const char *word = word_of(item);
  char *end;
  errno = 0;
  intmax_t value = strtoimax(word, &end, 10);
  if (end == word || *end || errno || value < INT64_MIN || value > INT64_MAX) bad(item, "expected a number");
  return (int64_t)value;
}

unsigned index_of(const struct item *item, unsigned below) {
  int64_t value = number_of(item);
  if (value < 0 || value >= (int64_t)below) bad(item, "expected a number from 0 to %d", (int)below - 1);
  return (unsigned)value;
}

unsigned choice_of(const struct item *item, const char *const *words, const char *what) {
  const char *word = word_of(item);
  for (unsigned i = 0; words[i]; i++)
    if (!strcmp(words[i], word)) return i;
  bad(item, "'%.40s' is not a valid %s", word, what);
}

/* ---- The parts of a certificate ----------------------------------------------------------- */

/* The list of this name, before the next certificate begins. */
const struct item *section(const struct item *items, const char *name, bool must) {
  const struct item *at = items;
  while (at && !is_list(at, name)) at = at->next && !is_list(at->next, "certificate") ? at->next : NULL;
  if (!at && must) bad(items, "no (%s ...) in this certificate", name);
  return at;
}

void check_heads(const struct item *at, const char *const *heads) {
  mask seen = 0;
  for (; at && !is_list(at, "certificate"); at = at->next) {
    mask head = BIT(choice_of(part(at, 0), heads, "part of this"));
    if (seen & head) bad(at, "this appears twice");
    seen |= head;
  }
}

/* What is claimed and never looked at would be believed. */
void check_absent(const struct item *items, const char *const *heads) {
  for (; *heads; heads++) {
    const struct item *at = section(items, *heads, false);
    if (at) reject(at, "nothing asks for this");
  }
}

/* What has one answer, has one. */
void check_sizes(const struct item *items) {
  static const char *const ONE[] = {"certificate", "test",  "values", "model", "condition",
                                    "filter",      "stuck", "verify", "tree"};
  for (const struct item *at = items; at && (at == items || !is_list(at, "certificate")); at = at->next)
    for (unsigned i = 0; i < sizeof ONE / sizeof *ONE; i++)
      if (is_list(at, ONE[i])) no_more_than(at, 2);
}
