/* SPDX-License-Identifier: MIT */
/* Programs of simulated threads: what runs on the timed machines.
 *
 * A workload is a C function that runs once per thread and reaches the simulated
 * memory through work_load, work_store, work_amo and so on only.  Each of them
 * stops the thread; the machine takes the request with work_next, decides when
 * it completes and with which value, and asks for the thread's next one.  A
 * value is what the machine's caches and protocol make of it, so that a wrong
 * protocol gives wrong answers, which the workload's check finds.
 *
 * Memory is an array of 32-bit words from address 0 on; an address is the number
 * of a word.  A machine's lowest level is `memory` itself.
 *
 * Instead of running a workload, the same requests can be read from a trace, and
 * what a workload requests can be recorded as one (trace.h).
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_WORKLOAD_H
#define LITSCOPE_HWSEM_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"
#include "hwsem/workloads/coroutine.h"

enum { WORK_LINE = 16, WORK_LANES = 256, WORK_THREADS = 256 }; /* words in a line; most lanes, threads */

enum work_kind {
  WORK_LOAD,
  WORK_STORE,
  WORK_AMO,     /* read-modify-write */
  WORK_GATHER,  /* one load per lane */
  WORK_SCATTER, /* one store per lane */
  WORK_COMPUTE, /* `cycles` pass */
  WORK_BARRIER, /* all threads meet, and what each has written is seen by all: the end of a kernel */
  WORK_KINDS
};

enum work_amo { WORK_ADD, WORK_MIN, WORK_MAX, WORK_OR, WORK_SWAP, WORK_CAS, WORK_AMOS };

/* How an access synchronises.  Machines without scopes take all as WORK_DEVICE. */
enum work_scope {
  WORK_PLAIN,  /* not at all */
  WORK_GROUP,  /* loads acquire, stores release, read-modify-writes both, at work-group scope */
  WORK_DEVICE, /* at device scope */
  WORK_REMOTE, /* at device scope, promoting the scope of others (remote-scope promotion) */
  WORK_SCOPES
};

/* Half a line of the processor's caches, as each is written and read once. */
struct work_request {
  enum work_kind kind : 8;
  enum work_amo amo : 8;
  enum work_scope scope : 8;
  bool forgets; /* AMO: nobody wants the old value */
  uint32_t address;
  int32_t value;  /* stored; operand; loaded or old value, once completed */
  unsigned lanes; /* GATHER, SCATTER */
  union {
    int32_t expected;   /* CAS */
    int64_t cycles;     /* COMPUTE */
    const uint32_t *at; /* GATHER, SCATTER: addresses */
  };
  int32_t *values; /* GATHER, SCATTER: stored or, once completed, loaded */
};

/* What an operation leaves in memory. */
static inline int32_t work_amo_result(const struct work_request *r, int32_t old) {
  switch (r->amo) {
    case WORK_ADD:
      return (int32_t)((uint32_t)old + (uint32_t)r->value);
    case WORK_MIN:
      return old < r->value ? old : r->value;
    case WORK_MAX:
      return old > r->value ? old : r->value;
    case WORK_OR:
      return old | r->value;
    case WORK_SWAP:
      return r->value;
    case WORK_CAS:
      return old == r->expected ? r->value : old;
    case WORK_AMOS:
      break;
  }
  return old;
}

/* Of a GATHER or SCATTER, the access of one lane, for machines that have no vectors. */
static inline struct work_request work_lane(const struct work_request *r, unsigned lane) {
  bool loads = r->kind == WORK_GATHER;
  return (struct work_request){
      .kind = loads ? WORK_LOAD : WORK_STORE, .address = r->at[lane], .value = loads ? 0 : r->values[lane]};
}

/* The access of lane `*lane` has been done, and that of the next is wanted; false when it was the last. */
static inline bool work_next_lane(const struct work_request *r, unsigned *lane, struct work_request *access) {
  if (r->kind == WORK_GATHER) r->values[*lane] = access->value;
  if (++*lane == r->lanes) return false;
  *access = work_lane(r, *lane);
  return true;
}

