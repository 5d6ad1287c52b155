/* SPDX-License-Identifier: MIT */
/* The cheapest choice of several cells at once.  Each candidate has a set of the
 * conflicts whose pattern for its operation it is within (all that do not use the
 * operation, too), and a choice is refuted where the sets of its candidates have a
 * conflict in common.  Of an operation's candidates only those count that no cheaper one
 * betters, by being within fewer; so few are left to choose from. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/program_search/cell_pattern.h"
#include "checker/program_search/synth_internal.h"

/* An operation's candidates, and what they are within. */
struct domain {
  const struct mapping_cell **cells; /* by price */
  int64_t *prices;                   /* by weight */
  size_t count;
  VEC(uint64_t *) within; /* by 64 conflicts: by candidate */
  size_t *front, front_count;
};

struct joint {
  struct arena *arena;
  const struct synth_options *options;
  struct domain *domains;
  VEC(struct synth_conflict) conflicts;
  size_t known;  /* of the conflicts, those that the domains have learned */
  uint64_t part; /* the next step after the divided parts */
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

static struct domain *domains_new(struct arena *arena, const struct synth_options *o) {
  struct domain *domains = ARENA_ARRAY(arena, struct domain, o->key_count);
  for (size_t i = 0; i < o->key_count; i++) {
    struct domain *d = &domains[i];
    d->cells = synth_domain(arena, o, i, &d->count);
    d->prices = ARENA_ARRAY(arena, int64_t, d->count + 1);
    d->front = ARENA_ARRAY(arena, size_t, d->count + 1);
    for (size_t k = 0; k < d->count; k++) d->prices[k] = o->weights[i] * o->price(o->context, d->cells[k]);
  }
  return domains;
}

struct joint *joint_new(struct synth *s) {
  struct joint *j = ARENA_NEW(s->arena, struct joint);
  *j = (struct joint){.arena = s->arena, .options = s->options, .part = s->options->key_count};
  j->domains = domains_new(s->arena, s->options);
  return j;
}

/* ---- conflicts ---- */

static bool is_within(const struct synth_conflict *conflict, size_t key, const struct mapping_cell *cell) {
  const struct mapping_cell *pattern = conflict->patterns[key];
  return !pattern || is_same(pattern, cell) || (!conflict->stuck && pattern_covers(pattern, cell));
}

/* The domains learn the conflicts from `j->known` on. */
static void learn(struct joint *j) {
  for (; j->known < j->conflicts.count; j->known++) {
    const struct synth_conflict *conflict = &j->conflicts.at[j->known];
    for (size_t i = 0; i < j->options->key_count; i++) {
      struct domain *d = &j->domains[i];
      if (j->known / 64 == d->within.count)
        *vec_push(j->arena, &d->within) = ARENA_ARRAY(j->arena, uint64_t, d->count + 1);
      uint64_t *within = d->within.at[j->known / 64], bit = UINT64_C(1) << j->known % 64;
      for (size_t k = 0; k < d->count; k++)
        if (is_within(conflict, i, d->cells[k])) within[k] |= bit;
    }
  }
}

/* ---- the cheapest choice ---- */

struct choosing {
  const struct joint *j;
  size_t cells, blocks;  /* of 64 conflicts */
  const unsigned *among; /* the operations that are chosen for */
  uint64_t **ended;      /* by depth: conflicts that use no operation after it */
  uint64_t **common;     /* by depth: conflicts that all chosen so far are within */
  int64_t *rest;         /* by depth: the least price of what comes after it */
  size_t *chosen, *best;
  int64_t least;
};

static bool betters(const struct domain *d, size_t blocks, size_t a, size_t b) {
  for (size_t i = 0; i < blocks; i++)
    if (d->within.at[i][a] & ~d->within.at[i][b]) return false;
  return true;
}

/* Candidates that no cheaper one betters, less those that a conflict of this operation alone refutes. */
static void find_front(struct domain *d, size_t blocks, const uint64_t *alone) {
  d->front_count = 0;
  for (size_t k = 0; k < d->count; k++) {
    bool is_out = false;
    for (size_t i = 0; i < blocks && !is_out; i++) is_out = (d->within.at[i][k] & alone[i]) != 0;
    for (size_t f = 0; f < d->front_count && !is_out; f++) is_out = betters(d, blocks, d->front[f], k);
    if (!is_out) d->front[d->front_count++] = k;
  }
}

static void choose(struct choosing *c, size_t depth, int64_t price) {
  if (depth == c->cells) {
    c->least = price;
    memcpy(c->best, c->chosen, c->cells * sizeof *c->best);
    return;
  }
  const struct domain *d = &c->j->domains[c->among[depth]];
  for (size_t f = 0; f < d->front_count; f++) {
    size_t k = d->front[f];
    uint64_t refuted = 0;
    if (c->least >= 0 && price + d->prices[k] + c->rest[depth] >= c->least) return;
    for (size_t i = 0; i < c->blocks; i++) {
      c->common[depth + 1][i] = c->common[depth][i] & d->within.at[i][k];
      refuted |= c->common[depth + 1][i] & c->ended[depth][i];
    }
    c->chosen[depth] = k;
    if (!refuted) choose(c, depth + 1, price + d->prices[k]);
  }
}

/* Of a conflict's operations: the last's place among those that are chosen for, and whether it has no other. */
static size_t last_place(const struct synth_conflict *conflict, const struct choosing *c, bool *alone) {
  size_t last = 0, count = 0;
  for (size_t i = 0; i < c->cells; i++)
    if (conflict->patterns[c->among[i]]) {
      last = i;
      count++;
    }
  *alone = count == 1;
  return last;
}

static struct choosing choosing_new(struct arena *arena, struct joint *j, const unsigned *among, size_t cells) {
  size_t blocks = (j->conflicts.count + 63) / 64;
  struct choosing c = {.j = j, .cells = cells, .blocks = blocks, .among = among, .least = -1};
  uint64_t **alone = ARENA_ARRAY(arena, uint64_t *, cells + 1);
  c.ended = ARENA_ARRAY(arena, uint64_t *, cells + 1);
  c.common = ARENA_ARRAY(arena, uint64_t *, cells + 1);
  c.rest = ARENA_ARRAY(arena, int64_t, cells + 1);
  c.chosen = ARENA_ARRAY(arena, size_t, cells + 1);
  c.best = ARENA_ARRAY(arena, size_t, cells + 1);
  for (size_t i = 0; i <= cells; i++) {
    alone[i] = ARENA_ARRAY(arena, uint64_t, blocks + 1);
    c.ended[i] = ARENA_ARRAY(arena, uint64_t, blocks + 1);
    c.common[i] = ARENA_ARRAY(arena, uint64_t, blocks + 1);
  }
  memset(c.common[0], 0xff, blocks * sizeof *c.common[0]);
  for (size_t n = 0; n < j->conflicts.count; n++) {
    bool is_alone;
    size_t last = last_place(&j->conflicts.at[n], &c, &is_alone);
    c.ended[last][n / 64] |= UINT64_C(1) << n % 64;
    if (is_alone) alone[last][n / 64] |= UINT64_C(1) << n % 64;
  }
  for (size_t i = 0; i < cells; i++) find_front(&j->domains[among[i]], blocks, alone[i]);
  for (size_t i = cells; i > 1; i--) {
    const struct domain *d = &j->domains[among[i - 1]];
    c.rest[i - 2] = c.rest[i - 1] + (d->front_count ? d->prices[d->front[0]] : 0);
  }
  return c;
}

/* The cheapest choice for some operations; -1: there is none.  All conflicts use these alone. */
static int64_t cheapest(struct joint *j, const unsigned *among, size_t cells, const struct mapping_cell **choice) {
  struct arena *arena = arena_new();
  learn(j);
  struct choosing c = choosing_new(arena, j, among, cells);
  choose(&c, 0, 0);
  for (size_t i = 0; i < cells && c.least >= 0; i++) choice[among[i]] = j->domains[among[i]].cells[c.best[i]];
  arena_free(arena);
  return c.least;
}

int64_t synth_least(const struct synth_options *o, const struct synth_conflict *conflicts, size_t count,
                    struct arena *arena, const struct mapping_cell **choice) {
  struct joint j = {.arena = arena, .options = o};
  unsigned among[SYNTH_CELLS];
  j.domains = domains_new(arena, o);
  for (size_t i = 0; i < count; i++) *vec_push(arena, &j.conflicts) = conflicts[i];
  for (unsigned i = 0; i < o->key_count; i++) among[i] = i;
  return cheapest(&j, among, o->key_count, choice);
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
  *vec_push(s->arena, &s->joint->conflicts) = conflict;
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

static void forget(struct synth *s) {
  struct joint *j = s->joint;
  j->conflicts.count = j->known = s->examples.count = 0;
  for (size_t i = 0; i < s->options->key_count; i++) j->domains[i].within.count = 0;
}

/* The conflicts of one operation alone: a part's text; NULL: something is undecided. */
static const char *alone_text(struct synth *s, unsigned key) {
  struct joint *j = s->joint;
  struct text text;
  const struct mapping_cell *choice[SYNTH_CELLS] = {NULL};
  const unsigned others = ~(1u << key);
  text_open(&text);
  forget(s);
  while (s->result.complete && cheapest(j, &key, 1, choice) >= 0)
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
  forget(s);
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
  struct text text;
  text_open(&text);
  enum trial said = try_choice(s, choice, 0, text.out);
  const char *kept = text_keep(&text, s->arena);
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
      for (size_t k = 0; k < d->count && all; k++) all = d->within.at[n / 64][k] >> n % 64 & 1;
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
  unsigned among[SYNTH_CELLS];
  enum trial said = TRIAL_UNSOUND;
  for (unsigned i = 0; i < s->options->key_count; i++) among[i] = i;
  take_parts(s);
  while (s->result.complete && said != TRIAL_SOUND) {
    s->result.price = cheapest(j, among, s->options->key_count, choice);
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
