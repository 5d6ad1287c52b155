/* SPDX-License-Identifier: MIT */
/* Cores, members and slices on the mesh.  In each cycle: what was set for it happens
 * (events), then the holders of the sticks change tables, then the network moves. */
#include "hwsem/timing/fear_mesh.h"

#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/timing/events.h"
#include "hwsem/timing/fear_work.h"
#include "hwsem/timing/splitmix.h"

const char *const fear_sharing_names[FEAR_SHARINGS + 1] = {"cells", "queue", "swaps", "bins", "blocks", NULL};

enum { NEVER = -1 };

enum kind { REQUEST, GRANT, SPEC, FETCH, DATA, SPEC_DATA, WRITE_BACK, RELEASE, UPDATE, ATOMIC, REPLY, LINE, KINDS };

/* What is set for a time: a core issues; a slice has done an access; a core performs. */
enum event_kind { SLICE_DONE, PERFORM, ISSUE };

struct operation {
  int64_t address, mutex;
  int64_t wire;    /* [ring * B + wire] */
  int core, slice; /* nodes */
  int asked, told; /* [ring * k + member]: the members of the mutex's ring that are nearest to them */
  int64_t issued;
  int64_t spec_at; /* when its speculative data came, or NEVER */
  bool same, mature, waits_spec;
  bool plain, reads; /* a program's load or store, at the slice; a load */
  enum kind from;    /* its data: the own write-back, a speculative fetch or another */
  struct fear_value value;
};

struct mutex {
  bool taken;
  int64_t released; /* or NEVER */
  int last;         /* node, or NEVER */
};

struct waiting {
  VEC(int64_t) list;
};

struct way {
  int64_t line, used; /* line: 1 + address; 0: empty */
  int32_t value;      /* of a program's word */
};

struct core {
  int64_t issued;
  int64_t *lookup, *lookup_mutex;
  struct way *ways, *touched; /* touched: of the operation under way */
};

struct run {
  struct arena *arena;
  const struct fear_mesh_parameters *p;
  const struct fear_rings *rings;
  struct cost_limit *limit;
  struct mesh *mesh;
  struct event_queue events;
  int64_t now, cores;
  int64_t turn;                         /* of the network: the last cycle that has begun */
  int class_of[KINDS], flits_of[KINDS]; /* messages */
  int *core_node, *slice_node;          /* nodes of cores, of slices */
  struct operation *operations;
  int64_t planned, room;  /* operations, and room for them, of a program */
  struct fear_work *work; /* NULL: operations are those of a pattern */
  struct core *core;      /* by number */
  int *core_at;           /* by node: its core's number, or NEVER */
  struct mutex *mutexes;
  bool *wires;                         /* [ring * B + wire]: an update travels */
  int *nearest;                        /* [node * rings + ring]: a member of the ring: [ring * k + member] */
  int *behind;                         /* by node: the next member of its ring */
  struct waiting *releases, *requests; /* [ring * k + member] */
  int words;                           /* of a set of members */
  uint64_t *waiting;                   /* members for whom one of these lists is not empty */
  uint64_t *sticks;                    /* [turn % k * words]: members who hold one */
  int64_t *port_free;                  /* by slice */
  int64_t *line_free;                  /* by address: of operations at the L2 */
  int64_t done;
  struct fear_mesh_result result;
};

