/* SPDX-License-Identifier: MIT */
/* Tokens of .cat: herd7's lexer with the 2015 herd's additions.
 *
 * Names may hold `.` and `-` and end in primes; `'name` is a tag.  Comments
 * are nested `(* *)`, `//` and `#` to the end of the line, and the 2015 herd's
 * `{% ... }` for documentation.
 */
#ifndef LITSCOPE_CAT_LEX_H
#define LITSCOPE_CAT_LEX_H

#include "checker/base/diag.h"

enum token_kind {
  TOK_END,
  TOK_BAD,
  TOK_NAME,
  TOK_TAG,
  TOK_STRING,
  TOK_LPAR,
  TOK_RPAR,
  TOK_LBRACE,
  TOK_RBRACE,
  TOK_LBRACKET,
  TOK_RBRACKET,
  TOK_UNDERSCORE,
  TOK_ZERO,
  TOK_BAR,
  TOK_BARBAR,
  TOK_AMP,
  TOK_AMPAMP,
  TOK_STAR,
  TOK_PLUS,
  TOK_PLUSPLUS,
  TOK_TILDE,
  TOK_BANG,
  TOK_INVERSE,
  TOK_SQUARE,
  TOK_HAT_PLUS,
  TOK_HAT_STAR,
  TOK_HAT_OPT,
  TOK_BACKSLASH,
  TOK_QUESTION,
  TOK_EQUAL,
  TOK_SEMI,
  TOK_COMMA,
  TOK_ARROW,
  TOK_KEYWORD /* the first keyword; see enum keyword */
};

/* clang-format off */
#define CAT_KEYWORDS(X) \
  X(LET, "let") X(REC, "rec") X(AND, "and") X(WHEN, "when") X(IN, "in") X(FUN, "fun") X(AS, "as") \
  X(ACYCLIC, "acyclic") X(IRREFLEXIVE, "irreflexive") X(EMPTY, "empty") X(SUBSET, "subset") \
  X(FLAG, "flag") X(ASSERT, "assert") X(UNDEFINED_UNLESS, "undefined_unless") \
  X(DEADNESS_REQUIRES, "deadness_requires") \
  X(SHOW, "show") X(UNSHOW, "unshow") X(INCLUDE, "include") X(PROCEDURE, "procedure") X(CALL, "call") \
  X(CHECKCALL, "checkcall") X(ENUM, "enum") X(DEBUG, "debug") X(MATCH, "match") X(WITH, "with") \
  X(FORALL, "forall") X(FOREACH, "foreach") X(FORORDER, "fororder") X(FROM, "from") X(DO, "do") X(TRY, "try") \
  X(IF, "if") X(THEN, "then") X(ELSE, "else") X(BEGIN, "begin") X(END, "end") X(NOT, "not") \
  X(VARIANT, "variant") X(INSTRUCTIONS, "instructions") X(DEFAULT, "default") X(CATDEP, "catdep")
/* clang-format on */

enum keyword {
  KW_FIRST = TOK_KEYWORD - 1,
#define CAT_KEYWORD_ENUM(id, text) KW_##id,
  CAT_KEYWORDS(CAT_KEYWORD_ENUM)
#undef CAT_KEYWORD_ENUM
      KW_END_OF_LIST
};

struct token {
  int kind; /* enum token_kind or enum keyword */
  struct span span;
};

/* All tokens, the last of kind TOK_END; NULL after adding an error. */
struct token *cat_lex(struct arena *arena, const struct source *source, struct diags *diags);

/* How messages name a token: `'let'`, `a name`, `end of file`. */
const char *token_name(int kind);

#endif
