/* SPDX-License-Identifier: MIT */
/* Macros: read into lists of words, and put in place of their calls.  See
 * macros.h for the grammar.  Where one macro ends and the next begins shows by
 * two operands side by side, which no expression has. */
#include "checker/litmus/macros.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"

enum { NESTING_LIMIT = 64, WORD_LIMIT = 1 << 20 };

typedef VEC(struct token) token_list;

struct macro {
  const char *name;
  VEC(const char *) parameters;
  bool statements; /* its body is in braces */
  token_list body;
};

struct macros {
  VEC(struct macro) all;
};

/* --- reading -------------------------------------------------------------------------- */

/* Can an expression end with this word? */
static bool ends_operand(const struct token *token) {
  return token->kind == TOKEN_NAME || token->kind == TOKEN_NUMBER || token_is(token, ")") || token_is(token, "]");
}

static void parse_parameters(struct reader *reader, struct macro *macro) {
  reader_expect(reader, "(", "after the macro's name");
  while (!reader->failed && !reader_is(reader, ")")) {
    *vec_push(reader->arena, &macro->parameters) = reader_take_name(reader, "a parameter");
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, ")", "after the parameters");
}

/* The words up to the next macro, or to the brace that closes the first one. */
static void parse_body(struct reader *reader, struct macro *macro) {
  const struct token *first = reader->token;
  unsigned depth = 0;
  macro->statements = reader_is(reader, "{");
  while (!reader->failed && reader->token != reader->end) {
    bool next = reader->token != first && ends_operand(reader->token - 1) && reader_is_name(reader);
    if (!depth && !macro->statements && next) break;
    const struct token *token = reader_take(reader);
    *vec_push(reader->arena, &macro->body) = *token;
    if (token_is(token, "(") || token_is(token, "{")) depth++;
    if ((token_is(token, ")") || token_is(token, "}")) && depth) depth--;
    if (!depth && macro->statements) break;
  }
  if (!macro->body.count) reader_fail_expected(reader, "what the macro stands for");
  if (depth) reader_fail(reader, first->span, "the macro '%s' is never closed", macro->name);
}

const struct macros *macros_parse(struct arena *arena, const struct source *source, struct diags *diags) {
  struct macros *macros = ARENA_NEW(arena, struct macros);
  struct reader reader = {.arena = arena, .source = source, .diags = diags};
  reader_open(&reader, 0, LEX_CODE);
  while (!reader.failed && reader.token != reader.end) {
    struct macro *macro = vec_push(arena, &macros->all);
    *macro = (struct macro){.name = reader_take_name(&reader, "the name of a macro")};
    parse_parameters(&reader, macro);
    parse_body(&reader, macro);
  }
  reader_finish(&reader);
  return reader.failed ? NULL : macros;
}

/* --- expansion ------------------------------------------------------------------------ */

struct expansion {
  const struct macros *macros;
  struct reader *reader;
  token_list out;
  unsigned depth; /* of macros within macros */
};

static void expand(struct expansion *x, const struct token *from, const struct token *end);

static const struct macro *find_macro(const struct macros *macros, const struct token *token) {
  return token->kind == TOKEN_NAME ? FIND_ROW(macros->all.at, macros->all.count, name, token->text) : NULL;
}

static void add(struct expansion *x, struct token token) {
  if (x->out.count == WORD_LIMIT) reader_fail(x->reader, token.span, "macros expand to more than %d words", WORD_LIMIT);
  if (!x->reader->failed) *vec_push(x->reader->arena, &x->out) = token;
}

static void add_punctuation(struct expansion *x, const char *text, struct span span) {
  add(x, (struct token){TOKEN_PUNCT, span, text, 0});
}

/* An argument's words, first to past the last. */
struct argument {
  const struct token *from, *end;
};

typedef VEC(struct argument) argument_list;

