/* SPDX-License-Identifier: MIT */
/* Validation by sets of places: a pattern takes each place that an element's
 * content may have been read up to (which attributes are used, which child is
 * next) to the places behind it, as an automaton that is not deterministic does.
 * It takes the place of libxml2's validator, whose heap is corrupt after an
 * allocation has failed. */
#include "hwsem/xml_schema.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/embed.h"
#include "checker/base/guard.h"
#include "checker/base/vec.h"

/* ---- the schemas, as they are in mappings/ ---- */

#define SCHEMA_LIST(X) X(adsm) X(amdgpu) X(amo) X(gpu) X(machine) X(mapping) X(timing) X(translation)
#define SCHEMA_TEXT(id) EMBED_TEXT(xml_schema_##id, "mappings/" #id ".rng")
SCHEMA_LIST(SCHEMA_TEXT)
#undef SCHEMA_TEXT

const struct xml_node *xml_schema(struct arena *arena, const char *name) {
#define SCHEMA_ROW(id) {#id ".rng", xml_schema_##id},
  static const struct { const char *name, *text; } schemas[] = {SCHEMA_LIST(SCHEMA_ROW)};
#undef SCHEMA_ROW
  struct diags diags = diags_new(arena);
  for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
    if (strcmp(schemas[i].name, name) != 0) continue;
    struct source source = {name, schemas[i].text, strlen(schemas[i].text)};
    return xml_read(arena, &source, &diags);
  }
  return NULL;
}

/* ---- trees ---- */

static bool is(const struct xml_node *node, const char *name) {
  return !strcmp(node->name, name);
}

const char *xml_value(const struct xml_node *node, const char *name) {
  for (const struct xml_attribute *a = node->attributes; a; a = a->next)
    if (!strcmp(a->name, name)) return a->value;
  return NULL;
}

const struct xml_node *xml_definition(const struct xml_node *schema, const struct xml_node *ref) {
  for (const struct xml_node *d = schema->child; d; d = d->next)
    if (is(d, "define") && !strcmp(xml_value(d, "name"), xml_value(ref, "name"))) return d;
  return NULL;
}

/* ---- places ---- */

/* Up to where content is read: `used` has a bit for each attribute, `next` is
 * the first child that is left. */
struct place {
  uint64_t used;
  const struct xml_node *next;
  bool text; /* text is allowed */
};

typedef VEC(struct place) places;

struct reading {
  struct arena *arena;
  const struct xml_node *schema;
  struct xml_fault fault;
  bool failed;                           /* `fault` is the first, innermost one */
  const struct xml_node *within, *stuck; /* the child of `within` that a pattern could not pass last */
  const struct xml_node *unfit_of;       /* an element whose attribute `unfit` no data can have as its value */
  const struct xml_attribute *unfit;
};

/* The same place comes again soon, if at all: places move on together. */
static void add_place(struct reading *r, places *to, struct place place) {
  enum { RECENT = 16 };
  for (size_t i = to->count > RECENT ? to->count - RECENT : 0; i < to->count; i++)
    if (to->at[i].used == place.used && to->at[i].next == place.next && to->at[i].text == place.text) return;
  *vec_push(r->arena, to) = place;
}

static void match(struct reading *r, const struct xml_node *pattern, const struct xml_node *node, struct place from,
                  places *to);

static void match_all(struct reading *r, const struct xml_node *pattern, const struct xml_node *node,
                      const places *from, places *to) {
  for (size_t i = 0; i < from->count; i++) match(r, pattern, node, from->at[i], to);
}

/* The patterns inside another, one behind the other. */
static void match_group(struct reading *r, const struct xml_node *group, const struct xml_node *node, struct place from,
                        places *to) {
  places now = {0};
  add_place(r, &now, from);
  for (const struct xml_node *part = group->child; part && now.count; part = part->next) {
    if (is(part, "anyName")) continue;
    places behind = {0};
    match_all(r, part, node, &now, &behind);
    if (!behind.count) r->within = node;
    if (!behind.count) r->stuck = now.at[now.count - 1].next;
    now = behind;
  }
  for (size_t i = 0; i < now.count; i++) add_place(r, to, now.at[i]);
}

