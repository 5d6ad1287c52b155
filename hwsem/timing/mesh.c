/* SPDX-License-Identifier: MIT */
/* Routers: every cycle, each output takes the most urgent head among the inputs
 * that want it, if the next buffer has room. */
#include "hwsem/timing/mesh.h"

enum port { LOCAL, WEST, EAST, NORTH, SOUTH, PORTS }; /* of inputs: where from; of outputs: where to */

struct packet {
  struct mesh_message message;
  int64_t sent, ready; /* ready: its head may go on */
  struct packet *next; /* behind it in a list */
};

struct list {
  struct packet *first, *last;
  int count;
};

struct router {
  struct list inputs[PORTS][MESH_CLASSES];
  int64_t free_at[PORTS]; /* outputs */
  int turn[PORTS];        /* of outputs: the input that is first among equals */
  int load;
};

struct mesh {
  struct arena *arena;
  int side, nodes, buffer;
  struct router *routers;
  struct packet *spare;
  struct list leaving; /* at their destination, in the order of `ready` */
  int64_t under_way;
  struct mesh_counts counts;
};

struct mesh *mesh_new(struct arena *arena, int side, int buffer) {
  struct mesh *mesh = ARENA_NEW(arena, struct mesh);
  *mesh = (struct mesh){.arena = arena, .side = side, .nodes = side * side, .buffer = buffer};
  mesh->routers = ARENA_ARRAY(arena, struct router, (size_t)mesh->nodes);
  return mesh;
}

bool mesh_is_empty(const struct mesh *mesh) {
  return mesh->under_way == 0;
}

struct mesh_counts mesh_counts(const struct mesh *mesh) {
  return mesh->counts;
}

static void append(struct list *list, struct packet *packet) {
  packet->next = NULL;
  *(list->first ? &list->last->next : &list->first) = packet;
  list->last = packet;
  list->count++;
}

static struct packet *pop(struct list *list) {
  struct packet *packet = list->first;
  list->first = packet->next;
  list->count--;
  return packet;
}

static int gap(int a, int b) {
  return a > b ? a - b : b - a;
}

void mesh_send(struct mesh *mesh, struct mesh_message message, int64_t now) {
  struct packet *packet = mesh->spare;
  if (packet)
    mesh->spare = packet->next;
  else
    packet = ARENA_NEW(mesh->arena, struct packet);
  int side = mesh->side;
  int hops = gap(message.from % side, message.to % side) + gap(message.from / side, message.to / side);
  *packet = (struct packet){.message = message, .sent = now, .ready = now};
  append(&mesh->routers[message.from].inputs[LOCAL][message.class], packet);
  mesh->routers[message.from].load++;
  mesh->under_way++;
  mesh->counts.messages++;
  mesh->counts.hops += hops;
  mesh->counts.unloaded += hops + message.flits;
}

/* The output towards a node: along x, then y. */
static enum port route(const struct mesh *mesh, int at, int to) {
  int x = at % mesh->side, tx = to % mesh->side;
  if (tx != x) return tx > x ? EAST : WEST;
  if (to == at) return LOCAL;
  return to > at ? SOUTH : NORTH;
}

static struct router *neighbour(const struct mesh *mesh, int at, enum port output) {
  const int steps[PORTS] = {[WEST] = -1, [EAST] = 1, [NORTH] = -mesh->side, [SOUTH] = mesh->side};
  return &mesh->routers[at + steps[output]];
}

/* The input by which a message enters that has left by an output. */
static enum port entry(enum port output) {
  static const enum port ENTRIES[PORTS] = {[WEST] = EAST, [EAST] = WEST, [NORTH] = SOUTH, [SOUTH] = NORTH};
  return ENTRIES[output];
}

/* A head goes through an output. */
static void forward(struct mesh *mesh, int at, enum port output, struct list *from, int64_t now) {
  struct packet *packet = pop(from);
  struct router *router = &mesh->routers[at];
  router->free_at[output] = now + packet->message.flits;
  router->load--;
  if (output == LOCAL) {
    packet->ready = now + packet->message.flits;
    append(&mesh->leaving, packet);
    return;
  }
  struct router *next = neighbour(mesh, at, output);
  packet->ready = now + 1;
  append(&next->inputs[entry(output)][packet->message.class], packet);
  next->load++;
}

static bool has_room(const struct mesh *mesh, int at, enum port output, int class) {
  return output == LOCAL || neighbour(mesh, at, output)->inputs[entry(output)][class].count < mesh->buffer;
}

/* Each output of a router, for the most urgent class first. */
static void arbitrate(struct mesh *mesh, int at, int64_t now) {
  struct router *router = &mesh->routers[at];
  for (int class = MESH_CLASSES - 1; class >= 0; class --) {
    unsigned wanted[PORTS] = {0}; /* by output: the inputs whose head wants it */
    for (int input = 0; input < PORTS; input++) {
      const struct packet *head = router->inputs[input][class].first;
      if (head && head->ready <= now) wanted[route(mesh, at, head->message.to)] |= 1u << input;
    }
    for (int output = 0; output < PORTS; output++) {
      if (!wanted[output] || router->free_at[output] > now || !has_room(mesh, at, (enum port)output, class)) continue;
      int input = router->turn[output];
      while (!(wanted[output] >> input & 1)) input = (input + 1) % PORTS;
      router->turn[output] = (input + 1) % PORTS;
      forward(mesh, at, (enum port)output, &router->inputs[input][class], now);
    }
  }
}

/* Takes those out that have come; they stay in the order of their leaving. */
static void deliver(struct mesh *mesh, int64_t now, void (*arrive)(void *context, const struct mesh_message *message),
                    void *context) {
  struct list still = {0};
  struct packet *packet = mesh->leaving.first;
  mesh->leaving = (struct list){0};
  while (packet) {
    struct packet *next = packet->next;
    if (packet->ready > now) {
      append(&still, packet);
    } else {
      mesh->under_way--;
      mesh->counts.cycles += packet->ready - packet->sent;
      arrive(context, &packet->message);
      packet->next = mesh->spare;
      mesh->spare = packet;
    }
    packet = next;
  }
  mesh->leaving = still;
}

void mesh_step(struct mesh *mesh, int64_t now, void (*arrive)(void *context, const struct mesh_message *message),
               void *context) {
  for (int at = 0; at < mesh->nodes; at++)
    if (mesh->routers[at].load) arbitrate(mesh, at, now);
  deliver(mesh, now, arrive, context);
}
