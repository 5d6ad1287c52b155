/* SPDX-License-Identifier: MIT */
/* The model's half of strict verification: its executions, in the words of
 * hwsem/execution_rf_co.h, become a set of the machine's outcomes, in which each that
 * the machine reaches is looked up. */
#include "checker/verify/execution_inclusion.h"

#include "checker/verdict/outcomes.h"

struct hunt {
  const struct strict_search *search;
  struct outcomes allowed; /* the model's executions, as the machine's outcomes are written */
  const int64_t *bad;
  uint32_t bad_state;
};

static struct execution_access access_of(const struct event *event) {
  if (event->thread < 0) return (struct execution_access){.thread = -1};
  return (struct execution_access){event->thread, (unsigned)event->instr, event->order == ORDER_NA};
}

/* The initial write is every write's predecessor, and not counted. */
static unsigned place_of(const struct execution *x, unsigned write) {
  unsigned before = 0;
  for (unsigned w = 0; w < x->shape.n; w++) before += x->events[w].thread >= 0 && rel_has(x->shape, x->co, w, write);
  return before;
}

static bool keep_execution(void *context, const struct candidate *candidate) {
  struct hunt *hunt = context;
  const struct execution *x = candidate->execution;
  struct execution_read reads[x->shape.n + 1];
  struct execution_write writes[x->shape.n + 1];
  struct execution_words followed = {.reads = reads, .writes = writes};
  for (unsigned e = 0; e < x->shape.n; e++) {
    const struct event *event = &x->events[e];
    if (event->kind == EVENT_READ)
      for (unsigned w = 0; w < x->shape.n; w++)
        if (rel_has(x->shape, x->rf, w, e))
          reads[followed.read_count++] = (struct execution_read){access_of(event), access_of(&x->events[w])};
    if (event->kind == EVENT_WRITE && event->thread >= 0)
      writes[followed.write_count++] =
          (struct execution_write){access_of(event), (unsigned)event->location, place_of(x, e)};
  }
  int64_t key[hunt->allowed.width + 1];
  hunt->search->key(hunt->search->machine, &followed, key);
  outcomes_add(&hunt->allowed, key)->count++;
  return true;
}

static bool judge(void *context, const struct explore_outcome *outcome) {
  struct hunt *hunt = context;
  if (outcomes_find(&hunt->allowed, outcome->values)) return true;
  hunt->bad = outcome->values;
  hunt->bad_state = outcome->state;
  return false;
}

/* Where a limit cuts the model's side, an execution that is not known may well be allowed. */
static enum enumerate_end collect_executions(const struct strict_search *search, struct arena *arena,
                                             struct hunt *hunt) {
  struct enumerate_sink sink = {.context = hunt, .consistent = keep_execution};
  struct enumerate_stats stats;
  struct enumerate_options options = *search->model_options;
  options.workers = 1;
  options.cut_spins = false; /* the machine's executions have all rounds */
  outcomes_open(&hunt->allowed, arena, search->machine->observable_count);
  enum enumerate_end end = enumerate(search->test, search->model, &options, &sink, &stats);
  outcomes_sort(&hunt->allowed);
  return end;
}

void execution_inclusion_find(const struct strict_search *search, struct arena *arena, struct strict_result *result) {
  struct hunt hunt = {.search = search};
  *result = (struct strict_result){.model = collect_executions(search, arena, &hunt)};
  if (result->model != END_DONE) return;
  struct explore_options options = *search->explore_options;
  options.outcome = judge;
  options.context = &hunt;
  explore(search->explorer, search->machine, &options, &result->found);
  result->bad = hunt.bad;
  result->bad_state = hunt.bad_state;
}
