/* SPDX-License-Identifier: MIT */
/* Complete executions: events with rf and co, and the fixed relations of the
 * event structure.
 *
 * The enumerator (enumerate.h) hands one out for each consistent execution;
 * verdicts count them, reports draw and explain them.
 */
#ifndef LITSCOPE_EXEC_EXECUTION_H
#define LITSCOPE_EXEC_EXECUTION_H

#include "checker/base/rel.h"
#include "checker/cat/builtin_table.h"
#include "checker/program/outcome.h"
#include "checker/program/program.h"

enum event_kind {
  EVENT_READ,
  EVENT_WRITE,
  EVENT_FENCE,
  EVENT_CALL,
  EVENT_SYNC,
  EVENT_ALLOC,
  EVENT_FREE,
  EVENT_MEET, /* control barrier in one event */
  EVENT_MARK  /* nothing but its tags */
};

/* One event.  Read-modify-writes are a read and a write joined by rmw, both
 * carrying order, scope and tags of the operation. */
struct event {
  enum event_kind kind;
  int thread;        /* -1: an initial write */
  unsigned po_index; /* position in its thread */
  int instr;         /* instruction it comes from; -1: initial */
  int location;      /* -1: no access; never an alias */
  int name;          /* by which location's name: `location`, or an alias of it */
  int64_t value;     /* read or written, or a mark's */
  bool valued;       /* MARK: it has one */
  enum order order;  /* ORDER_NA: ordinary access (and initial writes) */
  bool order_open;   /* of a beginning: a compare-and-swap that may yet fail, with another order; neither holds */
  enum scope scope;
  bool implicit_scope; /* the source names none */
  tag_set tags;        /* annotations */
  bool rmw;            /* a half of a read-modify-write */
  unsigned regions;    /* set of enum region */
  bool barrier_entry, barrier_exit;
  int barrier_instance; /* events of one barrier have equal ones; -1: none */
  /* MEET: the instruction's barrier_label, and the values of its resource and
   * quorum, which have one once the reads that they depend on do. */
  int meeting;
  bool has_resource, has_quorum, arrive, silent;
  /* Only among executions that stop (enumerate_options.stops): a barrier to which
   * too few come, and events of the round in which a thread goes on for ever. */
  bool blocked, repeats;
  bool resource_known, quorum_known; /* so they are where there is none */
  int64_t resource, quorum;
  /* ADSM (0 in other languages). */
  unsigned launch; /* in a kernel: 1 + po_index of the call in its thread; on the host 0 */
  unsigned object; /* ALLOC, FREE: 1 + index of the object */
  unsigned kernel; /* CALL, and what it launches: index of the kernel */
};

/* The initial write of a location. */
static inline struct event event_initial(const struct program *program, unsigned location) {
  const struct location *x = &program->locations[location];
  return (struct event){.kind = EVENT_WRITE,
                        .thread = -1,
                        .instr = -1,
                        .location = (int)location,
                        .name = (int)location,
                        .value = x->init,
                        .regions = x->region,
                        .barrier_instance = -1};
}

/* Is it about a kernel or an object as a whole: a host's event? */
static inline bool event_is_host(const struct event *e) {
  return e->kind == EVENT_CALL || e->kind == EVENT_SYNC || e->kind == EVENT_ALLOC || e->kind == EVENT_FREE;
}

static inline bool event_is_access(const struct event *e) {
  return e->kind == EVENT_READ || e->kind == EVENT_WRITE;
}

/* Do two events lie in one sequence of program order (and of `int`)?  A kernel's
 * events are numbered within the thread that calls it, but are a sequence of
 * their own: po relates neither them to the host's nor those of two calls. */
static inline bool event_same_sequence(const struct event *a, const struct event *b) {
  return a->thread == b->thread && a->launch == b->launch;
}

/* Do models see the same of two events, but for where they stand and what is read, written or met? */
static inline bool event_alike(const struct event *a, const struct event *b) {
  return a->kind == b->kind && a->location == b->location && a->name == b->name && a->order == b->order &&
         a->order_open == b->order_open && a->scope == b->scope && a->implicit_scope == b->implicit_scope &&
         a->tags == b->tags && a->rmw == b->rmw && a->regions == b->regions && a->launch == b->launch &&
         a->kernel == b->kernel;
}

/* Can control barriers meet, `b` with `a`? */
static inline bool event_meets(const struct program *program, const struct event *a, const struct event *b) {
  return b->kind == EVENT_MEET && a->meeting == b->meeting && a->has_resource == b->has_resource &&
         (!a->has_resource || a->resource == b->resource) &&
         program->threads[a->thread].wg == program->threads[b->thread].wg;
}

struct execution {
  const struct program *program;
  struct shape shape;
  const struct event *events; /* initial writes first, then by thread and po */
  /* n * w words each. */
  const word *po, *rf, *co, *rmw, *addr, *data, *ctrl;
  const word *sync_fence, *same_b; /* as chosen; NULL: empty, and as the events alone say */
  /* Final values: registers of each thread, then locations. */
  const int64_t *const *registers;
  const int64_t *final;
  /* A loop bound cut this execution short (never among the counted ones). */
  bool cut;
};

/* What an observable ends with. */
int64_t execution_value(const struct execution *x, struct observable what);

/* Does a proposition hold of what the observables end with? */
bool execution_meets(const struct execution *x, const struct prop *prop);

/* Writes an event as reports show it: `P1 R(acq,dev,remote) y=1`. */
void event_print(const struct program *program, const struct event *event, FILE *out);

/* The same and, where it comes from the text of a test, its line: `P0 W(na) x=1 [line 5]`. */
void event_print_placed(const struct program *program, const struct event *event, FILE *out);

/* That line; 0: it has none. */
unsigned event_line(const struct program *program, const struct event *event);

#endif
