/* SPDX-License-Identifier: MIT */
/* A mapping on every program of a family: what a worker does of a part, and the sum of parts.  Programs come by shape,
 * since those of one shape that are not in one part are not in one memory (sweep_memo.h); so large families have larger
 * parts. */
#include "checker/verify/mapping_sweep.h"

#include <stdlib.h>

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/verify/sweep_memo.h"
#include "checker/verify/sweep_parts.h"

enum { LEAST_PART = 256 /* programs */ };

struct mapping_sweep {
  const struct target *targets;
  const struct cat_model *model;
  const struct sweep_options *options;
};

struct worker {
  const struct mapping_sweep *sweep;
  struct explorer *explorer;
  struct sweep_memo *memo;
  struct sweep_result result; /* of the part */
  double start;
};

static void count_answer(struct sweep_result *result, const struct small_program *program, enum verify_answer answer,
                         uint64_t states, bool unjudged) {
  static const enum sweep_count OF[] = {
      [VERIFY_SOUND] = COUNT_SOUND,        [VERIFY_UNSOUND] = COUNT_UNSOUND,     [VERIFY_UNDEFINED] = COUNT_RACY,
      [VERIFY_DEADLOCK] = COUNT_DEADLOCKS, [VERIFY_UNDECIDED] = COUNT_UNDECIDED, [VERIFY_HAZARD] = COUNT_HAZARDS,
      [VERIFY_BAD] = COUNT_NO_CELL};
  result->counts[COUNT_PROGRAMS]++;
  result->counts[COUNT_STATES] += states;
  result->counts[COUNT_RACE_FREE] += answer != VERIFY_UNDEFINED && answer != VERIFY_BAD && !unjudged;
  result->counts[COUNT_UNJUDGED] += unjudged;
  result->counts[OF[answer]]++;
  if (verify_is_violation(answer)) sweep_note_violation(result, program);
}

static void *open_worker(void *context) {
  const struct mapping_sweep *sweep = context;
  struct worker *w = guard_must(malloc(sizeof *w));
  *w = (struct worker){.sweep = sweep, .explorer = explorer_new(), .memo = sweep_memo_new(sweep->model)};
  return w;
}

static void close_worker(void *worker) {
  struct worker *w = worker;
  sweep_memo_free(w->memo);
  explorer_free(w->explorer);
  free(w);
}

static void begin_part(void *worker) {
  struct worker *w = worker;
  w->result = (struct sweep_result){0};
  w->start = monotonic_seconds();
}

/* Tries one program and counts it. */
static void try_program(void *worker, size_t subject, uint64_t index, const struct small_program *program) {
  struct worker *w = worker;
  const struct mapping_sweep *s = w->sweep;
  uint64_t states;
  bool unjudged;
  (void)index;
  struct verifier verifier = {&s->targets[subject], s->model, &s->options->verify, w->explorer};
  enum verify_answer answer = sweep_memo_verify(w->memo, &verifier, program, &states, &unjudged);
  count_answer(&w->result, program, answer, states, unjudged);
}

static void end_part(void *worker, FILE *out) {
  struct worker *w = worker;
  w->result.seconds = monotonic_seconds() - w->start;
  sweep_counts_write(&w->result, out);
  if (w->result.found) {
    fputc(' ', out);
    small_print(&w->result.smallest, out);
  }
}

bool sweep_run(struct parts *parts, const struct target *targets, size_t target_count, uint64_t programs,
               const struct cat_model *model, const struct sweep_options *options) {
  struct mapping_sweep sweep = {targets, model, options};
  struct sweep_work work = {.family = &options->family,
                            .generate = small_generate_by_shape,
                            .cut = sweep_cut(programs, LEAST_PART),
                            .subjects = target_count,
                            .workers = options->workers,
                            .cancel = options->verify.explore.cancel,
                            .context = &sweep,
                            .open = open_worker,
                            .close = close_worker,
                            .begin = begin_part,
                            .try_program = try_program,
                            .end = end_part};
  return sweep_parts_run(parts, &work);
}

struct sweep_result sweep_sum(struct parts *parts, size_t target, uint64_t programs,
                              const struct small_language *language) {
  struct sweep_result total = {.swept = SWEPT_MAPPING};
  uint64_t part_count = sweep_cut(programs, LEAST_PART).parts;
  for (uint64_t part = 0; part < part_count; part++) {
    const char *text = parts_text(parts, target * part_count + part);
    const char *rest = text ? sweep_counts_add(&total, text) : NULL;
    struct small_program smallest;
    if (rest && *rest == ' ' && !small_read(rest, language, &smallest)) sweep_note_violation(&total, &smallest);
  }
  return total;
}
