/* SPDX-License-Identifier: MIT */
/* Tables of results (a line of column names, then one result a line, fields
 * separated by tabs), and herd's kinds files. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/report/baseline_file.h"
#include "checker/report/log.h"
#include "checker/report/state_text.h"

enum { COLUMNS = 16 };

/* The fields of a line, at most COLUMNS. */
static int split_fields(struct arena *arena, const struct text_line *line, const char **fields) {
  int count = 0;
  for (size_t at = 0; at <= line->length && count < COLUMNS;) {
    const char *tab = memchr(line->text + at, '\t', line->length - at);
    size_t end = tab ? (size_t)(tab - line->text) : line->length;
    fields[count++] = arena_strndup(arena, line->text + at, end - at);
    at = end + 1;
  }
  return count;
}

/* A field that says something. */
static const char *said(const char *field) {
  return *field && strcmp(field, "-") != 0 ? field : NULL;
}

/* States joined by `|`; the last semicolon of each may be missing.  NULL in
 * *bad unless some text is no state. */
static void read_states(struct arena *arena, const char *field, struct baseline_result *result, const char **bad) {
  VEC(const char *) states = {0};
  while (*field) {
    size_t length = strcspn(field, "|");
    const char *text = arena_strndup(arena, field, length);
    const char *state = state_normalise(arena, text, length);
    if (!state) state = state_normalise(arena, arena_printf(arena, "%s;", text), length + 1);
    if (!state) *bad = text;
    *vec_push(arena, &states) = state ? state : "";
    field += length + (field[length] == '|');
  }
  result->states = states.at;
  result->state_count = state_sort(states.at, states.count);
}

/* Returns a text that is no state, or NULL. */
static const char *read_field(struct arena *arena, const char *column, const char *field,
                              struct baseline_result *result) {
  const char *bad = NULL;
  if (!said(field)) return NULL;
  if (!strcmp(column, "test"))
    result->test = baseline_test_name(arena, field);
  else if (!strcmp(column, "model") || !strcmp(column, "mapping"))
    result->model = field;
  else if (!strcmp(column, "observation") || !strcmp(column, "verdict"))
    result->observation = field;
  else if (!strcmp(column, "states"))
    read_states(arena, field, result, &bad);
  else if (!strcmp(column, "bad"))
    result->undefined = strcmp(field, "0") != 0, result->undefined_known = true;
  return bad;
}

bool baseline_is_table(const struct source *source) {
  return text_begins(source->text, "test\t");
}

static struct span span_of(const struct source *source, const struct text_line *line) {
  return (struct span){(uint32_t)(line->text - source->text), (uint32_t)line->length};
}

void baseline_read_table(struct arena *arena, const struct source *source, struct baseline *baseline,
                         struct diags *diags) {
  struct cursor lines = cursor_at_start(source);
  struct text_line line;
  const char *columns[COLUMNS], *fields[COLUMNS];
  int column_count = cursor_next_line(&lines, &line) ? split_fields(arena, &line, columns) : 0;
  while (cursor_next_line(&lines, &line)) {
    if (!line.length || line.text[0] == '#') continue;
    struct baseline_result result = {0};
    int count = split_fields(arena, &line, fields);
    for (int i = 0; i < count && i < column_count; i++) {
      const char *bad = read_field(arena, columns[i], fields[i], &result);
      if (bad) diag_error(diags, source, span_of(source, &line), "'%s' is not a state such as `0:r0=1; x=2;`", bad);
    }
    if (result.test) *vec_push(arena, baseline) = result;
  }
}

/* ---- kinds ---- */

/* The kind that a line `NAME KIND` gives, or NULL. */
static const char *kind_of(struct arena *arena, const struct text_line *line) {
  enum quantifier quantifier;
  if (*line_word(arena, line, 2) || !log_read_kind(line_word(arena, line, 1), &quantifier)) return NULL;
  return log_kind(quantifier);
}

static bool says_nothing(struct arena *arena, const struct text_line *line) {
  const char *first = line_word(arena, line, 0);
  return !*first || *first == '#';
}

bool baseline_is_kinds(struct arena *arena, const struct source *source) {
  struct cursor lines = cursor_at_start(source);
  struct text_line line;
  while (cursor_next_line(&lines, &line))
    if (!says_nothing(arena, &line)) return kind_of(arena, &line);
  return false;
}

void baseline_read_kinds(struct arena *arena, const struct source *source, struct baseline *baseline,
                         struct diags *diags) {
  struct cursor lines = cursor_at_start(source);
  for (struct text_line line; cursor_next_line(&lines, &line);) {
    if (says_nothing(arena, &line)) continue;
    const char *kind = kind_of(arena, &line), *test = baseline_test_name(arena, line_word(arena, &line, 0));
    if (kind)
      *vec_push(arena, baseline) = (struct baseline_result){.test = test, .kind = kind};
    else
      diag_error(diags, source, span_of(source, &line), "expected `NAME Allowed`, `NAME Forbidden` or `NAME Required`");
  }
}
