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
  uint64_t candidates, limit;
  uint64_t meeting, failing, bad;
  struct arena *arena;
  VEC(int64_t *) states; /* distinct, by test->observables */
};

static int64_t final_value(const struct candidate *c, unsigned location) {
  int last = -1;
  for (int e = 0; e < c->count; e++)
    if (c->events[e].kind == KIND_WRITE && c->events[e].location == (int)location &&
        (last < 0 || c->rank[e] > c->rank[last]))
      last = e;
  return c->events[last].value;
}

static int64_t observe(void *context, struct observable what) {
  const struct candidate *c = context;
  if (what.thread < 0) return final_value(c, what.index);
  return c->runs[what.thread]->registers[what.index];
}

static void add_state(struct tally *t) {
  unsigned count = t->test->observable_count;
  int64_t *values = ARENA_ARRAY(t->arena, int64_t, count + 1);
  for (unsigned i = 0; i < count; i++) values[i] = observe((void *)(uintptr_t)t->now, t->test->observables[i]);
  for (size_t i = 0; i < t->states.count; i++)
    if (!memcmp(t->states.at[i], values, count * sizeof *values)) return;
  *vec_push(t->arena, &t->states) = values;
}

static bool count(void *context, const struct candidate *candidate) {
  struct tally *t = context;
  if (++t->candidates > t->limit) return false;
  t->now = candidate;
  void *state = (void *)(uintptr_t)candidate;
  if (t->test->filter && !prop_holds(t->test->filter, observe, state)) return true;
  unsigned bad, ways = naive_judge(t->judge, candidate, &bad);
  if (!ways) return true;
  t->bad += bad;
  if (prop_holds(t->test->condition, observe, state))
    t->meeting += ways;
  else
    t->failing += ways;
  add_state(t);
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
    if (prepare(arena, test->program, unroll, runs)) {
      if (naive_candidates(arena, test->program, runs, model->ir.co == CO_TOTAL, count, &t)) print_row(file, name, &t);
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
