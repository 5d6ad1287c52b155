/* SPDX-License-Identifier: MIT */
/* Rings of nodes: their analytic latency, and the simulation cycle by cycle.
 *
 * Within a cycle: idle nodes issue, messages arrive, then the holder of each
 * ring's stick changes the table: releases first, then grants.
 */
#include "hwsem/timing/fear.h"

#include <stdlib.h>

#include "checker/base/number.h"
#include "hwsem/timing/events.h"
#include "hwsem/timing/fear_tables.h"
#include "hwsem/timing/splitmix.h"

const char *const fear_workload_names[FEAR_WORKLOAD_COUNT + 1] = {"priv", "mix", "mig", "rnd", "hot", NULL};

/* ---- the mesh ------------------------------------------------------------------- */

static struct fear_spot *spots_new(struct arena *arena, int64_t W) {
  struct fear_spot *spot = ARENA_ARRAY(arena, struct fear_spot, (size_t)(W * W));
  for (int64_t node = 0; node < W * W; node++)
    spot[node] = (struct fear_spot){(int32_t)(node % W), (int32_t)(node / W)};
  return spot;
}

static int64_t hops(const struct fear_spot *spot, int64_t from, int64_t to) {
  return abs(spot[from].x - spot[to].x) + abs(spot[from].y - spot[to].y);
}

/* ---- rings ---------------------------------------------------------------------- */

/* Deals the nodes, in reading order, to their rings. */
static void deal(struct fear_rings *rings, enum fear_layout layout) {
  int64_t columns = rings->a ? rings->W / rings->a : 0, rows = rings->b ? rings->W / rings->b : 0;
  struct arena *arena = arena_new();
  int64_t *filled = ARENA_ARRAY(arena, int64_t, (size_t)rings->count);
  for (int64_t node = 0; node < rings->nodes; node++) {
    int64_t x = node % rings->W, y = node / rings->W;
    int64_t ring = layout == FEAR_ROWS ? node / rings->k : y % rows * columns + x % columns;
    rings->member[ring * rings->k + filled[ring]++] = node;
  }
  arena_free(arena);
}

static bool fits(int64_t W, int64_t k, int64_t a) {
  return a > 0 && k % a == 0 && W % a == 0 && W % (k / a) == 0;
}

bool fear_rings_new(struct arena *arena, int64_t W, enum fear_layout layout, int64_t k, int64_t a,
                    struct fear_rings *rings) {
  int64_t nodes = W * W;
  *rings = (struct fear_rings){.W = W, .nodes = nodes, .k = k, .count = nodes / k};
  rings->member = ARENA_ARRAY(arena, int64_t, (size_t)nodes);
  rings->spot = spots_new(arena, W);
  if (layout == FEAR_ROWS) {
    deal(rings, layout);
    return true;
  }
  int64_t best = 0, least = 0;
  for (int64_t columns = 1; columns <= W; columns++) {
    if (!fits(W, k, columns) || (a && a != columns)) continue;
    rings->a = columns;
    rings->b = k / columns;
    deal(rings, layout);
    int64_t sum = fear_transport(rings);
    if (!best || sum <= least) best = columns, least = sum;
  }
  if (!best) return false;
  rings->a = best;
  rings->b = k / best;
  deal(rings, layout);
  return true;
}

int64_t fear_nearest(const struct fear_rings *rings, int64_t ring, int64_t node) {
  const int64_t *member = &rings->member[ring * rings->k];
  int64_t best = 0, least = hops(rings->spot, node, member[0]);
  for (int64_t j = 1; j < rings->k; j++) {
    int64_t distance = hops(rings->spot, node, member[j]);
    if (distance < least) best = j, least = distance;
  }
  return best;
}

int64_t fear_transport(const struct fear_rings *rings) {
  int64_t sum = 0;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++)
      sum += 2 * hops(rings->spot, node, rings->member[ring * rings->k + fear_nearest(rings, ring, node)]);
  return sum;
}

int64_t fear_uncontended(const struct fear_rings *rings, int64_t hop) {
  int64_t sum = 0, k = rings->k;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++) {
      int64_t j = fear_nearest(rings, ring, node), d = hop * hops(rings->spot, node, rings->member[ring * k + j]);
      for (int64_t phase = 0; phase < k; phase++) sum += 2 * d + ((j - phase - d) % k + k) % k;
    }
  return sum;
}

/* ---- the simulation ------------------------------------------------------------- */

/* Arrivals of a cycle, in this order. */
enum arrival { ARRIVE_RELEASE, ARRIVE_REQUEST };

