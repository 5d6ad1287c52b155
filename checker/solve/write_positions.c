/* SPDX-License-Identifier: MIT */
/* For each write and place: is the write executed, and there or before?  Then pairs in order have places in order, and
 * places are filled from the first on. */
#include "checker/solve/write_positions.h"

static const double MOST_CLAUSES = 2e6;

struct table {
  const struct formula *f;
  const unsigned *writes;
  unsigned count;
  unsigned least, most; /* writes in one execution: so many places are filled in any case; there are places */
  int *up_to;           /* by write, then place from 0 to most: it is there or before */
};

static int up_to(const struct table *t, unsigned write, unsigned place) {
  return t->up_to[write * (t->most + 1) + place];
}

static int is_at(const struct table *t, unsigned write, unsigned place) {
  return sat_and(t->f->sat, up_to(t, write, place), -up_to(t, write, place - 1));
}

/* How many of the writes the paths of each thread have, at least and at most. */
static void count_places(struct arena *arena, struct table *t) {
  const struct tree *tree = t->f->tree;
  const bool *possible = formula_possible(t->f);
  bool *counted = ARENA_ARRAY(arena, bool, tree->events.count + 1);
  for (unsigned w = 0; w < t->count; w++) counted[t->writes[w]] = true;
  for (unsigned thread = 0; thread < tree->program->thread_count; thread++) {
    struct tree_count count = tree_count(arena, tree, thread, counted, possible);
    t->least += count.least;
    t->most += count.most;
  }
}

static void add_places(struct table *t) {
  struct sat *sat = t->f->sat;
  for (unsigned w = 0; w < t->count; w++)
    for (unsigned k = 0; k <= t->most; k++) {
      int executed = formula_executed(t->f, t->writes[w]);
      t->up_to[w * (t->most + 1) + k] = k == 0 ? SAT_FALSE : k == t->most ? executed : sat_variable(sat);
      if (k) sat_clause_2(sat, -up_to(t, w, k - 1), up_to(t, w, k));
    }
  for (unsigned w = 0; w < t->count; w++)
    for (unsigned v = 0; v < t->count; v++) {
      int order = formula_order(t->f, t->writes[w], t->writes[v]), executed = formula_executed(t->f, t->writes[w]);
      for (unsigned k = 1; v != w && order && k <= t->most; k++)
        sat_clause(sat, (const int[]){-executed, -order, -up_to(t, v, k), up_to(t, w, k - 1)}, 4);
    }
}

/* Is there a write at the place whose literals are `here`? */
static int is_filled(const struct table *t, const int *here, unsigned place) {
  int none = SAT_TRUE;
  if (place > t->least) {
    for (unsigned w = 0; w < t->count; w++) none = sat_and(t->f->sat, none, -here[w]);
    return -none;
  }
  sat_clause(t->f->sat, here, t->count);
  return SAT_TRUE;
}

static bool same_bits(struct bits a, struct bits b) {
  bool same = a.count == b.count;
  for (unsigned i = 0; same && i < a.count; i++) same = a.at[i] == b.at[i];
  return same;
}

/* What the location holds after a place, where before it it held `before`: what each write would make of that, if
 * that is one thing, else it depends on the write. */
static struct bits held_behind(struct arena *arena, const struct table *t, const bool *follows, const int *here,
                               int filled, struct bits before) {
  const struct formula *f = t->f;
  struct bits *made = ARENA_ARRAY(arena, struct bits, t->count), held;
  unsigned width = before.count;
  bool same = filled == SAT_TRUE;
  for (unsigned w = 0; w < t->count; w++) {
    unsigned write = t->writes[w];
    made[w] = follows[w] ? formula_value_if(f, write, write - 1, before) : f->value[write];
    same &= same_bits(made[w], made[0]);
    if (made[w].count > width) width = made[w].count;
  }
  held = same ? made[0] : bits_variable(arena, f->sat, width);
  bits_require_equal(f->sat, -filled, held, before);
  for (unsigned w = 0; w < t->count; w++) {
    if (!same) bits_require_equal(f->sat, here[w], held, made[w]);
    bits_require_equal(f->sat, here[w], held, f->value[t->writes[w]]);
    if (follows[w]) bits_require_equal(f->sat, here[w], before, f->value[t->writes[w] - 1]);
  }
  return held;
}

void positions_add(struct arena *arena, const struct formula *f, const unsigned *writes, unsigned count,
                   const bool *follows) {
  struct table t = {.f = f, .writes = writes, .count = count};
  count_places(arena, &t);
  if ((double)count * count * t.most > MOST_CLAUSES) return;
  t.up_to = ARENA_ARRAY(arena, int, (size_t)count *(t.most + 1));
  int *here = ARENA_ARRAY(arena, int, count), filled = SAT_TRUE;
  unsigned initial = 0;
  while (f->tree->events.at[initial].event.location != f->tree->events.at[writes[0]].event.location) initial++;
  struct bits held = f->value[initial];
  add_places(&t);
  for (unsigned k = 1; k <= t.most; k++) {
    int before = filled;
    for (unsigned w = 0; w < count; w++) here[w] = is_at(&t, w, k);
    filled = is_filled(&t, here, k);
    sat_clause_2(f->sat, -filled, before);
    held = held_behind(arena, &t, follows, here, filled, held);
  }
}
