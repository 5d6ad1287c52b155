/* SPDX-License-Identifier: MIT */
/* The discrete-event simulation of the mesh of atomics.
 *
 * A line has one home, which orders its transactions: requests queue there in
 * the order of arrival and one at a time is served.  A transaction snoops the
 * holders it must, collects their answers and the data, and is READY when the
 * last answer is in: then a line or a result travels to the requester.  Cores
 * execute one instruction at a time.
 */
#include "hwsem/timing/amo.h"

#include "hwsem/timing/amo_policy.h"
#include "hwsem/timing/events.h"

/* In the order in which events of one cycle are taken. */
enum event_kind { EVENT_SNOOP, EVENT_AT_HOME, EVENT_REQUEST, EVENT_COMPLETION, EVENT_STEP };
enum { NOTE_NONE, NOTE_FREE }; /* at home: an answer, or the end of the transaction; otherwise a request's type */

enum request_type { READ_SHARED, READ_UNIQUE, ATOMIC_FETCH, ATOMIC_UPDATE };

struct request {
  enum request_type type;
  int source;
  int64_t arrival;
  struct request *next;
};

/* A far operation on its way, of a program: what it does when its turn comes. */
struct flight {
  struct work_request operation;
  int32_t *result; /* NULL: nobody wants it */
  bool performed;
};

struct line {
  int64_t id;
  uint8_t state[AMO_NODES]; /* enum amo_state, in either cache */
  uint32_t holders;         /* nodes whose state is not AMO_I */
  uint32_t in_l2;           /* of those, the ones that keep it in the L2 */
  bool buffered;            /* in the home's AMO buffer */
  struct request *queue, **tail;
  /* The transaction being served. */
  struct request *serving;
  bool exclusive;     /* no other node held the line at its start */
  int answers;        /* still to come */
  int64_t data;       /* when the data is at the home */
  int64_t operands;   /* far operations: when the operands are there */
  struct line *chain; /* of the hash table */
};

struct way {
  struct line *line;
  int64_t stamp; /* L1: last use; L2: insertion */
};

struct core {
  const struct amo_instr *instrs;
  size_t count, pc;
  bool active, blocked, waiting, finished, decided;
  bool near;          /* of the operation under way, once decided */
  int64_t next;       /* when the next instruction may start */
  int64_t busy_until; /* end of a local hit or fill: snoops wait for it */
  int64_t outstanding;
  struct line **flying;   /* lines of the outstanding far operations, the oldest first */
  struct flight *flights; /* beside them: of a program */
  /* A thread of a work. */
  bool fed, ended, meets;
  struct work_request *request; /* under way, of which ... */
  unsigned lane;
  struct work_request word; /* ... this lane's part is being executed ... */
  int32_t *result;          /* ... whose value goes here */
  struct amo_instr step;
  struct way *l1, *l2;
  struct amo_predictor *predictor;
};

struct buffer {
  struct way *ways;
  int64_t count;
};

enum { LINE_BUCKETS = 1 << 14 };

struct amo_machine {
  struct arena *arena;
  const struct amo_parameters *p;
  enum amo_policy policy;
  struct core cores[AMO_NODES];
  struct buffer buffers[AMO_NODES];
  struct line *lines[LINE_BUCKETS];
  struct way *llc; /* [home][set][way]; NULL: everything is there */
  struct work *work;
  struct request *spare;
  struct event_queue events;
  int64_t turn, clock, limit;
  struct amo_result result;
};

static int64_t max(int64_t a, int64_t b) {
  return a > b ? a : b;
}
static int64_t distance(int64_t a, int64_t b) {
  return a > b ? a - b : b - a;
}

static int home_of(const struct line *line) {
  return (int)(line->id % AMO_NODES);
}

/* Request and home nodes form a checkerboard on the 8x8 mesh. */
static int64_t latency(const struct amo_machine *m, int node, const struct line *line) {
  int home = home_of(line), y = node / 4, home_y = home / 4;
  int x = 2 * (node % 4) + (y & 1), home_x = 2 * (home % 4) + 1 - (home_y & 1);
  return m->p->hop * (distance(x, home_x) + distance(y, home_y));
}

