/* SPDX-License-Identifier: MIT */
/* The mesh of atomics from within: what its files share.
 *
 * amo_caches.c has the private caches, the homes' buffers and the last-level cache;
 * amo_home.c the homes, which order transactions; amo_thread.c what threads ask;
 * amo_node.c the cores' accesses and snoops; amo_timed_core.c what cores execute; amo_timed.c the run.
 */
#ifndef LITSCOPE_HWSEM_TIMING_AMO_TIMED_STATE_H
#define LITSCOPE_HWSEM_TIMING_AMO_TIMED_STATE_H

#include "checker/base/number.h"
#include "hwsem/timing/amo_policy.h"
#include "hwsem/timing/amo_timed.h"
#include "hwsem/timing/calendar_queue.h"

/* Messages, in the order in which those of one cycle are taken; then cores take their steps. */
enum amo_event_kind { EVENT_SNOOP, EVENT_AT_HOME, EVENT_REQUEST, EVENT_COMPLETION };
enum { NOTE_NONE, NOTE_FREE }; /* at home: an answer, or the line is free; otherwise a request's type */

enum amo_request_type { READ_SHARED, READ_UNIQUE, ATOMIC_FETCH, ATOMIC_UPDATE };

/* A way of a set, in a private cache, a buffer or the last-level cache: 1 + a line's number,
 * 0 when free.  A set's ways are in the order of their lines' last use (L2: insertion), the
 * free ones last. */
typedef uint32_t amo_way;

/* Requests have numbers: 0 is none.  A core waits for one answer, and has at most 64 far operations
 * outstanding: 12 bits will do. */
typedef uint16_t amo_request_number;