/* Where an address is, and what guards it. */
struct place {
  int32_t slice, mutex, ring;
  int32_t wire;       /* [ring * B + wire] */
  int32_t entry;      /* of a node's lookup table */
  int32_t home;       /* member nearest to the slice: releases go there */
  int64_t from_slice; /* its distance in cycles */
};

/* A node's way to a ring: the nearest member, and its distance in cycles. */
struct way {
  int32_t member; /* [ring * k + j] */
  int32_t distance;
};

/* One operation of a node. */
struct operation {
  int32_t node, address;
  int64_t issued;
  int64_t to_slice; /* cycles */
};

struct node {
  int64_t issued;  /* operations issued so far */
  int32_t *lookup; /* address by entry + 1; 0: empty */
};

struct simulation {
  struct arena *arena;
  const struct fear_parameters *p;
  const struct fear_rings *rings;
  struct place *places;         /* by address */
  struct way *ways;             /* [node * rings + ring] */
  struct operation *operations; /* [node * ops + j] */
  struct node *nodes;
  struct fear_tables tables;
  int64_t busy;          /* how long an update takes */
  int64_t turn, arrives; /* this cycle % k; when the next arrival is */
  struct event_queue arrivals;
  int64_t granted;
  struct fear_result result;
};

/* ---- what nodes will do ---- */

enum { PRIVATE_LINES = 8, RANDOM_LINES = 64 };

/* Private lines come first, some of each node, and lines that all share behind them. */
static int64_t address_of(enum fear_workload workload, int64_t nodes, int64_t node, int64_t j, uint64_t *seed) {
  int64_t own = PRIVATE_LINES * node + j % PRIVATE_LINES;
  switch (workload) {
    case FEAR_PRIV:
      return own;
    case FEAR_MIX:
      return j % 8 == 7 ? PRIVATE_LINES * nodes + j / 8 % nodes : own;
    case FEAR_MIG:
      return (node + j) % nodes;
    case FEAR_RND:
      return (int64_t)(splitmix_next(seed) % RANDOM_LINES);
    case FEAR_HOT:
    case FEAR_WORKLOAD_COUNT:
      break;
  }
  return 0;
}

/* All addresses are below this. */
static int64_t address_limit(int64_t nodes) {
  return larger((PRIVATE_LINES + 1) * nodes, RANDOM_LINES);
}

/* Addresses step over the slices by 5; where that divides the nodes it would never
 * reach most of them, and the next number without a common divisor is taken. */
static int64_t stride_of(int64_t nodes) {
  int64_t stride = 5;
  while (common_divisor(stride, nodes) != 1) stride++;
  return stride;
}

/* The slice of each address. */
static int32_t *slices_new(struct arena *arena, int64_t nodes) {
  int64_t count = address_limit(nodes), stride = stride_of(nodes);
  int32_t *slices = ARENA_ARRAY(arena, int32_t, (size_t)count);
  for (int64_t address = 0; address < count; address++) slices[address] = (int32_t)((stride * address + 3) % nodes);
  return slices;
}

/* What the nodes will do; empty beyond the point where the limit was reached. */
static struct operation *plan(struct arena *arena, const struct fear_parameters *p, const struct fear_spot *spot,
                              const int32_t *slices, enum fear_workload workload, struct cost_limit *limit) {
  int64_t nodes = p->W * p->W;
  struct operation *operations = ARENA_ARRAY(arena, struct operation, (size_t)(nodes * p->ops));
  uint64_t seed = 1;
  for (int64_t node = 0; node < nodes; node++)
    for (int64_t j = 0; j < p->ops && !cost_limit_met(limit); j++) {
      struct operation *op = &operations[node * p->ops + j];
      op->node = (int32_t)node;
      op->address = (int32_t)address_of(workload, nodes, node, j, &seed);
      op->to_slice = p->hop * hops(spot, node, slices[op->address]);
    }
  return operations;
}

/* ---- operations on their way ---- */

static const struct place *place_of(const struct simulation *s, const struct operation *op) {
  return &s->places[op->address];
}

static const struct way *way_of(const struct simulation *s, const struct operation *op) {
  return &s->ways[op->node * s->rings->count + place_of(s, op)->ring];
}

static void send(struct simulation *s, int64_t time, enum arrival kind, int64_t operation) {
  event_queue_push(&s->arrivals, &(struct event){.time = time, .order = (uint64_t)kind << 56 | (uint64_t)operation});
  s->arrives = smaller(s->arrives, time);
}

