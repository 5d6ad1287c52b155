/* SPDX-License-Identifier: MIT */
/* The cheapest sound rest of emitted code, by sets of elements that cannot go
 * together. Programs are tried side by side and their refutations taken in the
 * programs' order, so that the number of workers changes nothing. */
#include "checker/program_search/redundant_code.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/program_search/cheapest_choice.h"

/* A program's elements, and sets of them without which it is known to be sound. */
struct own_elements {
  size_t *at;
  size_t count, room;
  VEC(const bool *) sound; /* by number in `at` */
};

typedef VEC(struct redundancy_refutation) refutations;

struct redundancy {
  struct arena *arena;
  const struct redundancy_options *options;
  struct redundancy_result result;
  struct own_elements *own;   /* by place in the ablation's programs */
  bool *impossible;           /* by element: the language has no such form; it is none */
  refutations refuted, seeds; /* `seeds`: those of the first part of the first round */
  const char *first;          /* what that has shown, once it is there */
  bool found;
  size_t round;
  /* Of the part that is being done. */
  refutations known;
  size_t begun; /* of the programs that are tried together, the first */
  struct text text;
};

/* ---- elements ---- */

typedef VEC(const char *) kinds;

/* The kinds of a program's changes that are elements, some perhaps again. */
static kinds kinds_of(const struct redundancy *s, size_t program) {
  const struct target_code_ablation *a = s->options->ablation;
  struct arena *arena = arena_new();
  kinds kept = {0};
  size_t count;
  const char **all = a->code.changes(a->code.context, a->programs[program], true, arena, &count);
  for (size_t i = 0; i < count; i++)
    if (all[i] && s->options->price(s->options->context, all[i]) >= 0)
      *vec_push(s->arena, &kept) = arena_strdup(s->arena, all[i]);
  arena_free(arena);
  return kept;
}

static int element_by_name(const void *name, const void *element) {
  return strcmp(name, ((const struct redundancy_element *)element)->name);
}

static void add_own(struct redundancy *s, struct own_elements *own, const char *kind) {
  struct redundancy_result *r = &s->result;
  const struct redundancy_element *element =
      bsearch(kind, r->elements, r->element_count, sizeof *r->elements, element_by_name);
  size_t index = (size_t)(element - r->elements);
  for (size_t i = 0; i < own->count; i++)
    if (own->at[i] == index) return;
  *vec_push(s->arena, own) = index;
}

static void list_elements(struct redundancy *s) {
  size_t programs = s->options->ablation->count;
  kinds names = {0}, *own = ARENA_ARRAY(s->arena, kinds, programs + 1);
  for (size_t i = 0; i < programs; i++) {
    own[i] = kinds_of(s, i);
    for (size_t k = 0; k < own[i].count; k++) *vec_push(s->arena, &names) = own[i].at[k];
  }
  if (names.count) qsort(names.at, names.count, sizeof *names.at, text_compare);
  s->result.elements = ARENA_ARRAY(s->arena, struct redundancy_element, names.count + 1);
  for (size_t i = 0; i < names.count; i++) {
    if (i && !strcmp(names.at[i], names.at[i - 1])) continue;
    s->result.elements[s->result.element_count++] =
        (struct redundancy_element){names.at[i], s->options->price(s->options->context, names.at[i]), false};
  }
  s->impossible = ARENA_ARRAY(s->arena, bool, s->result.element_count + 1);
  s->own = ARENA_ARRAY(s->arena, struct own_elements, programs + 1);
  for (size_t i = 0; i < programs; i++)
    for (size_t k = 0; k < own[i].count; k++) add_own(s, &s->own[i], own[i].at[k]);
}

/* ---- one program ---- */

/* Some of a program's elements, by number among its own. */
struct own_set {
  const struct redundancy_element *elements;
  const size_t *at;
  const bool *in;
  size_t count;
};

static bool has_change(const void *set, const char *change) {
  const struct own_set *own = set;
  for (size_t i = 0; i < own->count; i++)
    if (own->in[i] && !strcmp(own->elements[own->at[i]].name, change)) return true;
  return false;
}

static enum ablation_answer ask(const struct redundancy *s, size_t program, const bool *in, struct explorer *explorer) {
  const struct target_code_ablation *a = s->options->ablation;
  struct own_set set = {s->result.elements, s->own[program].at, in, s->own[program].count};
  return ablation_without(a, a->programs[program], has_change, &set, explorer);
}

static bool is_within(const bool *inner, const bool *outer, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (inner[i] && !outer[i]) return false;
  return true;
}