struct amo_machine *amo_machine_new(struct arena *arena, const struct amo_parameters *parameters,
                                    enum amo_policy policy) {
  struct amo_machine *m = ARENA_NEW(arena, struct amo_machine);
  m->arena = m->events.arena = arena;
  m->p = parameters;
  m->policy = policy;
  m->limit = -1;
  return m;
}

static struct line *line_of(struct amo_machine *m, int64_t id) {
  struct line **bucket = &m->lines[(uint64_t)id * 0x9E3779B97F4A7C15u >> 50];
  for (struct line *line = *bucket; line; line = line->chain)
    if (line->id == id) return line;
  struct line *line = ARENA_NEW(m->arena, struct line);
  line->id = id;
  line->tail = &line->queue;
  line->chain = *bucket;
  return *bucket = line;
}

/* The node's core, with its caches and predictor: only nodes in use have them. */
static struct core *core_of(struct amo_machine *m, int node) {
  struct core *core = &m->cores[node];
  if (core->l1) return core;
  core->l1 = ARENA_ARRAY(m->arena, struct way, (size_t)(m->p->l1sets * m->p->l1ways));
  core->l2 = ARENA_ARRAY(m->arena, struct way, (size_t)(m->p->l2sets * m->p->l2ways));
  core->flying = ARENA_ARRAY(m->arena, struct line *, (size_t)m->p->win);
  core->flights = ARENA_ARRAY(m->arena, struct flight, (size_t)m->p->win);
  core->predictor = amo_predictor_new(m->arena, m->p, m->policy);
  return core;
}

/* Hops of a message between a node and a line's home, for the account of what moves. */
static void count_hops(struct amo_machine *m, int64_t cycles, bool data) {
  int64_t hops = m->p->hop ? cycles / m->p->hop : 0;
  *(data ? &m->result.data_hops : &m->result.control_hops) += hops;
}

static void post(struct amo_machine *m, int64_t time, enum event_kind kind, int destination, int source,
                 const struct line *line, int note) {
  event_queue_push(&m->events, (struct event){time, (int)kind, destination, source, line ? line->id : -1, note});
}

static void post_step(struct amo_machine *m, int node, int64_t time) {
  post(m, time, EVENT_STEP, node, node, NULL, NOTE_NONE);
}

/* ---- private caches ---------------------------------------------------------- */

static uint32_t bit(int node) {
  return (uint32_t)1 << node;
}

static enum amo_state state_of(const struct line *line, int node) {
  return (enum amo_state)line->state[node];
}

static bool in_l1(const struct line *line, int node) {
  return (line->holders & bit(node)) && !(line->in_l2 & bit(node));
}

static enum amo_state l1_state(const struct line *line, int node) {
  return in_l1(line, node) ? state_of(line, node) : AMO_I;
}

static bool unique(enum amo_state state) {
  return state == AMO_UC || state == AMO_UD;
}

static struct way *set_of(struct way *ways, int64_t sets, int64_t per_set, const struct line *line) {
  return &ways[line->id % sets * per_set];
}

/* The way that holds `line` (NULL: a free one), or NULL. */
static struct way *find_way(struct way *set, int64_t ways, const struct line *line) {
  for (int64_t i = 0; i < ways; i++)
    if (set[i].line == line) return &set[i];
  return NULL;
}

/* A way to fill: a free one, else the one with the lowest stamp. */
static struct way *choose_way(struct way *set, int64_t ways) {
  struct way *way = find_way(set, ways, NULL);
  if (way) return way;
  way = set;
  for (int64_t i = 1; i < ways; i++)
    if (set[i].stamp < way->stamp) way = &set[i];
  return way;
}

static struct way *l1_set(struct amo_machine *m, int node, const struct line *line) {
  return set_of(core_of(m, node)->l1, m->p->l1sets, m->p->l1ways, line);
}

static struct way *l2_set(struct amo_machine *m, int node, const struct line *line) {
  return set_of(core_of(m, node)->l2, m->p->l2sets, m->p->l2ways, line);
}

static void drop(struct amo_machine *m, int node, struct line *line) {
  struct way *way = in_l1(line, node) ? find_way(l1_set(m, node, line), m->p->l1ways, line)
                                      : find_way(l2_set(m, node, line), m->p->l2ways, line);
  if (way) *way = (struct way){0};
  line->state[node] = AMO_I;
  line->holders &= ~bit(node);
  line->in_l2 &= ~bit(node);
}

