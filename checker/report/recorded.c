/* Reading logs and tables back, and comparing results. */
#include "report/recorded.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "report/log.h"

/* ---- states ---- */

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_texts(const char **texts, size_t count) {
  if (count) qsort(texts, count, sizeof *texts, compare_texts);
}

/* `[x]=1; 0:r0=2;` and `0:r0=2; x=1;` become one text. */
static const char *normalise_state(struct arena *arena, const char *text, size_t length) {
  VEC(const char *) parts = {0};
  for (size_t at = 0; at < length;) {
    const char *semicolon = memchr(text + at, ';', length - at);
    size_t end = semicolon ? (size_t)(semicolon - text) : length, size = 0;
    char *part = arena_alloc(arena, end - at + 1);
    for (; at < end; at++)
      if (!isspace((unsigned char)text[at]) && !strchr("[]", text[at])) part[size++] = text[at];
    if (size) *vec_push(arena, &parts) = part[0] == 'P' && strchr(part, ':') ? part + 1 : part;
    at = end + 1;
  }
  sort_texts(parts.at, parts.count);
  const char *state = "";
  for (size_t i = 0; i < parts.count; i++) state = arena_printf(arena, "%s%s%s;", state, i ? " " : "", parts.at[i]);
  return state;
}

/* ---- logs ---- */

struct line {
  const char *text;
  size_t length;
};

struct lines {
  const struct source *source;
  size_t at;
};

static bool next_line(struct lines *lines, struct line *line) {
  const struct source *source = lines->source;
  if (lines->at >= source->size) return false;
  const char *text = source->text + lines->at;
  const char *newline = memchr(text, '\n', source->size - lines->at);
  *line = (struct line){text, newline ? (size_t)(newline - text) : source->size - lines->at};
  lines->at += line->length + 1;
  while (line->length && line->text[line->length - 1] == '\r') line->length--;
  return true;
}

static bool begins(const struct line *line, const char *prefix) {
  size_t length = strlen(prefix);
  return line->length >= length && !memcmp(line->text, prefix, length);
}

/* The word with this number (from 0) of a line. */
static const char *word_of(struct arena *arena, const struct line *line, int number) {
  size_t at = 0;
  for (int i = 0;; i++) {
    while (at < line->length && strchr(" \t", line->text[at])) at++;
    size_t start = at;
    while (at < line->length && !strchr(" \t", line->text[at])) at++;
    if (i == number || at == start) return arena_strndup(arena, line->text + start, at - start);
  }
}

static void read_states(struct arena *arena, struct lines *lines, size_t count, struct recorded *result) {
  VEC(const char *) states = {0};
  struct line line;
  for (size_t i = 0; i < count && next_line(lines, &line); i++)
    *vec_push(arena, &states) = normalise_state(arena, line.text, line.length);
  sort_texts(states.at, states.count);
  result->states = states.count ? states.at : ARENA_ARRAY(arena, const char *, 1);
  result->state_count = states.count;
}

/* A line of the record of `result`. */
static void read_log_line(struct arena *arena, struct lines *lines, const struct line *line, struct recorded *result) {
  if (begins(line, "States ") && !result->states) {
    read_states(arena, lines, strtoull(word_of(arena, line, 1), NULL, 10), result);
  } else if (begins(line, "Observation ")) {
    result->observation = word_of(arena, line, 2);
  } else if (begins(line, "Bad executions (")) {
    result->undefined |= strtoull(line->text + strlen("Bad executions ("), NULL, 10) > 0;
    result->undefined_known = true;
  } else if (begins(line, "Flag ")) {
    result->undefined |= flag_means_undefined(arena_strndup(arena, line->text, line->length));
    result->undefined_known = true;
  } else if (begins(line, "Undef")) {
    result->undefined = result->undefined_known = true;
  }
}

/* `Test NAME KIND`. */
static bool begins_record(struct arena *arena, const struct line *line) {
  static const char *const kinds[] = {"Allowed", "Forbidden", "Required", "Final"};
  const char *kind = begins(line, "Test ") ? word_of(arena, line, 2) : "";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kind, kinds[i])) return true;
  return false;
}

static void read_log(struct arena *arena, const struct source *source, struct recording *recording) {
  struct lines lines = {source, 0};
  struct line line;
  struct recorded *result = NULL;
  const char *model = NULL;
  while (next_line(&lines, &line)) {
    if (begins(&line, "Verify ")) {
      *vec_push(arena, recording) = (struct recorded){
          .test = word_of(arena, &line, 1), .model = word_of(arena, &line, 2), .observation = word_of(arena, &line, 3)};
    } else if (begins(&line, "Model ") || begins(&line, "Mapping ")) {
      model = word_of(arena, &line, 1);
    } else if (begins_record(arena, &line)) {
      result = vec_push(arena, recording);
      *result = (struct recorded){.test = word_of(arena, &line, 1), .model = model};
      model = NULL;
    } else if (result) {
      read_log_line(arena, &lines, &line, result);
    }
  }
}

/* ---- tables ---- */

enum { COLUMNS = 16 };

/* The fields of a line, at most COLUMNS. */
static int split_fields(struct arena *arena, const struct line *line, const char **fields) {
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
  return *field && strcmp(field, "-") ? field : NULL;
}

static void read_state_field(struct arena *arena, const char *field, struct recorded *result) {
  VEC(const char *) states = {0};
  while (*field) {
    size_t length = strcspn(field, "|");
    *vec_push(arena, &states) = normalise_state(arena, field, length);
    field += length + (field[length] == '|');
  }
  sort_texts(states.at, states.count);
  result->states = states.at;
  result->state_count = states.count;
}

