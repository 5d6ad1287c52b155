/* SPDX-License-Identifier: MIT */
/* The pool: threads take the next index, results wait in a ring for their turn. */
#include "checker/base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "checker/base/out_of_memory_guard.h"

/* Results that may wait for an earlier one, for each worker. */
static const size_t AHEAD = 16;

struct slot {
  void *result;
  bool done, failed; /* failed: memory ran out on the way to the result */
};

struct pool {
  const struct pool_jobs *jobs;
  size_t count, next, finished, room;
  struct slot *ring;
  bool stopped, go_on;
  pthread_mutex_t lock;
  pthread_cond_t progress;
};

unsigned pool_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set)) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? (unsigned)count : 1;
}

/* Next index to work on, waiting while too many results wait; false: none left. */
static bool take(struct pool *pool, size_t *index) {
  pthread_mutex_lock(&pool->lock);
  while (!pool->stopped && pool->next < pool->count && pool->next - pool->finished >= pool->room)
    pthread_cond_wait(&pool->progress, &pool->lock);
  bool some = !pool->stopped && pool->next < pool->count;
  if (some) *index = pool->next++;
  pthread_mutex_unlock(&pool->lock);
  return some;
}

static void put(struct pool *pool, size_t index, void *result, bool failed) {
  pthread_mutex_lock(&pool->lock);
  pool->ring[index % pool->room] = (struct slot){result, true, failed};
  pthread_cond_broadcast(&pool->progress);
  pthread_mutex_unlock(&pool->lock);
}

struct job {
  struct pool *pool;
  size_t index;
  void *result;
};

static void do_job(void *context) {
  struct job *job = context;
  job->result = job->pool->jobs->work(job->pool->jobs->context, job->index);
}

static void *work(void *argument) {
  struct job job = {.pool = argument};
  while (take(job.pool, &job.index)) {
    job.result = NULL;
    bool done = guard_run(do_job, &job);
    put(job.pool, job.index, job.result, !done);
  }
  return NULL;
}

/* Waits for the result of job `finished`. */
static struct slot await(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  struct slot *slot = &pool->ring[pool->finished % pool->room];
  while (!slot->done) pthread_cond_wait(&pool->progress, &pool->lock);
  struct slot taken = *slot;
  *slot = (struct slot){0};
  pthread_mutex_unlock(&pool->lock);
  return taken;
}

static bool take_result(const struct pool_jobs *jobs, size_t index, void *result) {
  return !jobs->finish || jobs->finish(jobs->context, index, result);
}

/* Takes the next result: false when there are to be no more. */
static void finish_next(void *context) {
  struct pool *pool = context;
  struct slot slot = await(pool);
  if (slot.failed) guard_out_of_memory();
  pool->go_on = take_result(pool->jobs, pool->finished, slot.result);
}

static void advance(struct pool *pool, bool go_on) {
  pthread_mutex_lock(&pool->lock);
  pool->finished++;
  if (!go_on) pool->stopped = true;
  pthread_cond_broadcast(&pool->progress);
  pthread_mutex_unlock(&pool->lock);
}

static void drop_rest(struct pool *pool) {
  for (size_t i = 0; i < pool->room; i++)
    if (pool->ring[i].done && !pool->ring[i].failed && pool->jobs->drop)
      pool->jobs->drop(pool->jobs->context, pool->ring[i].result);
}

static bool run_alone(size_t count, const struct pool_jobs *jobs) {
  for (size_t i = 0; i < count; i++)
    if (!take_result(jobs, i, jobs->work(jobs->context, i))) return false;
  return true;
}

/* Starts up to `workers` threads; returns how many could be. */
static unsigned start(struct pool *pool, unsigned workers, pthread_t *threads) {
  unsigned started = 0;
  while (started < workers && !pthread_create(&threads[started], NULL, work, pool)) started++;
  return started;
}

bool pool_run(size_t count, unsigned workers, const struct pool_jobs *jobs) {
  if (workers > count) workers = (unsigned)count;
  if (workers <= 1) return run_alone(count, jobs);
  struct pool pool = {.jobs = jobs, .count = count, .room = AHEAD * workers};
  pool.ring = calloc(pool.room, sizeof *pool.ring);
  pthread_t *threads = calloc(workers, sizeof *threads);
  if (!pool.ring || !threads) {
    free(pool.ring);
    free(threads);
    return run_alone(count, jobs);
  }
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.progress, NULL);
  unsigned started = start(&pool, workers, threads);
  bool memory = true;
  pool.go_on = true;
  while (started && pool.go_on && memory && pool.finished < count) {
    memory = guard_run(finish_next, &pool);
    advance(&pool, memory && pool.go_on);
  }
  for (unsigned i = 0; i < started; i++) pthread_join(threads[i], NULL);
  drop_rest(&pool);
  pthread_cond_destroy(&pool.progress);
  pthread_mutex_destroy(&pool.lock);
  free(pool.ring);
  free(threads);
  /* Now that no thread works any more, what they were short of is told. */
  if (!memory) guard_out_of_memory();
  return started ? pool.go_on : run_alone(count, jobs);
}
