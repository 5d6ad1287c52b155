/* SPDX-License-Identifier: MIT */
/* Control barriers of one event, by what struct instr says of groups: without a
 * quorum every barrier of the group that stands in the program must have been
 * reached, also those in branches not taken; with one, so many of the group. */
#include "hwsem/machines/sc_barriers.h"

#include "checker/base/vec.h"

struct meets meets_of(struct arena *arena, const struct program *program) {
  VEC(struct meet_slot) slots = {0};
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++)
      if (program->threads[t].instrs[i].kind == INSTR_MEET) *vec_push(arena, &slots) = (struct meet_slot){t, i};
  return (struct meets){program, slots.at, (unsigned)slots.count};
}

static unsigned slot_of(const struct meets *meets, unsigned thread, unsigned instr) {
  unsigned slot = 0;
  while (meets->slots[slot].thread != thread || meets->slots[slot].instr != instr) slot++;
  return slot;
}

void meets_reach(const struct meets *meets, int64_t *words, unsigned thread, unsigned instr, int64_t resource) {
  int64_t *slot = &words[MEET_WORDS * slot_of(meets, thread, instr)];
  slot[0] = 1;
  slot[1] = resource;
}

bool meets_reached(const struct meets *meets, const int64_t *words, unsigned thread, unsigned instr) {
  return words[MEET_WORDS * slot_of(meets, thread, instr)] != 0;
}

static const struct instr *instr_of(const struct meets *meets, unsigned slot) {
  return &meets->program->threads[meets->slots[slot].thread].instrs[meets->slots[slot].instr];
}

/* Can two instructions meet, as far as the text says? */
static bool same_name(const struct meets *meets, unsigned a, unsigned b) {
  const struct thread *threads = meets->program->threads;
  const struct instr *one = instr_of(meets, a), *other = instr_of(meets, b);
  return one->barrier_label == other->barrier_label && !one->resource == !other->resource &&
         threads[meets->slots[a].thread].wg == threads[meets->slots[b].thread].wg;
}

/* One that has not been reached holds the others up, unless its resource is
 * known to be another, or not known at all. */
static bool missing(const struct meets *meets, const int64_t *words, unsigned slot, int64_t resource) {
  const struct expr *own = instr_of(meets, slot)->resource;
  if (words[MEET_WORDS * slot]) return false;
  return !own || (own->kind == EXPR_CONST && own->value == resource);
}

bool meets_pass(const struct meets *meets, const int64_t *words, unsigned thread, unsigned instr, int64_t quorum) {
  unsigned self = slot_of(meets, thread, instr);
  int64_t resource = words[MEET_WORDS * self + 1], reached = 0;
  bool all = true;
  for (unsigned i = 0; i < meets->count; i++) {
    if (!same_name(meets, self, i)) continue;
    if (missing(meets, words, i, resource)) all = false;
    if (words[MEET_WORDS * i] && words[MEET_WORDS * i + 1] == resource) reached++;
  }
  return instr_of(meets, self)->quorum ? reached >= quorum : all;
}
