/* SPDX-License-Identifier: MIT */
/* Strongly connected parts by Tarjan's algorithm (SIAM J. Comput. 1972), without
 * recursion.  Within a part neither the threads that have ended nor those that
 * have made a step change, so a scheduler owes the same threads throughout; and if
 * any way round is fair, the one through all of it is. */
#include <string.h>

#include "hwsem/fair_progress_parts.h"

enum { NONE = -1 };
#define MOST_LOOP_NODES (UINT64_C(1) << 24)

const char *scheduler_name(enum scheduler scheduler) {
  static const char *const NAMES[] = {
#define SCHEDULER_NAME(id, name, owed) name,
      SCHEDULER_LIST(SCHEDULER_NAME)
#undef SCHEDULER_NAME
  };
  return NAMES[scheduler];
}

enum scheduler scheduler_find(const char *name) {
  enum scheduler s = 0;
  while (s < SCHEDULERS && strcmp(scheduler_name(s), name) != 0) s++;
  return s;
}

static uint64_t lowest(uint64_t threads) {
  return threads & (~threads + 1);
}

/* All threads up to the highest of a set. */
static uint64_t up_to_highest(uint64_t threads) {
  for (unsigned by = 1; by < 64; by *= 2) threads |= threads >> by;
  return threads;
}

uint64_t scheduler_owes(enum scheduler scheduler, uint64_t running, uint64_t stepped) {
  switch (scheduler) {
    case SCHEDULER_HSA:
      return lowest(running);
    case SCHEDULER_OBE:
      return running & stepped;
    case SCHEDULER_HSA_OBE:
      return lowest(running) | (running & stepped);
    case SCHEDULER_LOBE:
      return running & up_to_highest(stepped);
    default:
      return running;
  }
}

/* ---- strongly connected parts ---- */

struct tarjan {
  const struct state_graph *g;
  const bool *out;       /* by node: it is left out; NULL: none is */
  uint32_t *index, *low; /* by node; index 0: not visited */
  size_t *next;          /* by node: the edge to look at next */
  uint32_t *stack, *path;
  uint32_t stacked, depth, visited;
  bool *on_stack;
};

static void enter(struct tarjan *t, uint32_t node) {
  t->index[node] = t->low[node] = ++t->visited;
  t->next[node] = t->g->first[node];
  t->stack[t->stacked++] = node;
  t->path[t->depth++] = node;
  t->on_stack[node] = true;
}

static void leave(struct arena *arena, struct tarjan *t, uint32_t node, struct parts *parts) {
  t->depth--;
  if (t->depth && t->low[node] < t->low[t->path[t->depth - 1]]) t->low[t->path[t->depth - 1]] = t->low[node];
  if (t->low[node] != t->index[node]) return;
  struct part part = {.nearest = node, .enabled = ~UINT64_C(0)};
  uint32_t member;
  do {
    member = t->stack[--t->stacked];
    t->on_stack[member] = false;
    parts->of[member] = (uint32_t)parts->list.count;
    if (member < part.nearest) part.nearest = member;
  } while (member != node);
  *vec_push(arena, &parts->list) = part;
}

static bool is_out(const bool *out, uint32_t node) {
  return out && out[node];
}

static void walk(struct arena *arena, struct tarjan *t, uint32_t from, struct parts *parts) {
  enter(t, from);
  while (t->depth) {
    uint32_t node = t->path[t->depth - 1];
    if (t->next[node] == t->g->first[node + 1]) {
      leave(arena, t, node, parts);
      continue;
    }
    uint32_t to = t->g->edges[t->next[node]++].to;
    if (is_out(t->out, to)) continue;
    if (!t->index[to])
      enter(t, to);
    else if (t->on_stack[to] && t->index[to] < t->low[node])
      t->low[node] = t->index[to];
  }
}

