/* SPDX-License-Identifier: MIT */
/* The lexer: one pass over the text into an array of tokens. */
#include "checker/cat/lex.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

struct lexer {
  struct arena *arena;
  const struct source *source;
  struct diags *diags;
  struct cursor c;
  VEC(struct token) tokens;
};

static bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name(char c) {
  return is_alpha(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
}

static const struct {
  const char *text;
  int kind;
} keywords[] = {
#define CAT_KEYWORD_ROW(id, text) {text, KW_##id},
    CAT_KEYWORDS(CAT_KEYWORD_ROW)
#undef CAT_KEYWORD_ROW
};

/* Longer spellings stand before their prefixes. */
static const struct {
  const char *text;
  int kind;
} operators[] = {
    {"||", TOK_BARBAR},  {"|", TOK_BAR},        {"&&", TOK_AMPAMP},  {"&", TOK_AMP},        {"++", TOK_PLUSPLUS},
    {"+", TOK_PLUS},     {"->", TOK_ARROW},     {"-1", TOK_INVERSE}, {"*", TOK_STAR},       {"~", TOK_TILDE},
    {"!", TOK_BANG},     {"\\", TOK_BACKSLASH}, {"?", TOK_QUESTION}, {"=", TOK_EQUAL},      {";", TOK_SEMI},
    {",", TOK_COMMA},    {"(", TOK_LPAR},       {")", TOK_RPAR},     {"{", TOK_LBRACE},     {"}", TOK_RBRACE},
    {"[", TOK_LBRACKET}, {"]", TOK_RBRACKET},   {"0", TOK_ZERO},     {"_", TOK_UNDERSCORE},
};

/* What may follow `^`, spaces between them allowed. */
static const struct {
  const char *text;
  int kind;
} powers[] = {
    {"-1", TOK_INVERSE}, {"2", TOK_SQUARE}, {"+", TOK_HAT_PLUS}, {"*", TOK_HAT_STAR}, {"?", TOK_HAT_OPT},
};

enum { POWER_COUNT = ARRAY_COUNT(powers) };

enum { OPERATOR_COUNT = ARRAY_COUNT(operators), KEYWORD_COUNT = ARRAY_COUNT(keywords) };

const char *token_name(int kind) {
  static const char *const keyword_names[] = {
#define CAT_KEYWORD_NAME(id, text) "'" text "'",
      CAT_KEYWORDS(CAT_KEYWORD_NAME)
#undef CAT_KEYWORD_NAME
  };
  if (kind >= TOK_KEYWORD) return keyword_names[kind - TOK_KEYWORD];
  static const char *const names[] = {[TOK_END] = "the end of the file",
                                      [TOK_NAME] = "a name",
                                      [TOK_TAG] = "a tag",
                                      [TOK_STRING] = "a string",
                                      [TOK_LPAR] = "'('",
                                      [TOK_RPAR] = "')'",
                                      [TOK_LBRACE] = "'{'",
                                      [TOK_RBRACE] = "'}'",
                                      [TOK_LBRACKET] = "'['",
                                      [TOK_RBRACKET] = "']'",
                                      [TOK_EQUAL] = "'='",
                                      [TOK_BARBAR] = "'||'",
                                      [TOK_PLUSPLUS] = "'++'",
                                      [TOK_BAR] = "'|'",
                                      [TOK_ARROW] = "'->'",
                                      [TOK_COMMA] = "','"};
  return (size_t)kind < ARRAY_COUNT(names) && names[kind] ? names[kind] : "an operator";
}

static char peek(const struct lexer *lexer, uint32_t ahead) {
  size_t at = (size_t)lexer->c.at + ahead;
  return at < lexer->c.end ? lexer->c.text[at] : '\0';
}

static bool at_end(const struct lexer *lexer) {
  return lexer->c.at >= lexer->c.end;
}

/* Comments nest; strings inside them do not hide their ends, as in herd. */
static bool skip_comment(struct lexer *lexer) {
  struct span opening = {lexer->c.at, 2};
  if (cursor_skip_comment(&lexer->c, "(*", "*)", true)) return true;
  return diag_error(lexer->diags, lexer->source, opening, "this comment does not end: expected '*)'");
}

/* `{% ... }`, with balanced braces inside. */
static bool skip_documentation(struct lexer *lexer) {
  uint32_t start = lexer->c.at;
  unsigned depth = 0;
  do {
    if (at_end(lexer))
      return diag_error(lexer->diags, lexer->source, (struct span){start, 2},
                        "this documentation does not end: expected '}'");
    char c = peek(lexer, 0);
    lexer->c.at++;
    if (c == '{') depth++;
    if (c == '}') depth--;
  } while (depth);
  return true;
}

static bool skip_blanks(struct lexer *lexer) {
  while (!at_end(lexer)) {
    char c = peek(lexer, 0);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      lexer->c.at++;
    } else if (c == '#' || cursor_looks_at(&lexer->c, "//")) {
      cursor_skip_to(&lexer->c, "\n");
    } else if (cursor_looks_at(&lexer->c, "(*")) {
      if (!skip_comment(lexer)) return false;
    } else if (cursor_looks_at(&lexer->c, "{%")) {
      if (!skip_documentation(lexer)) return false;
    } else {
      break;
    }
  }
  return true;
}

