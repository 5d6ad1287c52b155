/* SPDX-License-Identifier: MIT */
/* Machine descriptions and settings of their parameters: values from the
 * file, then from the row of a table, then from -params, the last one given
 * counts. */
#include "hwsem/prices/parameters.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "hwsem/xml.h"

enum { ALL_UNITS = -1, NOT_DERIVED = -1 };

/* ---- reading a description --------------------------------------------------- */

static int find(const struct description *d, const char *name, size_t length) {
  for (size_t i = 0; i < d->parameters.count; i++)
    if (text_part_is(name, length, d->parameters.at[i].name)) return (int)i;
  return -1;
}

static bool read_number(const char *text, int64_t *number) {
  return text_is_number(text, INT64_MIN, INT64_MAX, number);
}

/* The default of a number: a number, NAME or NAME/DIVISOR.  Returns why not, or NULL. */
static const char *read_default(struct arena *arena, const struct description *d, struct parameter *p) {
  p->from = NOT_DERIVED;
  if (p->low > p->high) return "its range is empty";
  if (read_number(p->initial, &p->value))
    return p->value < p->low || p->value > p->high ? "its value is outside its range" : NULL;
  const char *slash = strchrnul(p->initial, '/');
  p->from = find(d, p->initial, (size_t)(slash - p->initial));
  p->divisor = 1;
  if (p->from < 0 || d->parameters.at[p->from].kind != PARAMETER_NUMBER)
    return arena_printf(arena, "no number '%.*s' is defined before it", (int)(slash - p->initial), p->initial);
  if (*slash && (!read_number(slash + 1, &p->divisor) || p->divisor < 1)) return "its divisor is not a positive number";
  return NULL;
}

static void read_parameter(struct arena *arena, const struct xml_file *file, const struct xml_node *node,
                           struct description *d, struct diags *diags) {
  struct parameter p = {.name = xml_value(node, "name"),
                        .unit = xml_value(node, "unit"),
                        .source = xml_value(node, "source"),
                        .meaning = xml_text(arena, node),
                        .initial = xml_value(node, "value"),
                        .from = NOT_DERIVED,
                        .each = xml_value(node, "each") != NULL};
  const char *words = xml_value(node, "words"), *fault = NULL;
  if (xml_value(node, "kind")) {
    p.kind = PARAMETER_TEXT;
  } else if (words) {
    p.kind = PARAMETER_WORD;
    p.words = text_split(arena, words, XML_BLANKS, NULL);
    p.value = text_place(p.initial, p.words);
    if (p.value < 0) fault = "its value is not one of its words";
  } else {
    p.low = strtoll(xml_value(node, "low"), NULL, 10);
    p.high = strtoll(xml_value(node, "high"), NULL, 10);
    fault = read_default(arena, d, &p);
  }
  if (find(d, p.name, strlen(p.name)) >= 0) fault = "it is defined twice";
  if (fault) diag_error(diags, file->source, xml_span(file, node), "parameter '%s': %s", p.name, fault);
  *vec_push(arena, &d->parameters) = p;
}

static bool read_assignments(struct arena *arena, const struct description *description, const struct source *source,
                             struct assignments *assignments, struct diags *diags);

static void read_row(struct arena *arena, const struct xml_file *file, const struct xml_node *node,
                     struct description *d, struct diags *diags) {
  const char *set = xml_value(node, "set");
  struct parameter_row row = {xml_value(node, "table"), xml_value(node, "name"), {0}};
  struct span span = xml_span(file, node);
  unsigned line, column;
  source_position(file->source, span.at, &line, &column);
  const char *where = arena_printf(arena, "%s:%u (row '%s')", file->source->name, line, row.name);
  read_assignments(arena, d, source_from_text(arena, where, set, strlen(set)), &row.set, diags);
  *vec_push(arena, &d->rows) = row;
}

enum { MOST_PARAMETERS = 1000 }; /* far above any machine's */