struct parts *progress_parts_without(struct arena *arena, const struct state_graph *g, const bool *out) {
  struct parts *parts = ARENA_NEW(arena, struct parts);
  struct tarjan t = {.g = g,
                     .out = out,
                     .index = ARENA_ARRAY(arena, uint32_t, g->count),
                     .low = ARENA_ARRAY(arena, uint32_t, g->count),
                     .next = ARENA_ARRAY(arena, size_t, g->count),
                     .stack = ARENA_ARRAY(arena, uint32_t, g->count),
                     .path = ARENA_ARRAY(arena, uint32_t, g->count),
                     .on_stack = ARENA_ARRAY(arena, bool, g->count)};
  parts->of = ARENA_ARRAY(arena, uint32_t, g->count);
  for (uint32_t node = 0; node < g->count; node++) {
    if (is_out(out, node)) parts->of[node] = NO_PART;
    if (!is_out(out, node) && !t.index[node]) walk(arena, &t, node, parts);
  }
  for (uint32_t node = 0; node < g->count; node++) {
    if (is_out(out, node)) continue;
    struct part *part = &parts->list.at[parts->of[node]];
    uint64_t enabled = 0;
    for (size_t e = g->first[node]; e < g->first[node + 1]; e++) {
      enabled |= g->edges[e].movers;
      if (parts->of[g->edges[e].to] != parts->of[node]) continue;
      part->moved |= g->edges[e].movers;
      part->loops = true;
    }
    part->enabled &= enabled;
  }
  return parts;
}

const struct parts *progress_parts(struct arena *arena, const struct state_graph *g) {
  return progress_parts_without(arena, g, NULL);
}

/* ---- what is owed ---- */

/* Sets of threads, of groups, of sub-groups. */
struct owed {
  uint64_t threads, groups, subs;
};

struct question {
  const struct state_graph *g;
  const struct parts *parts;
  const struct schedule *schedule;
  struct owed
      *enabled; /* by part: groups and sub-groups of which a thread could move at each node; NULL: not by level */
};

static uint64_t units_with(const uint64_t *units, unsigned count, uint64_t threads) {
  uint64_t with = 0;
  for (unsigned u = 0; u < count; u++)
    if (units[u] & threads) with |= UINT64_C(1) << u;
  return with;
}

static void find_enabled(struct arena *arena, struct question *q) {
  const struct schedule *s = q->schedule;
  q->enabled = ARENA_ARRAY(arena, struct owed, q->parts->list.count);
  for (size_t p = 0; p < q->parts->list.count; p++) q->enabled[p] = (struct owed){0, ~UINT64_C(0), ~UINT64_C(0)};
  for (uint32_t node = 0; node < q->g->count; node++) {
    uint64_t enabled = 0;
    for (size_t e = q->g->first[node]; e < q->g->first[node + 1]; e++) enabled |= q->g->edges[e].movers;
    struct owed *of = &q->enabled[q->parts->of[node]];
    of->groups &= units_with(s->group_threads, s->group_count, enabled);
    of->subs &= units_with(s->sub_threads, s->sub_count, enabled);
  }
}

static uint64_t choose(unsigned scheduler, uint64_t running, uint64_t stepped) {
  return scheduler == SCHEDULER_UNFAIR ? 0 : scheduler_owes((enum scheduler)scheduler, running, stepped);
}

/* What a way round the part must move to be fair. */
static struct owed owed_in(const struct question *q, const struct part *part) {
  const struct schedule *s = q->schedule;
  uint64_t running = q->g->running[part->nearest], stepped = q->g->stepped[part->nearest];
  if (!s->by_level) return (struct owed){.threads = part->enabled & scheduler_owes(s->plain, running, stepped)};
  struct owed owed = {.groups = choose(s->groups, units_with(s->group_threads, s->group_count, running),
                                       units_with(s->group_threads, s->group_count, stepped))};
  uint64_t within = 0;
  for (unsigned u = 0; u < s->group_count; u++)
    if (owed.groups >> u & 1) within |= s->group_threads[u];
  owed.subs = units_with(s->sub_threads, s->sub_count, within & running);
  for (unsigned u = 0; u < s->sub_count; u++)
    if (owed.subs >> u & 1) owed.threads |= choose(s->items, running & s->sub_threads[u], stepped & s->sub_threads[u]);
  const struct owed *enabled = &q->enabled[part - q->parts->list.at];
  return (struct owed){owed.threads & part->enabled, owed.groups & enabled->groups, owed.subs & enabled->subs};
}

