/* SPDX-License-Identifier: MIT */
/* Threads are run as far as their next fork (paths.h), so their events are there before they are done: `done`
 * counts those that are.  What has only looked since the last write or barrier can be undone: a round of a loop
 * in vain is, and the thread waits for another write. */
#include "checker/exec/unfolding/serial_run.h"

#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/vec.h"

enum { MOST_STEPS = 50000 };

/* A thread, on its way. */
struct actor {
  struct thread_state *state;
  unsigned done;
  unsigned room;
  bool *known;               /* by event of its path, as are the next three */
  int64_t *value;            /* read or written */
  struct decision *decision; /* of reads: what they see */
  struct thread_state *mark; /* right after its last write or barrier, or at its start; so `marked` events were done */
  unsigned marked;
  uint64_t mark_version; /* of memory, then */
  bool waits;            /* for another version of memory than: */
  uint64_t version;
  bool arrived; /* at the barrier that is its next event: `meeting` */
  size_t meeting;
};

/* What came together at a barrier. */
struct meeting {
  unsigned wg;
  int label;
  bool has_resource;
  int64_t resource, quorum, count;
};

struct last_write {
  int thread; /* -1: the initial one */
  unsigned index;
  int64_t value;
};

struct write_done {
  unsigned thread, index;
  int location;
};

struct stage {
  struct arena *arena;
  const struct program *program;
  struct path_limits limits;
  struct actor *actors;
  struct last_write *memory; /* by location */
  uint64_t version;          /* writes so far */
  uint64_t seed;
  VEC(struct meeting) meetings;
  VEC(struct write_done) writes;
};

enum step { STEP_DONE, STEP_HELD, STEP_FAILED };

/* ---- one thread ---- */

static void make_room(struct stage *s, struct actor *a, unsigned count) {
  if (count <= a->room) return;
  unsigned room = count * 2 + 16;
  bool *known = ARENA_ARRAY(s->arena, bool, room);
  int64_t *value = ARENA_ARRAY(s->arena, int64_t, room);
  struct decision *decision = ARENA_ARRAY(s->arena, struct decision, room);
  if (a->room) {
    memcpy(known, a->known, a->room * sizeof *known);
    memcpy(value, a->value, a->room * sizeof *value);
    memcpy(decision, a->decision, a->room * sizeof *decision);
  }
  a->known = known;
  a->value = value;
  a->decision = decision;
  a->room = room;
}

static void set_mark(const struct stage *s, struct actor *a) {
  a->mark = a->state;
  a->marked = a->done;
  a->mark_version = s->version;
}

/* Back to where it has not looked yet. */
static enum step look_again(struct stage *s, struct actor *a) {
  a->state = a->mark;
  a->done = a->marked;
  a->waits = a->mark_version == s->version;
  a->version = a->mark_version = s->version;
  return STEP_HELD;
}

/* What the reads at the start of a branch see, if it is gone along now. */
static void look_ahead(struct stage *s, struct actor *a, const struct path *path) {
  make_room(s, a, path->event_count);
  for (unsigned i = a->done; i < path->event_count; i++) {
    const struct event *event = &path->events[i].event;
    if (event->kind == EVENT_WRITE) return;
    if (event->kind != EVENT_READ) continue;
    a->known[i] = true;
    a->value[i] = s->memory[event->location].value;
  }
}

static bool conditions_hold(const struct actor *a, const struct path *path, unsigned first) {
  for (unsigned i = first; i < path->condition_count; i++) {
    int64_t value;
    if (!path_value(path->conditions[i].value, a->known, a->value, &value)) return false;
    if ((value != 0) != path->conditions[i].nonzero) return false;
  }
  return true;
}

/* Goes along the branch that memory tells it. */
static enum step choose_branch(struct stage *s, unsigned thread) {
  struct actor *a = &s->actors[thread];
  unsigned first = thread_path(a->state)->condition_count;
  for (unsigned b = 0; b < thread_branch_count(a->state); b++) {
    const struct path *path = thread_branch(a->state, b);
    if (!path) continue;
    look_ahead(s, a, path);
    if (!conditions_hold(a, path, first)) continue;
    struct thread_state *next = thread_resume(s->arena, s->program, thread, &s->limits, a->state, b);
    if (!next) return STEP_FAILED;
    a->state = next;
    make_room(s, a, thread_path(next)->event_count);
    return STEP_DONE;
  }
  return look_again(s, a);
}

/* ---- events ---- */

static void do_read(struct stage *s, unsigned thread, const struct event *event) {
  struct actor *a = &s->actors[thread];
  const struct last_write *seen = &s->memory[event->location];
  a->known[a->done] = true;
  a->value[a->done] = seen->value;
  a->decision[a->done] =
      (struct decision){.thread = thread, .index = a->done, .source_thread = seen->thread, .source_index = seen->index};
  a->done++;
}

