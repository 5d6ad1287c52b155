/* SPDX-License-Identifier: MIT */
/* Strong fairness: a step that is owed and could be made again and again from one
 * state is made from there again and again (Queille and Sifakis, Acta Inf. 1983).
 * A run that goes round for ever visits some states for ever, and all owed steps
 * from those lead to others of them.  So states with a step that leads out of a
 * strongly connected component are taken out of it, what is left falls into smaller
 * components, and so on until a component keeps all of its states.
 *
 * By level, a work-group or sub-group that is owed steps is owed one of its threads': from
 * a state that is come to again and again, and where some thread of it can make a step, one
 * is made again and again. */
#include <string.h>

#include "hwsem/fair_progress_components.h"

struct search {
  struct arena *arena;
  const struct state_graph *g;
  const struct schedule *schedule;
  struct components *components;
  bool *out;     /* by node: it has been taken out */
  bool *leaving; /* by component: a step that is owed leads out of it */
};

/* ---- components ---- */

static struct owed owed_at(const struct search *s, uint32_t node) {
  return progress_owed(s->schedule, s->g->running[node], s->g->stepped[node]);
}

/* Of groups that are owed steps, do all that one of them can make lead out of the component? */
static bool all_leave(const struct search *s, uint32_t node, const uint64_t *units, unsigned count, uint64_t owed) {
  const struct state_graph *g = s->g;
  uint64_t able = 0, staying = 0;
  for (size_t e = g->first[node]; e < g->first[node + 1]; e++) {
    able |= g->edges[e].movers;
    if (s->components->of[g->edges[e].to] == s->components->of[node]) staying |= g->edges[e].movers;
  }
  return owed & progress_units_with(units, count, able) & ~progress_units_with(units, count, staying);
}

static bool must_leave(const struct search *s, uint32_t node) {
  const struct state_graph *g = s->g;
  const struct schedule *by = s->schedule;
  struct owed owed = owed_at(s, node);
  bool leaves = all_leave(s, node, by->group_threads, by->group_count, owed.groups) ||
                all_leave(s, node, by->sub_threads, by->sub_count, owed.subs);
  for (size_t e = g->first[node]; e < g->first[node + 1]; e++)
    leaves |= (g->edges[e].movers & owed.threads) && s->components->of[g->edges[e].to] != s->components->of[node];
  return leaves;
}

/* Is it made again and again on the way round that is shown?  By level, every step of a group that is owed some is. */
static bool is_owed(const struct search *s, uint32_t node, const struct state_edge *edge) {
  const struct schedule *by = s->schedule;
  struct owed owed = owed_at(s, node);
  return edge->movers & owed.threads ||
         progress_units_with(by->group_threads, by->group_count, edge->movers) & owed.groups ||
         progress_units_with(by->sub_threads, by->sub_count, edge->movers) & owed.subs;
}

/* Takes out of each component the nodes from which it must be left; all, where no way leads round. */
static void refine(struct search *s) {
  const struct state_graph *g = s->g;
  s->leaving = ARENA_ARRAY(s->arena, bool, s->components->list.count);
  for (uint32_t node = 0; node < g->count; node++) {
    if (s->out[node]) continue;
    uint32_t component = s->components->of[node];
    bool leaves = must_leave(s, node);
    s->leaving[component] |= leaves;
    s->out[node] = leaves || !s->components->list.at[component].loops;
  }
}

/* The nearest node of a component round which a fair way leads for ever, which is then
 * in `components`; else the number of nodes. */
static uint32_t find_fair(struct search *s) {
  bool again = true;
  s->out = ARENA_ARRAY(s->arena, bool, s->g->count);
  while (again) {
    uint32_t nearest = s->g->count;
    again = false;
    s->components = progress_components_without(s->arena, s->g, s->out);
    refine(s);
    for (uint32_t p = 0; p < s->components->list.count; p++) {
      const struct component *component = &s->components->list.at[p];
      again |= component->loops;
      if (component->loops && !s->leaving[p] && component->nearest < nearest) nearest = component->nearest;
    }
    if (nearest < s->g->count) return nearest;
  }
  return s->g->count;
}

/* ---- a way round ---- */

struct way {
  VEC(size_t) edges;
  VEC(uint32_t) from;
  size_t *before; /* by node: 1 + the edge by which it was reached */
  uint32_t *came, *queue;
  bool *done; /* by edge: the way has it */
};

static void add_steps(struct search *s, struct way *w, uint32_t from, uint32_t to, size_t last) {
  size_t length = 0;
  for (uint32_t at = to; at != from; at = w->came[at]) length++;
  size_t start = w->edges.count;
  for (size_t i = 0; i < length + 1; i++) {
    *vec_push(s->arena, &w->edges) = last;
    *vec_push(s->arena, &w->from) = to;
  }
  for (uint32_t at = to; at != from; at = w->came[at]) {
    w->edges.at[start + --length] = w->before[at] - 1;
    w->from.at[start + length] = w->came[at];
  }
  for (size_t i = start; i < w->edges.count; i++) w->done[w->edges.at[i]] = true;
}

/* Goes on, breadth first within the component, to the nearest edge that is still to be
 * taken, or, where `home` is a node, that leads there; false: there is none. */
static bool go_on(struct search *s, struct way *w, uint32_t *node, uint32_t home) {
  const struct state_graph *g = s->g;
  uint32_t component = s->components->of[*node], queued = 0;
  memset(w->before, 0, g->count * sizeof *w->before);
  w->queue[queued++] = *node;
  for (uint32_t i = 0; i < queued; i++) {
    uint32_t at = w->queue[i];
    for (size_t e = g->first[at]; e < g->first[at + 1]; e++) {
      uint32_t to = g->edges[e].to;
      if (s->components->of[to] != component) continue;
      if (home == NO_COMPONENT ? is_owed(s, at, &g->edges[e]) && !w->done[e] : to == home) {
        add_steps(s, w, *node, at, e);
        *node = to;
        return true;
      }
      if (w->before[to] || to == *node) continue;
      w->before[to] = e + 1;
      w->came[to] = at;
      w->queue[queued++] = to;
    }
  }
  return false;
}

static void set_loop(struct search *s, uint32_t start, struct progress *p) {
  struct way w = {.before = ARENA_ARRAY(s->arena, size_t, s->g->count),
                  .came = ARENA_ARRAY(s->arena, uint32_t, s->g->count),
                  .queue = ARENA_ARRAY(s->arena, uint32_t, s->g->count),
                  .done = ARENA_ARRAY(s->arena, bool, s->g->first[s->g->count])};
  uint32_t node = start;
  while (go_on(s, &w, &node, NO_COMPONENT)) continue;
  if (node != start || !w.edges.count) go_on(s, &w, &node, start);
  p->loop = progress_steps_along(s->arena, s->g, w.edges.at, w.from.at, w.edges.count);
  p->loop_length = w.edges.count;
}

struct progress progress_ask_strongly(struct arena *arena, const struct state_graph *g,
                                      const struct schedule *schedule) {
  struct progress p = {.ends = true};
  struct search s = {.arena = arena, .g = g, .schedule = schedule};
  uint32_t fair = find_fair(&s), still = 0;
  while (still < g->count && !progress_stands_still(g, still)) still++;
  uint32_t node = still < fair ? still : fair;
  if (node == g->count) return p;
  p.ends = false;
  progress_set_run(arena, g, node, &p);
  if (node == fair) set_loop(&s, node, &p);
  return p;
}
