/* SPDX-License-Identifier: MIT */
/* Predicates of Khronos' tests as sets of worlds: a bit for each of the four
 * kinds of execution, once without the number of pairs that is asked for and once
 * with it, so that `&&` is an intersection. */
#include "checker/litmus/khronos_assertion.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"

enum {
  TWICE = 1 + (1u << WORLDS), /* whatever the number */
  CONSISTENT = TWICE * (1u << WORLD_CONSISTENT | 1u << WORLD_RACY),
  RACY = TWICE * (1u << WORLD_RACY | 1u << WORLD_INCONSISTENT_RACY),
  COUNTED = ((1u << WORLDS) - 1) << WORLDS,
  ALL = (1u << 2 * WORLDS) - 1,
  MOST_DEPTH = 64
};

struct predicate {
  struct arena *arena;
  const char *at;
  unsigned depth;
  bool counts; /* pairs of rs, from `least` to `most` */
  long least, most;
  const char *unsupported;
  bool ended; /* since the text ends too early */
};

static unsigned fail(struct predicate *p, const char *format, const char *what) {
  if (!p->unsupported) p->unsupported = arena_printf(p->arena, format, what);
  p->at += strlen(p->at);
  return 0;
}

/* The same, where it may be that the text has ended. */
static unsigned fail_expected(struct predicate *p, const char *format, const char *what) {
  while (isspace((unsigned char)*p->at)) p->at++;
  p->ended |= !p->unsupported && !*p->at;
  return fail(p, format, what);
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (is_word_char(at[length]) || at[length] == '.') length++;
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

static bool is_races(const char *name) {
  return !strcmp(name, "dr") || !strcmp(name, "X.dr");
}

static bool take_races(struct predicate *p) {
  const char *name = take_name(p);
  if (is_races(name)) return true;
  if (!*name) return fail_expected(p, "expected dr, found %s", rest_of(p));
  return fail(p, "of relations it is only known whether dr is empty, not '%s'", name);
}

enum counting { COUNT_AT_MOST, COUNT_AT_LEAST, COUNT_UNEQUAL, COUNT_EQUAL, COUNT_LESS, COUNT_MORE };
static const struct {
  const char *text;
  enum counting is, mirrored;
} compares[] = {{"=<", COUNT_AT_MOST, COUNT_AT_LEAST}, {"<=", COUNT_AT_MOST, COUNT_AT_LEAST},
                {">=", COUNT_AT_LEAST, COUNT_AT_MOST}, {"!=", COUNT_UNEQUAL, COUNT_UNEQUAL},
                {"=", COUNT_EQUAL, COUNT_EQUAL},       {"<", COUNT_LESS, COUNT_MORE},
                {">", COUNT_MORE, COUNT_LESS}};
enum { COMPARES = ARRAY_COUNT(compares) };

static size_t take_compare(struct predicate *p) {
  size_t compare = 0;
  while (compare < COMPARES && !skip(p, compares[compare].text)) compare++;
  return compare;
}

/* The kinds of execution that have so many races. */
static unsigned worlds_of_races(struct predicate *p, enum counting compare, long number) {
  bool zero =
      (number == 0 && (compare == COUNT_EQUAL || compare == COUNT_AT_MOST)) || (number == 1 && compare == COUNT_LESS);
  bool more = (number == 0 && (compare == COUNT_UNEQUAL || compare == COUNT_MORE)) ||
              (number == 1 && compare == COUNT_AT_LEAST);
  if (zero) return ALL & ~RACY;
  return more ? RACY : fail(p, "how many pairs dr has is not known, only whether it has some%s", "");
}

/* Those whose release sequences have so many pairs. */
static unsigned worlds_of_sequences(struct predicate *p, enum counting compare, long number) {
  bool from = compare == COUNT_EQUAL || compare == COUNT_UNEQUAL || compare == COUNT_AT_LEAST || compare == COUNT_MORE;
  bool to = compare == COUNT_EQUAL || compare == COUNT_UNEQUAL || compare == COUNT_AT_MOST || compare == COUNT_LESS;
  long least = !from ? 0 : number + (compare == COUNT_MORE), most = !to ? LONG_MAX : number - (compare == COUNT_LESS);
  if (p->counts && (p->least != least || p->most != most))
    return fail(p, "two numbers of pairs of rs are asked for%s", "");
  p->counts = true;
  p->least = least;
  p->most = most;
  return compare == COUNT_UNEQUAL ? ALL & ~COUNTED : COUNTED;
}

/* `#dr`, `#(rs)` */
static const char *take_counted(struct predicate *p) {
  bool inside = skip(p, "(");
  const char *name = take_name(p);
  if (!*name)
    fail_expected(p, "expected dr or rs, found %s", rest_of(p));
  else if (!is_races(name) && strcmp(name, "rs") != 0 && strcmp(name, "X.rs") != 0)
    fail(p, "of relations only the pairs of dr and rs are counted, not of '%s'", name);
  else if (inside && !skip(p, ")"))
    fail_expected(p, "expected ')', found %s", rest_of(p));
  return name;
}

static unsigned worlds_of_count(struct predicate *p, const char *counted, enum counting compare, const char *number) {
  long n = strtol(number, NULL, 10);
  if (p->unsupported) return 0;
  return is_races(counted) ? worlds_of_races(p, compare, n) : worlds_of_sequences(p, compare, n);
}

static unsigned parse_count(struct predicate *p) {
  const char *counted = take_counted(p);
  if (p->unsupported) return 0;
  size_t compare = take_compare(p);
  const char *text = take_name(p);
  if (compare == COMPARES || !isdigit((unsigned char)*text))
    return *text ? fail(p, "'%s' is not a comparison with a number", text)
                 : fail_expected(p, "expected a comparison with a number, found %s", rest_of(p));
  return worlds_of_count(p, counted, compares[compare].is, text);
}

/* `0 < #dr` */
static unsigned parse_mirrored_count(struct predicate *p) {
  const char *text = take_name(p);
  size_t compare = take_compare(p);
  if (compare == COMPARES || !skip(p, "#")) return fail_expected(p, "'%s' is not compared with #dr", text);
  return worlds_of_count(p, take_counted(p), compares[compare].mirrored, text);
}

static unsigned parse_any(struct predicate *p);

static unsigned parse_named(struct predicate *p) {
  const char *name = take_name(p);
  bool consistent = !strcmp(name, "consistent");
  if (!consistent && strcmp(name, "racefree") != 0 && strcmp(name, "locordcomplete") != 0)
    return *name ? fail(p, "unknown predicate '%s'", name)
                 : fail_expected(p, "expected a predicate, found %s", rest_of(p));
  if (!skip(p, "[") || !skip(p, "X") || !skip(p, "]")) return fail_expected(p, "expected '[X]' after '%s'", name);
  return consistent ? CONSISTENT : ALL & ~RACY;
}

static unsigned parse_atom(struct predicate *p) {
  if (skip(p, "#")) return parse_count(p);
  if (isdigit((unsigned char)*p->at)) return parse_mirrored_count(p);
  if (skip(p, "no")) return take_races(p) ? ALL & ~RACY : 0;
  if (skip(p, "some")) return take_races(p) ? RACY : 0;
  if (!skip(p, "(")) return parse_named(p);
  if (p->depth++ == MOST_DEPTH) return fail(p, "parentheses are nested too deep%s", "");
  unsigned worlds = parse_any(p);
  p->depth--;
  return skip(p, ")") ? worlds : fail_expected(p, "expected ')', found %s", rest_of(p));
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

/* `a => b => c` is `a => (b => c)`, as in Alloy. */
static unsigned parse_implication(struct predicate *p) {
  unsigned worlds = parse_all(p);
  if (!skip(p, "=>") && !skip(p, "implies")) return worlds;
  if (p->depth++ == MOST_DEPTH) return fail(p, "implications are nested too deep%s", "");
  worlds = (ALL & ~worlds) | parse_implication(p);
  p->depth--;
  return worlds;
}

static unsigned parse_equivalence(struct predicate *p) {
  unsigned worlds = parse_implication(p);
  while (skip(p, "<=>") || skip(p, "iff")) worlds = ALL & ~(worlds ^ parse_implication(p));
  return worlds;
}

static unsigned parse_any(struct predicate *p) {
  unsigned worlds = parse_equivalence(p);
  while (skip(p, "||") || skip(p, "or")) worlds |= parse_equivalence(p);
  return worlds;
}

/* After an operator or an open bracket more must come, whether the rest is understood or not. */
static void check_end(struct predicate *p, const char *text) {
  size_t length = strlen(text);
  while (length && isspace((unsigned char)text[length - 1])) length--;
  if (p->ended || !length || !strchr("&|=<>!([-+", text[length - 1])) return;
  p->ended = true;
  p->unsupported = arena_printf(p->arena, "expected more after '%c', found the end of the line", text[length - 1]);
}

struct assertion assertion_parse(struct arena *arena, bool satisfiable, const char *text) {
  struct predicate p = {.arena = arena, .at = text};
  struct assertion assertion = {.satisfiable = satisfiable, .text = text};
  assertion.chains = !skip(&p, "NOCHAINS");
  assertion.worlds = parse_any(&p);
  while (isspace((unsigned char)*p.at)) p.at++;
  if (*p.at) fail(&p, "expected the end of the line, found %s", rest_of(&p));
  check_end(&p, text);
  assertion.counts = p.counts;
  assertion.least = p.least;
  assertion.most = p.most;
  assertion.unsupported = p.unsupported;
  assertion.ended = p.ended;
  return assertion;
}
