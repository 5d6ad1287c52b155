/* SPDX-License-Identifier: MIT */
/* Classes are found from the program; within one, neighbours are compared, and the writers among
 * them each with each, as those between may not have written yet.
 */
#include "checker/exec/search/thread_symmetry.h"

#include <assert.h>

#include "checker/base/array.h"
#include "checker/exec/loops/spin_multiply_executions.h"

struct class {
  unsigned count, *threads; /* ascending */
};

struct symmetry {
  unsigned count;
  struct class *classes;
  unsigned turning; /* threads that can take turns; 0: none */
  unsigned turn;    /* their instruction that says whose turn it is */
  int location;     /* to which it writes */
};

/* ---- The program ------------------------------------------------------------------------ */

static bool same_distance(const struct thread *a, const struct thread *b, const struct thread *from) {
  return (a->sg == from->sg) == (b->sg == from->sg) && (a->wg == from->wg) == (b->wg == from->wg) &&
         (a->qf == from->qf) == (b->qf == from->qf) && (a->dev == from->dev) == (b->dev == from->dev);
}

static bool can_be_exchanged(const struct program *program, unsigned a, unsigned b) {
  for (unsigned t = 0; t < program->thread_count; t++)
    if (t != a && t != b && !same_distance(&program->threads[a], &program->threads[b], &program->threads[t]))
      return false;
  return thread_same_code(&program->threads[a], &program->threads[b]);
}

static bool is_of_thread(const void *thread, struct observable what) {
  return what.thread == (int)*(const unsigned *)thread;
}

/* By the states, or by the filter, whose registers need not be in them. */
static bool is_looked_at(const struct litmus_test *test, unsigned thread) {
  for (unsigned i = 0; i < test->observable_count; i++)
    if (test->observables[i].thread == (int)thread) return true;
  return prop_has(test->filter, is_of_thread, &thread);
}

/* The class that begins with thread `first`, of those not taken. */
static struct class class_of(struct arena *arena, const struct litmus_test *test, unsigned first, bool *taken) {
  const struct program *program = test->program;
  struct class c = {.threads = ARENA_ARRAY(arena, unsigned, program->thread_count)};
  for (unsigned t = first; t < program->thread_count; t++) {
    if (taken[t] || is_looked_at(test, t)) continue;
    bool alike = true;
    for (unsigned i = 0; i < c.count && alike; i++) alike = can_be_exchanged(program, c.threads[i], t);
    if (!alike) continue;
    taken[t] = true;
    c.threads[c.count++] = t;
  }
  return c;
}

/* ---- Turns ------------------------------------------------------------------------------ */

/* Each thread's code is that of the one before with other locations: `to` by `from`, 1 + location. */
struct turn {
  const struct program *program;
  unsigned *to, *from;
};

static bool same_kind(const struct location *a, const struct location *b) {
  return a->init == b->init && a->any == b->any && a->region == b->region && a->atomic == b->atomic &&
         a->width.bits == b->width.bits && a->width.is_signed == b->width.is_signed && !a->physical && !b->physical &&
         !a->generic && !b->generic;
}

static bool turn_cell(const struct turn *turn, unsigned a, unsigned b) {
  const struct location *locations = turn->program->locations;
  if (!turn->to[a] && !turn->from[b] && same_kind(&locations[a], &locations[b])) {
    turn->to[a] = b + 1;
    turn->from[b] = a + 1;
  }
  return turn->to[a] == b + 1 && turn->from[b] == a + 1;
}

static bool turn_cells(const struct turn *turn, const struct address *a, const struct address *b) {
  if (a->size != b->size) return false;
  for (unsigned i = 0; i < a->size; i++)
    if (!turn_cell(turn, a->base + i, b->base + i)) return false;
  return true;
}

static bool turn_thread(const struct turn *turn, const struct thread *a, const struct thread *b) {
  if (a->instr_count != b->instr_count || a->reg_count != b->reg_count) return false;
  for (unsigned i = 0; i < a->reg_count; i++)
    if (a->reg_init[i] != b->reg_init[i]) return false;
  for (unsigned i = 0; i < a->instr_count; i++) {
    struct instr moved = a->instrs[i];
    const struct instr *to = &b->instrs[i];
    if (!turn_cells(turn, &moved.address, &to->address) || !turn_cells(turn, &moved.expected_at, &to->expected_at))
      return false;
    moved.address.base = to->address.base;
    moved.expected_at.base = to->expected_at.base;
    if (moved.alias || !instr_same(&moved, to)) return false;
  }
  return true;
}

static bool is_fixed(const struct turn *turn, unsigned location) {
  return !turn->to[location] || turn->to[location] == location + 1;
}

static bool turns(const void *turn, struct observable what) {
  return what.thread >= 0 || !is_fixed(turn, what.index);
}

static bool shows_what_turns(const struct turn *turn, const struct litmus_test *test) {
  for (unsigned i = 0; i < test->observable_count; i++)
    if (turns(turn, test->observables[i])) return true;
  return prop_has(test->filter, turns, turn);
}