struct amo_request {
  enum amo_request_type type;
  int source;
  int64_t arrival;
  amo_request_number next;
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

/* Two lines fit in one of the processor's: most of what a simulation waits for is here. */
struct amo_line {
  amo_way name;          /* 1 + its number */
  uint32_t holders;      /* nodes whose state is not AMO_I */
  uint32_t in_l2;        /* of those, the ones that keep it in the L2 */
  uint32_t unique;       /* ... whose state is UC or UD */
  uint32_t dirty;        /* ... is SD or UD */
  uint32_t queue : 12;   /* the last request that has come for it, whose next is the first, which is served */
  uint32_t wanted : 12;  /* requests on their way, in the queue, or served, that may still snoop */
  uint32_t buffered : 1; /* in the home's AMO buffer */
  uint32_t source : 5;   /* of the transaction that ended last */
  int64_t free_at;       /* it ends then */
};

/* A local hit or fill: snoops that come after its begin wait for its end. */
struct amo_busy {
  int64_t begin, end;
};

enum { AMO_AHEAD = 8 }; /* accesses that a core does ahead of their time, at most */

struct amo_core {
  int64_t next; /* when the next instruction may start */
  bool blocked, waiting, finished, decided;
  bool predicts;   /* its predictor wants to know what happens */
  bool near;       /* of the operation under way, once decided */
  uint8_t keeps;   /* bit s: operations on lines that are in state s, UC or UD, are near */
  bool fed;        /* it runs a thread of a work */
  uint32_t bit;    /* its own, in the sets of a line */
  uint32_t snoops; /* on their way here */
  unsigned node;
  enum amo_op op;            /* that waits for its line */
  int64_t outstanding;       /* far operations */
  struct amo_line **flying;  /* their lines, the oldest first */
  struct amo_line *line;     /* of the next access; of what accesses nothing, one without holders */
  struct work_request *word; /* of a thread: begun or to begin; NULL: it has ended */
  amo_way *l1, *l2;
  const struct amo_instr *instrs; /* of a program */
  size_t count, pc;
  struct amo_predictor *predictor;
  unsigned busy_count;
  struct amo_busy busy[AMO_AHEAD + 1]; /* the last access begun in its time, and those done ahead */
  /* A thread of a work. */
  struct amo_flight *flights;   /* next to `flying` */
  struct work_request *request; /* `word` or, of a vector, what that is a lane of */
  bool ended, meets;
  unsigned lane;
  struct work_request lane_word;
};

enum { AMO_BLOCK = 64 }; /* lines of a program come into being by the block */

/* A line that is not a program's. */
struct amo_other_line {
  struct amo_line line;
  struct amo_other_line *chain; /* of the hash table */
};

struct amo_machine {
  struct arena *arena;
  const struct amo_parameters *p;
  enum amo_policy policy;
  struct event_queue events;
  struct amo_core cores[AMO_NODES];
  amo_way *buffers[AMO_NODES];
  struct amo_other_line **buckets; /* by a hash of the line's number, so many bits of it ... */
  unsigned bucket_bits;
  size_t other_count;
  struct amo_line **lines; /* ... or, of a program, blocks by the number itself */
  int64_t line_count;
  struct amo_line nowhere; /* nobody holds it */
  amo_way *llc;            /* [home][set][way]; NULL: everything is there */
  struct work *work;
  struct amo_request *requests; /* by number */
  amo_request_number free_requests;
  int32_t latency[AMO_NODES][AMO_NODES]; /* of a message between a request node and a home */
  int32_t nearest;                       /* the least of them */
  int64_t soon;                          /* what threads do ahead of time is at most so many cycles ahead */
  uint32_t l1_mask, l2_mask;             /* of a line's number, its set; 0: sets are no power of two */
  int64_t turn, limit;
  struct amo_result result;
};

static inline uint32_t amo_bit(int node) {
  return (uint32_t)1 << node;
}

static inline int64_t amo_number(const struct amo_line *line) {
  return (int64_t)line->name - 1;
}

static inline int amo_home(const struct amo_line *line) {
  return (int)((line->name - 1) % AMO_NODES);
}

static inline int64_t amo_latency(const struct amo_machine *m, int node, const struct amo_line *line) {
  return m->latency[node][amo_home(line)];
}

/* Of the requests for a line, the one that is served. */
static inline struct amo_request *amo_served(const struct amo_machine *m, const struct amo_line *line) {
  return &m->requests[m->requests[line->queue].next];
}

static inline enum amo_state amo_state_of(const struct amo_line *line, const struct amo_core *core) {
  static const uint8_t STATES[] = {AMO_SC, AMO_UC, AMO_SD, AMO_UD};
  if (!(line->holders & core->bit)) return AMO_I;
  return (enum amo_state)STATES[((line->unique & core->bit) != 0) | ((line->dirty & core->bit) != 0) << 1];
}

/* Nodes that must answer for the line's data. */
static inline uint32_t amo_owners(const struct amo_line *line) {
  return line->unique | line->dirty;
}

static inline bool amo_unique(enum amo_state state) {
  return state == AMO_UC || state == AMO_UD;
}

static inline bool amo_in_l1(const struct amo_line *line, const struct amo_core *core) {
  return (line->holders & ~line->in_l2 & core->bit) != 0;
}

static inline bool amo_atomic(enum amo_op op) {
  return op == AMO_FETCH || op == AMO_UPDATE;
}

static inline void amo_set_state(struct amo_line *line, const struct amo_core *core, enum amo_state state) {
  line->unique = (line->unique & ~core->bit) | (amo_unique(state) ? core->bit : 0);
  line->dirty = (line->dirty & ~core->bit) | (state == AMO_UD || state == AMO_SD ? core->bit : 0);
}

/* A message comes to a node; its order is by kind, destination, source and line. */
struct amo_message {
  enum amo_event_kind kind;
  int destination, source;
  struct amo_line *line;
  int note;
};

static inline void amo_post(struct amo_machine *m, int64_t time, struct amo_message s) {
  uint64_t order =
      (uint64_t)s.kind << 58 | (uint64_t)s.destination << 53 | (uint64_t)s.source << 48 | (uint64_t)s.line->name;
  event_queue_push(&m->events, &(struct event){time, order, s.line, s.note});
  m->result.events++;
}

static inline enum amo_event_kind amo_kind(const struct event_node *event) {
  return (enum amo_event_kind)(event->order >> 58);
}

static inline int amo_destination(const struct event_node *event) {
  return (int)(event->order >> 53 & 31);
}

static inline int amo_source(const struct event_node *event) {
  return (int)(event->order >> 48 & 31);
}

/* A core takes a step once the messages of that time have come. */
static inline void amo_post_step(struct amo_machine *m, const struct amo_core *core, int64_t time) {
  event_queue_mark(&m->events, time, core->node);
  m->result.events++;
}

/* The request that was served leaves the queue. */
static inline void amo_leave_queue(struct amo_machine *m, struct amo_line *line) {
  struct amo_request *last = &m->requests[line->queue];
  amo_request_number number = last->next;
  line->source = (uint32_t)m->requests[number].source % AMO_NODES;
  if (number == line->queue)
    line->queue = 0;
  else
    last->next = m->requests[number].next;
  m->requests[number].next = m->free_requests;
  m->free_requests = number;
}

/* The message that tells that a line is free, where somebody waits for it. */
static inline void amo_post_free(struct amo_machine *m, struct amo_line *line, int64_t time) {
  amo_post(m, time, (struct amo_message){EVENT_AT_HOME, amo_home(line), (int)line->source, line, NOTE_FREE});
}

/* Only the message is left that frees the line of its transaction, at `time`.  It concerns nobody but
 * the next request: it takes a turn of the calendar only if there is one by then. */
static inline void amo_end_at(struct amo_machine *m, struct amo_line *line, int64_t time) {
  amo_leave_queue(m, line);
  line->free_at = time;
  if (line->queue)
    amo_post_free(m, line, time);
  else
    m->result.events++; /* it is counted either way */
}

/* A message travels that takes so long: for the account of what moves. */
static inline void amo_count_hops(struct amo_machine *m, int64_t cycles, bool data) {
  *(data ? &m->result.data_hops : &m->result.control_hops) += cycles; /* hops once the run has ended */
}

static inline void amo_note(const struct amo_core *core, const struct amo_line *line, enum amo_event event,
                            int64_t now) {
  if (core->predicts) amo_predictor_note(core->predictor, amo_number(line), event, now);
}

/* ---- amo_caches.c ---- */

struct amo_line *amo_find_line(struct amo_machine *m, int64_t id);
static inline struct amo_line *amo_line_of(struct amo_machine *m, int64_t id) {
  if (id < m->line_count && m->lines[id / AMO_BLOCK]) return &m->lines[id / AMO_BLOCK][id % AMO_BLOCK];
  return amo_find_line(m, id);
}

/* The node's core, with its caches and predictor: only nodes in use have them. */
struct amo_core *amo_core_of(struct amo_machine *m, int node);

/* Takes a line out of a core's caches. */
void amo_drop(struct amo_machine *m, struct amo_core *core, struct amo_line *line);

/* Puts a line into the L1 in a state; a victim moves to the L2. */
void amo_fill_l1(struct amo_machine *m, struct amo_core *core, struct amo_line *line, enum amo_state state,
                 int64_t now);
void amo_fill_l2(struct amo_machine *m, struct amo_core *core, struct amo_line *line);
void amo_leave_l1(struct amo_machine *m, struct amo_core *core, const struct amo_line *line);

/* The first way of a line's set. */
static inline int64_t amo_set(const struct amo_line *line, int64_t sets, uint32_t mask, int64_t ways) {
  uint32_t number = line->name - 1;
  return (mask ? number & mask : number % (uint32_t)sets) * ways;
}

static inline amo_way *amo_l1_set(const struct amo_machine *m, const struct amo_core *core,
                                  const struct amo_line *line) {
  return &core->l1[amo_set(line, m->p->l1sets, m->l1_mask, m->p->l1ways)];
}

/* A name to the front of a set: those before it move back, or all, where it is new, and the last is
 * gone.  Returns whether it was there.  Where it is not the first, all ways are gone through, as where to
 * stop would be mispredicted more often than not. */
static inline bool amo_move_first(amo_way *set, int64_t ways, amo_way name) {
  if (set[0] == name) return true;
  bool found = false;
  amo_way moved = name;
  for (int64_t at = 0; at < ways; at++) {
    amo_way own = set[at];
    set[at] = found ? own : moved;
    found |= own == name;
    moved = own;
  }
  return found;
}

/* A line of the L1 is used. */
static inline void amo_touch(const struct amo_machine *m, const struct amo_core *core, const struct amo_line *line) {
  amo_move_first(amo_l1_set(m, core, line), m->p->l1ways, line->name);
}

/* The home's AMO buffer. */
void amo_unbuffer(struct amo_machine *m, struct amo_line *line);
void amo_enter_buffer(struct amo_machine *m, struct amo_line *line);

/* Is the line in the last-level cache?  It is from now on. */
bool amo_hit_llc(struct amo_machine *m, const struct amo_line *line);

/* ---- amo_home.c ---- */

void amo_on_request(struct amo_machine *m, struct amo_line *line, const struct event_node *event);
void amo_on_home_event(struct amo_machine *m, struct amo_line *line, const struct event_node *event);

/* ---- amo_node.c ---- */

void amo_on_snoop(struct amo_machine *m, struct amo_line *line, const struct event_node *event);
/* Returns whether the core goes on at `core->next`. */
bool amo_on_completion(struct amo_machine *m, struct amo_line *line, const struct event_node *event);

/* A core begins an access at `now`, which may be ahead of the calendar.  Returns whether the core goes on
 * at `core->next`; else it waits for an answer. */
bool amo_begin_access(struct amo_machine *m, struct amo_core *core, enum amo_op op, struct amo_line *line, int64_t now);

/* Has the core a far operation on the line on its way? */
static inline bool amo_flies(const struct amo_core *core, const struct amo_line *line) {
  for (int64_t i = 0; i < core->outstanding; i++)
    if (core->flying[i] == line) return true;
  return false;
}

/* A far operation's turn has come: a core's operations on one line take theirs in
 * the order in which they left. */
void amo_perform_far(struct amo_machine *m, const struct amo_line *line, int node);

/* ---- amo_thread.c ---- */

/* What a core's thread asks first. */
void amo_start_thread(struct amo_machine *m, struct amo_core *core);

/* What the thread wanted last has been done, and it may go on at `core->next`: what does it want
 * next?  If that is only to wait, this is `core->next` later. */
void amo_go_on(struct amo_machine *m, struct amo_core *core);

/* ---- amo_timed_core.c ---- */

/* The core executes what it can, if it is time. */
void amo_step(struct amo_machine *m, struct amo_core *core, int64_t now);

/* The core may go on at `core->next`: it takes a step then, or does ahead of time what nobody can tell
 * from doing it then. */
void amo_run_on(struct amo_machine *m, struct amo_core *core);

/* The core has what it accesses for itself from `begin` to `end`. */
static inline void amo_keep_busy(struct amo_core *core, int64_t begin, int64_t end) {
  core->busy[core->busy_count++] = (struct amo_busy){begin, end};
}

/* Performs a word on memory, whose value it takes. */
static inline void amo_perform(const struct amo_machine *m, struct work_request *word) {
  int32_t *at = &m->work->memory[word->address], old = *at;
  if (word->kind == WORK_STORE) {
    *at = word->value;
    return;
  }
  if (word->kind == WORK_AMO) *at = work_amo_result(word, old);
  word->value = old;
}

#endif
