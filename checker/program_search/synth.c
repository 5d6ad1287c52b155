/* SPDX-License-Identifier: MIT */
/* Counterexample-guided synthesis of one cell of a mapping. The model is asked once
 * about each program; a candidate then only costs explorations of the machine. */
#include "checker/program_search/synth.h"

#include "checker/base/text.h"
#include "checker/program_search/synth_internal.h"
#include "hwsem/compile_by_mapping.h"

/* Why a candidate is none. */
struct refuted {
  size_t bad;
  unsigned order;
  enum trial trial;
};

/* The cell's candidates, the runs that they make, and what is known of them. */
struct trials {
  struct mapping_cell **candidates;
  size_t count, runs;
  const char *first;           /* the first run's text, once it is there */
  numbers seeds;               /* the examples with which each run begins */
  bool seeded, done;           /* of the runs that are done here */
  size_t survivor;             /* `done`: the run that has a sound one */
  VEC(struct refuted) refuted; /* the first candidates, up to the one that was found */
  bool found;
};

/* ---- programs ---- */

static unsigned cells_of(const struct synth_options *o, const struct program *program) {
  unsigned cells = 0;
  INSTR_EACH (instr, program) {
    struct mapping_key key;
    if (!compile_key(program, instr, &key)) continue;
    for (size_t k = 0; k < o->key_count; k++)
      if (mapping_key_equal(key, o->keys[k])) cells |= 1u << k;
  }
  return cells;
}

static bool add_program(void *context, const struct small_program *program) {
  struct synth *s = context;
  if (is_cancelled(s->options->verify.explore.cancel)) return false;
  struct arena *scratch = arena_new();
  const struct litmus_test *test = small_test(scratch, program);
  unsigned cells = cells_of(s->options, test->program);
  struct judgement said = {.answer = JUDGE_UNDEFINED};
  s->result.programs++;
  if (cells) judge_program(&s->options->model, test, &s->options->verify.model, s->arena, &said);
  if (said.answer == JUDGE_UNDECIDED) s->result.complete = false;
  if (said.answer == JUDGE_DEFINED) {
    *vec_push(s->arena, &s->programs) = (struct known_program){*program, said.outcomes, cells};
    s->result.race_free++;
  }
  arena_free(scratch);
  return true;
}

/* Smaller programs first, else in the family's order (qsort need not keep it). */
static void sort_programs(struct synth *s) {
  struct known_program *sorted = ARENA_ARRAY(s->arena, struct known_program, s->programs.count + 1);
  size_t count = 0;
  for (unsigned size = 0; size <= SMALL_THREADS * SMALL_OPS; size++)
    for (size_t i = 0; i < s->programs.count; i++)
      if (small_size(&s->programs.at[i].program) == size) sorted[count++] = s->programs.at[i];
  s->programs.at = sorted;
}

/* ---- runs ---- */

static struct mapping_trial try_candidate(struct synth *s, const struct mapping_cell *candidate) {
  struct arena *arena = arena_new();
  struct mapping_trial tried = {
      .synth = s, .cells = 1, .mapping = mapping_with(arena, s->mapping, s->options->keys[0], candidate)};
  synth_try_mapping(s, &tried);
  if (tried.trial == TRIAL_UNSOUND || tried.trial == TRIAL_STUCK) synth_note_example(s, tried.bad);
  arena_free(arena);
  return tried;
}

enum { RUN = 512 };

/* Tries a run's candidates, up to the first that is sound. */
static const char *do_run(struct synth *s, const struct trials *t, size_t run) {
  struct text text = text_new();
  for (size_t i = run * RUN; i < t->count && i < (run + 1) * RUN; i++) {
    struct mapping_trial tried = try_candidate(s, t->candidates[i]);
    synth_print_trial(&tried, text.out);
    if (tried.trial == TRIAL_SOUND || tried.trial == TRIAL_UNDECIDED) break;
  }
  return text_keep(&text, s->arena);
}

