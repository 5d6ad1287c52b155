/* SPDX-License-Identifier: MIT */
/* Rings of nodes: their analytic latency, and the simulation cycle by cycle.
 *
 * Within a cycle: idle nodes issue, messages arrive, then the holder of each
 * ring's stick changes the table: releases first, then grants.
 */
#include "hwsem/timing/fear.h"

#include "checker/base/vec.h"
#include "hwsem/timing/events.h"
#include "hwsem/timing/splitmix.h"

const char *const fear_workload_names[FEAR_WORKLOAD_COUNT + 1] = {"priv", "mix", "mig", "rnd", "hot", NULL};

static int64_t max(int64_t a, int64_t b) {
  return a > b ? a : b;
}
static int64_t gap(int64_t a, int64_t b) {
  return a > b ? a - b : b - a;
}
static int64_t hops(int64_t W, int64_t from, int64_t to) {
  return gap(from % W, to % W) + gap(from / W, to / W);
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

/* Index in a ring of the member nearest to a node; the first of several. */
static int64_t nearest(const struct fear_rings *rings, int64_t ring, int64_t node) {
  const int64_t *member = &rings->member[ring * rings->k];
  int64_t best = 0;
  for (int64_t j = 1; j < rings->k; j++)
    if (hops(rings->W, node, member[j]) < hops(rings->W, node, member[best])) best = j;
  return best;
}

int64_t fear_transport(const struct fear_rings *rings) {
  int64_t sum = 0;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++)
      sum += 2 * hops(rings->W, node, rings->member[ring * rings->k + nearest(rings, ring, node)]);
  return sum;
}

int64_t fear_uncontended(const struct fear_rings *rings, int64_t hop) {
  int64_t sum = 0, k = rings->k;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++) {
      int64_t j = nearest(rings, ring, node), d = hop * hops(rings->W, node, rings->member[ring * k + j]);
      for (int64_t phase = 0; phase < k; phase++) sum += 2 * d + ((j - phase - d) % k + k) % k;
    }
  return sum;
}

/* ---- the simulation ------------------------------------------------------------- */

enum { NEVER = -1 };

/* Arrivals of a cycle, in this order; first nodes go on. */
enum arrival { GO_ON, ARRIVE_WRITE_BACK, ARRIVE_RELEASE, ARRIVE_REQUEST };

struct mutex {
  bool taken;
  int64_t last, released; /* the last owner and the time of the last release, or NEVER */
};

/* One operation of a node. */
struct operation {
  int64_t address, slice, mutex, ring, member;
  int64_t node, wire, entry; /* wire: [ring * B + wire]; entry: of the node's lookup table */
  int64_t issued;
  int64_t to_member, to_slice; /* distances in cycles */
  int64_t home;                /* member nearest to the slice: releases go there */
  int64_t from_slice;          /* its distance */
};

struct node {
  int64_t issued;  /* operations issued so far */
  int64_t *lookup; /* address by entry + 1; 0: empty */
  int64_t *lookup_mutex;
};

/* Operations that wait at a member, in the order of their arrival. */
struct waiting {
  VEC(int64_t) list;
};

struct simulation {
  struct arena *arena;
  const struct fear_parameters *p;
  const struct fear_rings *rings;
  struct operation *operations; /* [node * ops + j] */
  int64_t *nearest;             /* [node * rings + ring]: a member's index */
  struct node *nodes;
  struct mutex *mutexes;
  int64_t *wires;                      /* [ring * B + wire]: busy before this time */
  struct waiting *releases, *requests; /* [ring * k + member] */
  int words;                           /* of a set of members */
  uint64_t *waiting;                   /* members who may have something to do when they hold a stick */
  uint64_t *sticks;                    /* [cycle % k * words]: members who hold one */
  int64_t turn, arrives;               /* this cycle % k; when the next arrival is */
  struct event_queue arrivals;
  int64_t granted;
  struct fear_result result;
};

/* Private lines come first, eight of each node, and lines that all share behind them. */
static int64_t address_of(enum fear_workload workload, int64_t nodes, int64_t node, int64_t j, uint64_t *seed) {
  switch (workload) {
    case FEAR_PRIV:
      return 8 * node + j % 8;
    case FEAR_MIX:
      return j % 8 == 7 ? 8 * nodes + j / 8 % nodes : 8 * node + j % 8;
    case FEAR_MIG:
      return (node + j) % nodes;
    case FEAR_RND:
      return (int64_t)(splitmix_next(seed) % 64);
    case FEAR_HOT:
    case FEAR_WORKLOAD_COUNT:
      break;
  }
  return 0;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  return b ? common_divisor(b, a % b) : a;
}

