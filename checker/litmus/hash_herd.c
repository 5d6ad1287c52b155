/* SPDX-License-Identifier: MIT */
/* herd7's hash of a C test (its lib/CTestHash.ml and lib/testHash.ml): the MD5 of
 * three MD5s put together, of the initial state, of the code and of the
 * locations observed.  Logs of both tools can then be used together by herd's
 * tools, which refuse tests of one name and two hashes.
 *
 * The code is hashed as text, so this reads the text of the test, by herd's
 * grammar:
 *
 *   init   = { [item] ";" } [item]
 *   item   = place ["=" value] | type ["*"] place ["=" value] | "*" place ["=" value]
 *          | "_Atomic" type place | type name "[" number "]" ["=" "{" ... "}"]
 *   place  = name | "[" name "]" | number ":" name
 *   value  = ["&"] (number | name ["[" number "]"]) | "ATOMIC_INIT" "(" value ")"
 *   code   = { body | ["void" ["*"]] "P" number "(" [type "*" name {"," type "*" name}] ")" body }
 *   body   = "{" any text with balanced braces "}"
 *
 * Where a test is none of herd's there is no such hash. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/md5.h"
#include "checker/base/text.h"
#include "checker/litmus/test_draft.h"

/* The text still to be read. */
struct rest {
  struct arena *arena;
  struct cursor c;
  bool code; /* comments are those of C: in code, not in the init section */
  bool failed;
};

static const char *fail(struct rest *r) {
  r->failed = true;
  r->c.at = r->c.end;
  return "";
}

/* Jumps after `close`. */
static void skip_to(struct rest *r, const char *close) {
  cursor_skip_to(&r->c, close);
  if (r->c.at == r->c.end)
    fail(r);
  else
    r->c.at += (uint32_t)strlen(close);
}

/* Spaces and comments. */
static void skip(struct rest *r) {
  for (;;) {
    cursor_skip_blanks(&r->c);
    if (r->code && cursor_looks_at(&r->c, "/*"))
      skip_to(r, "*/");
    else if (r->code && cursor_looks_at(&r->c, "//"))
      skip_to(r, "\n");
    else if (!r->code && cursor_looks_at(&r->c, "(*"))
      skip_to(r, "*)");
    else
      return;
  }
}

static bool take(struct rest *r, const char *text) {
  skip(r);
  return cursor_take(&r->c, text);
}

static void expect(struct rest *r, const char *text) {
  if (!take(r, text)) fail(r);
}

/* A name, or NULL without moving. */
static const char *take_name(struct rest *r) {
  skip(r);
  uint32_t first = r->c.at;
  if (first == r->c.end || isdigit((unsigned char)r->c.text[first])) return NULL;
  while (r->c.at < r->c.end && is_word_char(r->c.text[r->c.at])) r->c.at++;
  return r->c.at > first ? cursor_keep(r->arena, &r->c, first) : NULL;
}

/* Digits with a sign, or a hexadecimal number, as it is written; NULL without moving. */
static const char *take_number(struct rest *r) {
  skip(r);
  uint32_t first = r->c.at, digits = first + (first < r->c.end && r->c.text[first] == '-'), at = digits;
  while (at < r->c.end && isalnum((unsigned char)r->c.text[at])) at++;
  if (at == digits || !isdigit((unsigned char)r->c.text[digits])) return NULL;
  r->c.at = at;
  return cursor_keep(r->arena, &r->c, first);
}

/* ---- the initial state ---- */

/* `thread` -1: a global location. */
struct entry {
  int thread;
  const char *name, *text; /* text: as it is hashed */
};
typedef VEC(struct entry) entries;

