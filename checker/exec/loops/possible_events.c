/* SPDX-License-Identifier: MIT */
/* A path for each thread that goes through all its instructions. */
#include "checker/exec/loops/possible_events.h"

#include "checker/exec/paths/thread_state.h"

enum { MOST_EVENTS = 512 };

/* One path for each thread: what its instructions can do, one after the other. */
struct listing {
  struct arena *arena;
  const struct program *program;
  struct path *path;
  unsigned thread, count;
  bool strange; /* there is what no listing has */
};

static struct path_event *add_event(struct listing *l, const struct instr *instr, enum event_kind kind) {
  const struct thread *thread = &l->program->threads[l->thread];
  static const struct expr zero = {.kind = EXPR_CONST};
  struct path_event *e = &l->path->events[l->path->event_count < MOST_EVENTS ? l->path->event_count++ : 0];
  *e = (struct path_event){.event = path_event_of(thread, l->thread, instr, kind), .value = &zero};
  e->event.po_index = l->path->event_count - 1;
  l->strange |= ++l->count >= MOST_EVENTS;
  return e;
}

static void add_access(struct listing *l, const struct instr *instr, enum event_kind kind, unsigned location,
                       bool rmw) {
  struct event *event = &add_event(l, instr, kind)->event;
  event->location = (int)location;
  event->name = instr->alias ? (int)instr->alias - 1 : (int)location;
  event->regions = l->program->locations[location].region;
  event->rmw = rmw;
}

static void add_swap(struct listing *l, const struct instr *instr, unsigned location) {
  add_access(l, instr, EVENT_READ, location, true);
  add_access(l, instr, EVENT_WRITE, location, true);
}

/* A compare-and-swap that fails. */
static void add_failure(struct listing *l, const struct instr *instr, unsigned location) {
  add_access(l, instr, EVENT_READ, location, false);
  struct event *read = &l->path->events[l->path->event_count - 1].event;
  read->order = instr->failure;
  if (instr->fails_apart) read->tags = instr->tags | instr->failed_tags;
}

static void add_expected(struct listing *l, const struct instr *instr) {
  const struct address *at = &instr->expected_at;
  for (unsigned i = 0; instr->expected_in_memory && i < address_cells(at); i++)
    for (int write = 0; address_may_have(at, i) && write <= instr->writeback; write++) {
      add_access(l, instr, write ? EVENT_WRITE : EVENT_READ, at->base + i, false);
      path_make_ordinary(&l->path->events[l->path->event_count - 1].event);
    }
}

static void add_at(struct listing *l, const struct instr *instr, unsigned location) {
  if (instr->kind == INSTR_LOAD || instr->kind == INSTR_STORE)
    add_access(l, instr, instr->kind == INSTR_LOAD ? EVENT_READ : EVENT_WRITE, location, false);
  else
    add_swap(l, instr, location);
  if (instr->kind == INSTR_CAS) add_failure(l, instr, location);
}

static void add_barrier(struct listing *l, const struct instr *instr) {
  for (int exit = 0; exit <= 1; exit++) {
    struct path_event *e = add_event(l, instr, EVENT_FENCE);
    e->event.order = exit ? ORDER_ACQ : ORDER_REL;
    e->event.regions = instr->regions;
    e->event.barrier_entry = !exit;
    e->event.barrier_exit = exit;
    e->barrier_label = instr->barrier_label;
  }
}

static void add_instr(struct listing *l, const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_RMW:
    case INSTR_CAS:
      for (unsigned i = 0; i < address_cells(&instr->address) && !l->strange; i++)
        if (address_may_have(&instr->address, i)) add_at(l, instr, instr->address.base + i);
      if (instr->kind == INSTR_CAS) add_expected(l, instr);
      break;
    case INSTR_FENCE:
      add_event(l, instr, EVENT_FENCE)->event.regions = instr->regions;
      break;
    case INSTR_BARRIER:
      add_barrier(l, instr);
      break;
    case INSTR_MEET:
      add_event(l, instr, EVENT_MEET)->event.meeting = instr->barrier_label;
      break;
    case INSTR_ASSIGN:
    case INSTR_BRANCH:
    case INSTR_JUMP:
      break;
    default: /* of ADSM, of the Linux kernel */
      l->strange = true;
  }
}

struct structure *possible_events(struct arena *arena, const struct program *program) {
  const struct path **paths = ARENA_ARRAY(arena, const struct path *, program->thread_count);
  struct listing l = {.arena = arena, .program = program};
  for (; l.thread < program->thread_count && !l.strange; l.thread++) {
    const struct thread *thread = &program->threads[l.thread];
    paths[l.thread] = l.path = ARENA_NEW(arena, struct path);
    l.path->events = ARENA_ARRAY(arena, struct path_event, MOST_EVENTS);
    for (unsigned i = 0; i < thread->instr_count && !l.strange; i++) add_instr(&l, &thread->instrs[i]);
  }
  return l.strange ? NULL : structure_build(arena, program, paths, ARENA_ARRAY(arena, bool, program->thread_count));
}
