/* SPDX-License-Identifier: MIT */
/* Sweeps of emitted code in parts. A part's text has a line of counts for each target,
 * a line of its threads' numbers, and lines for programs that are unsound or refused. */
#include "checker/verify/emitted_sweep.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/translate/kind.h"
#include "checker/verify/emitted.h"

enum { PART = 128, THREADS = 8 }; /* programs of a part; threads of a program */

struct running {
  const struct emitted_sweep *sweep;
  pthread_mutex_t lock; /* around what follows */
  bool prepared, failed;
  struct arena *arena;
  struct emitted *emitted; /* by target */
  struct diags *diags;
};

static uint64_t parts_of(const struct emitted_sweep *s) {
  return (compiled_family_count(s->family) + PART - 1) / PART;
}

/* ---- doing ---- */

static bool prepare(struct running *r) {
  pthread_mutex_lock(&r->lock);
  const struct emitted_sweep *s = r->sweep;
  for (size_t i = 0; !r->prepared && !r->failed && i < s->target_count; i++)
    r->failed = !emitted_open(r->arena, s->family, &s->targets[i], s->options, false, &r->emitted[i], r->diags);
  r->prepared = true;
  pthread_mutex_unlock(&r->lock);
  return !r->failed;
}

static void put_threads(const bool *used, size_t count, FILE *out) {
  fputc('k', out);
  for (size_t i = 0; i < count; i++)
    if (used[i]) fprintf(out, " %zu", i);
  fputc('\n', out);
}

/* One target on the programs from `first` on. */
static void do_target(const struct running *r, size_t target, size_t first, size_t end, FILE *out) {
  const struct emitted *e = &r->emitted[target];
  struct explorer *explorer = explorer_new();
  struct compiled_result sum = {0};
  struct arena *kept = arena_new();
  struct text lines;
  VEC(bool) used = {0};
  double start = monotonic_seconds();
  text_open(&lines);
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
    compiled_count(&sum, &answer);
    sum.guarded += answer.taken && small_is_guarded(&compiled_family_program(r->sweep->family, i)->program);
    if (answer.unsound) fprintf(lines.out, "u %zu\n", i);
    if (answer.refused) fprintf(lines.out, "r %zu %s\n", i, answer.message ? answer.message : "");
    arena_free(arena);
  }
  text_end(&lines);
  fprintf(out, "t %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.6f\n", sum.race_free,
          sum.guarded, sum.states, sum.hazards, sum.deadlocks, sum.undecided, monotonic_seconds() - start);
  put_threads(used.at, used.count, out);
  fputs(lines.at, out);
  text_free(&lines);
  arena_free(kept);
  explorer_free(explorer);
}

static bool do_part(void *context, uint64_t part, FILE *out) {
  struct running *r = context;
  const struct emitted_sweep *s = r->sweep;
  size_t first = (size_t)part * PART, end = first + PART;
  uint64_t undecided = 0;
  if (end > compiled_family_count(s->family)) end = compiled_family_count(s->family);
  if (!prepare(r)) return false;
  struct arena *arena = arena_new();
  for (size_t i = first; i < end; i++)
    undecided += compiled_family_judge(s->family, i, s->model, s->options, arena) == COMPILED_UNDECIDED;
  fprintf(out, "m %" PRIu64 "\n", undecided);
  for (size_t i = 0; i < s->target_count; i++) do_target(r, i, first, end, out);
  arena_free(arena);
  return !(s->options->explore.cancel && *s->options->explore.cancel);
}

bool emitted_run(struct parts *parts, const struct emitted_sweep *sweep, struct diags *diags) {
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
  const struct emitted_sweep *sweep;
  struct arena *arena;
  struct compiled_result *result;
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
  struct compiled_result part = {0};
  char *rest;
  if (*line == 't') {
    sscanf(line + 1, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf", &part.race_free,
           &part.guarded, &part.states, &part.hazards, &part.deadlocks, &part.undecided, &part.seconds);
    a->result->race_free += part.race_free;
    a->result->guarded += part.guarded;
    a->result->states += part.states;
    a->result->hazards += part.hazards;
    a->result->deadlocks += part.deadlocks;
    a->result->undecided += part.undecided;
    a->result->seconds += part.seconds;
    return;
  }
  if (*line == 'k') {
    add_threads(a, line + 1);
    return;
  }
  size_t program = strtoul(line + 1, &rest, 10);
  if (program >= compiled_family_count(a->sweep->family)) return;
  const struct small_listed *from = compiled_family_program(a->sweep->family, program);
  if (*line == 'u')
    compiled_count_unsound(a->result, from);
  else if (*line == 'r' && rest[0] == ' ' && rest[1])
    compiled_count_refused(a->result, from, rest + 1);
  else if (*line == 'r')
    a->result->refused++;
}

void emitted_sum(struct arena *arena, struct parts *parts, const struct emitted_sweep *sweep, size_t target,
                 struct compiled_result *result) {
  struct adding a = {.sweep = sweep, .arena = arena, .result = result};
  *result = (struct compiled_result){.programs = compiled_family_count(sweep->family)};
  for (uint64_t part = 0; part < parts_of(sweep); part++) {
    const char *text = parts_text(parts, part);
    size_t at = SIZE_MAX; /* the target that lines are of; before the first: none */
    for (const char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
      const char *own = arena_strndup(arena, line, strcspn(line, "\n"));
      if (*own == 'm') result->model_undecided += strtoull(own + 1, NULL, 10);
      if (*own == 't') at++;
      if (*own != 'm' && at == target) add_line(&a, own);
    }
  }
  for (size_t i = 0; i < a.used.count; i++) result->kernels += a.used.at[i];
}

bool emitted_open(struct arena *arena, const struct compiled_family *family, const struct target *target,
                  const struct compiled_options *options, bool past_hazards, struct emitted *emitted,
                  struct diags *diags) {
  return target->kind == &translated_kind ? translated_open(arena, family, target, options, emitted, diags)
                                          : compiled_open(arena, family, target, options, past_hazards, emitted, diags);
}
