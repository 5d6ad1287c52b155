/* SPDX-License-Identifier: MIT */
/* Compute units take turns in the order of (time, number); a turn is one
 * instruction of the machine, and ends when time passes. */
#include "hwsem/timing/gpu_timed.h"


#include "checker/base/number.h"
#include "checker/base/vec.h"

enum { NO_LINE = -1 };

/* An L1: tags of a set lie side by side, as they are searched at every access. */
struct cache {
  int32_t *number;         /* of the line in a way; NO_LINE: none */
  uint64_t *stamp;         /* its last use */
  uint16_t *valid, *dirty; /* its words, as sets */
  int32_t *words;          /* WORK_LINE of each way */
};

struct met;

struct unit {
  struct cache l1;
  int64_t *fifo; /* line numbers, a ring of F */
  int64_t first, count;
  int64_t since; /* when the entry at its head came there */
  /* What it does. */
  struct work_request *request;
  struct rsp_sequence sequence;
  size_t at; /* next instruction */
  int64_t time, began;
  int64_t busy;                /* from the kernel's start to its end */
  bool ended, waiting, asleep; /* waiting: for the others, at a barrier; asleep: for the lock */
};

struct machine {
  const struct gpu_parameters *p;
  const struct gpu_scheme *scheme;
  struct work *work;
  struct unit *units;
  int64_t count;
  int32_t *tags;     /* of the L2: the numbers of lines, and ... */
  uint64_t *used;    /* ... their last use */
  int64_t *channels; /* busy until */
  int64_t port;      /* of the L2: free from */
  int64_t holder;    /* of the lock; -1 */
  uint64_t clock;    /* of stamps */
  int64_t began;     /* the kernel */
  struct gpu_counts counts;
  struct arena *arena;
  VEC(int64_t) busy;
  size_t kernels;
  struct met *met; /* by line of memory */
  uint32_t access; /* number of the vector access under way */
};

/* ---- sets ---- */

/* The way of a set that holds a line, or -1.  All are looked at, which is faster than to stop
 * at the right one: 16 of them in a few instructions. */
static int64_t way_of(const int32_t *set, int64_t ways, int64_t number) {
  int32_t line = (int32_t)number, found = 0;
  if (ways == 16)
    for (int32_t i = 0; i < 16; i++) found |= set[i] == line ? i + 1 : 0;
  else
    for (int32_t i = 0; i < ways; i++) found |= set[i] == line ? i + 1 : 0;
  return found - 1;
}

/* The way that was used last the longest ago; one that holds nothing was never used. */
static int64_t oldest(const uint64_t *used, int64_t ways) {
  int64_t way = 0;
  for (int64_t i = 1; i < ways; i++)
    if (used[i] < used[way]) way = i;
  return way;
}

/* ---- the L2 and memory ---- */

/* Serves a line at the L2's port; returns when it is there. */
static int64_t reserve(struct machine *m, int64_t at) {
  int64_t served = larger(m->port, at);
  m->port = served + 1;
  m->counts.l2_accesses++;
  return served;
}

static bool look_up_l2(struct machine *m, int64_t number, bool fill) {
  int64_t ways = m->p->l2ways, first = (uint32_t)number % (uint32_t)m->p->l2sets * ways;
  int64_t way = way_of(&m->tags[first], ways, number);
  bool hit = way >= 0;
  if (!hit && !fill) return false;
  if (!hit) way = oldest(&m->used[first], ways);
  m->tags[first + way] = (int32_t)number;
  m->used[first + way] = ++m->clock;
  return hit;
}

static int64_t access_memory(struct machine *m, int64_t number, int64_t at) {
  int64_t *channel = &m->channels[(uint32_t)number % (uint32_t)m->p->channels];
  int64_t start = larger(*channel, at);
  *channel = start + m->p->burst;
  return start;
}