/* Addresses step over the slices by 5; where that divides the nodes it would never
 * reach most of them, and the next number without a common divisor is taken. */
static int64_t stride_of(int64_t nodes) {
  int64_t stride = 5;
  while (common_divisor(stride, nodes) != 1) stride++;
  return stride;
}

static int64_t slice_of(int64_t address, int64_t stride, int64_t nodes) {
  return (stride * address + 3) % nodes;
}

/* What the nodes will do; empty beyond the point where the limit was met. */
static struct operation *plan(struct arena *arena, const struct fear_parameters *p, enum fear_workload workload,
                              struct cost_limit *limit) {
  int64_t nodes = p->W * p->W, stride = stride_of(nodes);
  struct operation *operations = ARENA_ARRAY(arena, struct operation, (size_t)(nodes * p->ops));
  uint64_t seed = 1;
  for (int64_t node = 0; node < nodes; node++)
    for (int64_t j = 0; j < p->ops && !cost_limit_met(limit); j++) {
      struct operation *op = &operations[node * p->ops + j];
      op->address = address_of(workload, nodes, node, j, &seed);
      op->slice = slice_of(op->address, stride, nodes);
      op->to_slice = p->hop * hops(p->W, node, op->slice);
    }
  return operations;
}

/* Where an operation's messages go. */
static void route(const struct simulation *s, struct operation *op, int64_t node) {
  const struct fear_rings *rings = s->rings;
  op->mutex = op->address % s->p->M;
  op->ring = op->mutex % rings->count;
  op->node = node;
  op->entry = op->mutex % s->p->LUT;
  op->wire = op->ring * s->p->B + op->mutex / rings->count % s->p->B;
  op->member = s->nearest[node * rings->count + op->ring];
  op->home = s->nearest[op->slice * rings->count + op->ring];
  const int64_t *member = &rings->member[op->ring * rings->k];
  op->to_member = s->p->hop * hops(rings->W, node, member[op->member]);
  op->from_slice = s->p->hop * hops(rings->W, op->slice, member[op->home]);
}

static void send(struct simulation *s, int64_t time, enum arrival kind, int64_t operation) {
  event_queue_push(&s->arrivals, &(struct event){.time = time, .order = (uint64_t)kind << 56 | (uint64_t)operation});
}

/* The next operation of a node, if it has one. */
static void go_on(struct simulation *s, int64_t node, int64_t time) {
  struct node *n = &s->nodes[node];
  if (n->issued < s->p->ops) send(s, time, GO_ON, node * s->p->ops + n->issued++);
}

static void enqueue(struct simulation *s, struct waiting *lists, int64_t member, int64_t operation) {
  *vec_push(s->arena, &lists[member].list) = operation;
  s->waiting[member / 64] |= UINT64_C(1) << member % 64;
}

static void receive(struct simulation *s, int64_t now) {
  struct event event;
  while (event_queue_time(&s->arrivals) <= now && event_queue_pop(&s->arrivals, &event)) {
    int64_t index = (int64_t)(event.order & (UINT64_MAX >> 8));
    s->result.events++;
    struct operation *op = &s->operations[index];
    int64_t first = op->ring * s->rings->k;
    switch ((enum arrival)(event.order >> 56)) {
      case GO_ON:
        op->issued = event.time;
        send(s, event.time + op->to_member, ARRIVE_REQUEST, index);
        break;
      case ARRIVE_WRITE_BACK:
        send(s, event.time + 1 + op->from_slice, ARRIVE_RELEASE, index);
        break;
      case ARRIVE_RELEASE:
        enqueue(s, s->releases, first + op->home, index);
        break;
      case ARRIVE_REQUEST:
        enqueue(s, s->requests, first + op->member, index);
        break;
    }
  }
}

