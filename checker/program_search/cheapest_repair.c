/* SPDX-License-Identifier: MIT */
/* The cheapest right choice: the cheapest that no conflict known so far speaks against is
 * asked and, where it is wrong, becomes another conflict. */
#include "checker/program_search/cheapest_repair.h"

#include <string.h>

#include "checker/base/progress_gauge.h"
#include "checker/base/vec.h"
#include "checker/program_search/cheapest_choice.h"

enum { MOST_UNDECIDED = 3 };

struct search {
  struct arena *arena;
  const struct repair_problem *problem;
  VEC(struct repair_conflict) conflicts;
  VEC(struct repair_choice) found;
  uint64_t asked, undecided;
  bool cut, few_rare;
  struct choices choices; /* that nothing speaks against */
  unsigned *best;
  int64_t best_price;
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

static struct choices all_choices(struct arena *arena, const struct repair_problem *problem) {
  struct choices choices = {.arena = arena,
                            .place_count = problem->place_count,
                            .most_rare = problem->most_rare,
                            .stopped = problem->stopped,
                            .context = problem->context};
  for (unsigned p = 0; p < problem->place_count; p++)
    for (size_t f = 0; f < problem->places[p].form_count; f++)
      choices_add_form(&choices, p, problem->places[p].forms[f].price, problem->places[p].forms[f].rare);
  return choices;
}

/* Leaves out what is nowhere stronger than a conflict, or (above) what is nowhere weaker than an answer. */
static void leave_out(struct search *s, const unsigned *limit, bool above) {
  VEC(bool) breaks = {0};
  for (size_t p = 0; p < s->problem->place_count; p++) {
    const struct repair_place *place = place_of(s, p);
    for (unsigned f = 0; f < place->form_count; f++)
      *vec_push(s->arena, &breaks) = above ? !within(place, limit[p], f) : !within(place, f, limit[p]);
  }
  choices_add_set(&s->choices, breaks.at);
}

static bool next_choice(struct search *s) {
  struct choice_result result = choices_cheapest(&s->choices, s->best);
  s->best_price = result.price;
  s->few_rare |= result.few_rare;
  s->cut |= result.stopped;
  return result.price >= 0 && !s->cut;
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
  unsigned *kept = ARENA_COPY(s->arena, unsigned, forms, s->problem->place_count);
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
  unsigned *forms = ARENA_COPY(s->arena, unsigned, s->best, s->problem->place_count);
  if (why) strengthen(s, forms, &why, 0, s->problem->place_count);
  *vec_push(s->arena, &s->conflicts) = (struct repair_conflict){forms, why};
  leave_out(s, forms, false);
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
    unsigned *kept = ARENA_COPY(s->arena, unsigned, s->best, s->problem->place_count);
    s->found.count = 0;
    *vec_push(s->arena, &s->found) = (struct repair_choice){kept, price_of(s, kept)};
  }
}

/* ---- */

static void keep_answer(struct search *s) {
  unsigned *forms = ARENA_COPY(s->arena, unsigned, s->best, s->problem->place_count);
  *vec_push(s->arena, &s->found) = (struct repair_choice){forms, s->best_price};
  leave_out(s, forms, true);
}

struct repair_result repair_search(struct arena *arena, const struct repair_problem *problem) {
  struct search s = {.arena = arena, .problem = problem};
  struct repair_result result = {.complete = true};
  s.choices = all_choices(arena, problem);
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
