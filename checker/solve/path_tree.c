/* SPDX-License-Identifier: MIT */
/* Threads are run depth first. What a fork adds to an event that was there before it (a read that turns out to be
 * half of a read-modify-write) makes it another event. */
#include "checker/solve/path_tree.h"

#include <string.h>

#include "checker/exec/paths/event_structure.h"

enum { CLAUSES_OF_NODE = 1500, CLAUSES_OF_EVENT = 5000, CLAUSES_OF_VALUE = 128 };

struct growing {
  struct arena *arena;
  struct sat *sat;
  const struct path_limits *limits;
  double most_clauses;
  struct tree *tree;
};

static bool same_reads(const unsigned *a, unsigned a_count, const unsigned *b, unsigned b_count) {
  return a_count == b_count && (!a_count || !memcmp(a, b, a_count * sizeof *a));
}

/* Is the event what it was before the fork?  Some are told more of by what follows. */
static bool same_event(const struct path_event *a, const struct path_event *b) {
  const struct event *x = &a->event, *y = &b->event;
  return x->kind == y->kind && x->instr == y->instr && x->location == y->location && x->name == y->name &&
         x->order == y->order && x->order_open == y->order_open && x->tags == y->tags && x->rmw == y->rmw &&
         a->value == b->value && same_reads(a->addr, a->addr_count, b->addr, b->addr_count) &&
         same_reads(a->data, a->data_count, b->data, b->data_count) &&
         same_reads(a->ctrl, a->ctrl_count, b->ctrl, b->ctrl_count);
}

/* How many events of a path are those of its parent's. */
static unsigned shared_events(const struct tree_node *parent, const struct path *path) {
  unsigned count = 0;
  if (!parent) return 0;
  while (count < parent->path->event_count && same_event(&parent->path->events[count], &path->events[count])) count++;
  return count;
}

static unsigned add_node(struct growing *g, unsigned thread, int parent, const struct thread_state *state) {
  struct tree *tree = g->tree;
  const struct path *path = thread_path(state);
  struct tree_node *node = vec_push(g->arena, &tree->nodes);
  const struct tree_node *above = parent == TREE_NONE ? NULL : &tree->nodes.at[parent];
  int number = (int)(tree->nodes.count - 1);
  *node = (struct tree_node){.thread = thread,
                             .parent = parent,
                             .certain = !above,
                             .end = thread_end(state),
                             .path = path,
                             .events = ARENA_ARRAY(g->arena, unsigned, path->event_count + 1),
                             .instr = thread_position(state),
                             .first_condition = above ? above->path->condition_count : 0};
  unsigned shared = shared_events(above, path);
  for (unsigned i = 0; i < path->event_count; i++) {
    if (above && i < shared) {
      node->events[i] = above->events[i];
      continue;
    }
    node->events[i] = (unsigned)tree->events.count;
    *vec_push(g->arena, &tree->events) =
        (struct tree_event){.event = path->events[i].event, .node = number, .own = &path->events[i]};
  }
  return (unsigned)number;
}

static enum tree_end grow(struct growing *g, unsigned thread, int parent, const struct thread_state *state) {
  if (thread_end(state) == THREAD_IMPOSSIBLE) return TREE_DONE;
  double clauses = (double)g->tree->nodes.count * CLAUSES_OF_NODE;
  if (clauses >= g->most_clauses || (double)g->tree->events.count * CLAUSES_OF_EVENT >= g->most_clauses)
    return TREE_TOO_WIDE;
  sat_poll(g->sat);
  int node = (int)add_node(g, thread, parent, state);
  if (thread_end(state) != THREAD_OPEN) return TREE_DONE;
  for (unsigned i = 0; i < thread_branch_count(state); i++) {
    if (!thread_branch(state, i)) continue;
    struct thread_state *branch = thread_resume(g->arena, g->tree->program, thread, g->limits, state, i);
    if (!branch) return TREE_TOO_LONG;
    enum tree_end end = grow(g, thread, node, branch);
    if (end != TREE_DONE) return end;
  }
  return TREE_DONE;
}

