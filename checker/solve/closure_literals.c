/* SPDX-License-Identifier: MIT */
/* A table of literals by pair for each node that is closed, made when it is first asked for. */
#include "checker/solve/closure_literals.h"

#include <assert.h>
#include <stdlib.h>

#include "checker/base/hash_table.h"

struct closure {
  int *path, *step; /* by pair; 0: none yet */
};

struct closure_literals {
  struct arena *arena;
  const struct formula *f;
  unsigned count;           /* events */
  struct closure *closures; /* by node */
  int *from_read;           /* by pair */
  struct hash_table seen;   /* clauses that were added */
};

void literals_add(struct literals *literals, int literal) {
  if (literal == SAT_TRUE) return;
  for (size_t i = 0; i < literals->list.count; i++)
    if (literals->list.at[i] == literal) return;
  *vec_push(literals->arena, &literals->list) = literal;
}

struct closure_literals *closure_literals_new(struct arena *arena, const struct formula *f,
                                              const struct relation_bounds *bounds, const struct cat_ir *ir) {
  struct closure_literals *names =
      ARENA_MAKE(arena, struct closure_literals, .arena = arena, .f = f, .count = bounds->shape.n);
  names->closures = ARENA_ARRAY(arena, struct closure, ir->node_count + 1);
  names->from_read = ARENA_ARRAY(arena, int, (size_t)names->count * names->count + 1);
  return names;
}

/* ---- Clauses --------------------------------------------------------------------------- */

/* The same for every order. */
static uint64_t hash_of(const struct literals *literals) {
  uint64_t sum = literals->list.count;
  for (size_t i = 0; i < literals->list.count; i++)
    sum += hash_bytes(&literals->list.at[i], sizeof literals->list.at[i]);
  return sum;
}

static bool is_new(struct closure_literals *names, const struct literals *literals) {
  return hash_is_new(names->arena, &names->seen, hash_of(literals));
}

/* All of the literals together lead to `then`. */
static void add_implication(struct closure_literals *names, const struct literals *literals, int then) {
  size_t count = literals->list.count;
  int *clause = malloc((count + 1) * sizeof *clause);
  if (!clause) arena_out_of_memory();
  for (size_t i = 0; i < count; i++) clause[i] = -literals->list.at[i];
  clause[count] = then;
  sat_clause(names->f->sat, clause, count + 1);
  free(clause);
}

void closure_literals_learn(struct closure_literals *names, const struct literals *literals) {
  /* Each is so in the answer that is ruled out, or has got its name since. */
  for (size_t i = 0; i < literals->list.count; i++) assert(sat_agrees(names->f->sat, literals->list.at[i]));
  if (is_new(names, literals)) add_implication(names, literals, SAT_FALSE);
}

/* ---- Closures ----------------------------------------------------------------------------- */

static int *at_pair(const struct closure_literals *names, int *table, unsigned a, unsigned b) {
  return &table[(size_t)a * names->count + b];
}

static struct closure *closure_of(struct closure_literals *names, uint32_t node) {
  struct closure *closure = &names->closures[node];
  size_t pairs = (size_t)names->count * names->count;
  if (!closure->path) closure->path = ARENA_ARRAY(names->arena, int, pairs);
  if (!closure->step) closure->step = ARENA_ARRAY(names->arena, int, pairs);
  return closure;
}

static bool compatible(const struct closure_literals *names, unsigned a, unsigned b) {
  return tree_compatible(names->f->tree, a, b);
}

static int path_literal(struct closure_literals *names, struct closure *closure, unsigned a, unsigned b);

/* A path that is there goes on by a step that is. */
static void extend(struct closure_literals *names, struct closure *closure, unsigned a, unsigned b, unsigned c) {
  int path = *at_pair(names, closure->path, a, b), step = *at_pair(names, closure->step, b, c);
  if (path && step && compatible(names, a, c))
    sat_clause_3(names->f->sat, -path, -step, path_literal(names, closure, a, c));
}

/* The name of a pair, with the steps that go on from it. */
static int path_literal(struct closure_literals *names, struct closure *closure, unsigned a, unsigned b) {
  int *path = at_pair(names, closure->path, a, b);
  if (*path) return *path;
  *path = sat_variable(names->f->sat);
  int step = *at_pair(names, closure->step, a, b);
  if (step) sat_clause_2(names->f->sat, -step, *path);
  for (unsigned c = 0; c < names->count; c++) extend(names, closure, a, b, c);
  return *path;
}

void closure_literals_step(struct closure_literals *names, uint32_t node, unsigned a, unsigned b,
                           const struct literals *literals) {
  struct closure *closure = closure_of(names, node);
  int *step = at_pair(names, closure->step, a, b);
  if (!*step) {
    *step = sat_variable(names->f->sat);
    int path = *at_pair(names, closure->path, a, b);
    sat_clause_2(names->f->sat, -*step, path ? path : path_literal(names, closure, a, b));
    for (unsigned e = 0; e < names->count; e++) extend(names, closure, e, a, b);
  }
  struct literals whole = {.arena = literals->arena};
  for (size_t i = 0; i < literals->list.count; i++) literals_add(&whole, literals->list.at[i]);
  literals_add(&whole, -*step);
  if (is_new(names, &whole)) add_implication(names, literals, *step);
}

int closure_literals_path(struct closure_literals *names, uint32_t node, unsigned a, unsigned b) {
  return path_literal(names, closure_of(names, node), a, b);
}

int closure_literals_from_read(struct closure_literals *names, unsigned read, unsigned write) {
  const struct formula *f = names->f;
  int *name = at_pair(names, names->from_read, read, write);
  if (*name) return *name;
  *name = sat_variable(f->sat);
  for (unsigned i = f->first_source[read]; i < f->first_source[read + 1]; i++) {
    const struct source_edge *edge = &f->sources.at[i];
    int order = edge->write == write ? 0 : formula_order(f, edge->write, write);
    if (order) sat_clause_3(f->sat, -edge->literal, -order, *name);
  }
  return *name;
}
