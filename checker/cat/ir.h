/* SPDX-License-Identifier: MIT */
/* A compiled .cat model: a graph of set and relation operations.
 *
 * Nodes are numbered so that operands come first; equal nodes are shared.
 * Recursive definitions are REC nodes tied in groups whose bodies follow the
 * group (least fixpoint, all start empty).
 *
 * This is the whole contract between the model compiler (cat/) and the engine
 * (exec/): the engine never sees syntax.  Values that the compiler can decide
 * (functions, tuples, tags, `match` over known things, `if "variant"`, `try`)
 * are gone.  What cannot be decided before a candidate is known (sets of
 * relations, `linearisations`, `with x from S`, `forall` over a computed set)
 * is left to the interpreter: see `dynamic` below.
 */
#ifndef LITSCOPE_CAT_IR_H
#define LITSCOPE_CAT_IR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/diag.h"
#include "checker/base/tag_set.h"
#include "checker/cat/builtin_table.h"

enum cat_type { CAT_SET, CAT_REL };

/* What is predefined: its type, and its names, of which the first is shown. */
struct cat_predefined {
  enum cat_type type;
  const char *names;
};
extern const struct cat_predefined cat_bases[BASE_COUNT];
void cat_base_print(enum cat_base base, FILE *out);

enum cat_op {
  CAT_BASE,   /* predefined set or relation `base` (cat/builtin_table.h) */
  CAT_EMPTY,  /* empty set or relation (by type) */
  CAT_CHOSEN, /* any relation: what `with` chooses once a candidate is complete */
  CAT_UNION,
  CAT_INTER,
  CAT_DIFF,    /* a, b of the node's type */
  CAT_COMPL,   /* ~a */
  CAT_SEQ,     /* a ; b */
  CAT_INVERSE, /* a^-1 */
  CAT_PLUS,
  CAT_STAR,
  CAT_OPT,
  CAT_TOID,  /* [a], a set */
  CAT_CROSS, /* a * b, sets */
  CAT_DOMAIN,
  CAT_RANGE,
  CAT_REC /* recursive variable: value of node `a` (> this node), by least fixpoint */
};

/* Operands of an operation (none of those that are operation_graph.h's): none, `a`, or `a` and `b`.  A recursive
 * variable has one, which comes after it. */
static inline unsigned cat_operand_count(enum cat_op op) {
  bool two = op == CAT_UNION || op == CAT_INTER || op == CAT_DIFF || op == CAT_SEQ || op == CAT_CROSS;
  return two ? 2 : op > CAT_CHOSEN && op <= CAT_REC;
}

struct exp; /* syntax.h */

struct cat_node {
  enum cat_op op;
  enum cat_type type;
  uint32_t a, b;         /* operand nodes */
  enum cat_base base;    /* CAT_BASE */
  tag_set tags;          /* CAT_BASE: those that have one of its names */
  const char *base_name; /* CAT_BASE with BASE_TAG: the tag's name (annotations and enums of the model) */
  uint32_t group_end;    /* CAT_REC: one past the last node of its recursive group */
  bool grows;            /* CAT_REC: its body adds to it, and need not be monotone: a fixpoint, but no least one */
  const char *name;      /* the `let` name it was bound to, for reports; NULL: none */
  /* The operand of the model's text that made it an operation, the right one of two; the same in all uses of a
   * function.  NULL: algebra made it. */
  const struct exp *from;
  bool swapped; /* UNION, INTER: `a` is the right operand in the text */
};

enum cat_check_kind { CHECK_ACYCLIC, CHECK_IRREFLEXIVE, CHECK_EMPTY };
static inline const char *cat_check_word(enum cat_check_kind kind) {
  return kind == CHECK_ACYCLIC ? "acyclic" : kind == CHECK_IRREFLEXIVE ? "irreflexive" : "empty";
}
enum cat_check_role {
  ROLE_REQUIRE,   /* an axiom: a candidate that fails it is no execution */
  ROLE_UNDEFINED, /* undefined_unless: one execution that fails it makes the program undefined */
  ROLE_FLAG       /* flag: one execution on which the (possibly negated) check HOLDS raises the flag */
};

struct cat_check {
  enum cat_check_kind kind;
  enum cat_check_role role;
  bool negated;             /* acyclic became ~acyclic */
  uint32_t node;            /* of type CAT_REL; CHECK_EMPTY also CAT_SET */
  const char *name;         /* `as NAME`; never NULL: unnamed checks get the text of the check */
  const char *const *calls; /* names of the procedures in which it stands, and of their calls; NULL: none */
  struct span span;         /* in `source` */
  const struct source *source;
};

/* How the coherence order is to be chosen for this model. */
enum cat_co {
  CO_TOTAL, /* all total orders of the writes to each location, initial write first */
  CO_NONE   /* `withoutco`: co is empty */
};

/* An axiom that stands on what `with` chooses (CAT_CHOSEN).  No value can be
 * given to it before, but where it fails whatever is chosen, nobody need ask. */
struct cat_hint {
  uint32_t check; /* by which it stands among the checks, as one that always holds */
  struct cat_check axiom;
};

/* What a CAT_CHOSEN node may be, where that can be said. */
struct cat_choice {
  uint32_t node;
  bool orders;   /* any total order of the events of set `a` that extends relation `b`; */
  uint32_t a, b; /* else, of each class of the equivalence `a`, any event before all others */
};

struct cat_show {
  const char *name;
  uint32_t node;
};

struct cat_ir {
  const char *title; /* the model's own name, or NULL */
  const char *name;  /* as asked for: `opencl-rsp` */
  struct cat_node *nodes;
  uint32_t node_count;
  struct cat_check *checks; /* in the model's order */
  uint32_t check_count;
  struct cat_hint *hints;
  uint32_t hint_count;
  struct cat_choice *choices; /* in the model's order; only in cat_model's `told` */
  uint32_t choice_count;
  struct cat_show *shows;
  uint32_t show_count;
  enum cat_co co;
  /* Which writes' order the model looks at: all, or those of a set, by its node, which depends on
   * no choice of an execution. */
  bool orders_all;
  uint32_t ordered;
  /* The model holds statements that only the interpreter can decide.  `checks`
   * then holds the checks before and next to them (sound for pruning), and for
   * those that it cannot express some that always hold, under their names, with
   * `hints` at what they ask; a
   * complete candidate that passes must be given to cat_interpret, whose
   * answer replaces that of `checks`. */
  bool dynamic;
};

#endif