/* A line that is read or changed at the L2 from `at`; returns when it is there. */
static int64_t read_l2(struct machine *m, int64_t number, int64_t at) {
  int64_t served = reserve(m, at);
  if (look_up_l2(m, number, true)) return served;
  m->counts.l2_misses++;
  return access_memory(m, number, served) + m->p->mem;
}

/* Words that arrive at the L2: it passes them on (write-through, no allocation). */
static int64_t write_l2(struct machine *m, int64_t number, int64_t at) {
  int64_t served = reserve(m, at);
  look_up_l2(m, number, false);
  access_memory(m, number, served);
  return served;
}

/* ---- an L1 ---- */

static int64_t first_way(const struct machine *m, int64_t number) {
  return (uint32_t)number % (uint32_t)m->p->l1sets * m->p->l1ways;
}

/* The way that holds a line, or -1. */
static int64_t find(const struct machine *m, int64_t u, int64_t number) {
  int64_t first = first_way(m, number), way = way_of(&m->units[u].l1.number[first], m->p->l1ways, number);
  return way < 0 ? way : first + way;
}

/* The dirty words of a way move to memory; returns whether there were any. */
static bool clean(struct machine *m, int64_t u, int64_t way) {
  struct cache *c = &m->units[u].l1;
  if (!c->dirty[way]) return false;
  int32_t *memory = &m->work->memory[(size_t)c->number[way] * WORK_LINE];
  const int32_t *words = &c->words[way * WORK_LINE];
  for (int i = 0; i < WORK_LINE; i++)
    if (c->dirty[way] >> i & 1) memory[i] = words[i];
  c->dirty[way] = 0;
  m->counts.writes++;
  return true;
}

/* A way for a line that has none: the least recently used of its set. */
static int64_t place(struct machine *m, int64_t u, int64_t number, int64_t at) {
  struct cache *c = &m->units[u].l1;
  int64_t first = first_way(m, number), way = first + oldest(&c->stamp[first], m->p->l1ways);
  int64_t old = c->number[way];
  if (clean(m, u, way)) write_l2(m, old, at + m->p->rsp.net);
  c->number[way] = (int32_t)number;
  c->valid[way] = 0;
  return way;
}

static int64_t find_or_place(struct machine *m, int64_t u, int64_t number, int64_t at) {
  int64_t way = find(m, u, number);
  return way >= 0 ? way : place(m, u, number, at);
}

/* Brings a line into its way; dirty words stay.  Returns when it is there. */
static int64_t fetch(struct machine *m, int64_t u, int64_t way, int64_t number, int64_t at) {
  struct cache *c = &m->units[u].l1;
  const int32_t *memory = &m->work->memory[number * WORK_LINE];
  int32_t *words = &c->words[way * WORK_LINE];
  for (int i = 0; i < WORK_LINE; i++)
    if (!(c->dirty[way] >> i & 1)) words[i] = memory[i];
  c->valid[way] = 0xFFFF;
  m->counts.l1_misses++;
  return read_l2(m, number, at + m->p->rsp.net) + m->p->rsp.net;
}

/* A word becomes readable in the L1, in *way.  Returns when. */
static int64_t look_up(struct machine *m, int64_t u, uint32_t address, int64_t at, int64_t *way) {
  struct cache *c = &m->units[u].l1;
  int64_t number = address / WORK_LINE, ready = at + m->p->rsp.l1;
  m->counts.l1_accesses++;
  *way = find_or_place(m, u, number, ready);
  if (!(c->valid[*way] >> address % WORK_LINE & 1)) ready = fetch(m, u, *way, number, ready);
  c->stamp[*way] = ++m->clock;
  return ready;
}

/* The entry at the FIFO's head leaves; a dirty line is written. */
static void pop(struct machine *m, int64_t u, int64_t at) {
  struct unit *unit = &m->units[u];
  int64_t number = unit->fifo[unit->first], way = find(m, u, number);
  if (way >= 0 && clean(m, u, way)) write_l2(m, number, at + m->p->rsp.net);
  unit->first = (unit->first + 1) % m->p->rsp.F;
  unit->count--;
  unit->since = at;
}