/* Any number of times.  Rounds that take nothing end it: places only move on. */
static void match_repeated(struct reading *r, const struct xml_node *group, const struct xml_node *node,
                           struct place from, places *to) {
  places now = {0}, all = {0};
  add_place(r, &now, from);
  while (now.count) {
    places behind = {0};
    for (size_t i = 0; i < now.count; i++) {
      size_t before = behind.count;
      match_group(r, group, node, now.at[i], &behind);
      for (size_t k = before; k < behind.count; k++)
        if (behind.at[k].next == now.at[i].next && behind.at[k].used == now.at[i].used)
          behind.at[k--] = behind.at[--behind.count];
    }
    for (size_t i = 0; i < behind.count; i++) *vec_push(r->arena, &all) = behind.at[i];
    now = behind;
  }
  for (size_t i = 0; i < all.count; i++) *vec_push(r->arena, to) = all.at[i];
}

/* ---- values ---- */

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct word {
  const char *at;
  size_t length;
};

static bool is_whole(struct word word, bool positive) {
  size_t sign = word.length && (word.at[0] == '-' || word.at[0] == '+');
  if (word.length == sign || word.length > 18 || (positive && word.at[0] == '-')) return false;
  bool zero = true;
  for (size_t i = sign; i < word.length; i++) {
    if (word.at[i] < '0' || word.at[i] > '9') return false;
    zero &= word.at[i] == '0';
  }
  return !(positive && zero);
}

/* Of digits, as is_whole has seen them. */
static long long number_of(const char *digits, size_t length) {
  long long number = 0;
  for (size_t i = 0; i < length; i++)
    if (digits[i] != '+') number = 10 * number + (digits[i] - '0');
  return number;
}

static bool is_token_letter(unsigned char c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c && strchr(".-_:", c));
}

static bool is_token(struct word word) {
  for (size_t i = 0; i < word.length; i++)
    if (!is_token_letter((unsigned char)word.at[i])) return false;
  return word.length > 0;
}

/* Does the whole word match?  PCRE2's syntax has that of the schemas within. */
static bool fits_pattern(const struct xml_node *parameter, struct word word) {
  int fault;
  PCRE2_SIZE at;
  pcre2_code *code = pcre2_compile((PCRE2_SPTR)parameter->text, parameter->text_length,
                                   PCRE2_ANCHORED | PCRE2_ENDANCHORED, &fault, &at, NULL);
  pcre2_match_data *data = code ? pcre2_match_data_create(1, NULL) : NULL;
  int result = data ? pcre2_match(code, (PCRE2_SPTR)word.at, word.length, 0, 0, data, NULL) : PCRE2_ERROR_NOMEMORY;
  pcre2_match_data_free(data);
  pcre2_code_free(code);
  if (result < 0 && result != PCRE2_ERROR_NOMATCH) guard_out_of_memory();
  return result >= 0;
}

static bool fits_data(const struct xml_node *data, struct word word) {
  const char *type = xml_value(data, "type");
  const struct xml_node *parameter = data->child;
  if (!strcmp(type, "NMTOKEN")) return is_token(word);
  if (!strcmp(type, "long")) return is_whole(word, false);
  if (!strcmp(type, "token") || !strcmp(type, "string")) return !parameter || fits_pattern(parameter, word);
  if (!is_whole(word, true)) return false;
  return !parameter || number_of(word.at, word.length) <= number_of(parameter->text, parameter->text_length);
}

typedef VEC(struct word) word_list;

static word_list split(struct arena *arena, const char *text) {
  word_list words = {0};
  while (*text) {
    while (is_space(*text)) text++;
    size_t length = 0;
    while (text[length] && !is_space(text[length])) length++;
    if (length) *vec_push(arena, &words) = (struct word){text, length};
    text += length;
  }
  return words;
}

static bool fits_word(const struct xml_node *pattern, struct word word) {
  if (is(pattern, "data")) return fits_data(pattern, word);
  if (is(pattern, "value")) return pattern->text_length == word.length && !memcmp(pattern->text, word.at, word.length);
  for (const struct xml_node *part = pattern->child; part; part = part->next)
    if (fits_word(part, word)) return true;
  return false;
}

/* A list is a choice of words, repeated. */
static bool fits_list(struct reading *r, const struct xml_node *list, const char *text) {
  word_list words = split(r->arena, text);
  const struct xml_node *repeated = list->child;
  for (size_t i = 0; i < words.count; i++)
    if (!fits_word(repeated, words.at[i])) return false;
  return words.count || is(repeated, "zeroOrMore");
}

static bool fits(struct reading *r, const struct xml_node *pattern, const char *text) {
  if (is(pattern, "text")) return true;
  if (is(pattern, "ref")) return fits(r, xml_definition(r->schema, pattern)->child, text);
  if (is(pattern, "list")) return fits_list(r, pattern, text);
  if (is(pattern, "choice")) {
    for (const struct xml_node *part = pattern->child; part; part = part->next)
      if (fits(r, part, text)) return true;
    return false;
  }
  size_t length = strlen(text);
  if (is(pattern, "data") && !strcmp(xml_value(pattern, "type"), "string"))
    return fits_data(pattern, (struct word){text, length});
  while (length && is_space(text[length - 1])) length--;
  while (length && is_space(*text)) text++, length--;
  return fits_word(pattern, (struct word){text, length});
}

