/* SPDX-License-Identifier: MIT */
/* What the files of the PTX dialect share: the strength of an operation, its state
 * space and type, and locations as operands.
 *
 *   location = name | "[" name "]"
 *   target   = place | "[" place ["+" bytes] "]"      place = name ["[" element "]"]      element = number | register
 */
#ifndef LITSCOPE_LITMUS_PTX_QUALIFIERS_H
#define LITSCOPE_LITMUS_PTX_QUALIFIERS_H

#include "checker/base/tags.h"
#include "checker/litmus/ptx_vulkan_syntax.h"

/* What the instructions of a test have to know of the others (draft.own). */
struct ptx_test {
  bool clusters;           /* threads name theirs */
  bool floats;             /* it computes with floats, so that values of their types are their bits */
  const struct token *sum; /* or another operation on floats in memory, which then is not supported; NULL: none */
};

struct ptx_strength {
  enum order order;
  enum scope scope;
  tag_set tags;
};

extern const struct word_row ptx_scopes[];

/* Where no thread names its cluster, each block is one. */
enum scope ptx_scope(const struct column_cell *cell, int scope);

/* [.sem][.scope]: what the name leaves out is as *strength has it. */
void ptx_take_usual_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders,
                             struct ptx_strength *strength);

/* The scope that has to come next, with an order, unless that is negative, after a failure; false after a failure. */
bool ptx_take_scope(struct column_cell *cell, struct opcode *op, int order, struct ptx_strength *strength);

/* The next instruction, with a strength. */
struct instr *ptx_emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                       const struct ptx_strength *strength);

enum { VECTOR_LIMIT = 8, PIECE_LIMIT = 16 };

/* What an instruction's name says about where and how much it accesses. */
struct ptx_place {
  const struct token *space; /* NULL: it names none */
  bool shared;               /* the space is */
  struct width type;         /* 0 bits: it names none */
  unsigned bits;             /* of the type, which may be 128 */
  unsigned packed;           /* so many values of the type in one register, as in `f16x2`; 0: one */
  unsigned vector;           /* so many registers; 0: it is no vector */
  bool noncoherent, policy;  /* `nc`; the last operand is a cache policy */
  bool indexed;              /* the number of the element may be in a register */
};

/* Takes a state space, or a type, where one is next. */
void ptx_take_space(struct opcode *op, struct ptx_place *place);
void ptx_take_type(struct opcode *op, struct ptx_place *place);

/* Takes what stands between the two: cache operators (of weak accesses only: NULL, there are none), eviction
 * priorities, prefetch sizes, a cache policy, none of which means anything (ISA, "Cache Operators"), and `.v4`. */
extern const struct word_row ptx_load_operators[], ptx_store_operators[];
void ptx_take_hints(struct opcode *op, const struct word_row *operators, struct ptx_place *place);

/* The cache policy after the other operands, where the name says that there is one. */
void ptx_take_policy(struct column_cell *cell, const struct ptx_place *place);

/* Takes an operation that atomic operations, reductions and copies can have: enum rmw_op; -1: none. */
int ptx_skip_update(struct opcode *op);

/* A location, which must lie in the space that the name says (NULL: any). */
const struct draft_location *ptx_location(struct column_cell *cell, const struct ptx_place *place);

/* The location, or the array, of a cell. */
struct draft_location *ptx_location_of(const struct draft *draft, unsigned cell);

/* What an instruction accesses: so many cells for each register of its vector, or for its one value. */
struct ptx_target {
  const struct draft_location *location; /* NULL, after a failure */
  unsigned cell, pieces;
  unsigned bits;            /* of a cell of an array that is accessed in pieces */
  const struct expr *index; /* of the element, known to a run only; else NULL */
};

/* An address of one location, or of several: of those of a multimem address, or of one in each block of a cluster. */
enum ptx_address { PTX_ONE, PTX_MULTIMEM, PTX_CLUSTER };

/* The same, or elements of an array; without a location after a failure. */
struct ptx_target ptx_take_target(struct column_cell *cell, const struct ptx_place *place, enum ptx_address address);