/* A run's text, done if it is not there; NULL: something is undecided. */
static const char *run_text(struct synth *s, const struct trials *t, size_t run) {
  const char *known = parts_text(s->options->parts, run);
  if (!known && run == 0) known = t->first;
  if (known) return known;
  s->examples.count = 0;
  for (size_t i = t->seeds.count; i > 0; i--) synth_note_example(s, t->seeds.at[i - 1]);
  known = do_run(s, t, run);
  return synth_has(s, known, TRIAL_UNDECIDED) ? NULL : known;
}

static void keep_examples(struct synth *s, numbers *to) {
  to->count = 0;
  for (size_t i = 0; i < s->examples.count; i++) *vec_push(s->arena, to) = s->examples.at[i];
}

/* The examples of a cell's first run are those with which all others begin. */
static bool take_seeds(struct synth *s, struct trials *t) {
  if (t->seeded) return true;
  const char *text = t->first = run_text(s, t, 0);
  struct mapping_trial tried;
  s->examples.count = 0;
  while (text && synth_read_trial(s, &text, &tried))
    if (tried.trial != TRIAL_SOUND) synth_note_example(s, tried.bad);
  keep_examples(s, &t->seeds);
  t->seeded = t->first != NULL;
  return t->seeded;
}

static void list_trials(struct synth *s) {
  struct trials *t = s->trials = ARENA_NEW(s->arena, struct trials);
  *t = (struct trials){.count = 0};
  t->candidates = synth_candidates(s->arena, s->options, s->options->keys[0], &t->count);
  t->runs = t->count ? (t->count + RUN - 1) / RUN : 1;
}

/* ---- the cell ---- */

/* The smallest program that refutes every candidate. */
static const struct small_program *common_example(struct synth *s, struct synth_cell *result) {
  for (size_t i = 0; i < s->programs.count; i++) {
    bool all = result->refuted_count > 0, known = false;
    for (size_t k = 0; k < s->examples.count; k++) known |= s->examples.at[k] == i;
    for (size_t k = 0; known && all && k < result->refuted_count; k++) {
      struct arena *arena = arena_new();
      unsigned order;
      enum trial trial =
          synth_try_program(s->options, mapping_with(arena, s->mapping, s->options->keys[0], result->refuted[k].cell),
                            &s->programs.at[i], &order);
      all = trial == TRIAL_UNSOUND || trial == TRIAL_STUCK;
      arena_free(arena);
    }
    if (known && all) return &s->programs.at[i].program;
  }
  return NULL;
}

/* The runs of a cell, up to the first sound candidate. */
static void read_runs(struct synth *s, struct trials *t) {
  struct parts *parts = s->options->parts;
  s->result.complete &= take_seeds(s, t);
  for (size_t run = 0; run < t->runs && s->result.complete && !t->found; run++) {
    const char *text = run_text(s, t, run);
    struct mapping_trial tried;
    s->result.complete &= text != NULL;
    if (text && !parts_text(parts, run)) parts_hand_in_here(parts, run, text, false);
    size_t i = run * RUN, end = i + RUN < t->count ? i + RUN : t->count;
    for (; text && i < end && !t->found && synth_read_trial(s, &text, &tried); i++) {
      t->found = tried.trial == TRIAL_SOUND;
      if (!t->found) *vec_push(s->arena, &t->refuted) = (struct refuted){tried.bad, tried.order, tried.trial};
    }
    s->result.complete &= t->found || i == end; /* a run that was left out counts for nothing */
  }
}

/* What is found of the cell becomes its result. */
static void take_result(struct synth *s, const struct trials *t, struct synth_cell *result) {
  const struct synth_options *o = s->options;
  struct synth_refutation *refuted = ARENA_ARRAY(s->arena, struct synth_refutation, t->refuted.count + 1);
  for (size_t i = 0; i < t->refuted.count; i++) {
    const struct refuted *from = &t->refuted.at[i];
    refuted[i] = (struct synth_refutation){.cell = t->candidates[i],
                                           .price = o->price(o->context, t->candidates[i]),
                                           .program = &s->programs.at[from->bad].program,
                                           .order = from->order,
                                           .stuck = from->trial == TRIAL_STUCK};
  }
  result->refuted = refuted;
  result->refuted_count = t->refuted.count;
  result->found = t->found ? t->candidates[t->refuted.count] : NULL;
  result->price = t->found ? o->price(o->context, result->found) : -1;
  if (t->found || !s->result.complete) return;
  s->examples.count = 0;
  for (size_t i = 0; i < t->refuted.count; i++) synth_note_example(s, t->refuted.at[i].bad);
  result->smallest = common_example(s, result);
}

