/* SPDX-License-Identifier: MIT */
/* Routers: every cycle, each output takes the most urgent head among the inputs
 * that want it, if the next buffer has room.
 *
 * A hop is most of what a simulation does, and which way a message goes no processor
 * can guess.  So ways are looked up in tables, not compared, and a message that has come
 * is one that was moved to a queue as any other. */
#include "hwsem/timing/mesh.h"

#include <limits.h>

enum port { LOCAL, WEST, EAST, NORTH, SOUTH, PORTS }; /* of inputs: where from; of outputs: where to */

struct packet {
  struct mesh_message message;
  int64_t sent, ready; /* ready: its head may go on */
  struct packet *next; /* after it in a queue */
  enum port output;    /* that it wants of the router where it is */
};

/* What an input holds of a class. */
struct queue {
  struct packet *first, **end; /* end: what points after the last */
  struct router *router;       /* whose input it is, ... */
  uint16_t bit;                /* ... in `used` */
  uint8_t class, turn;         /* turn: the input that is first once this one was */
  int room;                    /* for so many more */
};

struct output {
  int64_t free_at;
  struct queue *to[MESH_CLASSES]; /* NULL: there is no node; of a LOCAL one: `leaving` */
  int turn;                       /* the input that is first among equals */
  unsigned arrives;               /* of a LOCAL output: all bits */
};

enum { QUEUES = MESH_CLASSES * PORTS };

struct router {
  const uint8_t *routes;       /* outputs by destination */
  uint64_t *active, bit;       /* where it is in the set of routers that hold something */
  uint16_t used, x, y;         /* used: queues that do, as a set */
  struct queue inputs[QUEUES]; /* of the less urgent class first */
  struct output outputs[PORTS];
};

enum { LEAVING = 64 }; /* a power of two; most messages have less flits */

struct mesh {
  struct arena *arena;
  int side, nodes, words;
  struct router *routers; /* one after the nodes': where messages have arrived */
  uint64_t *active;       /* routers that hold something, as a set: `words`, and one for the last */
  struct packet *free_packets;
  struct queue leaving[LEAVING]; /* at their destination, by the cycle in which the last flit comes */
  int64_t under_way;
  struct mesh_counts counts;
};

/* ---- building it ---- */

static int gap(int a, int b) {
  return a > b ? a - b : b - a;
}

/* The output towards a node: along x, then y. */
static enum port route(int side, int at, int to) {
  if (to % side != at % side) return to % side > at % side ? EAST : WEST;
  if (to == at) return LOCAL;
  return to > at ? SOUTH : NORTH;
}

static void queue_new(struct queue *queue, struct router *router, int number, int room) {
  *queue = (struct queue){.end = &queue->first,
                          .router = router,
                          .bit = (uint16_t)(1u << number),
                          .class = (uint8_t)(number / PORTS),
                          .turn = (uint8_t)((number + 1) % PORTS),
                          .room = room};
}

static void connect(struct router *router, enum port output, struct router *next, enum port input) {
  for (int class = 0; class < MESH_CLASSES; class ++)
    router->outputs[output].to[class] = &next->inputs[class * PORTS + (int)input];
}

static void router_new(struct mesh *mesh, int at, int buffer, uint8_t *routes) {
  struct router *router = &mesh->routers[at];
  int side = mesh->side, x = at % side, y = at / side;
  *router = (struct router){.routes = routes,
                            .active = &mesh->active[at / 64],
                            .bit = UINT64_C(1) << at % 64,
                            .x = (uint16_t)x,
                            .y = (uint16_t)y};
  for (int i = 0; i < QUEUES; i++) queue_new(&router->inputs[i], router, i, i % PORTS == LOCAL ? INT_MAX : buffer);
  for (int to = 0; to < mesh->nodes; to++) routes[to] = (uint8_t)route(side, at, to);
  router->outputs[LOCAL] = (struct output){.to = {mesh->leaving, mesh->leaving}, .arrives = UINT_MAX};
  if (x > 0) connect(router, WEST, router - 1, EAST);
  if (x + 1 < side) connect(router, EAST, router + 1, WEST);
  if (y > 0) connect(router, NORTH, router - side, SOUTH);
  if (y + 1 < side) connect(router, SOUTH, router + side, NORTH);
}

struct mesh *mesh_new(struct arena *arena, int side, int buffer) {
  struct mesh *mesh =
      ARENA_MAKE(arena, struct mesh, .arena = arena, .side = side, .nodes = side * side, .words = side * side / 64 + 1);
  size_t nodes = (size_t)mesh->nodes;
  uint8_t *routes = ARENA_ARRAY(arena, uint8_t, nodes * nodes);
  mesh->routers = ARENA_ARRAY(arena, struct router, nodes + 1);
  mesh->active = ARENA_ARRAY(arena, uint64_t, (size_t)mesh->words + 1);
  for (size_t at = 0; at < nodes; at++) router_new(mesh, (int)at, buffer, routes + at * nodes);
  struct router *arrived = &mesh->routers[nodes];
  *arrived = (struct router){.routes = routes, .active = &mesh->active[mesh->words]};
  for (int i = 0; i < LEAVING; i++) queue_new(&mesh->leaving[i], arrived, 0, INT_MAX);
  return mesh;
}

bool mesh_is_empty(const struct mesh *mesh) {
  return mesh->under_way == 0;
}

