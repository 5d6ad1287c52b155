/* SPDX-License-Identifier: MIT */
/* What the files of PTX's asynchronous operations share: what copies write, and complete; ptx_async.c tells of the
 * operations themselves. */
#ifndef LITSCOPE_LITMUS_PTX_ASYNC_H
#define LITSCOPE_LITMUS_PTX_ASYNC_H

#include "checker/litmus/ptx_qualifiers.h"

/* What a copy's name says: from where to where, what is done there, and how it is noticed. */
struct ptx_copy {
  struct ptx_access to, from;
  unsigned cells;      /* of each side */
  int update;          /* enum rmw_op; -1: it copies */
  unsigned dimensions; /* of the tensor that is the side in global memory; 0: it is none */
  unsigned coordinates;
  const struct draft_location *map; /* of that side, if it has one */
  const struct expr *tensor;        /* what was read there */
  bool mbarrier;
  bool masked;              /* some bytes are copied */
  bool trims;               /* so many bytes on either side may be left unknown */
  enum ptx_address address; /* to each place of a multimem address; to several blocks */
  int64_t blocks, mask;     /* which: bits */
};

/* How a copy accesses its sides, whose targets are known: weakly, or by relaxed reductions. */
void ptx_set_strengths(struct ptx_copy *copy, enum tag proxy);

/* What is written to a cell of each target. */
void ptx_emit_writes(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy, unsigned i,
                     const struct expr *value);

/* The mbarrier, or, for several blocks, that of each; and its completion of so many bytes. */
const struct draft_location *ptx_take_mbarriers(struct column_cell *cell, const struct ptx_copy *copy);
void ptx_emit_completions(struct column_cell *cell, const struct opcode *op, const struct ptx_copy *copy,
                          const struct draft_location *mbarrier, int64_t bytes);

/* An event that is only its tags; and one that waits for all groups of that proxy but so many. */
void ptx_lower_mark(struct column_cell *cell, const struct opcode *op, tag_set tags);
void ptx_lower_wait_group(struct column_cell *cell, struct opcode *op, enum tag proxy);

#endif
