/* SPDX-License-Identifier: MIT */
/* Threads as coroutines that hand over one request at a time. */
#include "hwsem/workloads/workload.h"

#include <stdlib.h>
#include <string.h>

#include "hwsem/workloads/trace_write.h"

struct work *work_new(struct arena *arena, unsigned threads, void (*body)(struct work_thread *thread), void *program) {
  struct work *work = ARENA_MAKE(arena, struct work, .arena = arena, .threads = threads, .body = body,
                                 .program = program, .more = true);
  work->thread = ARENA_ARRAY(arena, struct work_thread, threads);
  for (unsigned i = 0; i < threads; i++)
    work->thread[i] = (struct work_thread){.work = work, .index = i, .pause = {.kind = WORK_COMPUTE}};
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

uint32_t work_place(struct work *work, const void *words, uint32_t count) {
  uint32_t at = work_allocate(work, count);
  if (!work->out_of_memory && count) memcpy(&work->memory[at], words, count * sizeof *work->memory);
  return at;
}

void work_wait(struct work_thread *t, int64_t cycles) {
  work_ask(t, WORK_COMPUTE, WORK_PLAIN, 0, 0);
  t->request.cycles = cycles;
  coroutine_stop(t->coroutine);
}

static void run_body(void *context) {
  struct work_thread *t = context;
  t->work->body(t);
  if (!t->pauses) return;
  t->pauses = false;
  work_wait(t, t->pause.cycles);
}

bool work_start(struct work_thread *t) {
  t->coroutine = coroutine_new(run_body, t);
  if (!t->coroutine) t->work->out_of_memory = true;
  return t->coroutine != NULL;
}

void work_note(struct work *work, unsigned thread, const struct work_request *request) {
  trace_write(work->record, thread, request);
}

void work_meet(struct work *work) {
  work->more = work->between && work->between(work);
}

/* ---- within a workload ---- */

void work_lock(struct work_thread *t, uint32_t lock, int64_t pause) {
  for (;;) {
    while (work_load(t, lock, WORK_DEVICE)) work_compute(t, pause);
    if (work_amo(t, WORK_SWAP, lock, 1, WORK_DEVICE) == 0) return;
  }
}

void work_unlock(struct work_thread *t, uint32_t lock) {
  work_store(t, lock, 0, WORK_DEVICE);
}
