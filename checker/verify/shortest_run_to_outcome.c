/* SPDX-License-Identifier: MIT */
/* Witnesses: breadth-first search stops at the first outcome that is wanted, and
 * then the run to it is a shortest one.  The reduced search says whether there
 * is one; the full search, that its run is short. */
#include "checker/verify/shortest_run_to_outcome.h"


#include "hwsem/expand_reduced_run.h"

/* Most states of the search without reductions. */
enum { MOST_STATES = 1 << 17 };

struct hunt {
  const struct litmus_test *test;
  bool negated;
  struct shown_state all; /* of the outcome being judged */
  bool found;
  uint32_t state;
  int64_t *kept;
};

static bool stop_at_wanted(void *context, const struct explore_outcome *outcome) {
  struct hunt *hunt = context;
  const struct litmus_test *test = hunt->test;
  hunt->all.values = outcome->values;
  if (test->filter && !shown_meets(&hunt->all, test->filter)) return true;
  if (shown_meets(&hunt->all, test->condition) == hunt->negated) return true;
  hunt->found = true;
  hunt->state = outcome->state;
  for (unsigned i = 0; i < test->observable_count; i++) hunt->kept[i] = shown_value(&hunt->all, test->observables[i]);
  return false;
}

bool witness_find(const struct target *target, const struct litmus_test *test, bool negated,
                  struct explore_request request, struct witness *witness, struct diags *diags) {
  struct arena *arena = request.arena;
  struct hunt hunt = {.test = test, .negated = negated};
  hunt.all.observables = observables_all(arena, test->program, &hunt.all.count);
  hunt.kept = ARENA_ARRAY(arena, int64_t, test->observable_count + 1);
  struct explore_options wanted = *request.options, full;
  wanted.outcome = stop_at_wanted;
  wanted.context = &hunt;
  full = wanted;
  full.por = full.symmetry = false;
  if (full.max_states == 0 || full.max_states > MOST_STATES) full.max_states = MOST_STATES;
  struct exploration found;
  request.program = test->program;
  request.observables = hunt.all.observables;
  request.observable_count = hunt.all.count;
  request.options = &wanted;
  *witness = (struct witness){.values = hunt.kept};
  if (!target_explore(target, &request, &witness->machine, &found, diags)) return false;
  witness->found = hunt.found;
  witness->end = found.end;
  if (!hunt.found) return true;
  witness->length = explore_trace(request.explorer, hunt.state, arena, &witness->trace);
  if (!wanted.por && !wanted.symmetry) return true;
  hunt.found = false;
  request.options = &full;
  if (!target_explore(target, &request, &witness->machine, &found, diags)) return false;
  if (hunt.found) {
    witness->length = explore_trace(request.explorer, hunt.state, arena, &witness->trace);
  } else {
    bool own = found.end == EXPLORE_STATES && full.max_states == MOST_STATES; /* nobody asked for this limit */
    if (!own) witness->cut = found.end;
    unreduced_run(&witness->machine, arena, &witness->trace, &witness->length);
  }
  return true;
}
