/* SPDX-License-Identifier: MIT */
/* Sources are dropped for what future_writes.c and rmw_exclusion.c know, once for each pair of
 * events; so a branch that a compare-and-swap cannot take is left without a
 * source for its read, and needs no look at the model's bounds.
 */
#include "checker/exec/unfolding/rf_source_filter.h"

#include <string.h>

#include "checker/exec/search/value_propagation.h"

/* ---- Writes that are to come --------------------------------------------------------- */

void filter_find_open_ended(const struct source_filter *o, const struct frames *all) {
  SET_EACH (r, all->shape.w, all->reads)
    if (o->may_feed(o->context, all->structure, r, NULL, NULL)) set_add(all->open_ended, r);
}

/* What can be done one thread's events after the other, where there are no cycles in po and rf. */
struct run {
  const struct source_filter *o;
  const struct frames *all;
  const struct frame *f;
  const word *held; /* events that are not to be done */
  word *done;
  unsigned *next; /* by thread: its first event that is not done */
};

static const int64_t *known_value(const struct frame *f, unsigned read) {
  return f->known[read] ? &f->value[read] : NULL;
}

/* A read needs a write that is done, or a thread that has done what is there of it and may then make one. */
static bool can_be_done(const struct run *r, unsigned read) {
  const struct frames *all = r->all;
  if (set_has(r->held, read)) return false;
  if (words_meet(all->shape.w, frame_sources(all, r->f, read), r->done)) return true;
  return set_has(all->open_ended, read) &&
         r->o->may_feed(r->o->context, all->structure, read, known_value(r->f, read), r->done);
}

/* All events up to the next read are done at once.  False: some events of the thread are not done yet. */
static bool run_thread(const struct run *r, unsigned thread, bool *moved) {
  const struct structure *s = r->all->structure;
  unsigned begin = r->next[thread], next = begin, end = s->offset[thread] + s->paths[thread]->event_count;
  while (next < end) {
    unsigned read = set_next(r->all->shape.w, r->all->reads, next), stop = read < end ? read : end;
    set_add_range(r->done, next, stop);
    next = stop;
    if (next == end || !can_be_done(r, next)) break;
    set_add(r->done, next++);
  }
  *moved |= next > begin;
  r->next[thread] = next;
  return next == end;
}

/* Goes on with what is done.  Is there an order in which all events can be? */
static bool run_on(const struct run *r) {
  const struct structure *s = r->all->structure;
  bool whole = false;
  for (bool moved = true; moved && !whole;) {
    moved = false;
    whole = true;
    for (unsigned t = 0; t < s->execution.program->thread_count; t++) whole &= run_thread(r, t, &moved);
  }
  return whole;
}

static void run(const struct run *r) {
  const struct structure *s = r->all->structure;
  words_clear(r->all->shape.w, r->done);
  set_add_range(r->done, 0, s->init_count);
  for (unsigned t = 0; t < s->execution.program->thread_count; t++) r->next[t] = s->offset[t];
  run_on(r);
}

/* May a read still be fed, by threads that do not wait for it, with its value if that is known by now?  `before`: what
 * can be done without it, or a part of that, which becomes all if there is need. */
static bool is_fed(const struct run *before, word *held, unsigned read) {
  const struct frames *all = before->all;
  const struct source_filter *o = before->o;
  const int64_t *value = known_value(before->f, read);
  if (!o->causal) return !value || o->may_feed(o->context, all->structure, read, value, NULL);
  if (o->may_feed(o->context, all->structure, read, value, before->done)) return true;
  words_clear(all->shape.w, held);
  set_add(held, read);
  run_on(before);
  return o->may_feed(o->context, all->structure, read, value, before->done);
}

/* Reads that nobody feeds any more.  `first`: what can be done without any read that is open-ended.  What can be done
 * without a read of a thread can be without a later one. */
static bool close_reads(const struct run *first, struct frame *f) {
  const struct frames *all = first->all;
  unsigned threads = all->structure->execution.program->thread_count, next[threads];
  word done[all->shape.w], held[all->shape.w];
  const struct run before = {first->o, all, first->f, held, done, next};
  int thread = -1; /* whose reads were fed up to here */
  bool moved = false;
  SET_EACH (r, all->shape.w, all->open_ended) {
    if (first->o->causal && all->structure->events[r].thread != thread) {
      words_copy(all->shape.w, done, first->done);
      memcpy(next, first->next, threads * sizeof *next);
    }
    thread = all->structure->events[r].thread;
    if (is_fed(&before, held, r)) continue;
    thread = -1;
    set_drop(all->open_ended, r);
    f->settled = false;
    if (frame_decided(all, f, r)) frame_choose_source(all, f, frame_source(all, f, r), r);
    moved = true;
  }
  return moved;
}

