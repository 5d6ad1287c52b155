/* SPDX-License-Identifier: MIT */
/* usage: naive [-model NAME] [-unroll N] [-candidates N] FILE...
 *
 * Prints a table of results, in the columns of an expected.tsv, as the naive
 * enumerator finds them.  A test with more than N candidates to build (default
 * 20,000) is left out, and so is one whose runs are too long. */
#include "naive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
  const struct litmus_test *test;
  struct judge *judge;
  const struct candidate *now;
  int64_t *final;                         /* by name of a location, now */
  VEC(const struct candidate *) accepted; /* of this group, where co is partial */
  uint64_t group;
  uint64_t candidates, limit;
  uint64_t meeting, failing, bad;
  const value_set *guesses; /* for values that rest on themselves */
  struct arena *arena;
  VEC(int64_t *) states; /* distinct, by test->observables */
};

/* Nothing follows this write. */
static bool is_last(const struct candidate *c, int e) {
  for (int d = 0; d < c->count; d++)
    if (naive_in_co(c, e, d) || (!c->co_chosen && c->events[d].kind == KIND_WRITE && d != e &&
                                 c->events[d].location == c->events[e].location && c->rank[d] > c->rank[e]))
      return false;
  return true;
}

static int64_t observe(void *context, struct observable what) {
  const struct tally *t = context;
  if (what.thread < 0) return t->final[what.index];
  return t->now->runs[what.thread]->registers[what.index];
}

static void add_state(struct tally *t) {
  unsigned count = t->test->observable_count;
  int64_t *values = ARENA_ARRAY(t->arena, int64_t, count + 1);
  for (unsigned i = 0; i < count; i++) values[i] = observe(t, t->test->observables[i]);
  for (size_t i = 0; i < t->states.count; i++)
    if (!memcmp(t->states.at[i], values, count * sizeof *values)) return;
  *vec_push(t->arena, &t->states) = values;
}

/* One final state of an execution. */
static void add_outcome(struct tally *t, unsigned ways, unsigned bad) {
  if (t->test->filter && !prop_holds(t->test->filter, observe, t)) return;
  t->bad += bad;
  if (prop_holds(t->test->condition, observe, t))
    t->meeting += ways;
  else
    t->failing += ways;
  add_state(t);
}

static bool is_observed(const struct tally *t, unsigned location) {
  for (unsigned i = 0; i < t->test->observable_count; i++)
    if (t->test->observables[i].thread < 0 && t->test->observables[i].index == location) return true;
  return false;
}

/* Every choice of a last value for each name that is observed, from `name` on. */
static void choose_final(struct tally *t, unsigned name, unsigned ways, unsigned bad) {
  const struct candidate *c = t->now;
  while (name < c->program->location_count && !is_observed(t, name)) name++;
  if (name == c->program->location_count) {
    add_outcome(t, ways, bad);
    return;
  }
  int location = (int)program_physical(c->program, name);
  VEC(int64_t) tried = {0};
  for (int e = 0; e < c->count; e++) {
    if (c->events[e].kind != KIND_WRITE || c->events[e].location != location || !is_last(c, e)) continue;
    bool again = false;
    for (size_t i = 0; i < tried.count; i++) again |= tried.at[i] == c->events[e].value;
    if (again) continue;
    *vec_push(t->arena, &tried) = c->events[e].value;
    t->final[name] = c->events[e].value;
    choose_final(t, name + 1, ways, bad);
  }
}

/* Partial orders of which a smaller one of the group is accepted show nothing new. */
static bool is_smallest(const struct tally *t, const struct candidate *c) {
  for (size_t i = 0; i < t->accepted.count; i++) {
    const struct candidate *other = t->accepted.at[i];
    bool within = other != c;
    for (int a = 0; within && a < c->count; a++)
      for (int b = 0; b < c->count; b++)
        within &= (!other->order[a][b] || c->order[a][b]) && (!other->fences[a][b] || c->fences[a][b]);
    if (within) return false;
  }
  return true;
}

/* Counts what has been accepted of a group. */
static void end_group(struct tally *t) {
  for (size_t i = 0; i < t->accepted.count; i++) {
    t->now = t->accepted.at[i];
    if (is_smallest(t, t->now)) choose_final(t, 0, 1, 0);
  }
  t->accepted.count = 0;
}

