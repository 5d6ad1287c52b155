/* SPDX-License-Identifier: MIT */
/* What the parts of the parser share: tokens, and each other's rules.
 *
 * A rule takes the tokens that it is made of and returns its tree, or adds an
 * error and returns NULL (or false).
 */
#ifndef LITSCOPE_CAT_PARSER_TOKENS_H
#define LITSCOPE_CAT_PARSER_TOKENS_H

#include "checker/base/vec.h"
#include "checker/cat/lex.h"
#include "checker/cat/syntax.h"

struct parser {
  struct arena *arena;
  struct symbols *symbols;
  const struct source *source;
  struct diags *diags;
  const struct token *token;
  const struct token *statement; /* where the last whole statement began */
  uint32_t last_end;             /* end of the last token taken */
  unsigned depth;
};

typedef VEC(const struct exp *) exp_list;
typedef VEC(struct symbol *) symbol_list;

/* At no token yet: the caller sets `token`. */
struct parser parser_new(struct arena *arena, struct symbols *symbols, const struct source *source,
                         struct diags *diags);

/* ---- tokens (parser_tokens.c) ---- */

bool parser_at(const struct parser *p, int kind);

/* The next token, which is passed; the last one stays. */
const struct token *parser_take(struct parser *p);

/* Takes it if it is of this kind, and says whether it was. */
bool parser_try(struct parser *p, int kind);

/* The error that something else was expected; NULL. */
void *parser_fail(struct parser *p, const char *expected);
bool parser_expect(struct parser *p, int kind);

/* As parser_expect, for what closes the bracket or block opened at `open`. */
bool parser_expect_closing(struct parser *p, int kind, struct span open);

struct symbol *parser_symbol(struct parser *p, const struct token *token);
struct symbol *parser_name(struct parser *p, const char *expected);
const char *parser_text(struct parser *p, const struct token *token);

/* From `start` to the end of the last token taken. */
struct span parser_since(const struct parser *p, uint32_t start);

/* One level deeper; an error beyond what stacks hold. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/* ---- trees (parse_exp.c) ---- */

struct exp *exp_new(struct parser *p, enum exp_kind kind, uint32_t start);
struct exp *exp_binary(struct parser *p, enum exp_kind kind, const struct exp *a, const struct exp *b);
struct exp *exp_list_of(struct parser *p, enum exp_kind kind, exp_list *items, uint32_t start);

/* ---- rules ---- */

const struct exp *parse_exp(struct parser *p);
const struct exp *parse_base(struct parser *p);
const struct exp *parse_tuple(struct parser *p);
bool parse_args(struct parser *p, int closing, exp_list *items);
bool parse_argument(struct parser *p, struct pattern *pattern);
bool parse_bindings(struct parser *p, bool *recursive, struct binding_syntax **bindings, unsigned *count);
const struct condition *parse_condition(struct parser *p);
const struct condition *parse_variants(struct parser *p);

#endif
