/* SPDX-License-Identifier: MIT */
/* Counterexample-guided synthesis of mapping cells. The model is asked once about
 * each program; a candidate then only costs explorations of the machine. */
#include "checker/search/synth.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/compile.h"
#include "hwsem/machines/gpu.h"

/* A race-free program that has some of the operations. */
struct known_program {
  struct small_program program;
  struct outcomes allowed;
  unsigned cells; /* bit i: it has operation keys[i] */
};

typedef VEC(size_t) numbers;

enum trial { TRIAL_SOUND, TRIAL_UNSOUND, TRIAL_STUCK, TRIAL_UNDECIDED };

/* Why a candidate is none, by a program, in the mapping that there was. */
struct refuted {
  size_t bad;
  unsigned order;
  enum trial trial;
  size_t version;
};

/* A cell's candidates, the runs that they make, and what is known of them. */
struct trials {
  size_t cell;
  struct mapping_cell **candidates;
  size_t count, runs;
  uint64_t part;               /* the first run's */
  const char *first;           /* the first run's text, once it is there */
  numbers seeds;               /* the examples with which each run begins */
  numbers examples;            /* what the runs have left */
  bool seeded, done;           /* of the runs that are done here */
  size_t survivor;             /* `done`: the run that has a sound one */
  VEC(struct refuted) refuted; /* the first candidates, up to the one that was found */
  bool found;
  size_t version; /* `found`: the mapping's for which it is sound */
};

struct synth {
  struct arena *arena;
  const struct synth_options *options;
  const struct mapping *mapping;
  numbers changes;                    /* cells that it has anew, in order; as many is its version */
  VEC(struct known_program) programs; /* by size */
  struct trials *trials;              /* by cell */
  uint64_t part;                      /* behind all runs: the next step of the rounds */
  numbers examples;                   /* programs that have refuted something; the last to do so first */
  struct synth_result result;
};

/* ---- programs ---- */

static unsigned cells_of(const struct synth_options *o, const struct program *program) {
  unsigned cells = 0;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      struct mapping_key key;
      if (!compile_key(program, &program->threads[t].instrs[i], &key)) continue;
      for (size_t k = 0; k < o->key_count; k++)
        if (mapping_key_equal(key, o->keys[k])) cells |= 1u << k;
    }
  return cells;
}

static bool add_program(void *context, const struct small_program *program) {
  struct synth *s = context;
  const atomic_int *cancel = s->options->verify.explore.cancel;
  if (cancel && *cancel) return false;
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

/* ---- trials ---- */

static enum trial try_order(const struct synth_options *o, const struct mapping *mapping,
                            const struct small_program *program, const struct outcomes *allowed, unsigned order) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct diags diags = diags_new(arena);
  struct gpu_knobs knobs = *(const struct gpu_knobs *)o->target->settings;
  struct target target = *o->target;
  struct litmus_test *test = small_test(arena, program);
  struct verdict verdict = {.test = test, .model = o->model.name, .states = *allowed};
  struct verify_result result;
  knobs.write_back = order;
  target.settings = &knobs;
  target.mapping = mapping;
  verify_known(&target, test, &verdict, &o->verify, explorer, arena, &result, &diags);
  enum verify_answer answer = result.answer;
  explorer_free(explorer);
  arena_free(arena);
  return answer == VERIFY_SOUND      ? TRIAL_SOUND
         : answer == VERIFY_DEADLOCK ? TRIAL_STUCK
         : answer == VERIFY_UNSOUND  ? TRIAL_UNSOUND
                                     : TRIAL_UNDECIDED;
}

/* In both orders; `*order` is the first that does not do. */
static enum trial try_program(const struct synth_options *o, const struct mapping *mapping,
                              const struct known_program *p, unsigned *order) {
  for (*order = WRITE_BACK_FIFO; *order <= WRITE_BACK_ANY; ++*order) {
    enum trial trial = try_order(o, mapping, &p->program, &p->allowed, *order);
    if (trial != TRIAL_SOUND) return trial;
  }
  return TRIAL_SOUND;
}

bool synth_refutes(const struct synth_options *o, const struct mapping *mapping, const struct small_program *program,
                   unsigned order) {
  struct arena *arena = arena_new();
  struct judgement said;
  judge_program(&o->model, small_test(arena, program), &o->verify.model, arena, &said);
  enum trial trial =
      said.answer == JUDGE_DEFINED ? try_order(o, mapping, program, &said.outcomes, order) : TRIAL_UNDECIDED;
  arena_free(arena);
  return trial == TRIAL_UNSOUND || trial == TRIAL_STUCK;
}