static int64_t max(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* ---- programs ---- */

enum { CELLS = 48, BINS = 64 };

static int64_t addresses_of(const struct fear_mesh_parameters *p, enum fear_sharing sharing, int64_t cores) {
  const int64_t counts[FEAR_SHARINGS] = {[FEAR_CELLS] = CELLS * cores,
                                         [FEAR_QUEUE] = 1,
                                         [FEAR_SWAPS] = p->elements,
                                         [FEAR_BINS] = BINS * cores,
                                         [FEAR_BLOCKS] = 1};
  return counts[sharing];
}

static int64_t address_of(const struct fear_mesh_parameters *p, enum fear_sharing sharing, int64_t cores, int64_t core,
                          uint64_t *seed) {
  int64_t random = (int64_t)(splitmix_next(seed) >> 8);
  switch (sharing) {
    case FEAR_CELLS: {
      int64_t owner = random % 4 == 0 ? (core + 1) % cores : core;
      return owner * CELLS + random / 4 % (random % 4 == 0 ? CELLS / 4 : CELLS);
    }
    case FEAR_SWAPS:
      return random % p->elements;
    case FEAR_BINS:
      return core * BINS + random % BINS;
    case FEAR_QUEUE:
    case FEAR_BLOCKS:
    case FEAR_SHARINGS:
      break;
  }
  return 0;
}

/* Nodes that only answer are spread evenly in reading order. */
static void place(struct run *r) {
  int64_t nodes = r->rings->nodes, cores = 0, slices = 0;
  for (int64_t node = 0; node < nodes; node++) {
    bool slice = (node + 1) * r->p->mems / nodes > node * r->p->mems / nodes;
    r->core_at[node] = slice ? NEVER : (int)cores;
    if (slice)
      r->slice_node[slices++] = (int)node;
    else
      r->core_node[cores++] = (int)node;
  }
}

/* ---- messages ---- */

static void shape_messages(struct run *r) {
  for (int kind = 0; kind < KINDS; kind++) {
    bool data = kind == DATA || kind == SPEC_DATA || kind == WRITE_BACK || kind == LINE;
    bool asks = kind == REQUEST || kind == SPEC || kind == FETCH || kind == ATOMIC;
    r->class_of[kind] = asks || r->p->classes == 1 ? 0 : 1;
    r->flits_of[kind] = data ? (int)r->p->data : 1;
  }
}

static void send(struct run *r, enum kind kind, int from, int to, int64_t subject) {
  struct mesh_message *message = mesh_send(r->mesh, from, to, r->class_of[kind], r->flits_of[kind], r->turn);
  message->kind = (int)kind;
  message->subject = subject;
}

static void set(struct run *r, int64_t time, enum event_kind kind, int64_t operation, int note) {
  uint64_t order = (uint64_t)kind << 56 | (uint64_t)operation << 8 | (uint64_t)note;
  event_queue_push(&r->events, &(struct event){.time = max(time, r->now + 1), .order = order});
}

static int node_of(const struct run *r, int member) {
  return (int)r->rings->member[member];
}

/* ---- cores ---- */

static struct core *core_of(const struct run *r, const struct operation *op) {
  return &r->core[r->core_at[op->core]];
}

/* Is the address in the core's L1?  If not, it will be: the oldest line of the set goes. */
static bool touch_l1(struct run *r, const struct operation *op) {
  struct way *set_of = &core_of(r, op)->ways[op->address % r->p->sets * r->p->ways], *victim = set_of;
  for (int64_t i = 0; i < r->p->ways; i++) {
    struct way *way = &set_of[i];
    if (way->line == op->address + 1) {
      way->used = r->now;
      core_of(r, op)->touched = way;
      return true;
    }
    if (way->used < victim->used || !way->line) victim = victim->line ? way : victim;
  }
  *victim = (struct way){.line = op->address + 1, .used = r->now};
  core_of(r, op)->touched = victim;
  return false;
}

static void issue(struct run *r, int64_t index) {
  struct operation *op = &r->operations[index];
  op->issued = r->now;
  op->spec_at = NEVER;
  if (r->p->memside || op->plain) {
    send(r, ATOMIC, op->core, op->slice, index);
    return;
  }
  send(r, REQUEST, op->core, node_of(r, op->asked), index);
  if (r->p->spec) send(r, SPEC, op->core, op->slice, index);
}

/* The next operation of a core. */
static void go_on(struct run *r, int64_t core, int64_t time) {
  struct core *c = &r->core[core];
  if (r->work)
    set(r, time, ISSUE, core, 0);
  else if (c->issued < r->p->ops)
    set(r, time, ISSUE, core * r->p->ops + c->issued++, 0);
}

static void end_operation(struct run *r, const struct operation *op) {
  r->done++;
  r->result.fear.latency += r->now - op->issued;
  r->result.fear.end = r->now;
  go_on(r, r->core_at[op->core], r->now + (r->work ? 1 : r->p->Z));
}

static void perform(struct run *r, int64_t index) {
  struct operation *op = &r->operations[index];
  if (r->work) {
    struct core *c = core_of(r, op);
    int32_t old = op->from == WRITE_BACK ? c->touched->value : op->from == SPEC ? op->value.guessed : op->value.fetched;
    c->touched->value = op->value.result = fear_work_operate(r->work, r->core_at[op->core], old);
  }
  end_operation(r, op);
  send(r, WRITE_BACK, op->core, op->slice, index);
}

/* A grant has come: where does the data come from? */
static void receive_grant(struct run *r, int64_t index) {
  const struct fear_mesh_parameters *p = r->p;
  struct operation *op = &r->operations[index];
  struct core *c = core_of(r, op);
  int64_t entry = op->mutex % p->LUT;
  bool known = c->lookup[entry] == op->address + 1 && c->lookup_mutex[entry] == op->mutex;
  bool there = touch_l1(r, op);
  r->result.l1++;
  r->result.fear.acquisition += r->now - op->issued;
  c->lookup[entry] = op->address + 1;
  c->lookup_mutex[entry] = op->mutex;
  if (op->same && known && there) {
    r->result.fear.cached++;
    op->from = WRITE_BACK;
    set(r, r->now + p->L1 + p->ALU, PERFORM, index, 0);
  } else if (p->spec && op->mature && op->issued / p->E == r->now / p->E) {
    r->result.fear.speculative++;
    op->from = SPEC;
    op->waits_spec = op->spec_at == NEVER;
    if (!op->waits_spec) set(r, r->now + p->ALU, PERFORM, index, 0);
  } else {
    r->result.fear.fetched++;
    op->from = FETCH;
    send(r, FETCH, op->core, op->slice, index);
  }
}

/* ---- slices ---- */

/* An access takes the port, and an operation its line for as long as it lasts. */
static void access_slice(struct run *r, int64_t index, enum kind kind) {
  const struct operation *op = &r->operations[index];
  int64_t *port = &r->port_free[op->slice];
  int64_t begin = max(*port, r->now);
  *port = begin + r->p->port;
  int64_t end = begin + r->p->L2;
  if (kind == ATOMIC && !op->plain) {
    int64_t *line = &r->line_free[op->address];
    end = max(begin, *line) + r->p->L2 + r->p->ALU;
    *line = end;
  }
  if (kind == WRITE_BACK) end = begin + 1;
  *(kind == ATOMIC && !op->plain ? &r->result.atomics : &r->result.lines) += 1;
  set(r, end, SLICE_DONE, index, (int)kind);
}

/* What a program's access does to its words. */
static void take_value(struct run *r, struct operation *op, enum kind kind) {
  int64_t core = r->core_at[op->core];
  if (kind == ATOMIC) fear_work_at_slice(r->work, core);
  if (kind == FETCH) op->value.fetched = fear_work_word(r->work, op->address);
  if (kind == SPEC) op->value.guessed = fear_work_word(r->work, op->address);
  if (kind == WRITE_BACK && fear_work_written(r->work, core, op->address, op->value.result)) go_on(r, core, r->now + 1);
}

static void slice_done(struct run *r, int64_t index, enum kind kind) {
  struct operation *op = &r->operations[index];
  if (r->work) take_value(r, op, kind);
  if (kind == ATOMIC) send(r, op->reads ? LINE : REPLY, op->slice, op->core, index);
  if (kind == FETCH) send(r, DATA, op->slice, op->core, index);
  if (kind == SPEC) send(r, SPEC_DATA, op->slice, op->core, index);
  if (kind == WRITE_BACK) send(r, RELEASE, op->slice, node_of(r, op->told), index);
}

/* ---- members ---- */

static bool *wire_of(const struct run *r, const struct operation *op) {
  return &r->wires[op->wire];
}

/* The subject of an update says which operation, and below that how many members are left. */
enum { LEFT_BITS = 20 };

static void tell(struct run *r, int member, int64_t index) {
  int64_t k = r->rings->k;
  if (k == 1 || r->p->u == 0) return;
  *wire_of(r, &r->operations[index]) = true;
  int node = node_of(r, member);
  send(r, UPDATE, node, r->behind[node], index << LEFT_BITS | (k - 1));
}

static void pass_update(struct run *r, const struct mesh_message *message) {
  if (message->subject & ((1 << LEFT_BITS) - 1))
    send(r, UPDATE, message->to, r->behind[message->to], message->subject - 1);
  else
    *wire_of(r, &r->operations[message->subject >> LEFT_BITS]) = false;
}

static void grant(struct run *r, int member, int64_t index) {
  struct operation *op = &r->operations[index];
  struct mutex *mutex = &r->mutexes[op->mutex];
  op->same = mutex->last == op->core;
  op->mature = mutex->released == NEVER || r->now / r->p->E > mutex->released / r->p->E;
  mutex->taken = true;
  mutex->last = op->core;
  send(r, GRANT, node_of(r, member), op->core, index);
}

/* Lets the holder of a stick do what it can of a list, in order. */
static void serve(struct run *r, struct waiting *list, int member, bool releases) {
  size_t kept = 0;
  for (size_t i = 0; i < list->list.count; i++) {
    int64_t index = list->list.at[i];
    const struct operation *op = &r->operations[index];
    struct mutex *mutex = &r->mutexes[op->mutex];
    if (*wire_of(r, op) || (!releases && mutex->taken)) {
      list->list.at[kept++] = index;
      continue;
    }
    if (releases) {
      mutex->taken = false;
      mutex->released = r->now;
    } else {
      grant(r, member, index);
    }
    tell(r, member, index);
  }
  list->list.count = kept;
}

/* Those of this turn, a ring after the other. */
static void serve_sticks(struct run *r) {
  const uint64_t *sticks = &r->sticks[r->turn % r->rings->k * r->words];
  for (int word = 0; word < r->words; word++)
    for (uint64_t holders = r->waiting[word] & sticks[word]; holders; holders &= holders - 1) {
      int bit = __builtin_ctzll(holders), holder = word * 64 + bit;
      serve(r, &r->releases[holder], holder, true);
      serve(r, &r->requests[holder], holder, false);
      if (!r->releases[holder].list.count && !r->requests[holder].list.count) r->waiting[word] &= ~(UINT64_C(1) << bit);
    }
}

static void enqueue(struct run *r, struct waiting *lists, int member, int64_t index) {
  *vec_push(r->arena, &lists[member].list) = index;
  r->waiting[member / 64] |= UINT64_C(1) << member % 64;
}

static void arrive(void *context, const struct mesh_message *message) {
  struct run *r = context;
  int64_t index = message->subject;
  enum kind kind = (enum kind)message->kind;
  struct operation *op = &r->operations[kind == UPDATE ? index >> LEFT_BITS : index];
  switch (kind) {
    case REQUEST:
      enqueue(r, r->requests, op->asked, index);
      break;
    case RELEASE:
      enqueue(r, r->releases, op->told, index);
      break;
    case GRANT:
      receive_grant(r, index);
      break;
    case SPEC:
    case FETCH:
    case WRITE_BACK:
    case ATOMIC:
      access_slice(r, index, kind);
      break;
    case SPEC_DATA:
      op->spec_at = r->now;
      if (op->waits_spec) set(r, r->now + r->p->ALU, PERFORM, index, 0);
      op->waits_spec = false;
      break;
    case DATA:
      set(r, r->now + r->p->ALU, PERFORM, index, 0);
      break;
    case UPDATE:
      pass_update(r, message);
      break;
    case REPLY:
    case LINE:
      end_operation(r, op);
      break;
    case KINDS:
      break;
  }
}

/* ---- the run ---- */

static void aim(const struct run *r, struct operation *op, int64_t core, int64_t address) {
  int64_t rings = r->rings->count;
  op->address = address;
  op->mutex = address % r->p->M;
  op->wire = op->mutex % rings * r->p->B + op->mutex / rings % r->p->B;
  op->core = r->core_node[core];
  op->slice = r->slice_node[address % r->p->mems];
  op->asked = r->nearest[op->core * rings + op->mutex % rings];
  op->told = r->nearest[op->slice * rings + op->mutex % rings];
}

static void plan(struct run *r, enum fear_sharing sharing) {
  uint64_t seed = 1;
  for (int64_t core = 0; core < r->cores; core++)
    for (int64_t j = 0; j < r->p->ops && !cost_limit_met(r->limit); j++) {
      int64_t address = address_of(r->p, sharing, r->cores, core, &seed);
      aim(r, &r->operations[core * r->p->ops + j], core, address);
    }
}

static int64_t hops(int64_t W, int64_t a, int64_t b) {
  int64_t x = a % W - b % W, y = a / W - b / W;
  return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

static void find_nearest(struct run *r) {
  const struct fear_rings *rings = r->rings;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++) {
      int64_t best = ring * rings->k;
      for (int64_t j = best + 1; j < (ring + 1) * rings->k; j++)
        if (hops(rings->W, node, rings->member[j]) < hops(rings->W, node, rings->member[best])) best = j;
      r->nearest[node * rings->count + ring] = (int)best;
    }
}

/* The way of the sticks, and of updates. */
static void plan_rings(struct run *r) {
  int64_t k = r->rings->k;
  for (int64_t member = 0; member < r->rings->nodes; member++) {
    int64_t first = member / k * k, next = first + (member - first + 1) % k;
    r->behind[r->rings->member[member]] = (int)r->rings->member[next];
    r->sticks[(member - first) * r->words + member / 64] |= UINT64_C(1) << member % 64;
  }
}

/* `operations` that are known, on `addresses`. */
static void prepare(struct run *r, size_t operations, size_t addresses) {
  const struct fear_mesh_parameters *p = r->p;
  struct arena *arena = r->arena;
  size_t nodes = (size_t)r->rings->nodes, cores = (size_t)r->cores;
  r->mesh = mesh_new(arena, (int)p->W, (int)p->buffer);
  r->core_node = ARENA_ARRAY(arena, int, nodes);
  r->slice_node = ARENA_ARRAY(arena, int, nodes);
  r->core_at = ARENA_ARRAY(arena, int, nodes);
  r->operations = ARENA_ARRAY(arena, struct operation, operations);
  r->core = ARENA_ARRAY(arena, struct core, cores);
  r->mutexes = ARENA_ARRAY(arena, struct mutex, (size_t)p->M);
  r->wires = ARENA_ARRAY(arena, bool, (size_t)(r->rings->count * p->B));
  r->nearest = ARENA_ARRAY(arena, int, (size_t)r->rings->count *nodes);
  r->behind = ARENA_ARRAY(arena, int, nodes);
  r->words = (int)nodes / 64 + 1;
  r->waiting = ARENA_ARRAY(arena, uint64_t, (size_t)r->words);
  r->sticks = ARENA_ARRAY(arena, uint64_t, (size_t)(r->rings->k * r->words));
  r->releases = ARENA_ARRAY(arena, struct waiting, nodes);
  r->requests = ARENA_ARRAY(arena, struct waiting, nodes);
  r->port_free = ARENA_ARRAY(arena, int64_t, nodes);
  r->line_free = ARENA_ARRAY(arena, int64_t, addresses);
  for (int64_t m = 0; m < p->M; m++) r->mutexes[m] = (struct mutex){.released = NEVER, .last = NEVER};
  for (size_t i = 0; i < cores; i++) {
    r->core[i].lookup = ARENA_ARRAY(arena, int64_t, (size_t)p->LUT);
    r->core[i].lookup_mutex = ARENA_ARRAY(arena, int64_t, (size_t)p->LUT);
    r->core[i].ways = ARENA_ARRAY(arena, struct way, (size_t)(p->sets * p->ways));
  }
  shape_messages(r);
  place(r);
  find_nearest(r);
  plan_rings(r);
}

/* ---- programs: a core asks for its next access when its last has been done ---- */

/* A new operation; what others have of operations are their numbers. */
static int64_t new_operation(struct run *r, int64_t core, int64_t word) {
  if (r->planned == r->room) {
    struct operation *larger = ARENA_ARRAY(r->arena, struct operation, 2 * (size_t)r->room);
    memcpy(larger, r->operations, (size_t)r->room * sizeof *larger);
    r->operations = larger;
    r->room *= 2;
  }
  aim(r, &r->operations[r->planned], core, word);
  return r->planned++;
}

/* With empty L1s, as the host may have written. */
static void begin_kernel(struct run *r) {
  for (int64_t core = 0; core < r->cores; core++) {
    memset(r->core[core].ways, 0, (size_t)(r->p->sets * r->p->ways) * sizeof(struct way));
    go_on(r, core, r->now + 1);
  }
}

static void ask(struct run *r, int64_t core) {
  struct fear_demand demand = fear_work_ask(r->work, core, r->now);
  switch (demand.step) {
    case FEAR_ENDS:
    case FEAR_WAITS:
      break;
    case FEAR_MEETS:
      begin_kernel(r);
      break;
    case FEAR_COMPUTES:
      go_on(r, core, r->now + demand.cycles);
      break;
    case FEAR_HITS:
      go_on(r, core, r->now + demand.cycles * r->p->L1);
      break;
    case FEAR_READS:
    case FEAR_WRITES:
    case FEAR_OPERATES: {
      int64_t index = new_operation(r, core, demand.word);
      r->operations[index].plain = demand.step != FEAR_OPERATES;
      r->operations[index].reads = demand.step == FEAR_READS;
      issue(r, index);
      break;
    }
  }
}

static void happen(struct run *r) {
  struct event event;
  while (event_queue_time(&r->events) <= r->now && event_queue_pop(&r->events, &event)) {
    int64_t operation = (int64_t)(event.order >> 8 & (UINT64_MAX >> 16));
    r->result.events++;
    switch ((enum event_kind)(event.order >> 56)) {
      case ISSUE:
        if (r->work)
          ask(r, operation);
        else
          issue(r, operation);
        break;
      case PERFORM:
        perform(r, operation);
        break;
      case SLICE_DONE:
        slice_done(r, operation, (enum kind)(event.order & 0xFF));
        break;
    }
  }
}

static bool anyone_waits(const struct run *r) {
  uint64_t all = 0;
  for (int word = 0; word < r->words; word++) all |= r->waiting[word];
  return all != 0;
}

/* The next event, or cycle of the network while something is under way. */
static int64_t next_time(const struct run *r) {
  int64_t event = event_queue_time(&r->events), cycle = (r->turn + 1) * r->p->period;
  return cycle < event && (!mesh_is_empty(r->mesh) || anyone_waits(r)) ? cycle : event;
}

/* Nothing will ever happen again. */
static bool is_idle(const struct run *r) {
  return mesh_is_empty(r->mesh) && !anyone_waits(r) && !r->events.count;
}

static bool goes_on(const struct run *r) {
  if (r->work) return fear_work_runs(r->work) && !is_idle(r);
  return r->done < r->result.operations;
}

static struct fear_mesh_result run(struct run *r) {
  for (; goes_on(r) && !cost_limit_met(r->limit); r->now = next_time(r)) {
    r->turn = r->now / r->p->period;
    happen(r);
    if (r->now != r->turn * r->p->period) continue;
    serve_sticks(r);
    mesh_step(r->mesh, r->turn, arrive, r);
  }
  r->result.stuck = r->work && fear_work_runs(r->work);
  r->result.network = mesh_counts(r->mesh);
  r->result.events += r->result.network.hops + r->result.network.messages;
  arena_free(r->arena);
  return r->result;
}

static struct run run_of(const struct fear_mesh_parameters *p, const struct fear_rings *rings,
                         struct cost_limit *limit) {
  struct run r = {.arena = arena_new(), .p = p, .rings = rings, .limit = limit, .cores = rings->nodes - p->mems};
  r.events.arena = r.arena;
  return r;
}

struct fear_mesh_result fear_mesh_run(const struct fear_mesh_parameters *p, const struct fear_rings *rings,
                                      enum fear_sharing sharing, struct cost_limit *limit) {
  struct run r = run_of(p, rings, limit);
  prepare(&r, (size_t)(r.cores * p->ops), (size_t)addresses_of(p, sharing, r.cores));
  plan(&r, sharing);
  r.result.operations = r.cores * p->ops;
  for (int64_t core = 0; core < r.cores; core++) go_on(&r, core, 1 + core * p->Z / r.cores);
  return run(&r);
}

struct fear_mesh_result fear_mesh_run_work(const struct fear_mesh_parameters *p, const struct fear_rings *rings,
                                           struct work *work, struct cost_limit *limit) {
  struct run r = run_of(p, rings, limit);
  r.cores = work->threads;
  r.room = 4096;
  prepare(&r, (size_t)r.room, work->words + 1);
  r.work = fear_work_new(r.arena, work, p->sets, p->ways, p->memside);
  for (int64_t core = 0; core < r.cores; core++) go_on(&r, core, 1);
  return run(&r);
}

struct fear_mesh_energy fear_mesh_energy(const struct fear_mesh_parameters *p, const struct fear_mesh_result *r) {
  enum { CORE_MHZ = 1300 }; /* Table I */
  int64_t nodes = p->W * p->W, entries = nodes * (p->M * p->k / nodes), lookups = (nodes - p->mems) * p->LUT;
  double power = p->memside ? 0 : ((double)entries * (double)p->pmutex + (double)lookups * (double)p->plookup) / 1024;
  return (struct fear_mesh_energy){.network = r->network.flit_hops * p->eflit,
                                   .caches = r->l1 * p->el1 + r->lines * p->el2 + r->atomics * p->eatomic,
                                   .tables = (int64_t)(power * (double)r->fear.end / CORE_MHZ)};
}
