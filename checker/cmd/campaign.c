/* SPDX-License-Identifier: MIT */
/* The course of a campaign. */
#include "checker/cmd/campaign.h"

#include "checker/cmd/interrupts.h"
#include "checker/cmd/shard_options.h"
#include "checker/cmd/terminal.h"
#include "checker/cmd/test_files.h"

static void show_progress(void *context, uint64_t done, uint64_t total) {
  progress_show(context, done, total == PARTS_UNKNOWN ? 0 : total, "parts");
}

static bool run_parts(const struct campaign *c, const struct division *division, struct diags *diags) {
  const struct invocation *call = division->call;
  struct progress progress = progress_new(!option_on(call, OPTION_QUIET) && !call->ranks);
  parts_watch(division->parts, show_progress, &progress);
  bool done = c->run(c->context, division->parts, diags);
  parts_watch(division->parts, NULL, NULL);
  progress_clear(&progress);
  return done;
}

/* Another run may have been stopped, of which there are but the parts. */
static const char *reason_of(const struct campaign *c) {
  return *c->cancel ? tests_stop_reason() : "a limit was reached";
}

static int print_all(const struct campaign *c, struct parts *parts, bool stopped, struct result_files *files) {
  int status = STATUS_DONE;
  for (size_t i = 0; i < c->subjects; i++) status = status_join(status, c->print(c->context, parts, i, stopped, files));
  if (!stopped) return status;
  fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", reason_of(c));
  return status_join(status, STATUS_LIMIT);
}

static int tell_undecided(const struct invocation *call, const struct campaign *c) {
  fprintf(stderr, "litscope: %s: %s, nothing is certain\n", command_table[call->command].name, reason_of(c));
  return STATUS_LIMIT;
}

/* Of all parts, with the files open. */
static int print_sum(const struct campaign *c, struct parts *parts, bool stopped, struct result_files *files,
                     struct diags *diags) {
  int status = STATUS_DONE;
  if (!diags->errors) status = print_all(c, parts, stopped, files);
  status = status_join(status, diags_report(diags));
  return status_join(status, result_files_close(files, true));
}

int campaign_run(struct invocation *call, const struct campaign *c) {
  struct diags diags = diags_new(call->arena);
  struct division division;
  struct result_files files;
  /* What is printed in any case has its files from the start. */
  bool divided = division_wanted(call), at_once = !divided && !c->whole && !c->finish;
  int status = STATUS_DONE;
  if (!files_spare(call, call->tests ? call->tests : &(struct files){0}, &diags) ||
      (at_once && !result_files_open(call, &files, &diags)) || !division_open(call, &division, &diags))
    return diags_report(&diags);
  if (c->finish) parts_go_on(division.parts);
  bool done = run_parts(c, &division, &diags), stopped = *c->cancel || diags.errors;
  bool kept = c->finish ? divided && (done || *c->cancel) : divided || !stopped || c->whole;
  if (kept && division_ends(&division, stopped, &status)) return status_join(status, diags_report(&diags));
  if (c->finish && !diags.errors) {
    if (!c->finish(c->context)) return status_join(tell_undecided(call, c), division_close(&division));
    stopped = false;
  }
  stopped |= divided && parts_some_cut(division.parts);
  if (at_once || (!diags.errors && result_files_open(call, &files, &diags)))
    status = status_join(status, print_sum(c, division.parts, stopped, &files, &diags));
  else
    status = status_join(status, diags_report(&diags));
  return status_join(status, division_close(&division));
}