static void fill_l2(struct amo_machine *m, int node, struct line *line) {
  struct way *way = choose_way(l2_set(m, node, line), m->p->l2ways);
  if (way->line) drop(m, node, way->line); /* the victim's data is in the last-level cache at once */
  *way = (struct way){line, ++m->clock};
  line->in_l2 |= bit(node);
}

/* Puts a line into the L1 in a state; a victim moves to the L2. */
static void fill_l1(struct amo_machine *m, int node, struct line *line, enum amo_state state, int64_t now) {
  if (line->holders & bit(node)) drop(m, node, line);
  struct way *way = choose_way(l1_set(m, node, line), m->p->l1ways);
  struct line *victim = way->line;
  *way = (struct way){line, ++m->clock};
  line->state[node] = (uint8_t)state;
  line->holders |= bit(node);
  if (!victim) return;
  amo_predictor_note(core_of(m, node)->predictor, victim->id, AMO_EVICTED, now);
  fill_l2(m, node, victim);
}

static void touch(struct amo_machine *m, int node, const struct line *line) {
  find_way(l1_set(m, node, line), m->p->l1ways, line)->stamp = ++m->clock;
}

/* ---- the home ---------------------------------------------------------------- */

static struct way *find_buffered(struct amo_machine *m, const struct line *line) {
  struct buffer *buffer = &m->buffers[home_of(line)];
  if (!line->buffered) return NULL;
  return find_way(buffer->ways, m->p->hb, line);
}

static void unbuffer(struct amo_machine *m, struct line *line) {
  struct way *way = find_buffered(m, line);
  if (way) *way = (struct way){0};
  line->buffered = false;
}

static void enter_buffer(struct amo_machine *m, struct line *line) {
  struct buffer *buffer = &m->buffers[home_of(line)];
  if (m->p->hb == 0) return;
  if (!buffer->ways) buffer->ways = ARENA_ARRAY(m->arena, struct way, (size_t)m->p->hb);
  struct way *way = find_buffered(m, line);
  if (!way) way = choose_way(buffer->ways, m->p->hb);
  if (way->line) way->line->buffered = false;
  *way = (struct way){line, ++m->clock};
  line->buffered = true;
}

/* Is the line in the last-level cache?  It is from now on. */
static bool hit_llc(struct amo_machine *m, struct line *line) {
  const struct amo_parameters *p = m->p;
  if (!m->llc) return true;
  int64_t set = line->id / AMO_NODES % p->llcsets;
  struct way *ways = &m->llc[(home_of(line) * p->llcsets + set) * p->llcways], *way = find_way(ways, p->llcways, line);
  bool hit = way != NULL;
  if (!hit) way = choose_way(ways, p->llcways);
  *way = (struct way){line, ++m->clock};
  m->result.memory_lines += !hit;
  return hit;
}

/* ---- the values of a program ---- */

static void perform(const struct amo_machine *m, const struct work_request *operation, int32_t *result) {
  int32_t *word = &m->work->memory[operation->address], old = *word;
  if (operation->kind == WORK_STORE || operation->kind == WORK_SCATTER)
    *word = operation->value;
  else if (operation->kind == WORK_AMO)
    *word = work_amo_result(operation, old);
  if (result) *result = old;
}

/* A core's access to a line that it holds. */
static void perform_near(struct amo_machine *m, const struct core *core) {
  if (core->fed) perform(m, &core->word, core->result);
}

/* A far operation's turn has come: a core's operations on one line take theirs in
 * the order in which they left. */
static void perform_far(struct amo_machine *m, const struct line *line, int node) {
  struct core *core = &m->cores[node];
  int64_t i = 0;
  if (!core->fed) return;
  while (core->flying[i] != line || core->flights[i].performed) i++;
  perform(m, &core->flights[i].operation, core->flights[i].result);
  core->flights[i].performed = true;
}

