/* SPDX-License-Identifier: MIT */
/* The graph of set and relation operations while a model is read.
 *
 * Equal nodes are shared, and cheap algebra (a & ~b = a \ b, ~~a = a,
 * rf^-1;co = fr, ...) brings expressions to the form in which the engine sees
 * what grows and what shrinks.  A graph may stand on another one that is
 * finished: the interpreter continues the model's graph in private, with
 * leaves for the values it has chosen.
 */
#ifndef LITSCOPE_CAT_OPERATION_GRAPH_H
#define LITSCOPE_CAT_OPERATION_GRAPH_H

#include "checker/base/arena.h"
#include "checker/base/hash_table.h"
#include "checker/base/rel.h"
#include "checker/cat/ir.h"

/* A node's operator outside enum cat_op: a chosen value, the interpreter's own. */
enum { GRAPH_LEAF = CAT_REC + 1 };

#define GRAPH_CHOSEN ((uint64_t)1 << 63)

struct graph_node {
  struct cat_node ir;
  uint64_t open;     /* bit d: depends on the recursive group open at depth d; GRAPH_CHOSEN: on a choice */
  const word *value; /* GRAPH_LEAF: its value, NULL for one to be chosen; others, in the interpreter: once computed */
};

struct graph {
  struct arena *arena;
  const struct graph *below; /* NULL, or the finished graph that this one continues */
  uint32_t first;            /* number of nodes below */
  struct graph_node *nodes;  /* from `first` */
  uint32_t count;            /* nodes here and below */
  uint32_t room;
  struct hash_table shared; /* nodes that are found again, of those here */
  unsigned open_groups;
  const struct exp *from; /* of nodes that are made now: cat_node.from */
};

struct graph graph_new(struct arena *arena, const struct graph *below);

const struct graph_node *graph_at(const struct graph *graph, uint32_t node);
enum cat_type graph_type(const struct graph *graph, uint32_t node);

uint32_t graph_base(struct graph *graph, enum cat_base base, const char *tag);
uint32_t graph_empty(struct graph *graph, enum cat_type type);
uint32_t graph_leaf(struct graph *graph, enum cat_type type, const word *value);

/* One operation; operands must have the types that the operator asks for. */
uint32_t graph_unary(struct graph *graph, enum cat_op op, uint32_t a);
uint32_t graph_binary(struct graph *graph, enum cat_op op, uint32_t a, uint32_t b);

/* The same of an operation in the model's text, by its right or only operand there (cat_node.from). */
uint32_t graph_binary_of(struct graph *graph, enum cat_op op, uint32_t a, uint32_t b, const struct exp *from);

/* Does the value depend on a recursive definition that is still open? */
bool graph_is_open(const struct graph *graph, uint32_t node);

/* Does it depend on a leaf whose value is still to be chosen? */
bool graph_is_chosen(const struct graph *graph, uint32_t node);

/* A group of `count` recursive variables, consecutive from the returned node;
 * graph_close ties each to its body and ends the group. */
uint32_t graph_open(struct graph *graph, const enum cat_type *types, unsigned count);
void graph_close(struct graph *graph, uint32_t first, const uint32_t *bodies, unsigned count);

/* Says that a variable's body adds to it, and need not be monotone. */
void graph_set_growing(struct graph *graph, uint32_t variable);

/* Marks a node and all that it stands on.  `stack` has room for all nodes. */
void graph_mark(const struct graph *graph, bool *used, uint32_t *stack, uint32_t node);

/* Gives a node a name for reports, if it has none. */
void graph_name(struct graph *graph, uint32_t node, const char *name);

#endif