/* Returns the wait for room. */
static int64_t push(struct machine *m, int64_t u, int64_t number, int64_t at) {
  struct unit *unit = &m->units[u];
  int64_t wait = 0;
  if (unit->count == m->p->rsp.F) {
    pop(m, u, at);
    wait = m->p->rsp.pop;
  }
  if (unit->count == 0) unit->since = at;
  unit->fifo[(unit->first + unit->count++) % m->p->rsp.F] = number;
  return wait;
}

/* A line that is written in the L1, in *way.  One that is dirty is in the FIFO
 * already.  Returns the wait for room in the FIFO. */
static int64_t own(struct machine *m, int64_t u, int64_t number, int64_t at, int64_t *way) {
  m->counts.l1_accesses++;
  *way = find_or_place(m, u, number, at);
  m->units[u].l1.stamp[*way] = ++m->clock;
  return m->units[u].l1.dirty[*way] ? 0 : push(m, u, number, at);
}

static void write_word(struct cache *c, int64_t way, uint32_t address, int32_t value) {
  unsigned i = address % WORK_LINE;
  c->words[way * WORK_LINE + i] = value;
  c->valid[way] |= (uint16_t)(1u << i);
  c->dirty[way] |= (uint16_t)(1u << i);
}

static int32_t read_word(const struct cache *c, int64_t way, uint32_t address) {
  return c->words[way * WORK_LINE + address % WORK_LINE];
}

/* ---- flushes and invalidations ---- */

/* A marker enters the FIFO in a cycle, then the entries leave one by one; the
 * drain ends with the acknowledgement of the last line written. */
static int64_t drain(struct machine *m, int64_t u, int64_t start) {
  const struct rsp_parameters *p = &m->p->rsp;
  struct unit *unit = &m->units[u];
  int64_t end = start + 1 + unit->count * p->pop;
  m->counts.flushes++;
  for (; unit->count; unit->count--) {
    int64_t number = unit->fifo[unit->first], way = find(m, u, number);
    unit->first = (unit->first + 1) % p->F;
    if (way >= 0 && clean(m, u, way)) end = larger(end, write_l2(m, number, start + 1 + p->net) + p->net);
  }
  return end;
}

static int64_t drain_all(struct machine *m, int64_t u, int64_t start) {
  int64_t net = m->p->rsp.net, end = drain(m, u, start);
  for (int64_t other = 0; other < m->count; other++)
    if (other != u) end = larger(end, drain(m, other, start + net) + net);
  m->counts.messages += 2 * (m->count - 1);
  return end;
}

/* What is dirty stays. */
static void invalidate(struct machine *m, int64_t u) {
  struct cache *c = &m->units[u].l1;
  m->counts.invalidations++;
  for (int64_t i = 0; i < m->p->l1sets * m->p->l1ways; i++) {
    c->valid[i] = c->dirty[i];
    if (!c->dirty[i]) c->number[i] = NO_LINE, c->stamp[i] = 0;
  }
}

static void invalidate_all(struct machine *m) {
  for (int64_t u = 0; u < m->count; u++) invalidate(m, u);
  m->counts.messages += 2 * (m->count - 1);
}

/* ---- accesses of one word ---- */

static int64_t load(struct machine *m, int64_t u, struct work_request *r, int64_t start) {
  int64_t way, end = look_up(m, u, r->address, start, &way);
  r->value = read_word(&m->units[u].l1, way, r->address);
  return end;
}

static int64_t store(struct machine *m, int64_t u, const struct work_request *r, int64_t start) {
  int64_t way, wait = own(m, u, r->address / WORK_LINE, start, &way);
  write_word(&m->units[u].l1, way, r->address, r->value);
  return start + wait + m->p->rsp.l1;
}

