/* SPDX-License-Identifier: MIT */
/* The notation of families: `2x2,orders=na+ra,scopes=wg+dev,remote`, and files of programs. */
#include <string.h>
#include <unistd.h>

#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/small_programs/small_family.h"
#include "checker/small_programs/small_language_list.h"
#include "checker/small_programs/small_language_words.h"

struct word {
  const char *text;
  unsigned bit;
};

static const struct word ORDERS[] = {{"na", SMALL_NA}, {"rlx", SMALL_RLX}, {"ra", SMALL_RA}, {"sc", SMALL_SC}, {0}};
static const struct word SCOPES[] = {{"wg", SMALL_WG},      {"cta", SMALL_WG},  {"qf", SMALL_QF},
                                     {"cluster", SMALL_QF}, {"dev", SMALL_DEV}, {"gpu", SMALL_DEV},
                                     {"dv", SMALL_DEV},     {"sys", SMALL_SYS}, {0}};
struct reading {
  struct arena *arena;
  const char *option;
  struct small_family *family;
  struct diags *diags;
};

static const struct word *find_word(const struct word *words, const char *text, size_t length) {
  for (; words->text; words++)
    if (text_part_is(text, length, words->text)) return words;
  return NULL;
}

static bool fail(struct reading *r, const char *message) {
  return diag_fail(r->diags, "option %s: %s", r->option, message);
}

/* `a+b+c` as bits. */
static bool read_set(struct reading *r, const struct word *words, const char *text, unsigned *set) {
  for (*set = 0; *text;) {
    size_t length = strcspn(text, "+");
    const struct word *word = find_word(words, text, length);
    if (!word)
      return diag_fail(r->diags, "option %s: unknown %s '%.*s'", r->option,
                       words == ORDERS ? "order (na, rlx, ra, sc)" : "scope (wg, qf, cluster, dev, sys)", (int)length,
                       text);
    *set |= word->bit;
    text += length + (text[length] == '+');
  }
  return *set || fail(r, "an empty list");
}

static bool read_count(struct reading *r, const char *text, unsigned most, unsigned *count) {
  int64_t value;
  if (!text_is_number(text, 1, most, &value))
    return diag_fail(r->diags, "option %s: expected a number from 1 to %u, found '%s'", r->option, most, text);
  *count = (unsigned)value;
  return true;
}

static bool read_language(struct reading *r, const char *text) {
  for (const struct small_language *const *l = small_languages; *l; l++)
    if (!strcmp((*l)->name, text)) {
      r->family->language = *l;
      return true;
    }
  return fail(r, arena_printf(r->arena, "languages are %s", small_language_names(r->arena)));
}

static bool read_size(struct reading *r, const char *text) {
  struct small_family *f = r->family;
  int used = 0;
  if (sscanf(text, "%1ux%1u%n", &f->threads, &f->ops, &used) == 2 && text[used] == '\0' && f->threads >= 2 &&
      f->threads <= SMALL_FAMILY_THREADS && f->ops >= 1 && f->ops <= SMALL_FAMILY_OPS)
    return true;
  return diag_fail(
      r->diags,
      "option %s: unexpected '%s': expected THREADSxOPS (2x1 to %dx%d), then guarded, devices=2 and the like, or G2, "
      "M3, guarded or a file of programs",
      r->option, text, SMALL_FAMILY_THREADS, SMALL_FAMILY_OPS);
}

static bool read_switch(struct reading *r, const char *text) {
  struct small_family *f = r->family;
  bool *of = !strcmp(text, "guarded")    ? &f->guarded
             : !strcmp(text, "fences")   ? &f->fences
             : !strcmp(text, "barriers") ? &f->barriers
             : !strcmp(text, "remote")   ? &f->remote
                                         : NULL;
  if (of) *of = true;
  return of;
}

/* If the text is `name=value`, the value. */
static const char *value_of(const char *text, const char *name) {
  size_t length = strlen(name);
  return !strncmp(text, name, length) && text[length] == '=' ? text + length + 1 : NULL;
}

static bool read_part(struct reading *r, const char *text) {
  const char *value;
  if (read_switch(r, text)) return true;
  if ((value = value_of(text, "orders"))) return read_set(r, ORDERS, value, &r->family->orders);
  if ((value = value_of(text, "scopes"))) return read_set(r, SCOPES, value, &r->family->scopes);
  if ((value = value_of(text, "locations"))) return read_count(r, value, SMALL_GLOBALS, &r->family->locations);
  if ((value = value_of(text, "words"))) return read_count(r, value, SMALL_FAMILY_OPS, &r->family->words);
  if ((value = value_of(text, "clusters"))) return read_count(r, value, SMALL_FAMILY_THREADS, &r->family->clusters);
  if ((value = value_of(text, "classes"))) return read_count(r, value, 2, &r->family->classes);
  if ((value = value_of(text, "devices"))) return read_count(r, value, SMALL_FAMILY_THREADS, &r->family->devices);
  if ((value = value_of(text, "language"))) return read_language(r, value);
  return diag_fail(
      r->diags,
      "option %s: unexpected '%s': expected guarded, fences, barriers, remote, orders=, scopes=, words=, locations=, "
      "clusters=, devices=, classes= or language=",
      r->option, text);
}

/* What a language has against operations of this kind, scope and order; false: something, and it is said. */
static bool check_op(struct reading *r, char kind, char scope, char order, const char *advice) {
  const struct small_op op = {.kind = kind, .scope = scope, .order = order};
  const char *refusal = small_refusal_of_op(r->arena, r->family->language, &op);
  return !refusal || fail(r, arena_printf(r->arena, "%s%s", refusal, advice));
}

