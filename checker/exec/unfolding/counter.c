/* SPDX-License-Identifier: MIT */
/* Writes to a counter are a chain from the initial one, since each read-modify-write reads from a write of its own and
 * a cycle would have to come back to a value that is greater: so the values along it are all different, and at least
 * the least increment apart.  Additions do not wrap: a thread has a bounded number of events.
 */
#include "checker/exec/unfolding/counter.h"

#include <assert.h>

#include "checker/base/vec.h"

enum { MOST_ADDERS = 32, MOST_ON_STACK = 64 };

/* An instruction that adds to a counter. */
struct adder {
  unsigned thread, instr;
};

/* Do two of them never read from one write, a third's or the initial one? */
enum exclusion { EXCLUSION_UNASKED, EXCLUSION_YES, EXCLUSION_NO };

struct counter {
  unsigned location;
  struct range range;
  int64_t step; /* the least that is added */
  struct adder adders[MOST_ADDERS];
  unsigned adder_count;
  enum exclusion *exclusions; /* by two adders and the one that they read from; the last: the initial write */
};

struct counters {
  const struct program *program;
  struct rmw_exclusion *rivals;
  struct future_writes *future;
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
                              struct rmw_exclusion *rivals, struct future_writes *future) {
  struct counters *counters = ARENA_NEW(arena, struct counters);
  *counters = (struct counters){.program = program, .rivals = rivals, .future = future};
  for (unsigned x = 0; x < program->location_count && !program->object_count; x++) {
    const struct location *location = &program->locations[x];
    struct counter c = {.location = x};
    int64_t most, greatest = 0, init = location->init;
    if (location->any || location->physical || init < 0 || !find_adders(program, &c, &most, &greatest)) continue;
    int64_t additions = (int64_t)events * program->thread_count;
    assert(additions > 0);
    if (init > most || greatest > (most - init) / additions) continue;
    c.range = (struct range){init, init + greatest * additions};
    size_t one = c.adder_count + 1;
    c.exclusions = ARENA_ARRAY(arena, enum exclusion, one * one * one);
    *vec_push(arena, &counters->list) = c;
  }
  return counters->list.count ? counters : NULL;
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

/* A counter's read-modify-writes in a structure. */
struct additions {
  unsigned reads[MOST_ON_STACK], adders[MOST_ON_STACK];
  unsigned count;
};

static unsigned adder_of(const struct counter *c, const struct event *e) {
  unsigned i = 0;
  while (i < c->adder_count && (c->adders[i].thread != (unsigned)e->thread || (int)c->adders[i].instr != e->instr)) i++;
  return i;
}

/* false: there are too many. */
static bool find_additions(const struct counter *c, const struct structure *s, struct additions *found) {
  found->count = 0;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) {
    if (s->events[e].location != (int)c->location || !s->events[e].rmw || !reads_itself(s, e)) continue;
    unsigned adder = adder_of(c, &s->events[e]);
    if (found->count == MOST_ON_STACK || adder == c->adder_count) return false;
    found->adders[found->count] = adder;
    found->reads[found->count++] = e;
  }
  return true;
}

static unsigned initial_write(const struct structure *s, unsigned location) {
  unsigned e = 0;
  while (e < s->init_count && s->events[e].location != (int)location) e++;
  return e < s->init_count ? e : s->execution.shape.n;
}

/* A write of the adder that both reads may see, as far as the order of their threads says; the number of events: none.
 */
static unsigned write_seen(const struct structure *s, const struct additions *all, unsigned adder, unsigned a,
                           unsigned b) {
  for (unsigned i = 0; i < all->count; i++) {
    int thread = s->events[all->reads[i]].thread;
    bool behind =
        (thread == s->events[all->reads[a]].thread && i >= a) || (thread == s->events[all->reads[b]].thread && i >= b);
    if (all->adders[i] == adder && !behind) return all->reads[i] + 1;
  }
  return s->execution.shape.n;
}

/* Do two of the additions never read from one write, whichever it is?  Those that come after one of them in its
 * thread are out of its sight; of other threads', one stands for all. */
static bool excludes(const struct counters *counters, const struct counter *c, const struct structure *s,
                     const struct additions *all, unsigned a, unsigned b) {
  size_t one = c->adder_count + 1;
  unsigned none = s->execution.shape.n, read_a = all->reads[a], read_b = all->reads[b];
  if (!future_writes_out_of_sight(counters->future, s, read_a)) return false;
  if (!future_writes_out_of_sight(counters->future, s, read_b)) return false;
  for (unsigned from = 0; from <= c->adder_count; from++) {
    enum exclusion *known = &c->exclusions[(all->adders[a] * one + all->adders[b]) * one + from];
    if (*known == EXCLUSION_UNASKED) {
      bool initial = from == c->adder_count;
      unsigned write = initial ? initial_write(s, c->location) : write_seen(s, all, from, a, b);
      bool own = !initial && ((int)c->adders[from].thread == s->events[read_a].thread ||
                              (int)c->adders[from].thread == s->events[read_b].thread);
      if (write == none && own) continue;
      if (write == none) return false; /* nothing to ask about yet */
      *known = rmw_exclusion_holds(counters->rivals, s, read_a, read_b, write) ? EXCLUSION_YES : EXCLUSION_NO;
    }
    if (*known == EXCLUSION_NO) return false;
  }
  return true;
}

/* Are there more read-modify-writes, each with a value of its own, than values from `low` to `high`? */
static bool crowded(const struct counters *counters, const struct counter *c, const struct structure *s,
                    const struct additions *all, const struct range *ranges, struct range within) {
  unsigned chosen[MOST_ON_STACK], count = 0;
  for (unsigned i = 0; i < all->count; i++)
    if (ranges[all->reads[i]].low >= within.low && ranges[all->reads[i]].high <= within.high) chosen[count++] = i;
  if (count < 2 || count - 1 <= (uint64_t)(within.high - within.low) / (uint64_t)c->step) return false;
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = i + 1; j < count; j++)
      if (!excludes(counters, c, s, all, chosen[i], chosen[j])) return false;
  return true;
}

static bool is_crowded(const struct counters *counters, const struct counter *c, const struct structure *s,
                       const struct range *ranges) {
  struct additions all;
  if (!find_additions(c, s, &all)) return false;
  for (unsigned i = 0; i < all.count; i++)
    for (unsigned j = 0; j < all.count; j++) {
      struct range within = {ranges[all.reads[i]].low, ranges[all.reads[j]].high};
      if (within.low <= within.high && crowded(counters, c, s, &all, ranges, within)) return true;
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
      range_require(s->paths[t]->conditions[i].value, s->paths[t]->conditions[i].nonzero, ranges + s->offset[t]);
  for (unsigned e = 0; e < n && !*impossible; e++) *impossible = ranges[e].low > ranges[e].high;
  for (size_t i = 0; i < counters->list.count && !*impossible; i++)
    *impossible = is_crowded(counters, &counters->list.at[i], s, ranges);
  return ranges;
}
