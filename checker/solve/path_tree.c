/* SPDX-License-Identifier: MIT */
/* Threads are run depth first. What a fork adds to an event that was there before it (a read that turns out to be
 * half of a read-modify-write) makes it another event. */
#include "checker/solve/path_tree.h"

#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/exec/paths/event_structure.h"
#include "checker/exec/paths/expression_range.h"

enum { CLAUSES_OF_NODE = 1500, CLAUSES_OF_EVENT = 5000, CLAUSES_OF_VALUE = 128 };

struct growing {
  struct arena *arena;
  struct sat *sat;
  const struct path_limits *limits;
  double most_clauses;
  struct tree *tree;
  struct loop *loops; /* of the thread that is run, by instruction that jumps back */
};

/* The instructions of a loop. */
struct loop {
  unsigned first, last;
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

/* ---- The same on other paths -------------------------------------------------------------- */

/* A value, or reads, on the paths of two nodes. */
struct compared {
  const unsigned *a, *b; /* by place in their paths: numbers of events */
  unsigned own, other;   /* the places of the events that are compared */
};

static bool same_value(const struct compared *c, const struct expr *a, const struct expr *b) {
  if (!a || !b || a->kind != b->kind) return a == b;
  if (a->kind == EXPR_CONST) return a->value == b->value;
  if (a->kind == EXPR_REG)
    return a->reg == c->own || b->reg == c->other ? a->reg == c->own && b->reg == c->other
                                                  : c->a[a->reg] == c->b[b->reg];
  return same_value(c, a->a, b->a) && same_value(c, a->b, b->b) && same_value(c, a->c, b->c);
}

static bool depends_alike(const struct compared *c, const unsigned *a, unsigned a_count, const unsigned *b,
                          unsigned b_count) {
  bool same = a_count == b_count;
  for (unsigned i = 0; same && i < a_count; i++) same = c->a[a[i]] == c->b[b[i]];
  return same;
}

static bool same_kind(const struct event *a, const struct event *b) {
  return a->kind == b->kind && a->thread == b->thread && a->instr == b->instr && a->location == b->location &&
         a->name == b->name && a->order == b->order && a->order_open == b->order_open && a->tags == b->tags &&
         a->rmw == b->rmw && a->launch == b->launch;
}

/* Loops that cross count as one. */
static struct loop *loops_of(struct arena *arena, const struct thread *thread) {
  unsigned count = thread->instr_count;
  struct loop *loops = ARENA_ARRAY(arena, struct loop, count + 1);
  for (unsigned i = 0; i < count; i++) {
    const struct instr *instr = &thread->instrs[i];
    loops[i] = instr_jumps(instr) && instr->target <= i ? (struct loop){instr->target, i} : (struct loop){1, 0};
  }
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < count; i++)
      for (unsigned k = 0; k < count; k++) {
        struct loop *a = &loops[i], *b = &loops[k];
        if (!(a->first < b->first && b->first <= a->last && a->last < b->last)) continue;
        a->last = b->last;
        b->first = a->first;
        again = true;
      }
  }
  return loops;
}

/* Equal for equal jumps back, on the way to event `i`, of the loops that its instruction is in. */
static uint64_t rounds_before(const struct growing *g, const struct path *path, unsigned i) {
  unsigned instr = (unsigned)path->events[i].event.instr;
  uint64_t hash = 0;
  for (unsigned k = 0; k < path->jump_count && path->jumps[k].before <= i; k++) {
    unsigned from = path->jumps[k].from;
    if (g->loops[from].first <= instr && instr <= g->loops[from].last)
      hash = hash_bytes((const uint64_t[]){hash, from}, 2 * sizeof(uint64_t));
  }
  return hash;
}

/* Is event `i` of the node's path `known`, which another path has?  In the same rounds of the loops that both are in,
 * events come in the order of their instructions: so two that are the same on two paths come in the same order on both.
 */
static bool is_same(const struct growing *g, const struct tree_node *node, unsigned i, unsigned known) {
  const struct tree *tree = g->tree;
  const struct path_event *a = &node->path->events[i], *b = tree->events.at[known].own;
  const struct tree_node *other = &tree->nodes.at[tree->events.at[known].node];
  const struct compared c = {node->events, other->events, i, b->event.po_index};
  return same_kind(&a->event, &b->event) && rounds_before(g, node->path, i) == tree->events.at[known].rounds &&
         (!tree->addr || depends_alike(&c, a->addr, a->addr_count, b->addr, b->addr_count)) &&
         (!tree->data || depends_alike(&c, a->data, a->data_count, b->data, b->data_count)) &&
         (!tree->ctrl || depends_alike(&c, a->ctrl, a->ctrl_count, b->ctrl, b->ctrl_count)) &&
         same_value(&c, a->value, b->value);
}

static bool has_event(const struct tree_node *node, unsigned count, unsigned event) {
  unsigned i = 0;
  while (i < count && node->events[i] != event) i++;
  return i < count;
}

/* The two halves of a read-modify-write have numbers that follow one another. */
static bool begins_rmw(const struct path *path, unsigned i) {
  return path->events[i].event.rmw && path->events[i].event.kind == EVENT_READ && i + 1 < path->event_count;
}

/* Numbers event `i` of the node's path, or both halves of a read-modify-write, as the same of another path, if there is
 * one.  Of several that are alike (an instruction's fences before and after), the first comes first on all paths. */
