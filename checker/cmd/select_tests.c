/* SPDX-License-Identifier: MIT */
/* Selection of tests by lists of names (-names, -kinds, -conds, in herd's
 * formats) and by a regular expression (-select), and their other names (-rename). */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "checker/cmd/select_tests.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/litmus.h"
#include "checker/report/log.h"

/* A test named by a file, with what stands after its name. */
struct entry {
  const char *name, *rest;
  const struct source *source;
  struct span span;
  bool met; /* some test has the name */
};

struct list {
  struct entry *at;
  size_t count, room;
};

typedef VEC(const char *) names;

struct selection {
  bool has_names, has_kinds, has_conds;
  struct list names, kinds, conds; /* sorted by name */
  struct list excluded;            /* by -excl and -nonames, sorted by name */
  struct list renamed;             /* by -rename, sorted by old name */
  struct arena *arena;
  names met; /* of all tests, where there is a list */
  pcre2_code *pattern;
};

static const struct entry *find(const struct list *list, const char *name) {
  struct entry wanted = {.name = name};
  return list->count ? bsearch(&wanted, list->at, list->count, sizeof wanted, text_compare) : NULL;
}

/* The end of what stands before a comment, which `#` or `%` begins outside of quotes. */
static size_t skip_rest(const char *text, size_t at, size_t end) {
  for (bool quoted = false; at < end && (quoted || !strchr("#%", text[at])); at++) quoted ^= text[at] == '"';
  return at;
}

/* A line `NAME [REST]`, with comments where a name could stand, and after the rest. */
static void read_line(struct arena *arena, const struct source *source, size_t start, size_t end, struct list *list) {
  const char *text = source->text;
  while (start < end && strchr(" \t\r", text[start])) start++;
  while (end > start && strchr(" \t\r", text[end - 1])) end--;
  if (start == end || strchr("#%", text[start])) return;
  size_t stop = start;
  while (stop < end && !strchr(" \t", text[stop])) stop++;
  end = skip_rest(text, stop, end);
  while (end > stop && strchr(" \t", text[end - 1])) end--;
  struct entry *entry = vec_push(arena, list);
  entry->name = arena_strndup(arena, text + start, stop - start);
  entry->source = source;
  entry->span = (struct span){(uint32_t)start, (uint32_t)(end - start)};
  while (stop < end && strchr(" \t", text[stop])) stop++;
  if (end - stop >= 2 && text[stop] == '"' && text[end - 1] == '"') stop++, end--;
  entry->rest = arena_strndup(arena, text + stop, end - stop);
}

/* Every line of a -kinds file names a kind, of a -conds file a condition, of a -rename file a name. */
static void check_line(enum option_id id, const struct source *source, const struct entry *entry, struct diags *diags) {
  enum quantifier kind;
  if (id == OPTION_KINDS && !log_read_kind(entry->rest, &kind))
    diag_error(diags, source, entry->span, "expected `NAME Allowed`, `NAME Forbidden` or `NAME Required`");
  if (id == OPTION_CONDS && !*entry->rest)
    diag_error(diags, source, entry->span, "expected a condition after the name");
  if (id == OPTION_RENAME && (!*entry->rest || strpbrk(entry->rest, " \t")))
    diag_error(diags, source, entry->span, "expected a name and the new name");
}

static void read_file(struct invocation *call, enum option_id id, const char *path, struct list *list,
                      struct diags *diags) {
  const struct source *source = source_read(call->arena, path, diags);
  if (!source) return;
  struct cursor lines = cursor_at_start(source);
  for (struct span line; cursor_take_line(&lines, &line);) {
    size_t before = list->count;
    read_line(call->arena, source, line.at, line.at + line.length, list);
    if (list->count > before) check_line(id, source, &list->at[before], diags);
  }
}

/* A test cannot have two kinds, or two conditions. */
static void check_twice(const struct list *list, struct diags *diags) {
  for (size_t i = 1; i < list->count; i++) {
    const struct entry *a = &list->at[i - 1], *b = &list->at[i];
    if (strcmp(a->name, b->name) != 0 || !strcmp(a->rest, b->rest)) continue;
    bool later = a->source == b->source && a->span.at > b->span.at;
    diag_error(diags, later ? a->source : b->source, later ? a->span : b->span,
               "'%s' is already there, with something else after it", a->name);
  }
}

/* The option's files as one sorted list; returns whether the option was given. */
static bool read_list(struct invocation *call, enum option_id id, struct list *list, struct diags *diags) {
  const struct option_values *values = &call->values[id];
  for (size_t i = 0; i < values->count; i++) read_file(call, id, values->at[i], list, diags);
  if (list->count) qsort(list->at, list->count, sizeof *list->at, text_compare);
  check_twice(list, diags);
  return values->count > 0;
}

/* The names of a file, and those given as words by another option. */
static bool read_names(struct invocation *call, enum option_id files, enum option_id words, struct list *list,
                       struct diags *diags) {
  size_t count;
  const char **given = option_words(call, words, &count);
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(given[i]);
    const char *option = arena_printf(call->arena, "-%s", option_table[words].name);
    const struct source *source = source_from_text(call->arena, option, given[i], length);
    *vec_push(call->arena, list) =
        (struct entry){.name = given[i], .rest = "", .source = source, .span = {0, (uint32_t)length}};
  }
  return read_list(call, files, list, diags) || count;
}

