/* SPDX-License-Identifier: MIT */
/* The cheapest right choice: branch and bound over the conflicts known so far, each
 * answer of which is asked and, where it is wrong, becomes another conflict. */
#include "checker/program_search/cheapest_repair.h"

#include <string.h>

#include "checker/base/progress_gauge.h"
#include "checker/base/vec.h"

enum { FREE = ~0u, MOST_UNDECIDED = 3 };

struct search {
  struct arena *arena;
  const struct repair_problem *problem;
  VEC(struct repair_conflict) conflicts;
  VEC(struct repair_choice) found;
  uint64_t asked, undecided;
  bool cut, few_rare;
  /* branch and bound: domains have a truth value for each form of each place */
  struct arena *scratch;
  size_t *first, form_count; /* by place: where its forms begin */
  unsigned *best;
  int64_t best_price; /* -1: none */
};

static const struct repair_place *place_of(const struct search *s, size_t place) {
  return &s->problem->places[place];
}

static bool within(const struct repair_place *place, unsigned a, unsigned b) {
  return place->within[a * place->form_count + b];
}

static int64_t price_of(const struct search *s, const unsigned *forms) {
  int64_t price = 0;
  for (size_t p = 0; p < s->problem->place_count; p++) price += place_of(s, p)->forms[forms[p]].price;
  return price;
}

/* Asks; *why is set where the choice is wrong, and else left. */
static enum repair_answer ask(struct search *s, const unsigned *forms, bool soon, const void **why) {
  gauge_steps(++s->asked, "changes asked about");
  enum repair_answer answer = s->problem->ask(s->problem->context, forms, soon, why);
  if (!soon && answer == REPAIR_UNDECIDED && ++s->undecided == MOST_UNDECIDED) s->cut = true;
  return answer;
}

/* ---- the cheapest choice that nothing speaks against ---- */

static bool all_within(const struct search *s, const unsigned *a, const unsigned *b) {
  for (size_t p = 0; p < s->problem->place_count; p++)
    if (!within(place_of(s, p), a[p], b[p])) return false;
  return true;
}

/* Does a form break the claim that a place is within `limit` (above: that `limit` is within it)? */
static bool breaks(const struct repair_place *place, unsigned form, unsigned limit, bool above) {
  return above ? !within(place, limit, form) : !within(place, form, limit);
}

/* Takes the forms of a place from the domain that break the claim, or those that do not. */
static void restrict_place(const struct search *s, bool *domain, size_t place, unsigned limit, bool above,
                           bool broken) {
  const struct repair_place *p = place_of(s, place);
  for (unsigned f = 0; f < p->form_count; f++)
    if (breaks(p, f, limit, above) == broken) domain[s->first[place] + f] = false;
}

/* The cheapest form of each place that the domain leaves, and their price; -1: some place has none, or too many have
 * rare ones. */
static int64_t cheapest(struct search *s, const bool *domain, unsigned *forms) {
  int64_t price = 0;
  size_t rare = 0;
  for (size_t p = 0; p < s->problem->place_count; p++) {
    const struct repair_place *place = place_of(s, p);
    unsigned best = FREE;
    for (unsigned f = 0; f < place->form_count; f++)
      if (domain[s->first[p] + f] && (best == FREE || place->forms[f].price < place->forms[best].price)) best = f;
    if (best == FREE) return -1;
    forms[p] = best;
    price += place->forms[best].price;
    rare += place->forms[best].rare;
  }
  if (rare <= s->problem->most_rare) return price;
  s->few_rare = true;
  return -1;
}

/* A conflict that the choice is within, or an answer that it is above; NULL: neither. */
static const unsigned *claim_against(const struct search *s, const unsigned *forms, bool *above) {
  for (size_t c = s->conflicts.count; c-- > 0;)
    if (all_within(s, forms, s->conflicts.at[c].forms)) {
      *above = false;
      return s->conflicts.at[c].forms;
    }
  for (size_t f = 0; f < s->found.count; f++)
    if (all_within(s, s->found.at[f].forms, forms)) {
      *above = true;
      return s->found.at[f].forms;
    }
  return NULL;
}

