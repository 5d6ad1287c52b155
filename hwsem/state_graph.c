/* SPDX-License-Identifier: MIT */
/* Breadth first, in the order of numbers, so that the edges of a node lie side by
 * side.  Nodes are found again by a hash table. */
#include "hwsem/state_graph.h"

#include <assert.h>
#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/limit.h"
#include "checker/base/vec.h"

enum { CHECK_EVERY = 1024 };

struct builder {
  struct successor_sink sink; /* first: successors come back through it */
  struct arena *arena;
  const struct machine *machine;
  const struct explore_options *options;
  double deadline;
  size_t state_room; /* whole words of a state */
  uint64_t *padded;  /* the state that is looked up, zero after its end */
  VEC(const void *) states;
  VEC(uint64_t) stepped;
  VEC(uint64_t) running;
  VEC(uint64_t) enabled; /* of the nodes up to `node` */
  VEC(uint32_t) parent;
  VEC(size_t) first;
  VEC(struct state_edge) edges;
  struct hash_table table; /* nodes */
  uint32_t node;           /* whose successors are being asked for */
  uint64_t alone;          /* the one thread whose steps count there; 0: those of all */
  enum explore_end end;
};

static enum explore_end limit_met(const struct builder *b) {
  const struct explore_options *o = b->options;
  if (b->states.count >= UINT32_MAX - 1 || (o->max_states && b->states.count >= o->max_states)) return EXPLORE_STATES;
  if (b->states.count % CHECK_EVERY) return EXPLORE_DONE;
  if (o->max_memory && arena_size(b->arena) > o->max_memory) return EXPLORE_MEMORY;
  if (deadline_passed(b->deadline)) return EXPLORE_TIMEOUT;
  return is_cancelled(o->cancel) ? EXPLORE_CANCELLED : EXPLORE_DONE;
}

/* The number of a node, which is new or known. */
static uint32_t add_node(struct builder *b, const void *state, uint64_t stepped) {
  memcpy(b->padded, state, b->machine->state_size);
  uint64_t hash = hash_join(hash_bytes(b->padded, b->state_room), stepped);
  HASH_EACH (at, &b->table, hash) {
    uint32_t node = hash_number(&b->table, at);
    assert(node < b->stepped.count);
    if (b->stepped.at[node] == stepped && !memcmp(b->states.at[node], b->padded, b->state_room)) return node;
  }
  uint32_t node = (uint32_t)b->states.count;
  uint64_t *copy = arena_alloc(b->arena, b->state_room);
  memcpy(copy, b->padded, b->state_room);
  b->end = limit_met(b);
  hash_add(b->arena, &b->table, hash, node);
  *vec_push(b->arena, &b->states) = copy;
  *vec_push(b->arena, &b->stepped) = stepped;
  *vec_push(b->arena, &b->running) = b->machine->running(b->machine, copy);
  *vec_push(b->arena, &b->parent) = b->node;
  return node;
}

static bool add_edge(struct successor_sink *sink, struct step step, const void *next) {
  struct builder *b = (struct builder *)sink;
  uint64_t movers = b->machine->movers(b->machine, step, b->states.at[b->node]);
  b->enabled.at[b->node] |= movers;
  if (b->alone && movers != b->alone) return true;
  uint32_t to = add_node(b, next, b->stepped.at[b->node] | movers);
  *vec_push(b->arena, &b->edges) = (struct state_edge){to, step, movers};
  return b->end == EXPLORE_DONE;
}

/* The lowest thread of a set that is at a step of its own; 0: none. */
static uint64_t find_alone(const struct builder *b, uint64_t threads) {
  const struct machine *m = b->machine;
  for (unsigned t = 0; m->alone && b->options->por && threads >> t; t++)
    if ((threads >> t & 1) && m->alone(m, b->states.at[b->node], t)) return UINT64_C(1) << t;
  return 0;
}

static void expand(struct builder *b) {
  *vec_push(b->arena, &b->first) = b->edges.count;
  *vec_push(b->arena, &b->enabled) = 0;
  b->alone = find_alone(b, b->stepped.at[b->node] & b->running.at[b->node]);
  bool all = b->machine->successors(b->machine, b->states.at[b->node], &b->sink);
  if (!all && b->end == EXPLORE_DONE) b->end = EXPLORE_MACHINE;
}

enum explore_end state_graph_build(struct arena *arena, const struct machine *machine,
                                   const struct explore_options *options, struct state_graph *graph) {
  struct builder b = {
      .sink = {.emit = add_edge}, .arena = arena, .machine = machine, .options = options, .end = EXPLORE_DONE};
  b.deadline = deadline_in(options->timeout);
  b.state_room = (machine->state_size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
  b.padded = arena_alloc(arena, b.state_room);
  void *initial = arena_alloc(arena, b.state_room);
  machine->initial(machine, initial);
  add_node(&b, initial, 0);
  for (; b.node < b.states.count && b.end == EXPLORE_DONE; b.node++) expand(&b);
  *vec_push(arena, &b.first) = b.edges.count;
  *graph = (struct state_graph){.machine = machine,
                                .count = b.end == EXPLORE_DONE ? (uint32_t)b.states.count
                                         : b.node              ? b.node - 1
                                                               : 0,
                                .states = b.states.at,
                                .stepped = b.stepped.at,
                                .running = b.running.at,
                                .enabled = b.enabled.at,
                                .parent = b.parent.at,
                                .first = b.first.at,
                                .edges = b.edges.at};
  return b.end;
}
