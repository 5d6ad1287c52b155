/* SPDX-License-Identifier: MIT */
/* Routers: every cycle, each output takes the most urgent head among the inputs
 * that want it, if the next buffer has room. */
#include "hwsem/timing/mesh.h"

enum port { LOCAL, WEST, EAST, NORTH, SOUTH, PORTS }; /* of inputs: where from; of outputs: where to */

struct packet {
  struct mesh_message message;
  int64_t sent, ready; /* ready: its head may go on */
  enum port output;    /* that it wants of the router where it is */
  struct packet *next; /* behind it in a list */
};

struct list {
  struct packet *first, *last;
  int count;
};

struct router {
  struct list inputs[PORTS][MESH_CLASSES];
  unsigned used[MESH_CLASSES]; /* inputs that hold something */
  int64_t free_at[PORTS];      /* outputs */
  struct router *next[PORTS];  /* behind outputs; NULL: none */
  int turn[PORTS];             /* of outputs: the input that is first among equals */
  int at, x, y;
};

struct mesh {
  struct arena *arena;
  int side, nodes, buffer;
  struct router *routers;
  uint64_t *active; /* routers that hold something, as a set */
  struct packet *spare;
  struct list leaving; /* at their destination, in the order of `ready` */
  int64_t under_way;
  struct mesh_counts counts;
};

struct mesh *mesh_new(struct arena *arena, int side, int buffer) {
  struct mesh *mesh = ARENA_NEW(arena, struct mesh);
  *mesh = (struct mesh){.arena = arena, .side = side, .nodes = side * side, .buffer = buffer};
  mesh->routers = ARENA_ARRAY(arena, struct router, (size_t)mesh->nodes);
  mesh->active = ARENA_ARRAY(arena, uint64_t, (size_t)mesh->nodes / 64 + 1);
  for (int at = 0; at < mesh->nodes; at++) {
    struct router *router = &mesh->routers[at];
    *router = (struct router){.at = at, .x = at % side, .y = at / side};
    if (router->x > 0) router->next[WEST] = router - 1;
    if (router->x + 1 < side) router->next[EAST] = router + 1;
    if (router->y > 0) router->next[NORTH] = router - side;
    if (router->y + 1 < side) router->next[SOUTH] = router + side;
  }
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

/* The output towards a node: along x, then y. */
static enum port route(const struct router *at, const struct router *to) {
  if (to->x != at->x) return to->x > at->x ? EAST : WEST;
  if (to == at) return LOCAL;
  return to->y > at->y ? SOUTH : NORTH;
}

/* A packet comes to an input of a router. */
static void enter(struct mesh *mesh, struct router *router, enum port input, struct packet *packet) {
  packet->output = route(router, &mesh->routers[packet->message.to]);
  append(&router->inputs[input][packet->message.class], packet);
  router->used[packet->message.class] |= 1u << input;
  mesh->active[router->at / 64] |= UINT64_C(1) << router->at % 64;
}

void mesh_send(struct mesh *mesh, struct mesh_message message, int64_t now) {
  struct packet *packet = mesh->spare;
  if (packet)
    mesh->spare = packet->next;
  else
    packet = ARENA_NEW(mesh->arena, struct packet);
  struct router *from = &mesh->routers[message.from];
  const struct router *to = &mesh->routers[message.to];
  int hops = gap(from->x, to->x) + gap(from->y, to->y);
  *packet = (struct packet){.message = message, .sent = now, .ready = now};
  enter(mesh, from, LOCAL, packet);
  mesh->under_way++;
  mesh->counts.messages++;
  mesh->counts.hops += hops;
  mesh->counts.flit_hops += (int64_t)hops * message.flits;
  mesh->counts.unloaded += hops + message.flits;
}

/* The input by which a message enters that has left by an output. */
static enum port entry(enum port output) {
  static const enum port ENTRIES[PORTS] = {[WEST] = EAST, [EAST] = WEST, [NORTH] = SOUTH, [SOUTH] = NORTH};
  return ENTRIES[output];
}

/* The head of an input goes through the output that it wants. */
static void forward(struct mesh *mesh, struct router *router, int input, int class, int64_t now) {
  struct list *from = &router->inputs[input][class];
  struct packet *packet = pop(from);
  if (!from->first) router->used[class] &= ~(1u << input);
  router->free_at[packet->output] = now + packet->message.flits;
  if (packet->output == LOCAL) {
    packet->ready = now + packet->message.flits;
    append(&mesh->leaving, packet);
    return;
  }
  packet->ready = now + 1;
  enter(mesh, router->next[packet->output], entry(packet->output), packet);
}

static bool has_room(const struct mesh *mesh, const struct router *at, enum port output, int class) {
  return output == LOCAL || at->next[output]->inputs[entry(output)][class].count < mesh->buffer;
}

/* Of a set of inputs, the first from `turn` on. */
static int choose(unsigned inputs, int turn) {
  unsigned later = inputs >> turn;
  return later ? turn + __builtin_ctz(later) : __builtin_ctz(inputs);
}

static bool may_leave(const struct router *router, const struct packet *head, int64_t now) {
  return head->ready <= now && router->free_at[head->output] <= now;
}

/* An input's turn at an output has been. */
static void pass_turn(struct router *router, int output, int input) {
  router->turn[output] = input + 1 == PORTS ? 0 : input + 1;
}

/* The only input of a router that holds something of a class: most of the time there is one. */
static void arbitrate_alone(struct mesh *mesh, struct router *router, int input, int class, int64_t now) {
  const struct packet *head = router->inputs[input][class].first;
  if (!may_leave(router, head, now) || !has_room(mesh, router, head->output, class)) return;
  pass_turn(router, (int)head->output, input);
  forward(mesh, router, input, class, now);
}

/* Each output of a router that the heads of a class want. */
static void arbitrate(struct mesh *mesh, struct router *router, int class, int64_t now) {
  enum { ALL = (1 << PORTS) - 1 };
  if (!(router->used[class] & (router->used[class] - 1))) {
    arbitrate_alone(mesh, router, __builtin_ctz(router->used[class]), class, now);
    return;
  }
  unsigned wanted = 0, outputs = 0; /* wanted: PORTS bits for each output: the inputs whose head wants it */
  for (unsigned used = router->used[class]; used; used &= used - 1) {
    int input = __builtin_ctz(used);
    const struct packet *head = router->inputs[input][class].first;
    if (!may_leave(router, head, now)) continue;
    wanted |= 1u << ((int)head->output * PORTS + input);
    outputs |= 1u << head->output;
  }
  for (; outputs; outputs &= outputs - 1) {
    int output = __builtin_ctz(outputs);
    if (!has_room(mesh, router, (enum port)output, class)) continue;
    int input = choose(wanted >> output * PORTS & ALL, router->turn[output]);
    pass_turn(router, output, input);
    forward(mesh, router, input, class, now);
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
  for (int word = 0; word * 64 < mesh->nodes; word++)
    for (uint64_t active = mesh->active[word]; active; active &= active - 1) {
      int bit = __builtin_ctzll(active);
      struct router *router = &mesh->routers[word * 64 + bit];
      for (int class = MESH_CLASSES - 1; class >= 0; class --)
        if (router->used[class]) arbitrate(mesh, router, class, now);
      if (!router->used[0] && !router->used[1]) mesh->active[word] &= ~(UINT64_C(1) << bit);
    }
  if (mesh->leaving.first) deliver(mesh, now, arrive, context);
}