/* A mapping on all programs that have one of some operations: the first that does not do. */
struct sweep {
  struct synth *synth;
  const struct mapping *mapping;
  unsigned cells;
  size_t bad;
  unsigned order;
  enum trial trial;
};

struct outcome_of_trial {
  enum trial trial;
  unsigned order;
};

static void *sweep_one(void *context, size_t index) {
  struct sweep *sweep = context;
  struct outcome_of_trial *outcome = calloc(1, sizeof *outcome);
  const struct known_program *p = &sweep->synth->programs.at[index];
  const atomic_int *cancel = sweep->synth->options->verify.explore.cancel;
  if (!outcome) return NULL;
  if (cancel && *cancel) outcome->trial = TRIAL_UNDECIDED;
  if (p->cells & sweep->cells && outcome->trial == TRIAL_SOUND)
    outcome->trial = try_program(sweep->synth->options, sweep->mapping, p, &outcome->order);
  return outcome;
}

static bool sweep_finish(void *context, size_t index, void *result) {
  struct sweep *sweep = context;
  struct outcome_of_trial *outcome = result;
  sweep->trial = outcome ? outcome->trial : TRIAL_UNDECIDED;
  sweep->order = outcome ? outcome->order : 0;
  sweep->bad = index;
  free(outcome);
  return sweep->trial == TRIAL_SOUND;
}

static void sweep_drop(void *context, void *result) {
  (void)context;
  free(result);
}

static enum trial sweep_all(struct sweep *sweep) {
  struct pool_jobs jobs = {.context = sweep, .work = sweep_one, .finish = sweep_finish, .drop = sweep_drop};
  pool_run(sweep->synth->programs.count, sweep->synth->options->workers, &jobs);
  return sweep->trial;
}

static void note_example(struct synth *s, size_t program) {
  size_t at = 0;
  while (at < s->examples.count && s->examples.at[at] != program) at++;
  if (at == s->examples.count) *vec_push(s->arena, &s->examples) = program;
  memmove(&s->examples.at[1], &s->examples.at[0], at * sizeof *s->examples.at);
  s->examples.at[0] = program;
}

/* A mapping on the programs that have the operations, first on those that have refuted
 * something. */
static void try_mapping(struct synth *s, struct sweep *sweep) {
  for (size_t i = 0; i < s->examples.count && sweep->trial == TRIAL_SOUND; i++) {
    sweep->bad = s->examples.at[i];
    const struct known_program *p = &s->programs.at[sweep->bad];
    if (p->cells & sweep->cells) sweep->trial = try_program(s->options, sweep->mapping, p, &sweep->order);
  }
  if (sweep->trial == TRIAL_SOUND) sweep_all(sweep);
}

static struct sweep try_candidate(struct synth *s, size_t cell, const struct mapping_cell *candidate) {
  struct arena *arena = arena_new();
  struct sweep sweep = {
      .synth = s, .cells = 1u << cell, .mapping = synth_with(arena, s->mapping, s->options->keys[cell], candidate)};
  try_mapping(s, &sweep);
  if (sweep.trial == TRIAL_UNSOUND || sweep.trial == TRIAL_STUCK) note_example(s, sweep.bad);
  arena_free(arena);
  return sweep;
}

/* ---- runs ---- */

enum { RUN = 512 };

/* What was found out of one candidate: `TRIAL PROGRAM ORDER;`. */
static void print_trial(const struct sweep *sweep, FILE *out) {
  fprintf(out, "%d %zu %u;", (int)sweep->trial, sweep->bad, sweep->order);
}

/* false: there is no other. */
static bool read_trial(const struct synth *s, const char **text, struct sweep *sweep) {
  int trial, used = 0;
  *sweep = (struct sweep){.synth = NULL};
  if (sscanf(*text, "%d %zu %u;%n", &trial, &sweep->bad, &sweep->order, &used) != 3 || !used) return false;
  sweep->trial = (enum trial)trial;
  *text += used;
  return sweep->bad < s->programs.count || sweep->trial == TRIAL_SOUND;
}

/* Tries a run's candidates, up to the first that is sound. */
static void do_run(struct synth *s, const struct trials *t, size_t run, struct text *text) {
  text_open(text);
  for (size_t i = run * RUN; i < t->count && i < (run + 1) * RUN; i++) {
    struct sweep sweep = try_candidate(s, t->cell, t->candidates[i]);
    print_trial(&sweep, text->out);
    if (sweep.trial == TRIAL_SOUND || sweep.trial == TRIAL_UNDECIDED) break;
  }
}

