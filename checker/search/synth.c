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

struct synth {
  struct arena *arena;
  const struct synth_options *options;
  const struct mapping *mapping;
  VEC(struct known_program) programs; /* by size */
  uint64_t part;                      /* the next run's */
  VEC(size_t) examples;               /* programs that have refuted something; the last to do so first */
  VEC(size_t) seeds;                  /* the examples with which each run begins */
  struct synth_result result;
};

/* ---- candidates ---- */

struct listing {
  struct arena *arena;
  const struct synth_options *options;
  struct mapping_key key;
  int64_t below;
  struct mapping_step steps[SYNTH_STEPS];
  unsigned count;
  VEC(struct mapping_cell *) cells;
  VEC(int64_t) prices;
};

static struct mapping_cell *make_cell(struct arena *arena, struct mapping_key key, const struct mapping_step *steps,
                                      unsigned count) {
  struct mapping_cell *cell = ARENA_NEW(arena, struct mapping_cell);
  *cell = (struct mapping_cell){.kind = key.kind,
                                .scopes = 1u << key.scope,
                                .orders = 1u << key.order,
                                .remotes = 1u << key.remote,
                                .regions = REGION_GLOBAL,
                                .step_count = count};
  cell->steps = ARENA_ARRAY(arena, struct mapping_step, count);
  memcpy(cell->steps, steps, count * sizeof *steps);
  return cell;
}

static void keep_candidate(struct listing *l, const struct mapping_step *steps, unsigned count) {
  struct mapping_cell probe = {
      .kind = l->key.kind, .step_count = count, .steps = (struct mapping_step *)(uintptr_t)steps};
  int64_t price = l->options->price(l->options->context, &probe);
  if (price < 0 || price >= l->below) return;
  *vec_push(l->arena, &l->cells) = make_cell(l->arena, l->key, steps, count);
  *vec_push(l->arena, &l->prices) = price;
}

static bool is_lock(enum hw_op op) {
  return op == HW_LOCK_LINE || op == HW_LOCK_RMW;
}

/* Does each lock of a run end in it? */
static bool is_balanced(const struct mapping_step *steps, unsigned from, unsigned to) {
  int open = 0;
  for (unsigned i = from; i < to && open >= 0; i++)
    open += is_lock(steps[i].op) ? 1 : steps[i].op == HW_UNLOCK_LINE || steps[i].op == HW_UNLOCK_RMW ? -1 : 0;
  return open == 0;
}

/* The sequence without locks, and with one of either kind or both around each of
 * its runs, in either order; `used`: steps so far, a lock counted as one. */
static void add_locks(struct listing *l, const struct mapping_step *steps, unsigned count, unsigned used,
                      unsigned kind) {
  static const struct mapping_step LOCKS[][2] = {
      {{.op = HW_LOCK_LINE}, {.op = HW_UNLOCK_LINE}},
      {{.op = HW_LOCK_RMW, .target = TARGET_DEV}, {.op = HW_UNLOCK_RMW, .target = TARGET_DEV}}};
  if (kind == 2) {
    keep_candidate(l, steps, count);
    return;
  }
  add_locks(l, steps, count, used, kind + 1);
  if (used == l->options->steps) return;
  for (unsigned from = 0; from < count; from++)
    for (unsigned to = from + 1; to <= count; to++) {
      struct mapping_step wrapped[SYNTH_STEPS + 2];
      if (!is_balanced(steps, from, to)) continue;
      memcpy(wrapped, steps, from * sizeof *steps);
      wrapped[from] = LOCKS[kind][0];
      memcpy(wrapped + from + 1, steps + from, (to - from) * sizeof *steps);
      wrapped[to + 1] = LOCKS[kind][1];
      memcpy(wrapped + to + 2, steps + to, (count - to) * sizeof *steps);
      add_locks(l, wrapped, count + 2, used + 1, kind + 1);
    }
}

static void extend(struct listing *l, bool accessed) {
  static const struct mapping_step CACHE_STEPS[] = {{.op = HW_FLU, .target = TARGET_WG},
                                                    {.op = HW_FLU, .target = TARGET_DEV},
                                                    {.op = HW_INV, .target = TARGET_WG},
                                                    {.op = HW_INV, .target = TARGET_DEV}};
  static const enum hw_op ACCESSES[] = {HW_LD, HW_ST, HW_RMW};
  if (accessed) add_locks(l, l->steps, l->count, l->count, 0);
  if (l->count == l->options->steps) return;
  enum hw_level last = l->key.kind == MAP_LOAD ? LEVEL_L1 : LEVEL_L2;
  for (enum hw_level level = LEVEL_L1; !accessed && level <= last; level++) {
    l->steps[l->count++] = (struct mapping_step){.op = ACCESSES[l->key.kind], .level = level};
    extend(l, true);
    l->count--;
  }
  /* Room for the access must be left. */
  if (!accessed && l->count + 1 == l->options->steps) return;
  for (unsigned i = 0; i < sizeof CACHE_STEPS / sizeof *CACHE_STEPS; i++) {
    l->steps[l->count++] = CACHE_STEPS[i];
    extend(l, accessed);
    l->count--;
  }
}

