/* SPDX-License-Identifier: MIT */
/* The expressions of a fork's conditions are walked to the reads that have no value yet, and
 * from these, over writes that are known to be seen, to those that are undecided.
 */
#include "checker/exec/unfolding/next_read_to_decide.h"

#include <string.h>

static size_t source_count(const struct fork_view *v, unsigned read) {
  return words_popcount(v->structure->execution.shape.w, prefix_sources(v->prefix, read));
}

/* Has the thread gone the way that it has because of what a read returned? */
static bool steers(const struct fork_view *v, unsigned read) {
  const struct structure *s = v->structure;
  for (unsigned c = 0; c < s->condition_count; c++)
    for (unsigned i = 0; i < s->conditions[c].read_count && i < CONDITION_READS; i++)
      if (s->offset[s->conditions[c].thread] + s->conditions[c].reads[i] == read) return true;
  return false;
}

/* Is an earlier read of the same thread to be decided before this one?  What a read of the same location sees, this one
 * sees too, or what comes later; and what let the thread go on, as at the end of a loop that waits, may say what is
 * there to be seen.  But a read-modify-write says itself what came before, and is not put off for a read that could
 * wait. */
static bool goes_before(const struct fork_view *v, unsigned earlier, unsigned read) {
  const struct event *events = v->structure->events;
  if (events[earlier].kind != EVENT_READ || frame_decided(v->prefix->frames, v->prefix->frame, earlier)) return false;
  if (events[earlier].location == events[read].location) return true;
  bool could_wait = prefix_open_ended(v->prefix, earlier) && source_count(v, earlier);
  return steers(v, earlier) && !(events[read].rmw && could_wait);
}

/* The first of a thread's undecided reads, up to one of them, that goes before it. */
static unsigned first_before(const struct fork_view *v, unsigned read) {
  unsigned r = v->structure->offset[v->structure->events[read].thread];
  while (r < read && !goes_before(v, r, read)) r++;
  return r;
}

static void add_event(const struct fork_view *v, unsigned thread, unsigned event, struct fork_reads *reads) {
  if (prefix_known(v->prefix, event)) return;
  unsigned read = prefix_undecided(v->prefix, event);
  if (read == v->structure->execution.shape.n)
    reads->stuck = true;
  else
    *vec_push(v->arena, &reads->list) = (struct fork_read){thread, first_before(v, read)};
}

struct adding {
  const struct fork_view *v;
  unsigned thread;
  word *seen; /* the thread's events that have been added */
  struct fork_reads *reads;
};

static bool add_read(void *context, unsigned reg) {
  const struct adding *a = context;
  unsigned event = a->v->structure->offset[a->thread] + reg;
  /* What a branch adds itself is not there yet. */
  if (reg >= a->v->structure->paths[a->thread]->event_count || set_has(a->seen, event)) return true;
  set_add(a->seen, event);
  add_event(a->v, a->thread, event, a->reads);
  return true;
}

static void add(const struct fork_view *v, const struct expr *e, unsigned thread, word *seen,
                struct fork_reads *reads) {
  struct adding a = {v, thread, seen, reads};
  expr_registers(e, add_read, &a);
}

struct fork_reads fork_reads_find(const struct fork_view *v) {
  struct fork_reads reads = {.stuck = false};
  struct shape shape = v->structure->execution.shape;
  word seen[shape.w];
  words_clear(shape.w, seen);
  for (unsigned t = 0; t < v->program->thread_count; t++) {
    if (thread_end(v->threads[t]) != THREAD_OPEN) continue;
    for (unsigned b = 0; b < thread_branch_count(v->threads[t]); b++) {
      const struct path *branch = thread_branch(v->threads[t], b);
      for (unsigned i = thread_path(v->threads[t])->condition_count; branch && i < branch->condition_count; i++)
        add(v, branch->conditions[i].value, t, seen, &reads);
    }
  }
  return reads;
}

/* Of the reads that a thread's fork turns on the first in the thread, as what a later one sees often
 * follows from it, or does not matter any more; reads of other threads before those. */