static int compare_entries(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if ((x->thread < 0) != (y->thread < 0)) return x->thread < 0 ? 1 : -1;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* `P0:`, its number; NULL without moving. */
static const char *take_thread(struct rest *r) {
  uint32_t before = r->c.at;
  const char *name = take_name(r);
  if (name && *name == 'P' && isdigit((unsigned char)name[1]) && take(r, ":")) return name + 1;
  r->c.at = before;
  return NULL;
}

/* `0:r0`, `P0:r0`, `x` or `[x]`; false without moving where there is none. */
static bool take_place(struct rest *r, struct entry *entry) {
  uint32_t before = r->c.at;
  const char *number = take_number(r);
  entry->thread = -1;
  if (number && !take(r, ":")) {
    r->c.at = before;
    return false;
  }
  if (!number) number = take_thread(r);
  if (number) entry->thread = atoi(number);
  bool bracket = !number && take(r, "[");
  entry->name = take_name(r);
  if (!entry->name || (bracket && !take(r, "]"))) {
    r->c.at = before;
    return false;
  }
  return true;
}

static const char *place_text(struct arena *arena, const struct entry *entry) {
  return entry->thread < 0 ? entry->name : arena_printf(arena, "%d:%s", entry->thread, entry->name);
}

static const char *read_value(struct rest *r) {
  bool wrapped = take(r, "ATOMIC_INIT");
  if (wrapped) expect(r, "(");
  take(r, "&");
  const char *value = take_number(r);
  if (!value) value = take_name(r);
  if (value && !isdigit((unsigned char)*value) && *value != '-' && take(r, "[")) {
    const char *index = take_number(r);
    expect(r, "]");
    if (!index) return fail(r);
    if (atoi(index)) value = arena_printf(r->arena, "%s+%d", value, atoi(index));
  }
  if (wrapped) expect(r, ")");
  return value ? value : fail(r);
}

/* Whatever stands in braces: values of an array are not hashed. */
static void skip_braces(struct rest *r) {
  expect(r, "{");
  skip_to(r, "}");
}

/* `int x[3]`, after the type. */
static bool take_array(struct rest *r, const char *type, struct entry *entry) {
  uint32_t before = r->c.at;
  const char *name = take_name(r), *size;
  if (!name || !take(r, "[") || !(size = take_number(r)) || !take(r, "]")) {
    r->c.at = before;
    return false;
  }
  *entry = (struct entry){-1, name, arena_printf(r->arena, "%s %s[%d]", type, name, atoi(size))};
  if (take(r, "=")) skip_braces(r);
  return true;
}

static void read_item(struct rest *r, entries *init) {
  struct entry entry = {0};
  uint32_t before = r->c.at;
  const char *type = "", *word = take_name(r);
  bool atomic = word && !strcmp(word, "_Atomic"), star = false;
  if (atomic) word = take_name(r);
  if (word) { /* a type, if a place follows */
    star = take(r, "*");
    if (!star && take_array(r, word, &entry)) {
      *vec_push(r->arena, init) = entry;
      return;
    }
    type = arena_printf(r->arena, "%s%s ", atomic ? "_Atomic " : "", word);
    if (!take_place(r, &entry)) r->c.at = before, type = "", star = false;
  }
  if (!*type) {
    star = take(r, "*");
    if (!take_place(r, &entry)) fail(r);
  }
  const char *value = take(r, "=") ? read_value(r) : "0";
  if (r->failed) return;
  entry.text = arena_printf(r->arena, "%s%s%s=%s", type, star ? "*" : "", place_text(r->arena, &entry), value);
  *vec_push(r->arena, init) = entry;
}

static void read_init(struct rest *r, entries *init) {
  for (;;) {
    skip(r);
    if (r->c.at == r->c.end) return;
    read_item(r, init);
    skip(r);
    if (r->c.at < r->c.end) expect(r, ";");
  }
}

/* ---- code ---- */

static const char *base_type(struct rest *r) {
  static const char *const words[] = {"char",       "int",       "long",       "int8_t",  "uint8_t",    "int16_t",
                                      "uint16_t",   "int32_t",   "uint32_t",   "int64_t", "uint64_t",   "intptr_t",
                                      "mtx_t",      "atomic_t",  "uintptr_t",  "void",    "spinlock_t", "__int128",
                                      "__int128_t", "__uint128", "__uint128_t"};
  const char *word = take_name(r);
  if (word && !strcmp(word, "atomic_int")) return "_Atomic int";
  if (word && !strcmp(word, "struct") && (word = take_name(r))) return arena_printf(r->arena, "struct %s", word);
  int place = word ? text_index(word, words, ARRAY_COUNT(words)) : -1;
  return place < 0 ? fail(r) : words[place];
}

static bool take_word(struct rest *r, const char *word) {
  uint32_t before = r->c.at;
  const char *found = take_name(r);
  if (found && !strcmp(found, word)) return true;
  r->c.at = before;
  return false;
}

/* Is it a word alone, without qualifiers and stars? */
static bool is_word(const char *type) {
  return !strpbrk(type, " *");
}

static const char *volatile_of(struct arena *arena, const char *type) {
  return is_word(type) ? arena_printf(arena, "volatile %s", type) : arena_printf(arena, "%s volatile", type);
}

/* A type as herd prints it; after a qualifier, one in parentheses too. */
static const char *read_type(struct rest *r) {
  bool is_volatile = take_word(r, "volatile"), is_const = !is_volatile && take_word(r, "const"),
       atomic = !is_volatile && !is_const && take_word(r, "_Atomic");
  bool inside = (is_volatile || is_const || atomic) && take(r, "(");
  const char *type = inside ? read_type(r) : base_type(r);
  if (inside) expect(r, ")");
  if (atomic)
    type = is_word(type) ? arena_printf(r->arena, "_Atomic %s", type) : arena_printf(r->arena, "_Atomic (%s)", type);
  if (is_volatile) type = volatile_of(r->arena, type);
  if (is_const) type = arena_printf(r->arena, "%s const", type);
  for (;;) {
    if (take(r, "*"))
      type = arena_printf(r->arena, "%s*", type);
    else if (take_word(r, "volatile"))
      type = volatile_of(r->arena, type);
    else if (take_word(r, "const"))
      type = arena_printf(r->arena, "%s const", type);
    else
      return type;
  }
}

/* herd takes a star away, and puts one back. */
static const char *read_parameters(struct rest *r) {
  const char *text = "";
  expect(r, "(");
  if (take(r, ")")) return text;
  do {
    const char *type = read_type(r), *name = take_name(r);
    if (!name || type[0] == '\0' || type[strlen(type) - 1] != '*') return fail(r);
    text = arena_printf(r->arena, "%s%s%s %s", text, *text ? ", " : "", type, name);
  } while (take(r, ","));
  expect(r, ")");
  return text;
}

/* The text between braces, as it is. */
static const char *read_body(struct rest *r) {
  expect(r, "{");
  uint32_t first = r->c.at;
  for (unsigned depth = 1; r->c.at < r->c.end; r->c.at++) {
    depth += r->c.text[r->c.at] == '{';
    depth -= r->c.text[r->c.at] == '}';
    if (depth) continue;
    const char *body = cursor_keep(r->arena, &r->c, first);
    r->c.at++;
    return body;
  }
  return fail(r);
}

static void read_code(struct rest *r, FILE *out) {
  for (unsigned count = 0;; count++) {
    skip(r);
    const char *separator = count ? "|" : "";
    if (cursor_looks_at(&r->c, "{")) {
      fprintf(out, "%s {%s}\n\n ", separator, read_body(r));
      continue;
    }
    uint32_t before = r->c.at;
    const char *head = take_name(r);
    if (head && !strcmp(head, "void")) {
      take(r, "*");
      head = take_name(r);
    }
    unsigned thread;
    struct token token = {.kind = TOKEN_NAME, .text = head};
    if (!head || !draft_is_thread_name(&token, &thread)) {
      r->c.at = before;
      break;
    }
    const char *parameters = read_parameters(r);
    fprintf(out, "%s P%u(%s) {\n%s\n}\n ", separator, thread, parameters, read_body(r));
  }
  fputs(";\n", out);
}

/* ---- what is observed ---- */

struct observed {
  struct entry entry;
  int index; /* of an array's cell; -1: no cell */
};

static int compare_observed(const void *a, const void *b) {
  const struct observed *x = a, *y = b;
  if ((x->index < 0) != (y->index < 0)) return x->index < 0 ? -1 : 1;
  int order = compare_entries(&x->entry, &y->entry);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

static struct observed observed_of(struct arena *arena, const struct litmus_test *test, struct observable what) {
  struct observed o = {{what.thread, NULL, NULL}, -1};
  if (what.thread >= 0) {
    o.entry.name = test->program->threads[what.thread].reg_names[what.index];
    return o;
  }
  const char *name = test->program->locations[what.index].name, *bracket = strchr(name, '[');
  o.entry.name = bracket ? arena_strndup(arena, name, (size_t)(bracket - name)) : name;
  if (bracket) o.index = atoi(bracket + 1);
  return o;
}

static void write_observed(struct arena *arena, const struct litmus_test *test, FILE *out) {
  struct observed *all = ARENA_ARRAY(arena, struct observed, test->observable_count + 1);
  unsigned count = 0;
  for (unsigned i = 0; i < test->observable_count; count++) {
    unsigned whole = test->whole ? test->whole[i] : 0;
    all[count] = observed_of(arena, test, test->observables[i]);
    if (whole) all[count].index = -1;
    i += whole ? whole : 1;
  }
  if (count) qsort(all, count, sizeof *all, compare_observed);
  for (unsigned i = 0; i < count; i++) {
    fprintf(out, "%s%s", i ? "; " : "", place_text(arena, &all[i].entry));
    if (all[i].index >= 0) fprintf(out, "[%d]", all[i].index);
  }
}

/* ---- the whole ---- */

/* Does what follows the code begin a condition, or is there nothing? */
static bool ends_well(struct rest *r) {
  static const char *const words[] = {"exists", "forall", "final", "locations", "filter", "observed", "Observed"};
  if (take(r, "~") || (skip(r), r->c.at == r->c.end)) return true;
  const char *word = take_name(r);
  return word && text_index(word, words, ARRAY_COUNT(words)) >= 0;
}

/* Moves to the first brace after comments; false: there is none. */
static bool find_brace(struct rest *r) {
  while (r->c.at < r->c.end && r->c.text[r->c.at] != '{')
    if (cursor_looks_at(&r->c, "(*"))
      skip_to(r, "*)");
    else
      r->c.at++;
  return r->c.at < r->c.end;
}

/* The init section's text, and what follows it; `hash` becomes that of a line
 * `Hash=` in the header, which herd takes as it is. */
static bool split(struct arena *arena, const struct source *source, struct rest *init, struct rest *code,
                  const char **hash) {
  *code = (struct rest){.arena = arena, .c = {source->text, 0, (uint32_t)source->size}};
  if (!find_brace(code)) return false;
  const char *line = memmem(source->text, code->c.at, "\nHash=", 6);
  *hash = line ? arena_strndup(arena, line + 6, strcspn(line + 6, "\r\n")) : NULL;
  *init = *code;
  init->c.at++;
  code->code = true;
  read_body(code);
  init->c.end = code->c.at - 1;
  return !code->failed;
}

static void add_digest(struct text *text, unsigned char digest[MD5_SIZE]) {
  text_end(text);
  md5(text->at, text->size, digest);
  text_free(text);
}

/* Sorted, the first of each place. */
static void write_init(entries *init, FILE *out) {
  if (init->count) qsort(init->at, init->count, sizeof *init->at, compare_entries);
  for (size_t i = 0; i < init->count; i++) {
    if (i && !compare_entries(&init->at[i - 1], &init->at[i])) continue;
    fprintf(out, "%s%s", i ? "; " : "", init->at[i].text);
  }
}

static void write_hexadecimal(const unsigned char digest[MD5_SIZE], char *text) {
  for (unsigned i = 0; i < MD5_SIZE; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

bool draft_hash_herd(struct arena *arena, const struct litmus_test *test, char hash[static 33]) {
  struct rest init, code;
  entries state = {0};
  const char *given;
  unsigned char digests[3][MD5_SIZE], whole[MD5_SIZE];
  if (!split(arena, test->source, &init, &code, &given)) return false;
  if (given && strlen(given) == 32) {
    memcpy(hash, given, 33);
    return true;
  }
  struct text text = text_new();
  read_code(&code, text.out);
  add_digest(&text, digests[1]);
  read_init(&init, &state);
  if (code.failed || init.failed || !ends_well(&code)) return false;
  text = text_new();
  write_init(&state, text.out);
  add_digest(&text, digests[0]);
  text = text_new();
  write_observed(arena, test, text.out);
  add_digest(&text, digests[2]);
  md5(digests, sizeof digests, whole);
  write_hexadecimal(whole, hash);
  return true;
}