/* Where a granted operation's data comes from, and when it is there. */
static int64_t data_ready(struct simulation *s, const struct operation *op, struct node *node, bool same, bool mature,
                          int64_t granted) {
  const struct fear_parameters *p = s->p;
  int64_t entry = op->entry;
  int64_t round_trip = 2 * op->to_slice + p->L2;
  bool cached = same && node->lookup[entry] == op->address + 1 && node->lookup_mutex[entry] == op->mutex;
  node->lookup[entry] = op->address + 1;
  node->lookup_mutex[entry] = op->mutex;
  if (cached) {
    s->result.cached++;
    return granted + p->L1;
  }
  if (p->spec && mature && op->issued / p->E == granted / p->E) {
    s->result.speculative++;
    return max(granted, op->issued + round_trip);
  }
  s->result.fetched++;
  return granted + round_trip;
}

static void grant(struct simulation *s, int64_t index, int64_t now) {
  const struct fear_parameters *p = s->p;
  const struct operation *op = &s->operations[index];
  struct mutex *mutex = &s->mutexes[op->mutex];
  int64_t i = op->node, arrives = now + op->to_member;
  bool same = mutex->last == i, mature = mutex->released == NEVER || now / p->E > mutex->released / p->E;
  mutex->taken = true;
  mutex->last = i;
  int64_t performed = data_ready(s, op, &s->nodes[i], same, mature, arrives) + p->ALU;
  go_on(s, i, max(performed + p->Z, now + 1));
  send(s, performed + op->to_slice, ARRIVE_WRITE_BACK, index);
  s->granted++;
  s->result.acquisition += arrives - op->issued;
  s->result.latency += performed - op->issued;
  s->result.end = max(s->result.end, performed);
}

/* A mutex of the ring is free: who waits for it looks again. */
static void wake(struct simulation *s, int64_t ring) {
  for (int64_t member = ring * s->rings->k; member < (ring + 1) * s->rings->k; member++)
    if (s->requests[member].list.count) s->waiting[member / 64] |= UINT64_C(1) << member % 64;
}

/* Lets a member do what it can of its list, in order; the rest stays.  Returns whether that
 * should be looked at again before a mutex becomes free. */
static bool serve(struct simulation *s, struct waiting *member, bool releases, int64_t now) {
  int64_t busy = s->rings->k > 1 ? s->rings->k * s->p->u : 0;
  size_t kept = 0;
  bool again = false;
  for (size_t i = 0; i < member->list.count; i++) {
    int64_t index = member->list.at[i];
    const struct operation *op = &s->operations[index];
    struct mutex *mutex = &s->mutexes[op->mutex];
    int64_t *wire = &s->wires[op->wire];
    bool taken = !releases && mutex->taken;
    if (taken || *wire > now) {
      member->list.at[kept++] = index;
      again |= !taken;
      continue;
    }
    *wire = now + busy;
    s->result.events++;
    if (releases) {
      mutex->taken = false;
      mutex->released = now;
      wake(s, op->ring);
    } else {
      grant(s, index, now);
    }
  }
  member->list.count = kept;
  return again;
}

/* The holders of the sticks, a ring after the other. */
static void serve_sticks(struct simulation *s, int64_t now) {
  const uint64_t *sticks = &s->sticks[s->turn * s->words];
  for (int word = 0; word < s->words; word++)
    for (uint64_t holders = s->waiting[word] & sticks[word]; holders; holders &= holders - 1) {
      int bit = __builtin_ctzll(holders), holder = word * 64 + bit;
      bool again = serve(s, &s->releases[holder], true, now);
      again |= serve(s, &s->requests[holder], false, now);
      if (!again) s->waiting[word] &= ~(UINT64_C(1) << bit);
    }
}

/* The next cycle in which something arrives, or somebody who waits holds a stick. */
static int64_t next_cycle(struct simulation *s, int64_t now) {
  uint64_t waits = 0;
  for (int word = 0; word < s->words; word++) waits |= s->waiting[word];
  s->arrives = event_queue_time(&s->arrivals);
  int64_t next = max(s->arrives, now + 1), k = s->rings->k, turn = s->turn;
  for (int64_t cycle = now + 1; waits && cycle < next; cycle++) {
    turn = turn + 1 == k ? 0 : turn + 1;
    const uint64_t *sticks = &s->sticks[turn * s->words];
    for (int word = 0; word < s->words; word++)
      if (s->waiting[word] & sticks[word]) {
        s->turn = turn;
        return cycle;
      }
  }
  s->turn = next % k;
  return next;
}

