/* SPDX-License-Identifier: MIT */
/* The cheapest choice of several cells at once.  A conflict refutes a choice where for
 * each operation that it uses the candidate is within its pattern; so one of a choice's
 * candidates has to be outside. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/program_search/cell_pattern.h"
#include "checker/program_search/cheapest_choice.h"
#include "checker/program_search/synth_internal.h"

/* An operation's candidates. */
struct domain {
  const struct mapping_cell **cells; /* by price */
  size_t count;
};

struct joint {
  struct arena *arena;
  const struct synth_options *options;
  struct domain *domains;
  VEC(struct synth_conflict) conflicts;
  unsigned among;         /* the operations that are chosen for */
  struct choices choices; /* of their candidates, one place for each */
  uint64_t part;          /* the next step after the divided parts */
};

/* ---- candidates ---- */

static bool is_same_step(struct mapping_step a, struct mapping_step b) {
  bool has_target = a.op == HW_FLU || a.op == HW_INV || a.op == HW_LOCK_RMW;
  return a.op == b.op && a.posted == b.posted && (!has_target || a.target == b.target) &&
         (a.level == b.level || !(hw_is_access(a.op) || a.op == HW_FLU || a.op == HW_INV));
}

static bool is_same(const struct mapping_cell *a, const struct mapping_cell *b) {
  bool same = a->step_count == b->step_count;
  for (unsigned i = 0; i < a->step_count && same; i++) same = is_same_step(a->steps[i], b->steps[i]);
  return same;
}

const struct mapping_cell **synth_domain(struct arena *arena, const struct synth_options *o, size_t key,
                                         size_t *count) {
  struct mapping_cell **candidates = synth_candidates(arena, o, o->keys[key], count);
  const struct mapping_cell *before = mapping_find(o->target->mapping, o->keys[key]);
  const struct mapping_cell **cells = ARENA_ARRAY(arena, const struct mapping_cell *, *count + 1);
  int64_t price = before ? o->price(o->context, before) : -1;
  size_t at = 0, same = 0;
  while (at < *count && o->price(o->context, candidates[at]) < price) at++;
  for (same = at; same < *count && before && !is_same(before, candidates[same]);) same++;
  for (size_t i = 0; i < *count; i++) cells[i] = candidates[i];
  if (same == *count || !before) return cells;
  memmove(&cells[at + 1], &cells[at], (same - at) * sizeof *cells);
  cells[at] = before;
  return cells;
}

/* Begins to choose for some operations, with no conflict known. */
static void choose_for(struct joint *j, unsigned among) {
  const struct synth_options *o = j->options;
  unsigned place = 0;
  j->conflicts.count = 0;
  j->among = among;
  j->choices = (struct choices){.arena = j->arena, .place_count = (size_t)__builtin_popcount(among)};
  for (size_t i = 0; i < o->key_count; i++) {
    if (!(among >> i & 1)) continue;
    const struct domain *d = &j->domains[i];
    for (size_t k = 0; k < d->count; k++)
      choices_add_form(&j->choices, place, o->weights[i] * o->price(o->context, d->cells[k]), false);
    place++;
  }
}

static struct joint joint_of(struct arena *arena, const struct synth_options *o) {
  struct joint j = {.arena = arena, .options = o, .part = o->key_count};
  j.domains = ARENA_ARRAY(arena, struct domain, o->key_count);
  for (size_t i = 0; i < o->key_count; i++) j.domains[i].cells = synth_domain(arena, o, i, &j.domains[i].count);
  choose_for(&j, (1u << o->key_count) - 1);
  return j;
}

struct joint *joint_new(struct synth *s) {
  struct joint *j = ARENA_NEW(s->arena, struct joint);
  *j = joint_of(s->arena, s->options);
  return j;
}

/* ---- the cheapest choice ---- */

static bool is_within(const struct synth_conflict *conflict, size_t key, const struct mapping_cell *cell) {
  const struct mapping_cell *pattern = conflict->patterns[key];
  return !pattern || is_same(pattern, cell) || (!conflict->stuck && pattern_covers(pattern, cell));
}