static enum step do_write(struct stage *s, unsigned thread, const struct path_event *e) {
  struct actor *a = &s->actors[thread];
  if (!path_value(e->value, a->known, a->value, &a->value[a->done])) return STEP_FAILED;
  a->known[a->done] = true;
  s->memory[e->event.location] = (struct last_write){(int)thread, a->done, a->value[a->done]};
  *vec_push(s->arena, &s->writes) = (struct write_done){thread, a->done, e->event.location};
  s->version++;
  a->done++;
  set_mark(s, a);
  return STEP_DONE;
}

static bool find_meeting(struct stage *s, unsigned thread, const struct path_event *e, size_t *found) {
  const struct actor *a = &s->actors[thread];
  struct meeting m = {
      .wg = s->program->threads[thread].wg, .label = e->event.meeting, .has_resource = e->event.has_resource};
  if (!e->quorum || !path_value(e->quorum, a->known, a->value, &m.quorum)) return false;
  if (m.has_resource && !path_value(e->resource, a->known, a->value, &m.resource)) return false;
  for (*found = 0; *found < s->meetings.count; ++*found) {
    const struct meeting *other = &s->meetings.at[*found];
    if (other->wg == m.wg && other->label == m.label && other->has_resource == m.has_resource &&
        other->resource == m.resource)
      return true;
  }
  *vec_push(s->arena, &s->meetings) = m;
  return true;
}

static bool is_held(const struct stage *s, const struct actor *a) {
  const struct meeting *m = a->arrived ? &s->meetings.at[a->meeting] : NULL;
  return (a->waits && a->version == s->version) || (m && m->count < m->quorum);
}

static enum step do_meet(struct stage *s, unsigned thread, const struct path_event *e) {
  struct actor *a = &s->actors[thread];
  bool leaves = e->event.arrive && e->event.silent;
  if (!a->arrived) {
    if (!find_meeting(s, thread, e, &a->meeting)) return STEP_FAILED;
    s->meetings.at[a->meeting].count++;
    a->arrived = true;
  }
  if (!leaves && is_held(s, a)) return STEP_HELD;
  a->arrived = false;
  a->done++;
  set_mark(s, a);
  return STEP_DONE;
}

static enum step do_event(struct stage *s, unsigned thread, const struct path_event *e) {
  switch (e->event.kind) {
    case EVENT_READ:
      do_read(s, thread, &e->event);
      return STEP_DONE;
    case EVENT_WRITE:
      return do_write(s, thread, e);
    case EVENT_MEET:
      return do_meet(s, thread, e);
    case EVENT_FENCE:
    case EVENT_MARK:
      s->actors[thread].done++;
      return STEP_DONE;
    default:
      return STEP_FAILED;
  }
}

static bool is_over(const struct actor *a) {
  enum thread_end end = thread_end(a->state);
  return (end == THREAD_ENDED || end == THREAD_UNDEFINED) && a->done == thread_path(a->state)->event_count;
}

/* Is the next event the write of a read-modify-write that has read? */
static bool is_between(const struct actor *a) {
  const struct path *path = thread_path(a->state);
  const struct event *next = a->done < path->event_count ? &path->events[a->done].event : NULL;
  return next && next->rmw && next->kind == EVENT_WRITE;
}

/* One event of the thread, a read-modify-write whole; and the fork after it, which says whether it is one. */
static enum step do_step(struct stage *s, unsigned thread) {
  struct actor *a = &s->actors[thread];
  enum step step = STEP_DONE;
  a->waits = false;
  do {
    const struct path *path = thread_path(a->state);
    if (a->done < path->event_count) step = do_event(s, thread, &path->events[a->done]);
    if (step != STEP_DONE || a->done < thread_path(a->state)->event_count) continue;
    enum thread_end end = thread_end(a->state);
    if (end == THREAD_OPEN)
      step = choose_branch(s, thread);
    else if (end == THREAD_CUT || end == THREAD_IMPOSSIBLE)
      step = look_again(s, a);
    else if (end != THREAD_ENDED && end != THREAD_UNDEFINED)
      step = STEP_FAILED;
  } while (step == STEP_DONE && is_between(a));
  return step;
}

/* ---- turns ---- */

static unsigned draw(struct stage *s, unsigned count) {
  s->seed ^= s->seed << 13;
  s->seed ^= s->seed >> 7;
  s->seed ^= s->seed << 17;
  return (unsigned)(s->seed % count);
}

/* The first thread from `from` on that can go on; thread_count: none. */
static unsigned next_ready(const struct stage *s, unsigned from, bool backwards) {
  unsigned count = s->program->thread_count;
  for (unsigned i = 0; i < count; i++) {
    unsigned t = (backwards ? from + count - i : from + i) % count;
    if (!is_over(&s->actors[t]) && !is_held(s, &s->actors[t])) return t;
  }
  return count;
}