static void accept(struct tally *t, const struct candidate *candidate) {
  struct candidate *copy = ARENA_NEW(t->arena, struct candidate);
  *copy = *candidate;
  const struct run **chosen = ARENA_ARRAY(t->arena, const struct run *, candidate->program->thread_count);
  memcpy(chosen, candidate->runs, candidate->program->thread_count * sizeof *chosen);
  copy->runs = chosen;
  *vec_push(t->arena, &t->accepted) = copy;
}

/* ---- values that rest on themselves ---- */

static bool is_known(const struct candidate *c, int e, const bool *known) {
  const struct naive_event *event = &c->events[e];
  if (event->kind == KIND_READ && !event->compared) return known[c->source[e]];
  for (int i = 0; i < MAX_RUN; i++)
    if (event->flows[i] && !known[event->first + i]) return false;
  return true;
}

/* Marks what follows from values that are known; returns the first read that is left,
 * or the number of events. */
static int spread(const struct candidate *c, bool *known) {
  for (bool moved = true; moved;) {
    moved = false;
    for (int e = 0; e < c->count; e++) {
      if (known[e] || !is_known(c, e, known)) continue;
      known[e] = moved = true;
    }
  }
  int e = 0;
  while (e < c->count && (known[e] || c->events[e].kind != KIND_READ)) e++;
  return e;
}

/* A value that only itself justifies may be anything.  All that is counted is that it
 * is one of the guesses, at the first read that it could be guessed at; and so again,
 * if that leaves others. */
static bool is_guessed(const struct tally *t, const struct candidate *c) {
  bool known[MAX_EVENTS] = {0};
  for (int e; (e = spread(c, known)) < c->count; known[e] = true) {
    bool found = false;
    for (size_t i = 0; i < t->guesses->count; i++) found |= t->guesses->at[i] == c->events[e].value;
    if (!found) return false;
  }
  return true;
}

static void guess(struct arena *arena, value_set *guesses, int64_t value) {
  for (size_t i = 0; i < guesses->count; i++)
    if (guesses->at[i] == value) return;
  *vec_push(arena, guesses) = value;
}

static void guess_constants(struct arena *arena, value_set *guesses, const struct prop *prop) {
  if (!prop) return;
  if (prop->kind == PROP_COMPARE && prop->left.constant) guess(arena, guesses, prop->left.value);
  if (prop->kind == PROP_COMPARE && prop->right.constant) guess(arena, guesses, prop->right.value);
  guess_constants(arena, guesses, prop->a);
  guess_constants(arena, guesses, prop->b);
}

/* What the test tells apart, and a value that is none of these. */
static void guess_all(struct arena *arena, value_set *guesses, const struct litmus_test *test) {
  guess_constants(arena, guesses, test->condition);
  guess_constants(arena, guesses, test->filter);
  int64_t other = 1;
  for (size_t i = 0; i < guesses->count; i++)
    if (guesses->at[i] >= other && guesses->at[i] < INT64_MAX) other = guesses->at[i] + 1;
  guess(arena, guesses, other);
}

/* May what a location holds come back to it?  Leaves out read-modify-writes that only
 * feed each other: no order of them is a circle. */
static bool goes_round(const struct program *program, const run_list *runs) {
  unsigned n = program->location_count;
  bool to[MAX_EVENTS][MAX_EVENTS] = {0};
  for (unsigned t = 0; t < program->thread_count; t++)
    for (size_t i = 0; i < runs[t].count; i++) {
      const struct run *run = runs[t].at[i];
      for (int w = 0; w < run->count; w++)
        for (int r = 0; r < run->count; r++)
          if (run->events[w].flows[r] && !(run->events[w].rmw_write && r == w - 1))
            to[run->events[r].location][run->events[w].location] = true;
    }
  for (unsigned k = 0; k < n; k++)
    for (unsigned a = 0; a < n; a++)
      for (unsigned b = 0; b < n; b++) to[a][b] |= to[a][k] && to[k][b];
  for (unsigned a = 0; a < n; a++)
    if (to[a][a]) return true;
  return false;
}

/* ---- counting ---- */

