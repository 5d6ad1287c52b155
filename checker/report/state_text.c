/* SPDX-License-Identifier: MIT */
/* Normal form of states.
 *
 *   line  = [number ("*>" | ":>")] { part ";" } ["#" comment]
 *   part  = name "=" value | ["~"] "Fault(" ... ")"
 *   name  = ["P"] number ":" register | location | "[" location "]" | location "[" number "]"
 *
 * Values may be numbers, names, `{1,2}`, `(oa:PA(x), af:0)` and instructions in
 * double quotes, where semicolons and spaces mean nothing.
 */
#include "checker/report/state_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"

struct piece {
  const char *text;
  size_t length;
};

static struct piece trim(struct piece piece) {
  while (piece.length && isspace((unsigned char)piece.text[0])) piece.text++, piece.length--;
  while (piece.length && isspace((unsigned char)piece.text[piece.length - 1])) piece.length--;
  return piece;
}

/* What follows the first `length` bytes. */
static struct piece after(struct piece piece, size_t length) {
  return (struct piece){piece.text + length, piece.length - length};
}

static bool begins(struct piece piece, const char *prefix) {
  size_t length = strlen(prefix);
  return piece.length >= length && !strncasecmp(piece.text, prefix, length);
}

static size_t count_digits(struct piece piece) {
  size_t count = 0;
  while (count < piece.length && isdigit((unsigned char)piece.text[count])) count++;
  return count;
}

/* `1234  *>` and `1234:>`, as litmus7 writes how often it saw a state. */
static struct piece without_count(struct piece line) {
  size_t digits = count_digits(line);
  struct piece rest = trim(after(line, digits));
  return digits && (begins(rest, "*>") || begins(rest, ":>")) ? trim(after(rest, 2)) : line;
}

/* Bytes before the semicolon that ends the first part; `length`: none. */
static size_t part_length(struct piece line) {
  bool quoted = false;
  for (size_t i = 0; i < line.length; i++) {
    if (line.text[i] == '"') quoted = !quoted;
    if (line.text[i] == ';' && !quoted) return i;
  }
  return line.length;
}

/* ---- one part ---- */

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* A word that is a number of up to 64 bits, as a signed decimal one. */
static const char *decimal(struct arena *arena, const char *text, bool negative) {
  bool hex = !strncasecmp(text, "0x", 2);
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, hex ? 16 : 10);
  if (errno || *end || !isdigit((unsigned char)*text)) return text;
  if (negative) return arena_printf(arena, "%" PRIu64, value);
  return arena_printf(arena, "%" PRId64, hex && value <= UINT32_MAX ? (int32_t)(uint32_t)value : (int64_t)value);
}

/* Without spaces, numbers in decimal, but for the bits of what is no number: `nan:0x7fc00001`. */
static const char *normalise_value(struct arena *arena, struct piece value) {
  VEC(char) text = {0};
  for (size_t i = 0; i < value.length;) {
    size_t word = 0;
    while (i + word < value.length && is_word(value.text[i + word])) word++;
    if (word) {
      bool negative = text.count && text.at[text.count - 1] == '-';
      bool bits = text.count >= 4 && !memcmp(text.at + text.count - 4, "nan:", 4);
      const char *one = arena_strndup(arena, value.text + i, word);
      for (const char *c = bits ? one : decimal(arena, one, negative); *c; c++) *vec_push(arena, &text) = *c;
      i += word;
    } else {
      if (!isspace((unsigned char)value.text[i])) *vec_push(arena, &text) = value.text[i];
      i++;
    }
  }
  *vec_push(arena, &text) = '\0';
  return text.at;
}

static const char *normalise_name(struct arena *arena, struct piece name) {
  if (name.length > 2 && name.text[0] == '[' && name.text[name.length - 1] == ']')
    name = trim((struct piece){name.text + 1, name.length - 2});
  if (name.length && name.text[0] == 'P' && memchr(name.text, ':', name.length)) name = after(name, 1);
  char *text = arena_alloc(arena, name.length + 1);
  size_t size = 0;
  for (size_t i = 0; i < name.length; i++)
    if (!isspace((unsigned char)name.text[i])) text[size++] = name.text[i];
  return text;
}

static bool is_fault(struct piece part) {
  return begins(part, "fault") && begins(trim(after(part, strlen("fault"))), "(");
}

/* `fault( 0:L0, x)` becomes `Fault(P0:L0,x)`. */
static const char *normalise_fault(struct arena *arena, struct piece fault) {
  const char *inside = normalise_value(arena, after(fault, strlen("fault")));
  bool bare = inside[0] == '(' && isdigit((unsigned char)inside[1]);
  return bare ? arena_printf(arena, "Fault(P%s", inside + 1) : arena_printf(arena, "Fault%s", inside);
}

