/* SPDX-License-Identifier: MIT */
/* Of the barriers of a tree that can meet, each thread executes those on one of its paths. */
#include "checker/solve/quorum_barriers.h"

static const struct event *event_at(const struct formula *f, unsigned event) {
  return &f->tree->events.at[event].event;
}

/* The most of a barrier's group that one execution can have. */
static int64_t most_of_group(const struct formula *f, unsigned barrier) {
  const struct tree *tree = f->tree;
  bool *counted = ARENA_ARRAY(f->arena, bool, tree->events.count + 1);
  int64_t sum = 0;
  for (unsigned e = tree->init_count; e < tree->events.count; e++)
    counted[e] = event_meets(tree->program, event_at(f, barrier), event_at(f, e));
  for (unsigned t = 0; t < tree->program->thread_count; t++) sum += tree_count(f->arena, tree, t, counted, NULL).most;
  return sum;
}

/* The leaves at which a thread stays at its last event, a barrier. */
static void add_blocked(struct formula *f) {
  for (unsigned e = 0; e < f->tree->events.count; e++) f->blocked[e] = SAT_FALSE;
  for (size_t i = 0; i < f->tree->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[i];
    if (node->end != THREAD_BLOCKED) continue;
    f->blocked[node->events[node->path->event_count - 1]] = f->taken[i];
    f->some_stay_away = true;
  }
}

void quorum_barriers_add(struct formula *f) {
  int64_t *most = ARENA_ARRAY(f->arena, int64_t, f->tree->events.count + 1);
  add_blocked(f);
  for (unsigned e = f->tree->init_count; e < f->tree->events.count; e++) {
    const struct event *event = event_at(f, e);
    f->present[e] = -f->blocked[e];
    if (event->kind != EVENT_MEET || !event->has_quorum) continue;
    for (unsigned k = f->tree->init_count; !most[e] && k < e; k++)
      if (most[k] && event_meets(f->tree->program, event, event_at(f, k))) most[e] = most[k];
    if (!most[e]) most[e] = most_of_group(f, e);
    if (most[e] <= event->quorum) continue;
    f->present[e] = sat_variable(f->sat);
    f->some_stay_away = true;
    sat_clause_2(f->sat, -f->blocked[e], -f->present[e]);
  }
}

int64_t quorum_barriers_present(const struct formula *f, unsigned barrier, struct literals *out) {
  int64_t count = 0;
  literals_add(out, formula_executed(f, barrier));
  literals_add(out, -f->blocked[barrier]);
  for (unsigned e = f->tree->init_count; e < f->tree->events.count; e++) {
    if (!event_meets(f->tree->program, event_at(f, barrier), event_at(f, e))) continue;
    bool executed = sat_holds(f->sat, formula_executed(f, e)), present = sat_holds(f->sat, f->present[e]);
    count += executed && present;
    if (!executed || !present) literals_add(out, executed ? -f->present[e] : -formula_executed(f, e));
  }
  return count;
}