static int64_t change_in_l1(struct machine *m, int64_t u, struct work_request *r, int64_t start) {
  struct cache *c = &m->units[u].l1;
  int64_t way, end = look_up(m, u, r->address, start, &way);
  if (!c->dirty[way]) end += push(m, u, r->address / WORK_LINE, start);
  int32_t old = read_word(c, way, r->address);
  write_word(c, way, r->address, work_amo_result(r, old));
  r->value = old;
  return end + m->p->rsp.alu;
}

/* At the L2: the copy in the own L1 goes, its dirty words first. */
static int64_t reach_l2(struct machine *m, int64_t u, int64_t number, int64_t start) {
  struct cache *c = &m->units[u].l1;
  int64_t way = find(m, u, number), at = start + m->p->rsp.l1 + m->p->rsp.net;
  if (way >= 0 && clean(m, u, way)) write_l2(m, number, at);
  if (way >= 0) c->number[way] = NO_LINE, c->valid[way] = 0, c->stamp[way] = 0;
  return read_l2(m, number, at) + m->p->rsp.net;
}

static int64_t change_at_l2(struct machine *m, int64_t u, struct work_request *r, int64_t start) {
  int64_t end = reach_l2(m, u, r->address / WORK_LINE, start) + m->p->rsp.alu;
  int32_t *word = &m->work->memory[r->address], old = *word;
  *word = work_amo_result(r, old);
  r->value = old;
  return end;
}

static int64_t store_at_l2(struct machine *m, int64_t u, const struct work_request *r, int64_t start) {
  int64_t end = reach_l2(m, u, r->address / WORK_LINE, start);
  m->work->memory[r->address] = r->value;
  return end;
}

/* ---- vector accesses ---- */

/* A line as the vector access under way has met it. */
struct met {
  uint32_t access; /* the last access that did */
  int32_t way;
};

static bool has_met(const struct machine *m, const struct cache *c, uint32_t number) {
  const struct met *met = &m->met[number];
  return met->access == m->access && c->number[met->way] == (int32_t)number;
}

/* The L1 delivers a line per cycle; the access ends with its last line.  Lanes of
 * one line are one lookup, unless the word is not valid yet. */
static int64_t gather(struct machine *m, int64_t u, struct work_request *r, int64_t start) {
  struct cache *c = &m->units[u].l1;
  int64_t end = start, at = start;
  m->access++;
  for (unsigned i = 0; i < r->lanes; i++) {
    uint32_t address = r->at[i], number = address / WORK_LINE;
    struct met *met = &m->met[number];
    if (!has_met(m, c, number) || !(c->valid[met->way] >> address % WORK_LINE & 1)) {
      int64_t way;
      end = larger(end, look_up(m, u, address, at++, &way));
      *met = (struct met){m->access, (int32_t)way};
    }
    r->values[i] = read_word(c, met->way, address);
  }
  return end;
}

static int64_t scatter(struct machine *m, int64_t u, const struct work_request *r, int64_t start) {
  struct cache *c = &m->units[u].l1;
  int64_t at = start;
  m->access++;
  for (unsigned i = 0; i < r->lanes; i++) {
    uint32_t number = r->at[i] / WORK_LINE;
    struct met *met = &m->met[number];
    if (!has_met(m, c, number)) {
      int64_t way;
      at += 1 + own(m, u, number, at, &way);
      *met = (struct met){m->access, (int32_t)way};
    } else if (!c->dirty[met->way]) {
      at += push(m, u, number, at);
    }
    write_word(c, met->way, r->at[i], r->values[i]);
  }
  return at - 1 + m->p->rsp.l1;
}

/* ---- instructions and turns ---- */