static int by_price(const void *a, const void *b, void *context) {
  const struct listing *l = context;
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  if (l->prices.at[x] != l->prices.at[y]) return l->prices.at[x] < l->prices.at[y] ? -1 : 1;
  unsigned m = l->cells.at[x]->step_count, n = l->cells.at[y]->step_count;
  return m != n ? (m < n ? -1 : 1) : x < y ? -1 : 1;
}

struct mapping_cell **synth_candidates(struct arena *arena, const struct synth_options *options, struct mapping_key key,
                                       int64_t below, size_t *count) {
  struct listing l = {.arena = arena, .options = options, .key = key, .below = below};
  extend(&l, false);
  size_t *order = ARENA_ARRAY(arena, size_t, l.cells.count + 1);
  for (size_t i = 0; i < l.cells.count; i++) order[i] = i;
  qsort_r(order, l.cells.count, sizeof *order, by_price, &l);
  struct mapping_cell **sorted = ARENA_ARRAY(arena, struct mapping_cell *, l.cells.count + 1);
  for (size_t i = 0; i < l.cells.count; i++) sorted[i] = l.cells.at[order[i]];
  *count = l.cells.count;
  return sorted;
}

const struct mapping *synth_with(struct arena *arena, const struct mapping *mapping, struct mapping_key key,
                                 const struct mapping_cell *cell) {
  struct mapping *copy = ARENA_NEW(arena, struct mapping);
  *copy = *mapping;
  copy->cells = ARENA_ARRAY(arena, struct mapping_cell, mapping->cell_count + 1);
  copy->cells[0] = *cell;
  copy->cells[0].scopes = 1u << key.scope;
  copy->cells[0].orders = 1u << key.order;
  copy->cells[0].remotes = 1u << key.remote;
  copy->cells[0].regions = REGION_GLOBAL;
  memcpy(copy->cells + 1, mapping->cells, mapping->cell_count * sizeof *copy->cells);
  copy->cell_count++;
  return copy;
}

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

enum trial { TRIAL_SOUND, TRIAL_UNSOUND, TRIAL_STUCK, TRIAL_UNDECIDED };

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

/* A cell's candidates, and the runs that they make. */
struct trials {
  size_t cell;
  struct mapping_cell **candidates;
  size_t count, runs;
  const char *first; /* the first run's text, once it is there */
};

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

/* A run's text, the part of this number, done if it is not there; NULL: something is undecided. */
static const char *run_text(struct synth *s, const struct trials *t, size_t run, uint64_t part) {
  const char *known = s->options->parts ? parts_text(s->options->parts, part) : NULL;
  struct text text;
  if (!known && run == 0) known = t->first;
  if (known) return known;
  s->examples.count = 0;
  for (size_t i = s->seeds.count; i > 0; i--) note_example(s, s->seeds.at[i - 1]);
  do_run(s, t, run, &text);
  known = text_keep(&text, s->arena);
  return is_undecided(s, known) ? NULL : known;
}

/* The examples of a cell's first run are those with which all others begin. */
static bool take_seeds(struct synth *s, struct trials *t, uint64_t part) {
  s->seeds.count = 0;
  const char *text = t->first = run_text(s, t, 0, part);
  struct sweep sweep;
  s->examples.count = 0;
  while (text && read_trial(s, &text, &sweep))
    if (sweep.trial != TRIAL_SOUND) note_example(s, sweep.bad);
  for (size_t i = 0; i < s->examples.count; i++) *vec_push(s->arena, &s->seeds) = s->examples.at[i];
  return t->first != NULL;
}

