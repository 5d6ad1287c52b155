/* SPDX-License-Identifier: MIT */
/* Threads at control barriers; see barrier_passing.h and struct instr.
 *
 * Every thread stands at its first barrier; one whose barrier lets it pass goes
 * on to the next, and what has been reached only grows, until nobody moves.
 */
#include "checker/exec/search/barrier_passing.h"

#include <string.h>

/* How far each thread has come. */
struct arrivals {
  const struct structure *structure;
  unsigned *at; /* by thread: the first event of it that it has not passed */
};

bool barrier_find_unknown(const struct structure *s, struct barrier_unknown *unknown) {
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) {
    const struct event *event = &s->events[e];
    const struct path_event *from = &s->paths[event->thread]->events[event->po_index];
    if (event->kind != EVENT_MEET || (event->resource_known && event->quorum_known)) continue;
    unknown->event = e;
    unknown->value = event->resource_known ? from->quorum : from->resource;
    return true;
  }
  return false;
}

void barrier_set(struct structure *s, const struct barrier_unknown *unknown, int64_t value) {
  struct event *event = &s->events[unknown->event];
  if (event->resource_known) {
    event->quorum = value;
    event->quorum_known = true;
  } else {
    event->resource = value;
    event->resource_known = true;
  }
}

static unsigned end_of(const struct structure *s, unsigned thread) {
  return s->offset[thread] + s->paths[thread]->event_count;
}

/* The next control barrier of a thread from event `e` on, or the end. */
static unsigned next_meet(const struct structure *s, unsigned thread, unsigned e) {
  while (e < end_of(s, thread) && s->events[e].kind != EVENT_MEET) e++;
  return e;
}

static bool reached(const struct arrivals *a, unsigned e) {
  return e <= a->at[a->structure->events[e].thread];
}

/* How many of the group's barriers have been reached. */
static int64_t count_reached(const struct arrivals *a, const struct event *event) {
  const struct structure *s = a->structure;
  int64_t count = 0;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++)
    if (event_meets(s->execution.program, event, &s->events[e]) && reached(a, e)) count++;
  return count;
}

/* Has a barrier of the program been reached, as far as it belongs to the group? */
static bool is_there(const struct arrivals *a, const struct event *event, unsigned thread, unsigned instr) {
  const struct structure *s = a->structure;
  const struct expr *resource = s->execution.program->threads[thread].instrs[instr].resource;
  bool executed = false, wanted = false;
  for (unsigned e = s->offset[thread]; e < end_of(s, thread); e++) {
    if (s->events[e].instr != (int)instr) continue;
    executed = true;
    if (!event_meets(s->execution.program, event, &s->events[e])) continue;
    if (reached(a, e)) return true;
    wanted = true;
  }
  if (executed) return !wanted;
  return resource && (resource->kind != EXPR_CONST || resource->value != event->resource);
}

/* A thread that a barrier without a quorum waits for; the number of threads: none. */
static unsigned first_absent(const struct arrivals *a, const struct event *event) {
  const struct program *program = a->structure->execution.program;
  for (unsigned t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    if (thread->wg != program->threads[event->thread].wg) continue;
    for (unsigned i = 0; i < thread->instr_count; i++) {
      const struct instr *instr = &thread->instrs[i];
      if (instr->kind != INSTR_MEET || instr->barrier_label != event->meeting) continue;
      if ((instr->resource != NULL) == event->has_resource && !is_there(a, event, t, i)) return t;
    }
  }
  return program->thread_count;
}

static bool passes(const struct arrivals *a, const struct event *event) {
  return event->has_quorum ? count_reached(a, event) >= event->quorum
                           : first_absent(a, event) == a->structure->execution.program->thread_count;
}

/* One thread past what lets it pass; true when it moved.  Who arrives goes on at
 * once; that enough come is asked in the end. */
static bool advance(struct arrivals *a, unsigned thread) {
  const struct structure *s = a->structure;
  unsigned *at = &a->at[thread];
  if (*at == end_of(s, thread)) return false;
  if (!s->events[*at].arrive && !passes(a, &s->events[*at])) return false;
  *at = next_meet(s, thread, *at + 1);
  return true;
}

