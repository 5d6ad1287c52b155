/* SPDX-License-Identifier: MIT */
/* The events that instructions make. */
#include "checker/base/tags.h"
#include "checker/exec/paths/thread_state.h"

static tag_set tags_of(const struct instr *instr, enum event_kind kind) {
  tag_set half = kind == EVENT_READ ? instr->read_tags : kind == EVENT_WRITE ? instr->write_tags : 0;
  return instr->tags | half;
}

/* The order of an event: all of the instruction's, or what its half of it is. */
static enum order order_of(const struct instr *instr, enum event_kind kind) {
  enum order whole = instr->order;
  if (!instr->split) return whole;
  enum order own = kind == EVENT_READ ? ORDER_ACQ : ORDER_REL;
  return whole == own || whole == ORDER_ACQ_REL ? own : ORDER_RLX;
}

struct event path_event_of(const struct thread *thread, unsigned thread_index, const struct instr *instr,
                           enum event_kind kind) {
  return (struct event){.kind = kind,
                        .thread = (int)thread_index,
                        .instr = (int)(instr - thread->instrs),
                        .location = -1,
                        .name = -1,
                        .order = order_of(instr, kind),
                        .scope = instr->scope,
                        .implicit_scope = instr->implicit_scope,
                        .tags = tags_of(instr, kind),
                        .barrier_instance = -1};
}

struct path_event *path_add_event(struct runner *r, struct thread_state *s, enum event_kind kind,
                                  const struct instr *instr) {
  if (s->path.event_count == r->limits->max_events) r->too_long = true;
  state_room(r->arena, (void **)&s->path.events, &s->event_room, s->path.event_count, sizeof *s->path.events);
  struct path_event *e = &s->path.events[s->path.event_count++];
  *e = (struct path_event){0};
  e->event = path_event_of(r->thread, r->thread_index, instr, kind);
  e->event.po_index = s->path.event_count - 1;
  e->event.launch = s->launch;
  e->event.kernel = s->kernel;
  e->ctrl = s->ctrl->at;
  e->ctrl_count = s->ctrl->count;
  return e;
}

static void set_access(struct runner *r, struct path_event *e, struct cell cell, const struct reads *data) {
  e->event.location = cell.location;
  e->event.name = cell.name;
  e->event.regions = r->program->locations[cell.location].region;
  e->addr = cell.dependencies->at;
  e->addr_count = cell.dependencies->count;
  e->data = data->at;
  e->data_count = data->count;
}

unsigned path_add_read(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  struct path_event *e = path_add_event(r, s, EVENT_READ, instr);
  set_access(r, e, cell, &no_reads);
  e->value = expr_register(r->arena, e->event.po_index);
  return e->event.po_index;
}

void path_add_write(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                    const struct expr *value, const struct reads *data) {
  struct path_event *e = path_add_event(r, s, EVENT_WRITE, instr);
  set_access(r, e, cell, data);
  e->value = value;
}

void path_add_mark(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  struct path_event *e = path_add_event(r, s, EVENT_MARK, instr);
  if (instr->address.size) set_access(r, e, cell, &no_reads);
  if (!instr->value) return;
  e->value = state_value(r, s, instr->value);
  e->event.valued = true;
}

void path_add_rmw_write(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                        unsigned read, struct written written) {
  path_add_write(r, s, instr, cell, written.value, written.data);
  s->path.events[read].event.rmw = true;
  s->path.events[s->path.event_count - 1].event.rmw = true;
}

void path_make_ordinary(struct event *event) {
  event->order = ORDER_NA;
  event->scope = SCOPE_NONE;
  event->implicit_scope = false;
  event->tags = 0;
}

/* ---- What a thread may still write ------------------------------------------ */

bool instr_writes(const struct program *program, const struct instr *instr, unsigned location) {
  if (instr->kind == INSTR_ALLOC) {
    const struct object *object = &program->objects[instr->object];
    return object->freed && location >= object->base && location < object->base + object->size;
  }
  bool whole = instr->kind == INSTR_FILL || instr->kind == INSTR_COPY;
  bool takes = instr->kind == INSTR_LOCK && instr->lock != LOCK_LOOK;
  bool stores = takes || instr->kind == INSTR_STORE || instr->kind == INSTR_RMW || instr->kind == INSTR_CAS;
  const struct address *a = &instr->address;
  if (whole && location >= a->base && location < a->base + a->size) return true;
  if (stores && address_may_be(a, location)) return true;
  return instr->kind == INSTR_CAS && instr->writeback && instr->expected_in_memory &&
         address_may_be(&instr->expected_at, location);
}

struct event path_access(const struct program *program, unsigned thread, unsigned instr, unsigned location,
                         enum event_kind kind) {
  const struct thread *t = &program->threads[thread];
  const struct instr *from = &t->instrs[instr];
  struct event event = path_event_of(t, thread, from, kind);
  event.location = (int)location;
  event.name = from->alias ? (int)from->alias - 1 : (int)location;
  event.regions = program->locations[location].region;
  return event;
}

struct event path_write(const struct program *program, unsigned thread, unsigned instr, unsigned location, bool back) {
  const struct instr *from = &program->threads[thread].instrs[instr];
  struct event event = path_access(program, thread, instr, location, EVENT_WRITE);
  event.rmw = !back && (from->kind == INSTR_RMW || from->kind == INSTR_CAS || from->kind == INSTR_LOCK);
  if (from->kind == INSTR_LOCK) event.tags = tag_bit(TAG_LKW);
  if (back) path_make_ordinary(&event);
  return event;
}