/* It uses no other operations than are chosen for. */
static void learn(struct joint *j, struct synth_conflict conflict) {
  struct arena *arena = arena_new();
  bool *outside = ARENA_RAW(arena, bool, j->choices.forms.count + 1);
  size_t form = 0;
  for (size_t i = 0; i < j->options->key_count; i++)
    for (size_t k = 0; j->among >> i & 1 && k < j->domains[i].count; k++)
      outside[form++] = !is_within(&conflict, i, j->domains[i].cells[k]);
  choices_add_set(&j->choices, outside);
  arena_free(arena);
  *vec_push(j->arena, &j->conflicts) = conflict;
}

/* Its price; -1: there is none. */
static int64_t cheapest(const struct joint *j, const struct mapping_cell **choice) {
  unsigned chosen[SYNTH_CELLS] = {0}, place = 0;
  int64_t price = choices_cheapest(&j->choices, chosen).price;
  for (size_t i = 0; i < j->options->key_count && price >= 0; i++)
    if (j->among >> i & 1) choice[i] = j->domains[i].cells[chosen[place++]];
  return price;
}

int64_t synth_least(const struct synth_options *o, const struct synth_conflict *conflicts, size_t count,
                    struct arena *arena, const struct mapping_cell **choice) {
  struct joint j = joint_of(arena, o);
  for (size_t i = 0; i < count; i++) learn(&j, conflicts[i]);
  return cheapest(&j, choice);
}

/* ---- from programs to conflicts ---- */

static const struct mapping *with_cells(struct arena *arena, const struct synth_options *o,
                                        const struct mapping_cell *const *cells) {
  const struct mapping *mapping = o->target->mapping;
  for (size_t i = 0; i < o->key_count; i++)
    if (cells[i]) mapping = mapping_with(arena, mapping, o->keys[i], cells[i]);
  return mapping;
}

bool synth_is_conflict(const struct synth_options *o, const struct synth_conflict *conflict) {
  struct arena *arena = arena_new();
  enum trial trial = synth_ask(o, with_cells(arena, o, conflict->patterns), conflict->program, conflict->order);
  arena_free(arena);
  return trial == (conflict->stuck ? TRIAL_STUCK : TRIAL_UNSOUND);
}

/* A conflict that is made stronger in one of its cells. */
struct strengthening {
  const struct synth_options *options;
  const struct known_program *program;
  struct synth_conflict *conflict;
  size_t key;
};

static bool still_refutes(void *context, const struct mapping_cell *pattern) {
  struct strengthening *s = context;
  struct arena *arena = arena_new();
  const struct mapping_cell *now = s->conflict->patterns[s->key];
  s->conflict->patterns[s->key] = pattern;
  enum trial trial = synth_try_order(s->options, with_cells(arena, s->options, s->conflict->patterns),
                                     &s->program->program, &s->program->allowed, s->conflict->order);
  s->conflict->patterns[s->key] = now;
  arena_free(arena);
  return trial == TRIAL_UNSOUND;
}

static struct synth_conflict conflict_of(struct synth *s, const struct mapping_trial *trial,
                                         const struct mapping_cell *const *choice) {
  const struct synth_options *o = s->options;
  const struct known_program *p = &s->programs.at[trial->bad];
  struct synth_conflict conflict = {
      .program = &p->program, .order = trial->order, .stuck = trial->trial == TRIAL_STUCK};
  for (size_t i = 0; i < o->key_count; i++)
    if (p->cells >> i & 1) conflict.patterns[i] = choice[i];
  for (size_t i = 0; i < o->key_count && !conflict.stuck; i++) {
    if (!conflict.patterns[i]) continue;
    struct strengthening more = {o, p, &conflict, i};
    conflict.patterns[i] = pattern_strengthen(s->arena, conflict.patterns[i], o->steps - 1, still_refutes, &more);
  }
  return conflict;
}

/* ---- steps ---- */

/* `TRIAL PROGRAM ORDER;`, then of a conflict each pattern and a semicolon... */
static void print_step(const struct synth *s, const struct mapping_trial *trial, const struct synth_conflict *conflict,
                       FILE *out) {
  synth_print_trial(trial, out);
  for (size_t i = 0; i < s->options->key_count && conflict; i++) {
    if (conflict->patterns[i]) mapping_cell_print(conflict->patterns[i], out);
    fputc('\t', out);
  }
  fputc('\n', out);
}