/* The last answer is in. */
static void conclude(struct amo_machine *m, struct line *line) {
  const struct amo_parameters *p = m->p;
  int source = line->serving->source, home = home_of(line);
  int64_t back = latency(m, source, line);
  count_hops(m, back, line->serving->type != ATOMIC_UPDATE);
  if (line->serving->type <= READ_UNIQUE) {
    post(m, line->data + back, EVENT_COMPLETION, source, home, line, (int)line->serving->type);
    return;
  }
  int64_t extra = line->serving->type == ATOMIC_FETCH ? p->ldx : 0;
  int64_t performed = max(line->data + extra, line->operands) + p->alu + p->wr;
  if (m->limit < 0 || performed <= m->limit) m->result.performed++;
  enter_buffer(m, line);
  perform_far(m, line, source);
  post(m, performed, EVENT_AT_HOME, home, source, line, NOTE_FREE);
  post(m, line->data + back + extra, EVENT_COMPLETION, source, home, line, (int)line->serving->type);
}

static uint32_t snoop_targets(const struct line *line, const struct request *request, int owner) {
  switch (request->type) {
    case READ_SHARED:
      return owner >= 0 && owner != request->source ? bit(owner) : 0;
    case READ_UNIQUE:
      return line->holders & ~bit(request->source);
    case ATOMIC_FETCH:
    case ATOMIC_UPDATE:
      break;
  }
  return line->holders; /* the requester's copy too */
}

static int owner_of(const struct line *line) {
  for (int node = 0; node < AMO_NODES; node++)
    if (unique(state_of(line, node)) || state_of(line, node) == AMO_SD) return node;
  return -1;
}

/* Serves the first request of a line's queue from time `now`. */
static void start_transaction(struct amo_machine *m, struct line *line, int64_t now) {
  const struct amo_parameters *p = m->p;
  struct request *request = line->serving = line->queue;
  line->queue = request->next;
  if (!line->queue) line->tail = &line->queue;
  int owner = owner_of(line), home = home_of(line);
  uint32_t targets = snoop_targets(line, request, owner);
  int64_t looked_up = now + p->dir, source_latency = p->llc;
  if (owner >= 0 || (request->type == READ_UNIQUE && (line->holders & bit(request->source))))
    source_latency = 0;
  else if (line->buffered)
    source_latency = p->buf;
  else if (!hit_llc(m, line))
    source_latency = p->mem;
  if (request->type == READ_UNIQUE)
    unbuffer(m, line);
  else if (line->buffered)
    enter_buffer(m, line);
  line->data = looked_up + source_latency;
  line->exclusive = (line->holders & ~bit(request->source)) == 0;
  line->operands = (p->early ? request->arrival : now) + p->dir + 2 * latency(m, request->source, line);
  line->answers = 0;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!(targets & bit(node))) continue;
    line->answers++;
    count_hops(m, latency(m, node, line), false);
    post(m, looked_up + latency(m, node, line), EVENT_SNOOP, node, home, line, NOTE_NONE);
  }
  if (line->answers == 0) conclude(m, line);
}

static void on_request(struct amo_machine *m, struct line *line, const struct event *event) {
  struct request *request = m->spare;
  if (request)
    m->spare = request->next;
  else
    request = ARENA_NEW(m->arena, struct request);
  *request = (struct request){(enum request_type)event->note, event->source, event->time, NULL};
  *line->tail = request;
  line->tail = &request->next;
  if (!line->serving) start_transaction(m, line, event->time);
}

static void on_home_event(struct amo_machine *m, struct line *line, const struct event *event) {
  if (event->note == NOTE_FREE) {
    line->serving->next = m->spare;
    m->spare = line->serving;
    line->serving = NULL;
    if (line->queue) start_transaction(m, line, event->time);
    return;
  }
  line->data = max(line->data, event->time);
  if (--line->answers == 0) conclude(m, line);
}

/* ---- request nodes ------------------------------------------------------------ */

static void on_snoop(struct amo_machine *m, struct line *line, const struct event *event) {
  int node = event->destination;
  struct core *core = core_of(m, node);
  if (core->busy_until > event->time) {
    post(m, core->busy_until, EVENT_SNOOP, node, event->source, line, NOTE_NONE);
    return;
  }
  bool near = in_l1(line, node);
  count_hops(m, latency(m, node, line), state_of(line, node) == AMO_UD || state_of(line, node) == AMO_SD);
  int64_t delay = m->p->l1 + (near ? 0 : m->p->l2);
  enum amo_state state = state_of(line, node);
  if (line->serving->type == READ_SHARED) {
    if (unique(state)) line->state[node] = state == AMO_UD ? AMO_SD : AMO_SC;
  } else if (state != AMO_I) {
    drop(m, node, line);
    if (near) amo_predictor_note(core->predictor, line->id, AMO_SNOOPED, event->time);
  }
  post(m, event->time + delay + latency(m, node, line), EVENT_AT_HOME, event->source, node, line, NOTE_NONE);
}