struct description *description_load(struct arena *arena, const char *name, const struct xml_folders *search,
                                     struct diags *diags) {
  struct xml_file file;
  if (!xml_open(arena, name, (struct xml_kind){"timing.rng", "timed machine"}, search, &file, diags)) return NULL;
  struct description *d = ARENA_NEW(arena, struct description);
  size_t before = diags->errors;
  d->name = xml_value(file.root, "name");
  d->source = file.source;
  for (const struct xml_node *node = xml_first(file.root); node; node = xml_next(node)) {
    if (xml_is(node, "title")) d->title = xml_text(arena, node);
    if (xml_is(node, "about")) d->about = xml_text(arena, node);
    if (xml_is(node, "parameter") && d->parameters.count == MOST_PARAMETERS) {
      diag_error(diags, file.source, xml_span(&file, node), "more than %d parameters", MOST_PARAMETERS);
      break;
    }
    if (xml_is(node, "parameter")) read_parameter(arena, &file, node, d, diags);
    if (xml_is(node, "row") && diags->errors == before) read_row(arena, &file, node, d, diags);
  }
  return diags->errors == before ? d : NULL;
}

/* ---- name=value,... ------------------------------------------------------------ */

struct reader {
  struct arena *arena;
  const struct description *description;
  const struct source *source;
  struct diags *diags;
};

static const char *nearest_name(const struct reader *r, const char *name) {
  const struct description *d = r->description;
  const char **names = ROW_TEXTS(r->arena, d->parameters.at, d->parameters.count, name);
  const char *nearest = suggest(name, names);
  if (nearest) return nearest;
  for (size_t i = 0; names[i]; i++)
    if (!strcasecmp(names[i], name)) return names[i];
  return NULL;
}

/* Finds the parameter of a name, with the unit's number after it where it has
 * one. */
static bool resolve(const struct reader *r, const char *name, struct assignment *a) {
  const struct description *d = r->description;
  int found = find(d, name, strlen(name));
  a->unit = ALL_UNITS;
  if (found < 0) {
    size_t stem = strcspn(name, "0123456789");
    found = find(d, name, stem);
    if (found >= 0 && (!d->parameters.at[found].each || !read_number(name + stem, &a->unit))) found = -1;
  }
  if (found >= 0) {
    a->parameter = (unsigned)found;
    return true;
  }
  const char *nearest = nearest_name(r, name);
  return diag_error(r->diags, r->source, a->span, "machine '%s' has no parameter '%s'%s", d->name, name,
                    suggest_hint(r->arena, nearest));
}

static bool read_word(const struct reader *r, const struct parameter *p, struct assignment *a) {
  int index = text_place(a->text, p->words);
  a->number = index;
  if (index >= 0) return true;
  const char *nearest = suggest(a->text, p->words);
  size_t count = 0;
  while (p->words[count]) count++;
  return diag_error(r->diags, r->source, a->span, "%s must be %s, not '%s'%s", p->name,
                    text_list(r->arena, p->words, count, " or "), a->text, suggest_hint(r->arena, nearest));
}

static bool read_value(const struct reader *r, struct assignment *a) {
  const struct parameter *p = &r->description->parameters.at[a->parameter];
  if (p->kind == PARAMETER_TEXT) return true;
  if (p->kind == PARAMETER_WORD) return read_word(r, p, a);
  if (read_number(a->text, &a->number) && a->number >= p->low && a->number <= p->high) return true;
  return diag_error(r->diags, r->source, a->span,
                    "%s (%s) must be a whole number from %" PRId64 " to %" PRId64 ", not '%s'", p->name, p->unit,
                    p->low, p->high, a->text);
}

static bool is_repeated(const struct assignments *assignments, const struct assignment *a) {
  ARRAY_EACH (const struct assignment, other, assignments->list.at, assignments->list.count)
    if (other->parameter == a->parameter && other->unit == a->unit) return true;
  return false;
}

/* assignment = name "=" value */
static bool read_assignment(const struct reader *r, size_t from, size_t to, struct assignments *assignments) {
  const char *text = r->source->text;
  const char *equals = memchr(text + from, '=', to - from);
  struct assignment a = {.span = {(uint32_t)from, (uint32_t)(to - from)}};
  size_t length = equals ? (size_t)(equals - text) - from : 0;
  if (!equals || length == 0 || from + length + 1 == to)
    return diag_error(r->diags, r->source, a.span, "expected name=value");
  const char *name = arena_strndup(r->arena, text + from, length);
  a.text = arena_strndup(r->arena, equals + 1, to - from - length - 1);
  if (!resolve(r, name, &a) || !read_value(r, &a)) return false;
  if (is_repeated(assignments, &a)) return diag_error(r->diags, r->source, a.span, "%s is given twice", name);
  *vec_push(r->arena, &assignments->list) = a;
  return true;
}