static void match_attribute(struct reading *r, const struct xml_node *pattern, const struct xml_node *node,
                            struct place from, places *to) {
  unsigned number = 0;
  for (const struct xml_attribute *a = node->attributes; a; a = a->next, number++) {
    if (strcmp(a->name, xml_value(pattern, "name")) != 0 || from.used >> number & 1) continue;
    if (pattern->child && !fits(r, pattern->child, a->value)) {
      if (is(pattern->child, "data")) r->unfit_of = node, r->unfit = a;
      return;
    }
    if (r->unfit == a) r->unfit_of = NULL; /* another pattern takes it */
    from.used |= UINT64_C(1) << number;
    add_place(r, to, from);
  }
}

/* ---- elements ---- */

static void note_fault(struct reading *r, struct xml_fault fault) {
  if (r->failed) return;
  r->failed = true;
  r->fault = fault;
}

/* None of the places is a good end of the element: what the furthest lacks. */
static void note_end(struct reading *r, const struct xml_node *node, const places *ends) {
  struct xml_fault fault = {.node = node};
  if (!ends->count) {
    fault.value = r->unfit_of == node;
    fault.attribute = fault.value ? r->unfit : NULL;
    fault.child = r->within == node && !fault.value ? r->stuck : NULL;
    note_fault(r, fault);
    return;
  }
  const struct place *last = &ends->at[ends->count - 1];
  unsigned number = 0;
  for (const struct xml_attribute *a = node->attributes; a && !fault.attribute; a = a->next, number++)
    if (!(last->used >> number & 1)) fault.attribute = a;
  if (!fault.attribute) fault.child = last->next;
  note_fault(r, fault);
}

static bool fits_element(struct reading *r, const struct xml_node *pattern, const struct xml_node *node) {
  places ends = {0};
  match_group(r, pattern, node, (struct place){.next = node->child}, &ends);
  unsigned count = 0;
  for (const struct xml_attribute *a = node->attributes; a; a = a->next) count++;
  uint64_t all = (UINT64_C(1) << count) - 1;
  for (size_t i = 0; i < ends.count; i++)
    if (ends.at[i].used == all && !ends.at[i].next && (ends.at[i].text || !node->has_text)) return true;
  note_end(r, node, &ends);
  return false;
}

static bool has_name(const struct xml_node *pattern, const struct xml_node *node) {
  const char *name = xml_value(pattern, "name");
  return !name || !strcmp(name, node->name);
}

static void match(struct reading *r, const struct xml_node *pattern, const struct xml_node *node, struct place from,
                  places *to) {
  if (is(pattern, "element")) {
    if (!from.next || !has_name(pattern, from.next) || !fits_element(r, pattern, from.next)) return;
    from.next = from.next->next;
    add_place(r, to, from);
  } else if (is(pattern, "attribute")) {
    match_attribute(r, pattern, node, from, to);
  } else if (is(pattern, "text")) {
    from.text = true;
    add_place(r, to, from);
  } else if (is(pattern, "choice")) {
    for (const struct xml_node *part = pattern->child; part; part = part->next) match(r, part, node, from, to);
  } else if (is(pattern, "ref")) {
    match_group(r, xml_definition(r->schema, pattern), node, from, to);
  } else if (is(pattern, "oneOrMore")) {
    match_repeated(r, pattern, node, from, to);
  } else if (is(pattern, "optional") || is(pattern, "zeroOrMore")) {
    add_place(r, to, from);
    if (is(pattern, "optional"))
      match_group(r, pattern, node, from, to);
    else
      match_repeated(r, pattern, node, from, to);
  } else {
    match_group(r, pattern, node, from, to); /* group, empty */
  }
}

bool xml_follows(struct arena *arena, const struct xml_node *schema, const struct xml_node *root,
                 struct xml_fault *fault) {
  struct reading r = {.arena = arena, .schema = schema};
  const struct xml_node *start = schema;
  for (const struct xml_node *part = schema->child; part && !is(schema, "element"); part = part->next)
    if (is(part, "start")) start = part->child;
  bool good = has_name(start, root) && fits_element(&r, start, root);
  if (!good) *fault = r.failed ? r.fault : (struct xml_fault){.node = root};
  return good;
}
