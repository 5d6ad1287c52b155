/* SPDX-License-Identifier: MIT */
/* Conditions of `if`: on variants, and on values. */

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cat/parser_tokens.h"

static struct condition *new_condition(struct parser *p, enum condition_kind kind, const struct condition *a,
                                       const struct condition *b) {
  return ARENA_MAKE(p->arena, struct condition, .kind = kind, .a = a, .b = b);
}

static void note_variant(struct symbols *symbols, const char *word) {
  if (text_index(word, symbols->variants.at, symbols->variants.count) >= 0) return;
  *vec_push(symbols->arena, &symbols->variants) = word;
}

/* variant = ["variant"] STRING | ("not" | "!" | "~") variant | "(" variants ")" */
static const struct condition *parse_variant(struct parser *p) {
  if (!parser_enter(p)) return NULL;
  const struct condition *result = NULL;
  if (parser_at(p, KW_NOT) || parser_at(p, TOK_BANG) || parser_at(p, TOK_TILDE)) {
    parser_take(p);
    const struct condition *a = parse_variant(p);
    result = a ? new_condition(p, COND_NOT, a, NULL) : NULL;
  } else if (parser_try(p, TOK_LPAR)) {
    const struct condition *a = parse_variants(p);
    result = a && parser_expect(p, TOK_RPAR) ? a : NULL;
  } else {
    parser_try(p, KW_VARIANT);
    if (!parser_at(p, TOK_STRING)) return parser_fail(p, "the name of a variant, in double quotes");
    struct condition *variant = new_condition(p, COND_VARIANT, NULL, NULL);
    variant->span = p->token->span;
    variant->variant = parser_text(p, parser_take(p));
    note_variant(p->symbols, variant->variant);
    result = variant;
  }
  parser_leave(p);
  return result;
}

/* conjunction = variant ("&&" variant)* */
static const struct condition *parse_conjunction(struct parser *p) {
  const struct condition *left = parse_variant(p);
  while (left && parser_try(p, TOK_AMPAMP)) {
    const struct condition *right = parse_variant(p);
    left = right ? new_condition(p, COND_AND, left, right) : NULL;
  }
  return left;
}

/* variants = conjunction ("||" conjunction)* */
const struct condition *parse_variants(struct parser *p) {
  const struct condition *left = parse_conjunction(p);
  while (left && parser_try(p, TOK_BARBAR)) {
    const struct condition *right = parse_conjunction(p);
    left = right ? new_condition(p, COND_OR, left, right) : NULL;
  }
  return left;
}

/* Does a condition on variants start here? A parenthesis may open either kind. */
static bool at_variant(const struct parser *p) {
  const struct token *token = p->token;
  while (token->kind == TOK_LPAR || token->kind == TOK_BANG || token->kind == TOK_TILDE || token->kind == KW_NOT)
    token++;
  return token->kind == TOK_STRING || token->kind == KW_VARIANT;
}

/* condition = variants | exp ("=" | "subset" | "in") exp */
const struct condition *parse_condition(struct parser *p) {
  if (at_variant(p)) return parse_variants(p);
  uint32_t start = p->token->span.at;
  const struct exp *left = parse_exp(p);
  if (!left) return NULL;
  enum condition_kind kind = COND_EQUAL;
  if (parser_try(p, KW_SUBSET))
    kind = COND_SUBSET;
  else if (parser_try(p, KW_IN))
    kind = COND_IN;
  else if (!parser_try(p, TOK_EQUAL))
    return parser_fail(p, "'=', 'subset' or 'in'");
  const struct exp *right = parse_exp(p);
  if (!right) return NULL;
  struct condition *condition = new_condition(p, kind, NULL, NULL);
  condition->left = left;
  condition->right = right;
  condition->span = parser_since(p, start);
  return condition;
}
