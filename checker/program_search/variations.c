/* SPDX-License-Identifier: MIT */
/* Subsets of changes in the order of a list that has the rarest first; see
 * variations.h. */
#include "checker/program_search/variations.h"

#include <stdlib.h>

#include "checker/base/hash_table.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/repair_moves.h"
#include "checker/program_search/program_hash.h"
#include "checker/verify/test_observing_all.h"

/* One form of one place, other than that in the text. */
struct change {
  unsigned place, form;
  uint64_t rarity; /* how many forms have its rarest word */
};

struct walk {
  struct arena *arena;
  const struct litmus_test *test;
  const struct variations_walk *how;
  uint64_t taken;
  struct places places;
  VEC(struct change) changes;
  unsigned *choice;       /* by place: the form */
  struct hash_table seen; /* programs */
  bool ended;
};

/* ---- the rarest words first ---- */

/* Orders, scopes and tags of a form, each a bit or a number. */
static void count_words(const struct form *form, uint64_t parts[64], uint64_t tags[64], uint64_t scopes[16]) {
  for (unsigned bit = 0; bit < 64; bit++) {
    parts[bit] += form->strength.parts >> bit & 1;
    tags[bit] += form->strength.tags >> bit & 1;
  }
  scopes[form->strength.scope % 16]++;
}

static uint64_t rarest_of(const struct form *form, const uint64_t parts[64], const uint64_t tags[64],
                          const uint64_t scopes[16]) {
  uint64_t least = scopes[form->strength.scope % 16];
  for (unsigned bit = 0; bit < 64; bit++) {
    if ((form->strength.parts >> bit & 1) && parts[bit] < least) least = parts[bit];
    if ((form->strength.tags >> bit & 1) && tags[bit] < least) least = tags[bit];
  }
  return least;
}

static int compare_changes(const void *a, const void *b) {
  const struct change *x = a, *y = b;
  if (x->rarity != y->rarity) return x->rarity < y->rarity ? -1 : 1;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return x->form < y->form ? -1 : x->form > y->form;
}

static void list_changes(struct walk *w) {
  uint64_t parts[64] = {0}, tags[64] = {0}, scopes[16] = {0};
  for (size_t p = 0; p < w->places.count; p++)
    for (size_t f = 0; f < w->places.at[p].form_count; f++) count_words(&w->places.at[p].forms[f], parts, tags, scopes);
  for (size_t p = 0; p < w->places.count; p++) {
    for (size_t f = 1; f < w->places.at[p].form_count; f++) {
      const struct form *form = &w->places.at[p].forms[f];
      if (tags_have(form->strength.tags, TAG_REMOTE) && !w->how->remote) continue;
      *vec_push(w->arena, &w->changes) =
          (struct change){(unsigned)p, (unsigned)f, rarest_of(form, parts, tags, scopes)};
    }
  }
  if (w->changes.count) qsort(w->changes.at, w->changes.count, sizeof *w->changes.at, compare_changes);
}

/* ---- comparing ---- */

struct comparison {
  struct arena *arena;
  const struct variations_options *options;
  struct variations *result;
};

struct litmus_test *variations_read(struct arena *arena, const struct source *source,
                                    const struct litmus_options *reading) {
  struct diags diags = diags_new(arena);
  struct litmus_test *test = litmus_parse(arena, source, reading, &diags);
  if (!test || diags.errors) return NULL;
  struct litmus_test *full = test_observing_all(arena, test);
  full->filter = test->filter;
  return full;
}

static enum diff_class ask(const struct comparison *w, struct arena *arena, const struct litmus_test *test,
                           const int64_t **outcome) {
  struct judgement a, b;
  judge_program(&w->options->a, test, &w->options->limits, arena, &a);
  judge_program(&w->options->b, test, &w->options->limits, arena, &b);
  enum diff_class class = judge_compare(&a, &b);
  bool more = class == CLASS_A_MORE || class == CLASS_NEITHER;
  *outcome = more ? judge_difference(&a, &b) : class == CLASS_B_MORE ? judge_difference(&b, &a) : NULL;
  return class;
}

/* The text with spaces in the place of a piece of it; NULL: there was nothing else. */
static const struct source *without(struct arena *arena, const struct source *source, struct span span) {
  char *text = arena_strndup(arena, source->text, source->size);
  bool changed = false;
  for (uint32_t i = 0; i < span.length; i++) {
    if (text[span.at + i] == ' ' || text[span.at + i] == '\n') continue;
    text[span.at + i] = ' ';
    changed = true;
  }
  return changed ? source_from_text(arena, source->name, text, source->size) : NULL;
}

struct pieces {
  VEC(struct span) at;
};

/* Of a kernel, one piece of text is in all threads that run it. */
static void add_piece(struct arena *arena, struct pieces *pieces, struct span span) {
  for (size_t i = 0; i < pieces->at.count; i++)
    if (pieces->at.at[i].at == span.at && pieces->at.at[i].length == span.length) return;
  *vec_push(arena, &pieces->at) = span;
}

