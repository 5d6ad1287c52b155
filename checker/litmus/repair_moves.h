/* SPDX-License-Identifier: MIT */
/* Moves: the small changes of a test's text that `repair` tries.
 *
 * A *place* is an operation of the text, or a point between two of them where a
 * fence may stand.  It has several *forms*; the first is the one in the text.  The
 * forms of an operation are its language's templates (struct move_words, in the
 * dialect) with every order and scope put in, as far as the front end takes them
 * without an error or a warning that it did not have before: what a language allows
 * is said once, by its parser.  How strong a form is, is read off the instruction
 * that the front end makes of it.
 */
#ifndef LITSCOPE_LITMUS_REPAIR_MOVES_H
#define LITSCOPE_LITMUS_REPAIR_MOVES_H

#include "checker/litmus/litmus.h"
#include "checker/litmus/operation_strength.h"

struct spirv_change; /* spirv/operation_changes.h */
struct spirv_code;
struct word_row; /* lex.h */

/* A language's words for templates: `%X` stands for each of the list with letter X. */
struct move_list {
  char letter;
  const char *const *words;    /* ends in NULL; "" leaves it out */
  const struct word_row *rows; /* NULL words: those of a table */
};

/* In templates also: %n the operation's own name (`atomic_fetch_add`; in columns, the
 * words of the name that no list and no `known` has; %t: after a dot, if there are any), %m the first word of a name
 * in columns, %c its storage class, %a its operands without orders and scopes. */
struct move_form {
  enum instr_kind kind;
  const char *text;
};

/* The words of the instructions that go by a name of a location which has this proxy; NULL: there is none. */
struct move_proxy {
  const char *name, *load, *store, *update;
};

struct move_words {
  const struct move_list *lists;       /* ends with letter 0 */
  const struct move_form *forms;       /* ends with text NULL */
  const char *const *fences;           /* templates without operands, that may be put in; ends in NULL */
  const char *const *barriers;         /* templates of barriers, likewise; NULL: there are none */
  const struct word_row *const *known; /* tables of further words that templates spell out; ends in NULL */
  const char *plain[2]; /* in place of %n for ordinary loads and stores that have no name; NULL: they have one */
  const char *class;    /* how the storage class in a name begins: "sc"; NULL: there is none */
  const char *atomic, *ordinary; /* type words: how a location that is not atomic becomes so; NULL: it need not */
  const char *const
      *updates;       /* by enum rmw_op: %n of the one that does what a load and a store do; NULL: there is none */
  const char *update; /* %m of all of these */
  const struct move_proxy *proxies; /* ends with name NULL; NULL: locations have one name */
  char separator; /* of the words of a name in columns; 0: operations are calls, statements end in `;` */
};

/* A language's; NULL: it has none. */
const struct move_words *litmus_move_words(enum litmus_language language);

/* In the place of a piece of the text, another. */
struct edit {
  struct span span;
  const char *text;
};

struct form {
  const char *text; /* the operation as it is written then; "": it is not there */
  const struct edit *edits;
  size_t edit_count;
  struct form_strength strength;
  uint32_t
      covers; /* of an update in place of a load and a store: where the store's place is, whose form does not count */
  const struct spirv_change *change; /* of a kernel; NULL: none */
};

struct place {
  unsigned thread;    /* of a test: all threads of a kernel have its text */
  uint32_t at;        /* in the text */
  bool inserted;      /* a point where nothing stands yet: the first form is "" */
  uint32_t operation; /* a number that no other place has; 0: inserted */
  struct form *forms;
  size_t form_count;
};

struct places {
  struct place *at;
  size_t count;
  const struct spirv_code *code; /* of a kernel; NULL: of a test */
  bool some_fixed;               /* a kernel's source has operations that cannot be changed in the text, */
  uint32_t fixed;                /* the first of them here */
};

/* Is the place part of the form that another has, so that its own does not count? */
static inline bool moves_covered(const struct places *places, const unsigned *choice, size_t place) {
  uint32_t operation = places->at[place].operation;
  for (size_t i = 0; operation && i < places->count; i++)
    if (places->at[i].forms[choice[i]].covers == operation) return true;
  return false;
}

/* The places of a test with more than one form, in the order of the text.  Empty for
 * languages that have no templates.  `options`: as it was read. */
struct places moves_find(struct arena *arena, const struct litmus_test *test, const struct litmus_options *options);

/* The test whose text is changed: of a kernel in SPIR-V's words, that of the text which spirv-dis makes of them. NULL:
 * an error was added. */
const struct litmus_test *moves_text(struct arena *arena, const struct litmus_test *test,
                                     const struct litmus_options *options, struct diags *diags);

/* The text with form choice[i] of place i. */
const struct source *moves_apply(struct arena *arena, const struct litmus_test *test, const struct places *places,
                                 const unsigned *choice);

/* The test with these forms; NULL: it has an error then.  `options`: as it was read. */
const struct litmus_test *moves_read(struct arena *arena, const struct litmus_test *test, const struct places *places,
                                     const unsigned *choice, const struct litmus_options *options);

#endif