static bool is_touched(const struct tree *tree, int location) {
  for (size_t i = 0; i < tree->events.count; i++)
    if (tree->events.at[i].event.location == location) return true;
  return false;
}

/* Initial writes come first: the events that are there move behind them. */
static void add_initial_writes(struct growing *g) {
  struct tree *tree = g->tree;
  const struct program *program = tree->program;
  struct tree all = {.program = program, .nodes.at = tree->nodes.at};
  for (unsigned x = 0; x < program->location_count; x++) {
    if (!program->locations[x].any && !is_touched(tree, (int)x)) continue;
    *vec_push(g->arena, &all.events) = (struct tree_event){.node = TREE_NONE, .event = event_initial(program, x)};
  }
  tree->init_count = (unsigned)all.events.count;
  for (size_t i = 0; i < tree->events.count; i++) *vec_push(g->arena, &all.events) = tree->events.at[i];
  tree->events.at = all.events.at;
  tree->events.count = all.events.count;
  tree->events.room = all.events.room;
  for (size_t i = 0; i < tree->nodes.count; i++)
    for (unsigned k = 0; k < tree->nodes.at[i].path->event_count; k++) tree->nodes.at[i].events[k] += tree->init_count;
}

static void number_barriers(struct growing *g) {
  struct structure_barriers known = {0};
  for (size_t i = g->tree->init_count; i < g->tree->events.count; i++) {
    struct tree_event *e = &g->tree->events.at[i];
    structure_number_barrier(g->arena, &known, g->tree->program, e->own, &e->event);
  }
}

/* Where only one child is left, it is taken. */
static void find_certain(struct tree *tree) {
  for (size_t i = 0; i < tree->nodes.count; i++) {
    if (!tree->nodes.at[i].certain || tree->nodes.at[i].end != THREAD_OPEN) continue;
    size_t only = 0, count = 0;
    for (size_t k = i + 1; k < tree->nodes.count; k++)
      if (tree->nodes.at[k].parent == (int)i) only = k, count++;
    if (count == 1) tree->nodes.at[only].certain = true;
  }
}

/* About how many clauses say which write each read sees, one of its location's, and how these are ordered. */
static double count_clauses(struct arena *arena, const struct tree *tree) {
  double *reads = ARENA_ARRAY(arena, double, tree->program->location_count + 1u), sum = 0;
  double *writes = ARENA_ARRAY(arena, double, tree->program->location_count + 1u);
  for (size_t i = 0; i < tree->events.count; i++) {
    const struct event *e = &tree->events.at[i].event;
    if (event_is_access(e)) (e->kind == EVENT_READ ? reads : writes)[e->location]++;
  }
  for (unsigned x = 0; x < tree->program->location_count; x++)
    sum += writes[x] * (reads[x] * (CLAUSES_OF_VALUE + writes[x] / 2) + writes[x] * writes[x] / 3);
  return sum;
}

enum tree_end tree_grow(struct arena *arena, struct sat *sat, const struct program *program,
                        const struct path_limits *limits, double most_clauses, struct tree *tree) {
  *tree = (struct tree){.program = program};
  struct growing g = {arena, sat, limits, most_clauses, tree};
  for (unsigned t = 0; t < program->thread_count; t++) {
    const struct thread_state *start = thread_start(arena, program, t, limits);
    enum tree_end end = start ? grow(&g, t, TREE_NONE, start) : TREE_TOO_LONG;
    if (end != TREE_DONE) return end;
  }
  add_initial_writes(&g);
  if (count_clauses(arena, tree) > most_clauses) return TREE_TOO_WIDE;
  number_barriers(&g);
  find_certain(tree);
  return TREE_DONE;
}

bool tree_leads_to(const struct tree *tree, int node, int below) {
  while (below > node) below = tree->nodes.at[below].parent;
  return below == node;
}

bool tree_compatible(const struct tree *tree, int node, int other) {
  if (node == TREE_NONE || other == TREE_NONE) return true;
  if (tree->nodes.at[node].thread != tree->nodes.at[other].thread) return true;
  return node < other ? tree_leads_to(tree, node, other) : tree_leads_to(tree, other, node);
}
