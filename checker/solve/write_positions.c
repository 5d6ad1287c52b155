/* SPDX-License-Identifier: MIT */
/* For each write and place: is the write there or before?  Then pairs in order have places in order, and each place
 * has a write. */
#include "checker/solve/write_positions.h"

struct table {
  const struct formula *f;
  const unsigned *writes;
  unsigned count;
  int *up_to; /* by write, then place from 0 to count: it is there or before */
};

static int up_to(const struct table *t, unsigned write, unsigned place) {
  return t->up_to[write * (t->count + 1) + place];
}

static int is_at(const struct table *t, unsigned write, unsigned place) {
  return sat_and(t->f->sat, up_to(t, write, place), -up_to(t, write, place - 1));
}

static void add_places(struct table *t) {
  struct sat *sat = t->f->sat;
  for (unsigned w = 0; w < t->count; w++)
    for (unsigned k = 0; k <= t->count; k++) {
      t->up_to[w * (t->count + 1) + k] = k == 0 ? SAT_FALSE : k == t->count ? SAT_TRUE : sat_variable(sat);
      if (k) sat_clause_2(sat, -up_to(t, w, k - 1), up_to(t, w, k));
    }
  for (unsigned w = 0; w < t->count; w++)
    for (unsigned v = 0; v < t->count; v++)
      for (unsigned k = 1; v != w && k <= t->count; k++)
        sat_clause_3(sat, -formula_order(t->f, t->writes[w], t->writes[v]), -up_to(t, v, k), up_to(t, w, k - 1));
}

static bool same_bits(struct bits a, struct bits b) {
  bool same = a.count == b.count;
  for (unsigned i = 0; same && i < a.count; i++) same = a.at[i] == b.at[i];
  return same;
}

/* What the location holds after a place, where before it it held `before`: what each write would make of that, if
 * that is one thing, else it depends on the write. */
static struct bits held_behind(struct arena *arena, const struct table *t, const bool *follows, const int *here,
                               struct bits before) {
  const struct formula *f = t->f;
  struct bits *made = ARENA_ARRAY(arena, struct bits, t->count), held;
  unsigned width = 1;
  bool same = true;
  for (unsigned w = 0; w < t->count; w++) {
    unsigned write = t->writes[w];
    made[w] = follows[w] ? formula_value_if(f, write, write - 1, before) : f->value[write];
    same &= same_bits(made[w], made[0]);
    if (made[w].count > width) width = made[w].count;
  }
  held = same ? made[0] : bits_variable(arena, f->sat, width);
  for (unsigned w = 0; w < t->count; w++) {
    if (!same) bits_require_equal(f->sat, here[w], held, made[w]);
    bits_require_equal(f->sat, here[w], held, f->value[t->writes[w]]);
    if (follows[w]) bits_require_equal(f->sat, here[w], before, f->value[t->writes[w] - 1]);
  }
  return held;
}

void positions_add(struct arena *arena, const struct formula *f, const unsigned *writes, unsigned count,
                   const bool *follows) {
  struct table t = {f, writes, count, ARENA_ARRAY(arena, int, (size_t)count *(count + 1))};
  int *here = ARENA_ARRAY(arena, int, count);
  unsigned initial = 0;
  while (f->tree->events.at[initial].event.location != f->tree->events.at[writes[0]].event.location) initial++;
  struct bits held = f->value[initial];
  add_places(&t);
  for (unsigned k = 1; k <= count; k++) {
    for (unsigned w = 0; w < count; w++) here[w] = is_at(&t, w, k);
    sat_clause(f->sat, here, count);
    held = held_behind(arena, &t, follows, here, held);
  }
}
