/* SPDX-License-Identifier: MIT */
/* The lexer.  One pass over the text; punctuation by longest match from a
 * table.  See lex.h for what a token is and how errors end a test. */
#include "checker/litmus/lex.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"

static const char *const punctuation[] = {
    "<<=", ">>=", "/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "+=",
    "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "(",  ")",  "{",  "}",  "[",  "]",  ";",  ",",  ":",
    "=",   "<",   ">",   "+",   "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "?",  "@",  ".",
};

struct lexer {
  struct reader *reader;
  struct cursor c;
  unsigned lexis;
  unsigned depth;  /* open braces */
  unsigned groups; /* braces closed at the top: the first group is the init section */
  uint32_t open;   /* no comment that begins before here, in a thread, is closed */
};

static bool name_start(char c) {
  return isalpha((unsigned char)c) || c == '_';
}
/* HSAIL's registers are $s0 and the like. */
static bool at_name(const struct lexer *lexer) {
  char c = lexer->c.text[lexer->c.at];
  return name_start(c) || (c == '$' && lexer->c.at + 1 < lexer->c.end && name_start(lexer->c.text[lexer->c.at + 1]));
}

/* The text cannot be cut any further: told when the parser comes there, unless it finds a mistake before. */
__attribute__((format(printf, 3, 4))) static void fail_lexing(struct lexer *lexer, struct span span, const char *format,
                                                              ...) {
  if (lexer->reader->bad) return;
  va_list args;
  va_start(args, format);
  lexer->reader->bad = arena_vprintf(lexer->reader->arena, format, args);
  lexer->reader->bad_span = span;
  va_end(args);
}

/* One in which others of its kind may stand, if it `nests`. */
static void skip_comment(struct lexer *lexer, const char *open, const char *close, bool nests) {
  uint32_t start = lexer->c.at;
  if (cursor_skip_comment(&lexer->c, open, close, nests)) return;
  fail_lexing(lexer, (struct span){start, 2}, "this comment is never closed");
}

/* Inside a thread `(*x` is far more likely than a comment. */
static bool opens_comment(struct lexer *lexer) {
  if (!cursor_looks_at(&lexer->c, "(*") || lexer->lexis & LEX_CODE) return false;
  if (!lexer->depth || !lexer->groups) return true;
  uint32_t i = lexer->c.at + 2;
  if (i >= lexer->c.end || !isspace((unsigned char)lexer->c.text[i]) || i < lexer->open) return false;
  for (; i + 1 < lexer->c.end && !strchr(";{}", lexer->c.text[i]); i++)
    if (lexer->c.text[i] == '*' && lexer->c.text[i + 1] == ')') return true;
  lexer->open = i; /* looked through once, whatever begins within */
  return false;
}

static void skip_blanks(struct lexer *lexer) {
  while (lexer->c.at < lexer->c.end && !lexer->reader->bad) {
    if (isspace((unsigned char)lexer->c.text[lexer->c.at]))
      lexer->c.at++;
    else if (cursor_looks_at(&lexer->c, "//"))
      cursor_skip_to(&lexer->c, "\n");
    else if (cursor_looks_at(&lexer->c, "/*"))
      skip_comment(lexer, "/*", "*/", false);
    else if (lexer->lexis & LEX_ANGLES && cursor_looks_at(&lexer->c, "<<"))
      skip_comment(lexer, "<<", ">>", false);
    else if (opens_comment(lexer))
      skip_comment(lexer, "(*", "*)", true);
    else
      return;
  }
}

