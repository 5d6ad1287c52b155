/* SPDX-License-Identifier: MIT */
/* Which loops poll is told by their text: one instruction that touches memory, a load
 * without annotations, and no loop inside; where the condition to leave stands at the head,
 * no other branch. */
#include "checker/exec/loops/spin_multiply_executions.h"

#include "checker/base/array.h"
#include "checker/cat/print.h"
#include "checker/exec/loops/idle_iterations.h"

/* Of the models that spin_multiply_executions.h goes through. */
static const unsigned char DIGESTS[][MD5_SIZE] = {
    {0xc0, 0x03, 0xa2, 0x4d, 0x6a, 0x5f, 0x10, 0x1c, 0xaa, 0x32, 0x0d, 0xc6, 0x04, 0xc9, 0xd5, 0xfe},
    {0xbc, 0x38, 0x07, 0x06, 0x94, 0x26, 0x18, 0x6b, 0xac, 0x88, 0x51, 0x88, 0x62, 0x6a, 0xb5, 0x31},
};

bool spin_count_multiplies(const struct cat_model *model) {
  return cat_is_one_of(model, DIGESTS, ARRAY_COUNT(DIGESTS));
}

/* Does the instruction only compute, or jump forwards, within the loop or out of it? */
static bool is_harmless(const struct thread *thread, unsigned pc, bool leaves_first) {
  const struct instr *instr = &thread->instrs[pc];
  return instr->kind == INSTR_ASSIGN || (!leaves_first && instr_jumps(instr) && instr->target > pc);
}

static bool polls(const struct thread *thread, unsigned from) {
  const struct instr *jump = &thread->instrs[from];
  if (!thread_loop_ends_at(thread, from)) return false;
  unsigned start = iterations_start(thread, jump->target, from), loads = 0;
  for (unsigned pc = start; pc < from; pc++) {
    const struct instr *instr = &thread->instrs[pc];
    bool load = instr->kind == INSTR_LOAD && !instr->address.index && !(instr->tags | instr->read_tags);
    loads += load;
    if (!load && !is_harmless(thread, pc, start > jump->target)) return false;
  }
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *other = &thread->instrs[i];
    bool back = i != from && thread_loop_ends_at(thread, i);
    if (back && other->target >= jump->target && other->target <= from) return false; /* another round begins inside */
  }
  return loads == 1 && (start == jump->target || jump->kind == INSTR_JUMP);
}

const bool *spin_count_find(struct arena *arena, const struct thread *thread) {
  bool *found = ARENA_ARRAY(arena, bool, thread->instr_count + 1);
  for (unsigned i = 0; i < thread->instr_count; i++) found[i] = polls(thread, i);
  return found;
}

uint64_t spin_count_product(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) || product > POLLS_TOO_MANY ? POLLS_TOO_MANY : product;
}

/* C(n, i + 1) from C(n, i): the division leaves nothing. */
uint64_t spin_count_ways(uint64_t ways, unsigned rounds, unsigned failed) {
  uint64_t choices = failed > rounds ? 0 : 1;
  for (unsigned i = 0; i < failed && choices; i++) {
    uint64_t product;
    if (__builtin_mul_overflow(choices, (uint64_t)(rounds - i), &product)) return POLLS_TOO_MANY;
    choices = product / (i + 1);
  }
  return spin_count_product(ways, choices);
}