/* The next operation of a node, if it has one, begins at `time`. */
static void go_on(struct simulation *s, int64_t node, int64_t time) {
  struct node *n = &s->nodes[node];
  if (n->issued == s->p->ops) return;
  int64_t index = node * s->p->ops + n->issued++;
  struct operation *op = &s->operations[index];
  op->issued = time;
  s->result.events++;
  send(s, time + way_of(s, op)->distance, ARRIVE_REQUEST, index);
}

/* With a release comes what was written back: that it arrived at the slice, and that the slice
 * sent the release on, are one event more. */
static void arrive(struct simulation *s, enum arrival kind, int64_t index) {
  const struct operation *op = &s->operations[index];
  const struct place *place = place_of(s, op);
  bool releases = kind == ARRIVE_RELEASE;
  fear_tables_enqueue(&s->tables, releases ? place->home : way_of(s, op)->member, releases,
                      (struct fear_waiter){index, op->node, place->mutex, place->wire});
  s->result.events += releases ? 2 : 1;
}

static void receive(struct simulation *s, int64_t now) {
  while (s->arrives <= now && event_queue_begin(&s->arrivals)) {
    for (struct event_node *event; (event = event_queue_take(&s->arrivals)); event_node_free(&s->arrivals, event))
      arrive(s, (enum arrival)(event->order >> 56), (int64_t)(event->order & (UINT64_MAX >> 8)));
    s->arrives = event_queue_time(&s->arrivals);
  }
}

/* The run has ended at `now`: of the releases on their way some had been at the slice. */
static void count_written_back(struct simulation *s, int64_t now) {
  for (struct event event; event_queue_pop(&s->arrivals, &event);) {
    const struct operation *op = &s->operations[event.order & (UINT64_MAX >> 8)];
    s->result.events += event.time - place_of(s, op)->from_slice - 1 <= now;
  }
}

/* Where a granted operation's data comes from, and when it is there.  An address has one mutex:
 * what the node did last under it was on this address if its entry says so. */
static int64_t data_ready(struct simulation *s, const struct operation *op, struct node *node, bool same, bool mature,
                          int64_t granted) {
  const struct fear_parameters *p = s->p;
  int32_t *entry = &node->lookup[place_of(s, op)->entry];
  int64_t round_trip = 2 * op->to_slice + p->L2;
  bool cached = same && *entry == op->address + 1;
  *entry = op->address + 1;
  if (cached) {
    s->result.cached++;
    return granted + p->L1;
  }
  if (p->spec && mature && op->issued / p->E == granted / p->E) {
    s->result.speculative++;
    return larger(granted, op->issued + round_trip);
  }
  s->result.fetched++;
  return granted + round_trip;
}

static void grant(struct simulation *s, const struct fear_change *change) {
  const struct fear_parameters *p = s->p;
  const struct operation *op = &s->operations[change->operation];
  int64_t arrives = change->now + way_of(s, op)->distance;
  bool mature = p->spec && change->mature;
  int64_t performed = data_ready(s, op, &s->nodes[op->node], change->same, mature, arrives) + p->ALU;
  go_on(s, op->node, larger(performed + p->Z, change->now + 1));
  send(s, performed + op->to_slice + 1 + place_of(s, op)->from_slice, ARRIVE_RELEASE, change->operation);
  s->granted++;
  s->result.acquisition += arrives - op->issued;
  s->result.latency += performed - op->issued;
  s->result.end = larger(s->result.end, performed);
}

static int64_t changed(void *context, const struct fear_change *change) {
  struct simulation *s = context;
  s->result.events++;
  if (!change->releases) grant(s, change);
  return change->now + s->busy;
}

/* The next cycle in which something arrives, or somebody who waits holds a stick. */
static int64_t next_cycle(struct simulation *s, int64_t now) {
  bool waits = fear_tables_someone_waits(&s->tables);
  int64_t next = larger(s->arrives, now + 1), k = s->rings->k, turn = s->turn;
  for (int64_t cycle = now + 1; waits && cycle < next; cycle++) {
    turn = turn + 1 == k ? 0 : turn + 1;
    if (!fear_tables_holder_waits(&s->tables, turn)) continue;
    s->turn = turn;
    return cycle;
  }
  s->turn = next % k;
  return next;
}

/* ---- the run ---- */

static void find_ways(struct simulation *s, struct cost_limit *limit) {
  const struct fear_rings *rings = s->rings;
  s->ways = ARENA_ARRAY(s->arena, struct way, (size_t)(rings->nodes * rings->count));
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count && !cost_limit_met(limit); ring++) {
      int64_t member = ring * rings->k + fear_nearest(rings, ring, node);
      s->ways[node * rings->count + ring] =
          (struct way){(int32_t)member, (int32_t)(s->p->hop * hops(rings->spot, node, rings->member[member]))};
    }
}