static bool is_undecided(const struct synth *s, const char *text) {
  struct sweep sweep;
  while (read_trial(s, &text, &sweep))
    if (sweep.trial == TRIAL_UNDECIDED) return true;
  return false;
}

static bool has_sound(const struct synth *s, const char *text) {
  struct sweep sweep;
  while (read_trial(s, &text, &sweep))
    if (sweep.trial == TRIAL_SOUND) return true;
  return false;
}

/* A run's text, done if it is not there; NULL: something is undecided. */
static const char *run_text(struct synth *s, const struct trials *t, size_t run) {
  const char *known = s->options->parts ? parts_text(s->options->parts, t->part + run) : NULL;
  struct text text;
  if (!known && run == 0) known = t->first;
  if (known) return known;
  s->examples.count = 0;
  for (size_t i = t->seeds.count; i > 0; i--) note_example(s, t->seeds.at[i - 1]);
  do_run(s, t, run, &text);
  known = text_keep(&text, s->arena);
  return is_undecided(s, known) ? NULL : known;
}

static void keep_examples(struct synth *s, numbers *to) {
  to->count = 0;
  for (size_t i = 0; i < s->examples.count; i++) *vec_push(s->arena, to) = s->examples.at[i];
}

/* The examples of a cell's first run are those with which all others begin. */
static bool take_seeds(struct synth *s, struct trials *t) {
  if (t->seeded) return true;
  const char *text = t->first = run_text(s, t, 0);
  struct sweep sweep;
  s->examples.count = 0;
  while (text && read_trial(s, &text, &sweep))
    if (sweep.trial != TRIAL_SOUND) note_example(s, sweep.bad);
  keep_examples(s, &t->seeds);
  t->seeded = t->first != NULL;
  return t->seeded;
}

/* Their runs are numbered from cell to cell. */
static void list_trials(struct synth *s) {
  uint64_t part = 0;
  s->trials = ARENA_ARRAY(s->arena, struct trials, s->options->key_count + 1);
  for (size_t i = 0; i < s->options->key_count; i++) {
    struct trials *t = &s->trials[i];
    *t = (struct trials){.cell = i, .part = part};
    t->candidates = synth_candidates(s->arena, s->options, s->options->keys[i], INT64_MAX, &t->count);
    t->runs = t->count ? (t->count + RUN - 1) / RUN : 1;
    part += t->runs;
  }
  s->part = part;
}

/* ---- cells ---- */

