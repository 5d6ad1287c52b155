/* SPDX-License-Identifier: MIT */
/* What a scheduler owes in a strongly connected component, and a fair way round it.
 * Within a component neither the threads that have ended nor those that have made a
 * step change, so a scheduler owes the same threads throughout; and if any way
 * round is fair, the one through all of it is. */
#include "hwsem/fair_progress_components.h"

enum { NONE = -1 };
#define MOST_LOOP_NODES (UINT64_C(1) << 24)

/* ---- what is owed ---- */

struct question {
  const struct state_graph *g;
  const struct components *components;
  const struct schedule *schedule;
  struct owed
      *enabled; /* by component: groups and sub-groups of which a thread could move at each node; NULL: not by level */
};

static void find_enabled(struct arena *arena, struct question *q) {
  const struct schedule *s = q->schedule;
  q->enabled = ARENA_ARRAY(arena, struct owed, q->components->list.count);
  for (size_t p = 0; p < q->components->list.count; p++) q->enabled[p] = (struct owed){0, ~UINT64_C(0), ~UINT64_C(0)};
  for (uint32_t node = 0; node < q->g->count; node++) {
    uint64_t enabled = q->g->enabled[node];
    struct owed *of = &q->enabled[q->components->of[node]];
    of->groups &= progress_units_with(s->group_threads, s->group_count, enabled);
    of->subs &= progress_units_with(s->sub_threads, s->sub_count, enabled);
  }
}

/* What a way round the component must move to be fair. */
static struct owed owed_in(const struct question *q, const struct component *component) {
  uint32_t node = component->nearest;
  struct owed owed = progress_owed(q->schedule, q->g->running[node], q->g->stepped[node]);
  owed.threads &= component->enabled;
  if (!q->enabled) return owed;
  const struct owed *enabled = &q->enabled[component - q->components->list.at];
  return (struct owed){owed.threads, owed.groups & enabled->groups, owed.subs & enabled->subs};
}

static bool is_fair(const struct question *q, const struct component *component) {
  if (!component->loops) return false;
  const struct schedule *s = q->schedule;
  struct owed owed = owed_in(q, component);
  return !(owed.threads & ~component->moved) &&
         !(owed.groups & ~progress_units_with(s->group_threads, s->group_count, component->moved)) &&
         !(owed.subs & ~progress_units_with(s->sub_threads, s->sub_count, component->moved));
}

/* Threads whose steps make a way round the component fair. */
static uint64_t must_move(const struct question *q, const struct component *component) {
  const struct schedule *s = q->schedule;
  struct owed owed = owed_in(q, component);
  uint64_t threads = owed.threads;
  for (unsigned u = 0; u < s->sub_count; u++)
    if ((owed.subs >> u & 1) && !(threads & s->sub_threads[u]))
      threads |= threads_lowest(component->moved & s->sub_threads[u]);
  for (unsigned u = 0; u < s->group_count; u++)
    if ((owed.groups >> u & 1) && !(threads & s->group_threads[u]))
      threads |= threads_lowest(component->moved & s->group_threads[u]);
  return threads;
}

/* ---- the way round ---- */

/* Breadth first over a component's nodes together with the owed threads that have
 * moved since the start. */
struct round {
  const struct state_graph *g;
  const struct components *components;
  uint32_t start;
  uint64_t owed;
  unsigned bits;   /* of `owed` */
  uint32_t *local; /* by node of the graph: its number in the component */
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
    if (threads & threads_lowest(left)) result |= UINT64_C(1) << bit;
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
    if (r->components->of[edge->to] != r->components->of[node]) continue;
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

static void set_loop(struct arena *arena, const struct state_graph *g, const struct components *components,
                     uint32_t start, uint64_t owes, struct progress *p) {
  struct round r = {
      .g = g, .components = components, .start = start, .owed = owes, .bits = (unsigned)__builtin_popcountll(owes)};
  uint32_t count = 0;
  r.local = ARENA_ARRAY(arena, uint32_t, g->count);
  r.nodes = ARENA_ARRAY(arena, uint32_t, g->count);
  for (uint32_t node = 0; node < g->count; node++) {
    if (components->of[node] != components->of[start]) continue;
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

struct progress progress_ask(struct arena *arena, const struct state_graph *graph, const struct components *components,
                             const struct schedule *schedule) {
  if (schedule->strong) return progress_ask_strongly(arena, graph, schedule);
  struct progress p = {.ends = true};
  struct question q = {.g = graph, .components = components, .schedule = schedule};
  if (schedule->by_level) find_enabled(arena, &q);
  for (uint32_t node = 0; node < graph->count && p.ends; node++) {
    const struct component *component = &components->list.at[components->of[node]];
    bool still = progress_stands_still(graph, node), fair = is_fair(&q, component);
    if (!still && !fair) continue;
    p.ends = false;
    progress_set_run(arena, graph, node, &p);
    if (fair) set_loop(arena, graph, components, node, must_move(&q, component), &p);
  }
  return p;
}
