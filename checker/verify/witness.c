/* SPDX-License-Identifier: MIT */
/* Witnesses: breadth-first search stops at the first outcome that is wanted, and
 * then the run to it is a shortest one.  The reduced search says whether there
 * is one; the full search, that its run is short. */
#include "checker/verify/witness.h"

#include <string.h>

/* Most states of the search without reductions. */
enum { MOST_STATES = 1 << 22 };

struct hunt {
  const struct litmus_test *test;
  bool negated;
  const struct observable *observed;
  unsigned count;
  const int64_t *values; /* being judged */
  bool found;
  uint32_t state;
  int64_t *kept;
};

static int64_t value_of(void *context, struct observable what) {
  const struct hunt *hunt = context;
  for (unsigned i = 0; i < hunt->count; i++)
    if (hunt->observed[i].thread == what.thread && hunt->observed[i].index == what.index) return hunt->values[i];
  return 0;
}

static bool stop_at_wanted(void *context, const struct explore_outcome *outcome) {
  struct hunt *hunt = context;
  const struct litmus_test *test = hunt->test;
  hunt->values = outcome->values;
  if (test->filter && !prop_holds(test->filter, value_of, hunt)) return true;
  if (prop_holds(test->condition, value_of, hunt) == hunt->negated) return true;
  hunt->found = true;
  hunt->state = outcome->state;
  for (unsigned i = 0; i < test->observable_count; i++) hunt->kept[i] = value_of(hunt, test->observables[i]);
  return false;
}

bool witness_find(const struct target *target, const struct litmus_test *test, bool negated, struct explorer *explorer,
                  const struct explore_options *options, struct arena *arena, struct witness *witness,
                  struct diags *diags) {
  struct hunt hunt = {.test = test, .negated = negated};
  hunt.observed = observables_all(arena, test->program, &hunt.count);
  hunt.kept = ARENA_ARRAY(arena, int64_t, test->observable_count + 1);
  struct explore_options wanted = *options, full;
  wanted.outcome = stop_at_wanted;
  wanted.context = &hunt;
  full = wanted;
  full.por = full.symmetry = false;
  if (full.max_states == 0 || full.max_states > MOST_STATES) full.max_states = MOST_STATES;
  struct exploration found;
  struct explore_request request = {test->program, hunt.observed, hunt.count, explorer, &wanted, arena};
  *witness = (struct witness){.values = hunt.kept};
  if (!target_explore(target, &request, &witness->machine, &found, diags)) return false;
  if (hunt.found && (wanted.por || wanted.symmetry)) {
    hunt.found = false;
    request.options = &full;
    if (!target_explore(target, &request, &witness->machine, &found, diags)) return false;
    bool own = found.end == EXPLORE_STATES && full.max_states == MOST_STATES; /* nobody asked for this limit */
    if (!hunt.found && !own) witness->cut = found.end;
    request.options = &wanted;
    if (!hunt.found && !target_explore(target, &request, &witness->machine, &found, diags)) return false;
  }
  witness->found = hunt.found;
  witness->end = found.end;
  if (hunt.found) witness->length = explore_trace(explorer, hunt.state, arena, &witness->trace);
  return true;
}