/* Some place must break the claim: the first that does is this one, or that one, ... */
static void descend(struct search *s, const bool *domain) {
  size_t count = s->problem->place_count;
  unsigned *forms = ARENA_RAW(s->scratch, unsigned, count + 1);
  int64_t price = cheapest(s, domain, forms);
  bool above;
  if (price < 0 || (s->best_price >= 0 && price >= s->best_price) || s->cut) return;
  s->cut = s->problem->stopped(s->problem->context);
  const unsigned *claim = claim_against(s, forms, &above);
  if (!claim) {
    memcpy(s->best, forms, count * sizeof *forms);
    s->best_price = price;
    return;
  }
  bool *rest = ARENA_RAW(s->scratch, bool, s->form_count + 1), *next = ARENA_RAW(s->scratch, bool, s->form_count + 1);
  memcpy(rest, domain, s->form_count);
  for (size_t p = 0; p < count; p++) {
    memcpy(next, rest, s->form_count);
    restrict_place(s, next, p, claim[p], above, false);
    descend(s, next);
    restrict_place(s, rest, p, claim[p], above, true);
  }
}

static bool next_choice(struct search *s) {
  s->scratch = arena_new();
  bool *domain = ARENA_ARRAY(s->scratch, bool, s->form_count + 1);
  for (size_t f = 0; f < s->form_count; f++) domain[f] = true;
  s->best_price = -1;
  descend(s, domain);
  arena_free(s->scratch);
  return s->best_price >= 0 && !s->cut;
}

/* ---- conflicts ---- */

/* The forms of a place that no other is stronger than. */
static bool is_strongest(const struct repair_place *place, unsigned form) {
  for (unsigned f = 0; f < place->form_count; f++)
    if (f != form && within(place, form, f) && !within(place, f, form)) return false;
  return true;
}

/* Is it wrong as well, for the same reason if that can be told? */
static bool stays_wrong(struct search *s, const unsigned *forms, const void **why) {
  enum repair_answer answer = s->problem->recheck(s->problem->context, *why, forms);
  if (answer == REPAIR_UNDECIDED) answer = ask(s, forms, true, why);
  return answer == REPAIR_WRONG;
}

/* As strong as it stays wrong.  Halves of the places first: most have nothing to do with it. */
static void strengthen(struct search *s, unsigned *forms, const void **why, size_t from, size_t to) {
  unsigned *kept = ARENA_ARRAY(s->arena, unsigned, s->problem->place_count);
  memcpy(kept, forms, s->problem->place_count * sizeof *forms);
  for (size_t p = from; p < to; p++)
    for (unsigned f = 0; f < place_of(s, p)->form_count; f++)
      if (is_strongest(place_of(s, p), f) && within(place_of(s, p), forms[p], f)) forms[p] = f;
  if (!memcmp(kept, forms, s->problem->place_count * sizeof *forms)) return;
  if (stays_wrong(s, forms, why)) return;
  memcpy(forms, kept, s->problem->place_count * sizeof *forms);
  if (to - from > 1) {
    strengthen(s, forms, why, from, from + (to - from) / 2);
    strengthen(s, forms, why, from + (to - from) / 2, to);
    return;
  }
  for (unsigned f = 0; f < place_of(s, from)->form_count; f++) {
    if (f == forms[from] || !within(place_of(s, from), forms[from], f)) continue;
    unsigned before = forms[from];
    forms[from] = f;
    if (!stays_wrong(s, forms, why)) forms[from] = before;
  }
}