static struct simulation prepare(struct arena *arena, const struct fear_parameters *p, const struct fear_rings *rings,
                                 enum fear_workload workload, struct cost_limit *limit) {
  size_t nodes = (size_t)rings->nodes;
  struct simulation s = {.arena = arena, .p = p, .rings = rings, .arrivals = {.arena = arena}};
  s.operations = plan(arena, p, workload, limit);
  s.nearest = ARENA_ARRAY(arena, int64_t, nodes * (size_t)rings->count);
  for (int64_t i = 0; i < rings->nodes * rings->count && !cost_limit_met(limit); i++)
    s.nearest[i] = nearest(rings, i % rings->count, i / rings->count);
  s.nodes = ARENA_ARRAY(arena, struct node, nodes);
  s.mutexes = ARENA_ARRAY(arena, struct mutex, (size_t)p->M);
  s.wires = ARENA_ARRAY(arena, int64_t, (size_t)(rings->count * p->B));
  s.releases = ARENA_ARRAY(arena, struct waiting, nodes);
  s.requests = ARENA_ARRAY(arena, struct waiting, nodes);
  s.words = (int)nodes / 64 + 1;
  s.waiting = ARENA_ARRAY(arena, uint64_t, (size_t)s.words);
  s.sticks = ARENA_ARRAY(arena, uint64_t, (size_t)(rings->k * s.words));
  for (int64_t i = 0; i < rings->nodes; i++) s.sticks[i % rings->k * s.words + i / 64] |= UINT64_C(1) << i % 64;
  for (int64_t m = 0; m < p->M; m++) s.mutexes[m].last = s.mutexes[m].released = NEVER;
  for (int64_t i = 0; i < rings->nodes; i++) {
    s.nodes[i].lookup = ARENA_ARRAY(arena, int64_t, (size_t)p->LUT);
    s.nodes[i].lookup_mutex = ARENA_ARRAY(arena, int64_t, (size_t)p->LUT);
    for (int64_t j = 0; j < p->ops && !cost_limit_met(limit); j++) route(&s, &s.operations[i * p->ops + j], i);
  }
  return s;
}

struct fear_result fear_simulate(const struct fear_parameters *parameters, const struct fear_rings *rings,
                                 enum fear_workload workload, struct cost_limit *limit) {
  struct arena *arena = arena_new();
  struct simulation s = prepare(arena, parameters, rings, workload, limit);
  int64_t total = rings->nodes * parameters->ops;
  for (int64_t node = 0; node < rings->nodes; node++) go_on(&s, node, 0);
  for (int64_t now = 0; s.granted < total && !cost_limit_met(limit); now = next_cycle(&s, now)) {
    if (s.arrives <= now) receive(&s, now);
    serve_sticks(&s, now);
  }
  arena_free(arena);
  return s.result;
}

/* ---- the baseline ----------------------------------------------------------------- */

struct fear_result fear_simulate_memside(const struct fear_parameters *p, enum fear_workload workload,
                                         struct cost_limit *limit) {
  struct arena *arena = arena_new();
  int64_t nodes = p->W * p->W;
  struct operation *operations = plan(arena, p, workload, limit);
  int64_t *next = ARENA_ARRAY(arena, int64_t, (size_t)nodes), *free_at = ARENA_ARRAY(arena, int64_t, (size_t)nodes);
  struct event_queue arrivals = {.arena = arena};
  struct fear_result result = {0};
  for (int64_t i = 0; i < nodes; i++)
    event_queue_push(&arrivals, &(struct event){.time = operations[i * p->ops].to_slice, .order = (uint64_t)i});
  for (struct event event; !cost_limit_met(limit) && event_queue_pop(&arrivals, &event);) {
    int64_t i = (int64_t)event.order;
    result.events++;
    const struct operation *op = &operations[i * p->ops + next[i]];
    int64_t *slice = &free_at[op->slice];
    *slice = max(*slice, event.time) + p->L2 + p->ALU;
    int64_t returned = *slice + op->to_slice;
    result.latency += returned - (event.time - op->to_slice);
    result.end = max(result.end, returned);
    if (++next[i] < p->ops) {
      event.time = returned + p->Z + op[1].to_slice;
      event_queue_push(&arrivals, &event);
    }
  }
  arena_free(arena);
  return result;
}
