/* SPDX-License-Identifier: MIT */
/* Syntax trees of .cat models, and their symbols.
 *
 * A file is a title and a list of statements.  Trees keep spans and their
 * source, because a function may be applied far from the file that defines it.
 */
#ifndef LITSCOPE_CAT_SYNTAX_H
#define LITSCOPE_CAT_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"

/* A name, interned: equal names are equal pointers.  `builtin` is what the name
 * means where no model binds it, NULL for nothing (builtins.h). */
struct symbol {
  const char *text;
  const struct builtin *builtin;
  struct symbol *next; /* in its bucket */
  uint32_t hash;
};

struct symbols {
  struct arena *arena;
  const struct symbols *below; /* a finished table that this one adds to, or NULL */
  struct symbol **buckets;
  uint32_t bucket_count, count;
  struct {
    const char **at;
    size_t count, room;
  } variants; /* words that conditions on variants ask for, each once */
};

struct symbols symbols_new(struct arena *arena);
struct symbols symbols_above(struct arena *arena, const struct symbols *below);
struct symbol *symbols_intern(struct symbols *symbols, const char *text, size_t length);

enum exp_kind {
  EXP_NAME,     /* symbol */
  EXP_TAG,      /* 'symbol */
  EXP_EMPTY,    /* 0 */
  EXP_UNIVERSE, /* _ */
  EXP_SET,      /* { items } */
  EXP_TUPLE,    /* ( items ) */
  /* The associative operators hold all their operands in `items`. */
  EXP_UNION,
  EXP_INTER,
  EXP_SEQ,
  EXP_DIFF,
  EXP_ADD,
  EXP_CROSS, /* a \ b, a ++ b, a * b */
  EXP_PLUS,
  EXP_STAR,
  EXP_OPT,
  EXP_INVERSE,
  EXP_SQUARE,
  EXP_COMPL,
  EXP_TOID,
  EXP_APPLY,    /* a b */
  EXP_LET,      /* let bindings in a; `recursive` for let rec */
  EXP_FUN,      /* fun pattern -> a; symbol: its name, or NULL */
  EXP_TRY,      /* try a with b */
  EXP_IF,       /* if condition then a else b */
  EXP_MATCH,    /* match a with clauses */
  EXP_MATCH_SET /* match a with {} -> b || x ++ y -> c */
};

/* A pattern: one name, or a tuple of names; NULL stands for `_`. */
struct pattern {
  bool tuple;
  unsigned count;
  struct symbol **names;
};

struct binding_syntax {
  struct pattern pattern;
  const struct exp *body;
  struct span span; /* of the pattern */
};

enum condition_kind { COND_EQUAL, COND_SUBSET, COND_IN, COND_VARIANT, COND_NOT, COND_AND, COND_OR };

struct condition {
  enum condition_kind kind;
  const struct exp *left, *right; /* EQUAL, SUBSET, IN; else NULL */
  const struct condition *a, *b;  /* NOT, AND, OR */
  const char *variant;
  struct span span;
};

struct clause {
  struct symbol *tag; /* NULL: the default */
  const struct exp *body;
  const struct statement *const *statements; /* of a match statement */
  unsigned statement_count;
};

struct exp {
  enum exp_kind kind;
  struct span span;
  const struct source *source;
  struct symbol *symbol;
  const struct exp *a, *b, *c;
  const struct exp **items;
  unsigned item_count;
  bool recursive;
  struct binding_syntax *bindings;
  unsigned binding_count;
  struct pattern pattern; /* FUN; MATCH_SET: (element, rest) or (before, element, after) */
  const struct condition *condition;
  struct clause *clauses;
  unsigned clause_count;
};

enum test_kind { TEST_ACYCLIC, TEST_IRREFLEXIVE, TEST_EMPTY };
enum test_role { TEST_REQUIRE, TEST_UNDEFINED, TEST_FLAG, TEST_ASSERT, TEST_IGNORED };

struct test_syntax {
  enum test_kind kind;
  enum test_role role;
  bool negated;
  const struct exp *body;
  struct symbol *name; /* NULL: none */
  struct span span;
};

enum statement_kind {
  STMT_LET,
  STMT_MATCH,
  STMT_TEST,
  STMT_SHOW,
  STMT_UNSHOW,
  STMT_SHOW_AS,
  STMT_INCLUDE,
  STMT_PROCEDURE,
  STMT_CALL,
  STMT_ENUM,
  STMT_FORALL,
  STMT_WITH,
  STMT_IF,
  STMT_INSTRUCTIONS,
  STMT_NOTHING
};

struct block {
  const struct statement **at;
  unsigned count;
};

struct statement {
  enum statement_kind kind;
  struct span span;
  const struct source *source;
  struct symbol
      *symbol; /* PROCEDURE, CALL, ENUM, FORALL, WITH: the name; SHOW_AS: the label; INSTRUCTIONS: the class */
  const struct exp *exp;           /* MATCH, SHOW_AS, CALL, FORALL, WITH; INSTRUCTIONS: the tuple of annotations */
  struct symbol *as;               /* CALL */
  bool recursive;                  /* LET, PROCEDURE */
  struct binding_syntax *bindings; /* LET */
  unsigned binding_count;
  struct test_syntax *test; /* TEST; LET: its `when` */
  struct symbol **names;    /* SHOW, UNSHOW; ENUM: the tags */
  struct span *name_spans;
  unsigned name_count;
  struct clause *clauses; /* MATCH */
  unsigned clause_count;
  const char *path;                  /* INCLUDE, as written */
  const struct file **file;          /* INCLUDE: where the loader keeps the file that it has read */
  struct pattern pattern;            /* PROCEDURE */
  const struct condition *condition; /* IF */
  struct block body, other;          /* PROCEDURE, FORALL, IF */
};

struct file {
  const struct source *source;
  const char *title; /* NULL: none */
  bool without_co;   /* `withoutco` */
  bool with_sc;      /* `withsc`: S is a total order of the seq_cst events, chosen in every way */
  bool legacy;       /* a model of the 2015 herd, by its title or the word after */
  struct block body;
};

/* Parses a whole file.  Returns NULL after adding an error. */
struct file *cat_parse(struct arena *arena, struct symbols *symbols, const struct source *source, struct diags *diags);

/* Parses one expression, for the predefined names. */
const struct exp *cat_parse_expression(struct arena *arena, struct symbols *symbols, const struct source *source,
                                       struct diags *diags);

/* A number that depends on the tree's shape and names only: tells whether a
 * function is the one that a library is known to define. */
uint64_t exp_fingerprint(const struct exp *exp);

#endif
