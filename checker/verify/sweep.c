/* SPDX-License-Identifier: MIT */
/* Sweeps over families of small programs. Every worker generates the whole
 * family, which is cheap, and tries every n-th run of programs: they share a
 * counter for progress and nothing else. */
#include "checker/verify/sweep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "checker/base/pool.h"
#include "checker/verify/sweep_memo.h"

enum { REPORT_EVERY = 500, RUN = 1024 };

struct sweep {
  const struct target *target;
  const struct cat_model *model;
  const struct sweep_options *options;
  unsigned workers;
  atomic_uint_fast64_t done;
  pthread_mutex_t lock; /* around progress */
};

struct worker {
  struct sweep *sweep;
  unsigned number;
  uint64_t index; /* of the next program of the family */
  struct explorer *explorer;
  struct sweep_memo *memo;
  struct sweep_result result;
};

void sweep_note_violation(struct sweep_result *result, const struct small_program *program) {
  if (result->found && !small_is_simpler(program, &result->smallest)) return;
  result->smallest = *program;
  result->found = true;
}

static void count_answer(struct sweep_result *result, const struct small_program *program, enum verify_answer answer,
                         uint64_t states) {
  result->programs++;
  result->states += states;
  result->race_free += answer != VERIFY_UNDEFINED && answer != VERIFY_BAD;
  switch (answer) {
    case VERIFY_SOUND:
      result->sound++;
      break;
    case VERIFY_UNSOUND:
      result->unsound++;
      break;
    case VERIFY_DEADLOCK:
      result->deadlocks++;
      break;
    case VERIFY_UNDECIDED:
      result->undecided++;
      break;
    case VERIFY_BAD:
      result->no_cell++;
      break;
    case VERIFY_HAZARD: /* of compiled code alone */
    case VERIFY_UNDEFINED:
      break;
  }
  if (answer == VERIFY_UNSOUND || answer == VERIFY_DEADLOCK) sweep_note_violation(result, program);
}

void sweep_program(struct sweep_memo *memo, const struct target *target, const struct sweep_options *options,
                   struct explorer *explorer, const struct small_program *program, struct sweep_result *result) {
  uint64_t states;
  enum verify_answer answer = sweep_memo_verify(memo, target, &options->verify, explorer, program, &states);
  count_answer(result, program, answer, states);
}

static void report_progress(struct sweep *sweep) {
  uint64_t done = atomic_fetch_add(&sweep->done, 1) + 1;
  if (!sweep->options->progress || done % REPORT_EVERY != 0) return;
  pthread_mutex_lock(&sweep->lock);
  sweep->options->progress(sweep->options->context, done);
  pthread_mutex_unlock(&sweep->lock);
}

static bool try_program(void *context, const struct small_program *program) {
  struct worker *worker = context;
  struct sweep *sweep = worker->sweep;
  const atomic_int *cancel = sweep->options->verify.explore.cancel;
  if (cancel && *cancel) {
    worker->result.stopped = true;
    return false;
  }
  if (worker->index / RUN % sweep->workers == worker->number) {
    sweep_program(worker->memo, sweep->target, sweep->options, worker->explorer, program, &worker->result);
    report_progress(sweep);
  }
  worker->index++;
  return true;
}

static void *work(void *context, size_t index) {
  struct sweep *sweep = context;
  struct worker *worker = calloc(1, sizeof *worker);
  if (!worker) return NULL;
  worker->sweep = sweep;
  worker->number = (unsigned)index;
  worker->explorer = explorer_new();
  worker->memo = sweep_memo_new(sweep->model);
  small_generate_by_shape(&sweep->options->family, try_program, worker);
  sweep_memo_free(worker->memo);
  explorer_free(worker->explorer);
  return worker;
}

struct sum {
  struct sweep *sweep;
  struct sweep_result total;
};

static bool add_worker(void *context, size_t index, void *result) {
  struct sum *sum = context;
  struct worker *worker = result;
  (void)index;
  if (!worker) {
    sum->total.stopped = true;
    return true;
  }
  const struct sweep_result *part = &worker->result;
  struct sweep_result *total = &sum->total;
  if (part->found) sweep_note_violation(total, &part->smallest);
  total->programs += part->programs;
  total->race_free += part->race_free;
  total->sound += part->sound;
  total->unsound += part->unsound;
  total->deadlocks += part->deadlocks;
  total->undecided += part->undecided;
  total->no_cell += part->no_cell;
  total->states += part->states;
  total->stopped |= part->stopped;
  free(worker);
  return true;
}

static void *work_for_sum(void *context, size_t index) {
  return work(((struct sum *)context)->sweep, index);
}

static void drop_worker(void *context, void *result) {
  (void)context;
  free(result);
}

struct sweep_result sweep_run(const struct target *target, const struct cat_model *model,
                              const struct sweep_options *options) {
  struct sweep sweep = {.target = target, .model = model, .options = options};
  sweep.workers = options->workers ? options->workers : 1;
  pthread_mutex_init(&sweep.lock, NULL);
  struct sum sum = {.sweep = &sweep};
  struct pool_jobs jobs = {.context = &sum, .work = work_for_sum, .finish = add_worker, .drop = drop_worker};
  pool_run(sweep.workers, sweep.workers, &jobs);
  pthread_mutex_destroy(&sweep.lock);
  return sum.total;
}
