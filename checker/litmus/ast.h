/* SPDX-License-Identifier: MIT */
/* Syntax trees of threads in C's statements: the OpenCL, C and ADSM dialects.
 *
 * c_parse.c makes them, of expressions by c_parse_expr.c; c_lower.c turns them into
 * instructions (lowering.h); c_words.c and linux_words.c hold the vocabulary.  Trees are at most
 * AST_NESTING_LIMIT high, so that whoever walks one can recurse.
 */
#ifndef LITSCOPE_LITMUS_AST_H
#define LITSCOPE_LITMUS_AST_H

#include "checker/litmus/test_draft.h"

enum { AST_NESTING_LIMIT = 256, AST_CELLS_LIMIT = 64 };

/* --- functions ------------------------------------------------------------------- */

enum function_kind {
  FUNCTION_LOAD,
  FUNCTION_STORE,
  FUNCTION_INIT, /* an ordinary store */
  FUNCTION_RMW,
  FUNCTION_CAS,
  FUNCTION_TEST_AND_SET,
  FUNCTION_CLEAR,
  FUNCTION_FENCE
};

/* `atomic_` BASE [`_explicit`] [`_remote`] */
struct function {
  const char *base;
  enum function_kind kind;
  enum rmw_op op;
  bool weak;
};

/* A function's name taken apart: atomic_load_explicit_remote. */
struct function_name {
  const struct function *function; /* NULL: no such function */
  bool explicit, remote;
};

struct function_name function_find(const struct dialect *dialect, const char *name);
void function_fail_unknown(struct draft *draft, const struct token *name);

/* Words for enum order and for enum scope. */
extern const struct word_row c_orders[], c_scopes[];

/* The current token as a memory order, scope, or fence flags; fails with a
 * suggestion when it is none. */
enum order parse_order(struct draft *draft);
enum scope parse_scope(struct draft *draft);
unsigned parse_fence_flags(struct draft *draft);

/* --- expressions ------------------------------------------------------------------- */

enum ast_expr_kind {
  AST_NUMBER,
  AST_NAME,
  AST_DEREFERENCE, /* *a */
  AST_ADDRESS,     /* &a */
  AST_INDEX,       /* a[b] */
  AST_OPERATION,   /* op over a, b, c */
  AST_ASSIGN,      /* a = b; with `compound`: a = a op b; `after`: the old value (x++) */
  AST_COMMA,       /* a, b */
  AST_CALL,
  AST_LINUX
};

struct ast_call {
  const struct function *function;
  const char *name;
  bool remote;
  enum order order, failure;
  enum scope scope;
  bool implicit_scope; /* the text names none */
  unsigned regions;
  const struct ast_expr *address, *expected, *value;
};

/* An operation of the Linux kernel, as herd7 names them: `__xchg{mb}(x, 1)`. */
enum linux_kind {
  LINUX_LOAD,
  LINUX_STORE,
  LINUX_FENCE,
  LINUX_EXCHANGE,
  LINUX_COMPARE,
  LINUX_OP,        /* returns nothing */
  LINUX_OP_RETURN, /* the new value */
  LINUX_FETCH_OP,  /* the old one */
  LINUX_ADD_UNLESS,
  LINUX_LOCK,
  LINUX_UNLOCK,
  LINUX_TRYLOCK,
  LINUX_IS_LOCKED,
  LINUX_SRCU /* an event of its annotations at a location, which may have a value */
};

struct linux_call {
  enum linux_kind kind;
  const char *name;
  enum order order;       /* of C's mutexes, which are atomic; the model gives the kernel's locks a meaning */
  tag_set tags;           /* its annotations */
  const char *annotation; /* the first; NULL: none */
  enum rmw_op op;
  bool complement; /* of the operand: `&~` */
  const struct ast_expr *location, *expected, *value;
};

/* linux_words.c: an operation and its operands, a letter each: l location, m place
 * such as *x, e expected value, o operator, v value; those after `?` may be left out. */
struct linux_operation {
  const char *name;
  enum linux_kind kind;
  const char *operands;
  enum order order;
};

/* The operation whose call begins at the current token; NULL: none does. */
const struct linux_operation *linux_operation_here(const struct draft *draft);

/* `{mb}`, which may be missing, and `+`, into the call. */
void linux_parse_annotations(struct draft *draft, struct linux_call *call);
void linux_parse_operator(struct draft *draft, struct linux_call *call);

struct ast_expr {
  enum ast_expr_kind kind;
  struct span span;
  unsigned height;
  bool effects; /* touches memory or assigns */
  int64_t value;
  const char *name;
  enum expr_kind op;
  bool compound, after;
  const struct ast_expr *a, *b, *c;
  const struct ast_call *call;
  const struct linux_call *linux_call;
};

/* c_parse_expr.c: an expression, and one up to a comma.  After an error, some
 * tree; never NULL. */
const struct ast_expr *c_parse_expr(struct draft *draft);
const struct ast_expr *c_parse_assignment(struct draft *draft);

/* Opens the parenthesis after `name`, of a function that takes `least` to `most`
 * arguments; fails where the text has more or fewer, with `shape`, such as
 * "(address, order[, scope])".  False after an error. */
bool c_open_call(struct draft *draft, const struct token *name, unsigned least, unsigned most, const char *shape);

/* Every recursion of the parser goes one step deeper, and back.  False, without a
 * step, after an error, too many steps being one. */
bool c_enter(struct draft *draft);
void c_leave(struct draft *draft);

/* --- statements ------------------------------------------------------------------------ */

enum ast_stmt_kind {
  AST_EMPTY,
  AST_EXPRESSION,
  AST_DECLARE, /* name [= a], or name[cells] [= values]; several make a sequence */
  AST_SEQUENCE,
  AST_IF,
  AST_WHILE,
  AST_DO,
  AST_FOR, /* first; a; step: body */
  AST_BREAK,
  AST_CONTINUE,
  AST_RETURN,
  AST_BARRIER,
  AST_ADSM
};

struct ast_stmt {
  enum ast_stmt_kind kind;
  struct span span;
  const char *name;   /* DECLARE; BARRIER: label or NULL */
  bool pointer;       /* DECLARE: of a register for addresses */
  struct width width; /* DECLARE: of its type */
  const struct ast_expr *a, *step;
  const struct ast_stmt *first, *body, *otherwise;
  const struct ast_stmt *next; /* in a sequence, whose `body` is the first */
  unsigned cells;              /* DECLARE: of an array of registers; 0: one register */
  VEC(const struct ast_expr *) values;
  unsigned regions; /* BARRIER */
  enum scope scope;
  const struct adsm_action *adsm; /* adsm.h */
};

/* A thread: `draft_thread.body`. */
struct ast_thread {
  VEC(const char *) parameters;
  const struct ast_stmt *body;
};

/* `P0 [place] (parameters) { ... }`, again and again. */
void c_parse_threads(struct draft *draft);
void c_lower_threads(struct draft *draft);

/* `{ ... }` */
const struct ast_stmt *c_parse_block(struct draft *draft);

struct ast_stmt *ast_new_stmt(struct draft *draft, enum ast_stmt_kind kind, const struct token *first);

#endif