static bool count(void *context, const struct candidate *candidate) {
  struct tally *t = context;
  if (++t->candidates > t->limit) return false;
  if (candidate->thin_air && !is_guessed(t, candidate)) return true;
  if (candidate->group != t->group) end_group(t);
  t->group = candidate->group;
  unsigned bad, ways = naive_judge(t->judge, candidate, &bad);
  if (!ways) return true;
  t->now = candidate;
  if (candidate->program->partial_coherence)
    accept(t, candidate);
  else
    choose_final(t, 0, ways, bad);
  return true;
}

static const char *observation(const struct tally *t) {
  return !t->meeting ? "Never" : !t->failing ? "Always" : "Sometimes";
}

static void print_state(const struct litmus_test *test, const int64_t *values) {
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct observable o = test->observables[i];
    if (o.thread < 0)
      printf("%s=%" PRId64 ";", test->program->locations[o.index].name, values[i]);
    else
      printf("%d:%s=%" PRId64 ";", o.thread, test->program->threads[o.thread].reg_names[o.index], values[i]);
  }
}

static void print_row(const char *file, const char *model, const struct tally *t) {
  const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
  bool swapped = t->test->quantifier == QUANT_NOT_EXISTS;
  printf("%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", base, model, observation(t),
         swapped ? t->failing : t->meeting, swapped ? t->meeting : t->failing, t->bad);
  for (size_t i = 0; i < t->states.count; i++) {
    if (i) fputs(" | ", stdout);
    print_state(t->test, t->states.at[i]);
  }
  putchar('\n');
}

static bool run_threads(struct arena *arena, const struct program *program, unsigned unroll, const value_set *guesses,
                        run_list *runs) {
  struct domain domain;
  if (!naive_domain(arena, program, unroll, guesses, &domain)) return false;
  for (unsigned t = 0; t < program->thread_count; t++) {
    runs[t].count = 0;
    if (!naive_runs(arena, program, (int)t, unroll, &domain, &runs[t])) return false;
  }
  return true;
}

/* Every thread's runs over the domains; false where that is too much. */
static bool prepare(struct arena *arena, const struct litmus_test *test, unsigned unroll, value_set *guesses,
                    run_list *runs) {
  const struct program *program = test->program;
  if (program->location_count > MAX_EVENTS / 2 || !run_threads(arena, program, unroll, guesses, runs)) return false;
  if (!program->free_values || !goes_round(program, runs)) return true;
  guess_all(arena, guesses, test);
  return run_threads(arena, program, unroll, guesses, runs);
}

static bool run_test(const char *file, const struct cat_model *model, const char *name, unsigned unroll,
                     uint64_t limit) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct litmus_options options = {0};
  struct source *source = source_read(arena, file, &diags);
  struct litmus_test *test = source ? litmus_parse(arena, source, &options, &diags) : NULL;
  diags_print(&diags, stderr);
  if (test) {
    run_list *runs = ARENA_ARRAY(arena, run_list, test->program->thread_count);
    value_set guesses = {0};
    struct tally t = {
        .test = test, .judge = naive_judge_new(arena, model), .guesses = &guesses, .limit = limit, .arena = arena};
    t.final = ARENA_ARRAY(arena, int64_t, test->program->location_count);
    if (prepare(arena, test, unroll, &guesses, runs)) {
      bool whole = naive_candidates(arena, test->program, runs, model->ir.co == CO_TOTAL, count, &t);
      end_group(&t);
      if (whole) print_row(file, name, &t);
    }
  }
  arena_free(arena);
  return test;
}

int main(int argc, char **argv) {
  const char *name = "opencl-rsp";
  unsigned unroll = 2;
  uint64_t limit = 20000;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    const char *value = argv[first + 1];
    if (!strcmp(argv[first], "-model")) name = value;
    if (!strcmp(argv[first], "-unroll")) unroll = (unsigned)strtoul(value, NULL, 10);
    if (!strcmp(argv[first], "-candidates")) limit = strtoull(value, NULL, 10);
  }
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const char *const folders[] = {"models"};
  struct cat_search search = {.folders = folders, .folder_count = 1};
  struct cat_model *model = cat_load(arena, name, &search, &diags);
  diags_print(&diags, stderr);
  bool ok = model;
  puts("test\tmodel\tobservation\tpositive\tnegative\tbad\tstates");
  for (int i = first; model && i < argc; i++) ok &= run_test(argv[i], model, name, unroll, limit);
  arena_free(arena);
  return ok ? 0 : 2;
}
