/* SPDX-License-Identifier: MIT */
/* A machine's final states, as a test's log lists them.  A filter may ask for
 * more than the log shows: then everything is observed, and what the log does
 * not show is left out once the filter was asked. */
#include "checker/verify/machine_outcomes.h"

#include "checker/base/text.h"
#include "checker/translate/model_as_machine.h"

struct observed {
  const struct observable *at;
  unsigned count;
};

static struct observed observe(struct arena *arena, const struct litmus_test *test) {
  struct observed observed = {test->observables, test->observable_count};
  if (test->filter) observed.at = observables_all(arena, test->program, &observed.count);
  return observed;
}

/* A run that goes wrong has no final state to list.  The first one found is a shortest. */
static bool note_fault(struct reached *reached, struct arena *arena, const struct explore_outcome *outcome) {
  unsigned fault = reached->machine.fault;
  if (!fault || !outcome->values[fault - 1]) return false;
  if (reached->fault && reached->fault_state < outcome->state) return true;
  reached->fault =
      TEXT_PRINTED(arena, out, reached->machine.print_fault(&reached->machine, outcome->values[fault - 1], out));
  reached->fault_state = outcome->state;
  return true;
}

static void collect(const struct observed *observed, struct reached *reached) {
  const struct litmus_test *test = reached->test;
  struct outcomes *states = &reached->states;
  for (size_t i = 0; i < reached->found.outcome_count; i++) {
    struct shown_state all = {observed->at, observed->count, reached->found.outcomes[i].values};
    if (note_fault(reached, states->arena, &reached->found.outcomes[i])) continue;
    if (test->filter && !shown_meets(&all, test->filter)) continue;
    int64_t shown[test->observable_count + 1];
    for (unsigned k = 0; k < test->observable_count; k++) shown[k] = shown_value(&all, test->observables[k]);
    struct outcome *state = outcomes_add(states, shown);
    if (state->count++) continue;
    if (shown_meets(&all, test->condition))
      states->matching++;
    else
      states->failing++;
  }
  outcomes_sort(states);
}

bool reach(const struct target *target, const struct litmus_test *test, struct explore_request request,
           struct reached *reached, struct diags *diags) {
  *reached = (struct reached){.test = test, .target = target->name};
  outcomes_open(&reached->states, request.arena, test->observable_count);
  struct observed observed = observe(request.arena, test);
  request.program = test->program;
  request.observables = observed.at;
  request.observable_count = observed.count;
  if (!translator_takes(target, test, diags) ||
      !target_explore(target, &request, &reached->machine, &reached->found, diags))
    return false;
  collect(&observed, reached);
  return true;
}
