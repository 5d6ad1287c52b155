/* SPDX-License-Identifier: MIT */
/* Words of a litmus test, and the reader that parsers take them from.
 *
 * A test is cut into tokens once, after its header.  The parsers of all
 * dialects and of the common parts share a `struct reader`: it points at the
 * current token and remembers whether something went wrong.  The first error of
 * a test is its only one: reader_fail records it and moves to the end of the
 * text, so that every parser loop stops by itself and nothing else is reported.
 */
#ifndef LITSCOPE_LITMUS_LEX_H
#define LITSCOPE_LITMUS_LEX_H

#include "checker/litmus/litmus.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_PUNCT };

struct token {
  enum token_kind kind;
  struct span span;
  const char *text; /* NAME: the name; PUNCT: its spelling; NUMBER that has the bits of a float: "float"; else "" */
  int64_t value;    /* NUMBER: never negative, but for bits of floats */
};

/* A word of a language and what it means there; tables end in NULL.  Of several words for one thing the first is
 * the usual one. */
struct word_row {
  const char *text;
  int value;
};

/* The row of a word, or the first with a value; NULL: there is none. */
const struct word_row *word_find(const struct word_row *rows, const char *text);
const char *word_for(const struct word_row *rows, int value);

struct reader {
  struct arena *arena;
  const struct source *source;
  struct diags *diags;
  const struct token *first; /* of the text */
  const struct token *token; /* the current one */
  const struct token *end;   /* the last one, TOKEN_END */
  bool failed;
  const char *bad;      /* what is wrong with the text where no token can be cut; NULL: nothing */
  struct span bad_span; /* where: tokens end there, and the first error before it goes before it */
};

/* What differs between languages. */
enum lexis {
  LEX_COLUMNS = 1, /* `||` is two bars around an empty column; words after `.` may begin with digits */
  LEX_DECIMAL = 2, /* numbers with a leading 0 are decimal */
  LEX_ANGLES = 4,  /* `<< >>` is a comment */
  LEX_FLOATS = 16, /* `0f3F800000` and `0d3FF0000000000000` are numbers with the bits of floats */
  LEX_CODE = 8     /* `(*` is no comment anywhere */
};

/* Cuts the text from byte `start` on into tokens and points the reader at the
 * first.  Comments are `//`, C's, and `(* *)`, which nest; inside the braces of
 * a thread `(*` is a comment only when a blank follows and a `*)` comes before
 * the statement's end, else it is a parenthesis and a star.  Numbers are decimal,
 * octal or hexadecimal as in C and below 2^63.  `lexis` is a set of enum lexis. */
void reader_open(struct reader *reader, uint32_t start, unsigned lexis);

/* Once all has been parsed: fails where the text could not be cut into tokens. */
void reader_finish(struct reader *reader);

/* Records an error, unless there was one, and moves to the end. */
bool reader_fail(struct reader *reader, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with `expected WHAT, found ...` at the current token, or after the last
 * one at the end of the text. */
bool reader_fail_expected(struct reader *reader, const char *what);

/* Is the current token this word or punctuation? */
bool reader_is(const struct reader *reader, const char *text);
bool reader_is_name(const struct reader *reader);
bool token_is(const struct token *token, const char *text);

/* Moves on when it is. */
bool reader_skip(struct reader *reader, const char *text);

/* The current token; moves on. */
const struct token *reader_take(struct reader *reader);

/* Moves past `text` or fails with `expected TEXT WHERE, found ...`; the caret stands
 * after the token before when that ends its line. */
void reader_expect(struct reader *reader, const char *text, const char *where);

/* A name, or failure with `expected WHAT`; then "". */
const char *reader_take_name(struct reader *reader, const char *what);

/* An optionally signed number, or failure with `expected WHAT`. */
int64_t reader_take_number(struct reader *reader, const char *what);

/* From the start of `first` to the end of the token before the current one. */
struct span reader_span_from(const struct reader *reader, const struct token *first);

/* `; did you mean 'x'?` for the word nearest to `word`, or "". */
const char *reader_hint(struct reader *reader, const char *word, const char *const *words);

#endif
