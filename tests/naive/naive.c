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

static bool count(void *context, const struct candidate *candidate) {
  struct tally *t = context;
  if (++t->candidates > t->limit) return false;
  if (candidate->group != t->group) end_group(t);
  t->group = candidate->group;
  unsigned bad, ways = naive_judge(t->judge, candidate, &bad);
  if (!ways) return true;
  if (candidate->thin_air) return false; /* which values would be free? Such a test is left out */
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
  if (!t->states.count) putchar('-');
  putchar('\n');
}

/* Every thread's runs over the domains; false where that is too much. */
static bool prepare(struct arena *arena, const struct program *program, unsigned unroll, run_list *runs) {
  struct domain domain;
  if (program->location_count > MAX_EVENTS / 2 || !naive_domain(arena, program, unroll, &domain)) return false;
  for (unsigned t = 0; t < program->thread_count; t++)
    if (!naive_runs(arena, program, (int)t, unroll, &domain, &runs[t])) return false;
  return true;
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
    struct tally t = {.test = test, .judge = naive_judge_new(arena, model), .limit = limit, .arena = arena};
    t.final = ARENA_ARRAY(arena, int64_t, test->program->location_count);
    if (prepare(arena, test->program, unroll, runs)) {
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