static bool find_same(const struct growing *g, struct tree_node *node, unsigned i) {
  const struct tree *tree = g->tree;
  const struct event *event = &node->path->events[i].event;
  bool fence = event->kind == EVENT_FENCE && !event->barrier_entry && !event->barrier_exit;
  bool both = begins_rmw(node->path, i);
  if (!event_is_access(event) && !fence) return false;
  unsigned count = (unsigned)tree->events.count, first = count;
  while (first > 0 && tree->events.at[first - 1].event.thread == event->thread) first--;
  for (unsigned known = first; known + both < count; known++) {
    if (!is_same(g, node, i, known) || has_event(node, i, known)) continue;
    node->events[i] = known;
    if (both && !is_same(g, node, i + 1, known + 1)) continue;
    if (both) node->events[i + 1] = known + 1;
    return true;
  }
  return false;
}

static unsigned add_event(struct growing *g, int node, const struct path *path, unsigned i) {
  struct tree_event *e = vec_push(g->arena, &g->tree->events);
  const struct path_event *own = &path->events[i];
  *e = (struct tree_event){.event = own->event, .node = node, .own = own, .rounds = rounds_before(g, path, i)};
  return (unsigned)(g->tree->events.count - 1);
}

/* ---- Nodes ------------------------------------------------------------------------------------- */

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
  for (unsigned i = 0; i < shared; i++) node->events[i] = above->events[i];
  for (unsigned i = shared; i < path->event_count; i += 1 + begins_rmw(path, i)) {
    if (!g->limits->forks && find_same(g, node, i)) continue;
    node->events[i] = add_event(g, number, path, i);
    if (begins_rmw(path, i)) node->events[i + 1] = add_event(g, number, path, i + 1);
  }
  for (unsigned i = shared; i < path->event_count; i++)
    *vec_push(g->arena, &tree->events.at[node->events[i]].nodes) = number;
  return (unsigned)number;
}

/* Conditions that no values meet at once, as far as ranges say. */
static bool is_impossible(const struct growing *g, const struct path *path) {
  struct arena *arena = arena_new();
  struct range *reads = ARENA_ARRAY(arena, struct range, path->event_count + 1);
  bool possible = true;
  for (unsigned i = 0; i < path->event_count; i++) reads[i] = range_any;
  for (unsigned i = 0; i < path->condition_count && !g->limits->forks; i++)
    range_require(path->conditions[i].value, path->conditions[i].nonzero, reads);
  for (unsigned i = 0; i < path->event_count && possible; i++) possible = !range_is_empty(reads[i]);
  arena_free(arena);
  return !possible;
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
    const struct path *path = thread_branch(state, i);
    if (!path || is_impossible(g, path)) continue;
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

/* Initial writes come first: the events that are there move after them. */
static void add_initial_writes(struct growing *g) {
  struct tree *tree = g->tree;
  const struct program *program = tree->program;
  const word *leaves = ARENA_ARRAY(g->arena, word, tree->leaf_words);
  struct tree all = {.program = program, .nodes.at = tree->nodes.at};
  for (unsigned x = 0; x < program->location_count; x++) {
    if (!program->locations[x].any && !is_touched(tree, (int)x)) continue;
    *vec_push(g->arena, &all.events) =
        (struct tree_event){.node = TREE_NONE, .event = event_initial(program, x), .leaves = leaves};
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

/* Nodes of a thread follow one another. */
static void find_leaves(struct growing *g) {
  struct tree *tree = g->tree;
  size_t first = 0, most = 0;
  word **leaves = ARENA_ARRAY(g->arena, word *, tree->events.count + 1);
  for (size_t i = 0; i < tree->nodes.count; i++) {
    if (tree->nodes.at[i].thread != tree->nodes.at[first].thread) first = i;
    if (i - first + 1 > most) most = i - first + 1;
  }
  tree->leaf_words = (unsigned)set_words(shape_of((unsigned)most));
  for (size_t e = 0; e < tree->events.count; e++)
    tree->events.at[e].leaves = leaves[e] = ARENA_ARRAY(g->arena, word, tree->leaf_words);
  first = 0;
  for (size_t i = 0; i < tree->nodes.count; i++) {
    const struct tree_node *node = &tree->nodes.at[i];
    if (node->thread != tree->nodes.at[first].thread) first = i;
    for (unsigned k = 0; node->end != THREAD_OPEN && k < node->path->event_count; k++)
      set_add(leaves[node->events[k]], (unsigned)(i - first));
  }
}

enum tree_end tree_grow(struct arena *arena, struct sat *sat, const struct path_limits *limits, double most_clauses,
                        struct tree *tree) {
  const struct program *program = tree->program;
  struct growing g = {arena, sat, limits, most_clauses, tree, NULL};
  for (unsigned t = 0; t < program->thread_count; t++) {
    const struct thread_state *start = thread_start(arena, program, t, limits);
    g.loops = loops_of(arena, &program->threads[t]);
    enum tree_end end = start ? grow(&g, t, TREE_NONE, start) : TREE_TOO_LONG;
    if (end != TREE_DONE) return end;
  }
  find_leaves(&g);
  add_initial_writes(&g);
  if (count_clauses(arena, tree) > most_clauses) return TREE_TOO_WIDE;
  number_barriers(&g);
  find_certain(tree);
  return TREE_DONE;
}

bool tree_compatible(const struct tree *tree, unsigned event, unsigned other) {
  const struct tree_event *a = &tree->events.at[event], *b = &tree->events.at[other];
  return a->node == TREE_NONE || b->node == TREE_NONE || a->event.thread != b->event.thread ||
         words_meet(tree->leaf_words, a->leaves, b->leaves);
}

bool tree_implies(const struct tree *tree, unsigned event, unsigned other) {
  const struct tree_event *a = &tree->events.at[event], *b = &tree->events.at[other];
  bool all = a->node != TREE_NONE && a->event.thread == b->event.thread;
  for (unsigned i = 0; all && i < tree->leaf_words; i++) all = !(a->leaves[i] & ~b->leaves[i]);
  return all;
}