static bool is_known(const struct own_elements *own, const bool *in) {
  bool some = false;
  for (size_t i = 0; i < own->count; i++) some |= in[i];
  for (size_t k = 0; some && k < own->sound.count; k++) some = !is_within(in, own->sound.at[k], own->count);
  return !some;
}

/* Each element alone, where it is met first: has the language the form that it leaves? */
static void find_impossible(struct redundancy *s) {
  bool *asked = ARENA_ARRAY(s->arena, bool, s->result.element_count + 1);
  struct explorer *explorer = explorer_new();
  for (size_t p = 0; p < s->options->ablation->count; p++) {
    struct own_elements *own = &s->own[p];
    for (size_t i = 0; i < own->count; i++) {
      struct arena *arena = arena_new();
      bool *in = ARENA_ARRAY(arena, bool, own->count);
      in[i] = true;
      if (!asked[own->at[i]]) s->impossible[own->at[i]] = ask(s, p, in, explorer) == ABLATION_REFUSED;
      asked[own->at[i]] = true;
      arena_free(arena);
    }
  }
  explorer_free(explorer);
}

/* What a program says of a choice: sound, or a smallest subset of it that is not. */
struct said {
  struct arena *arena;
  bool *in;
  enum ablation_answer answer;
  bool asked;
};

static void *try_program(void *context, size_t index) {
  const struct redundancy *s = context;
  size_t program = s->begun + index;
  const struct own_elements *own = &s->own[program];
  struct arena *arena = arena_new();
  struct said *said = ARENA_MAKE(arena, struct said, .arena = arena, .in = ARENA_ARRAY(arena, bool, own->count + 1));
  for (size_t i = 0; i < own->count; i++)
    said->in[i] = !s->result.elements[own->at[i]].kept && !s->impossible[own->at[i]];
  if (is_known(own, said->in)) return said;
  struct explorer *explorer = explorer_new();
  said->asked = true;
  said->answer = is_cancelled(s->options->ablation->options->explore.cancel) ? ABLATION_UNDECIDED
                                                                             : ask(s, program, said->in, explorer);
  bool fails = said->answer == ABLATION_UNSOUND || said->answer == ABLATION_REFUSED;
  for (size_t i = 0; fails && i < own->count; i++) {
    if (!said->in[i]) continue;
    said->in[i] = false;
    enum ablation_answer without = ask(s, program, said->in, explorer);
    if (without == ABLATION_UNSOUND || without == ABLATION_REFUSED)
      said->answer = without;
    else
      said->in[i] = true;
    if (without == ABLATION_UNDECIDED) said->answer = without;
    fails = said->answer != ABLATION_UNDECIDED;
  }
  explorer_free(explorer);
  return said;
}

/* ---- what is refuted ---- */

static bool is_part(const struct redundancy_refutation *part, const struct redundancy_refutation *of) {
  size_t found = 0;
  for (size_t i = 0; i < of->count && found < part->count; i++) found += of->elements[i] == part->elements[found];
  return found == part->count;
}

/* A set of which a part is refuted too says nothing. */
static void add_refutation(struct redundancy *s, refutations *to, struct redundancy_refutation more) {
  size_t count = 0;
  for (size_t i = 0; i < to->count; i++)
    if (is_part(&to->at[i], &more)) return;
  for (size_t i = 0; i < to->count; i++)
    if (!is_part(&more, &to->at[i])) to->at[count++] = to->at[i];
  to->count = count;
  *vec_push(s->arena, to) = more;
}

static void copy_refutations(struct redundancy *s, refutations *to, const refutations *from) {
  to->count = 0;
  for (size_t i = 0; i < from->count; i++) *vec_push(s->arena, to) = from->at[i];
}

