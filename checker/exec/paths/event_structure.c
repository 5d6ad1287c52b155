/* SPDX-License-Identifier: MIT */
/* Puts paths of threads together: numbers their events after the initial
 * writes, copies the relations of each path to those numbers, and gives
 * barriers of one work-group, label and round one instance. */
#include "checker/exec/paths/event_structure.h"

#include <assert.h>

#include "checker/exec/loops/spin_multiply_executions.h"

static bool collect_read(void *context, unsigned read) {
  struct structure_condition *c = context;
  for (unsigned i = 0; i < c->read_count && i < CONDITION_READS; i++)
    if (c->reads[i] == read) return true;
  if (c->read_count < CONDITION_READS) c->reads[c->read_count] = read;
  c->read_count++;
  return true;
}

void structure_collect_reads(const struct expr *e, struct structure_condition *c) {
  expr_registers(e, collect_read, c);
}

/* ---- Building -------------------------------------------------------------- */

static unsigned add_initial_writes(struct structure *s, struct arena *arena, const struct program *program) {
  bool *touched = ARENA_ARRAY(arena, bool, program->location_count + 1u);
  unsigned count = 0;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < s->paths[t]->event_count; i++)
      if (s->paths[t]->events[i].event.location >= 0) touched[s->paths[t]->events[i].event.location] = true;
  for (unsigned x = 0; x < program->location_count; x++) /* an unknown initial value may be asked for, too */
    if (touched[x] || program->locations[x].any) s->events[count++] = event_initial(program, x);
  return count;
}

void structure_number_barrier(struct arena *arena, struct structure_barriers *known, const struct program *program,
                              const struct path_event *own, struct event *event) {
  if (!event->barrier_entry && !event->barrier_exit) return;
  unsigned wg = program->threads[event->thread].wg, k = 0;
  while (k < known->count && (known->at[k].wg != wg || known->at[k].round != own->barrier_round ||
                              known->at[k].label != own->barrier_label))
    k++;
  if (k == known->count)
    *vec_push(arena, known) = (struct structure_barrier){wg, own->barrier_round, own->barrier_label};
  event->barrier_instance = (int)k;
}

static void add_reads(struct shape s, word *r, unsigned offset, const unsigned *reads, unsigned count, unsigned to) {
  for (unsigned i = 0; i < count; i++) rel_add(s, r, offset + reads[i], to);
}

struct relations {
  word *po, *rmw, *addr, *data, *ctrl;
};

static void relate(struct structure *s, struct relations *r, unsigned thread) {
  struct shape shape = s->execution.shape;
  unsigned offset = s->offset[thread];
  const struct path *path = s->paths[thread];
  for (unsigned i = 0; i < path->event_count; i++) {
    const struct path_event *e = &path->events[i];
    for (unsigned k = i + 1; k < path->event_count; k++)
      if (event_same_sequence(&e->event, &path->events[k].event)) rel_add(shape, r->po, offset + i, offset + k);
    add_reads(shape, r->addr, offset, e->addr, e->addr_count, offset + i);
    add_reads(shape, r->data, offset, e->data, e->data_count, offset + i);
    add_reads(shape, r->ctrl, offset, e->ctrl, e->ctrl_count, offset + i);
    /* The write half follows its read half at once. */
    if (e->event.rmw && e->event.kind == EVENT_READ) rel_add(shape, r->rmw, offset + i, offset + i + 1);
  }
}

static void add_conditions(struct structure *s, unsigned thread) {
  const struct path *path = s->paths[thread];
  for (unsigned i = 0; i < path->condition_count; i++) {
    struct structure_condition *c = &s->conditions[s->condition_count++];
    *c = (struct structure_condition){
        .value = path->conditions[i].value, .nonzero = path->conditions[i].nonzero, .thread = thread};
    structure_collect_reads(c->value, c);
  }
}

/* ---- The invariant, for assertions --------------------------------------------- */

struct path_reads {
  const struct path *path;
  unsigned before; /* an event of the path, or their number */
};