/* What is undecided is skipped: `why` is NULL. */
static void add_conflict(struct search *s, const void *why) {
  unsigned *forms = ARENA_ARRAY(s->arena, unsigned, s->problem->place_count);
  memcpy(forms, s->best, s->problem->place_count * sizeof *forms);
  if (why) strengthen(s, forms, &why, 0, s->problem->place_count);
  *vec_push(s->arena, &s->conflicts) = (struct repair_conflict){forms, why};
}

/* ---- cheaper choices, one by one ---- */

struct census {
  struct search *s;
  uint64_t count, asked;
  int64_t below;
  bool right; /* one of them is: a conflict spoke against it wrongly */
};

static void census(struct census *c, unsigned *forms, size_t place, int64_t price) {
  struct search *s = c->s;
  if (price >= c->below || c->right || c->count > s->problem->every || s->cut) return;
  if (place == s->problem->place_count) {
    const void *why;
    if (c->count++ >= s->problem->every) return;
    c->asked++;
    if (ask(s, forms, false, &why) == REPAIR_RIGHT) {
      memcpy(s->best, forms, s->problem->place_count * sizeof *forms);
      c->right = true;
    }
    return;
  }
  const struct repair_place *p = place_of(s, place);
  for (unsigned f = 0; f < p->form_count; f++) {
    forms[place] = f;
    census(c, forms, place + 1, price + p->forms[f].price);
  }
}

/* Asks what is cheaper than the answer.  A right one takes its place. */
static void confirm(struct search *s, struct repair_result *result) {
  unsigned *forms = ARENA_ARRAY(s->arena, unsigned, s->problem->place_count + 1);
  for (;;) {
    struct census c = {.s = s, .below = s->found.at[0].price};
    census(&c, forms, 0, 0);
    result->cheaper = c.count;
    result->confirmed = c.asked;
    if (!c.right) return;
    unsigned *kept = ARENA_ARRAY(s->arena, unsigned, s->problem->place_count);
    memcpy(kept, s->best, s->problem->place_count * sizeof *kept);
    s->found.count = 0;
    *vec_push(s->arena, &s->found) = (struct repair_choice){kept, price_of(s, kept)};
  }
}

/* ---- */

static void keep_answer(struct search *s) {
  unsigned *forms = ARENA_ARRAY(s->arena, unsigned, s->problem->place_count);
  memcpy(forms, s->best, s->problem->place_count * sizeof *forms);
  *vec_push(s->arena, &s->found) = (struct repair_choice){forms, s->best_price};
}

struct repair_result repair_search(struct arena *arena, const struct repair_problem *problem) {
  struct search s = {.arena = arena, .problem = problem};
  struct repair_result result = {.complete = true};
  s.first = ARENA_ARRAY(arena, size_t, problem->place_count + 1);
  for (size_t p = 0; p < problem->place_count; p++) {
    s.first[p] = s.form_count;
    s.form_count += problem->places[p].form_count;
  }
  s.best = ARENA_ARRAY(arena, unsigned, problem->place_count + 1);
  while (!s.cut && next_choice(&s)) {
    const void *why = NULL;
    if (!problem->all && s.found.count && s.best_price > s.found.at[0].price) break;
    enum repair_answer answer = ask(&s, s.best, false, &why);
    if (answer != REPAIR_RIGHT) {
      add_conflict(&s, why);
      continue;
    }
    keep_answer(&s);
    if (s.found.count == problem->answers) {
      s.cut = next_choice(&s) && (problem->all || s.best_price == s.found.at[0].price);
      break;
    }
  }
  if (problem->every && !problem->all && s.found.count && !s.cut) confirm(&s, &result);
  gauge_steps(0, NULL);
  result.found = s.found.at;
  result.found_count = s.found.count;
  result.conflicts = s.conflicts.at;
  result.conflict_count = s.conflicts.count;
  result.asked = s.asked;
  result.undecided = s.undecided;
  result.complete = !s.cut && !s.undecided;
  result.few_rare = s.few_rare && result.complete && !s.found.count;
  return result;
}
