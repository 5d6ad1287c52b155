/* SPDX-License-Identifier: MIT */
/* Cores, members and slices on the mesh.  In each cycle: what was set for it happens
 * (events), then the holders of the sticks change tables, then the network moves. */
#include <string.h>

#include "checker/base/number.h"
#include "hwsem/timing/fear_mesh_state.h"

static void set(struct fear_run *r, int64_t time, enum event_kind kind, int64_t operation, int note) {
  uint64_t order = (uint64_t)kind << 56 | (uint64_t)operation << 8 | (uint64_t)note;
  event_queue_push(&r->events, &(struct event){.time = larger(time, r->now + !r->p->ideal), .order = order});
}

/* ---- messages ---- */

static void send(struct fear_run *r, enum kind kind, int from, int to, int64_t payload) {
  if (r->p->ideal) {
    set(r, r->now + r->p->hop * fear_hops(r->rings, from, to), ARRIVE, payload, (int)kind);
    return;
  }
  struct mesh_message *message = mesh_send(r->mesh, from, to, r->class_of[kind], r->flits_of[kind], r->turn);
  message->kind = (int)kind;
  message->payload = payload;
}

static int node_of(const struct fear_run *r, int member) {
  return (int)r->rings->member[member];
}

/* ---- cores ---- */

static struct core *core_of(const struct fear_run *r, const struct operation *op) {
  return &r->core[r->core_at[op->core]];
}