static void read_pattern(struct invocation *call, struct selection *selection, struct diags *diags) {
  const char *text = option_text(call, OPTION_SELECT);
  if (!text) return;
  int code;
  PCRE2_SIZE at;
  selection->pattern = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_UTF, &code, &at, NULL);
  if (selection->pattern) return;
  PCRE2_UCHAR message[256];
  pcre2_get_error_message(code, message, sizeof message);
  const struct source *source = source_from_text(call->arena, "-select", text, strlen(text));
  diag_error(diags, source, (struct span){(uint32_t)at, 0}, "%s", (const char *)message);
}

struct selection *selection_new(struct invocation *call, struct diags *diags) {
  struct selection *selection = ARENA_NEW(call->arena, struct selection);
  size_t errors = diags->errors;
  selection->arena = call->arena;
  selection->has_names = read_names(call, OPTION_NAMES, OPTION_OKNAMES, &selection->names, diags);
  read_names(call, OPTION_EXCL, OPTION_NONAMES, &selection->excluded, diags);
  read_list(call, OPTION_RENAME, &selection->renamed, diags);
  selection->has_kinds = read_list(call, OPTION_KINDS, &selection->kinds, diags);
  selection->has_conds = read_list(call, OPTION_CONDS, &selection->conds, diags);
  read_pattern(call, selection, diags);
  if (diags->errors == errors) return selection;
  selection_free(selection);
  return NULL;
}

void selection_free(struct selection *selection) {
  if (selection->pattern) pcre2_code_free(selection->pattern);
  selection->pattern = NULL;
}

/* A name that the pattern cannot be tried on, because that would take too long
 * or the name is no UTF-8, is neither chosen nor left out. */
static bool matches(const pcre2_code *pattern, const char *name, struct diags *diags) {
  pcre2_match_data *data = pcre2_match_data_create(1, NULL);
  int result =
      data ? pcre2_match(pattern, (PCRE2_SPTR)name, PCRE2_ZERO_TERMINATED, 0, 0, data, NULL) : PCRE2_ERROR_NOMEMORY;
  pcre2_match_data_free(data);
  if (result == PCRE2_ERROR_NOMEMORY) guard_out_of_memory();
  if (result >= 0 || result == PCRE2_ERROR_NOMATCH) return result >= 0;
  PCRE2_UCHAR message[256];
  pcre2_get_error_message(result, message, sizeof message);
  return diag_fail(diags, "-select on '%s': %s", name, (const char *)message);
}

const char *selection_name(const struct selection *selection, const char *name) {
  const struct entry *entry = name ? find(&selection->renamed, name) : NULL;
  return entry ? entry->rest : name;
}

bool selection_wants(const struct selection *selection, const char *name, struct diags *diags) {
  if (find(&selection->excluded, name)) return false;
  return (!selection->has_names || find(&selection->names, name)) &&
         (!selection->has_kinds || find(&selection->kinds, name)) &&
         (!selection->has_conds || find(&selection->conds, name)) &&
         (!selection->pattern || matches(selection->pattern, name, diags));
}

/* Entries of one name are neighbours. */
static void mark(struct list *list, const char *name) {
  struct entry *entry = (struct entry *)find(list, name);
  if (!entry) return;
  while (entry > list->at && !strcmp(entry[-1].name, name)) entry--;
  for (; entry < list->at + list->count && !strcmp(entry->name, name); entry++) entry->met = true;
}

void selection_note(struct selection *selection, const char *name) {
  if (!selection->names.count && !selection->kinds.count && !selection->conds.count) return;
  mark(&selection->names, name);
  mark(&selection->kinds, name);
  mark(&selection->conds, name);
  *vec_push(selection->arena, &selection->met) = arena_strdup(selection->arena, name);
}

static void warn_of(const struct list *list, const char *const *met, struct diags *diags) {
  enum { MOST = 4 };
  size_t count = 0;
  ARRAY_EACH (const struct entry, entry, list->at, list->count) {
    if (entry->met || count++ >= MOST) continue;
    const char *near = suggest(entry->name, met);
    diag_warning(diags, entry->source, (struct span){entry->span.at, (uint32_t)strlen(entry->name)},
                 "no test is called '%s'%s", entry->name, suggest_hint(diags->arena, near));
  }
  if (count > MOST) diag_warning(diags, NULL, (struct span){0}, "%zu more names match no test", count - MOST);
}

void selection_warn(const struct selection *selection, struct diags *diags) {
  const char **met = ARENA_ARRAY(selection->arena, const char *, selection->met.count + 1);
  for (size_t i = 0; i < selection->met.count; i++) met[i] = selection->met.at[i];
  warn_of(&selection->names, met, diags);
  warn_of(&selection->kinds, met, diags);
  warn_of(&selection->conds, met, diags);
}

void selection_apply(const struct selection *selection, struct arena *arena, struct litmus_test *test) {
  const struct entry *entry = find(&selection->kinds, test->name);
  if (!entry || !log_read_kind(entry->rest, &test->quantifier)) return;
  static const char *const words[] = {"exists", "~exists", "forall"};
  const char *prop = strchr(test->condition_text, ' ');
  test->condition_text = arena_printf(arena, "%s%s", words[test->quantifier], prop ? prop : "");
}

const char *selection_condition(const struct selection *selection, const char *name) {
  const struct entry *entry = find(&selection->conds, name);
  return entry ? entry->rest : NULL;
}

const char *selection_peek_name(struct arena *arena, const struct source *source) {
  if (spirv_is_kernel(source)) return spirv_name(arena, source->name);
  const char *text = source->text + litmus_header(source).at;
  text += strcspn(text, " \t\r\n");
  text += strspn(text, " \t");
  size_t length = strcspn(text, " \t\r\n{");
  return length ? arena_strndup(arena, text, length) : NULL;
}
