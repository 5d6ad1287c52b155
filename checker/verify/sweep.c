/* SPDX-License-Identifier: MIT */
/* Sweeps in parts: a part is a run of the family's programs, by shape, on one
 * target; large families have larger ones, since programs of one shape that are not
 * in one part are not in one memory. Every worker goes through the family once for each target of which it has parts.
 * How many programs there are is seen at its end: a target has parts for about as many, of which the last may be empty,
 * and the very last has what is left.
 */
#include "checker/verify/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/guard.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/verify/sweep_memo.h"

enum { LEAST_PART = 256, MOST_PART = 8192, MANY_PARTS = 4096, MOST_PARTS = 1 << 20 };

struct sweep {
  struct parts *parts;
  const struct target *targets;
  uint64_t block, blocks; /* programs of a part, parts of a target */
  _Atomic uint64_t end;   /* how many programs there are, once a worker has seen it; before: UINT64_MAX */
  const struct cat_model *model;
  const struct sweep_options *options;
};

struct worker {
  struct sweep *sweep;
  struct explorer *explorer;
  struct sweep_memo *memo;
  uint64_t part, index; /* claimed, PARTS_END: none; the next program of the family */
  struct sweep_result result;
  double start;
  bool cancelled;
  bool left; /* the family, for a part of another target or one that was passed */
};

static uint64_t block_of(uint64_t programs) {
  uint64_t block = LEAST_PART;
  while (programs / block > (block < MOST_PART ? MANY_PARTS : MOST_PARTS)) block *= 2;
  return block;
}

static uint64_t blocks_of(uint64_t programs) {
  return (programs + block_of(programs) - 1) / block_of(programs);
}

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

/* Tries one program and counts it. */
static void try_program(struct sweep_memo *memo, const struct target *target, const struct sweep_options *options,
                        struct explorer *explorer, const struct small_program *program, struct sweep_result *result) {
  uint64_t states;
  bool unjudged;
  enum verify_answer answer = sweep_memo_verify(memo, target, &options->verify, explorer, program, &states, &unjudged);
  count_answer(result, program, answer, states, unjudged);
}

static bool claim(struct worker *w) {
  w->result = (struct sweep_result){0};
  w->start = monotonic_seconds();
  if (parts_claim(w->sweep->parts, &w->part)) return true;
  w->part = PARTS_END;
  return false;
}

static void hand_in(struct worker *w) {
  struct text text;
  text_open(&text);
  w->result.seconds = monotonic_seconds() - w->start;
  sweep_counts_write(&w->result, text.out);
  if (w->result.found) {
    fputc(' ', text.out);
    small_print(&w->result.smallest, text.out);
  }
  text_end(&text);
  parts_hand_in(w->sweep->parts, w->part, text.at);
  text_free(&text);
}

/* Stops behind the last part of this target. */
static bool visit(void *context, const struct small_program *program) {
  struct worker *w = context;
  struct sweep *d = w->sweep;
  const atomic_int *cancel = d->options->verify.explore.cancel;
  w->cancelled = cancel && *cancel;
  if (w->cancelled) return false;
  uint64_t target = w->part / d->blocks, block = w->index / d->block;
  if (block >= d->blocks) block = d->blocks - 1;
  if (block > w->part % d->blocks) {
    hand_in(w);
    w->left = !claim(w) || w->part / d->blocks != target || w->part % d->blocks < block;
    if (w->left) return false;
  }
  if (block == w->part % d->blocks) {
    try_program(w->memo, &d->targets[target], d->options, w->explorer, program, &w->result);
  }
  w->index++;
  return true;
}

static void *work(void *context, size_t index) {
  (void)index;
  struct sweep *d = context;
  struct worker w = {.sweep = d, .explorer = explorer_new(), .memo = sweep_memo_new(d->model)};
  claim(&w);
  while (w.part != PARTS_END && !w.cancelled) {
    w.index = 0;
    w.left = false;
    if (w.part % d->blocks * d->block < d->end) small_generate_by_shape(&d->options->family, visit, &w);
    if (w.cancelled || w.left) continue;
    if (w.index) d->end = w.index;
    hand_in(&w); /* the family ended within the part, or before */
    claim(&w);
  }
  if (w.part != PARTS_END && w.cancelled) { /* as far as it is done */
    guard_note_limit();
    hand_in(&w);
  }
  sweep_memo_free(w.memo);
  explorer_free(w.explorer);
  return context;
}

bool sweep_run(struct parts *parts, const struct target *targets, size_t target_count, uint64_t programs,
               const struct cat_model *model, const struct sweep_options *options) {
  struct sweep d = {.parts = parts,
                    .targets = targets,
                    .block = block_of(programs),
                    .blocks = blocks_of(programs),
                    .end = UINT64_MAX,
                    .model = model,
                    .options = options};
  parts_set_total(parts, d.blocks * target_count);
  struct pool_jobs jobs = {.context = &d, .work = work};
  unsigned workers = options->workers ? options->workers : 1;
  pool_run(workers, workers, &jobs);
  const atomic_int *cancel = options->verify.explore.cancel;
  return !(cancel && *cancel);
}

struct sweep_result sweep_sum(struct parts *parts, size_t target, uint64_t programs, enum litmus_language language) {
  struct sweep_result total = {.subject = SWEEP_MAPPING};
  uint64_t blocks = blocks_of(programs);
  for (uint64_t block = 0; block < blocks; block++) {
    const char *text = parts_text(parts, target * blocks + block);
    const char *rest = text ? sweep_counts_add(&total, text) : NULL;
    struct small_program smallest;
    if (rest && *rest == ' ' && !small_read(rest, language, &smallest)) sweep_note_violation(&total, &smallest);
  }
  return total;
}
