/* SPDX-License-Identifier: MIT */
/* Threads as coroutines that hand over one request at a time. */
#include "hwsem/workloads/work.h"

#include <stdlib.h>
#include <string.h>

#include "hwsem/workloads/coroutine.h"
#include "hwsem/workloads/trace.h"

const char *const work_kind_names[WORK_KINDS + 1] = {"load",    "store",   "amo",     "gather",
                                                     "scatter", "compute", "barrier", NULL};
const char *const work_amo_names[WORK_AMOS + 1] = {"add", "min", "max", "or", "swap", "cas", NULL};
const char *const work_scope_names[WORK_SCOPES + 1] = {"plain", "group", "device", "remote", NULL};

/* ---- running ---- */

struct work *work_new(struct arena *arena, unsigned threads, void (*body)(struct work_thread *thread), void *program) {
  struct work *work = ARENA_NEW(arena, struct work);
  *work = (struct work){.arena = arena, .threads = threads, .body = body, .program = program, .more = true};
  work->thread = ARENA_ARRAY(arena, struct work_thread, threads);
  for (unsigned i = 0; i < threads; i++) work->thread[i] = (struct work_thread){.work = work, .index = i};
  return work;
}

void work_free(struct work *work) {
  for (unsigned i = 0; i < work->threads; i++) coroutine_free(work->thread[i].coroutine);
  free(work->memory);
  work->memory = NULL;
}

uint32_t work_allocate(struct work *work, uint32_t count) {
  uint32_t at = work->words, end = at + (count + WORK_LINE - 1) / WORK_LINE * WORK_LINE;
  if (end > work->room) {
    uint32_t room = end + end / 2;
    int32_t *memory = realloc(work->memory, (size_t)room * sizeof *memory);
    if (!memory) {
      work->out_of_memory = true;
      return 0;
    }
    work->memory = memory;
    work->room = room;
  }
  memset(work->memory + at, 0, (size_t)(end - at) * sizeof *work->memory);
  work->words = end;
  return at;
}

static void run_body(void *context) {
  struct work_thread *t = context;
  t->work->body(t);
}

static struct work_request *resume(struct work *work, struct work_thread *t) {
  if (!t->coroutine) t->coroutine = coroutine_new(run_body, t);
  if (!t->coroutine) work->out_of_memory = true;
  return t->coroutine && coroutine_resume(t->coroutine) ? &t->request : NULL;
}

struct work_request *work_next(struct work *work, unsigned thread, int64_t now) {
  struct work_thread *t = &work->thread[thread];
  struct work_request *request = NULL;
  t->now = now;
  if (work->read)
    work->read(work, thread, &request);
  else
    request = resume(work, t);
  if (!request) return NULL;
  work->requests++;
  work->accesses += request->lanes ? request->lanes : 1;
  if (work->record) trace_write(work->record, thread, request);
  return request;
}

void work_meet(struct work *work) {
  work->more = work->between && work->between(work);
}

/* ---- within a workload ---- */

static void ask(struct work_thread *t) {
  coroutine_stop(t->coroutine);
}

int32_t work_load(struct work_thread *t, uint32_t address, enum work_scope scope) {
  t->request = (struct work_request){.kind = WORK_LOAD, .address = address, .scope = scope};
  ask(t);
  return t->request.value;
}

void work_store(struct work_thread *t, uint32_t address, int32_t value, enum work_scope scope) {
  t->request = (struct work_request){.kind = WORK_STORE, .address = address, .value = value, .scope = scope};
  ask(t);
}

int32_t work_amo(struct work_thread *t, enum work_amo amo, uint32_t address, int32_t value, enum work_scope scope) {
  t->request = (struct work_request){.kind = WORK_AMO, .amo = amo, .address = address, .value = value, .scope = scope};
  ask(t);
  return t->request.value;
}

void work_update(struct work_thread *t, enum work_amo amo, uint32_t address, int32_t value, enum work_scope scope) {
  t->request = (struct work_request){
      .kind = WORK_AMO, .amo = amo, .address = address, .value = value, .scope = scope, .forgets = true};
  ask(t);
}

int32_t work_cas(struct work_thread *t, uint32_t address, int32_t expected, int32_t value, enum work_scope scope) {
  t->request = (struct work_request){
      .kind = WORK_AMO, .amo = WORK_CAS, .address = address, .value = value, .expected = expected, .scope = scope};
  ask(t);
  return t->request.value;
}

void work_gather(struct work_thread *t, unsigned lanes, const uint32_t *at, int32_t *values) {
  if (lanes == 0) return;
  t->request = (struct work_request){.kind = WORK_GATHER, .lanes = lanes, .at = at, .values = values};
  ask(t);
}

void work_scatter(struct work_thread *t, unsigned lanes, const uint32_t *at, const int32_t *values) {
  if (lanes == 0) return;
  t->request =
      (struct work_request){.kind = WORK_SCATTER, .lanes = lanes, .at = at, .values = (int32_t *)(uintptr_t)values};
  ask(t);
}

void work_compute(struct work_thread *t, int64_t cycles) {
  if (cycles <= 0) return;
  t->request = (struct work_request){.kind = WORK_COMPUTE, .cycles = cycles};
  ask(t);
}

bool work_barrier(struct work_thread *t) {
  t->request = (struct work_request){.kind = WORK_BARRIER};
  ask(t);
  return t->work->more;
}

void work_lock(struct work_thread *t, uint32_t lock, int64_t pause) {
  for (;;) {
    while (work_load(t, lock, WORK_DEVICE)) work_compute(t, pause);
    if (work_amo(t, WORK_SWAP, lock, 1, WORK_DEVICE) == 0) return;
  }
}

void work_unlock(struct work_thread *t, uint32_t lock) {
  work_store(t, lock, 0, WORK_DEVICE);
}
