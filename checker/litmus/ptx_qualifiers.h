/* SPDX-License-Identifier: MIT */
/* What the files of the PTX dialect share: the strength of an operation, its state
 * space and type, and locations as operands.
 *
 *   location = name | "[" name "]"
 */
#ifndef LITSCOPE_LITMUS_PTX_QUALIFIERS_H
#define LITSCOPE_LITMUS_PTX_QUALIFIERS_H

#include "checker/base/tags.h"
#include "checker/litmus/assembly.h"

struct ptx_strength {
  enum order order;
  enum scope scope;
  tag_set tags;
};

extern const struct word_row ptx_scopes[];

/* Where no thread names its cluster, each block is one. */
enum scope ptx_scope(const struct column_cell *cell, int scope);

/* The next instruction, with a strength. */
struct instr *ptx_emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                       const struct ptx_strength *strength);

/* What an instruction's name says about where and how much it accesses. */
struct ptx_place {
  const struct token *space; /* NULL: it names none */
  bool shared;               /* the space is */
  struct width type;         /* 0 bits: it names none */
};

/* Takes a state space, or a type, where one is next. */
void ptx_take_space(struct opcode *op, struct ptx_place *place);
void ptx_take_type(struct opcode *op, struct ptx_place *place);

/* Makes an access one of that type: its tags, and its `width`, from which ptx_values.c
 * knows what is kept. */
void ptx_set_type(struct instr *instr, const struct ptx_place *place);

/* A location, which must lie in the space that the name says (NULL: any). */
const struct draft_location *ptx_location(struct column_cell *cell, const struct ptx_place *place);

/* ptx_async.c: lowers mbarriers, asynchronous copies, what waits for them, and the
 * control of grids; false, having taken nothing, when the opcode is another. */
bool ptx_lower_async(struct column_cell *cell, struct opcode *op);

/* ptx_multimem.c: lowers accesses of several locations at once, after `multimem`. */
void ptx_lower_multimem(struct column_cell *cell, struct opcode *op);

/* ptx_values.c: makes values fit the types of the accesses, once all threads are lowered. */
void ptx_fit_values(struct draft *draft);

/* And lowers arithmetic; false, having taken nothing, when the opcode is another. */
bool ptx_lower_arithmetic(struct column_cell *cell, struct opcode *op);

/* ptx_cluster.c: the halves of a cluster's barrier, after `barrier.cluster`; and, once all
 * threads are lowered, how many arrivals each wait is for. */
void ptx_lower_cluster_barrier(struct column_cell *cell, struct opcode *op);
void ptx_count_arrivals(struct draft *draft);

/* Adds what threads of a grid that starts when the one before it has ended wait for
 * (at their beginning), and declares which threads are waited for. */
void ptx_order_grids(struct draft *draft);

#endif