/* Whose turn is it?  0 and 1: the first's, or the last's, as long as it can go on; 2 and 3: all in turn; others:
 * anybody's. */
static unsigned next_turn(struct stage *s, unsigned order, unsigned last) {
  unsigned count = s->program->thread_count;
  if (order < 2) return next_ready(s, order ? count - 1 : 0, order);
  if (order < 4) return next_ready(s, order == 2 ? last + 1 : last + count - 1, order == 3);
  return next_ready(s, draw(s, 4) ? last : draw(s, count), false);
}

static bool all_over(const struct stage *s) {
  for (unsigned t = 0; t < s->program->thread_count; t++)
    if (!is_over(&s->actors[t])) return false;
  return true;
}

static bool take_turns(struct stage *s, unsigned order) {
  unsigned last = order == 3 ? 0 : s->program->thread_count - 1;
  for (unsigned steps = 0; steps < MOST_STEPS; steps++) {
    unsigned t = next_turn(s, order, last);
    if (t == s->program->thread_count) return all_over(s);
    if (do_step(s, t) == STEP_FAILED) return false;
    last = t;
  }
  return false;
}

/* ---- what is left ---- */

static void push_decision(struct stage *s, const struct decision **list, const struct decision *decision) {
  struct decision *d = ARENA_COPY(s->arena, struct decision, decision, 1);
  d->before = *list;
  *list = d;
}

static void add_decision(struct stage *s, struct serial_run *run, const struct decision *d, bool ordinary) {
  push_decision(s, &run->decisions, d);
  run->ordinary |= ordinary;
  if (!ordinary) push_decision(s, &run->synchronising, d);
  run->key = hash_join(hash_join(run->key, (uint64_t)d->thread << 32 | d->index),
                       (uint64_t)d->source_thread << 32 | d->source_index);
}

static void add_reads(struct stage *s, struct serial_run *run, const struct actor *a) {
  const struct path *path = thread_path(a->state);
  for (unsigned i = 0; i < path->event_count; i++) {
    const struct event *event = &path->events[i].event;
    if (event->kind == EVENT_READ) add_decision(s, run, &a->decision[i], event->order == ORDER_NA);
  }
  run->events += path->event_count;
}

/* Each write comes after the one before it. */
static void add_writes(struct stage *s, struct serial_run *run) {
  const struct write_done **before = ARENA_ARRAY(s->arena, const struct write_done *, s->program->location_count + 1u);
  for (size_t i = 0; i < s->writes.count; i++) {
    const struct write_done *w = &s->writes.at[i], *b = before[w->location];
    before[w->location] = w;
    struct decision d = {.thread = w->thread, .index = w->index, .orders = true};
    if (b) d.source_thread = (int)b->thread, d.source_index = b->index;
    if (b) add_decision(s, run, &d, false);
  }
}

/* What a location holds at first: where that may be anything, something small. */
static int64_t first_value(struct stage *s, unsigned location, unsigned order) {
  const struct location *of = &s->program->locations[location];
  if (!of->any) return of->init;
  return order < 6 ? order / 2 : draw(s, 4);
}

static bool start(struct stage *s, unsigned order) {
  for (unsigned x = 0; x < s->program->location_count; x++)
    s->memory[x] = (struct last_write){.thread = -1, .value = first_value(s, x, order)};
  for (unsigned t = 0; t < s->program->thread_count; t++) {
    struct actor *a = &s->actors[t];
    a->state = thread_start(s->arena, s->program, t, &s->limits);
    if (!a->state) return false;
    make_room(s, a, thread_path(a->state)->event_count);
    set_mark(s, a);
  }
  return true;
}

bool serial_run(struct arena *arena, const struct program *program, const struct path_limits *limits, unsigned order,
                struct serial_run *run) {
  struct stage s = {.arena = arena,
                    .program = program,
                    .limits = *limits,
                    .seed = 0x9e3779b97f4a7c15u + order,
                    .actors = ARENA_ARRAY(arena, struct actor, program->thread_count + 1u),
                    .memory = ARENA_ARRAY(arena, struct last_write, program->location_count + 1u)};
  s.limits.cut_spins = false; /* who waits stands still */
  if (!program->thread_count || !start(&s, order) || !take_turns(&s, order)) return false;
  *run = (struct serial_run){.threads = ARENA_ARRAY(arena, struct thread_state *, program->thread_count)};
  for (unsigned t = 0; t < program->thread_count; t++) {
    run->threads[t] = s.actors[t].state;
    add_reads(&s, run, &s.actors[t]);
  }
  if (!program->partial_coherence) add_writes(&s, run);
  return true;
}