struct work;
struct work_record; /* trace.h */

/* A simulated thread, from within a workload. */
struct work_thread {
  struct work *work;
  unsigned index;
  struct work_request request; /* under way */
  struct work_request pause;   /* COMPUTE, before it */
  bool pauses;                 /* there is one, which work_next has handed over first */
  struct coroutine *coroutine;
};

struct work {
  struct arena *arena;
  int32_t *memory;
  uint32_t words, room;
  unsigned threads;
  struct work_thread *thread;
  void (*body)(struct work_thread *thread);
  void *program; /* the workload's own */
  /* Where all threads meet: the host's part, between two kernels.  Returns false
   * when there is no further kernel.  NULL: none. */
  bool (*between)(struct work *work);
  bool more; /* what `between` returned */
  /* After the run: is the answer right?  NULL, or what is wrong, in `arena`. */
  const char *(*check)(struct arena *arena, const struct work *work);
  /* Set by a machine for which a pause need stop no thread: it is handed over with what follows, so
   * that a thread runs on before its pause. */
  bool runs_on;
  /* Instead of coroutines. */
  bool (*read)(struct work *work, unsigned thread, struct work_request **request);
  struct work_record *record;  /* NULL: what is asked is not recorded */
  uint64_t requests, accesses; /* accesses: a lane is one */
  bool out_of_memory;
};

/* ---- For whoever runs a workload ---- */

struct work *work_new(struct arena *arena, unsigned threads, void (*body)(struct work_thread *thread), void *program);
void work_free(struct work *work); /* stacks; the rest is the arena's */

/* `count` words of memory, zero, from a line's start on. */
uint32_t work_allocate(struct work *work, uint32_t count);
/* The same, with these values. */
uint32_t work_place(struct work *work, const void *words, uint32_t count);

/* Resumes a thread, whose last request has completed.  Returns its next request, which stays valid
 * until the next resumption of that thread, or NULL when it has ended.  Before that the machine has
 * filled in the values of the last.  A thread knows no time, and of others what it reads: a machine
 * may ask at once and begin the request when its time has come. */
static inline struct work_request *work_next(struct work *work, unsigned thread);

/* All threads are at a barrier: what the host does now. */
void work_meet(struct work *work);

/* ---- For workloads ---- */

static inline int32_t work_load(struct work_thread *t, uint32_t address, enum work_scope scope);
static inline void work_store(struct work_thread *t, uint32_t address, int32_t value, enum work_scope scope);
/* The old value.  work_update: nobody wants it. */
static inline int32_t work_amo(struct work_thread *t, enum work_amo amo, uint32_t address, int32_t value,
                               enum work_scope scope);
static inline void work_update(struct work_thread *t, enum work_amo amo, uint32_t address, int32_t value,
                               enum work_scope scope);
static inline int32_t work_cas(struct work_thread *t, uint32_t address, int32_t expected, int32_t value,
                               enum work_scope scope);
static inline void work_gather(struct work_thread *t, unsigned lanes, const uint32_t *at, int32_t *values);
static inline void work_scatter(struct work_thread *t, unsigned lanes, const uint32_t *at, const int32_t *values);
static inline void work_compute(struct work_thread *t, int64_t cycles);
/* All threads meet.  Returns whether there is a further kernel. */
static inline bool work_barrier(struct work_thread *t);

/* A spin lock over one word, with what the other functions offer: takes it by
 * test-and-test-and-set, waiting `pause` cycles between looks; gives it back. */
void work_lock(struct work_thread *t, uint32_t lock, int64_t pause);
void work_unlock(struct work_thread *t, uint32_t lock);

/* ---- inline: a request and its answer are two switches, and calls around them would cost as much ---- */

/* For work_next: a thread that has not begun yet; false without memory.  A request is recorded. */
bool work_start(struct work_thread *t);
void work_wait(struct work_thread *t, int64_t cycles); /* a pause as a request */
void work_note(struct work *work, unsigned thread, const struct work_request *request);

