/* SPDX-License-Identifier: MIT */
/* Sweeps of emitted code in parts. A part's text has a line of counts for each target,
 * a line of its threads' numbers, and lines for programs that are unsound or refused. */
#include "checker/verify/target_code_sweep.h"

#include <pthread.h>
#include <stdlib.h>

#include "checker/base/limit.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/target_code.h"

enum { PART = 128, THREADS = 8 }; /* programs of a part; threads of a program */

struct running {
  const struct target_code_sweep *sweep;
  pthread_mutex_t lock; /* around what follows */
  bool prepared, failed;
  struct arena *arena;
  struct emitted *emitted; /* by target */
  struct diags *diags;
};

static uint64_t parts_of(const struct target_code_sweep *s) {
  return (target_code_family_count(s->family) + PART - 1) / PART;
}

/* ---- doing ---- */

static void open_targets(void *context) {
  struct running *r = context;
  const struct target_code_sweep *s = r->sweep;
  for (size_t i = 0; !r->failed && i < s->target_count; i++) {
    struct target_code_source source = {s->family, &s->targets[i], s->options, false};
    r->failed = !target_code_open(r->arena, &source, &r->emitted[i], r->diags);
  }
}

/* Where memory is out the lock is given back all the same: others wait for it. */
static bool prepare(struct running *r) {
  pthread_mutex_lock(&r->lock);
  bool memory = r->prepared || guard_run(open_targets, r);
  r->prepared = true;
  r->failed |= !memory;
  pthread_mutex_unlock(&r->lock);
  if (!memory) guard_out_of_memory();
  return !r->failed;
}

static void put_threads(const bool *used, size_t count, FILE *out) {
  fputc('k', out);
  for (size_t i = 0; i < count; i++)
    if (used[i]) fprintf(out, " %zu", i);
  fputc('\n', out);
}

static void count_answer(struct sweep_result *result, const struct small_program *program,
                         const struct compiled_answer *answer) {
  uint64_t *counts = result->counts;
  counts[COUNT_RACE_FREE] += answer->taken;
  counts[COUNT_GUARDED] += answer->taken && small_is_guarded(program);
  counts[COUNT_STATES] += answer->states;
  counts[COUNT_HAZARDS] += answer->hazard;
  counts[COUNT_DEADLOCKS] += answer->deadlock;
  counts[COUNT_UNDECIDED] += answer->undecided && !answer->unsound;
}

/* One target on the programs from `first` on, of which the model left some undecided. */
static void do_target(const struct running *r, size_t target, size_t first, size_t end, uint64_t undecided, FILE *out) {
  const struct emitted *e = &r->emitted[target];
  struct explorer *explorer = explorer_new();
  struct sweep_result sum = {.counts = {[COUNT_UNDECIDED] = undecided}};
  struct arena *kept = arena_new();
  VEC(bool) used = {0};
  double start = monotonic_seconds();
  struct text lines = text_new();
  for (size_t i = first; i < end; i++) {
    struct arena *arena = arena_new();
    struct compiled_answer answer = {.taken = false};
    unsigned numbers[THREADS], threads = 0;
    e->ask(e->context, i, NULL, explorer, arena, &answer);
    if (answer.taken) threads = e->threads(e->context, i, arena, numbers);
    for (unsigned t = 0; t < threads; t++) {
      while (used.count <= numbers[t]) *vec_push(kept, &used) = false;
      used.at[numbers[t]] = true;
    }
    count_answer(&sum, &target_code_family_program(r->sweep->family, i)->program, &answer);
    if (answer.unsound) fprintf(lines.out, "u %zu\n", i);
    if (answer.refused) fprintf(lines.out, "r %zu %s\n", i, answer.message ? answer.message : "");
    arena_free(arena);
  }
  text_end(&lines);
  sum.seconds = monotonic_seconds() - start;
  fputs("t ", out);
  sweep_counts_write(&sum, out);
  fputc('\n', out);
  put_threads(used.at, used.count, out);
  fputs(lines.at, out);
  text_free(&lines);
  arena_free(kept);
  explorer_free(explorer);
}

static bool do_part(void *context, uint64_t part, FILE *out) {
  struct running *r = context;
  const struct target_code_sweep *s = r->sweep;
  size_t first = (size_t)part * PART, end = first + PART;
  uint64_t undecided = 0;
  if (end > target_code_family_count(s->family)) end = target_code_family_count(s->family);
  if (!prepare(r)) return false;
  struct arena *arena = arena_new();
  for (size_t i = first; i < end; i++)
    undecided += target_code_family_judge(s->family, i, s->model, s->options, arena) == COMPILED_UNDECIDED;
  for (size_t i = 0; i < s->target_count; i++) do_target(r, i, first, end, undecided, out);
  arena_free(arena);
  return !is_cancelled(s->options->explore.cancel);
}

bool target_code_run(struct parts *parts, const struct target_code_sweep *sweep, struct diags *diags) {
  struct running r = {.sweep = sweep, .arena = arena_new(), .diags = diags};
  r.emitted = ARENA_ARRAY(r.arena, struct emitted, sweep->target_count + 1);
  pthread_mutex_init(&r.lock, NULL);
  parts_set_total(parts, parts_of(sweep));
  parts_run(parts, sweep->options->workers, do_part, &r);
  pthread_mutex_destroy(&r.lock);
  arena_free(r.arena);
  return !r.failed;
}

/* ---- adding up ---- */

struct adding {
  const struct target_code_sweep *sweep;
  struct arena *arena;
  struct sweep_result *result;
  VEC(bool) used;
};

static void add_threads(struct adding *a, const char *line) {
  char *end;
  for (unsigned long number = strtoul(line, &end, 10); end != line; number = strtoul(line, &end, 10)) {
    while (a->used.count <= number) *vec_push(a->arena, &a->used) = false;
    a->used.at[number] = true;
    line = end;
  }
}

static void add_line(struct adding *a, const char *line) {
  char *rest;
  if (*line == 't') {
    sweep_counts_add(a->result, line + 1);
    return;
  }
  if (*line == 'k') {
    add_threads(a, line + 1);
    return;
  }
  size_t program = strtoul(line + 1, &rest, 10);
  if (program >= target_code_family_count(a->sweep->family)) return;
  const struct small_listed *from = target_code_family_program(a->sweep->family, program);
  if (*line == 'u') sweep_count_unsound(a->result, from);
  if (*line == 'r') sweep_count_refused(a->result, from, rest + (*rest == ' '));
}

void target_code_sum(struct arena *arena, struct parts *parts, const struct target_code_sweep *sweep, size_t target,
                     struct sweep_result *result) {
  struct adding a = {.sweep = sweep, .arena = arena, .result = result};
  *result = (struct sweep_result){.swept = SWEPT_CODE,
                                  .counts = {[COUNT_PROGRAMS] = target_code_family_count(sweep->family)}};
  for (uint64_t part = 0; part < parts_of(sweep); part++) {
    const char *text = parts_text(parts, part);
    size_t at = SIZE_MAX; /* the target that lines are of; before the first: none */
    for (const char **line = text_split(arena, text ? text : "", "\n", NULL); *line; line++) {
      if (**line == 't') at++;
      if (at == target) add_line(&a, *line);
    }
  }
  for (size_t i = 0; i < a.used.count; i++) result->counts[COUNT_THREADS] += a.used.at[i];
}

bool target_code_open(struct arena *arena, const struct target_code_source *source, struct emitted *emitted,
                      struct diags *diags) {
  return source->target->kind->code == CODE_TRANSLATED ? translated_open(arena, source, emitted, diags)
                                                       : compiled_open(arena, source, emitted, diags);
}
