/* SPDX-License-Identifier: MIT */
/* The course of a campaign. */
#include "checker/cmd/campaign.h"

#include <inttypes.h>
#include <unistd.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/mpi_ranks.h"
#include "checker/cmd/sharding.h"

unsigned campaign_workers(const struct invocation *call) {
  unsigned wanted = (unsigned)option_number(call, OPTION_JOBS);
  return wanted ? wanted : pool_processors();
}

static void show_progress(void *context, uint64_t done, uint64_t total) {
  const double *start = context;
  if (total != PARTS_UNKNOWN)
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " parts, %.0f s ", done, total, monotonic_seconds() - *start);
}

static void run_parts(const struct campaign *c, const struct division *division, struct diags *diags) {
  double start = monotonic_seconds();
  bool shown = isatty(STDERR_FILENO) && !option_on(division->call, OPTION_QUIET) && !division->call->ranks;
  if (shown) parts_watch(division->parts, show_progress, &start);
  c->run(c->context, division->parts, diags);
  if (!shown) return;
  parts_watch(division->parts, NULL, NULL);
  fputs("\r\033[K", stderr);
}

static int print_all(const struct campaign *c, struct parts *parts, bool stopped, struct sweep_files *files) {
  int status = STATUS_DONE;
  for (size_t i = 0; i < c->subjects; i++) status = status_join(status, c->print(c->context, parts, i, stopped, files));
  if (!stopped) return status;
  fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", tests_stop_reason());
  return status_join(status, STATUS_LIMIT);
}

int campaign_run(struct invocation *call, const struct campaign *c) {
  struct diags diags = diags_new(call->arena);
  struct division division;
  struct sweep_files files;
  bool divided = division_wanted(call);
  int status = STATUS_DONE;
  if (!divided && !sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  if (!division_open(call, &division, &diags)) return diags_report(&diags);
  run_parts(c, &division, &diags);
  bool stopped = *c->cancel || diags.errors;
  if ((divided || !stopped) && division_ends(&division, stopped, &status))
    return status_join(status, diags_report(&diags));
  if (divided && !sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  if (!diags.errors) status = status_join(status, print_all(c, division.parts, stopped, &files));
  status = status_join(status, diags_report(&diags));
  status = status_join(status, sweep_files_close(&files));
  return status_join(status, division_close(&division));
}