struct mesh_counts mesh_counts(const struct mesh *mesh) {
  return mesh->counts;
}

/* ---- queues ---- */

static void append(struct queue *queue, struct packet *packet) {
  struct router *router = queue->router;
  packet->next = NULL;
  packet->output = (enum port)router->routes[packet->message.to];
  *queue->end = packet;
  queue->end = &packet->next;
  queue->room--;
  router->used |= queue->bit;
  *router->active |= router->bit;
}

static struct packet *pop(struct queue *queue) {
  struct packet *packet = queue->first;
  bool last = !packet->next;
  queue->first = packet->next;
  queue->end = last ? &queue->first : queue->end;
  queue->room++;
  queue->router->used ^= last ? queue->bit : 0;
  return packet;
}

struct mesh_message *mesh_send(struct mesh *mesh, int from, int to, int class, int flits, int64_t now) {
  struct packet *packet = mesh->free_packets;
  if (packet)
    mesh->free_packets = packet->next;
  else
    packet = ARENA_NEW(mesh->arena, struct packet);
  struct router *router = &mesh->routers[from];
  const struct router *end = &mesh->routers[to];
  int hops = gap(router->x, end->x) + gap(router->y, end->y);
  packet->message = (struct mesh_message){.from = from, .to = to, .class = class, .flits = flits};
  packet->sent = packet->ready = now;
  append(&router->inputs[class * PORTS + LOCAL], packet);
  mesh->under_way++;
  mesh->counts.messages++;
  mesh->counts.hops += hops;
  mesh->counts.flit_hops += (int64_t)hops * flits;
  mesh->counts.unloaded += hops + flits;
  return &packet->message;
}

/* ---- a cycle ---- */

/* May the head of a queue go through the output that it wants? */
static bool may_leave(const struct router *router, const struct queue *queue, int64_t now) {
  const struct packet *head = queue->first;
  const struct output *output = &router->outputs[head->output];
  return (head->ready <= now) & (output->free_at <= now) & (output->to[queue->class]->room > 0);
}

/* It does, and its turn there has been. */
static void forward(struct router *router, struct queue *queue, int64_t now) {
  struct packet *packet = pop(queue);
  struct output *output = &router->outputs[packet->output];
  unsigned flits = (unsigned)packet->message.flits;
  output->turn = queue->turn;
  output->free_at = now + flits;
  packet->ready = now + 1 + (output->arrives & (flits - 1));
  append(output->to[queue->class] + (output->arrives & (uint64_t)packet->ready % LEAVING), packet);
}

/* Of the queues that want an output, the one whose turn it is: the first input from `turn` on. */
static int choose(unsigned queues, int turn) {
  unsigned urgent = queues >> PORTS, inputs = urgent ? urgent : queues, later = inputs >> turn << turn;
  return (urgent ? PORTS : 0) + __builtin_ctz(later ? later : inputs);
}

/* What a router does in a cycle, of which most see one message there: an output takes one of those
 * that want it and may leave. */
static void visit(struct router *router, int64_t now) {
  if (!(router->used & (router->used - 1))) {
    struct queue *only = &router->inputs[__builtin_ctz(router->used)];
    if (may_leave(router, only, now)) forward(router, only, now);
    return;
  }
  uint64_t wanted = 0; /* QUEUES bits for each output */
  unsigned outputs = 0;
  for (unsigned used = router->used; used; used &= used - 1) {
    int queue = __builtin_ctz(used);
    bool may = may_leave(router, &router->inputs[queue], now);
    unsigned output = router->inputs[queue].first->output;
    wanted |= (uint64_t)may << (output * QUEUES + (unsigned)queue);
    outputs |= (unsigned)may << output;
  }
  for (; outputs; outputs &= outputs - 1) {
    int output = __builtin_ctz(outputs);
    unsigned queues = wanted >> output * QUEUES & ((1 << QUEUES) - 1);
    forward(router, &router->inputs[choose(queues, router->outputs[output].turn)], now);
  }
}

/* Takes those out that have come; they stay in the order of their leaving. */
static void deliver(struct mesh *mesh, int64_t now, void (*arrive)(void *context, const struct mesh_message *message),
                    void *context) {
  struct queue *queue = &mesh->leaving[now % LEAVING];
  struct packet *packet = queue->first;
  queue_new(queue, queue->router, 0, INT_MAX);
  while (packet) {
    struct packet *next = packet->next;
    if (packet->ready > now) {
      append(queue, packet);
    } else {
      mesh->under_way--;
      mesh->counts.cycles += packet->ready - packet->sent;
      arrive(context, &packet->message);
      packet->next = mesh->free_packets;
      mesh->free_packets = packet;
    }
    packet = next;
  }
}

void mesh_step(struct mesh *mesh, int64_t now, void (*arrive)(void *context, const struct mesh_message *message),
               void *context) {
  for (int word = 0; word < mesh->words; word++) {
    struct router *routers = &mesh->routers[word * 64];
    uint64_t active = mesh->active[word];
    mesh->active[word] = 0;
    for (; active; active &= active - 1) {
      struct router *router = &routers[__builtin_ctzll(active)];
      visit(router, now);
      mesh->active[word] |= router->used ? router->bit : 0;
    }
  }
  deliver(mesh, now, arrive, context);
}