static const char *without_suffix(struct arena *arena, const char *name) {
  size_t length = strlen(name);
  bool file = length > 7 && !strcmp(name + length - 7, ".litmus");
  const char *slash = strrchr(name, '/');
  const char *start = slash ? slash + 1 : name;
  return arena_strndup(arena, start, strlen(start) - (file ? 7 : 0));
}

static void read_field(struct arena *arena, const char *column, const char *field, struct recorded *result) {
  if (!said(field)) return;
  if (!strcmp(column, "test"))
    result->test = without_suffix(arena, field);
  else if (!strcmp(column, "model") || !strcmp(column, "mapping"))
    result->model = field;
  else if (!strcmp(column, "observation") || !strcmp(column, "verdict"))
    result->observation = field;
  else if (!strcmp(column, "states"))
    read_state_field(arena, field, result);
  else if (!strcmp(column, "bad"))
    result->undefined = strcmp(field, "0") != 0, result->undefined_known = true;
}

static void read_table(struct arena *arena, const struct source *source, struct recording *recording) {
  struct lines lines = {source, 0};
  struct line line;
  const char *columns[COLUMNS], *fields[COLUMNS];
  int column_count = next_line(&lines, &line) ? split_fields(arena, &line, columns) : 0;
  while (next_line(&lines, &line)) {
    if (!line.length || line.text[0] == '#') continue;
    struct recorded result = {0};
    int count = split_fields(arena, &line, fields);
    for (int i = 0; i < count && i < column_count; i++) read_field(arena, columns[i], fields[i], &result);
    if (result.test) *vec_push(arena, recording) = result;
  }
}

/* ---- recordings ---- */

static int compare_recorded(const void *a, const void *b) {
  const struct recorded *s = a, *t = b;
  int order = strcmp(s->test, t->test);
  return order ? order : strcmp(s->model ? s->model : "", t->model ? t->model : "");
}

struct recording *recording_read(struct arena *arena, const char *path, struct diags *diags) {
  const struct source *source = source_read(arena, path, diags);
  if (!source) return NULL;
  struct recording *recording = ARENA_NEW(arena, struct recording);
  recording->path = path;
  if (!strncmp(source->text, "test\t", 5))
    read_table(arena, source, recording);
  else
    read_log(arena, source, recording);
  if (!recording->count) {
    diag_error(diags, NULL, (struct span){0},
               "%s: no results: expected a log of litscope or herd, or a table whose first line begins with `test`",
               path);
    return NULL;
  }
  qsort(recording->at, recording->count, sizeof *recording->at, compare_recorded);
  return recording;
}

const struct recorded *recording_find(const struct recording *recording, const char *test, const char *model) {
  const struct recorded *found = NULL;
  for (size_t low = 0, high = recording->count; low < high;) {
    size_t middle = (low + high) / 2;
    if (strcmp(recording->at[middle].test, test) < 0)
      low = middle + 1;
    else
      high = middle;
    if (low == high && low < recording->count) found = &recording->at[low];
  }
  for (; found && found < recording->at + recording->count && !strcmp(found->test, test); found++)
    if (!found->model || !model || !strcmp(found->model, model)) return found;
  return NULL;
}

void recorded_set_states(struct arena *arena, struct recorded *result, const struct litmus_test *test,
                         const int64_t *const *values, size_t count) {
  result->states = ARENA_ARRAY(arena, const char *, count + 1);
  for (size_t i = 0; i < count; i++) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) continue;
    log_write_state(out, test, values[i]);
    fclose(out);
    result->states[result->state_count++] = normalise_state(arena, text, size);
    free(text);
  }
  sort_texts(result->states, result->state_count);
}

struct recorded recorded_from_verdict(struct arena *arena, const struct verdict *v) {
  struct recorded result = {.test = v->test->name, .model = v->model, .undefined = v->bad > 0, .undefined_known = true};
  result.observation = log_observation(v);
  const int64_t **values = ARENA_ARRAY(arena, const int64_t *, v->state_count);
  for (size_t i = 0; i < v->state_count; i++) values[i] = v->states[i].values;
  recorded_set_states(arena, &result, v->test, values, v->state_count);
  return result;
}

static void print_states(const struct recorded *before, const struct recorded *after, FILE *out) {
  size_t i = 0, j = 0;
  while (i < before->state_count || j < after->state_count) {
    int order = i == before->state_count  ? 1
                : j == after->state_count ? -1
                                          : strcmp(before->states[i], after->states[j]);
    if (order < 0)
      fprintf(out, "  - %s\n", before->states[i++]);
    else if (order > 0)
      fprintf(out, "  + %s\n", after->states[j++]);
    else
      i++, j++;
  }
}

const char *recorded_difference(struct arena *arena, const struct recorded *before, const struct recorded *after) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  if (before->states && after->states) print_states(before, after, out);
  if (before->observation && after->observation && strcmp(before->observation, after->observation) != 0)
    fprintf(out, "  %s, was %s\n", after->observation, before->observation);
  if (before->undefined_known && after->undefined_known && before->undefined != after->undefined)
    fprintf(out, "  %s undefined behaviour, was %s\n", after->undefined ? "with" : "without",
            before->undefined ? "with" : "without");
  fclose(out);
  const char *difference = size ? arena_strdup(arena, text) : NULL;
  free(text);
  return difference;
}