/* false: it is no step. */
static bool read_step(struct synth *s, const char **text, struct mapping_trial *trial,
                      struct synth_conflict *conflict) {
  if (!synth_read_trial(s, text, trial)) return false;
  *conflict = (struct synth_conflict){.order = trial->order, .stuck = trial->trial == TRIAL_STUCK};
  if (trial->trial != TRIAL_SOUND) conflict->program = &s->programs.at[trial->bad].program;
  for (size_t i = 0; i < s->options->key_count && trial->trial != TRIAL_SOUND; i++) {
    size_t length = strcspn(*text, "\t\n");
    if ((*text)[length] != '\t') return false;
    if (length)
      conflict->patterns[i] = pattern_parse(s->arena, arena_strndup(s->arena, *text, length), s->options->keys[i].kind);
    if (length && !conflict->patterns[i]) return false;
    *text += length + 1;
  }
  *text += **text == '\n';
  return true;
}

static void add_conflict(struct synth *s, const struct mapping_trial *trial, struct synth_conflict conflict) {
  learn(s->joint, conflict);
  synth_note_example(s, trial->bad);
}

/* Tries a choice on the programs that have none of the operations `without`, and learns
 * from what refutes it.  The step is printed to `out`. */
static enum trial try_choice(struct synth *s, const struct mapping_cell *const *choice, unsigned without, FILE *out) {
  struct arena *arena = arena_new();
  struct mapping_trial trial = {
      .synth = s, .mapping = with_cells(arena, s->options, choice), .cells = ~0u, .without = without};
  struct synth_conflict conflict;
  synth_try_mapping(s, &trial);
  bool refuted = trial.trial == TRIAL_UNSOUND || trial.trial == TRIAL_STUCK;
  if (refuted) {
    conflict = conflict_of(s, &trial, choice);
    add_conflict(s, &trial, conflict);
  }
  print_step(s, &trial, refuted ? &conflict : NULL, out);
  if (trial.trial == TRIAL_UNDECIDED) s->result.complete = false;
  arena_free(arena);
  return trial.trial;
}

/* ---- parts ---- */

static void begin(struct synth *s, unsigned among) {
  choose_for(s->joint, among);
  s->examples.count = 0;
}

/* The conflicts of one operation alone: a part's text; NULL: something is undecided. */
static const char *alone_text(struct synth *s, unsigned key) {
  const struct mapping_cell *choice[SYNTH_CELLS] = {NULL};
  const unsigned others = ~(1u << key);
  struct text text = text_new();
  begin(s, ~others);
  while (s->result.complete && cheapest(s->joint, choice) >= 0)
    if (try_choice(s, choice, others, text.out) == TRIAL_SOUND) break;
  const char *kept = text_keep(&text, s->arena);
  return s->result.complete ? kept : NULL;
}

bool joint_do_parts(struct synth *s) {
  struct parts *parts = s->options->parts;
  uint64_t part;
  parts_set_total(parts, s->options->key_count);
  while (s->result.complete && parts_claim(parts, &part)) {
    const char *text = alone_text(s, (unsigned)part);
    if (text) parts_hand_in(parts, part, text);
  }
  return s->result.complete;
}

/* All that is known of the operations alone. */
static void take_parts(struct synth *s) {
  struct parts *parts = s->options->parts;
  struct joint *j = s->joint;
  const struct synth_options *o = s->options;
  const char **texts = ARENA_ARRAY(s->arena, const char *, o->key_count);
  for (unsigned i = 0; i < o->key_count && s->result.complete; i++) {
    if (o->progress) o->progress(o->context, &o->keys[i], j->domains[i].count);
    texts[i] = parts_text(parts, i);
    if (texts[i]) continue;
    texts[i] = alone_text(s, i);
    if (texts[i]) parts_hand_in_here(parts, i, texts[i], false);
  }
  begin(s, (1u << o->key_count) - 1);
  for (size_t i = 0; i < o->key_count && s->result.complete; i++) {
    struct mapping_trial trial;
    struct synth_conflict conflict;
    const char *text = texts[i];
    while (read_step(s, &text, &trial, &conflict) && trial.trial != TRIAL_SOUND) add_conflict(s, &trial, conflict);
  }
}

