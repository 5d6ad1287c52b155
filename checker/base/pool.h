/* SPDX-License-Identifier: MIT */
/* A worker pool that keeps order: many jobs, several threads, results taken
 * one after the other as if there had been one thread.
 */
#ifndef LITSCOPE_BASE_POOL_H
#define LITSCOPE_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool_jobs {
  void *context;
  /* Does job `index` and returns its result.  Called from any thread, several
   * at a time. */
  void *(*work)(void *context, size_t index);
  /* Takes the result of job `index`.  Called from the calling thread in the
   * order of the indices, as soon as the next one is done.  Returns false to
   * stop: no further job is begun, and jobs already begun are finished and given
   * to `drop`.  Either may be NULL, where results are nothing to take. */
  bool (*finish)(void *context, size_t index, void *result);
  void (*drop)(void *context, void *result);
};

/* Runs jobs 0 .. count - 1 on `workers` threads (0 or 1: on the calling one).
 * At most a few results a thread wait for their turn, so memory does not grow
 * with `count`.  Returns false when `finish` stopped it. */
bool pool_run(size_t count, unsigned workers, const struct pool_jobs *jobs);

/* Processors that this process may use, at least 1. */
unsigned pool_processors(void);

#endif