/* The smallest program that refutes every candidate. */
static const struct small_program *common_example(struct synth *s, struct synth_cell *result, size_t cell) {
  for (size_t i = 0; i < s->programs.count; i++) {
    bool all = result->refuted_count > 0, known = false;
    for (size_t k = 0; k < s->examples.count; k++) known |= s->examples.at[k] == i;
    for (size_t k = 0; known && all && k < result->refuted_count; k++) {
      struct arena *arena = arena_new();
      unsigned order;
      enum trial trial =
          try_program(s->options, synth_with(arena, s->mapping, s->options->keys[cell], result->refuted[k].cell),
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
    struct sweep sweep;
    s->result.complete &= text != NULL;
    if (text && parts && !parts_text(parts, t->part + run)) parts_hand_in_here(parts, t->part + run, text);
    size_t i = run * RUN, end = i + RUN < t->count ? i + RUN : t->count;
    for (; text && i < end && !t->found && read_trial(s, &text, &sweep); i++) {
      t->found = sweep.trial == TRIAL_SOUND;
      if (!t->found) *vec_push(s->arena, &t->refuted) = (struct refuted){sweep.bad, sweep.order, sweep.trial, 0};
    }
    s->result.complete &= t->found || i == end; /* a run that was left out counts for nothing */
  }
  s->examples.count = 0;
  for (size_t i = 0; i < t->refuted.count; i++) note_example(s, t->refuted.at[i].bad);
  keep_examples(s, &t->examples);
}

/* What is found of a cell becomes its result. */
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
  for (size_t i = 0; i < t->refuted.count; i++) note_example(s, t->refuted.at[i].bad);
  result->smallest = common_example(s, result, t->cell);
}

/* A cheaper cell takes its place. */
static void take_cell(struct synth *s, const struct trials *t, const struct synth_cell *result) {
  const struct synth_options *o = s->options;
  const struct mapping_cell *now = mapping_find(s->mapping, o->keys[t->cell]);
  int64_t price_now = now ? o->price(o->context, now) : -1;
  if (!result->found || (price_now >= 0 && result->price >= price_now)) return;
  s->mapping = synth_with(s->arena, s->mapping, o->keys[t->cell], result->found);
  *vec_push(s->arena, &s->changes) = t->cell;
}

/* ---- rounds ---- */

/* The other cells that the mapping has anew since it had a version. */
static unsigned changed_since(const struct synth *s, const struct trials *t, size_t version) {
  unsigned cells = 0;
  for (size_t i = version; i < s->changes.count; i++) cells |= 1u << s->changes.at[i];
  return cells & ~(1u << t->cell);
}

/* Its program refutes a candidate still where it has none of the cells that are new. */
static bool is_still_refuted(struct synth *s, struct trials *t, size_t candidate) {
  struct refuted *refuted = &t->refuted.at[candidate];
  const struct known_program *p = &s->programs.at[refuted->bad];
  if (!(p->cells & changed_since(s, t, refuted->version))) return true;
  struct arena *arena = arena_new();
  const struct mapping *mapping = synth_with(arena, s->mapping, s->options->keys[t->cell], t->candidates[candidate]);
  unsigned order;
  enum trial trial = try_program(s->options, mapping, p, &order);
  arena_free(arena);
  if (trial != TRIAL_UNSOUND && trial != TRIAL_STUCK) return false;
  *refuted = (struct refuted){refuted->bad, order, trial, s->changes.count};
  return true;
}

/* The first sound candidate in the mapping that there is now. */
static void try_again(struct synth *s, struct trials *t) {
  size_t found = t->found ? t->refuted.count : t->count;
  s->examples.count = 0;
  for (size_t i = t->examples.count; i > 0; i--) note_example(s, t->examples.at[i - 1]);
  t->found = t->found && !changed_since(s, t, t->version);
  for (size_t i = 0; i < t->count && s->result.complete; i++) {
    if (i < t->refuted.count && is_still_refuted(s, t, i)) continue;
    if (t->found && i == found) return;
    struct sweep sweep = try_candidate(s, t->cell, t->candidates[i]);
    if (sweep.trial == TRIAL_UNDECIDED) s->result.complete = false;
    t->found = sweep.trial == TRIAL_SOUND;
    if (t->found) t->refuted.count = i;
    if (t->found) t->version = s->changes.count;
    if (t->found) return;
    if (i == t->refuted.count) vec_push(s->arena, &t->refuted);
    t->refuted.at[i] = (struct refuted){sweep.bad, sweep.order, sweep.trial, s->changes.count};
  }
}

static void print_trials(const struct trials *t, FILE *out) {
  for (size_t i = 0; i < t->refuted.count; i++) {
    const struct refuted *from = &t->refuted.at[i];
    print_trial(&(struct sweep){.trial = from->trial, .bad = from->bad, .order = from->order}, out);
  }
  if (t->found) print_trial(&(struct sweep){.trial = TRIAL_SOUND}, out);
}

static void read_trials(struct synth *s, struct trials *t, const char *text) {
  struct sweep sweep;
  t->refuted.count = 0;
  t->found = false;
  while (!t->found && t->refuted.count < t->count && read_trial(s, &text, &sweep)) {
    t->found = sweep.trial == TRIAL_SOUND;
    t->version = s->changes.count;
    if (!t->found)
      *vec_push(s->arena, &t->refuted) = (struct refuted){sweep.bad, sweep.order, sweep.trial, s->changes.count};
  }
}

/* A step of the rounds: a part of its own, behind all runs, so that a journal has it. */
static void do_step(struct synth *s, struct trials *t) {
  struct parts *parts = s->options->parts;
  uint64_t part = s->part++;
  const char *known = parts ? parts_text(parts, part) : NULL;
  struct text text;
  if (known) {
    read_trials(s, t, known);
    return;
  }
  try_again(s, t);
  if (!parts || !s->result.complete) return;
  text_open(&text);
  print_trials(t, text.out);
  parts_hand_in_here(parts, part, text_keep(&text, s->arena));
}

/* Until no cell changes: the mapping of the last round is that of all its refutations. */
static void solve_rounds(struct synth *s) {
  size_t version;
  bool missing = false;
  do {
    version = s->changes.count;
    for (size_t i = 0; i < s->options->key_count && s->result.complete; i++) {
      struct trials *t = &s->trials[i];
      do_step(s, t);
      take_result(s, t, &s->result.cells[i]);
      missing |= !t->found;
      take_cell(s, t, &s->result.cells[i]);
    }
  } while (s->changes.count != version && s->result.complete && !missing);
}

/* All cells in the mapping as it was, then in what they make of it. */
static void solve_all(struct synth *s) {
  const struct synth_options *o = s->options;
  for (size_t i = 0; i < o->key_count && s->result.complete; i++) {
    if (o->progress) o->progress(o->context, &o->keys[i], s->trials[i].count);
    read_runs(s, &s->trials[i]);
  }
  if (o->key_count > 1) {
    solve_rounds(s);
  } else if (s->result.complete) {
    take_result(s, &s->trials[0], &s->result.cells[0]);
    take_cell(s, &s->trials[0], &s->result.cells[0]);
  }
}

/* ---- the whole mapping ---- */

/* The mapping that there is now on all programs. */
static const char *whole_text(struct synth *s) {
  struct sweep whole = {.synth = s, .mapping = s->mapping, .cells = ~0u};
  struct text text;
  s->examples.count = 0;
  try_mapping(s, &whole);
  text_open(&text);
  print_trial(&whole, text.out);
  return text_keep(&text, s->arena);
}

/* Is it sound?  A cell found for the only operation was tried on the same programs. */
static bool whole_is_sound(struct synth *s) {
  struct parts *parts = s->options->parts;
  bool one = s->options->key_count == 1;
  if (one && s->mapping != s->options->target->mapping) return true;
  uint64_t part = s->part++;
  const char *known = parts ? parts_text(parts, part) : NULL, *text = known ? known : whole_text(s);
  if (is_undecided(s, text)) s->result.complete = false;
  if (parts && !known && s->result.complete) parts_hand_in_here(parts, part, text);
  return s->result.complete && has_sound(s, text);
}

/* ---- what is done here ---- */

static void note_survivor(struct synth *s, struct trials *t, size_t run, const char *text) {
  if (!has_sound(s, text) || (t->done && t->survivor < run)) return;
  t->done = true;
  t->survivor = run;
}

/* Is the sound candidate of a run cheaper than the cell that there was? */
static bool is_cheaper(struct synth *s, const struct trials *t) {
  const char *text = t->done ? run_text(s, t, t->survivor) : NULL;
  struct sweep sweep;
  size_t i = t->survivor * RUN;
  int64_t before = s->result.cells[t->cell].price_before;
  while (text && read_trial(s, &text, &sweep) && sweep.trial != TRIAL_SOUND) i++;
  return text && (before < 0 || s->options->price(s->options->context, t->candidates[i]) < before);
}

/* Runs behind one that has a sound candidate are not needed, nor is the mapping as it was,
 * where the only cell has a cheaper one. NULL: something is undecided. */
static const char *do_part(struct synth *s, uint64_t part) {
  struct trials *t = &s->trials[s->options->key_count - 1];
  if (part == t->part + t->runs) {
    const char *text = is_cheaper(s, t) ? "-" : whole_text(s);
    return is_undecided(s, text) ? NULL : text;
  }
  while (t->part > part) t--;
  size_t run = part - t->part;
  if (t->done && run > t->survivor) return "-";
  if (!take_seeds(s, t)) return NULL;
  const char *text = run_text(s, t, run);
  if (text) note_survivor(s, t, run, text);
  return text;
}

bool synth_do_parts(struct synth *s) {
  struct parts *parts = s->options->parts;
  uint64_t part;
  /* What one cell leaves of the mapping depends on nothing else. */
  parts_set_total(parts, s->part + (s->options->key_count == 1));
  while (s->result.complete && parts_claim(parts, &part)) {
    const char *text = do_part(s, part);
    s->result.complete = text != NULL;
    if (text) parts_hand_in(parts, part, text);
  }
  return s->result.complete;
}

struct synth *synth_new(struct arena *arena, const struct synth_options *options) {
  struct synth *s = ARENA_NEW(arena, struct synth);
  *s = (struct synth){.arena = arena, .options = options, .mapping = options->target->mapping};
  s->result.complete = true;
  s->result.cell_count = options->key_count;
  s->result.cells = ARENA_ARRAY(arena, struct synth_cell, options->key_count + 1);
  for (size_t i = 0; i < options->family_count; i++) small_generate(&options->families[i], add_program, s);
  const atomic_int *cancel = options->verify.explore.cancel;
  if (cancel && *cancel) s->result.complete = false;
  sort_programs(s);
  list_trials(s);
  for (size_t i = 0; i < options->key_count; i++) {
    struct synth_cell *cell = &s->result.cells[i];
    cell->key = options->keys[i];
    cell->before = mapping_find(s->mapping, cell->key);
    cell->price_before = cell->before ? options->price(options->context, cell->before) : -1;
  }
  return s;
}

struct synth_result synth_finish(struct synth *s) {
  if (s->result.complete) solve_all(s);
  s->result.sound = s->result.complete && whole_is_sound(s);
  s->result.mapping = s->mapping;
  return s->result;
}
