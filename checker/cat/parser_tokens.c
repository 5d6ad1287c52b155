/* SPDX-License-Identifier: MIT */
/* The parser's tokens: looking at the next one, taking it, and saying what was
 * expected instead.  There is one error for a file; it ends the parse. */
#include "checker/cat/parser_tokens.h"

/* Deeper nesting than any model has; keeps the recursion within small stacks. */
enum { DEPTH_LIMIT = 400 };

struct parser parser_new(struct arena *arena, struct symbols *symbols, const struct source *source,
                         struct diags *diags) {
  return (struct parser){.arena = arena, .symbols = symbols, .source = source, .diags = diags};
}

bool parser_at(const struct parser *p, int kind) {
  return p->token->kind == kind;
}

const struct token *parser_take(struct parser *p) {
  const struct token *token = p->token;
  if (token->kind != TOK_END) p->token++;
  p->last_end = token->span.at + token->span.length + (token->kind == TOK_STRING);
  return token;
}

bool parser_try(struct parser *p, int kind) {
  if (!parser_at(p, kind)) return false;
  parser_take(p);
  return true;
}

void *parser_fail(struct parser *p, const char *expected) {
  diag_error(p->diags, p->source, p->token->span, "expected %s, found %s", expected, token_name(p->token->kind));
  return NULL;
}

bool parser_expect(struct parser *p, int kind) {
  if (parser_try(p, kind)) return true;
  parser_fail(p, token_name(kind));
  return false;
}

/* As expect, for what closes the bracket or block opened at `open`. */
bool parser_expect_closing(struct parser *p, int kind, struct span open) {
  if (parser_expect(p, kind)) return true;
  diag_note(p->diags, p->source, open, "opened here");
  return false;
}

struct symbol *parser_symbol(struct parser *p, const struct token *token) {
  return symbols_intern(p->symbols, p->source->text + token->span.at, token->span.length);
}

struct symbol *parser_name(struct parser *p, const char *expected) {
  if (!parser_at(p, TOK_NAME)) return parser_fail(p, expected);
  return parser_symbol(p, parser_take(p));
}

const char *parser_text(struct parser *p, const struct token *token) {
  return arena_strndup(p->arena, p->source->text + token->span.at, token->span.length);
}

struct span parser_since(const struct parser *p, uint32_t start) {
  return (struct span){start, p->last_end > start ? p->last_end - start : 0};
}

bool parser_enter(struct parser *p) {
  if (++p->depth <= DEPTH_LIMIT) return true;
  return diag_error(p->diags, p->source, p->token->span, "nested more than %d levels deep", DEPTH_LIMIT);
}

void parser_leave(struct parser *p) {
  p->depth--;
}