static bool places_turn(const struct program *program) {
  unsigned count = program->thread_count;
  for (unsigned a = 0; a < count; a++)
    for (unsigned b = 0; b < count; b++) {
      const struct thread *x = &program->threads[(a + 1) % count], *y = &program->threads[(b + 1) % count];
      const struct thread *p = &program->threads[a], *q = &program->threads[b];
      if ((p->sg == q->sg) != (x->sg == y->sg) || (p->wg == q->wg) != (x->wg == y->wg) ||
          (p->qf == q->qf) != (x->qf == y->qf) || (p->dev == q->dev) != (x->dev == y->dev))
        return false;
    }
  return true;
}

/* The first write to a location that all share, which every path comes to; the number of instructions: there is none.
 */
static unsigned turning_write(const struct turn *turn) {
  const struct thread *thread = &turn->program->threads[0];
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    bool writes = instr->kind == INSTR_STORE || instr->kind == INSTR_RMW;
    if (instr_jumps(instr) || instr->address.index || instr->expected_at.index) break;
    if (writes && is_fixed(turn, instr->address.base)) return i;
  }
  return thread->instr_count;
}

static void find_turns(struct arena *arena, const struct litmus_test *test, struct symmetry *symmetry) {
  const struct program *program = test->program;
  struct turn turn = {program, ARENA_ARRAY(arena, unsigned, program->location_count + 1),
                      ARENA_ARRAY(arena, unsigned, program->location_count + 1)};
  if (program->addresses || !places_turn(program)) return;
  for (unsigned t = 0; t < program->thread_count; t++)
    if (!turn_thread(&turn, &program->threads[t], &program->threads[(t + 1) % program->thread_count])) return;
  unsigned write = turning_write(&turn);
  if (write == program->threads[0].instr_count || shows_what_turns(&turn, test)) return;
  symmetry->turning = program->thread_count;
  symmetry->turn = write;
  symmetry->location = (int)program->threads[0].instrs[write].address.base;
}

/* ---- Both ------------------------------------------------------------------------------- */

const struct symmetry *symmetry_find(struct arena *arena, const struct litmus_test *test) {
  const struct program *program = test->program;
  if (program->partial_coherence || program->object_count || program->pair_count) return NULL;
  struct symmetry *symmetry = ARENA_NEW(arena, struct symmetry);
  symmetry->classes = ARENA_ARRAY(arena, struct class, program->thread_count);
  bool *taken = ARENA_ARRAY(arena, bool, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++) {
    if (taken[t]) continue;
    struct class c = class_of(arena, test, t, taken);
    if (c.count > 1) symmetry->classes[symmetry->count++] = c;
  }
  if (!symmetry->count && program->thread_count > 1) find_turns(arena, test, symmetry);
  return symmetry->count || symmetry->turning ? symmetry : NULL;
}

/* ---- Paths ---------------------------------------------------------------------------------- */

unsigned symmetry_classes(const struct symmetry *symmetry) {
  return symmetry->count;
}

const unsigned *symmetry_threads(const struct symmetry *symmetry, unsigned class, unsigned *count) {
  *count = symmetry->classes[class].count;
  return symmetry->classes[class].threads;
}

int symmetry_turning(const struct symmetry *symmetry) {
  return symmetry->turning ? symmetry->location : -1;
}

static bool is_silent(const struct structure *s, unsigned thread) {
  return s->ended[thread] && !structure_writes(s, thread);
}

static const struct event *first_event(const struct structure *s, unsigned thread) {
  return &s->paths[thread]->events[path_first_write(s->paths[thread])].event;
}