/* A cheaper cell takes its place. */
static void solve_one(struct synth *s) {
  const struct synth_options *o = s->options;
  struct synth_cell *result = s->result.cells;
  if (o->progress) o->progress(o->context, &o->keys[0], s->trials->count);
  read_runs(s, s->trials);
  if (!s->result.complete) return;
  take_result(s, s->trials, result);
  if (result->found && (result->price_before < 0 || result->price < result->price_before))
    s->mapping = mapping_with(s->arena, s->mapping, o->keys[0], result->found);
}

/* ---- what is done here ---- */

static void note_survivor(struct synth *s, struct trials *t, size_t run, const char *text) {
  if (!synth_has(s, text, TRIAL_SOUND) || (t->done && t->survivor < run)) return;
  t->done = true;
  t->survivor = run;
}

/* Is the sound candidate of a run cheaper than the cell that there was? */
static bool is_cheaper(struct synth *s, const struct trials *t) {
  const char *text = t->done ? run_text(s, t, t->survivor) : NULL;
  struct mapping_trial tried;
  size_t i = t->survivor * RUN;
  int64_t before = s->result.cells[0].price_before;
  while (text && synth_read_trial(s, &text, &tried) && tried.trial != TRIAL_SOUND) i++;
  return text && (before < 0 || s->options->price(s->options->context, t->candidates[i]) < before);
}

/* Runs after one that has a sound candidate are not needed, nor is the mapping as it was,
 * where the cell has a cheaper one. NULL: something is undecided. */
static const char *do_part(struct synth *s, uint64_t run) {
  struct trials *t = s->trials;
  if (run == t->runs) {
    const char *text = is_cheaper(s, t) ? "-" : synth_whole_text(s);
    return synth_has(s, text, TRIAL_UNDECIDED) ? NULL : text;
  }
  if (t->done && run > t->survivor) return "-";
  if (!take_seeds(s, t)) return NULL;
  const char *text = run_text(s, t, run);
  if (text) note_survivor(s, t, run, text);
  return text;
}

bool synth_do_parts(struct synth *s) {
  struct parts *parts = s->options->parts;
  uint64_t part;
  if (s->joint) return joint_do_parts(s);
  parts_set_total(parts, s->trials->runs + 1); /* and the mapping as it was */
  while (s->result.complete && parts_claim(parts, &part)) {
    const char *text = do_part(s, part);
    s->result.complete = text != NULL;
    if (text) parts_hand_in(parts, part, text);
  }
  return s->result.complete;
}

struct synth *synth_new(struct arena *arena, const struct synth_options *options) {
  struct synth *s =
      ARENA_MAKE(arena, struct synth, .arena = arena, .options = options, .mapping = options->target->mapping);
  s->result.complete = true;
  s->result.cell_count = options->key_count;
  s->result.cells = ARENA_ARRAY(arena, struct synth_cell, options->key_count + 1);
  for (size_t i = 0; i < options->family_count; i++) small_generate(&options->families[i], add_program, s);
  if (is_cancelled(options->verify.explore.cancel)) s->result.complete = false;
  sort_programs(s);
  for (size_t i = 0; i < options->key_count; i++) {
    struct synth_cell *cell = &s->result.cells[i];
    cell->key = options->keys[i];
    cell->before = mapping_find(s->mapping, cell->key);
    cell->price_before = cell->before ? options->price(options->context, cell->before) : -1;
  }
  if (options->key_count > 1)
    s->joint = joint_new(s);
  else
    list_trials(s);
  return s;
}

struct synth_result synth_finish(struct synth *s) {
  if (s->joint)
    joint_solve(s);
  else if (s->result.complete)
    solve_one(s);
  /* A cell that was found was tried on the same programs. */
  bool found = s->mapping != s->options->target->mapping;
  if (!s->joint) s->result.sound = s->result.complete && (found || synth_whole_is_sound(s, s->trials->runs));
  s->result.mapping = s->mapping;
  return s->result;
}