/* What a language does not have is not left out in silence. */
static bool check(struct reading *r) {
  const struct small_family *f = r->family;
  const char *called = f->language->called;
  if (f->scopes && !check_op(r, 'R', 'w', 0, "")) return false;
  if (f->devices > 1 && !small_is_scoped(f->language))
    return fail(r, arena_printf(r->arena, "%s has no devices", called));
  if (f->clusters && !small_has_clusters(f->language))
    return fail(r, arena_printf(r->arena, "%s has no clusters", called));
  if (f->classes && !small_class_word(f->language))
    return fail(r, arena_printf(r->arena, "%s has no storage classes", called));
  if (f->words && !small_has_words(f->language))
    return fail(r,
                "'words' are those of PTX and Vulkan: other languages' operations have no more than orders and scopes");
  if (f->barriers && !check_op(r, 'B', 'w', 0, "")) return false;
  if (f->remote && !check_op(r, 'R', 'D', 0, "")) return false;
  if (f->remote && !(f->scopes & (SMALL_DEV | SMALL_SYS)))
    return fail(r, "'remote' goes with scopes=, of which one is dev or sys");
  if (f->scopes & SMALL_QF && !check_op(r, 'R', 'q', 0, "")) return false;
  if (f->scopes & SMALL_SYS && !small_has_scope(f->language, 's'))
    return fail(r, arena_printf(r->arena, "%s has no scope sys", called));
  if (!(f->orders & SMALL_SC)) return true;
  const char *advice = small_has_order(f->language, 'F', 'c') ? ": add 'fences'" : "";
  return check_op(r, f->fences ? 'F' : 'R', 'n', 'c', advice);
}

/* ---- lists ---- */

bool small_read_line(const struct source *source, struct span span, const struct small_language *language,
                     struct small_program *program, struct diags *diags) {
  const char *line = arena_strndup(diags->arena, source->text + span.at, span.length);
  const char *stop = small_read(line, language, program), *refusal = stop ? NULL : small_refusal(diags->arena, program);
  if (!stop && !refusal && strchr(line, '{')) refusal = small_fault(diags->arena, program);
  if (stop) {
    span.at += (uint32_t)(stop - line);
    span.length -= (uint32_t)(stop - line);
    diag_error(diags, source, span, "%s", small_read_fault(stop, program));
  } else if (refusal) {
    diag_error(diags, source, span, "%s", refusal);
  }
  return !stop && !refusal;
}

/* Equal words have equal numbers, so that programs that differ in words have other codes. */
static void number_forms(struct reading *r, struct small_op *op) {
  struct small_forms *forms = &r->family->forms;
  const char *words = arena_strndup(r->arena, op->words, op->word_length);
  size_t f = 0;
  while (f < forms->count && (forms->at[f].kind != op->kind || strcmp(forms->at[f].words, words) != 0)) f++;
  if (f == forms->count) *vec_push(r->arena, forms) = (struct small_form){.kind = op->kind, .words = words};
  op->words = forms->at[f].words;
  op->form = (uint16_t)(f + 1);
}

/* A program, nothing, or a comment. */
static bool read_line(struct reading *r, const struct source *source, struct span span) {
  struct small_listed listed = {0};
  size_t blanks = strspn(source->text + span.at, " \t");
  if (blanks >= span.length || source->text[span.at + blanks] == '#') return true;
  if (!small_read_line(source, span, r->family->language, &listed.program, r->diags)) return false;
  for (unsigned t = 0; t < listed.program.threads; t++)
    for (unsigned i = 0; i < listed.program.count[t]; i++)
      if (listed.program.ops[t][i].words) number_forms(r, &listed.program.ops[t][i]);
  *vec_push(r->arena, &r->family->list) = listed;
  return true;
}

static bool read_file(struct reading *r, const char *path) {
  const struct source *source = source_read(r->arena, path, r->diags);
  r->family->from_file = true;
  if (!source) return false;
  struct cursor lines = cursor_at_start(source);
  for (struct span line; cursor_take_line(&lines, &line);)
    if (!read_line(r, source, line)) return false;
  if (!r->family->list.count) diag_fail(r->diags, "%s: no small program is in it", path);
  return r->family->list.count;
}

/* ---- families ---- */

static bool begins_with_size(const char *text) {
  return *text >= '0' && *text <= '9' && text[1] == 'x';
}

static bool is_file(const char *text) {
  return strchr(text, '/') || (!begins_with_size(text) && !small_list_is_first(text) && access(text, F_OK) == 0);
}

/* `guarded` alone is a list; after a size it is its word. */
static bool read_item(struct reading *r, const char *item) {
  bool word = r->family->threads && !strcmp(item, "guarded");
  if (!word && r->family->language->lists && small_list_add(r->arena, &r->family->list, item)) return true;
  return r->family->threads ? read_part(r, item) : read_size(r, item);
}

bool small_family_read(struct arena *arena, const char *text, const char *option, const struct small_language *language,
                       struct small_family *family, struct diags *diags) {
  struct reading r = {arena, option, family, diags};
  *family = (struct small_family){.name = text, .language = language, .devices = 1};
  if (is_file(text)) return read_file(&r, text);
  bool first = true;
  for (const char *at = text; *at || first; first = false) {
    size_t length = strcspn(at, ",");
    if (!read_item(&r, arena_strndup(arena, at, length))) return false;
    at += length + (at[length] == ',');
  }
  if (!check(&r)) return false;
  if (family->scopes & SMALL_QF && !family->clusters && small_has_clusters(family->language)) family->clusters = 2;
  if (family->words) small_family_find_forms(arena, family);
  return true;
}
