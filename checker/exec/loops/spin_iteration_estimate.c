/* SPDX-License-Identifier: MIT */
/* A failed round that sees something new since the round before sees a new write
 * at one of its locations at least, and reads of one location go forwards in
 * coherence order.  So, for each location, the writes count from which the most
 * demanding of its reads can fail. */
#include "checker/exec/loops/spin_iteration_estimate.h"

struct counting {
  const struct program *program;
  unsigned thread;
  const struct path *path;
  const struct iteration *round;
};

static bool is_read(void *context, unsigned reg) {
  return reg == *(const unsigned *)context;
}

bool iteration_may_see(const struct path *path, const struct iteration *round, unsigned read, int64_t seen) {
  bool known[path->event_count];
  int64_t value[path->event_count];
  known[read] = true;
  value[read] = seen;
  for (unsigned i = round->conditions; i < path->condition_count; i++) {
    const struct path_condition *condition = &path->conditions[i];
    int64_t result;
    if (!expr_registers(condition->value, is_read, &read) || !path_value(condition->value, known, value, &result))
      continue;
    if ((result != 0) != condition->nonzero) return false;
  }
  return true;
}

/* May the round fail on what the instruction writes? */
static bool may_see_instr(const struct counting *c, unsigned read, const struct instr *instr) {
  bool constant = instr->value && instr->value->kind == EXPR_CONST && !instr->writeback && !instr->rewrites;
  bool replaces = instr->kind == INSTR_STORE || instr->kind == INSTR_CAS ||
                  (instr->kind == INSTR_RMW && instr->op == RMW_EXCHANGE && !instr->width.bits);
  return !constant || !replaces || iteration_may_see(c->path, c->round, read, instr->value->value);
}

static unsigned writes_for(const struct counting *c, unsigned read) {
  unsigned location = (unsigned)c->path->events[read].event.location;
  unsigned count = iteration_may_see(c->path, c->round, read, c->program->locations[location].init);
  for (unsigned t = 0; t < c->program->thread_count; t++) {
    const struct thread *thread = &c->program->threads[t];
    for (unsigned i = 0; t != c->thread && i < thread->instr_count; i++)
      count += instr_writes(c->program, &thread->instrs[i], location) && may_see_instr(c, read, &thread->instrs[i]);
  }
  return count;
}

/* Of the round's reads of this one's location: is it the first?  *least is the
 * fewest writes that one of them can see. */
static bool first_of_location(const struct counting *c, unsigned read, unsigned *least) {
  const struct path_event *events = c->path->events;
  *least = writes_for(c, read);
  for (unsigned i = c->round->first; i < c->path->event_count; i++) {
    if (i == read || events[i].event.kind != EVENT_READ) continue;
    if (events[i].event.location != events[read].event.location) continue;
    if (i < read) return false;
    unsigned count = writes_for(c, i);
    if (count < *least) *least = count;
  }
  return true;
}

unsigned spin_most_rounds(const struct program *program, unsigned thread, const struct path *path,
                          const struct iteration *round) {
  struct counting c = {program, thread, path, round};
  unsigned most = 0, least;
  for (unsigned i = round->first; i < path->event_count; i++)
    if (path->events[i].event.kind == EVENT_READ && first_of_location(&c, i, &least)) most += least;
  return most;
}
