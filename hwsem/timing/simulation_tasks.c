/* SPDX-License-Identifier: MIT */
/* Simulations of a view, several at a time, taken in order. */
#include <time.h>

#include "checker/base/pool.h"
#include "hwsem/timing/view_report.h"

struct batch {
  struct cost_report *report;
  const struct cost_tasks *tasks;
  const char *record;      /* of the first */
  struct cost_limit limit; /* where each begins; the report's is changed while others run */
};

static double thread_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void cost_begin(struct cost_effort *effort) {
  effort->seconds -= thread_seconds();
}

void cost_end(struct cost_effort *effort, int64_t events) {
  effort->seconds += thread_seconds();
  effort->events += events;
}

static void *work_on(void *context, size_t index) {
  const struct batch *batch = context;
  struct arena *arena = arena_new();
  struct cost_task *task =
      ARENA_MAKE(arena, struct cost_task, .arena = arena, .diags = diags_new(arena), .limit = batch->limit);
  task->record = index == 0 ? batch->record : NULL;
  batch->tasks->run(batch->tasks->context, index, task);
  return task;
}

static bool take(void *context, size_t index, void *result) {
  struct batch *batch = context;
  struct cost_report *report = batch->report;
  struct cost_task *task = result;
  bool good = task->diags.errors == 0;
  for (size_t i = 0; i < task->diags.count; i++) diag_fail(report->diags, "%s", task->diags.at[i].message);
  if (task->record) report->record = NULL;
  report->limit.met |= task->limit.met;
  report->effort.events += task->effort.events;
  report->effort.seconds += task->effort.seconds;
  if (good && !report->limit.met) good = batch->tasks->take(batch->tasks->context, index, task);
  arena_free(task->arena);
  const struct cost_request *request = report->request;
  if (request->progress) request->progress(request->progress_context, index + 1, batch->tasks->count);
  return good && !report->limit.met;
}

static void drop(void *context, void *result) {
  (void)context;
  arena_free(((struct cost_task *)result)->arena);
}

bool cost_tasks_run(struct cost_report *report, const struct cost_tasks *tasks) {
  struct batch batch = {report, tasks, report->record, report->limit};
  if (report->limit.met) return true;
  bool all = pool_run(tasks->count, report->request->jobs, &(struct pool_jobs){&batch, work_on, take, drop});
  return all || report->limit.met;
}