/* Does a far operation hold its core until it completes? */
static bool blocks(const struct amo_machine *m, enum request_type type) {
  return type == ATOMIC_FETCH || m->p->win == 1;
}

static bool atomic(enum amo_op op) {
  return op == AMO_FETCH || op == AMO_UPDATE;
}

/* A near access ends at `end`: the core goes on.  Its predictor may be told at once, as
 * until then the core asks it nothing and snoops wait. */
static void end_access(struct amo_machine *m, int node, const struct line *line, enum amo_op op, int64_t end) {
  struct core *core = &m->cores[node];
  if (atomic(op)) amo_predictor_note(core->predictor, line->id, AMO_DONE, end);
  core->blocked = core->decided = false;
  core->busy_until = end;
  core->next = end;
  if (op == AMO_SPIN)
    core->next += m->p->spin;
  else
    core->pc++;
  if (atomic(op)) {
    core->next += m->p->iss;
    m->result.near++;
    if (m->limit < 0 || end <= m->limit) m->result.performed++;
  }
  post_step(m, node, core->next);
}

/* The line has arrived for the access under way. */
static void on_fill(struct amo_machine *m, struct line *line, int node, int64_t now) {
  struct core *core = &m->cores[node];
  enum amo_op op = core->instrs[core->pc].op;
  perform_near(m, core);
  bool shared = line->serving->type == READ_SHARED;
  fill_l1(m, node, line, !shared ? AMO_UD : line->exclusive ? AMO_UC : AMO_SC, now);
  if (atomic(op)) amo_predictor_note(core->predictor, line->id, AMO_FETCHED, now);
  post(m, now + latency(m, node, line), EVENT_AT_HOME, home_of(line), node, line, NOTE_FREE);
  end_access(m, node, line, op, now + (atomic(op) ? m->p->alu : 0));
}

/* A far operation's answer has arrived: one that blocks the core lets it go on. */
static void on_far_completion(struct amo_machine *m, struct line *line, int node, enum request_type type, int64_t now) {
  struct core *core = &m->cores[node];
  int64_t i = 0;
  while (core->flying[i] != line || (core->fed && !core->flights[i].performed)) i++;
  core->outstanding--;
  for (; i < core->outstanding; i++) {
    core->flying[i] = core->flying[i + 1];
    core->flights[i] = core->flights[i + 1];
  }
  if (blocks(m, type)) {
    core->blocked = false;
    core->next = now + m->p->iss;
  }
  post_step(m, node, max(now, core->next));
}

static bool flies(const struct core *core, const struct line *line) {
  for (int64_t i = 0; i < core->outstanding; i++)
    if (core->flying[i] == line) return true;
  return false;
}

static void request(struct amo_machine *m, int node, struct line *line, enum request_type type, int64_t leaves) {
  count_hops(m, latency(m, node, line), false);
  post(m, leaves + latency(m, node, line), EVENT_REQUEST, home_of(line), node, line, (int)type);
}

/* An access in the own caches, or a request for the line. */
static void access_near(struct amo_machine *m, int node, struct line *line, enum amo_op op, int64_t now) {
  const struct amo_parameters *p = m->p;
  struct core *core = &m->cores[node];
  bool reads = op == AMO_LOAD || op == AMO_SPIN, near = in_l1(line, node);
  enum amo_state state = state_of(line, node);
  int64_t looked_up = now + p->l1 + (near ? 0 : p->l2);
  bool hit = reads ? state != AMO_I : unique(state);
  if (near && (hit || op == AMO_STORE)) amo_predictor_note(core->predictor, line->id, AMO_HIT, now);
  if (!hit) {
    core->blocked = true;
    request(m, node, line, reads ? READ_SHARED : READ_UNIQUE, looked_up);
    return;
  }
  if (!reads) state = AMO_UD;
  perform_near(m, core);
  if (near) {
    touch(m, node, line);
    line->state[node] = (uint8_t)state;
  } else {
    fill_l1(m, node, line, state, now);
    if (atomic(op)) amo_predictor_note(core->predictor, line->id, AMO_FETCHED, now);
  }
  end_access(m, node, line, op, looked_up + (atomic(op) ? p->alu : 0));
}