static int64_t execute(struct machine *m, int64_t u, enum rsp_instr instr, int64_t start) {
  struct work_request *r = m->units[u].request;
  switch (instr) {
    case RSP_LD:
      return load(m, u, r, start);
    case RSP_ST:
      return store(m, u, r, start);
    case RSP_ST_L2:
      return store_at_l2(m, u, r, start);
    case RSP_INC_L1:
      return change_in_l1(m, u, r, start);
    case RSP_INC_L2:
      return change_at_l2(m, u, r, start);
    case RSP_FLU_WG:
      return drain(m, u, start);
    case RSP_FLU_DV:
      return drain_all(m, u, start);
    case RSP_INV_WG:
      invalidate(m, u);
      break;
    case RSP_INV_DV:
    case RSP_POSTED_INV_DV:
      invalidate_all(m);
      break;
    case RSP_LK:
    case RSP_UNLK:
      break;
  }
  return start + rsp_wait(&m->p->rsp, instr, m->count);
}

static struct rsp_sequence sequence_of(const struct machine *m, const struct work_request *r) {
  if (r->kind == WORK_LOAD) return m->scheme->load[r->scope];
  if (r->kind == WORK_STORE) return m->scheme->store[r->scope];
  return m->scheme->rmw[r->scope];
}

static void wake_all(struct machine *m, int64_t now) {
  for (int64_t u = 0; u < m->count; u++)
    if (m->units[u].asleep) {
      m->units[u].asleep = false;
      m->units[u].time = larger(m->units[u].time, now);
    }
}

/* The end of a synchronising operation. */
static void count_operation(struct machine *m, const struct unit *unit) {
  int64_t cycles = unit->time - unit->began;
  if (unit->request->scope == WORK_DEVICE) m->counts.sync_cycles += cycles, m->counts.sync_count++;
  if (unit->request->scope == WORK_REMOTE) m->counts.remote_cycles += cycles, m->counts.remote_count++;
}

/* The next instruction of a sequence.  Read-modify-writes begin when nobody holds
 * the lock, and so does whoever takes it. */
static void operate(struct machine *m, int64_t u) {
  struct unit *unit = &m->units[u];
  enum rsp_instr instr = unit->sequence.at[unit->at];
  bool begins = unit->at == 0 && unit->request->kind == WORK_AMO;
  if ((begins || instr == RSP_LK) && m->holder >= 0 && m->holder != u) {
    unit->asleep = true;
    return;
  }
  if (instr == RSP_LK) m->holder = u;
  if (instr == RSP_UNLK) {
    m->holder = -1;
    wake_all(m, unit->time + 1);
  }
  unit->time = execute(m, u, instr, unit->time);
  if (++unit->at < unit->sequence.count) return;
  unit->sequence.count = 0;
  count_operation(m, unit);
}

/* A plain access, or a pause.  It has no sequence: it is one instruction.  Returns when it has ended. */
static int64_t run_plain(struct machine *m, int64_t u, int64_t start) {
  struct unit *unit = &m->units[u];
  struct work_request *r = unit->request;
  switch (r->kind) {
    case WORK_LOAD:
      return load(m, u, r, start);
    case WORK_STORE:
      return store(m, u, r, start);
    case WORK_AMO:
      return change_at_l2(m, u, r, start);
    case WORK_GATHER:
      return gather(m, u, r, start);
    case WORK_SCATTER:
      return scatter(m, u, r, start);
    case WORK_COMPUTE:
      return start + r->cycles;
    case WORK_BARRIER:
      unit->busy = start - m->began;
      unit->waiting = true;
      return drain(m, u, start);
    case WORK_KINDS:
      break;
  }
  return start;
}

/* All threads that have not ended wait: the kernel ends, and the next begins with
 * clean L1s. */
static bool meet(struct machine *m) {
  int64_t latest = m->began;
  bool any = false;
  for (int64_t u = 0; u < m->count; u++) {
    if (!m->units[u].ended && !m->units[u].waiting) return false;
    any |= m->units[u].waiting;
    latest = larger(latest, m->units[u].time);
  }
  if (!any) return false;
  work_meet(m->work);
  m->kernels++;
  m->began = latest + m->p->launch;
  for (int64_t u = 0; u < m->count; u++) {
    *vec_push(m->arena, &m->busy) = m->units[u].waiting ? m->units[u].busy : 0;
    invalidate(m, u);
    m->units[u].time = larger(m->units[u].time, m->began);
    m->units[u].waiting = false;
  }
  return true;
}

