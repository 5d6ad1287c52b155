/* SPDX-License-Identifier: MIT */
/* Branch and bound.  Of a place's forms only those count that none before them betters, by
 * being in all of its sets for no more.  A node leaves each place some of them, and has
 * the cheapest of these: if they miss a set, the first place to have one of it is this, or
 * that, ... They cost at least as much more as sets that have no place in common. */
#include "checker/program_search/cheapest_choice.h"

#include <string.h>

enum { WORD = 64 };

void choices_add_form(struct choices *c, unsigned place, int64_t price, bool rare) {
  const struct choice_form *last = c->forms.count ? &c->forms.at[c->forms.count - 1] : NULL;
  unsigned number = last && last->place == place ? last->number + 1 : 0;
  *vec_push(c->arena, &c->forms) = (struct choice_form){place, number, price, rare};
}

void choices_add_set(struct choices *c, const bool *in) {
  if (c->set_count % WORD == 0) *vec_push(c->arena, &c->in) = ARENA_ARRAY(c->arena, uint64_t, c->forms.count + 1);
  for (size_t f = 0; f < c->forms.count; f++)
    if (in[f]) c->in.at[c->set_count / WORD][f] |= UINT64_C(1) << c->set_count % WORD;
  c->set_count++;
}

struct search {
  const struct choices *c;
  struct arena *arena;
  const struct choice_form **forms; /* that count */
  size_t form_count;
  VEC(size_t) * sets; /* by set: its forms, as numbers in `forms` */
  VEC(bool *) left;   /* by depth: by form */
  size_t *cheapest;   /* of the node: by place */
  bool *counted;      /* places */
  unsigned *best;     /* by place */
  struct choice_result result;
};

static bool is_in(const struct search *s, const struct choice_form *form, size_t set) {
  return s->c->in.at[set / WORD][form - s->c->forms.at] >> set % WORD & 1;
}

static bool betters(const struct choices *c, const struct choice_form *a, const struct choice_form *b) {
  if (a->price > b->price || a->rare > b->rare) return false;
  for (size_t i = 0; i < c->in.count; i++)
    if (c->in.at[i][b - c->forms.at] & ~c->in.at[i][a - c->forms.at]) return false;
  return true;
}

static void find_forms(struct search *s) {
  for (size_t f = 0, first = 0; f < s->c->forms.count; f++) {
    const struct choice_form *form = &s->c->forms.at[f];
    bool worse = false;
    if (!form->number) first = s->form_count;
    for (size_t i = first; i < s->form_count && !worse; i++) worse = betters(s->c, s->forms[i], form);
    if (worse) continue;
    for (size_t k = 0; k < s->c->set_count; k++)
      if (is_in(s, form, k)) *vec_push(s->arena, &s->sets[k]) = s->form_count;
    s->forms[s->form_count++] = form;
  }
}

/* Finds what is cheapest of what a node leaves; -1: some place has nothing, or too many have rare forms. */
static int64_t find_cheapest(struct search *s, const bool *left) {
  size_t place = 0, rare = 0;
  int64_t price = 0;
  for (size_t f = 0; f < s->form_count; place++) {
    size_t best = s->form_count;
    for (; f < s->form_count && s->forms[f]->place == place; f++)
      if (left[f] && (best == s->form_count || s->forms[f]->price < s->forms[best]->price)) best = f;
    if (best == s->form_count) return -1;
    s->cheapest[place] = best;
    price += s->forms[best]->price;
    if (s->forms[best]->rare) rare++;
  }
  s->result.few_rare |= rare > s->c->most_rare;
  return place == s->c->place_count && rare <= s->c->most_rare ? price : -1;
}

/* How many forms a node leaves to have one of a set, 0 if the cheapest do; and how much more it costs, if none of their
 * places has been counted; they are now. */
static size_t weigh_set(struct search *s, const bool *left, size_t set, int64_t *price) {
  size_t count = 0;
  int64_t least = INT64_MAX;
  bool apart = true;
  for (size_t i = 0; i < s->sets[set].count; i++) {
    size_t f = s->sets[set].at[i], place = s->forms[f]->place;
    int64_t more = s->forms[f]->price - s->forms[s->cheapest[place]]->price;
    if (!left[f]) continue;
    count++;
    least = more < least ? more : least;
    apart &= !s->counted[place];
  }
  for (size_t i = 0; i < s->sets[set].count && apart; i++)
    s->counted[s->forms[s->sets[set].at[i]]->place] |= left[s->sets[set].at[i]];
  if (apart && count) *price += least;
  return count;
}

/* Of the sets that the cheapest miss the one that leaves least to choose from, the latest of several; `set_count`: they
 * miss none.  Adds to *price what having all of them costs at least; -1: it cannot be. */
static size_t missed_set(struct search *s, const bool *left, int64_t *price) {
  size_t smallest = s->c->set_count, least = SIZE_MAX;
  memset(s->counted, 0, s->c->place_count * sizeof *s->counted);
  for (size_t k = s->c->set_count; k-- > 0 && least;) {
    bool met = false;
    for (size_t p = 0; p < s->c->place_count && !met; p++) met = is_in(s, s->forms[s->cheapest[p]], k);
    size_t count = met ? SIZE_MAX : weigh_set(s, left, k, price);
    if (count < least) least = count, smallest = k;
  }
  if (!least) *price = -1;
  return smallest;
}

static bool is_too_dear(const struct search *s, int64_t price) {
  return price < 0 || (s->result.price >= 0 && price >= s->result.price);
}

static bool *left_at(struct search *s, size_t depth) {
  if (depth == s->left.count) *vec_push(s->arena, &s->left) = ARENA_ARRAY(s->arena, bool, s->form_count + 1);
  return s->left.at[depth];
}

static void descend(struct search *s, size_t depth) {
  const struct choices *c = s->c;
  bool *left = s->left.at[depth], *next = left_at(s, depth + 1);
  int64_t price = find_cheapest(s, left);
  if (is_too_dear(s, price) || s->result.stopped) return;
  s->result.stopped = c->stopped && c->stopped(c->context);
  size_t set = missed_set(s, left, &price);
  if (is_too_dear(s, price)) return;
  if (set == c->set_count) {
    for (size_t p = 0; p < c->place_count; p++) s->best[p] = s->forms[s->cheapest[p]]->number;
    s->result.price = price;
    return;
  }
  for (size_t i = 0; i < s->sets[set].count; i++) {
    size_t place = s->forms[s->sets[set].at[i]]->place;
    if (i && s->forms[s->sets[set].at[i - 1]]->place == place) continue;
    for (size_t f = 0; f < s->form_count; f++) {
      bool here = s->forms[f]->place == place, in = here && is_in(s, s->forms[f], set);
      next[f] = left[f] && (in || !here);
      left[f] &= !in;
    }
    descend(s, depth + 1);
  }
}

struct choice_result choices_cheapest(const struct choices *c, unsigned *chosen) {
  struct search s = {.c = c, .arena = arena_new(), .best = chosen, .result.price = -1};
  s.forms = ARENA_ARRAY(s.arena, const struct choice_form *, c->forms.count + 1);
  s.sets = arena_array(s.arena, c->set_count + 1, sizeof *s.sets);
  s.counted = ARENA_ARRAY(s.arena, bool, c->place_count + 1);
  s.cheapest = ARENA_ARRAY(s.arena, size_t, c->place_count + 1);
  find_forms(&s);
  memset(left_at(&s, 0), true, s.form_count);
  descend(&s, 0);
  arena_free(s.arena);
  return s.result;
}