static struct pieces pieces_of(struct arena *arena, const struct source *source, const struct litmus_options *reading) {
  const struct litmus_test *test = variations_read(arena, source, reading);
  struct pieces pieces = {0};
  if (!test) return pieces;
  INSTR_EACH (instr, test->program) add_piece(arena, &pieces, instr->span);
  return pieces;
}

const struct source *variations_reduce(struct arena *arena, const struct source *source,
                                       const struct variations_reduction *how) {
  struct arena *scratch = arena_new();
  const struct pieces pieces = pieces_of(scratch, source, how->reading);
  const struct source *found = NULL;
  for (size_t i = 0; i < pieces.at.count && !found && !is_cancelled(how->cancel); i++) {
    struct arena *trial = arena_new();
    const struct source *less = without(trial, source, pieces.at.at[i]);
    const struct litmus_test *test = less ? variations_read(trial, less, how->reading) : NULL;
    if (test && how->keeps(how->context, trial, test))
      found = source_from_text(arena, less->name, less->text, less->size);
    arena_free(trial);
  }
  arena_free(scratch);
  return found ? variations_reduce(arena, found, how) : source;
}

struct kept_class {
  const struct comparison *comparison;
  enum diff_class class;
};

static bool keeps_class(void *context, struct arena *arena, const struct litmus_test *test) {
  const struct kept_class *kept = context;
  const int64_t *outcome;
  return ask(kept->comparison, arena, test, &outcome) == kept->class;
}

static void keep_first(struct comparison *w, const struct source *source, unsigned changes, enum diff_class class) {
  struct variation *v = &w->result->first[class];
  if (v->found) return;
  struct kept_class kept = {w, class};
  const struct variations_reduction how = {&w->options->reading, w->options->cancel, &kept, keeps_class};
  source = variations_reduce(w->arena, source_from_text(w->arena, source->name, source->text, source->size), &how);
  v->found = true;
  v->changes = changes;
  v->text = source->text;
  v->test = variations_read(w->arena, source, &w->options->reading);
  ask(w, w->arena, v->test, &v->outcome);
}

static void compare(void *context, struct arena *arena, const struct source *source, const struct litmus_test *test,
                    unsigned changes) {
  struct comparison *w = context;
  const int64_t *outcome;
  enum diff_class class = ask(w, arena, test, &outcome);
  w->result->counts[changes][class]++;
  w->result->asked++;
  if (class_differs(class)) keep_first(w, source, changes, class);
}

/* ---- going through them ---- */

static void take_choice(struct walk *w, unsigned changes) {
  struct arena *arena = arena_new();
  const struct source *source = moves_apply(arena, w->test, &w->places, w->choice);
  struct litmus_test *test = variations_read(arena, source, &w->how->reading);
  if (test && hash_is_new(w->arena, &w->seen, program_hash(test->program))) {
    w->taken++;
    w->how->take(w->how->context, arena, source, test, changes);
  }
  arena_free(arena);
  w->ended = (w->how->budget && w->taken >= w->how->budget) || is_cancelled(w->how->cancel);
}

/* All choices of `left` more changes from the list from `from` on. */
static void choose(struct walk *w, size_t from, unsigned left, unsigned changes) {
  if (!left) {
    take_choice(w, changes);
    return;
  }
  for (size_t i = from; i + left <= w->changes.count && !w->ended; i++) {
    const struct change *change = &w->changes.at[i];
    if (w->choice[change->place]) continue;
    w->choice[change->place] = change->form;
    choose(w, i + 1, left - 1, changes);
    w->choice[change->place] = 0;
  }
}

bool variations_visit(struct arena *arena, const struct litmus_test *test, const struct variations_walk *how) {
  struct diags diags = diags_new(arena);
  test = moves_text(arena, test, &how->reading, &diags);
  if (!test) return false;
  struct walk w = {.arena = arena, .test = test, .how = how, .places = moves_find(arena, test, &how->reading)};
  w.choice = ARENA_ARRAY(arena, unsigned, w.places.count + 1);
  list_changes(&w);
  for (unsigned changes = 0; changes <= how->changes && !w.ended; changes++) choose(&w, 0, changes, changes);
  return !w.ended;
}

void variations_run(struct arena *arena, const struct litmus_test *test, const struct variations_options *options,
                    struct variations *result) {
  struct comparison comparison = {.arena = arena, .options = options, .result = result};
  const struct variations_walk how = {.reading = options->reading,
                                      .changes = options->changes,
                                      .budget = options->budget,
                                      .remote = judge_sees_remote(&options->a) || judge_sees_remote(&options->b),
                                      .cancel = options->cancel,
                                      .context = &comparison,
                                      .take = compare};
  struct diags diags = diags_new(arena);
  *result = (struct variations){0};
  test = moves_text(arena, test, &options->reading, &diags);
  if (!test) return;
  const struct places places = moves_find(arena, test, &options->reading);
  result->places = places.count;
  for (size_t p = 0; p < places.count; p++) result->forms += places.at[p].form_count;
  result->whole = variations_visit(arena, test, &how);
}
