/* SPDX-License-Identifier: MIT */
/* The mesh of atomics from within: what its files share.
 *
 * amo_caches.c has the private caches, the homes' buffers and the last-level cache;
 * amo_home.c the homes, which order transactions; amo_node.c the cores' accesses
 * and snoops; amo.c what cores execute, and the run.
 */
#ifndef LITSCOPE_HWSEM_TIMING_AMO_PARTS_H
#define LITSCOPE_HWSEM_TIMING_AMO_PARTS_H

#include "hwsem/timing/amo.h"
#include "hwsem/timing/amo_policy.h"
#include "hwsem/timing/events.h"

/* In the order in which events of one cycle are taken. */
enum amo_event_kind { EVENT_SNOOP, EVENT_AT_HOME, EVENT_REQUEST, EVENT_COMPLETION, EVENT_STEP };
enum { NOTE_NONE, NOTE_FREE }; /* at home: an answer, or the end of the transaction; otherwise a request's type */

enum amo_request_type { READ_SHARED, READ_UNIQUE, ATOMIC_FETCH, ATOMIC_UPDATE };

struct amo_request {
  enum amo_request_type type;
  int source;
  int64_t arrival;
  struct amo_request *next;
  /* Once it is served. */
  bool exclusive;   /* no other node held the line at the start */
  int answers;      /* still to come */
  int64_t data;     /* when the data is at the home */
  int64_t operands; /* far operations: when the operands are there */
};

/* A far operation on its way, of a program: what it does when its turn comes. */
struct amo_flight {
  struct work_request operation;
  int32_t *result; /* NULL: nobody wants it */
  bool performed;
};

/* A line fits in one of the processor's: most of what a simulation waits for is here. */
struct amo_line {
  uint32_t id;
  uint8_t home;
  bool buffered;                       /* in the home's AMO buffer */
  uint32_t holders;                    /* nodes whose state is not AMO_I */
  uint32_t in_l2;                      /* of those, the ones that keep it in the L2 */
  uint32_t unique;                     /* ... whose state is UC or UD */
  uint32_t dirty;                      /* ... is SD or UD */
  uint32_t l1_set, l2_set;             /* its sets: their first ways */
  struct amo_request *serving, *queue; /* queue: the last that waits, whose next is the first */
  struct amo_line *chain;              /* of the hash table */
};

/* A way of a set, in a private cache, a buffer or the last-level cache: 1 + a line's number,
 * 0 when free.  A set's ways are in the order of their lines' last use (L2: insertion), the
 * free ones last. */
typedef uint32_t amo_way;

struct amo_core {
  const struct amo_instr *instrs;
  size_t count, pc;
  bool active, blocked, waiting, finished, decided;
  bool predicts;      /* its predictor wants to know what happens */
  bool near;          /* of the operation under way, once decided */
  int64_t next;       /* when the next instruction may start */
  int64_t busy_until; /* end of a local hit or fill: snoops wait for it */
  int64_t outstanding;
  struct amo_line **flying;   /* lines of the outstanding far operations, the oldest first */
  struct amo_flight *flights; /* beside them: of a program */
  /* A thread of a work. */
  bool fed, ended, meets;
  struct work_request *request;    /* under way, of which ... */
  const struct work_request *word; /* ... this is being executed: itself, or what a lane does ... */
  int32_t *result;                 /* ... whose value goes here */
  struct work_request lane_word;
  unsigned lane;
  struct amo_instr step;
  amo_way *l1, *l2;
  struct amo_predictor *predictor;
};

enum { AMO_BUCKETS = 1 << 14, AMO_BLOCK = 64 }; /* lines of a program come into being by the block */

struct amo_machine {
  struct arena *arena;
  const struct amo_parameters *p;
  enum amo_policy policy;
  struct amo_core cores[AMO_NODES];
  amo_way *buffers[AMO_NODES];
  struct amo_line **buckets; /* by a hash of the line's number ... */
  struct amo_line **lines;   /* ... or, of a program, blocks by the number itself */
  int64_t line_count;
  amo_way *llc; /* [home][set][way]; NULL: everything is there */
  struct work *work;
  struct amo_request *spare;
  struct event_queue events;
  int64_t latency[AMO_NODES][AMO_NODES]; /* of a message between a request node and a home */
  int64_t turn, limit;
  struct amo_result result;
};

