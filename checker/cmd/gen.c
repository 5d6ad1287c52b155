/* SPDX-License-Identifier: MIT */
/* `gen`: tests for a purpose. With -suite, those that kill a model's mutants; with
 * -cycle or -cycles, those that ask whether a cycle of relations is allowed. */
#include "checker/cmd/command.h"
#include "checker/cmd/command_forms.h"

/* What distinguishes a model from itself without a check was once asked here. */
static int diff_instead(struct invocation *call, struct diags *diags) {
  diag_note(diags, NULL, (struct span){0}, "`litscope gen -model %s` is now `litscope diff -model %s`",
            option_text(call, OPTION_MODEL), option_text(call, OPTION_MODEL));
  diags_report(diags);
  call->command = COMMAND_DIFF;
  return command_diff(call);
}

int command_gen(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  bool cycles = option_given(call, OPTION_CYCLE) || option_given(call, OPTION_CYCLES);
  bool suite = option_on(call, OPTION_SUITE);
  if (call->word_count && !suite) diag_fail(&diags, "gen takes tests with -suite only");
  if (!diags.errors && !suite && !cycles && option_given(call, OPTION_MODEL)) return diff_instead(call, &diags);
  if (!diags.errors && !suite && !cycles)
    diag_fail(&diags, "gen makes the tests of cycles, -cycle EDGES or -cycles N, or -suite TEST...");
  if (diags.errors) return diags_report(&diags);
  return suite ? gen_suite(call) : gen_cycles(call);
}