static void access_far(struct amo_machine *m, int node, struct line *line, enum amo_op op, int64_t now) {
  struct core *core = &m->cores[node];
  if (core->outstanding == m->p->win) return; /* until a completion */
  enum request_type type = op == AMO_FETCH ? ATOMIC_FETCH : ATOMIC_UPDATE;
  request(m, node, line, type, now + m->p->l1);
  core->flights[core->outstanding] = (struct flight){core->word, blocks(m, type) ? core->result : NULL, false};
  core->flying[core->outstanding++] = line;
  core->decided = false;
  core->pc++;
  m->result.far++;
  if (blocks(m, type)) {
    core->blocked = true;
  } else {
    core->next = now + m->p->l1 + m->p->iss;
    post_step(m, node, core->next);
  }
}

static void access(struct amo_machine *m, int node, const struct amo_instr *instr, int64_t now) {
  struct core *core = &m->cores[node];
  struct line *line = line_of(m, instr->line);
  bool in_flight = flies(core, line);
  if (atomic(instr->op) && !core->decided) {
    enum amo_state state = l1_state(line, node);
    core->near = in_flight ? unique(state) : amo_predictor_near(core->predictor, line->id, state, now);
    core->decided = true;
  }
  if (atomic(instr->op) && !core->near)
    access_far(m, node, line, instr->op, now);
  else if (in_flight)
    core->decided = false; /* until the completion */
  else
    access_near(m, node, line, instr->op, now);
}

static void signal_turn(struct amo_machine *m, int64_t now) {
  m->turn++;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!m->cores[node].waiting) continue;
    m->cores[node].waiting = false;
    post_step(m, node, now);
  }
}

/* ---- threads of a work ---- */

static struct amo_instr instr_of(const struct work_request *r) {
  struct amo_instr instr = {.line = r->address / WORK_LINE, .value = r->cycles};
  switch (r->kind) {
    case WORK_LOAD:
    case WORK_GATHER:
      instr.op = AMO_LOAD;
      break;
    case WORK_STORE:
    case WORK_SCATTER:
      instr.op = AMO_STORE;
      break;
    case WORK_AMO:
      instr.op = r->forgets ? AMO_UPDATE : AMO_FETCH;
      break;
    case WORK_COMPUTE:
    case WORK_BARRIER:
    case WORK_KINDS:
      instr.op = AMO_COMPUTE;
      break;
  }
  return instr;
}

/* The next instruction of a core's thread; false when it has ended. */
static bool feed(struct amo_machine *m, int node, int64_t now) {
  struct core *core = &m->cores[node];
  struct work_request *r = core->request;
  if (r && core->lane + 1 < r->lanes) {
    core->lane++;
  } else {
    core->request = r = work_next(m->work, (unsigned)node, now);
    core->lane = 0;
  }
  if (!r) return false;
  core->word = *r;
  core->result = r->kind == WORK_STORE || r->kind == WORK_SCATTER ? NULL : &r->value;
  if (r->lanes) {
    core->word.address = r->at[core->lane];
    core->word.value = r->values[core->lane];
    if (core->result) core->result = &r->values[core->lane];
  }
  core->step = instr_of(&core->word);
  core->pc = 0;
  core->count = 1;
  return true;
}

/* Lets all threads go on when each waits at the barrier or has ended. */
static void meet(struct amo_machine *m, int64_t now) {
  bool any = false;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!m->cores[node].fed || m->cores[node].ended) continue;
    if (!m->cores[node].meets) return;
    any = true;
  }
  if (!any) return;
  work_meet(m->work);
  for (int node = 0; node < AMO_NODES; node++) {
    struct core *core = &m->cores[node];
    if (!core->meets) continue;
    core->meets = false;
    core->pc = 1;
    core->next = now;
    post_step(m, node, now);
  }
}

/* What a thread has to do before its instruction: false when it waits. */
static bool fetch_instr(struct amo_machine *m, int node, int64_t now) {
  struct core *core = &m->cores[node];
  if (core->meets) return false;
  if (core->ended) return true;
  if (core->pc == core->count && !feed(m, node, now)) {
    core->ended = true;
    meet(m, now);
    return true;
  }
  enum work_kind kind = core->word.kind;
  bool orders = core->word.scope != WORK_PLAIN && kind != WORK_LOAD;
  if ((orders || kind == WORK_BARRIER) && core->outstanding > 0) return false;
  if (kind != WORK_BARRIER) return true;
  core->meets = true;
  meet(m, now);
  return false;
}

