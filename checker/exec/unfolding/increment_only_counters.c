/* SPDX-License-Identifier: MIT */
/* Writes to a counter are a chain from the initial one, since each read-modify-write reads from a write of its own and
 * a cycle would have to come back to a value that is greater: so the values along it are all different, and at least
 * the least increment apart.  Additions do not wrap: a thread has a bounded number of events.
 */
#include "checker/exec/unfolding/increment_only_counters.h"

#include <assert.h>

#include "checker/base/vec.h"

enum { MOST_ADDERS = 32, MOST_READS = 64 };

/* An instruction that adds to a counter. */
struct adder {
  unsigned thread, instr;
};

/* Does each of them read from a write of its own? */
enum atomicity { ATOMICITY_UNASKED, ATOMICITY_YES, ATOMICITY_NO };

struct counter {
  unsigned location;
  struct range range;
  int64_t step; /* the least that is added */
  struct adder adders[MOST_ADDERS];
  unsigned adder_count;
  enum atomicity atomicity;
};

struct counters {
  const struct program *program;
  struct rmw_exclusion *exclusion;
  VEC(struct counter) list;
};

/* ---- Which locations they are ---------------------------------------------------------- */

static bool adds(const struct instr *instr) {
  return instr->kind == INSTR_RMW && instr->op == RMW_ADD && !instr->address.index && instr->value &&
         instr->value->kind == EXPR_CONST && instr->value->value > 0;
}

/* The greatest value that fits, of those that both with and without a sign can be. */
static int64_t most_of(const struct instr *instr) {
  unsigned bits = instr->width.bits;
  return bits > 1 && bits < 32 ? ((int64_t)1 << (bits - 1)) - 1 : INT32_MAX;
}

static bool find_adders(const struct program *program, struct counter *c, int64_t *most, int64_t *greatest) {
  *most = INT32_MAX;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *instr = &program->threads[t].instrs[i];
      if (!instr_writes(program, instr, c->location)) continue;
      if (!adds(instr) || c->adder_count == MOST_ADDERS) return false;
      int64_t added = instr->value->value;
      if (!c->adder_count || added < c->step) c->step = added;
      if (added > *greatest) *greatest = added;
      if (most_of(instr) < *most) *most = most_of(instr);
      c->adders[c->adder_count++] = (struct adder){t, i};
    }
  return c->adder_count > 0;
}

struct counters *counters_new(struct arena *arena, const struct program *program, unsigned events,
                              struct rmw_exclusion *exclusion) {
  struct counters *counters = ARENA_MAKE(arena, struct counters, .program = program, .exclusion = exclusion);
  for (unsigned x = 0; x < program->location_count && !program->object_count; x++) {
    const struct location *location = &program->locations[x];
    struct counter c = {.location = x};
    int64_t most, greatest = 0, init = location->init;
    if (location->any || location->physical || init < 0 || !find_adders(program, &c, &most, &greatest)) continue;
    int64_t additions = (int64_t)events * program->thread_count;
    assert(additions > 0);
    if (init > most || greatest > (most - init) / additions) continue;
    c.range = (struct range){init, init + greatest * additions};
    *vec_push(arena, &counters->list) = c;
  }
  return counters->list.count ? counters : NULL;
}

/* ---- Does each addition read from a write of its own? ----------------------------------------- */

/* Each adder three times, one round after the other: any three additions of an execution are in the order of three
 * of these. */
enum { ROUNDS = 3 };

/* Its read; the write is the next event. */
struct addition {
  unsigned thread, round, read;
};

struct additions {
  struct addition at[ROUNDS * MOST_ADDERS];
  unsigned count;
};

static void add_half(const struct program *program, const struct counter *c, const struct adder *adder,
                     enum event_kind kind, struct path *path, const struct expr *value) {
  struct path_event *e = &path->events[path->event_count];
  *e = (struct path_event){.event = path_access(program, adder->thread, adder->instr, c->location, kind),
                           .value = value};
  e->event.po_index = path->event_count++;
  e->event.rmw = true;
}

static void add_addition(struct arena *arena, const struct program *program, const struct counter *c,
                         const struct adder *adder, struct path *path) {
  const struct expr *seen = expr_register(arena, path->event_count);
  add_half(program, c, adder, EVENT_READ, path, seen);
  add_half(program, c, adder, EVENT_WRITE, path, seen);
}

/* Threads that do nothing but these additions. */
static struct structure *add_all(struct arena *arena, const struct program *program, const struct counter *c,
                                 struct additions *all) {
  const struct path **paths = ARENA_ARRAY(arena, const struct path *, program->thread_count);
  all->count = 0;
  for (unsigned t = 0; t < program->thread_count; t++) {
    struct path *path = ARENA_NEW(arena, struct path);
    path->events = ARENA_ARRAY(arena, struct path_event, 2 * ROUNDS * c->adder_count);
    for (unsigned i = 0; i < ROUNDS * c->adder_count; i++) {
      const struct adder *adder = &c->adders[i % c->adder_count];
      if (adder->thread != t) continue;
      all->at[all->count++] = (struct addition){t, i / c->adder_count, path->event_count};
      add_addition(arena, program, c, adder, path);
    }
    paths[t] = path;
  }
  struct structure *s = structure_build(arena, program, paths, ARENA_ARRAY(arena, bool, program->thread_count));
  for (unsigned i = 0; i < all->count; i++) all->at[i].read += s->offset[all->at[i].thread];
  return s;
}