static bool is_first(const struct fork_view *v, const struct fork_reads *reads, size_t i) {
  const struct fork_read *w = &reads->list.at[i];
  bool own = v->structure->events[w->read].thread == (int)w->thread;
  for (size_t k = 0; k < reads->list.count && own; k++) {
    const struct fork_read *other = &reads->list.at[k];
    bool others = v->structure->events[other->read].thread != (int)w->thread;
    if (other->thread == w->thread && (others || other->read < w->read)) return false;
  }
  return true;
}

unsigned fork_reads_choose(const struct fork_view *v, const struct fork_reads *reads, enum fork_choice choice) {
  unsigned best = v->structure->execution.shape.n;
  size_t fewest = 0;
  for (size_t i = 0; i < reads->list.count; i++) {
    unsigned read = reads->list.at[i].read;
    size_t sources = source_count(v, read);
    if (prefix_open_ended(v->prefix, read) != (choice == FORK_OPEN_ENDED) || (choice == FORK_OPEN_ENDED && !sources))
      continue;
    if ((fewest && sources >= fewest) || (choice != FORK_CLOSED && !is_first(v, reads, i))) continue;
    best = read;
    fewest = sources;
  }
  return best;
}

unsigned fork_reads_rmw_before(const struct fork_view *v, const struct fork_reads *reads, unsigned chosen) {
  const struct event *events = v->structure->events;
  unsigned best = chosen;
  size_t fewest = 0;
  for (size_t i = 0; i < reads->list.count; i++) {
    unsigned last = reads->list.at[i].read;
    for (unsigned r = v->structure->offset[events[last].thread]; r < last; r++) {
      if (events[r].kind != EVENT_READ || !events[r].rmw || prefix_open_ended(v->prefix, r)) continue;
      size_t sources = source_count(v, r);
      if (sources < 2 || (fewest && sources >= fewest)) continue;
      best = r;
      fewest = sources;
    }
  }
  return best;
}

/* ---- Reads that wait --------------------------------------------------------------------- */

static bool waits(const struct fork_view *v, const struct fork_read *r) {
  return prefix_open_ended(v->prefix, r->read) && !source_count(v, r->read);
}

/* May a thread that can go on feed this read? */
static bool may_be_fed(const struct fork_view *v, const struct fork_read *r, const bool *goes_on) {
  for (unsigned t = 0; t < v->program->thread_count; t++)
    if (goes_on[t] && future_writes_may_come(v->future, v->threads[t], t, v->structure, r->read, NULL)) return true;
  return false;
}

/* Which threads go on, once reads are fed by those that do?  `waiting`: of each read, does it still? */
static bool feed(const struct fork_view *v, const struct fork_reads *reads, bool *goes_on, bool *waiting) {
  unsigned count = v->program->thread_count;
  bool held[count + 1], moved = false;
  memset(held, 0, sizeof held);
  for (size_t i = 0; i < reads->list.count; i++) {
    if (waiting[i] && may_be_fed(v, &reads->list.at[i], goes_on)) waiting[i] = false;
    if (waiting[i]) held[reads->list.at[i].thread] = true;
  }
  for (unsigned t = 0; t < count; t++) {
    if (goes_on[t] || held[t] || thread_end(v->threads[t]) != THREAD_OPEN) continue;
    goes_on[t] = moved = true;
  }
  return moved;
}

bool fork_reads_wait_in_vain(const struct fork_view *v, const struct fork_reads *reads) {
  unsigned count = v->program->thread_count;
  bool goes_on[count + 1], waiting[reads->list.count + 1], vain = false;
  for (unsigned t = 0; t < count; t++) goes_on[t] = thread_end(v->threads[t]) == THREAD_OPEN;
  for (size_t i = 0; i < reads->list.count; i++) {
    waiting[i] = waits(v, &reads->list.at[i]);
    if (waiting[i]) goes_on[reads->list.at[i].thread] = false;
  }
  while (feed(v, reads, goes_on, waiting)) continue;
  for (size_t i = 0; i < reads->list.count; i++) vain |= waiting[i];
  return vain;
}
