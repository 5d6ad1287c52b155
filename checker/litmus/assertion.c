/* SPDX-License-Identifier: MIT */
/* Predicates of Khronos' tests as sets of worlds: a bit for each of the four
 * kinds of execution, so that `&&` is an intersection. */
#include "checker/litmus/assertion.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
  CONSISTENT = 1u << WORLD_CONSISTENT | 1u << WORLD_RACY,
  RACY = 1u << WORLD_RACY | 1u << WORLD_INCONSISTENT_RACY,
  ALL = (1u << WORLDS) - 1,
  MOST_DEPTH = 64
};

struct predicate {
  struct arena *arena;
  const char *at;
  unsigned depth;
  const char *unsupported;
};

static unsigned fail(struct predicate *p, const char *format, const char *what) {
  if (!p->unsupported) p->unsupported = arena_printf(p->arena, format, what);
  p->at += strlen(p->at);
  return 0;
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '.') length++;
  return length;
}

/* Moves past the text, which must not be the beginning of a word. */
static bool skip(struct predicate *p, const char *text) {
  while (isspace((unsigned char)*p->at)) p->at++;
  size_t length = strlen(text);
  if (strncmp(p->at, text, length) != 0) return false;
  if (isalpha((unsigned char)*text) && word_length(p->at) != length) return false;
  p->at += length;
  return true;
}

/* What is left, for a message. */
static const char *rest_of(const struct predicate *p) {
  return *p->at ? arena_printf(p->arena, "'%s'", p->at) : "the end of the line";
}

/* The name at hand, and past it. */
static const char *take_name(struct predicate *p) {
  while (isspace((unsigned char)*p->at)) p->at++;
  size_t length = word_length(p->at);
  const char *name = arena_strndup(p->arena, p->at, length);
  p->at += length;
  return name;
}

static bool take_races(struct predicate *p) {
  const char *name = take_name(p);
  if (!strcmp(name, "dr") || !strcmp(name, "X.dr")) return true;
  fail(p, "of relations it is only known whether dr is empty, not '%s'", name);
  return false;
}

/* The kinds of execution that a comparison of #dr holds of. */
static unsigned parse_count(struct predicate *p) {
  static const char *const compares[] = {"=<", "<=", ">=", "!=", "=", "<", ">"};
  enum { AT_MOST, AT_MOST_TOO, AT_LEAST, UNEQUAL, EQUAL, LESS, MORE, COMPARES };
  if (!take_races(p)) return 0;
  int compare = 0;
  while (compare < COMPARES && !skip(p, compares[compare])) compare++;
  const char *text = take_name(p);
  if (compare == COMPARES || !isdigit((unsigned char)*text))
    return fail(p, "'%s' is not a comparison with a number", text);
  long number = strtol(text, NULL, 10);
  bool zero = (number == 0 && (compare == EQUAL || compare <= AT_MOST_TOO)) || (number == 1 && compare == LESS);
  bool more = (number == 0 && (compare == UNEQUAL || compare == MORE)) || (number == 1 && compare == AT_LEAST);
  if (zero) return ALL & ~RACY;
  return more ? RACY : fail(p, "how many pairs dr has is not known, only whether it has some%s", "");
}

static unsigned parse_any(struct predicate *p);

static unsigned parse_named(struct predicate *p) {
  const char *name = take_name(p);
  bool consistent = !strcmp(name, "consistent");
  if (!consistent && strcmp(name, "racefree") != 0 && strcmp(name, "locordcomplete") != 0)
    return fail(p, *name ? "unknown predicate '%s'" : "expected a predicate, found %s", *name ? name : rest_of(p));
  if (!skip(p, "[") || !skip(p, "X") || !skip(p, "]")) return fail(p, "expected '[X]' after '%s'", name);
  return consistent ? CONSISTENT : ALL & ~RACY;
}

static unsigned parse_atom(struct predicate *p) {
  if (skip(p, "#")) return parse_count(p);
  if (skip(p, "no")) return take_races(p) ? ALL & ~RACY : 0;
  if (skip(p, "some")) return take_races(p) ? RACY : 0;
  if (!skip(p, "(")) return parse_named(p);
  if (p->depth++ == MOST_DEPTH) return fail(p, "parentheses are nested too deep%s", "");
  unsigned worlds = parse_any(p);
  p->depth--;
  return skip(p, ")") ? worlds : fail(p, "expected ')', found %s", rest_of(p));
}

static unsigned parse_not(struct predicate *p) {
  bool negated = false;
  while (skip(p, "!") || skip(p, "not")) negated = !negated;
  unsigned worlds = parse_atom(p);
  return negated ? ALL & ~worlds : worlds;
}

static unsigned parse_all(struct predicate *p) {
  unsigned worlds = parse_not(p);
  while (skip(p, "&&") || skip(p, "and")) worlds &= parse_not(p);
  return worlds;
}

static unsigned parse_any(struct predicate *p) {
  unsigned worlds = parse_all(p);
  while (skip(p, "||") || skip(p, "or")) worlds |= parse_all(p);
  return worlds;
}

struct assertion assertion_parse(struct arena *arena, bool satisfiable, const char *text) {
  struct predicate p = {.arena = arena, .at = text};
  struct assertion assertion = {.satisfiable = satisfiable, .text = text};
  assertion.chains = !skip(&p, "NOCHAINS");
  assertion.worlds = parse_any(&p);
  while (isspace((unsigned char)*p.at)) p.at++;
  if (*p.at) fail(&p, "expected the end of the line, found %s", rest_of(&p));
  assertion.unsupported = p.unsupported;
  return assertion;
}
