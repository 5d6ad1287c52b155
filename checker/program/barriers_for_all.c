/* SPDX-License-Identifier: MIT */
/* An instruction outside of loops is reached at most once by its thread; those of one label and resource are counted.
 */
#include "checker/program/barriers_for_all.h"

#include "checker/base/array.h"

static bool has_fixed_resource(const struct instr *meet) {
  return !meet->resource || meet->resource->kind == EXPR_CONST;
}

/* May the first, whose resource is fixed, meet the other? */
static bool may_meet(const struct instr *a, const struct instr *b) {
  if (b->kind != INSTR_MEET || a->barrier_label != b->barrier_label || !a->resource != !b->resource) return false;
  return !a->resource || !has_fixed_resource(b) || a->resource->value == b->resource->value;
}

/* How often instructions of the group can be reached; more than `most` are not counted. */
static int64_t count_group(const struct program *program, const struct thread *of, const struct instr *meet,
                           int64_t most) {
  int64_t count = 0;
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    for (unsigned i = 0; thread->wg == of->wg && i < thread->instr_count && count <= most; i++)
      if (may_meet(meet, &thread->instrs[i])) count += thread_loops_at(thread, i) ? most + 1 : 1;
  }
  return count;
}

void barriers_for_all_find(struct program *program) {
  INSTR_EACH (instr, program) {
    if (instr->kind != INSTR_MEET || !instr->quorum || instr->quorum->kind != EXPR_CONST) continue;
    int64_t quorum = instr->quorum->value;
    instr->full = quorum > 0 && has_fixed_resource(instr) && count_group(program, thread_, instr, quorum) == quorum;
  }
}