/* Does no other triple ask the same?  Rounds count only between additions of one thread. */
static bool is_first(const struct addition *const three[3]) {
  for (unsigned i = 0; i < 3; i++) {
    bool follows = !three[i]->round;
    for (unsigned k = 0; k < 3; k++)
      follows |= three[k]->thread == three[i]->thread && three[k]->round + 1 == three[i]->round;
    if (!follows) return false;
  }
  return true;
}

static unsigned initial_write(const struct structure *s, unsigned location) {
  unsigned e = 0;
  while (s->events[e].location != (int)location) e++;
  return e;
}

/* Do two additions never read from one write, whichever it is? */
static bool exclude(const struct counters *counters, const struct structure *s, const struct additions *all,
                    const struct addition *a, const struct addition *b, unsigned initial) {
  if (is_first((const struct addition *[]){a, b, a}) &&
      !rmw_exclusion_holds(counters->exclusion, s, a->read, b->read, initial))
    return false;
  for (const struct addition *from = all->at; from < all->at + all->count; from++)
    if (from != a && from != b && is_first((const struct addition *[]){a, b, from}) &&
        !rmw_exclusion_holds(counters->exclusion, s, a->read, b->read, from->read + 1))
      return false;
  return true;
}

static bool all_exclude(const struct counters *counters, const struct counter *c) {
  struct arena *arena = arena_new();
  struct additions all;
  const struct structure *s = add_all(arena, counters->program, c, &all);
  unsigned initial = initial_write(s, c->location);
  bool exclusive = true;
  for (unsigned i = 0; i < all.count; i++)
    for (unsigned j = i + 1; j < all.count && exclusive; j++)
      exclusive = exclude(counters, s, &all, &all.at[i], &all.at[j], initial);
  arena_free(arena);
  return exclusive;
}

static bool is_atomic(const struct counters *counters, struct counter *c) {
  if (c->atomicity == ATOMICITY_UNASKED) c->atomicity = all_exclude(counters, c) ? ATOMICITY_YES : ATOMICITY_NO;
  return c->atomicity == ATOMICITY_YES;
}

/* ---- Of a structure -------------------------------------------------------------------------- */

static const struct counter *counter_at(const struct counters *counters, int location) {
  for (size_t i = 0; i < counters->list.count; i++)
    if ((int)counters->list.at[i].location == location) return &counters->list.at[i];
  return NULL;
}

static bool reads_itself(const struct structure *s, unsigned event) {
  const struct expr *e = s->value[event];
  return e && s->events[event].kind == EVENT_READ && e->kind == EXPR_REG && e->reg == s->events[event].po_index;
}

/* A counter's reads in a structure.  false: there are too many. */
static bool find_reads(const struct counter *c, const struct structure *s, unsigned *reads, unsigned *count) {
  *count = 0;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) {
    if (s->events[e].location != (int)c->location || !s->events[e].rmw || !reads_itself(s, e)) continue;
    if (*count == MOST_READS) return false;
    reads[(*count)++] = e;
  }
  return true;
}

/* Are there more read-modify-writes than values that they can have, from one's least to one's greatest? */
static bool is_crowded(const struct counters *counters, struct counter *c, const struct structure *s,
                       const struct range *ranges) {
  unsigned reads[MOST_READS], count;
  if (!find_reads(c, s, reads, &count)) return false;
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; j < count; j++) {
      int64_t low = ranges[reads[i]].low, high = ranges[reads[j]].high;
      uint64_t within = 0;
      for (unsigned k = 0; k < count; k++) within += ranges[reads[k]].low >= low && ranges[reads[k]].high <= high;
      bool crowded = low <= high && within > 1 && within - 1 > (uint64_t)(high - low) / (uint64_t)c->step;
      if (crowded) return is_atomic(counters, c);
    }
  return false;
}

const struct range *counters_find(struct counters *counters, struct arena *arena, const struct structure *s,
                                  bool *impossible) {
  unsigned n = s->execution.shape.n;
  bool some = false;
  *impossible = false;
  struct range *ranges = ARENA_ARRAY(arena, struct range, n + 1);
  for (unsigned e = 0; e < n; e++) {
    const struct counter *c = reads_itself(s, e) ? counter_at(counters, s->events[e].location) : NULL;
    ranges[e] = c ? c->range : range_any;
    some |= c != NULL;
  }
  if (!some) return NULL;
  for (unsigned t = 0; t < counters->program->thread_count; t++)
    for (unsigned i = 0; i < s->paths[t]->condition_count; i++)
      *impossible |=
          !range_require(s->paths[t]->conditions[i].value, s->paths[t]->conditions[i].nonzero, ranges + s->offset[t]);
  for (unsigned e = 0; e < n && !*impossible; e++) *impossible = ranges[e].low > ranges[e].high;
  for (size_t i = 0; i < counters->list.count && !*impossible; i++)
    *impossible = is_crowded(counters, &counters->list.at[i], s, ranges);
  return ranges;
}