/* Executes instructions until one takes time or cannot go on. */
static void on_step(struct amo_machine *m, int node, int64_t now) {
  struct core *core = &m->cores[node];
  while (core->active && !core->blocked && !core->finished && now >= core->next) {
    if (core->fed && !fetch_instr(m, node, now)) return;
    if (core->pc == core->count) {
      if (core->outstanding > 0) return;
      core->finished = true;
      m->result.finish = max(m->result.finish, now);
      return;
    }
    const struct amo_instr *instr = &core->instrs[core->pc];
    switch (instr->op) {
      case AMO_COMPUTE:
        core->pc++;
        core->next = now + instr->value;
        post_step(m, node, core->next);
        return;
      case AMO_SIGNAL:
        if (core->outstanding > 0) return;
        core->pc++;
        signal_turn(m, now);
        break;
      case AMO_WAIT:
        if (core->outstanding > 0) return;
        if (m->turn < instr->value) {
          core->waiting = true;
          return;
        }
        core->pc++;
        break;
      case AMO_LOOP:
        core->pc = 0;
        break;
      case AMO_SPIN:
        if (m->turn >= instr->value) {
          core->pc++;
          break;
        }
        access(m, node, instr, now);
        return;
      case AMO_LOAD:
      case AMO_STORE:
      case AMO_FETCH:
      case AMO_UPDATE:
        access(m, node, instr, now);
        return;
    }
  }
}

/* ---- the whole ----------------------------------------------------------------- */

void amo_place_line(struct amo_machine *m, int node, int64_t id, enum amo_state state, enum amo_place place) {
  struct line *line = line_of(m, id);
  fill_l1(m, node, line, state, 0);
  if (place == AMO_IN_L1) return;
  *find_way(l1_set(m, node, line), m->p->l1ways, line) = (struct way){0};
  fill_l2(m, node, line);
}

void amo_buffer_line(struct amo_machine *m, int64_t id) {
  enter_buffer(m, line_of(m, id));
}

void amo_set_program(struct amo_machine *m, int node, const struct amo_instr *instrs, size_t count) {
  struct core *core = core_of(m, node);
  core->instrs = instrs;
  core->count = count;
  core->active = true;
  post_step(m, node, 0);
}

void amo_set_work(struct amo_machine *m, struct work *work) {
  const struct amo_parameters *p = m->p;
  m->work = work;
  if (p->llcsets) m->llc = ARENA_ARRAY(m->arena, struct way, (size_t)(AMO_NODES * p->llcsets * p->llcways));
  for (unsigned i = 0; i < work->threads; i++) {
    struct core *core = core_of(m, (int)i);
    amo_set_program(m, (int)i, &core->step, 0);
    core->fed = true;
  }
}

static void dispatch(struct amo_machine *m, const struct event *event) {
  int node = event->destination;
  if (event->kind == EVENT_STEP) {
    on_step(m, node, event->time);
    return;
  }
  struct line *line = line_of(m, event->line);
  switch ((enum event_kind)event->kind) {
    case EVENT_SNOOP:
      on_snoop(m, line, event);
      break;
    case EVENT_AT_HOME:
      on_home_event(m, line, event);
      break;
    case EVENT_REQUEST:
      on_request(m, line, event);
      break;
    case EVENT_COMPLETION:
      if (event->note <= (int)READ_UNIQUE)
        on_fill(m, line, node, event->time);
      else
        on_far_completion(m, line, node, (enum request_type)event->note, event->time);
      break;
    case EVENT_STEP:
      break;
  }
}

struct amo_result amo_run(struct amo_machine *m, int64_t until, struct cost_limit *limit) {
  m->limit = until;
  for (struct event event; !cost_limit_met(limit) && event_queue_pop(&m->events, &event);) {
    if (until >= 0 && event.time > until) break;
    m->result.events++;
    dispatch(m, &event);
  }
  for (int node = 0; node < AMO_NODES; node++)
    m->result.stuck |= m->cores[node].active && m->cores[node].fed && !m->cores[node].finished;
  return m->result;
}