static inline struct work_request *work_next(struct work *work, unsigned thread) {
  struct work_thread *t = &work->thread[thread];
  struct work_request *request = &t->request;
  if (t->pauses) {
    t->pauses = false;
  } else if (work->read) {
    request = NULL;
    work->read(work, thread, &request);
    if (!request) return NULL;
  } else {
    if ((!t->coroutine && !work_start(t)) || !coroutine_resume(t->coroutine)) return NULL;
    if (t->pauses) request = &t->pause;
  }
  work->requests++;
  work->accesses += request->lanes ? request->lanes : 1;
  if (work->record) work_note(work, thread, request);
  return request;
}

/* The parts are written one by one: a request that is put together elsewhere and copied makes the
 * processor wait until all of it has been written. */
static inline void work_ask(struct work_thread *t, enum work_kind kind, enum work_scope scope, uint32_t address,
                            int32_t value) {
  struct work_request *r = &t->request;
  r->kind = kind;
  r->amo = WORK_ADD;
  r->scope = scope;
  r->forgets = false;
  r->address = address;
  r->value = value;
  r->lanes = 0;
}

static inline void work_ask_amo(struct work_thread *t, enum work_amo amo, bool forgets, uint32_t address, int32_t value,
                                enum work_scope scope) {
  work_ask(t, WORK_AMO, scope, address, value);
  t->request.amo = amo;
  t->request.forgets = forgets;
}

/* The arrays are the caller's, and forgotten when it goes on. */
static inline void work_ask_lanes(struct work_thread *t, enum work_kind kind, unsigned lanes, const uint32_t *at,
                                  int32_t *values) {
  struct work_request *r = &t->request;
  if (!lanes) return;
  work_ask(t, kind, WORK_PLAIN, 0, 0);
  r->lanes = lanes;
  r->at = at;
  r->values = values;
  coroutine_stop(t->coroutine);
  r->at = NULL;
  r->values = NULL;
}

static inline int32_t work_load(struct work_thread *t, uint32_t address, enum work_scope scope) {
  work_ask(t, WORK_LOAD, scope, address, 0);
  coroutine_stop(t->coroutine);
  return t->request.value;
}

static inline void work_store(struct work_thread *t, uint32_t address, int32_t value, enum work_scope scope) {
  work_ask(t, WORK_STORE, scope, address, value);
  coroutine_stop(t->coroutine);
}

static inline int32_t work_amo(struct work_thread *t, enum work_amo amo, uint32_t address, int32_t value,
                               enum work_scope scope) {
  work_ask_amo(t, amo, false, address, value, scope);
  coroutine_stop(t->coroutine);
  return t->request.value;
}

static inline void work_update(struct work_thread *t, enum work_amo amo, uint32_t address, int32_t value,
                               enum work_scope scope) {
  work_ask_amo(t, amo, true, address, value, scope);
  coroutine_stop(t->coroutine);
}

static inline int32_t work_cas(struct work_thread *t, uint32_t address, int32_t expected, int32_t value,
                               enum work_scope scope) {
  t->request.expected = expected;
  return work_amo(t, WORK_CAS, address, value, scope);
}

static inline void work_gather(struct work_thread *t, unsigned lanes, const uint32_t *at, int32_t *values) {
  work_ask_lanes(t, WORK_GATHER, lanes, at, values);
}

static inline void work_scatter(struct work_thread *t, unsigned lanes, const uint32_t *at, const int32_t *values) {
  work_ask_lanes(t, WORK_SCATTER, lanes, at, (int32_t *)(uintptr_t)values);
}

/* Of two pauses in a row the second is a request of its own. */
static inline void work_compute(struct work_thread *t, int64_t cycles) {
  if (cycles <= 0) return;
  if (t->pauses || !t->work->runs_on) {
    work_wait(t, cycles);
    return;
  }
  t->pauses = true;
  t->pause.cycles = cycles;
}

static inline bool work_barrier(struct work_thread *t) {
  work_ask(t, WORK_BARRIER, WORK_PLAIN, 0, 0);
  coroutine_stop(t->coroutine);
  return t->work->more;
}

#endif
