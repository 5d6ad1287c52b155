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

struct division {
  struct parts *parts;
  const struct target *targets;
  uint64_t block, blocks; /* programs of a part, parts of a target */
  _Atomic uint64_t end;   /* how many programs there are, once a worker has seen it; before: UINT64_MAX */
  const struct cat_model *model;
  const struct sweep_options *options;
};

struct worker {
  struct division *division;
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

/* Keeps an unsound program, or one that gets stuck, if it is simpler than the one that is kept. */
static void note_violation(struct sweep_result *result, const struct small_program *program) {
  if (result->found && !small_is_simpler(program, &result->smallest)) return;
  result->smallest = *program;
  result->found = true;
}

static void count_answer(struct sweep_result *result, const struct small_program *program, enum verify_answer answer,
                         uint64_t states, bool unjudged) {
  result->programs++;
  result->states += states;
  result->race_free += answer != VERIFY_UNDEFINED && answer != VERIFY_BAD && !unjudged;
  result->unjudged += unjudged;
  uint64_t *const counts[VERIFY_BAD + 1] = {[VERIFY_SOUND] = &result->sound,
                                            [VERIFY_UNSOUND] = &result->unsound,
                                            [VERIFY_DEADLOCK] = &result->deadlocks,
                                            [VERIFY_UNDECIDED] = &result->undecided,
                                            [VERIFY_BAD] = &result->no_cell};
  if (counts[answer]) ++*counts[answer]; /* hazards are of compiled code alone */
  if (answer == VERIFY_UNSOUND || answer == VERIFY_DEADLOCK) note_violation(result, program);
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
  if (parts_claim(w->division->parts, &w->part)) return true;
  w->part = PARTS_END;
  return false;
}

static void hand_in(struct worker *w) {
  const struct sweep_result *r = &w->result;
  struct text text;
  text_open(&text);
  fprintf(text.out,
          "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
          " %.6f",
          r->programs, r->race_free, r->unjudged, r->sound, r->unsound, r->deadlocks, r->undecided, r->no_cell,
          r->states, monotonic_seconds() - w->start);
  if (r->found) {
    fputc(' ', text.out);
    small_print(&r->smallest, text.out);
  }
  text_end(&text);
  parts_hand_in(w->division->parts, w->part, text.at);
  text_free(&text);
}

/* Stops behind the last part of this target. */
static bool visit(void *context, const struct small_program *program) {
  struct worker *w = context;
  struct division *d = w->division;
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
  struct division *d = context;
  struct worker w = {.division = d, .explorer = explorer_new(), .memo = sweep_memo_new(d->model)};
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
  struct division d = {.parts = parts,
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

static void add_part(struct sweep_result *total, double *seconds, const char *text, enum litmus_language language) {
  struct sweep_result part = {0};
  double time = 0;
  int used = 0;
  sscanf(text,
         "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
         " %lf%n",
         &part.programs, &part.race_free, &part.unjudged, &part.sound, &part.unsound, &part.deadlocks, &part.undecided,
         &part.no_cell, &part.states, &time, &used);
  total->programs += part.programs;
  total->race_free += part.race_free;
  total->unjudged += part.unjudged;
  total->sound += part.sound;
  total->unsound += part.unsound;
  total->deadlocks += part.deadlocks;
  total->undecided += part.undecided;
  total->no_cell += part.no_cell;
  total->states += part.states;
  *seconds += time;
  if (text[used] == ' ' && !small_read(text + used, language, &part.smallest)) note_violation(total, &part.smallest);
}

struct sweep_result sweep_sum(struct parts *parts, size_t target, uint64_t programs, enum litmus_language language,
                              double *seconds) {
  struct sweep_result total = {0};
  uint64_t blocks = blocks_of(programs);
  *seconds = 0;
  for (uint64_t block = 0; block < blocks; block++)
    if (parts_text(parts, target * blocks + block))
      add_part(&total, seconds, parts_text(parts, target * blocks + block), language);
  return total;
}