static bool separates(char c) {
  return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads `name=value,...` (separated by commas or spaces).  On failure adds diagnostics and returns false. */
static bool read_assignments(struct arena *arena, const struct description *description, const struct source *source,
                             struct assignments *assignments, struct diags *diags) {
  struct reader r = {arena, description, source, diags};
  bool good = true;
  *assignments = (struct assignments){.source = source};
  for (size_t at = 0, end; at < source->size; at = end + 1) {
    for (end = at; end < source->size && !separates(source->text[end]);) end++;
    if (end > at) good = read_assignment(&r, at, end, assignments) && good;
  }
  return good;
}

/* ---- settings -------------------------------------------------------------------- */

static const struct assignment *find_assignment(const struct assignments *set, unsigned parameter, int64_t unit) {
  for (size_t i = 0; set && i < set->list.count; i++)
    if (set->list.at[i].parameter == parameter && set->list.at[i].unit == unit) return &set->list.at[i];
  return NULL;
}

/* What is set for a parameter: by the user, else by the row; NULL: the default. */
static const struct assignment *chosen(const struct setting *s, unsigned parameter, int64_t unit) {
  const struct assignment *a = find_assignment(s->user, parameter, unit);
  return a ? a : find_assignment(s->row, parameter, unit);
}

/* For a unit, a default that is another parameter is what that is for the unit. */
static int64_t number_of(const struct setting *s, unsigned parameter, int64_t unit) {
  s->used[parameter] = true;
  const struct assignment *a = chosen(s, parameter, unit);
  if (!a) a = chosen(s, parameter, ALL_UNITS);
  if (a) return a->number;
  const struct parameter *p = &s->description->parameters.at[parameter];
  return p->from == NOT_DERIVED ? p->value : number_of(s, (unsigned)p->from, unit) / p->divisor;
}

static const char *text_of(const struct setting *s, unsigned parameter) {
  s->used[parameter] = true;
  const struct assignment *a = chosen(s, parameter, ALL_UNITS);
  return a ? a->text : s->description->parameters.at[parameter].initial;
}

static int expect(const struct setting *s, const char *name) {
  int found = find(s->description, name, strlen(name));
  if (found < 0)
    diag_error(s->diags, s->description->source, (struct span){0, 0},
               "machine '%s' is not the kind that this view times: it has no parameter '%s'", s->description->name,
               name);
  return found;
}

int64_t setting_number(const struct setting *setting, const char *name) {
  return setting_number_of_unit(setting, name, ALL_UNITS);
}

const char *setting_text(const struct setting *setting, const char *name) {
  int found = expect(setting, name);
  return found < 0 ? "" : text_of(setting, (unsigned)found);
}

int64_t setting_number_of_unit(const struct setting *setting, const char *name, int64_t unit) {
  int found = expect(setting, name);
  return found < 0 ? 0 : number_of(setting, (unsigned)found, unit);
}

bool setting_check_units(const struct setting *setting, const char *name, int64_t count) {
  const struct assignments *sets[] = {setting->user, setting->row};
  for (int k = 0; k < 2; k++)
    ARRAY_EACH (const struct assignment, a, sets[k]->list.at, sets[k]->list.count) {
      if (a->unit < count) continue;
      if (k == 0)
        diag_error(setting->diags, sets[k]->source, a->span, "unit %d is set, but there are only %s=%d", (int)a->unit,
                   name, (int)count);
      else
        setting_error(setting, name, "unit %d is set, but there are only %s=%d", (int)a->unit, name, (int)count);
      return false;
    }
  return true;
}

bool setting_is_given(const struct setting *setting, const char *name) {
  int found = find(setting->description, name, strlen(name));
  return found >= 0 && find_assignment(setting->user, (unsigned)found, ALL_UNITS);
}

bool setting_is_changed(const struct setting *setting) {
  ARRAY_EACH (const struct assignment, own, setting->row->list.at, setting->row->list.count) {
    const struct assignment *given = find_assignment(setting->user, own->parameter, own->unit);
    if (given && strcmp(given->text, own->text) != 0) return true;
  }
  return false;
}

bool setting_fill(const struct setting *setting, const struct parameter_field *fields, size_t count, void *parameters) {
  size_t before = setting->diags->errors;
  for (size_t i = 0; i < count && setting->diags->errors == before; i++) {
    int64_t value = setting_number(setting, fields[i].name);
    memcpy((char *)parameters + fields[i].offset, &value, sizeof value);
  }
  return setting->diags->errors == before;
}

bool setting_error(const struct setting *setting, const char *parameter, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(setting->diags->arena, format, args);
  va_end(args);
  int found = find(setting->description, parameter, strlen(parameter));
  const struct assignments *sets[] = {setting->user, setting->row};
  const struct source *source = setting->description->source;
  struct span span = {0, 0};
  for (int i = 1; i >= 0 && found >= 0; i--) {
    const struct assignment *a = find_assignment(sets[i], (unsigned)found, ALL_UNITS);
    if (a) source = sets[i]->source, span = a->span;
  }
  return diag_error(setting->diags, source, span, "%s", message);
}

/* ---- rows ------------------------------------------------------------------------- */

/* Do two rows of a table come to the same, under what the user gave? */
static bool is_same(const struct setting *a, const struct setting *b) {
  const struct assignments *rows[] = {a->row, b->row};
  for (int side = 0; side < 2; side++)
    ARRAY_EACH (const struct assignment, given, rows[side]->list.at, rows[side]->list.count) {
      if (find_assignment(a->user, given->parameter, given->unit)) continue;
      const struct assignment *other = find_assignment(rows[1 - side], given->parameter, given->unit);
      if (!other || strcmp(other->text, given->text) != 0) return false;
    }
  return true;
}

static bool is_overridden(const struct setting *s) {
  for (size_t i = 0; i < s->row->list.count; i++)
    if (!find_assignment(s->user, s->row->list.at[i].parameter, s->row->list.at[i].unit)) return false;
  return true;
}

static bool is_filtered_out(const struct setting *s, const char *filter) {
  if (!filter || !setting_is_given(s, filter)) return false;
  unsigned parameter = (unsigned)find(s->description, filter, strlen(filter));
  const struct assignment *own = find_assignment(s->row, parameter, ALL_UNITS);
  return own && strcmp(own->text, find_assignment(s->user, parameter, ALL_UNITS)->text) != 0;
}

struct settings settings_of_table(struct arena *arena, const struct setting *given, const struct row_choice *choice) {
  struct settings settings = {0};
  if (choice->alone && setting_is_given(given, choice->alone)) {
    *vec_push(arena, &settings.list) = *given;
    return settings;
  }
  ARRAY_EACH (const struct parameter_row, row, given->description->rows.at, given->description->rows.count) {
    if (strcmp(row->table, choice->table) != 0) continue;
    struct setting s = *given;
    s.row = &row->set;
    if (is_filtered_out(&s, choice->filter)) continue;
    if (!is_overridden(&s)) s.name = row->name;
    bool known = false;
    for (size_t j = 0; j < settings.list.count && !known; j++) known = is_same(&settings.list.at[j], &s);
    if (!known) *vec_push(arena, &settings.list) = s;
  }
  if (settings.list.count == 0 && (choice->alone || choice->filter)) *vec_push(arena, &settings.list) = *given;
  return settings;
}

bool setting_given(struct arena *arena, const char *machine, const char *params, const struct xml_folders *search,
                   struct setting *setting, struct diags *diags) {
  struct description *description = description_load(arena, machine, search, diags);
  if (!description) return false;
  struct assignments *user = ARENA_NEW(arena, struct assignments);
  const struct source *source = source_from_text(arena, "-params", params ? params : "", params ? strlen(params) : 0);
  if (!read_assignments(arena, description, source, user, diags)) return false;
  *setting = (struct setting){.description = description, .user = user, .name = "given", .diags = diags};
  setting->row = ARENA_NEW(arena, struct assignments);
  setting->used = ARENA_ARRAY(arena, bool, description->parameters.count);
  return true;
}

void parameter_print(const struct parameter *p, FILE *out) {
  fprintf(out, "  %-9s %s", p->name, p->initial);
  if (p->kind == PARAMETER_NUMBER) fprintf(out, " (%s)", p->unit);
  for (int i = 0; p->words && p->words[i]; i++) fprintf(out, "%s%s", i ? "|" : " (", p->words[i]);
  fprintf(out, "%s  %s  [%s]\n", p->words ? ")" : "", p->meaning, p->source);
}