static int compare_numbers(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

static int compare_events(const struct event *a, const struct event *b) {
  int instr = compare_numbers((unsigned)a->instr, (unsigned)b->instr);
  int location = instr ? instr : compare_numbers((unsigned)a->location, (unsigned)b->location);
  return location ? location : compare_numbers(a->kind, b->kind);
}

static int compare_paths(const struct path *a, const struct path *b) {
  int order = compare_numbers(a->event_count, b->event_count);
  for (unsigned i = 0; !order && i < a->event_count; i++)
    order = compare_events(&a->events[i].event, &b->events[i].event);
  return order ? order : compare_numbers(a->identity, b->identity);
}

static bool may_precede(const struct structure *s, unsigned a, unsigned b) {
  if (structure_writes(s, b))
    return !is_silent(s, a) && (!structure_writes(s, a) || first_event(s, a)->location <= first_event(s, b)->location);
  return !is_silent(s, a) || !is_silent(s, b) || compare_paths(s->paths[a], s->paths[b]) <= 0;
}

bool symmetry_may_stand(const struct symmetry *symmetry, const struct structure *s) {
  ARRAY_EACH (const struct class, c, symmetry->classes, symmetry->count) {
    for (unsigned a = 0; a < c->count; a++)
      for (unsigned b = a + 1; b < c->count; b++)
        if (!may_precede(s, c->threads[a], c->threads[b])) return false;
  }
  return true;
}

/* ---- Orders ----------------------------------------------------------------------------------- */

static void order_class(const struct class *c, const struct frames *all, struct frame *root) {
  const struct structure *s = all->structure;
  for (unsigned i = 0; i < c->count; i++)
    for (unsigned k = i + 1; k < c->count; k++) {
      unsigned a = c->threads[i], b = c->threads[k];
      if (!structure_writes(s, a) || !structure_writes(s, b) ||
          first_event(s, a)->location != first_event(s, b)->location)
        continue;
      unsigned from = s->offset[a] + path_first_write(s->paths[a]), to = s->offset[b] + path_first_write(s->paths[b]);
      if (!rel_has(all->shape, root->p.lo[CHOICE_CO], from, to)) frame_order(all, root, from, to);
    }
}

/* A thread's write that says whose turn it is; the number of events: it has not come to it. */
static unsigned turn_of(const struct symmetry *symmetry, const struct structure *s, unsigned thread) {
  const struct path *path = s->paths[thread];
  for (unsigned i = 0; i < path->event_count; i++)
    if (path->events[i].event.kind == EVENT_WRITE && path->events[i].event.instr == (int)symmetry->turn)
      return s->offset[thread] + i;
  return s->execution.shape.n;
}

static void order_turns(const struct symmetry *symmetry, const struct frames *all, struct frame *root) {
  const struct structure *s = all->structure;
  unsigned first = turn_of(symmetry, s, 0);
  for (unsigned t = 1; t < symmetry->turning && first < s->execution.shape.n; t++) {
    unsigned later = turn_of(symmetry, s, t);
    if (later < s->execution.shape.n && !rel_has(all->shape, root->p.lo[CHOICE_CO], first, later))
      frame_order(all, root, first, later);
  }
}

void symmetry_order(const struct symmetry *symmetry, const struct frames *all, struct frame *root) {
  for (unsigned i = 0; i < symmetry->count; i++) order_class(&symmetry->classes[i], all, root);
  if (symmetry->turning) order_turns(symmetry, all, root);
}

/* ---- Sources ------------------------------------------------------------------------------------ */

enum order_of_two { BEFORE, SAME, AFTER, OPEN };

/* Two threads that do not write and have the same path, by what their reads see. */
static enum order_of_two compare_sources(const struct frames *all, const struct frame *f, unsigned a, unsigned b) {
  const struct structure *s = all->structure;
  for (unsigned i = 0; i < s->paths[a]->event_count; i++) {
    unsigned x = s->offset[a] + i, y = s->offset[b] + i;
    if (s->events[x].kind != EVENT_READ) continue;
    if (!frame_decided(all, f, x) || !frame_decided(all, f, y)) return OPEN;
    unsigned from = frame_source(all, f, x), to = frame_source(all, f, y);
    if (from != to) return from < to ? BEFORE : AFTER;
  }
  return SAME;
}

static bool is_tied(const struct structure *s, unsigned a, unsigned b) {
  return is_silent(s, a) && is_silent(s, b) && !compare_paths(s->paths[a], s->paths[b]);
}

bool symmetry_may_see(const struct symmetry *symmetry, const struct frames *all, const struct frame *f) {
  ARRAY_EACH (const struct class, c, symmetry->classes, symmetry->count) {
    for (unsigned k = 1; k < c->count; k++) {
      unsigned a = c->threads[k - 1], b = c->threads[k];
      if (is_tied(all->structure, a, b) && compare_sources(all, f, a, b) == AFTER) return false;
    }
  }
  return true;
}

bool symmetry_tied(const struct symmetry *symmetry, const struct structure *s) {
  for (unsigned i = 0; i < symmetry->count; i++)
    for (unsigned k = 1; k < symmetry->classes[i].count; k++)
      if (is_tied(s, symmetry->classes[i].threads[k - 1], symmetry->classes[i].threads[k])) return true;
  return false;
}

/* ---- Counting -------------------------------------------------------------------------------------- */

/* k! / (m1! m2! ...), as a product of binomials: how many of the threads so far are the same. */
static uint64_t ways_of(const struct class *c, const struct frames *all, const struct frame *f) {
  uint64_t ways = 1;
  unsigned same = 1;
  for (unsigned k = 1; k < c->count; k++) {
    unsigned a = c->threads[k - 1], b = c->threads[k];
    bool again = is_tied(all->structure, a, b) && compare_sources(all, f, a, b) == SAME;
    same = again ? same + 1 : 1;
    /* (k + 1)! / (... same!) is k! / (... (same - 1)!) times (k + 1) / same. */
    uint64_t product = spin_count_product(ways, k + 1);
    if (product >= POLLS_TOO_MANY) return POLLS_TOO_MANY;
    assert(product % same == 0); /* a product of binomials */
    ways = product / same;
  }
  return ways;
}

uint64_t symmetry_ways(const struct symmetry *symmetry, const struct frames *all, const struct frame *f) {
  uint64_t ways = symmetry->turning ? symmetry->turning : 1;
  for (unsigned i = 0; i < symmetry->count; i++)
    ways = spin_count_product(ways, ways_of(&symmetry->classes[i], all, f));
  return ways;
}
