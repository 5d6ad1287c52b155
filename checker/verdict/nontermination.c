/* SPDX-License-Identifier: MIT */
/* Executions that stop come from the engine; what is left to ask is whether the
 * reads that are repeated for ever see writes that nothing follows. */
#include "checker/verdict/nontermination.h"

#include <string.h>

#include "checker/solve/solve.h"

struct finder {
  struct arena *arena;
  struct nontermination *result;
};

static bool is_maximal(const struct execution *x, unsigned write) {
  return words_empty(x->shape.w, rel_row_const(x->shape, x->co, write));
}

static bool stays(const struct execution *x) {
  for (unsigned r = 0; r < x->shape.n; r++) {
    if (!x->events[r].repeats || x->events[r].kind != EVENT_READ) continue;
    for (unsigned w = 0; w < x->shape.n; w++)
      if (rel_has(x->shape, x->rf, w, r) && !is_maximal(x, w)) return false;
  }
  return true;
}

static bool look(void *context, const struct candidate *candidate) {
  struct finder *f = context;
  const struct execution *x = candidate->execution;
  if (!stays(x)) return true;
  struct event *events = ARENA_ARRAY(f->arena, struct event, x->shape.n);
  memcpy(events, x->events, x->shape.n * sizeof *events);
  f->result->events = events;
  f->result->event_count = x->shape.n;
  f->result->found = true;
  return false;
}

struct nontermination nontermination_find(struct arena *arena, const struct litmus_test *test,
                                          const struct cat_model *model, const struct enumerate_options *options) {
  struct nontermination result = {0};
  struct finder finder = {arena, &result};
  struct enumerate_options own = *options;
  struct enumerate_sink sink = {.context = &finder, .consistent = look};
  own.stops = true;
  own.workers = 1;
  result.end = (own.solve ? solve : enumerate)(test, model, &own, &sink, &result.stats);
  if (result.found) result.end = END_DONE;
  return result;
}