static int by_number(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

static struct redundancy_refutation refutation_of(struct redundancy *s, size_t program, const bool *in) {
  const struct own_elements *own = &s->own[program];
  size_t *elements = ARENA_ARRAY(s->arena, size_t, own->count + 1), count = 0;
  for (size_t i = 0; i < own->count; i++)
    if (in[i]) elements[count++] = own->at[i];
  qsort(elements, count, sizeof *elements, by_number);
  return (struct redundancy_refutation){elements, count, s->options->ablation->programs[program]};
}

/* Of a program its number and a set, without which it is sound (`7 s 2 5;`) or not (`u`). */
static bool take_said(void *context, size_t index, void *result) {
  struct redundancy *s = context;
  struct said *said = result;
  size_t program = s->begun + index;
  bool decided = !said->asked || said->answer != ABLATION_UNDECIDED, sound = said->answer == ABLATION_SOUND;
  if (said->asked && decided) {
    struct redundancy_refutation set = refutation_of(s, program, said->in);
    fprintf(s->text.out, "%zu %c", program, sound ? 's' : 'u');
    for (size_t i = 0; i < set.count; i++) fprintf(s->text.out, " %zu", set.elements[i]);
    fputc(';', s->text.out);
    if (!sound) add_refutation(s, &s->known, set);
    s->found |= !sound;
  }
  s->result.complete &= decided;
  arena_free(said->arena);
  return decided;
}

static void drop(void *context, void *result) {
  (void)context;
  arena_free(((struct said *)result)->arena);
}

static void note_sound(struct redundancy *s, size_t program, const struct redundancy_refutation *set) {
  struct own_elements *own = &s->own[program];
  bool *in = ARENA_ARRAY(s->arena, bool, own->count + 1);
  for (size_t i = 0; i < own->count; i++)
    for (size_t k = 0; k < set->count; k++) in[i] |= own->at[i] == set->elements[k];
  *vec_push(s->arena, &own->sound) = in;
}

/* The elements of a set, up to the semicolon. */
static bool read_set(struct redundancy *s, const char **text, struct redundancy_refutation *set) {
  VEC(size_t) elements = {0};
  while (**text == ' ') {
    char *end;
    size_t element = strtoul(*text, &end, 10);
    if (end == *text || element >= s->result.element_count) return false;
    *vec_push(s->arena, &elements) = element;
    *text = end;
  }
  *set = (struct redundancy_refutation){.elements = elements.at, .count = elements.count};
  return *(*text)++ == ';';
}

/* Takes what a part has shown; false: it is not what take_said wrote. */
static bool read_part(struct redundancy *s, const char *text, refutations *to, bool notes_sound) {
  while (*text) {
    char *end;
    struct redundancy_refutation set;
    size_t program = strtoul(text, &end, 10);
    if (end == text || program >= s->options->ablation->count || *end != ' ' || !end[1]) return false;
    text = end + 2;
    if (!read_set(s, &text, &set)) return false;
    set.program = s->options->ablation->programs[program];
    if (end[1] == 'u') {
      add_refutation(s, to, set);
      s->found = true;
    } else if (notes_sound) {
      note_sound(s, program, &set);
    }
  }
  return true;
}

/* ---- the cheapest choice ---- */

/* Each element is a place: it goes, or is kept. */
int64_t redundancy_choose(struct redundancy_element *elements, size_t element_count,
                          const struct redundancy_refutation *sets, size_t set_count) {
  struct arena *arena = arena_new();
  struct choices choices = {.arena = arena, .place_count = element_count};
  unsigned *chosen = ARENA_ARRAY(arena, unsigned, element_count + 1);
  bool *in = ARENA_ARRAY(arena, bool, 2 * element_count + 1);
  for (unsigned i = 0; i < element_count; i++) {
    choices_add_form(&choices, i, 0, false);
    choices_add_form(&choices, i, elements[i].price, false);
  }
  for (size_t k = 0; k < set_count; k++) {
    for (size_t i = 0; i < sets[k].count; i++) in[2 * sets[k].elements[i] + 1] = true;
    choices_add_set(&choices, in);
    for (size_t i = 0; i < sets[k].count; i++) in[2 * sets[k].elements[i] + 1] = false;
  }
  int64_t price = choices_cheapest(&choices, chosen).price;
  for (size_t i = 0; i < element_count; i++) elements[i].kept = chosen[i];
  arena_free(arena);
  return price;
}

/* ---- the search ---- */

/* Forms that a language does not have are no elements. */
static void drop_impossible(struct redundancy *s) {
  size_t *place = ARENA_ARRAY(s->arena, size_t, s->result.element_count + 1), count = 0;
  for (size_t i = 0; i < s->result.element_count; i++) {
    place[i] = count;
    if (!s->impossible[i]) s->result.elements[count++] = s->result.elements[i];
  }
  s->result.element_count = count;
  ARRAY_EACH (struct redundancy_refutation, set, s->refuted.at, s->refuted.count) {
    size_t *elements = ARENA_ARRAY(s->arena, size_t, set->count);
    for (size_t i = 0; i < set->count; i++) elements[i] = place[set->elements[i]];
    set->elements = elements;
  }
}

enum { PART = 64, TOGETHER = 16 }; /* programs */

static void choose_again(struct redundancy *s, const refutations *sets) {
  redundancy_choose(s->result.elements, s->result.element_count, sets->at, sets->count);
}

static size_t parts_of_round(const struct redundancy *s) {
  return (s->options->ablation->count + PART - 1) / PART;
}

/* Some programs after the others, each with the cheapest choice that those before leave,
 * beginning with what is known; NULL: something is undecided. */
static const char *do_part(struct redundancy *s, size_t part, const refutations *known) {
  struct pool_jobs jobs = {s, try_program, take_said, drop};
  size_t count = s->options->ablation->count, end = (part + 1) * PART < count ? (part + 1) * PART : count;
  s->text = text_new();
  copy_refutations(s, &s->known, known);
  choose_again(s, &s->known);
  for (s->begun = part * PART; s->begun < end && s->result.complete; s->begun += TOGETHER) {
    s->found = false;
    pool_run(end - s->begun < TOGETHER ? end - s->begun : TOGETHER, s->options->ablation->options->workers, &jobs);
    if (s->found) choose_again(s, &s->known);
  }
  const char *text = text_keep(&s->text, s->arena);
  return s->result.complete ? text : NULL;
}

struct redundancy *redundancy_new(struct arena *arena, const struct redundancy_options *options) {
  struct redundancy *s =
      ARENA_MAKE(arena, struct redundancy, .arena = arena, .options = options, .result.complete = true, .round = 1);
  list_elements(s);
  find_impossible(s);
  return s;
}

/* All parts of the first round but its first begin with what that has shown. */
static bool take_seeds(struct redundancy *s) {
  if (s->first || !parts_of_round(s)) return true;
  s->first = parts_text(s->options->parts, 0);
  if (!s->first) s->first = do_part(s, 0, &s->seeds);
  return s->first && read_part(s, s->first, &s->seeds, false);
}

bool redundancy_do_parts(struct redundancy *s) {
  struct parts *parts = s->options->parts;
  uint64_t part;
  parts_set_total(parts, parts_of_round(s));
  while (s->result.complete && parts_claim(parts, &part)) {
    if (!take_seeds(s)) break;
    const char *text = part ? do_part(s, (size_t)part, &s->seeds) : s->first;
    if (text) parts_hand_in(parts, part, text);
  }
  return s->result.complete;
}

/* All of a round's parts are done before any is read, so that each begins with the same. */
static void do_round(struct redundancy *s) {
  struct parts *parts = s->options->parts;
  size_t count = parts_of_round(s), first = (s->round - 1) * count;
  const char **texts = ARENA_ARRAY(s->arena, const char *, count + 1);
  s->result.complete &= take_seeds(s);
  for (size_t i = 0; i < count && s->result.complete; i++) {
    texts[i] = parts_text(parts, first + i);
    if (texts[i]) continue;
    texts[i] = s->round > 1 ? do_part(s, i, &s->refuted) : i ? do_part(s, i, &s->seeds) : s->first;
    if (texts[i]) parts_hand_in_here(parts, first + i, texts[i], false);
  }
  s->found = false;
  for (size_t i = 0; i < count && s->result.complete; i++)
    s->result.complete = read_part(s, texts[i], &s->refuted, true);
}

struct redundancy_result redundancy_finish(struct redundancy *s) {
  do {
    do_round(s);
    choose_again(s, &s->refuted);
    s->round++;
  } while (s->found && s->result.complete);
  drop_impossible(s);
  s->result.refuted = s->refuted.at;
  s->result.refuted_count = s->refuted.count;
  return s->result;
}

struct claimed_set {
  const struct redundancy_element *elements;
  const struct redundancy_refutation *claim;
};

static bool is_claimed(const void *set, const char *change) {
  const struct claimed_set *claimed = set;
  for (size_t i = 0; i < claimed->claim->count; i++)
    if (!strcmp(claimed->elements[claimed->claim->elements[i]].name, change)) return true;
  return false;
}

bool redundancy_refutes(const struct target_code_ablation *a, const struct redundancy_element *elements,
                        const struct redundancy_refutation *claim) {
  struct claimed_set set = {elements, claim};
  struct explorer *explorer = explorer_new();
  bool sound = false;
  for (size_t i = 0; i < a->count; i++) sound |= a->programs[i] == claim->program;
  enum ablation_answer answer =
      sound ? ablation_without(a, claim->program, is_claimed, &set, explorer) : ABLATION_SOUND;
  explorer_free(explorer);
  return answer == ABLATION_UNSOUND || answer == ABLATION_REFUSED;
}