/* Cuts the arguments of a call apart; returns its closing parenthesis, or `end`. */
static const struct token *cut_arguments(struct expansion *x, const struct token *open, const struct token *end,
                                         argument_list *arguments) {
  unsigned depth = 0;
  const struct token *from = open + 1, *at = from;
  for (; at != end && (depth || !token_is(at, ")")); at++) {
    if (token_is(at, "(") || token_is(at, "[") || token_is(at, "{")) depth++;
    if ((token_is(at, ")") || token_is(at, "]") || token_is(at, "}")) && depth) depth--;
    if (depth || !token_is(at, ",")) continue;
    *vec_push(x->reader->arena, arguments) = (struct argument){from, at};
    from = at + 1;
  }
  if (at != open + 1) *vec_push(x->reader->arena, arguments) = (struct argument){from, at};
  return at;
}

/* The words of a body with arguments in place of parameters, all of the call's place. */
static void substitute(struct expansion *x, const struct macro *macro, const argument_list *arguments,
                       struct span place, token_list *words) {
  struct arena *arena = x->reader->arena;
  for (size_t i = 0; i < macro->body.count; i++) {
    struct token token = macro->body.at[i];
    const struct argument *argument = NULL;
    for (size_t p = 0; token.kind == TOKEN_NAME && p < macro->parameters.count; p++)
      if (!strcmp(macro->parameters.at[p], token.text)) argument = &arguments->at[p];
    token.span = place;
    if (!argument) {
      *vec_push(arena, words) = token;
      continue;
    }
    bool several = argument->end - argument->from > 1;
    if (several) *vec_push(arena, words) = (struct token){TOKEN_PUNCT, place, "(", 0};
    for (const struct token *at = argument->from; at != argument->end; at++) *vec_push(arena, words) = *at;
    if (several) *vec_push(arena, words) = (struct token){TOKEN_PUNCT, place, ")", 0};
  }
}

/* Expands the call at `name`; returns what comes after it. */
static const struct token *expand_call(struct expansion *x, const struct macro *macro, const struct token *name,
                                       const struct token *end) {
  struct reader *reader = x->reader;
  argument_list arguments = {0};
  const struct token *close = cut_arguments(x, name + 1, end, &arguments);
  if (close == end) return name + 1; /* the parser says what is wrong */
  if (arguments.count != macro->parameters.count)
    reader_fail(reader, name->span, "the macro '%s' takes %zu argument%s, not %zu", macro->name,
                macro->parameters.count, macro->parameters.count == 1 ? "" : "s", arguments.count);
  if (x->depth == NESTING_LIMIT)
    reader_fail(reader, name->span, "the macro '%s' expands more than %d levels deep", macro->name, NESTING_LIMIT);
  if (reader->failed) return end;
  uint32_t stop = close->span.at + close->span.length;
  struct span place = {name->span.at, stop > name->span.at ? stop - name->span.at : name->span.length};
  token_list words = {0};
  substitute(x, macro, &arguments, place, &words);
  x->depth++;
  if (!macro->statements) add_punctuation(x, "(", place);
  expand(x, words.at, words.at + words.count);
  if (!macro->statements) add_punctuation(x, ")", place);
  x->depth--;
  const struct token *behind = close + 1;
  if (macro->statements && behind != end && token_is(behind, ";")) behind++; /* `if (c) M(); else` */
  return behind;
}

static void expand(struct expansion *x, const struct token *from, const struct token *end) {
  while (from != end && !x->reader->failed) {
    const struct macro *macro = from + 1 != end && token_is(from + 1, "(") ? find_macro(x->macros, from) : NULL;
    if (macro)
      from = expand_call(x, macro, from, end);
    else
      add(x, *from++);
  }
}

void macros_expand(const struct macros *macros, struct reader *reader) {
  struct expansion x = {.macros = macros, .reader = reader};
  const struct token *at = reader->token;
  while (at != reader->end && !reader->failed) {
    add(&x, *at);
    if (!token_is(at++, "{")) continue;
    const struct token *body = at;
    for (unsigned depth = 1; at != reader->end && depth; at++) {
      if (token_is(at, "{")) depth++;
      if (token_is(at, "}") && !--depth) break;
    }
    expand(&x, body, at);
  }
  if (reader->failed) return;
  *vec_push(reader->arena, &x.out) = *reader->end;
  reader->first = reader->token = x.out.at;
  reader->end = &x.out.at[x.out.count - 1];
}