static void find_places(struct simulation *s, const int32_t *slices) {
  const struct fear_parameters *p = s->p;
  int64_t rings = s->rings->count, count = address_limit(s->rings->nodes);
  s->places = ARENA_ARRAY(s->arena, struct place, (size_t)count);
  for (int64_t address = 0; address < count; address++) {
    int64_t mutex = address % p->M, ring = mutex % rings;
    const struct way *way = &s->ways[slices[address] * rings + ring];
    s->places[address] = (struct place){
        slices[address],           (int32_t)mutex, (int32_t)ring, (int32_t)(ring * p->B + mutex / rings % p->B),
        (int32_t)(mutex % p->LUT), way->member,    way->distance};
  }
}

/* Of mutexes and entries of lookup tables only those that some address has are there. */
static void prepare(struct simulation *s, enum fear_workload workload, struct cost_limit *limit) {
  const struct fear_parameters *p = s->p;
  const struct fear_rings *rings = s->rings;
  size_t nodes = (size_t)rings->nodes;
  int64_t mutexes = smaller(p->M, address_limit(rings->nodes)), entries = smaller(p->LUT, mutexes);
  const int32_t *slices = slices_new(s->arena, rings->nodes);
  s->operations = plan(s->arena, p, rings->spot, slices, workload, limit);
  find_ways(s, limit);
  find_places(s, slices);
  s->tables = fear_tables_new(s->arena, rings, p->B, mutexes, p->E);
  s->tables.changed = changed;
  s->tables.context = s;
  s->busy = rings->k > 1 ? rings->k * p->u : 0;
  s->nodes = ARENA_ARRAY(s->arena, struct node, nodes);
  int32_t *lookup = ARENA_ARRAY(s->arena, int32_t, nodes * (size_t)entries);
  for (size_t i = 0; i < nodes; i++) s->nodes[i].lookup = &lookup[i * (size_t)entries];
}

struct fear_result fear_simulate(const struct fear_parameters *parameters, const struct fear_rings *rings,
                                 enum fear_workload workload, struct cost_limit *limit) {
  struct arena *arena = arena_new();
  struct simulation s = {
      .arena = arena, .p = parameters, .rings = rings, .arrives = INT64_MAX, .arrivals = {.arena = arena}};
  prepare(&s, workload, limit);
  int64_t total = rings->nodes * parameters->ops, now = 0;
  for (int64_t node = 0; node < rings->nodes; node++) go_on(&s, node, 0);
  for (;;) {
    if (s.arrives <= now) receive(&s, now);
    fear_tables_serve(&s.tables, s.turn, now);
    if (s.granted == total || cost_limit_met(limit)) break;
    now = next_cycle(&s, now);
  }
  count_written_back(&s, now);
  arena_free(arena);
  return s.result;
}

/* ---- the baseline ----------------------------------------------------------------- */

struct fear_result fear_simulate_memside(const struct fear_parameters *p, enum fear_workload workload,
                                         struct cost_limit *limit) {
  struct arena *arena = arena_new();
  int64_t nodes = p->W * p->W;
  const int32_t *slices = slices_new(arena, nodes);
  struct operation *operations = plan(arena, p, spots_new(arena, p->W), slices, workload, limit);
  int64_t *next = ARENA_ARRAY(arena, int64_t, (size_t)nodes), *free_at = ARENA_ARRAY(arena, int64_t, (size_t)nodes);
  struct event_queue arrivals = {.arena = arena};
  struct fear_result result = {0};
  for (int64_t i = 0; i < nodes; i++)
    event_queue_push(&arrivals, &(struct event){.time = operations[i * p->ops].to_slice, .order = (uint64_t)i});
  for (struct event event; !cost_limit_met(limit) && event_queue_pop(&arrivals, &event);) {
    int64_t i = (int64_t)event.order;
    result.events++;
    const struct operation *op = &operations[i * p->ops + next[i]];
    int64_t *slice = &free_at[slices[op->address]];
    *slice = larger(*slice, event.time) + p->L2 + p->ALU;
    int64_t returned = *slice + op->to_slice;
    result.latency += returned - (event.time - op->to_slice);
    result.end = larger(result.end, returned);
    if (++next[i] < p->ops) {
      event.time = returned + p->Z + op[1].to_slice;
      event_queue_push(&arrivals, &event);
    }
  }
  arena_free(arena);
  return result;
}