static bool is_read_before(void *context, unsigned index) {
  const struct path_reads *r = context;
  return index < r->before && r->path->events[index].event.kind == EVENT_READ;
}

/* Dependencies begin at reads that come before; both halves of a read-modify-write are of one location. */
static bool event_is_sound(const struct structure *s, const struct relations *r, unsigned a, unsigned b) {
  struct shape shape = s->execution.shape;
  const struct event *from = &s->events[a], *to = &s->events[b];
  bool depends = rel_has(shape, r->addr, a, b) || rel_has(shape, r->data, a, b) || rel_has(shape, r->ctrl, a, b);
  if (depends && (from->kind != EVENT_READ || from->thread != to->thread || a >= b)) return false;
  if (rel_has(shape, r->po, a, b) && (from->thread < 0 || from->thread != to->thread || a >= b)) return false;
  return !rel_has(shape, r->rmw, a, b) ||
         (to->kind == EVENT_WRITE && to->rmw && from->thread == to->thread && from->location == to->location);
}

/* A value is of its thread's reads up to the event (a read's own is itself); a condition of all that are there. */
__attribute__((unused)) static bool is_sound(const struct structure *s, const struct relations *r) {
  for (unsigned a = 0; a < s->execution.shape.n; a++) {
    const struct event *e = &s->events[a];
    struct path_reads reads = {e->thread < 0 ? NULL : s->paths[e->thread], e->po_index + 1};
    if (e->thread >= 0 && (s->offset[e->thread] + e->po_index != a)) return false;
    if (e->thread >= 0 && !expr_registers(s->value[a], is_read_before, &reads)) return false;
    for (unsigned b = 0; b < s->execution.shape.n; b++)
      if (!event_is_sound(s, r, a, b)) return false;
  }
  for (unsigned i = 0; i < s->condition_count; i++) {
    const struct path *path = s->paths[s->conditions[i].thread];
    struct path_reads reads = {path, path->event_count};
    if (!expr_registers(s->conditions[i].value, is_read_before, &reads)) return false;
  }
  return true;
}

struct structure *structure_build(struct arena *arena, const struct program *program, const struct path **paths,
                                  bool *ended) {
  struct structure *s = ARENA_MAKE(arena, struct structure, .paths = paths, .ended = ended, .ways = 1);
  unsigned most = program->location_count, conditions = 0;
  for (unsigned t = 0; t < program->thread_count; t++) {
    most += paths[t]->event_count;
    conditions += paths[t]->condition_count;
    s->ways = spin_count_product(s->ways, paths[t]->ways);
  }
  s->offset = ARENA_ARRAY(arena, unsigned, program->thread_count);
  s->events = ARENA_RAW(arena, struct event, most);
  s->value = ARENA_ARRAY(arena, const struct expr *, most);
  s->conditions = ARENA_RAW(arena, struct structure_condition, conditions);
  unsigned n = s->init_count = add_initial_writes(s, arena, program);
  struct structure_barriers barriers = {0};
  for (unsigned t = 0; t < program->thread_count; t++) {
    s->offset[t] = n;
    for (unsigned i = 0; i < paths[t]->event_count; i++, n++) {
      const struct path_event *e = &paths[t]->events[i];
      s->events[n] = e->event;
      s->value[n] = e->value;
      structure_number_barrier(arena, &barriers, program, e, &s->events[n]);
    }
    add_conditions(s, t);
  }
  struct shape shape = shape_of(n);
  size_t words = rel_words(shape);
  struct relations r = {ARENA_ARRAY(arena, word, words), ARENA_ARRAY(arena, word, words),
                        ARENA_ARRAY(arena, word, words), ARENA_ARRAY(arena, word, words),
                        ARENA_ARRAY(arena, word, words)};
  s->execution = (struct execution){.program = program,
                                    .shape = shape,
                                    .events = s->events,
                                    .po = r.po,
                                    .rmw = r.rmw,
                                    .addr = r.addr,
                                    .data = r.data,
                                    .ctrl = r.ctrl};
  for (unsigned t = 0; t < program->thread_count; t++) relate(s, &r, t);
  assert(is_sound(s, &r));
  return s;
}
