/* SPDX-License-Identifier: MIT */
/* The cheapest sound rest of emitted code, by sets of elements that cannot go
 * together. Programs are tried side by side and their refutations taken in the
 * programs' order, so that the number of workers changes nothing. */
#include "checker/search/spare.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/pool.h"
#include "checker/base/vec.h"

/* A program's elements, and sets of them without which it is known to be sound. */
struct own_elements {
  size_t *at;
  size_t count, room;
  VEC(const bool *) sound; /* by number in `at` */
};

struct searching {
  struct arena *arena;
  const struct spare_options *options;
  struct spare_result result;
  struct own_elements *own; /* by place in the ablation's programs */
  bool *impossible;         /* by element: the language has no such form; it is none */
  VEC(struct spare_refutation) refuted;
  bool found;
};

/* ---- elements ---- */

struct listing {
  struct searching *s;
  VEC(const char *) names;
  struct own_elements *own;
};

static void add_name(void *to, const char *change) {
  struct listing *l = to;
  if (l->s->options->price(l->s->options->context, change) < 0) return;
  *vec_push(l->s->arena, &l->names) = arena_strdup(l->s->arena, change);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int element_by_name(const void *name, const void *element) {
  return strcmp(name, ((const struct spare_element *)element)->name);
}

static void add_own(void *to, const char *change) {
  struct listing *l = to;
  struct spare_result *r = &l->s->result;
  const struct spare_element *element =
      r->element_count ? bsearch(change, r->elements, r->element_count, sizeof *r->elements, element_by_name) : NULL;
  if (!element) return;
  size_t index = (size_t)(element - r->elements);
  for (size_t i = 0; i < l->own->count; i++)
    if (l->own->at[i] == index) return;
  vec_reserve(l->s->arena, (void **)&l->own->at, &l->own->room, l->own->count + 1, sizeof *l->own->at);
  l->own->at[l->own->count++] = index;
}

static void list_elements(struct searching *s) {
  const struct family_ablation *a = s->options->ablation;
  struct listing l = {.s = s};
  for (size_t i = 0; i < a->count; i++) a->list(a->context, a->programs[i], add_name, &l);
  if (l.names.count) qsort(l.names.at, l.names.count, sizeof *l.names.at, by_name);
  s->result.elements = ARENA_ARRAY(s->arena, struct spare_element, l.names.count + 1);
  for (size_t i = 0; i < l.names.count; i++) {
    if (i && !strcmp(l.names.at[i], l.names.at[i - 1])) continue;
    s->result.elements[s->result.element_count++] =
        (struct spare_element){l.names.at[i], s->options->price(s->options->context, l.names.at[i]), false};
  }
  s->impossible = ARENA_ARRAY(s->arena, bool, s->result.element_count + 1);
  s->own = ARENA_ARRAY(s->arena, struct own_elements, a->count + 1);
  for (size_t i = 0; i < a->count; i++) {
    l.own = &s->own[i];
    a->list(a->context, a->programs[i], add_own, &l);
  }
}

/* ---- one program ---- */

/* Some of a program's elements, by number among its own. */
struct own_set {
  const struct spare_element *elements;
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

static enum ablation_answer ask(const struct searching *s, size_t program, const bool *in, struct explorer *explorer) {
  const struct family_ablation *a = s->options->ablation;
  struct own_set set = {s->result.elements, s->own[program].at, in, s->own[program].count};
  struct ablation_kinds kinds = {has_change, &set};
  return a->sound_without(a->context, a->programs[program], &kinds, explorer);
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
static void find_impossible(struct searching *s) {
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

/* What a program says of a choice: sound, or a smallest part of it that is not. */
struct said {
  struct arena *arena;
  bool *in;
  enum ablation_answer answer;
  bool asked;
};

static void *try_program(void *context, size_t program) {
  const struct searching *s = context;
  const struct own_elements *own = &s->own[program];
  struct arena *arena = arena_new();
  struct said *said = ARENA_NEW(arena, struct said);
  *said = (struct said){.arena = arena, .in = ARENA_ARRAY(arena, bool, own->count + 1)};
  const atomic_int *cancel = s->options->ablation->cancel;
  for (size_t i = 0; i < own->count; i++)
    said->in[i] = !s->result.elements[own->at[i]].kept && !s->impossible[own->at[i]];
  if (is_known(own, said->in)) return said;
  struct explorer *explorer = explorer_new();
  said->asked = true;
  said->answer = cancel && *cancel ? ABLATION_UNDECIDED : ask(s, program, said->in, explorer);
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

static bool is_part(const struct spare_refutation *part, const struct spare_refutation *of) {
  size_t found = 0;
  for (size_t i = 0; i < of->count && found < part->count; i++) found += of->elements[i] == part->elements[found];
  return found == part->count;
}

/* A set of which a part is refuted too says nothing. */
static void add_refutation(struct searching *s, struct spare_refutation more) {
  size_t count = 0;
  for (size_t i = 0; i < s->refuted.count; i++)
    if (is_part(&s->refuted.at[i], &more)) return;
  for (size_t i = 0; i < s->refuted.count; i++)
    if (!is_part(&more, &s->refuted.at[i])) s->refuted.at[count++] = s->refuted.at[i];
  s->refuted.count = count;
  *vec_push(s->arena, &s->refuted) = more;
}

static int by_number(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

static void note_refuted(struct searching *s, size_t program, const struct said *said) {
  const struct own_elements *own = &s->own[program];
  size_t *elements = ARENA_ARRAY(s->arena, size_t, own->count), count = 0;
  for (size_t i = 0; i < own->count; i++)
    if (said->in[i]) elements[count++] = own->at[i];
  qsort(elements, count, sizeof *elements, by_number);
  s->found = true;
  add_refutation(s, (struct spare_refutation){elements, count, s->options->ablation->programs[program]});
}

static bool note(void *context, size_t program, void *result) {
  struct searching *s = context;
  struct said *said = result;
  struct own_elements *own = &s->own[program];
  if (said->asked && said->answer == ABLATION_SOUND) {
    bool *in = ARENA_ARRAY(s->arena, bool, own->count + 1);
    memcpy(in, said->in, own->count * sizeof *in);
    *vec_push(s->arena, &own->sound) = in;
  } else if (said->asked && said->answer != ABLATION_UNDECIDED) {
    note_refuted(s, program, said);
  } else if (said->asked) {
    s->result.complete = false;
  }
  arena_free(said->arena);
  return s->result.complete;
}

static void drop(void *context, void *result) {
  (void)context;
  arena_free(((struct said *)result)->arena);
}

/* ---- the cheapest choice ---- */

struct choosing {
  struct spare_element *elements; /* `kept`: so far */
  size_t element_count;
  const struct spare_refutation *sets;
  size_t set_count;
  bool *banned, *best; /* by element */
  bool *marked;        /* by element: of a set that is counted */
  int64_t least;
};

static bool is_met(const struct choosing *c, const struct spare_refutation *set) {
  for (size_t i = 0; i < set->count; i++)
    if (c->elements[set->elements[i]].kept) return true;
  return false;
}

/* The cheapest element of each of some sets that have none in common. */
static int64_t rest_at_least(const struct choosing *c) {
  int64_t sum = 0;
  memset(c->marked, 0, c->element_count * sizeof *c->marked);
  for (size_t k = 0; k < c->set_count; k++) {
    const struct spare_refutation *set = &c->sets[k];
    int64_t least = INT64_MAX;
    bool apart = !is_met(c, set);
    for (size_t i = 0; apart && i < set->count; i++) apart = !c->marked[set->elements[i]];
    if (!apart) continue;
    for (size_t i = 0; i < set->count; i++) {
      const struct spare_element *element = &c->elements[set->elements[i]];
      if (!c->banned[set->elements[i]] && element->price < least) least = element->price;
      c->marked[set->elements[i]] = true;
    }
    if (least == INT64_MAX) return INT64_MAX / 2;
    sum += least;
  }
  return sum;
}

static const struct spare_refutation *smallest_open(const struct choosing *c) {
  const struct spare_refutation *least = NULL;
  for (size_t k = 0; k < c->set_count; k++)
    if (!is_met(c, &c->sets[k]) && (!least || c->sets[k].count < least->count)) least = &c->sets[k];
  return least;
}

static void choose(struct choosing *c, int64_t price) {
  if (price + rest_at_least(c) >= c->least) return;
  const struct spare_refutation *set = smallest_open(c);
  if (!set) {
    c->least = price;
    for (size_t i = 0; i < c->element_count; i++) c->best[i] = c->elements[i].kept;
    return;
  }
  size_t tried = 0;
  bool *own = calloc(set->count, sizeof *own); /* banned here */
  if (!own) arena_out_of_memory();
  for (; tried < set->count; tried++) {
    size_t element = set->elements[tried];
    if (c->banned[element]) continue;
    c->elements[element].kept = true;
    choose(c, price + c->elements[element].price);
    c->elements[element].kept = false;
    own[tried] = c->banned[element] = true;
  }
  for (size_t i = 0; i < set->count; i++)
    if (own[i]) c->banned[set->elements[i]] = false;
  free(own);
}

int64_t spare_choose(struct arena *arena, struct spare_element *elements, size_t element_count,
                     const struct spare_refutation *sets, size_t set_count) {
  struct choosing c = {.elements = elements,
                       .element_count = element_count,
                       .sets = sets,
                       .set_count = set_count,
                       .banned = ARENA_ARRAY(arena, bool, element_count + 1),
                       .best = ARENA_ARRAY(arena, bool, element_count + 1),
                       .marked = ARENA_ARRAY(arena, bool, element_count + 1),
                       .least = INT64_MAX};
  for (size_t i = 0; i < element_count; i++) elements[i].kept = false;
  choose(&c, 0);
  for (size_t i = 0; i < element_count; i++) elements[i].kept = c.best[i];
  return c.least;
}

/* ---- the search ---- */

/* Forms that a language does not have are no elements. */
static void drop_impossible(struct searching *s) {
  size_t *place = ARENA_ARRAY(s->arena, size_t, s->result.element_count + 1), count = 0;
  for (size_t i = 0; i < s->result.element_count; i++) {
    place[i] = count;
    if (!s->impossible[i]) s->result.elements[count++] = s->result.elements[i];
  }
  s->result.element_count = count;
  for (size_t k = 0; k < s->refuted.count; k++) {
    struct spare_refutation *set = &s->refuted.at[k];
    size_t *elements = ARENA_ARRAY(s->arena, size_t, set->count);
    for (size_t i = 0; i < set->count; i++) elements[i] = place[set->elements[i]];
    set->elements = elements;
  }
}

struct spare_result spare_search(struct arena *arena, const struct spare_options *options) {
  struct searching s = {.arena = arena, .options = options, .result.complete = true};
  list_elements(&s);
  find_impossible(&s);
  do {
    struct pool_jobs jobs = {&s, try_program, note, drop};
    s.found = false;
    pool_run(options->ablation->count, options->ablation->workers, &jobs);
    spare_choose(arena, s.result.elements, s.result.element_count, s.refuted.at, s.refuted.count);
  } while (s.found && s.result.complete);
  drop_impossible(&s);
  s.result.refuted = s.refuted.at;
  s.result.refuted_count = s.refuted.count;
  return s.result;
}

struct claimed_set {
  const struct spare_element *elements;
  const struct spare_refutation *claim;
};

static bool is_claimed(const void *set, const char *change) {
  const struct claimed_set *claimed = set;
  for (size_t i = 0; i < claimed->claim->count; i++)
    if (!strcmp(claimed->elements[claimed->claim->elements[i]].name, change)) return true;
  return false;
}

bool spare_refutes(const struct family_ablation *a, const struct spare_element *elements,
                   const struct spare_refutation *claim) {
  struct claimed_set set = {elements, claim};
  struct ablation_kinds kinds = {is_claimed, &set};
  struct explorer *explorer = explorer_new();
  bool sound = false;
  for (size_t i = 0; i < a->count; i++) sound |= a->programs[i] == claim->program;
  enum ablation_answer answer = sound ? a->sound_without(a->context, claim->program, &kinds, explorer) : ABLATION_SOUND;
  explorer_free(explorer);
  return answer == ABLATION_UNSOUND || answer == ABLATION_REFUSED;
}