/* The accesses of one instruction. */
struct ptx_access {
  struct ptx_strength strength;
  struct ptx_place place;
  struct ptx_target target;
  bool begun; /* it has one */
};

/* `{ element, element }`, or one that is no vector. */
unsigned ptx_elements(const struct ptx_place *place);
void ptx_take_registers(struct column_cell *cell, const struct ptx_place *place, int *regs);
void ptx_take_values(struct column_cell *cell, const struct ptx_place *place, const struct expr **values);

/* The access of one cell; those of one instruction are in no order (ISA, 8.2.4 and 8.2.5), and the first begins it. */
struct instr *ptx_emit_access(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                              struct ptx_access *access, unsigned piece);

/* What of a register's value is written to one of its pieces, and what the pieces that were read are together. */
const struct expr *ptx_piece(struct draft *draft, const struct ptx_access *access, const struct expr *value,
                             unsigned piece);
const struct expr *ptx_join_pieces(struct draft *draft, const struct ptx_access *access,
                                   const struct expr *const *pieces);

/* ptx_async.c: lowers mbarriers, asynchronous copies, what waits for them, and the
 * control of grids; false, having taken nothing, when the opcode is another. */
bool ptx_lower_async(struct column_cell *cell, struct opcode *op);

/* A constant from `least` to `most`; what: "a number of bytes". */
int64_t ptx_take_count(struct column_cell *cell, const char *what, int64_t least, int64_t most);

/* ptx_tensormap.c: what is done to tensor maps, after `tensormap`. */
void ptx_lower_tensormap(struct column_cell *cell, struct opcode *op);

/* A fence from the generic proxy to that of tensor maps, after `fence.proxy.tensormap::generic`. */
void ptx_lower_tensormap_fence(struct column_cell *cell, struct opcode *op);

/* The same of `multimem.cp`: copies to several locations at once. */
void ptx_lower_multimem_copy(struct column_cell *cell, struct opcode *op);

/* ptx_multimem.c: lowers accesses of several locations at once, after `multimem`. */
void ptx_lower_multimem(struct column_cell *cell, struct opcode *op, enum tag proxy);

/* ptx_values.c: makes values fit the types of the accesses, once all threads are lowered. */
void ptx_fit_values(struct draft *draft);

/* ptx_floats.c: lowers arithmetic of floats; false, having taken nothing, when the opcode is another. */
bool ptx_lower_floats(struct column_cell *cell, struct opcode *op);

/* Notes an operation that computes with integers also where they stand for floats, whose bits they are in tests that
 * compute with floats. */
void ptx_note_sum(struct column_cell *cell, const struct opcode *op);

/* And lowers arithmetic; false, having taken nothing, when the opcode is another. */
bool ptx_lower_arithmetic(struct column_cell *cell, struct opcode *op);

/* ptx_cluster.c: the halves of a cluster's barrier, after `barrier.cluster`; and, once all
 * threads are lowered, how many arrivals each wait is for. */
void ptx_lower_cluster_barrier(struct column_cell *cell, struct opcode *op);

/* The barrier of a block after `barrier.cta.red`, which tells all threads something of one value of each. */
void ptx_lower_reducing_barrier(struct column_cell *cell, struct opcode *op);
void ptx_count_arrivals(struct draft *draft);

/* ptx_launch.c: after `clusterlaunchcontrol`. */
void ptx_lower_launch_control(struct column_cell *cell, struct opcode *op, enum tag proxy);

/* ptx_matrix.c: after `wgmma`. */
void ptx_lower_wgmma(struct column_cell *cell, struct opcode *op, enum tag proxy);

/* And fails where what a register holds is undefined, since an instruction of `wgmma` still reads or writes
 * it, or was not told to come after what was done to it. */
void ptx_check_sums(struct draft *draft);

/* Adds what threads of a grid that starts when the one before it has ended wait for
 * (at their beginning), and declares which threads are waited for. */
void ptx_order_grids(struct draft *draft);

#endif