/* One step, known or done now; a step is a part of its own, so that a journal has it. */
static enum trial do_step(struct synth *s, const struct mapping_cell *const *choice) {
  struct parts *parts = s->options->parts;
  uint64_t part = s->joint->part++;
  const char *known = parts_text(parts, part);
  struct mapping_trial trial = {.trial = TRIAL_UNDECIDED};
  struct synth_conflict conflict;
  if (known) {
    s->result.complete &= read_step(s, &known, &trial, &conflict);
    if (s->result.complete && trial.trial != TRIAL_SOUND) add_conflict(s, &trial, conflict);
    return trial.trial;
  }
  enum trial said;
  const char *kept = TEXT_PRINTED(s->arena, out, said = try_choice(s, choice, 0, out));
  if (s->result.complete) parts_hand_in_here(parts, part, kept, false);
  return said;
}

/* ---- results ---- */

/* Where no choice is sound: of each operation the smallest program that refutes all of its candidates. */
static void find_hopeless(struct synth *s) {
  struct joint *j = s->joint;
  for (size_t i = 0; i < s->options->key_count; i++) {
    const struct domain *d = &j->domains[i];
    for (size_t n = 0; n < j->conflicts.count; n++) {
      bool all = j->conflicts.at[n].patterns[i] != NULL;
      for (size_t k = 0; k < s->options->key_count; k++) all &= k == i || !j->conflicts.at[n].patterns[k];
      for (size_t k = 0; k < d->count && all; k++) all = is_within(&j->conflicts.at[n], i, d->cells[k]);
      const struct small_program *smallest = s->result.cells[i].smallest, *program = j->conflicts.at[n].program;
      if (all && (!smallest || small_size(program) < small_size(smallest))) s->result.cells[i].smallest = program;
    }
  }
}

static bool is_as_before(const struct synth *s, const struct mapping_cell *const *choice) {
  bool same = true;
  for (size_t i = 0; i < s->options->key_count; i++)
    same &= s->result.cells[i].before && is_same(s->result.cells[i].before, choice[i]);
  return same;
}

static void take_choice(struct synth *s, const struct mapping_cell *const *choice) {
  const struct synth_options *o = s->options;
  for (size_t i = 0; i < o->key_count; i++) {
    s->result.cells[i].found = choice[i];
    s->result.cells[i].price = o->price(o->context, choice[i]);
  }
  bool dearer = s->result.price_before >= 0 && s->result.price >= s->result.price_before;
  if (is_as_before(s, choice) || (dearer && synth_whole_is_sound(s, s->joint->part))) return;
  for (size_t i = 0; i < o->key_count; i++)
    if (!s->result.cells[i].before || !is_same(s->result.cells[i].before, choice[i]))
      s->mapping = mapping_with(s->arena, s->mapping, o->keys[i], choice[i]);
}

void joint_solve(struct synth *s) {
  struct joint *j = s->joint;
  const struct mapping_cell *choice[SYNTH_CELLS] = {NULL};
  enum trial said = TRIAL_UNSOUND;
  take_parts(s);
  while (s->result.complete && said != TRIAL_SOUND) {
    s->result.price = cheapest(j, choice);
    if (s->result.price < 0) break;
    said = do_step(s, choice);
  }
  for (size_t i = 0; i < s->options->key_count; i++) {
    int64_t before = s->result.cells[i].price_before;
    s->result.cells[i].price = -1;
    s->result.price_before =
        before < 0 || s->result.price_before < 0 ? -1 : s->result.price_before + s->options->weights[i] * before;
  }
  s->result.conflicts = j->conflicts.at;
  s->result.conflict_count = j->conflicts.count;
  if (s->result.complete && said == TRIAL_SOUND)
    take_choice(s, choice);
  else if (s->result.complete)
    find_hopeless(s);
  s->result.sound = s->result.complete && said == TRIAL_SOUND;
}