static bool is_fair(const struct question *q, const struct part *part) {
  if (!part->loops) return false;
  const struct schedule *s = q->schedule;
  struct owed owed = owed_in(q, part);
  return !(owed.threads & ~part->moved) &&
         !(owed.groups & ~units_with(s->group_threads, s->group_count, part->moved)) &&
         !(owed.subs & ~units_with(s->sub_threads, s->sub_count, part->moved));
}

/* Threads whose steps make a way round the part fair. */
static uint64_t must_move(const struct question *q, const struct part *part) {
  const struct schedule *s = q->schedule;
  struct owed owed = owed_in(q, part);
  uint64_t threads = owed.threads;
  for (unsigned u = 0; u < s->sub_count; u++)
    if ((owed.subs >> u & 1) && !(threads & s->sub_threads[u])) threads |= lowest(part->moved & s->sub_threads[u]);
  for (unsigned u = 0; u < s->group_count; u++)
    if ((owed.groups >> u & 1) && !(threads & s->group_threads[u]))
      threads |= lowest(part->moved & s->group_threads[u]);
  return threads;
}

bool progress_stands_still(const struct state_graph *g, uint32_t node) {
  return g->first[node] == g->first[node + 1] && g->running[node];
}

/* ---- the run ---- */

const struct explore_step *progress_steps_along(struct arena *arena, const struct state_graph *g, const size_t *edges,
                                                const uint32_t *from, size_t length) {
  struct explore_step *steps = ARENA_ARRAY(arena, struct explore_step, length);
  for (size_t i = 0; i < length; i++) {
    const struct state_edge *edge = &g->edges[edges[i]];
    steps[i] = (struct explore_step){.step = edge->step, .before = g->states[from[i]], .after = g->states[edge->to]};
  }
  return steps;
}

static size_t edge_between(const struct state_graph *g, uint32_t from, uint32_t to) {
  size_t e = g->first[from];
  while (g->edges[e].to != to) e++;
  return e;
}

void progress_set_run(struct arena *arena, const struct state_graph *g, uint32_t node, struct progress *p) {
  for (uint32_t at = node; at; at = g->parent[at]) p->run_length++;
  size_t *edges = ARENA_ARRAY(arena, size_t, p->run_length), i = p->run_length;
  uint32_t *from = ARENA_ARRAY(arena, uint32_t, p->run_length);
  for (uint32_t at = node; at; at = g->parent[at]) {
    from[--i] = g->parent[at];
    edges[i] = edge_between(g, g->parent[at], at);
  }
  p->run = progress_steps_along(arena, g, edges, from, p->run_length);
}

/* Breadth first over a part's nodes together with the owed threads that have
 * moved since the start. */
struct round {
  const struct state_graph *g;
  const struct parts *parts;
  uint32_t start;
  uint64_t owed;
  unsigned bits;   /* of `owed` */
  uint32_t *local; /* by node of the graph: its number in the part */
  uint32_t *nodes; /* and back */
  int64_t *before; /* by place: the edge by which it was reached; NONE */
  uint64_t *came;  /* by place: from which place */
  uint64_t *queue;
  size_t queued;
};

/* The owed threads of a set, packed. */
static uint64_t packed(const struct round *r, uint64_t threads) {
  uint64_t result = 0;
  unsigned bit = 0;
  for (uint64_t left = r->owed; left; left &= left - 1, bit++)
    if (threads & lowest(left)) result |= UINT64_C(1) << bit;
  return result;
}

static uint64_t place_of(const struct round *r, uint32_t node, uint64_t moved) {
  return (uint64_t)r->local[node] << r->bits | moved;
}