static int64_t next_turn(const struct machine *m) {
  int64_t best = -1;
  for (int64_t u = 0; u < m->count; u++) {
    const struct unit *unit = &m->units[u];
    if (unit->ended || unit->waiting || unit->asleep) continue;
    if (best < 0 || unit->time < m->units[best].time) best = u;
  }
  return best;
}

static void take_turn(struct machine *m, int64_t u) {
  struct unit *unit = &m->units[u];
  if (m->p->age && unit->count && unit->time - unit->since >= m->p->age) pop(m, u, unit->time);
  if (unit->at < unit->sequence.count) {
    operate(m, u);
    return;
  }
  unit->request = work_next(m->work, (unsigned)u);
  unit->at = unit->sequence.count = 0;
  unit->began = unit->time;
  if (!unit->request) {
    unit->ended = true;
    if (m->p->age) drain(m, u, unit->time);
    return;
  }
  enum work_kind kind = unit->request->kind;
  bool word = kind == WORK_LOAD || kind == WORK_STORE || kind == WORK_AMO;
  if (word && unit->request->scope != WORK_PLAIN) unit->sequence = sequence_of(m, unit->request);
  if (!unit->sequence.count) unit->time = run_plain(m, u, unit->time);
}

/* Memory does not grow while kernels run. */
static void prepare(struct machine *m) {
  const struct gpu_parameters *p = m->p;
  size_t ways = (size_t)(p->l1sets * p->l1ways);
  m->units = ARENA_ARRAY(m->arena, struct unit, (size_t)m->count);
  for (int64_t u = 0; u < m->count; u++) {
    struct cache *c = &m->units[u].l1;
    c->number = ARENA_ARRAY(m->arena, int32_t, ways);
    c->stamp = ARENA_ARRAY(m->arena, uint64_t, ways);
    c->valid = ARENA_ARRAY(m->arena, uint16_t, ways);
    c->dirty = ARENA_ARRAY(m->arena, uint16_t, ways);
    c->words = ARENA_ARRAY(m->arena, int32_t, ways * WORK_LINE);
    m->units[u].fifo = ARENA_ARRAY(m->arena, int64_t, (size_t)p->rsp.F);
    for (size_t i = 0; i < ways; i++) c->number[i] = NO_LINE;
  }
  m->tags = ARENA_ARRAY(m->arena, int32_t, (size_t)(p->l2sets * p->l2ways));
  m->used = ARENA_ARRAY(m->arena, uint64_t, (size_t)(p->l2sets * p->l2ways));
  for (int64_t i = 0; i < p->l2sets * p->l2ways; i++) m->tags[i] = NO_LINE;
  m->channels = ARENA_ARRAY(m->arena, int64_t, (size_t)p->channels);
  m->met = ARENA_ARRAY(m->arena, struct met, m->work->words / WORK_LINE + 1);
}

struct gpu_result gpu_run(struct arena *arena, const struct gpu_parameters *parameters, const struct gpu_scheme *scheme,
                          struct work *work, struct cost_limit *limit) {
  struct arena *scratch = arena_new();
  struct machine m = {
      .p = parameters, .scheme = scheme, .work = work, .count = work->threads, .holder = -1, .arena = scratch};
  struct gpu_result result = {0};
  prepare(&m);
  while (!cost_limit_met(limit)) {
    int64_t u = next_turn(&m);
    if (u >= 0)
      take_turn(&m, u);
    else if (!meet(&m))
      break;
  }
  for (int64_t u = 0; u < m.count; u++) {
    drain(&m, u, m.units[u].time);
    result.time = larger(result.time, m.units[u].time);
    result.stuck |= !m.units[u].ended;
  }
  result.counts = m.counts;
  result.kernels = m.kernels;
  result.busy = ARENA_COPY(arena, int64_t, m.busy.at, m.busy.count);
  arena_free(scratch);
  return result;
}
