/* SPDX-License-Identifier: MIT */
/* litscope-cost: the views of `litscope cost`, which hands its command line on.  The simulators are no part of litscope
 * itself. */
#include "checker/base/out_of_memory_guard.h"
#include "checker/cmd/terminal.h"
#include "checker/cost/view.h"

struct view_call {
  int argc;
  char **argv;
  int status;
};

/* Warnings of the command line have been printed. */
static void run_guarded(void *context) {
  struct view_call *view = context;
  struct arena *arena = arena_new();
  struct invocation *call = ARENA_NEW(arena, struct invocation);
  call->arena = arena;
  struct diags diags = diags_new(arena);
  view->status = invocation_parse(call, view->argc, view->argv, &diags) ? cost_view(call) : diags_report(&diags);
  arena_free(arena);
}

int main(int argc, char **argv) {
  struct view_call view = {argc, argv, STATUS_LIMIT};
  if (!guard_run(run_guarded, &view)) fprintf(stderr, "litscope: %s\n", guard_reason());
  return output_finish(view.status);
}