/* Reaches what is next to a place; true when that closes the loop: *last is then
 * the edge that does. */
static bool reach_from(struct round *r, uint64_t place, size_t *last) {
  uint64_t all = (UINT64_C(1) << r->bits) - 1;
  uint32_t node = r->nodes[place >> r->bits];
  for (size_t e = r->g->first[node]; e < r->g->first[node + 1]; e++) {
    const struct state_edge *edge = &r->g->edges[e];
    if (r->parts->of[edge->to] != r->parts->of[node]) continue;
    uint64_t moved = (place & all) | packed(r, edge->movers);
    *last = e;
    if (edge->to == r->start && moved == all) return true;
    uint64_t to = place_of(r, edge->to, moved);
    if (r->before[to] != NONE || to == place_of(r, r->start, 0)) continue;
    r->before[to] = (int64_t)e;
    r->came[to] = place;
    r->queue[r->queued++] = to;
  }
  return false;
}

static void set_steps(struct arena *arena, struct round *r, uint64_t place, size_t last, struct progress *p) {
  uint64_t start = place_of(r, r->start, 0);
  p->loop_length = 1;
  for (uint64_t at = place; at != start; at = r->came[at]) p->loop_length++;
  size_t *edges = ARENA_ARRAY(arena, size_t, p->loop_length), i = p->loop_length;
  uint32_t *from = ARENA_ARRAY(arena, uint32_t, p->loop_length);
  edges[--i] = last;
  from[i] = r->nodes[place >> r->bits];
  for (uint64_t at = place; at != start; at = r->came[at]) {
    edges[--i] = (size_t)r->before[at];
    from[i] = r->nodes[r->came[at] >> r->bits];
  }
  p->loop = progress_steps_along(arena, r->g, edges, from, p->loop_length);
}

static void set_loop(struct arena *arena, const struct state_graph *g, const struct parts *parts, uint32_t start,
                     uint64_t owes, struct progress *p) {
  struct round r = {.g = g, .parts = parts, .start = start, .owed = owes};
  for (uint64_t left = owes; left; left &= left - 1) r.bits++;
  uint32_t count = 0;
  r.local = ARENA_ARRAY(arena, uint32_t, g->count);
  r.nodes = ARENA_ARRAY(arena, uint32_t, g->count);
  for (uint32_t node = 0; node < g->count; node++) {
    if (parts->of[node] != parts->of[start]) continue;
    r.nodes[count] = node;
    r.local[node] = count++;
  }
  p->loop_unknown = r.bits > 24 || (uint64_t)count << r.bits > MOST_LOOP_NODES;
  if (p->loop_unknown) return;
  size_t places = (size_t)count << r.bits, last = 0;
  r.before = ARENA_ARRAY(arena, int64_t, places);
  for (size_t i = 0; i < places; i++) r.before[i] = NONE;
  r.came = ARENA_ARRAY(arena, uint64_t, places);
  r.queue = ARENA_ARRAY(arena, uint64_t, places);
  r.queue[r.queued++] = place_of(&r, start, 0);
  size_t done = 0;
  while (!reach_from(&r, r.queue[done], &last)) done++;
  set_steps(arena, &r, r.queue[done], last, p);
}

struct progress progress_ask(struct arena *arena, const struct state_graph *graph, const struct parts *parts,
                             const struct schedule *schedule) {
  if (schedule->strong) return progress_ask_strongly(arena, graph, schedule);
  struct progress p = {.ends = true};
  struct question q = {.g = graph, .parts = parts, .schedule = schedule};
  if (schedule->by_level) find_enabled(arena, &q);
  for (uint32_t node = 0; node < graph->count && p.ends; node++) {
    const struct part *part = &parts->list.at[parts->of[node]];
    bool still = progress_stands_still(graph, node), fair = is_fair(&q, part);
    if (!still && !fair) continue;
    p.ends = false;
    progress_set_run(arena, graph, node, &p);
    if (fair) set_loop(arena, graph, parts, node, must_move(&q, part), &p);
  }
  return p;
}
