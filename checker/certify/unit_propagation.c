/* SPDX-License-Identifier: MIT */
/* Unit propagation over clauses two literals of which are watched; what is found where nothing is assumed stays. */
#include "checker/certify/check_solver_proof.h"

struct clause {
  struct clause *next[2]; /* with the same watched literal: the first, the second */
  unsigned count;
  int literals[];
};

static struct {
  struct clause **watched; /* by literal */
  signed char *value;      /* by variable: 1, -1, 0 not known */
  int *trail;
  unsigned count, done;
  bool contradiction;
} known;

static unsigned place(int literal) {
  return literal < 0 ? 2 * (unsigned)-literal + 1 : 2 * (unsigned)literal;
}

static int value_of_literal(int literal) {
  return literal < 0 ? -known.value[-literal] : known.value[literal];
}

static void assign(int literal) {
  known.value[literal < 0 ? -literal : literal] = literal < 0 ? -1 : 1;
  known.trail[known.count++] = literal;
}

void clauses_begin(void) {
  known.watched = make((2 * MOST_VARIABLES + 2) * sizeof(struct clause *));
  known.value = make(MOST_VARIABLES + 1);
  known.trail = make((MOST_VARIABLES + 1) * sizeof(int));
  known.count = known.done = 0;
  known.contradiction = false;
}

static void watch(struct clause *c, unsigned which) {
  struct clause **list = &known.watched[place(c->literals[which])];
  c->next[which] = *list;
  *list = c;
}

/* Another literal to watch in place of one that has become false; false: there is none. */
static bool move_watch(struct clause *c, unsigned which) {
  for (unsigned k = 2; k < c->count; k++) {
    int literal = c->literals[k];
    if (value_of_literal(literal) < 0) continue;
    c->literals[k] = c->literals[which];
    c->literals[which] = literal;
    watch(c, which);
    return true;
  }
  return false;
}

/* False: a clause has no literal left. */
static bool propagate(void) {
  while (known.done < known.count) {
    int gone = -known.trail[known.done++];
    struct clause *at = known.watched[place(gone)], *next;
    known.watched[place(gone)] = NULL;
    for (; at; at = next) {
      unsigned which = at->literals[0] != gone;
      int other = at->literals[!which];
      next = at->next[which];
      if (value_of_literal(other) <= 0 && move_watch(at, which)) continue;
      watch(at, which);
      if (value_of_literal(other) > 0) continue;
      if (!value_of_literal(other)) {
        assign(other);
        continue;
      }
      while (next) { /* the others go on watching it */
        struct clause *rest = next;
        unsigned side = rest->literals[0] != gone;
        next = rest->next[side];
        watch(rest, side);
      }
      return false;
    }
  }
  return true;
}

void clause_add(const int *literals, unsigned count) {
  size_t mark = memory_mark();
  struct clause *c = make(sizeof *c + count * sizeof *literals);
  for (unsigned i = 0; i < count; i++) {
    bool again = value_of_literal(literals[i])<0, always = value_of_literal(literals[i])> 0;
    for (unsigned k = 0; k < c->count; k++) {
      again |= c->literals[k] == literals[i];
      always |= c->literals[k] == -literals[i];
    }
    if (always) return memory_drop(mark);
    if (!again) c->literals[c->count++] = literals[i];
  }
  if (c->count > 1) {
    watch(c, 0);
    watch(c, 1);
    return;
  }
  if (c->count) assign(c->literals[0]);
  known.contradiction |= !c->count || !propagate();
  memory_drop(mark);
}

bool clause_follows(const int *literals, unsigned count) {
  unsigned mark = known.count;
  bool follows = known.contradiction;
  for (unsigned i = 0; i < count && !follows; i++) {
    follows = value_of_literal(literals[i]) > 0;
    if (!value_of_literal(literals[i])) assign(-literals[i]);
  }
  follows = follows || !propagate();
  while (known.count > mark) {
    int literal = known.trail[--known.count];
    known.value[literal < 0 ? -literal : literal] = 0;
  }
  known.done = mark;
  return follows;
}

bool clauses_contradict(void) {
  return known.contradiction;
}