/* ---- Writes that cannot be seen ------------------------------------------------------- */

static bool is_rmw_read(const struct frames *all, unsigned read) {
  return !words_empty(all->shape.w, rel_row_const(all->shape, all->structure->execution.rmw, read));
}

/* Certificates have what the model says of every branch, and no answers from before. */
void filter_find_rmws(const struct frames *all, struct frame *f) {
  if (all->record) return;
  SET_EACH (r, all->shape.w, all->reads)
    if (is_rmw_read(all, r)) set_add(f->contended, r);
}

/* What read-modify-write `a` reads from, others do not.  False: nothing is left for one of them. */
static bool exclude_others(const struct source_filter *o, const struct frames *all, struct frame *f, unsigned a,
                           bool *moved) {
  unsigned write = frame_source(all, f, a);
  SET_EACH (b, all->shape.w, f->contended) {
    if (b == a || !set_has(frame_sources(all, f, b), write)) continue;
    if (!o->exclude(o->context, all->structure, a, b, write)) continue;
    frame_drop_source(all, f, write, b);
    if (frame_lost(all, f, b)) return false;
    *moved = true;
  }
  return true;
}

bool filter_exclude(const struct source_filter *o, const struct frames *all, struct frame *f, bool *moved) {
  SET_EACH (a, all->shape.w, f->contended) {
    if (!frame_decided(all, f, a)) continue;
    set_drop(f->contended, a);
    if (!exclude_others(o, all, f, a, moved)) return false;
  }
  return true;
}

/* A read-modify-write that is known to read from a write; the number of events: there is none. */
static unsigned rmw_of(const struct frames *all, const struct frame *f, unsigned write) {
  SET_EACH (r, all->shape.w, rel_row_const(all->shape, f->p.lo[CHOICE_RF], write))
    if (is_rmw_read(all, r)) return r;
  return all->shape.n;
}

/* A compare-and-swap that is still to succeed does not so on what a read-modify-write has taken.  False: nothing is
 * left for its read. */
static bool exclude_swaps(const struct source_filter *o, const struct frames *all, struct frame *f, bool *moved) {
  SET_EACH (r, all->shape.w, o->swaps) {
    SET_EACH (w, all->shape.w, frame_sources(all, f, r)) {
      unsigned other_rmw = f->known[w] ? rmw_of(all, f, w) : all->shape.n;
      if (other_rmw == all->shape.n || !o->swaps_in_vain(o->context, all, f, r, w, other_rmw)) continue;
      frame_drop_source(all, f, w, r);
      *moved = true;
    }
    if (frame_lost(all, f, r)) return false;
  }
  return true;
}

/* Is all that a read could see out of its sight, after it in its own thread? */
static bool is_lost(const struct source_filter *o, const struct frames *all, const struct frame *f, unsigned read) {
  const struct event *events = all->structure->events;
  if (set_has(all->open_ended, read)) return false;
  SET_EACH (w, all->shape.w, frame_sources(all, f, read))
    if (w < read || events[w].thread != events[read].thread) return false;
  SET_EACH (w, all->shape.w, frame_sources(all, f, read))
    if (!o->hidden(o->context, all->structure, read, w)) return false;
  return true;
}

static bool some_read_lost(const struct source_filter *o, const struct frames *all, const struct frame *f) {
  SET_EACH (r, all->shape.w, all->reads)
    if (is_lost(o, all, f, r)) return true;
  return false;
}

static bool drop_sources(const struct run *first, struct frame *f, bool *moved) {
  const struct source_filter *o = first->o;
  if (!values_settle(first->all, f)) return false;
  if (o->causal) run(first);
  *moved = close_reads(first, f);
  if (!filter_exclude(o, first->all, f, moved)) return false;
  return !o->swaps || exclude_swaps(o, first->all, f, moved);
}

bool filter_settle(const struct source_filter *o, const struct frames *all, struct frame *f) {
  word held[all->shape.w], done[all->shape.w];
  unsigned next[all->structure->execution.program->thread_count];
  const struct run first = {o, all, f, held, done, next};
  for (bool moved = true; moved;) {
    words_copy(all->shape.w, held, all->open_ended);
    if (!drop_sources(&first, f, &moved)) return false;
  }
  /* Does some event wait for what only comes of it, when all that may be fed is? */
  words_clear(all->shape.w, held);
  if (o->causal && !run_on(&first)) return false;
  return all->record || !(some_read_lost(o, all, f) || o->shut_out(o->context, all, f));
}
