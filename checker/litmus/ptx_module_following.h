/* SPDX-License-Identifier: MIT */
/* What the files that settle where threads of a module meet share: ptx_module_barriers.c (who is waited for),
 * ptx_module_gatherings.c (what they take from each other). */
#ifndef LITSCOPE_LITMUS_PTX_MODULE_FOLLOWING_H
#define LITSCOPE_LITMUS_PTX_MODULE_FOLLOWING_H

#include "checker/base/diag.h"
#include "checker/program/program.h"
#include "checker/ptx/read.h"

struct following {
  struct arena *arena;
  struct program *program;
  const struct ptx_meetings *meetings;
  unsigned warp_size; /* of threads, which are numbered warp by warp */
  struct diags *diags;
  bool failed;
};

/* One meeting of a block: `number` of the threads at the barrier. */
struct turn {
  const struct ptx_meeting *at;
  int label;
  unsigned wg;
  int64_t number;
};

/* The number of the block's first thread. */
static inline unsigned first_of_block(const struct following *f, unsigned wg) {
  unsigned t = 0;
  while (f->program->threads[t].wg != wg) t++;
  return t;
}

static inline bool is_number(const struct expr *e) {
  return e && e->kind == EXPR_CONST;
}

static inline bool is_at(const struct instr *instr, int label) {
  return instr->kind == INSTR_MEET && instr->barrier_label == label && instr->resource && instr->quorum;
}

static inline bool is_of(const struct instr *instr, const struct turn *turn) {
  return is_at(instr, turn->label) && is_number(instr->resource) && instr->resource->value == turn->number;
}

#endif