/* NULL: no part of a state.  An empty string: one that is left out. */
static const char *normalise_part(struct arena *arena, struct piece part) {
  bool absent = begins(part, "~");
  if (absent) part = trim(after(part, 1));
  if (is_fault(part)) return absent ? "" : normalise_fault(arena, part);
  const char *equals = absent ? NULL : memchr(part.text, '=', part.length);
  if (!equals || equals == part.text) return NULL;
  struct piece name = trim((struct piece){part.text, (size_t)(equals - part.text)});
  struct piece value = trim(after(part, (size_t)(equals - part.text) + 1));
  if (!value.length) return NULL;
  return arena_printf(arena, "%s=%s", normalise_name(arena, name), normalise_value(arena, value));
}

/* ---- whole states ---- */

typedef VEC(const char *) part_list;

size_t state_sort(const char **states, size_t count) {
  if (!count) return 0;
  qsort(states, count, sizeof *states, text_compare);
  size_t kept = 1;
  for (size_t i = 1; i < count; i++)
    if (strcmp(states[i], states[kept - 1]) != 0) states[kept++] = states[i];
  return kept;
}

static const char *join(struct arena *arena, const char **parts, size_t count) {
  size_t size = 1;
  for (size_t i = 0; i < count; i++) size += strlen(parts[i]) + 2;
  char *text = arena_alloc(arena, size), *at = text;
  for (size_t i = 0; i < count; i++) {
    if (i) *at++ = ' ';
    at = stpcpy(at, parts[i]);
    *at++ = ';';
  }
  return text;
}

/* Adds a part; for `a={1,2}`, one for each cell of the array. */
static void add_part(struct arena *arena, part_list *parts, const char *part) {
  const char *brace = strstr(part, "={"), *end = part + strlen(part) - 1;
  if (!brace || *end != '}' || strcspn(part, "=(") != (size_t)(brace - part)) {
    *vec_push(arena, parts) = part;
    return;
  }
  const char *at = brace + 2;
  for (unsigned cell = 0; at < end; cell++) {
    size_t length = strcspn(at, ",}");
    *vec_push(arena, parts) = arena_printf(arena, "%.*s[%u]=%.*s", (int)(brace - part), part, cell, (int)length, at);
    at += length + 1;
  }
}

const char *state_normalise(struct arena *arena, const char *text, size_t length) {
  part_list parts = {0};
  struct piece rest = without_count(trim((struct piece){text, length}));
  while (rest.length && rest.text[0] != '#') {
    size_t end = part_length(rest);
    const char *part = end < rest.length ? normalise_part(arena, trim((struct piece){rest.text, end})) : NULL;
    if (!part) return NULL;
    if (*part) add_part(arena, &parts, part);
    rest = trim(after(rest, end + 1));
  }
  return join(arena, parts.at, state_sort(parts.at, parts.count));
}

/* ---- what is observed ---- */

/* The next part of a normalised state, and its name: `0:r0` of `0:r0=1`; a
 * fault has none (length 0). */
static bool next_part(const char **state, struct piece *part, struct piece *name) {
  while (**state == ' ') ++*state;
  if (!**state) return false;
  *part = (struct piece){*state, part_length((struct piece){*state, strlen(*state)})};
  *state += part->length + 1;
  const char *equals = begins(*part, "Fault(") ? NULL : memchr(part->text, '=', part->length);
  *name = (struct piece){part->text, equals ? (size_t)(equals - part->text) : 0};
  return true;
}

static const char *observed_by(struct arena *arena, const char *state) {
  VEC(const char *) names = {0};
  struct piece part, name;
  while (next_part(&state, &part, &name))
    if (name.length) *vec_push(arena, &names) = arena_strndup(arena, name.text, name.length);
  return join(arena, names.at, state_sort(names.at, names.count));
}

const char *state_observed(struct arena *arena, const char *const *states, size_t count) {
  const char *observed = count ? observed_by(arena, states[0]) : NULL;
  for (size_t i = 1; i < count; i++)
    if (strcmp(observed_by(arena, states[i]), observed) != 0) return NULL;
  return observed;
}

static bool is_among(struct piece name, const char *observed) {
  struct piece part, other;
  while (next_part(&observed, &part, &other))
    if (part.length == name.length && !memcmp(part.text, name.text, name.length)) return true;
  return false;
}

const char *state_project(struct arena *arena, const char *state, const char *observed) {
  VEC(const char *) parts = {0};
  struct piece part, name;
  while (next_part(&state, &part, &name))
    if (!name.length || is_among(name, observed))
      *vec_push(arena, &parts) = arena_strndup(arena, part.text, part.length);
  return join(arena, parts.at, parts.count);
}
