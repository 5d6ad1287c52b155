/* SPDX-License-Identifier: MIT */
/* Histograms against models. */
#include "checker/verify/device_outcomes.h"


#include "checker/base/array.h"
#include "checker/verify/test_observing_all.h"

const char *seen_answer_name(enum seen_answer answer) {
  static const char *const names[] = {"Allowed", "Violation", "Undefined", "Undecided"};
  return names[answer];
}

static struct seen *seen_of(struct arena *arena, const struct litmus_test *test, const struct litmus_test *full) {
  struct seen *seen = ARENA_MAKE(arena, struct seen, .test = test, .full = full);
  outcomes_open(&seen->all, arena, seen->full->observable_count);
  outcomes_open(&seen->states, arena, test->observable_count);
  outcomes_open(&seen->unseen, arena, test->observable_count);
  return seen;
}

struct seen *seen_new(struct arena *arena, const struct litmus_test *test) {
  return seen_of(arena, test, test_observing_all(arena, test));
}

struct seen *seen_new_asked(struct arena *arena, const struct litmus_test *test) {
  struct litmus_test *full = test_observing_all(arena, test);
  full->observables = test->observables;
  full->observable_count = test->observable_count;
  return seen_of(arena, test, full);
}

/* ---- outcomes as the test shows them ---- */

/* Adds an outcome to a set of states; one that the filter leaves out is not. */
static void add_state(const struct seen *seen, const int64_t *values, uint64_t count, struct outcomes *states) {
  const struct litmus_test *test = seen->test;
  struct shown_state all = {seen->full->observables, seen->full->observable_count, values};
  if (test->filter && !shown_meets(&all, test->filter)) return;
  int64_t shown[test->observable_count + 1];
  for (unsigned i = 0; i < test->observable_count; i++) shown[i] = shown_value(&all, test->observables[i]);
  outcomes_add(states, shown)->count += count;
  bool meets = shown_meets(&all, test->condition);
  *(meets ? &states->matching : &states->failing) += count;
}

/* ---- against the model ---- */

static void find_violations(struct seen *seen, struct arena *arena) {
  seen->violations = ARENA_ARRAY(arena, struct violation, seen->all.count + 1);
  ARRAY_EACH (const struct outcome, outcome, seen->all.at, seen->all.count) {
    if (outcomes_find(&seen->verdict->states, outcome->values)) continue;
    struct litmus_test *asked = ARENA_COPY(arena, struct litmus_test, seen->full, 1);
    test_observing_ask(arena, asked, outcome->values);
    seen->violations[seen->violation_count++] = (struct violation){outcome->values, outcome->count, asked};
    seen->forbidden += outcome->count;
  }
}

static void find_unseen(struct seen *seen, struct arena *arena) {
  struct outcomes allowed;
  outcomes_open(&allowed, arena, seen->test->observable_count);
  for (size_t i = 0; i < seen->verdict->states.count; i++)
    add_state(seen, seen->verdict->states.at[i].values, 1, &allowed);
  outcomes_sort(&allowed);
  for (size_t i = 0; i < allowed.count; i++)
    if (!outcomes_find(&seen->states, allowed.at[i].values)) outcomes_add(&seen->unseen, allowed.at[i].values);
}

static void undecided(struct seen *seen, const char *reason) {
  seen->answer = SEEN_UNDECIDED;
  seen->reason = reason;
}

void seen_judge(struct seen *seen, struct arena *arena, const struct cat_model *model,
                const struct enumerate_options *options) {
  outcomes_sort(&seen->all);
  for (size_t i = 0; i < seen->all.count; i++)
    add_state(seen, seen->all.at[i].values, seen->all.at[i].count, &seen->states);
  outcomes_sort(&seen->states);
  const struct verdict *v = seen->verdict = verdict_run(arena, seen->full, model, options, NULL);
  if (verdict_is_undefined(v))
    seen->answer = SEEN_UNDEFINED;
  else if (v->end != END_DONE)
    undecided(seen, "a limit was reached on the model's side");
  if (seen->answer == SEEN_ALLOWED) {
    find_violations(seen, arena);
    find_unseen(seen, arena);
    if (seen->violation_count) seen->answer = SEEN_VIOLATION;
    if (seen->violation_count && v->stats.cut) {
      seen->violation_count = 0;
      seen->forbidden = 0;
      undecided(seen, "the bound on loops cuts the model's executions: raise -unroll");
    }
  }
  outcomes_sort(&seen->unseen);
}
