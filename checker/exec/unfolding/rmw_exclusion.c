/* SPDX-License-Identifier: MIT */
/* The question to the model: two read-modify-writes and a write, taken out of their
 * structure with the relations among them, each read seeing the write; and what it
 * answered.
 */
#include "checker/exec/unfolding/rmw_exclusion.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/exec/unfolding/model_query.h"

enum { RELATIONS = 4 }; /* po, addr, data, ctrl */

/* What there is to tell one question from another: what models can know of the events. */
struct question {
  struct event events[QUERY_EVENTS]; /* but for values, instructions and places in threads: same_event */
  uint64_t related[RELATIONS];       /* bit i * QUERY_EVENTS + j: the i-th event to the j-th */
  unsigned count, a, b, write;       /* reads and the write, by their places among the events */
};

struct answer {
  struct question question;
  bool exclusive;
};

struct rmw_exclusion {
  struct arena *arena;
  struct asked_model asked;
  VEC(struct answer) answers;
};

struct rmw_exclusion *rmw_exclusion_new(struct arena *arena, const struct litmus_test *test,
                                        const struct cat_model *model, struct search_control *control) {
  return ARENA_MAKE(arena, struct rmw_exclusion, .arena = arena, .asked = {test, model, control});
}

/* ---- A part of a structure ------------------------------------------------------------ */

struct part {
  const struct structure *from;
  unsigned events[QUERY_EVENTS]; /* ascending */
  unsigned count;
};

static void take(struct part *p, unsigned event) {
  unsigned at = p->count;
  for (unsigned i = 0; i < p->count; i++)
    if (p->events[i] == event) return;
  for (; at > 0 && p->events[at - 1] > event; at--) p->events[at] = p->events[at - 1];
  p->events[at] = event;
  p->count++;
}

/* With the other half of a read-modify-write: the next event, or the one before. */
static void take_whole(struct part *p, unsigned event) {
  const struct execution *x = &p->from->execution;
  take(p, event);
  if (event + 1 < x->shape.n && rel_has(x->shape, x->rmw, event, event + 1)) take(p, event + 1);
  if (event > 0 && rel_has(x->shape, x->rmw, event - 1, event)) take(p, event - 1);
}

static struct part part_of(const struct structure *structure, unsigned a, unsigned b, unsigned write) {
  struct part p = {.from = structure};
  take_whole(&p, a);
  take_whole(&p, b);
  take_whole(&p, write);
  return p;
}

/* An event's place in its thread's part. */
static unsigned place_of(const struct part *p, unsigned event) {
  unsigned place = 0;
  for (unsigned i = 0; i < p->count && p->events[i] < event; i++)
    place += p->from->events[p->events[i]].thread == p->from->events[event].thread;
  return place;
}

/* Those of an event's dependencies that are there. */
static unsigned keep_dependencies(const struct part *p, struct arena *arena, unsigned event, const unsigned *reads,
                                  unsigned count, const unsigned **kept) {
  unsigned offset = p->from->offset[p->from->events[event].thread], left = 0;
  unsigned *list = ARENA_ARRAY(arena, unsigned, count);
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < p->count; k++)
      if (p->events[k] == offset + reads[i]) list[left++] = place_of(p, p->events[k]);
  *kept = list;
  return left;
}

static struct path_event event_of(const struct part *p, struct arena *arena, unsigned event) {
  const struct event *e = &p->from->events[event];
  struct path_event out = p->from->paths[e->thread]->events[e->po_index];
  out.addr_count = keep_dependencies(p, arena, event, out.addr, out.addr_count, &out.addr);
  out.data_count = keep_dependencies(p, arena, event, out.data, out.data_count, &out.data);
  out.ctrl_count = keep_dependencies(p, arena, event, out.ctrl, out.ctrl_count, &out.ctrl);
  return out;
}

/* ---- The question ------------------------------------------------------------------------ */

static struct query_event place_in_question(const struct part *p, unsigned event) {
  int thread = p->from->events[event].thread;
  return (struct query_event){thread, thread < 0 ? 0 : place_of(p, event)};
}

static bool rejects(const struct rmw_exclusion *r, const struct part *p, unsigned a, unsigned b, unsigned write) {
  struct model_query q = query_new(&r->asked);
  struct query_event from = place_in_question(p, write);
  for (unsigned i = 0; i < p->count; i++)
    if (p->from->events[p->events[i]].thread >= 0) query_add(&q, event_of(p, q.arena, p->events[i]));
  query_reads(&q, place_in_question(p, a), from);
  query_reads(&q, place_in_question(p, b), from);
  return query_is_rejected(&q);
}

static unsigned index_of(const struct part *p, unsigned event) {
  unsigned i = 0;
  while (p->events[i] != event) i++;
  return i;
}

static void relate(const struct part *p, struct question *q) {
  const struct execution *x = &p->from->execution;
  const word *const relations[RELATIONS] = {x->po, x->addr, x->data, x->ctrl};
  word those[x->shape.w];
  words_clear(x->shape.w, those);
  for (unsigned i = 0; i < p->count; i++) set_add(those, p->events[i]);
  for (unsigned k = 0; k < RELATIONS; k++)
    for (unsigned i = 0; i < p->count; i++) {
      if (!words_meet(x->shape.w, rel_row_const(x->shape, relations[k], p->events[i]), those)) continue;
      for (unsigned j = 0; j < p->count; j++)
        if (rel_has(x->shape, relations[k], p->events[i], p->events[j]))
          q->related[k] |= (uint64_t)1 << (i * QUERY_EVENTS + j);
    }
}

static void pose(const struct part *p, unsigned a, unsigned b, unsigned write, struct question *q) {
  *q = (struct question){.count = p->count, .a = index_of(p, a), .b = index_of(p, b), .write = index_of(p, write)};
  for (unsigned i = 0; i < p->count; i++) q->events[i] = p->from->events[p->events[i]];
  relate(p, q);
}

static bool same_question(const struct question *a, const struct question *b) {
  if (a->count != b->count || a->a != b->a || a->b != b->b || a->write != b->write) return false;
  for (unsigned i = 0; i < a->count; i++)
    if (a->events[i].thread != b->events[i].thread || !event_alike(&a->events[i], &b->events[i])) return false;
  return !memcmp(a->related, b->related, sizeof a->related);
}

bool rmw_exclusion_holds(struct rmw_exclusion *r, const struct structure *structure, unsigned a, unsigned b,
                         unsigned write) {
  struct part p = part_of(structure, a, b, write);
  struct answer answer;
  pose(&p, a, b, write, &answer.question);
  for (size_t i = 0; i < r->answers.count; i++)
    if (same_question(&r->answers.at[i].question, &answer.question)) return r->answers.at[i].exclusive;
  answer.exclusive = rejects(r, &p, a, b, write);
  *vec_push(r->arena, &r->answers) = answer;
  return answer.exclusive;
}
