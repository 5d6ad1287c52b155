/* SPDX-License-Identifier: MIT */
/* Schedulers; strongly connected components by Tarjan's algorithm (SIAM J. Comput. 1972),
 * without recursion; runs through a state graph. */
#include "hwsem/fair_progress_components.h"

#include <string.h>

/* ---- schedulers ---- */

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

/* All threads up to the highest of a set. */
static uint64_t up_to_highest(uint64_t threads) {
  for (unsigned by = 1; by < 64; by *= 2) threads |= threads >> by;
  return threads;
}

/* The threads, of those that have not ended, that a scheduler owes steps to. */
static uint64_t owed_by(enum scheduler scheduler, uint64_t running, uint64_t stepped) {
  switch (scheduler) {
    case SCHEDULER_HSA:
      return threads_lowest(running);
    case SCHEDULER_OBE:
      return running & stepped;
    case SCHEDULER_HSA_OBE:
      return threads_lowest(running) | (running & stepped);
    case SCHEDULER_LOBE:
      return running & up_to_highest(stepped);
    default:
      return running;
  }
}

uint64_t progress_units_with(const uint64_t *units, unsigned count, uint64_t threads) {
  uint64_t with = 0;
  for (unsigned u = 0; u < count; u++)
    if (units[u] & threads) with |= UINT64_C(1) << u;
  return with;
}

static uint64_t choose(unsigned scheduler, uint64_t running, uint64_t stepped) {
  return scheduler == SCHEDULER_UNFAIR ? 0 : owed_by((enum scheduler)scheduler, running, stepped);
}

struct owed progress_owed(const struct schedule *s, uint64_t running, uint64_t stepped) {
  if (!s->by_level) return (struct owed){.threads = owed_by(s->plain, running, stepped)};
  struct owed owed = {.groups = choose(s->groups, progress_units_with(s->group_threads, s->group_count, running),
                                       progress_units_with(s->group_threads, s->group_count, stepped))};
  uint64_t within = 0;
  for (unsigned u = 0; u < s->group_count; u++)
    if (owed.groups >> u & 1) within |= s->group_threads[u];
  owed.subs = progress_units_with(s->sub_threads, s->sub_count, within & running);
  for (unsigned u = 0; u < s->sub_count; u++)
    if (owed.subs >> u & 1) owed.threads |= choose(s->items, running & s->sub_threads[u], stepped & s->sub_threads[u]);
  return owed;
}

/* ---- strongly connected components ---- */

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

static void leave(struct arena *arena, struct tarjan *t, uint32_t node, struct components *components) {
  t->depth--;
  if (t->depth && t->low[node] < t->low[t->path[t->depth - 1]]) t->low[t->path[t->depth - 1]] = t->low[node];
  if (t->low[node] != t->index[node]) return;
  struct component component = {.nearest = node, .enabled = ~UINT64_C(0)};
  uint32_t member;
  do {
    member = t->stack[--t->stacked];
    t->on_stack[member] = false;
    components->of[member] = (uint32_t)components->list.count;
    if (member < component.nearest) component.nearest = member;
  } while (member != node);
  *vec_push(arena, &components->list) = component;
}

static bool is_out(const bool *out, uint32_t node) {
  return out && out[node];
}

static void walk(struct arena *arena, struct tarjan *t, uint32_t from, struct components *components) {
  enter(t, from);
  while (t->depth) {
    uint32_t node = t->path[t->depth - 1];
    if (t->next[node] == t->g->first[node + 1]) {
      leave(arena, t, node, components);
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

struct components *progress_components_without(struct arena *arena, const struct state_graph *g, const bool *out) {
  struct components *components = ARENA_NEW(arena, struct components);
  struct tarjan t = {.g = g,
                     .out = out,
                     .index = ARENA_ARRAY(arena, uint32_t, g->count),
                     .low = ARENA_ARRAY(arena, uint32_t, g->count),
                     .next = ARENA_ARRAY(arena, size_t, g->count),
                     .stack = ARENA_ARRAY(arena, uint32_t, g->count),
                     .path = ARENA_ARRAY(arena, uint32_t, g->count),
                     .on_stack = ARENA_ARRAY(arena, bool, g->count)};
  components->of = ARENA_ARRAY(arena, uint32_t, g->count);
  for (uint32_t node = 0; node < g->count; node++) {
    if (is_out(out, node)) components->of[node] = NO_COMPONENT;
    if (!is_out(out, node) && !t.index[node]) walk(arena, &t, node, components);
  }
  for (uint32_t node = 0; node < g->count; node++) {
    if (is_out(out, node)) continue;
    struct component *component = &components->list.at[components->of[node]];
    for (size_t e = g->first[node]; e < g->first[node + 1]; e++) {
      if (components->of[g->edges[e].to] != components->of[node]) continue;
      component->moved |= g->edges[e].movers;
      component->loops = true;
    }
    component->enabled &= g->enabled[node];
  }
  return components;
}

const struct components *progress_components(struct arena *arena, const struct state_graph *g) {
  return progress_components_without(arena, g, NULL);
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

bool progress_stands_still(const struct state_graph *g, uint32_t node) {
  return g->first[node] == g->first[node + 1] && g->running[node];
}