static struct trials trials_of(struct synth *s, size_t cell) {
  struct trials t = {.cell = cell};
  t.candidates = synth_candidates(s->arena, s->options, s->options->keys[cell], INT64_MAX, &t.count);
  t.runs = t.count ? (t.count + RUN - 1) / RUN : 1;
  return t;
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

static struct synth_refutation refutation_of(const struct synth *s, const struct mapping_cell *candidate,
                                             const struct sweep *sweep) {
  return (struct synth_refutation){.cell = candidate,
                                   .price = s->options->price(s->options->context, candidate),
                                   .program = &s->programs.at[sweep->bad].program,
                                   .order = sweep->order,
                                   .stuck = sweep->trial == TRIAL_STUCK};
}

/* The runs of a cell, the parts from s->part on, up to the first sound candidate. */
static void read_runs(struct synth *s, struct trials *t, struct synth_cell *result) {
  struct parts *parts = s->options->parts;
  VEC(struct synth_refutation) refuted = {0};
  VEC(size_t) examples = {0};
  s->result.complete &= take_seeds(s, t, s->part);
  for (size_t run = 0; run < t->runs && s->result.complete && !result->found; run++, s->part++) {
    const char *text = run_text(s, t, run, s->part);
    struct sweep sweep;
    s->result.complete &= text != NULL;
    if (text && parts && !parts_text(parts, s->part)) parts_hand_in(parts, s->part, text);
    size_t i = run * RUN, end = i + RUN < t->count ? i + RUN : t->count;
    for (; text && i < end && read_trial(s, &text, &sweep); i++) {
      if (sweep.trial == TRIAL_SOUND) result->found = t->candidates[i];
      if (sweep.trial == TRIAL_SOUND) break;
      *vec_push(s->arena, &refuted) = refutation_of(s, t->candidates[i], &sweep);
      *vec_push(s->arena, &examples) = sweep.bad;
    }
    s->result.complete &= result->found || i == end; /* a run that was left out counts for nothing */
  }
  s->examples.count = 0;
  for (size_t i = 0; i < examples.count; i++) note_example(s, examples.at[i]);
  result->refuted = refuted.at;
  result->refuted_count = refuted.count;
}

/* Finds the cheapest sound candidate, the other cells as they are. */
static void solve_cell(struct synth *s, size_t cell, struct synth_cell *result) {
  const struct synth_options *o = s->options;
  struct trials t = trials_of(s, cell);
  const struct mapping_cell *now = mapping_find(s->mapping, o->keys[cell]);
  if (o->progress) o->progress(o->context, &o->keys[cell], t.count);
  result->found = NULL;
  read_runs(s, &t, result);
  result->price = result->found ? o->price(o->context, result->found) : -1;
  if (!result->found && s->result.complete) result->smallest = common_example(s, result, cell);
  int64_t price_now = now ? o->price(o->context, now) : -1;
  if (result->found && (price_now < 0 || result->price < price_now))
    s->mapping = synth_with(s->arena, s->mapping, o->keys[cell], result->found);
}

/* Until no cell changes: the mapping of the last round is that of all its refutations.
 * What is found of one cell alone does not depend on what it was. */
static void solve_all(struct synth *s) {
  const struct mapping *before;
  bool missing = false;
  do {
    before = s->mapping;
    for (size_t i = 0; i < s->options->key_count && s->result.complete; i++) {
      solve_cell(s, i, &s->result.cells[i]);
      missing |= !s->result.cells[i].found;
    }
  } while (s->mapping != before && s->options->key_count > 1 && s->result.complete && !missing);
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
  uint64_t part = one ? trials_of(s, 0).runs : s->part++;
  const char *known = parts ? parts_text(parts, part) : NULL, *text = known ? known : whole_text(s);
  if (is_undecided(s, text)) s->result.complete = false;
  if (parts && !known && s->result.complete) parts_hand_in(parts, part, text);
  return s->result.complete && has_sound(s, text);
}

/* What this process does of the only cell: runs behind one that has a sound candidate are not
 * needed, nor is the mapping as it was, where that candidate is cheaper. */
struct doing {
  struct trials trials;
  bool seeded, found, cheaper;
  size_t survivor; /* `found`: the run that has it */
};

static void note_survivor(struct synth *s, struct doing *d, size_t run, const char *text) {
  struct sweep sweep;
  size_t i = run * RUN;
  if (!has_sound(s, text) || (d->found && d->survivor < run)) return;
  while (read_trial(s, &text, &sweep) && sweep.trial != TRIAL_SOUND) i++;
  int64_t before = s->result.cells[0].price_before;
  d->found = true;
  d->survivor = run;
  d->cheaper = before < 0 || s->options->price(s->options->context, d->trials.candidates[i]) < before;
}

/* NULL: something is undecided. */
static const char *do_part(struct synth *s, struct doing *d, uint64_t part) {
  if (part == d->trials.runs) {
    const char *text = d->cheaper ? "-" : whole_text(s);
    return is_undecided(s, text) ? NULL : text;
  }
  if (d->found && part > d->survivor) return "-";
  if (!d->seeded && !take_seeds(s, &d->trials, 0)) return NULL;
  d->seeded = true;
  const char *text = run_text(s, &d->trials, part, part);
  if (text) note_survivor(s, d, part, text);
  return text;
}

bool synth_do_parts(struct synth *s) {
  struct parts *parts = s->options->parts;
  struct doing d = {.trials = trials_of(s, 0)};
  uint64_t part;
  parts_set_total(parts, d.trials.runs + 1);
  while (s->result.complete && parts_claim(parts, &part)) {
    const char *text = do_part(s, &d, part);
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
  if (s->options->parts && s->options->key_count > 1 && s->result.complete) parts_set_total(s->options->parts, s->part);
  s->result.mapping = s->mapping;
  return s->result;
}