/* All threads as far as they come. */
static void advance_all(struct arrivals *a) {
  const struct structure *s = a->structure;
  unsigned count = s->execution.program->thread_count;
  bool waiting = false;
  for (unsigned t = 0; t < count; t++) {
    a->at[t] = next_meet(s, t, s->offset[t]);
    waiting |= a->at[t] < end_of(s, t);
  }
  for (bool moved = waiting; moved;) {
    moved = false;
    for (unsigned t = 0; t < count; t++) moved |= advance(a, t);
  }
}

/* Does a thread go on there, but only if enough others come in the end? */
static bool must_be_met(const struct event *event) {
  return event->arrive && !event->silent;
}

bool barriers_all_pass(const struct structure *s) {
  unsigned count = s->execution.program->thread_count;
  unsigned at[count];
  struct arrivals a = {s, at};
  advance_all(&a);
  for (unsigned t = 0; t < count; t++)
    if (at[t] < end_of(s, t)) return false;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++)
    if (must_be_met(&s->events[e]) && !passes(&a, &s->events[e])) return false;
  return true;
}

/* Notes why a barrier lets nobody pass: who does not come to it. */
static void note_absent(const struct arrivals *a, const struct event *event, bool *matters) {
  const struct program *program = a->structure->execution.program;
  matters[event->thread] = true;
  if (!event->has_quorum) matters[first_absent(a, event)] = true;
  for (unsigned t = 0; event->has_quorum && t < program->thread_count; t++)
    matters[t] |= program->threads[t].wg == program->threads[event->thread].wg;
}

static bool note_first_absent(const struct arrivals *a, bool *matters) {
  const struct structure *s = a->structure;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) {
    const struct event *event = &s->events[e];
    bool stands = event->kind == EVENT_MEET && e == a->at[event->thread];
    if ((!stands && !must_be_met(event)) || passes(a, event)) continue;
    note_absent(a, event, matters);
    return true;
  }
  return false;
}

bool barriers_hold_back(const struct structure *s, unsigned *at, bool *matters) {
  struct arrivals a = {s, at};
  advance_all(&a);
  if (!note_first_absent(&a, matters)) return false;
  unsigned count = s->execution.program->thread_count;
  for (unsigned t = 0, noted = 0; noted < count; t = (t + 1) % count, noted++) {
    bool before[count];
    memcpy(before, matters, sizeof before);
    if (matters[t] && at[t] < end_of(s, t)) note_absent(&a, &s->events[at[t]], matters);
    if (memcmp(before, matters, sizeof before) != 0) noted = 0;
  }
  return true;
}

bool threads_stop(struct structure *s, const enum thread_end *end, bool *some) {
  unsigned count = s->execution.program->thread_count;
  unsigned at[count];
  struct arrivals a = {s, at};
  *some = false;
  advance_all(&a);
  for (unsigned t = 0; t < count; t++) {
    bool blocked = end[t] == THREAD_BLOCKED;
    if (at[t] != end_of(s, t) - blocked) return false;
    if (blocked) s->events[at[t]].blocked = true;
    for (unsigned i = s->paths[t]->round; end[t] == THREAD_IDLE && i < s->paths[t]->event_count; i++)
      s->events[s->offset[t] + i].repeats = true;
    *some |= blocked || end[t] == THREAD_IDLE;
  }
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) /* nobody waits there, but all must come */
    if (must_be_met(&s->events[e]) && !passes(&a, &s->events[e])) *some = s->events[e].blocked = true;
  return true;
}

bool threads_may_stop(const struct structure *s, const enum thread_end *end) {
  const struct program *program = s->execution.program;
  struct barrier_unknown unknown;
  unsigned count = program->thread_count;
  unsigned at[count];
  struct arrivals a = {s, at};
  if (barrier_find_unknown(s, &unknown)) return true;
  advance_all(&a);
  for (unsigned t = 0; t < count; t++) {
    bool stays = at[t] < end_of(s, t), others = false;
    bool last = stays && at[t] == end_of(s, t) - 1;
    if (end[t] == THREAD_BLOCKED && !stays) return false;
    for (unsigned u = 0; u < count; u++)
      others |= end[u] == THREAD_OPEN && program->threads[u].wg == program->threads[t].wg && at[u] == end_of(s, u);
    if (stays && !last && !others) return false;
  }
  return true;
}