/* Is the address in the core's L1?  If not, it will be: the oldest line of the set goes. */
static bool touch_l1(struct fear_run *r, const struct operation *op) {
  if (!r->p->sets) return true;
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

static void issue(struct fear_run *r, int64_t index) {
  struct operation *op = &r->operations[index];
  op->issued = r->now;
  op->has_spec = false;
  if (r->p->memside || op->plain) {
    send(r, ATOMIC, op->core, op->slice, index);
    return;
  }
  send(r, REQUEST, op->core, node_of(r, op->asked), index);
  if (r->p->spec) send(r, SPEC, op->core, op->slice, index);
}

/* The next operation of a core, not in the cycle in which it was granted the last. */
static void go_on(struct fear_run *r, int64_t core, int64_t time) {
  struct core *c = &r->core[core];
  time = larger(time, r->served + 1);
  if (r->work)
    set(r, time, ISSUE, core, 0);
  else if (c->issued < r->p->ops)
    set(r, time, ISSUE, core * r->p->ops + c->issued++, 0);
}

static void end_operation(struct fear_run *r, const struct operation *op) {
  r->done++;
  if (!op->plain) r->result.latency += r->now - op->issued;
  if (r->work && !op->plain) r->result.operations++;
  r->result.end = r->now;
  go_on(r, r->core_at[op->core], r->now + (r->work ? 1 : r->p->Z));
}

static void perform(struct fear_run *r, int64_t index) {
  struct operation *op = &r->operations[index];
  if (r->work) {
    struct core *c = core_of(r, op);
    int32_t old = op->from == WRITE_BACK ? c->touched->value : op->from == SPEC ? op->value.guessed : op->value.fetched;
    c->touched->value = op->value.result = fear_threads_operate(r->work, r->core_at[op->core], old);
  }
  end_operation(r, op);
  send(r, WRITE_BACK, op->core, op->slice, index);
}

/* A grant has come: where does the data come from? */
static void receive_grant(struct fear_run *r, int64_t index) {
  const struct fear_mesh_parameters *p = r->p;
  struct operation *op = &r->operations[index];
  struct core *c = core_of(r, op);
  int32_t *entry = &c->lookup[op->mutex % r->entries];
  bool known = *entry == op->address + 1, there = touch_l1(r, op);
  r->result.l1++;
  r->result.acquisition += r->now - op->issued;
  *entry = op->address + 1;
  if (op->same && known && there) {
    r->result.cached++;
    op->from = WRITE_BACK;
    set(r, r->now + p->L1 + p->ALU, PERFORM, index, 0);
  } else if (p->spec && op->mature && op->issued / p->E == r->now / p->E) {
    r->result.speculative++;
    op->from = SPEC;
    op->waits_spec = !op->has_spec;
    if (!op->waits_spec) set(r, r->now + p->ALU, PERFORM, index, 0);
  } else {
    r->result.fetched++;
    op->from = FETCH;
    send(r, FETCH, op->core, op->slice, index);
  }
}

/* ---- slices ---- */

/* An access takes the port, and an operation its line for as long as it lasts. */
static void access_slice(struct fear_run *r, int64_t index, enum kind kind) {
  const struct operation *op = &r->operations[index];
  int64_t *port = &r->port_free[op->slice];
  int64_t begin = larger(*port, r->now);
  *port = begin + r->p->port;
  int64_t end = begin + r->p->L2;
  if (kind == ATOMIC && !op->plain) {
    int64_t *line = &r->line_free[op->address];
    end = larger(begin, *line) + r->p->L2 + r->p->rmw + r->p->ALU;
    *line = end;
  }
  if (kind == WRITE_BACK) end = begin + 1;
  *(kind == ATOMIC && !op->plain ? &r->result.atomics : &r->result.lines) += 1;
  set(r, end, SLICE_DONE, index, (int)kind);
}

/* What a program's access does to its words. */
static void take_value(struct fear_run *r, struct operation *op, enum kind kind) {
  int64_t core = r->core_at[op->core];
  if (kind == ATOMIC) fear_threads_at_slice(r->work, core);
  if (kind == FETCH) op->value.fetched = fear_threads_word(r->work, op->address);
  if (kind == SPEC) op->value.guessed = fear_threads_word(r->work, op->address);
  if (kind == WRITE_BACK && fear_threads_written(r->work, core, op->address, op->value.result))
    go_on(r, core, r->now + 1);
}

static void slice_done(struct fear_run *r, int64_t index, enum kind kind) {
  struct operation *op = &r->operations[index];
  if (r->work) take_value(r, op, kind);
  if (kind == ATOMIC) send(r, op->reads ? LINE : REPLY, op->slice, op->core, index);
  if (kind == FETCH) send(r, DATA, op->slice, op->core, index);
  if (kind == SPEC) send(r, SPEC_DATA, op->slice, op->core, index);
  if (kind == WRITE_BACK) send(r, RELEASE, op->slice, node_of(r, op->told), index);
}

/* ---- members ---- */

/* The payload of an update says which operation, and below that how many members are left. */
enum { LEFT_BITS = 20 };

static int64_t tell(struct fear_run *r, int member, int64_t index) {
  int64_t k = r->rings->k;
  if (k == 1 || r->p->u == 0) return 0;
  if (r->p->ideal) return r->now + k * r->p->u;
  int node = node_of(r, member);
  send(r, UPDATE, node, r->behind[node], index << LEFT_BITS | (k - 1));
  return INT64_MAX;
}

static void pass_update(struct fear_run *r, const struct mesh_message *message) {
  if (message->payload & ((1 << LEFT_BITS) - 1))
    send(r, UPDATE, message->to, r->behind[message->to], message->payload - 1);
  else
    r->tables.wires[r->operations[message->payload >> LEFT_BITS].wire] = 0;
}

static int64_t changed(void *context, const struct fear_change *change) {
  struct fear_run *r = context;
  struct operation *op = &r->operations[change->operation];
  if (!change->releases) {
    op->same = change->same;
    op->mature = change->mature;
    send(r, GRANT, node_of(r, change->member), op->core, change->operation);
  }
  return tell(r, change->member, change->operation);
}

static void enqueue(struct fear_run *r, bool releases, int member, int64_t index) {
  const struct operation *op = &r->operations[index];
  fear_mutex_tables_enqueue(&r->tables, member, releases, (struct fear_waiter){index, op->core, op->mutex, op->wire});
}

static void arrive(struct fear_run *r, enum kind kind, int64_t index) {
  struct operation *op = &r->operations[index];
  switch (kind) {
    case REQUEST:
      enqueue(r, false, op->asked, index);
      break;
    case RELEASE:
      enqueue(r, true, op->told, index);
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
      op->has_spec = true;
      if (op->waits_spec) set(r, r->now + r->p->ALU, PERFORM, index, 0);
      op->waits_spec = false;
      break;
    case DATA:
      set(r, r->now + r->p->ALU, PERFORM, index, 0);
      break;
    case REPLY:
    case LINE:
      end_operation(r, op);
      break;
    case UPDATE:
    case KINDS:
      break;
  }
}

static void take(void *context, const struct mesh_message *message) {
  if (message->kind == UPDATE)
    pass_update(context, message);
  else
    arrive(context, (enum kind)message->kind, message->payload);
}

/* ---- the run ---- */

/* ---- programs: a core asks for its next access when its last has been done ---- */

/* A new operation; what others have of operations are their numbers. */
static int64_t new_operation(struct fear_run *r, int64_t core, int64_t word) {
  if (r->planned == r->room) {
    struct operation *larger = ARENA_ARRAY(r->arena, struct operation, 2 * (size_t)r->room);
    memcpy(larger, r->operations, (size_t)r->room * sizeof *larger);
    r->operations = larger;
    r->room *= 2;
  }
  fear_mesh_aim(r, &r->operations[r->planned], core, word);
  return r->planned++;
}

/* With empty L1s, as the host may have written. */
static void begin_kernel(struct fear_run *r) {
  for (int64_t core = 0; core < r->cores; core++) {
    memset(r->core[core].ways, 0, (size_t)(r->p->sets * r->p->ways) * sizeof(struct way));
    go_on(r, core, r->now + 1);
  }
}

static void ask(struct fear_run *r, int64_t core) {
  struct fear_demand demand = fear_threads_ask(r->work, core);
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

static void happen_one(struct fear_run *r, uint64_t order) {
  int64_t operation = (int64_t)(order >> 8 & (UINT64_MAX >> 16));
  enum kind kind = (enum kind)(order & 0xFF);
  r->result.events++;
  switch ((enum event_kind)(order >> 56)) {
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
      slice_done(r, operation, kind);
      break;
    case ARRIVE:
      arrive(r, kind, operation);
      break;
  }
}

static void happen(struct fear_run *r) {
  while (event_queue_time(&r->events) <= r->now && event_queue_begin(&r->events))
    for (struct event_node *event; (event = event_queue_take(&r->events)); event_node_free(&r->events, event))
      happen_one(r, event->order);
}

static bool is_empty(const struct fear_run *r) {
  return !r->mesh || mesh_is_empty(r->mesh);
}

/* The next event, or cycle of the network while something is under way, or somebody who waits holds a stick. */
static int64_t next_time(const struct fear_run *r) {
  int64_t event = event_queue_time(&r->events);
  bool empty = is_empty(r), waits = fear_mutex_tables_someone_waits(&r->tables);
  for (int64_t turn = r->turn + 1; (!empty || waits) && turn * r->p->period < event; turn++)
    if (!empty || fear_mutex_tables_holder_waits(&r->tables, turn % r->rings->k)) return turn * r->p->period;
  return event;
}

/* Nothing will ever happen again. */
static bool is_idle(const struct fear_run *r) {
  return is_empty(r) && !fear_mutex_tables_someone_waits(&r->tables) && event_queue_time(&r->events) == INT64_MAX;
}

static bool goes_on(const struct fear_run *r) {
  if (r->work) return fear_threads_runs(r->work) && !is_idle(r);
  return r->done < r->result.operations;
}

static struct fear_result run(struct fear_run *r) {
  r->tables.changed = changed;
  r->tables.context = r;
  for (; goes_on(r) && !cost_limit_met(r->limit); r->now = next_time(r)) {
    r->turn = r->now / r->p->period;
    happen(r);
    if (r->now != r->turn * r->p->period) continue;
    fear_mutex_tables_serve(&r->tables, r->turn % r->rings->k, r->now);
    r->served = r->now;
    if (r->mesh)
      mesh_step(r->mesh, r->turn, take, r);
    else
      happen(r); /* a member's node has its grant at once */
  }
  r->result.stuck = r->work && fear_threads_runs(r->work);
  if (r->mesh) r->result.network = mesh_counts(r->mesh);
  r->result.events += r->result.network.hops + r->result.network.messages;
  arena_free(r->arena);
  return r->result;
}

static struct fear_run run_of(const struct fear_mesh_parameters *p, const struct fear_rings *rings,
                              struct cost_limit *limit) {
  struct fear_run r = {
      .arena = arena_new(), .p = p, .rings = rings, .limit = limit, .cores = rings->nodes - p->mems, .served = NEVER};
  r.events.arena = r.arena;
  return r;
}

struct fear_result fear_mesh_run(const struct fear_mesh_parameters *p, const struct fear_rings *rings,
                                 enum fear_sharing sharing, struct cost_limit *limit) {
  struct fear_run r = run_of(p, rings, limit);
  fear_mesh_prepare(&r, (size_t)(r.cores * p->ops), (size_t)fear_mesh_addresses(p, sharing, r.cores));
  fear_mesh_plan(&r, sharing);
  r.result.operations = r.cores * p->ops;
  for (int64_t core = 0; core < r.cores; core++) go_on(&r, core, p->ideal ? 0 : 1 + core * p->Z / r.cores);
  return run(&r);
}

struct fear_result fear_mesh_run_work(const struct fear_mesh_parameters *p, const struct fear_rings *rings,
                                      struct work *work, struct cost_limit *limit) {
  struct fear_run r = run_of(p, rings, limit);
  r.cores = work->threads;
  r.room = 4096;
  fear_mesh_prepare(&r, (size_t)r.room, work->words + 1);
  r.work = fear_threads_new(r.arena, work, p->sets, p->ways, p->memside);
  for (int64_t core = 0; core < r.cores; core++) go_on(&r, core, 1);
  return run(&r);
}