static inline int64_t amo_max(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static inline uint32_t amo_bit(int node) {
  return (uint32_t)1 << node;
}

static inline int64_t amo_latency(const struct amo_machine *m, int node, const struct amo_line *line) {
  return m->latency[node][line->home];
}

static inline enum amo_state amo_state_of(const struct amo_line *line, int node) {
  static const uint8_t STATES[] = {AMO_SC, AMO_UC, AMO_SD, AMO_UD};
  if (!(line->holders >> node & 1)) return AMO_I;
  return (enum amo_state)STATES[(line->unique >> node & 1) | (line->dirty >> node & 1) << 1];
}

/* Nodes that must answer for the line's data. */
static inline uint32_t amo_owners(const struct amo_line *line) {
  return line->unique | line->dirty;
}

static inline bool amo_unique(enum amo_state state) {
  return state == AMO_UC || state == AMO_UD;
}

static inline bool amo_in_l1(const struct amo_line *line, int node) {
  return (line->holders & ~line->in_l2 & amo_bit(node)) != 0;
}

static inline bool amo_atomic(enum amo_op op) {
  return op == AMO_FETCH || op == AMO_UPDATE;
}

static inline void amo_set_state(struct amo_line *line, int node, enum amo_state state) {
  uint32_t bit = amo_bit(node), unique = amo_unique(state), dirty = state == AMO_UD || state == AMO_SD;
  line->unique = (line->unique & ~bit) | unique << node;
  line->dirty = (line->dirty & ~bit) | dirty << node;
}

/* An event at a node; its order is by kind, destination, source and line. */
static inline void amo_post(struct amo_machine *m, int64_t time, enum amo_event_kind kind, int destination, int source,
                            struct amo_line *line, int note) {
  uint64_t order = (uint64_t)kind << 58 | (uint64_t)destination << 53 | (uint64_t)source << 48;
  if (line) order |= (uint64_t)line->id + 1;
  event_queue_push(&m->events, &(struct event){time, order, line, note});
}

static inline enum amo_event_kind amo_kind(const struct event *event) {
  return (enum amo_event_kind)(event->order >> 58);
}

static inline int amo_destination(const struct event *event) {
  return (int)(event->order >> 53 & 31);
}

static inline int amo_source(const struct event *event) {
  return (int)(event->order >> 48 & 31);
}

static inline void amo_post_step(struct amo_machine *m, int node, int64_t time) {
  amo_post(m, time, EVENT_STEP, node, node, NULL, NOTE_NONE);
}

/* A message travels that takes so long: for the account of what moves. */
static inline void amo_count_hops(struct amo_machine *m, int64_t cycles, bool data) {
  *(data ? &m->result.data_hops : &m->result.control_hops) += cycles; /* hops once the run has ended */
}

static inline void amo_note(const struct amo_core *core, const struct amo_line *line, enum amo_event event,
                            int64_t now) {
  if (core->predicts) amo_predictor_note(core->predictor, line->id, event, now);
}

/* ---- amo_caches.c ---- */

struct amo_line *amo_find_line(struct amo_machine *m, int64_t id);
static inline struct amo_line *amo_line_of(struct amo_machine *m, int64_t id) {
  if (id < m->line_count && m->lines[id / AMO_BLOCK]) return &m->lines[id / AMO_BLOCK][id % AMO_BLOCK];
  return amo_find_line(m, id);
}

/* The node's core, with its caches and predictor: only nodes in use have them. */
struct amo_core *amo_core_of(struct amo_machine *m, int node);

/* Takes a line out of a node's caches. */
void amo_drop(struct amo_machine *m, int node, struct amo_line *line);

/* Puts a line into the L1 in a state; a victim moves to the L2. */
void amo_fill_l1(struct amo_machine *m, int node, struct amo_line *line, enum amo_state state, int64_t now);
void amo_fill_l2(struct amo_machine *m, int node, struct amo_line *line);
void amo_touch(struct amo_machine *m, int node, const struct amo_line *line);
void amo_leave_l1(struct amo_machine *m, int node, const struct amo_line *line);

/* The home's AMO buffer. */
void amo_unbuffer(struct amo_machine *m, struct amo_line *line);
void amo_enter_buffer(struct amo_machine *m, struct amo_line *line);

/* Is the line in the last-level cache?  It is from now on. */
bool amo_hit_llc(struct amo_machine *m, struct amo_line *line);

/* ---- amo_home.c ---- */

void amo_on_request(struct amo_machine *m, struct amo_line *line, const struct event *event);
void amo_on_home_event(struct amo_machine *m, struct amo_line *line, const struct event *event);

/* ---- amo_node.c ---- */

void amo_on_snoop(struct amo_machine *m, struct amo_line *line, const struct event *event);
void amo_on_completion(struct amo_machine *m, struct amo_line *line, const struct event *event);

/* A core begins the access of its instruction. */
void amo_begin_access(struct amo_machine *m, int node, const struct amo_instr *instr, int64_t now);

/* A far operation's turn has come: a core's operations on one line take theirs in
 * the order in which they left. */
void amo_perform_far(struct amo_machine *m, const struct amo_line *line, int node);

#endif