static int digit_value(char c) {
  if (isdigit((unsigned char)c)) return c - '0';
  return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* PTX's `0f3F800000` and `0d3FF0000000000000`: the bits of a float. */
static bool lex_float(struct lexer *lexer, struct token *token) {
  const char *text = lexer->c.text + lexer->c.at;
  uint32_t left = lexer->c.end - lexer->c.at, count = 2;
  uint64_t bits = 0;
  if (!(lexer->lexis & LEX_FLOATS) || left < 2 || *text != '0' || !strchr("fFdD", text[1])) return false;
  for (; count < left && digit_value(text[count]) < 16; count++) bits = bits << 4 | (uint64_t)digit_value(text[count]);
  bool is_float = (text[1] | 32) == 'f';
  if (count != (is_float ? 10 : 18) || (count < left && is_word_char(text[count]))) return false;
  struct span span = {lexer->c.at, count};
  lexer->c.at += count;
  *token = (struct token){TOKEN_NUMBER, span, "float", is_float ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits};
  return true;
}

/* A digit that the base lacks, or a tail such as `3x`, is an error; C's
 * suffixes of integers are dropped. */
static void lex_number(struct lexer *lexer, struct token *token) {
  if (lex_float(lexer, token)) return;
  const char *text = lexer->c.text;
  uint32_t start = lexer->c.at;
  int base = 10;
  if (text[lexer->c.at] == '0' && lexer->c.at + 1 < lexer->c.end && (text[lexer->c.at + 1] | 32) == 'x') {
    base = 16;
    lexer->c.at += 2;
  } else if (text[lexer->c.at] == '0' && !(lexer->lexis & LEX_DECIMAL)) {
    base = 8;
  }
  uint64_t value = 0;
  bool large = false, bad = base == 16 && (lexer->c.at >= lexer->c.end || digit_value(text[lexer->c.at]) > 15);
  for (; lexer->c.at < lexer->c.end && digit_value(text[lexer->c.at]) < (base == 16 ? 16 : 10); lexer->c.at++) {
    uint64_t digit = (uint64_t)digit_value(text[lexer->c.at]);
    bad |= digit >= (uint64_t)base;
    large |= value > (INT64_MAX - digit) / (uint64_t)base;
    value = value * (uint64_t)base + digit;
  }
  while (lexer->c.at < lexer->c.end && text[lexer->c.at] && strchr("uUlL", text[lexer->c.at])) lexer->c.at++;
  bool in_brackets = start > 0 && text[start - 1] == '['; /* x[0.1] wants to be x[0..1] */
  bool real = base != 16 && !in_brackets && lexer->c.at + 1 < lexer->c.end && text[lexer->c.at] == '.' &&
              isdigit((unsigned char)text[lexer->c.at + 1]);
  real |= base != 16 && lexer->c.at < lexer->c.end && text[lexer->c.at] && strchr("eEfF", text[lexer->c.at]);
  if (real && text[lexer->c.at] == '.') lexer->c.at++;
  while (lexer->c.at < lexer->c.end && is_word_char(text[lexer->c.at])) {
    lexer->c.at++;
    bad = true;
  }
  struct span span = {start, lexer->c.at - start};
  if (real)
    fail_lexing(lexer, span, "'%.*s' is not a whole number: values are integers", (int)span.length, text + start);
  else if (bad)
    fail_lexing(lexer, span, "malformed number");
  else if (large)
    fail_lexing(lexer, span, "number too large: values are signed and have 64 bits");
  *token = (struct token){TOKEN_NUMBER, span, "", (int64_t)value};
}

static void lex_name(struct lexer *lexer, struct token *token) {
  uint32_t start = lexer->c.at++;
  while (lexer->c.at < lexer->c.end && is_word_char(lexer->c.text[lexer->c.at])) lexer->c.at++;
  struct span span = {start, lexer->c.at - start};
  *token = (struct token){TOKEN_NAME, span, arena_strndup(lexer->reader->arena, lexer->c.text + start, span.length), 0};
}

/* At `2d` in `tensor.2d`, or `64B` in `L2::64B`: a word of an instruction's name. */
static bool at_word(const struct lexer *lexer) {
  const char *text = lexer->c.text;
  uint32_t at = lexer->c.at;
  if (!(lexer->lexis & LEX_COLUMNS) || !at || !strchr(".:", text[at - 1])) return false;
  while (at < lexer->c.end && isdigit((unsigned char)text[at])) at++;
  return at > lexer->c.at && at < lexer->c.end && isalpha((unsigned char)text[at]) && text[at] != 'x';
}

static void track_braces(struct lexer *lexer, const char *text) {
  if (*text == '{') lexer->depth++;
  if (*text == '}' && lexer->depth && --lexer->depth == 0) lexer->groups++;
}

static void lex_punctuation(struct lexer *lexer, struct token *token) {
  for (size_t i = 0; i < ARRAY_COUNT(punctuation); i++)
    if (cursor_looks_at(&lexer->c, punctuation[i]) && !(lexer->lexis & LEX_COLUMNS && !strcmp(punctuation[i], "||"))) {
      *token = (struct token){TOKEN_PUNCT, {lexer->c.at, (uint32_t)strlen(punctuation[i])}, punctuation[i], 0};
      lexer->c.at += token->span.length;
      track_braces(lexer, punctuation[i]);
      return;
    }
  unsigned char c = (unsigned char)lexer->c.text[lexer->c.at];
  if (isprint(c))
    fail_lexing(lexer, (struct span){lexer->c.at, 1}, "unexpected character '%c'", c);
  else
    fail_lexing(lexer, (struct span){lexer->c.at, 1}, "unexpected byte 0x%02x: not a text", c);
}

void reader_open(struct reader *reader, uint32_t start, unsigned lexis) {
  struct lexer lexer = {reader, {reader->source->text, start, (uint32_t)reader->source->size}, lexis, 0, 0, 0};
  VEC(struct token) tokens = {0};
  vec_reserve(reader->arena, (void **)&tokens.at, &tokens.room, 16 + (lexer.c.end - start) / 4, sizeof *tokens.at);
  for (skip_blanks(&lexer); lexer.c.at < lexer.c.end && !reader->bad; skip_blanks(&lexer)) {
    struct token *token = vec_push(reader->arena, &tokens);
    guard_poll();
    if (isdigit((unsigned char)lexer.c.text[lexer.c.at]) && !at_word(&lexer))
      lex_number(&lexer, token);
    else if (at_name(&lexer) || at_word(&lexer))
      lex_name(&lexer, token);
    else
      lex_punctuation(&lexer, token);
    if (reader->bad) tokens.count--;
  }
  struct token *end = vec_push(reader->arena, &tokens);
  *end = (struct token){TOKEN_END, {reader->bad ? reader->bad_span.at : lexer.c.end, 0}, "", 0};
  reader->end = end;
  reader->first = reader->token = tokens.at;
}

void reader_finish(struct reader *reader) {
  if (reader->bad) reader_fail(reader, reader->bad_span, "%s", reader->bad);
}

bool reader_fail(struct reader *reader, struct span span, const char *format, ...) {
  if (reader->failed) return false;
  bool cut = reader->bad && (reader->token == reader->end || span.at >= reader->bad_span.at);
  reader->failed = true;
  reader->token = reader->end;
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(reader->arena, format, args);
  va_end(args);
  if (cut)
    diag_error(reader->diags, reader->source, reader->bad_span, "%s", reader->bad);
  else
    diag_error(reader->diags, reader->source, span, "%s", message);
  return false;
}

static const char *describe(struct reader *reader, const struct token *token) {
  switch (token->kind) {
    case TOKEN_END:
      return "the end of the file";
    case TOKEN_NAME:
    case TOKEN_PUNCT:
      return arena_printf(reader->arena, "'%s'", token->text);
    case TOKEN_NUMBER:
      return arena_printf(reader->arena, "%" PRId64, token->value);
  }
  return "";
}

/* Punctuation that is missing belongs after the token before it, when a line
 * ends between the two: `x = 1` without its semicolon is a mistake of its own
 * line.  So does everything that the end of the text cuts off. */
static struct span place_of_missing(const struct reader *reader, bool symbol) {
  const struct token *token = reader->token;
  if (token == reader->first || (!symbol && token->kind != TOKEN_END)) return token->span;
  uint32_t end = token[-1].span.at + token[-1].span.length;
  if (end > token->span.at) return token->span; /* both are of one macro */
  bool line_ends = memchr(reader->source->text + end, '\n', token->span.at - end) != NULL;
  return line_ends || token->kind == TOKEN_END ? (struct span){end, 0} : token->span;
}

static bool fail_missing(struct reader *reader, const char *what, bool symbol) {
  if (reader->failed) return false;
  const char *found = describe(reader, reader->token);
  return reader_fail(reader, place_of_missing(reader, symbol), "expected %s, found %s", what, found);
}

bool reader_fail_expected(struct reader *reader, const char *what) {
  return fail_missing(reader, what, false);
}

bool token_is(const struct token *token, const char *text) {
  return token->text[0] == text[0] && !strcmp(token->text, text);
}

bool reader_is(const struct reader *reader, const char *text) {
  return token_is(reader->token, text);
}

bool reader_is_name(const struct reader *reader) {
  return reader->token->kind == TOKEN_NAME;
}

const struct token *reader_take(struct reader *reader) {
  const struct token *token = reader->token;
  guard_poll();
  if (token != reader->end) reader->token++;
  return token;
}

bool reader_skip(struct reader *reader, const char *text) {
  if (!reader_is(reader, text)) return false;
  reader_take(reader);
  return true;
}

void reader_expect(struct reader *reader, const char *text, const char *where) {
  if (reader_skip(reader, text) || reader->failed) return;
  fail_missing(reader, arena_printf(reader->arena, "'%s' %s", text, where), true);
}

const char *reader_take_name(struct reader *reader, const char *what) {
  if (reader_is_name(reader)) return reader_take(reader)->text;
  reader_fail_expected(reader, what);
  return "";
}

int64_t reader_take_number(struct reader *reader, const char *what) {
  const struct token *first = reader->token;
  bool negative = reader_skip(reader, "-");
  if (reader->token->kind != TOKEN_NUMBER) {
    if (negative) reader->token = first;
    reader_fail_expected(reader, what);
    return 0;
  }
  int64_t value = reader_take(reader)->value;
  return negative ? -value : value;
}

struct span reader_span_from(const struct reader *reader, const struct token *first) {
  if (reader->token <= first) return first->span;
  struct span last = reader->token[-1].span; /* a macro may have moved it before the first */
  if (last.at + last.length < first->span.at + first->span.length) return first->span;
  return (struct span){first->span.at, last.at + last.length - first->span.at};
}

const struct word_row *word_find(const struct word_row *rows, const char *text) {
  for (; rows->text; rows++)
    if (!strcmp(rows->text, text)) return rows;
  return NULL;
}

const char *word_for(const struct word_row *rows, int value) {
  while (rows->text && rows->value != value) rows++;
  return rows->text;
}

const char *reader_hint(struct reader *reader, const char *word, const char *const *words) {
  if (strlen(word) < 2) return ""; /* any other letter would be near */
  return suggest_hint(reader->arena, suggest(word, words));
}