static void push(struct lexer *lexer, int kind, uint32_t start) {
  *vec_push(lexer->arena, &lexer->tokens) = (struct token){kind, {start, lexer->c.at - start}};
}

static int keyword_of(const char *text, uint32_t length) {
  for (unsigned i = 0; i < KEYWORD_COUNT; i++)
    if (*keywords[i].text == *text && text_part_is(text, length, keywords[i].text)) return keywords[i].kind;
  return TOK_NAME;
}

static void lex_name(struct lexer *lexer) {
  uint32_t start = lexer->c.at;
  if (peek(lexer, 0) == '_') lexer->c.at++;
  while (is_name(peek(lexer, 0))) lexer->c.at++;
  while (peek(lexer, 0) == '\'') lexer->c.at++;
  push(lexer, keyword_of(lexer->c.text + start, lexer->c.at - start), start);
}

static void lex_tag(struct lexer *lexer) {
  uint32_t start = ++lexer->c.at;
  if (peek(lexer, 0) == '_') lexer->c.at++;
  while (is_name(peek(lexer, 0))) lexer->c.at++;
  push(lexer, TOK_TAG, start);
}

static bool lex_string(struct lexer *lexer) {
  uint32_t start = ++lexer->c.at;
  while (!at_end(lexer) && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n') lexer->c.at++;
  if (peek(lexer, 0) != '"')
    return diag_error(lexer->diags, lexer->source, (struct span){start - 1, 1},
                      "this string does not end: expected '\"'");
  push(lexer, TOK_STRING, start);
  lexer->c.at++;
  return true;
}

static bool lex_power(struct lexer *lexer) {
  uint32_t start = lexer->c.at++;
  while (peek(lexer, 0) == ' ' || peek(lexer, 0) == '\t') lexer->c.at++;
  for (unsigned i = 0; i < POWER_COUNT; i++) {
    if (!cursor_looks_at(&lexer->c, powers[i].text)) continue;
    lexer->c.at += (uint32_t)strlen(powers[i].text);
    push(lexer, powers[i].kind, start);
    return true;
  }
  return diag_error(lexer->diags, lexer->source, (struct span){start, 1}, "after '^' expected -1, +, *, ? or 2");
}

static bool lex_operator(struct lexer *lexer) {
  for (unsigned i = 0; i < OPERATOR_COUNT; i++) {
    if (*operators[i].text != peek(lexer, 0) || !cursor_looks_at(&lexer->c, operators[i].text)) continue;
    uint32_t start = lexer->c.at;
    lexer->c.at += (uint32_t)strlen(operators[i].text);
    push(lexer, operators[i].kind, start);
    return true;
  }
  unsigned char c = (unsigned char)peek(lexer, 0);
  struct span span = {lexer->c.at, 1};
  if (c > ' ' && c < 0x7f)
    diag_error(lexer->diags, lexer->source, span, "unexpected character '%c'", c);
  else
    diag_error(lexer->diags, lexer->source, span, "unexpected byte 0x%02x", c);
  return false;
}

static bool lex_token(struct lexer *lexer) {
  char c = peek(lexer, 0), next = peek(lexer, 1);
  if (is_alpha(c) || (c == '_' && is_alpha(next)))
    lex_name(lexer);
  else if (c == '\'' && (is_alpha(next) || (next == '_' && is_alpha(peek(lexer, 2)))))
    lex_tag(lexer);
  else if (c == '"')
    return lex_string(lexer);
  else if (c == '^')
    return lex_power(lexer);
  else
    return lex_operator(lexer);
  return true;
}

struct token *cat_lex(struct arena *arena, const struct source *source, struct diags *diags) {
  struct lexer lexer = {
      .arena = arena, .source = source, .diags = diags, .c = {source->text, 0, (uint32_t)source->size}};
  for (;;) {
    if (!skip_blanks(&lexer)) return NULL;
    if (at_end(&lexer)) break;
    if (!lex_token(&lexer)) return NULL;
    guard_poll();
  }
  push(&lexer, TOK_END, lexer.c.at);
  return lexer.tokens.at;
}
