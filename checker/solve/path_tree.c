/* SPDX-License-Identifier: MIT */
/* Threads are run depth first. What a fork adds to an event that was there before it (a read that turns out to be
 * half of a read-modify-write) makes it another event. */
#include "checker/solve/path_tree.h"

#include <limits.h>
#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/exec/paths/event_structure.h"
#include "checker/exec/paths/thread_key.h"
#include "checker/program/live_registers.h"

enum { CLAUSES_OF_NODE = 1500, CLAUSES_OF_EVENT = 5000, CLAUSES_OF_VALUE = 128 };

struct growing {
  struct arena *arena;
  struct sat *sat;
  const struct path_limits *limits;
  double most_clauses;
  struct tree *tree;
  unsigned thread;
  struct keyed_thread of;  /* the thread that is run, */
  struct hash_table forks; /* its nodes that fork, and their keys */
  VEC(struct thread_key) keys;
  VEC(int) forked;
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

static bool same_read(void *context, unsigned a, unsigned b) {
  const struct compared *c = context;
  return a == c->own || b == c->other ? a == c->own && b == c->other : c->a[a] == c->b[b];
}

static bool is_another(void *context, unsigned event) {
  return event != *(const unsigned *)context;
}

/* May one path write one value, and the other another?  Not if that is made of what was just read there, or is what
 * that read returns, whatever it is. */
static bool may_differ(const struct compared *c, const struct path_event *a, const struct path_event *b) {
  unsigned back = a->event.kind == EVENT_WRITE && a->event.rmw, own = c->own - back, other = c->other - back;
  return a->value && b->value && expr_registers(a->value, is_another, &own) &&
         expr_registers(b->value, is_another, &other);
}

static bool depends_alike(const struct compared *c, const unsigned *a, unsigned a_count, const unsigned *b,
                          unsigned b_count) {
  bool same = a_count == b_count;
  for (unsigned i = 0; same && i < a_count; i++) same = c->a[a[i]] == c->b[b[i]];
  return same;
}

static uint64_t rounds_before(const struct growing *g, const struct path *path, unsigned i) {
  return loops_rounds(g->of.loops, path, (unsigned)path->events[i].event.instr, i);
}

/* Is event `i` of the node's path `known`, which another path has?  In the same rounds of the loops that both are in,
 * events come in the order of their instructions: so two that are the same on two paths come in the same order on both.
 */
static bool is_same(const struct growing *g, const struct tree_node *node, unsigned i, unsigned known) {
  const struct tree *tree = g->tree;
  const struct path_event *a = &node->path->events[i], *b = tree->events.at[known].own;
  const struct tree_node *other = &tree->nodes.at[tree->events.at[known].node];
  struct compared c = {node->events, other->events, i, b->event.po_index};
  return a->event.thread == b->event.thread && a->event.instr == b->event.instr && event_alike(&a->event, &b->event) &&
         rounds_before(g, node->path, i) == tree->events.at[known].rounds &&
         (!tree->addr || depends_alike(&c, a->addr, a->addr_count, b->addr, b->addr_count)) &&
         (!tree->data || depends_alike(&c, a->data, a->data_count, b->data, b->data_count)) &&
         (!tree->ctrl || depends_alike(&c, a->ctrl, a->ctrl_count, b->ctrl, b->ctrl_count)) &&
         (expr_same_but_for(a->value, b->value, same_read, &c) || may_differ(&c, a, b));
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

static void number_events(struct growing *g, int number, const struct path *path) {
  struct tree *tree = g->tree;
  struct tree_node *node = &tree->nodes.at[number];
  for (unsigned i = node->first_event; i < path->event_count; i += 1 + begins_rmw(path, i)) {
    if (!g->limits->forks && find_same(g, node, i)) continue;
    node->events[i] = add_event(g, number, path, i);
    if (begins_rmw(path, i)) node->events[i + 1] = add_event(g, number, path, i + 1);
  }
  for (unsigned i = node->first_event; i < path->event_count; i++) {
    struct tree_event *event = &tree->events.at[node->events[i]];
    struct compared c = {node->events, tree->nodes.at[event->node].events, i, event->own->event.po_index};
    event->differs |= !expr_same_but_for(path->events[i].value, event->own->value, same_read, &c);
    *vec_push(g->arena, &event->nodes) = number;
  }
}

/* As `parent`'s last child, in the order of branches. */
static void add_child(struct tree *tree, int parent, int node) {
  int *last = &tree->nodes.at[parent].first_child;
  while (*last != TREE_NONE) last = &tree->nodes.at[*last].next_child;
  *last = node;
}

static int add_node(struct growing *g, int parent, unsigned branch, const struct thread_state *state) {
  struct tree *tree = g->tree;
  const struct path *path = thread_path(state);
  struct tree_node *node = vec_push(g->arena, &tree->nodes);
  const struct tree_node *above = parent == TREE_NONE ? NULL : &tree->nodes.at[parent];
  int number = (int)(tree->nodes.count - 1);
  *node = (struct tree_node){.thread = g->thread,
                             .parent = parent,
                             .first_child = TREE_NONE,
                             .next_child = TREE_NONE,
                             .goes_on = number,
                             .next_alike = TREE_NONE,
                             .end = thread_end(state),
                             .state = state,
                             .branch = branch,
                             .path = path,
                             .events = ARENA_ARRAY(g->arena, unsigned, path->event_count + 1),
                             .instr = thread_position(state),
                             .first_event = shared_events(above, path),
                             .first_condition = above ? above->path->condition_count : 0};
  for (unsigned i = 0; i < node->first_event; i++) node->events[i] = above->events[i];
  if (above) add_child(tree, parent, number);
  number_events(g, number, path);
  return number;
}

/* ---- Where branches grow together ------------------------------------------------------------- */

static bool same_key(const struct thread_key *a, const struct thread_key *b) {
  return a->count == b->count && !memcmp(a->at, b->at, a->count * sizeof a->at[0]);
}

/* Does the thread go on from the node as from one that is known?  Then that one's children are its own. */
static bool joins(struct growing *g, int node) {
  struct tree *tree = g->tree;
  if (g->limits->forks) return false;
  struct thread_key key = thread_key_of(g->arena, &g->of, tree->nodes.at[node].state, tree->nodes.at[node].events);
  uint64_t hash = hash_bytes(key.at, key.count * sizeof key.at[0]);
  HASH_EACH (at, &g->forks, hash) {
    uint32_t i = hash_number(&g->forks, at);
    if (!same_key(&key, &g->keys.at[i])) continue;
    int known = g->forked.at[i];
    tree->nodes.at[node].goes_on = known;
    tree->nodes.at[node].next_alike = tree->nodes.at[known].next_alike;
    tree->nodes.at[known].next_alike = node;
    return true;
  }
  hash_add(g->arena, &g->forks, hash, (uint32_t)g->keys.count);
  *vec_push(g->arena, &g->keys) = key;
  *vec_push(g->arena, &g->forked) = node;
  return false;
}

/* Conditions that no values meet at once, as far as ranges say. */
static bool is_impossible(const struct growing *g, const struct path *path) {
  struct arena *arena = arena_new();
  struct range *reads = ARENA_ARRAY(arena, struct range, path->event_count + 1);
  bool possible = true;
  for (unsigned i = 0; i < path->event_count; i++) {
    const struct event *event = &path->events[i].event;
    reads[i] = g->tree->holds && event->kind == EVENT_READ ? g->tree->holds[event->location] : range_any;
  }
  for (unsigned i = 0; i < path->condition_count && !g->limits->forks && possible; i++)
    possible = range_require(path->conditions[i].value, path->conditions[i].nonzero, reads);
  for (unsigned i = 0; i < path->event_count && possible; i++) possible = !range_is_empty(reads[i]);
  arena_free(arena);
  return !possible;
}

static enum tree_end grow(struct growing *g, int parent, unsigned branch, const struct thread_state *state);

static enum tree_end grow_children(struct growing *g, int node, const struct thread_state *state) {
  for (unsigned i = 0; i < thread_branch_count(state); i++) {
    const struct path *path = thread_branch(state, i);
    if (!path || is_impossible(g, path)) continue;
    struct thread_state *next = thread_resume(g->arena, g->tree->program, g->thread, g->limits, state, i);
    if (!next) return TREE_TOO_LONG;
    enum tree_end end = grow(g, node, i, next);
    if (end != TREE_DONE) return end;
  }
  return TREE_DONE;
}

/* Notes in tree->order each node after all that may follow it. */
static enum tree_end grow(struct growing *g, int parent, unsigned branch, const struct thread_state *state) {
  if (thread_end(state) == THREAD_IMPOSSIBLE) return TREE_DONE;
  double clauses = (double)g->tree->nodes.count * CLAUSES_OF_NODE;
  if (clauses >= g->most_clauses || (double)g->tree->events.count * CLAUSES_OF_EVENT >= g->most_clauses)
    return TREE_TOO_WIDE;
  sat_poll(g->sat);
  int node = add_node(g, parent, branch, state);
  enum tree_end end = TREE_DONE;
  if (thread_end(state) == THREAD_OPEN && !joins(g, node)) end = grow_children(g, node, state);
  *vec_push(g->arena, &g->tree->order) = (unsigned)node;
  return end;
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

/* In an order of all ways no way leads around these nodes, and none has ended before. */
static void find_certain(struct arena *arena, struct tree *tree, unsigned thread) {
  size_t first = tree->first_node[thread], end = tree->first_node[thread + 1], far = first;
  size_t *last = ARENA_ARRAY(arena, size_t, tree->nodes.count + 1);
  bool ended = false;
  for (size_t i = first; i < end; i++) {
    int parent = tree->nodes.at[tree->order.at[i]].parent;
    if (parent != TREE_NONE) last[parent] = i;
  }
  for (size_t i = first; i < end; i++) {
    struct tree_node *node = &tree->nodes.at[tree->order.at[i]];
    node->certain = !ended && far <= i;
    ended |= node->end != THREAD_OPEN;
    if (node->end == THREAD_OPEN && last[node->goes_on] > far) far = last[node->goes_on];
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

/* ---- What comes before and after -------------------------------------------------------------- */

static void own_events(const struct tree_node *node, word *out) {
  for (unsigned i = node->first_event; i < node->path->event_count; i++) set_add(out, node->events[i]);
}

/* By node, of those that fork and have children of their own: a set of events. */
static word **sets_by_node(struct arena *arena, const struct tree *tree, bool full) {
  word **sets = ARENA_ARRAY(arena, word *, tree->nodes.count + 1);
  for (size_t i = 0; i < tree->nodes.count; i++) {
    const struct tree_node *node = &tree->nodes.at[i];
    if (node->end != THREAD_OPEN || node->goes_on != (int)i) continue;
    sets[i] = ARENA_ARRAY(arena, word, set_words(tree->shape));
    if (full) set_fill(tree->shape, sets[i]);
  }
  return sets;
}

static void find_earlier(const struct growing *g, struct arena *arena, word *earlier) {
  const struct tree *tree = g->tree;
  struct shape s = tree->shape;
  word **before = sets_by_node(arena, tree, false), *seen = ARENA_ARRAY(arena, word, set_words(s));
  for (size_t i = 0; i < tree->order.count; i++) {
    const struct tree_node *node = &tree->nodes.at[tree->order.at[i]];
    if (node->parent == TREE_NONE)
      words_clear(s.w, seen);
    else
      words_copy(s.w, seen, before[node->parent]);
    for (unsigned k = node->first_event; k < node->path->event_count; k++) {
      word *row = rel_row(s, earlier, node->events[k]);
      words_or(s.w, row, row, seen);
      set_add(seen, node->events[k]);
    }
    if (node->end == THREAD_OPEN) words_or(s.w, before[node->goes_on], before[node->goes_on], seen);
  }
}

/* By node, the events that are on every way from it on. */
static word **find_after(struct arena *arena, const struct tree *tree, const bool *possible) {
  struct shape s = tree->shape;
  word **after = sets_by_node(arena, tree, true), *seen = ARENA_ARRAY(arena, word, set_words(s));
  for (size_t i = tree->order.count; i-- > 0;) {
    unsigned number = tree->order.at[i];
    const struct tree_node *node = &tree->nodes.at[number];
    if (node->parent == TREE_NONE || (possible && !possible[number])) continue;
    words_clear(s.w, seen);
    if (node->end == THREAD_OPEN) words_copy(s.w, seen, after[node->goes_on]);
    own_events(node, seen);
    words_and(s.w, after[node->parent], after[node->parent], seen);
  }
  return after;
}

static void find_implied(const struct growing *g, struct arena *arena, word *implied) {
  const struct tree *tree = g->tree;
  struct shape s = tree->shape;
  word **after = find_after(arena, tree, NULL), **before = sets_by_node(arena, tree, true);
  word *seen = ARENA_ARRAY(arena, word, set_words(s));
  for (size_t i = 0; i < tree->order.count; i++) {
    const struct tree_node *node = &tree->nodes.at[tree->order.at[i]];
    words_clear(s.w, seen);
    if (node->parent != TREE_NONE) words_copy(s.w, seen, before[node->parent]);
    own_events(node, seen);
    if (node->end == THREAD_OPEN) {
      words_and(s.w, before[node->goes_on], before[node->goes_on], seen);
      words_or(s.w, seen, seen, after[node->goes_on]);
    }
    for (unsigned k = node->first_event; k < node->path->event_count; k++) {
      word *row = rel_row(s, implied, node->events[k]);
      words_and(s.w, row, row, seen);
    }
  }
}

static void relate_events(struct growing *g) {
  struct tree *tree = g->tree;
  struct arena *arena = arena_new();
  tree->shape = shape_of((unsigned)tree->events.count);
  word *earlier = ARENA_ARRAY(g->arena, word, rel_words(tree->shape));
  word *implied = ARENA_ARRAY(g->arena, word, rel_words(tree->shape));
  rel_fill(tree->shape, implied);
  find_earlier(g, arena, earlier);
  find_implied(g, arena, implied);
  tree->earlier = earlier;
  tree->implied = implied;
  arena_free(arena);
}

const word *tree_always(struct arena *arena, const struct tree *tree, unsigned thread, const bool *possible) {
  size_t root = tree->first_node[thread];
  word *always = ARENA_ARRAY(arena, word, set_words(tree->shape));
  if (tree->nodes.at[root].end == THREAD_OPEN)
    words_copy(tree->shape.w, always, find_after(arena, tree, possible)[root]);
  own_events(&tree->nodes.at[root], always);
  return always;
}

struct tree_count tree_count(struct arena *arena, const struct tree *tree, unsigned thread, const bool *counted,
                             const bool *possible) {
  struct tree_count *after = ARENA_ARRAY(arena, struct tree_count, tree->nodes.count + 1), count = {0, 0};
  bool *known = ARENA_ARRAY(arena, bool, tree->nodes.count + 1);
  for (size_t i = tree->first_node[thread + 1]; i-- > tree->first_node[thread];) {
    unsigned number = tree->order.at[i];
    const struct tree_node *node = &tree->nodes.at[number];
    count = (struct tree_count){0, 0};
    if (possible && !possible[number]) continue;
    if (node->end == THREAD_OPEN && !known[node->goes_on]) continue; /* nothing that is possible follows */
    if (node->end == THREAD_OPEN) count = after[node->goes_on];
    for (unsigned k = node->first_event; k < node->path->event_count; k++) {
      count.least += counted[node->events[k]];
      count.most += counted[node->events[k]];
    }
    if (node->parent == TREE_NONE) continue;
    struct tree_count *all = &after[node->parent];
    if (!known[node->parent] || count.least < all->least) all->least = count.least;
    if (count.most > all->most) all->most = count.most;
    known[node->parent] = true;
  }
  return count; /* of the start, which comes last */
}

/* ---- All of it ---------------------------------------------------------------------------------- */

static const bool *registers_of_thread(const struct growing *g) {
  const struct thread *thread = g->of.thread;
  if (g->tree->asked) return g->tree->asked[g->thread];
  bool *all = ARENA_ARRAY(g->arena, bool, thread->reg_count + 1u);
  memset(all, true, thread->reg_count);
  return all;
}

static enum tree_end grow_thread(struct growing *g, unsigned thread) {
  struct tree *tree = g->tree;
  const struct program *program = tree->program;
  g->thread = thread;
  g->of = (struct keyed_thread){.program = program,
                                .thread = &program->threads[thread],
                                .loops = loops_of(g->arena, &program->threads[thread]),
                                .dependencies = tree->addr || tree->data || tree->ctrl,
                                .ctrl = tree->ctrl};
  g->of.live = live_registers(g->arena, g->of.thread, registers_of_thread(g));
  g->forks = (struct hash_table){0};
  g->keys.count = g->forked.count = 0;
  tree->first_node[thread] = tree->nodes.count;
  const struct thread_state *start = thread_start(g->arena, program, thread, g->limits);
  enum tree_end end = start ? grow(g, TREE_NONE, 0, start) : TREE_TOO_LONG;
  size_t first = tree->first_node[thread], count = tree->order.count - first;
  for (size_t i = 0; i < count / 2; i++) {
    unsigned other = tree->order.at[first + count - 1 - i];
    tree->order.at[first + count - 1 - i] = tree->order.at[first + i];
    tree->order.at[first + i] = other;
  }
  tree->first_node[thread + 1] = tree->nodes.count;
  return end;
}

enum tree_end tree_grow(struct arena *arena, struct sat *sat, const struct path_limits *limits, double most_clauses,
                        struct tree *tree) {
  const struct program *program = tree->program;
  struct growing g = {.arena = arena, .sat = sat, .limits = limits, .most_clauses = most_clauses, .tree = tree};
  tree->limits = *limits;
  tree->limits.max_events = UINT_MAX;
  tree->limits.spin_folds = NULL;
  tree->first_node = ARENA_ARRAY(arena, size_t, program->thread_count + 1u);
  for (unsigned t = 0; t < program->thread_count; t++) {
    enum tree_end end = grow_thread(&g, t);
    if (end != TREE_DONE) return end;
  }
  add_initial_writes(&g);
  if (count_clauses(arena, tree) > most_clauses) return TREE_TOO_WIDE;
  number_barriers(&g);
  relate_events(&g);
  for (unsigned t = 0; t < program->thread_count; t++) find_certain(arena, tree, t);
  return TREE_DONE;
}

bool tree_compatible(const struct tree *tree, unsigned event, unsigned other) {
  const struct tree_event *a = &tree->events.at[event], *b = &tree->events.at[other];
  return a->node == TREE_NONE || b->node == TREE_NONE || a->event.thread != b->event.thread || event == other ||
         rel_has(tree->shape, tree->earlier, event, other) || rel_has(tree->shape, tree->earlier, other, event);
}

bool tree_implies(const struct tree *tree, unsigned event, unsigned other) {
  const struct tree_event *a = &tree->events.at[event], *b = &tree->events.at[other];
  return a->node != TREE_NONE && a->event.thread == b->event.thread &&
         rel_has(tree->shape, tree->implied, event, other);
}
