/* SPDX-License-Identifier: MIT */
/* See proven_axioms.h.  A read under one source is a *case*; bounds are updated once for
 * each, from one level.
 */
#include "checker/exec/deductions/proven_axioms.h"

#include <assert.h>

#include "checker/cat/node_operators.h"

/* Completions for each case, from which on the trouble pays. */
enum { WORTHWHILE = 16 };

struct read_case {
  unsigned read, source;
};

struct certainty {
  const struct frames *all;
  const struct frame *frame;
  const struct plan *plan;
  struct bounds *bounds;
  const bool *open; /* by event: a read that has several sources */
  struct read_case *cases;
  unsigned count;
  uint32_t axioms;
  word **upper; /* by axiom and case: the upper bound of its value; NULL: the axiom is not open */
  size_t words; /* of each */
};

static void list_cases(struct arena *arena, struct certainty *c) {
  unsigned n = c->all->shape.n, w = c->all->shape.w;
  bool *open = ARENA_ARRAY(arena, bool, n);
  for (unsigned r = 0; r < n; r++) {
    const word *sources = frame_sources(c->all, c->frame, r);
    open[r] = c->all->structure->events[r].kind == EVENT_READ && !set_single(w, sources);
    if (open[r]) c->count += (unsigned)words_popcount(w, sources);
  }
  c->open = open;
  c->cases = ARENA_ARRAY(arena, struct read_case, c->count);
  c->count = 0;
  for (unsigned r = 0; r < n; r++) {
    if (!open[r]) continue;
    SET_EACH (write, w, frame_sources(c->all, c->frame, r)) c->cases[c->count++] = (struct read_case){r, write};
  }
}

static size_t words_of(const struct certainty *c, const struct cat_check *axiom) {
  return node_words(c->all->shape, c->plan->ir->nodes[axiom->node].type);
}

/* The frame's choices, but for one read, which sees one write. */
static void evaluate(const struct certainty *c, unsigned k, struct partial *p) {
  struct shape s = c->all->shape;
  unsigned read = c->cases[k].read;
  size_t words = rel_words(s);
  words_copy(words, p->lo[CHOICE_RF], c->frame->p.lo[CHOICE_RF]);
  words_copy(words, p->up[CHOICE_RF], c->frame->p.up[CHOICE_RF]);
  for (unsigned w = 0; w < s.n; w++) rel_drop(s, p->up[CHOICE_RF], w, read);
  rel_add(s, p->up[CHOICE_RF], c->cases[k].source, read);
  rel_add(s, p->lo[CHOICE_RF], c->cases[k].source, read);
  struct bounds_level *level = bounds_push(c->bounds, bounds_root_level(c->bounds));
  (void)bounds_update(c->bounds, level, p); /* a case that fails has an upper bound too, and it is no proof */
  for (uint32_t a = 0; a < c->axioms; a++)
    if (c->upper[a])
      words_copy(words_of(c, bounds_open_axiom(c->bounds, a)), c->upper[a] + k * c->words,
                 bounds_upper(c->bounds, level, a));
}

static void evaluate_cases(struct arena *arena, struct certainty *c) {
  struct partial p = c->frame->p;
  p.lo[CHOICE_RF] = ARENA_ARRAY(arena, word, rel_words(c->all->shape));
  p.up[CHOICE_RF] = ARENA_ARRAY(arena, word, rel_words(c->all->shape));
  c->axioms = bounds_check_total(c->bounds);
  c->words = rel_words(c->all->shape);
  c->upper = ARENA_ARRAY(arena, word *, c->axioms);
  for (uint32_t a = 0; a < c->axioms; a++)
    if (bounds_open_axiom(c->bounds, a)) c->upper[a] = ARENA_ARRAY(arena, word, c->count * c->words);
  for (unsigned k = 0; k < c->count; k++) evaluate(c, k, &p);
}

/* What some case of every read allows. */
static void combine(const struct certainty *c, const word *upper, size_t words, word *both) {
  assert(words); /* a read and what it reads from are events */
  word any[words];
  for (unsigned k = 0; k < c->count;) {
    unsigned read = c->cases[k].read;
    bool first = k == 0;
    words_clear(words, any);
    for (; k < c->count && c->cases[k].read == read; k++) words_or(words, any, any, upper + k * c->words);
    if (first)
      words_copy(words, both, any);
    else
      words_and(words, both, both, any);
  }
}

/* The graph in which a read is a node for each of its sources, after all events. */
static void split_case(const struct certainty *c, const word *upper, unsigned k, struct shape s, word *graph) {
  struct shape from = c->all->shape;
  unsigned read = c->cases[k].read, node = from.n + k;
  const word *mine = upper + k * c->words;
  for (unsigned e = 0; e < from.n; e++) {
    if (c->open[e]) continue;
    if (rel_has(from, mine, read, e)) rel_add(s, graph, node, e);
    if (rel_has(from, mine, e, read)) rel_add(s, graph, e, node);
  }
  for (unsigned l = 0; l < c->count; l++) {
    unsigned other = c->cases[l].read;
    if ((other != read || l == k) && rel_has(from, mine, read, other) &&
        rel_has(from, upper + l * c->words, read, other))
      rel_add(s, graph, node, from.n + l);
  }
}

static bool splits_acyclic(struct arena *arena, const struct certainty *c, const word *upper, const word *both) {
  struct shape from = c->all->shape, s = shape_of(from.n + c->count);
  word *graph = ARENA_ARRAY(arena, word, rel_words(s)), *scratch = ARENA_ARRAY(arena, word, s.w);
  for (unsigned a = 0; a < from.n; a++)
    for (unsigned b = 0; b < from.n; b++)
      if (!c->open[a] && !c->open[b] && rel_has(from, both, a, b)) rel_add(s, graph, a, b);
  for (unsigned k = 0; k < c->count; k++) split_case(c, upper, k, s, graph);
  return node_check(s, CHECK_ACYCLIC, CAT_REL, graph, scratch);
}

static bool holds(struct arena *arena, const struct certainty *c, uint32_t a) {
  const struct cat_check *axiom = bounds_open_axiom(c->bounds, a);
  size_t words = words_of(c, axiom);
  word *both = ARENA_ARRAY(arena, word, words), *scratch = ARENA_ARRAY(arena, word, c->all->shape.w);
  if (axiom->negated) return false;
  combine(c, c->upper[a], words, both);
  if (node_check(c->all->shape, axiom->kind, c->plan->ir->nodes[axiom->node].type, both, scratch)) return true;
  return axiom->kind == CHECK_ACYCLIC && splits_acyclic(arena, c, c->upper[a], both);
}

bool axioms_proven(struct arena *arena, const struct frames *all, const struct frame *f, const struct plan *plan,
                   const bool *skip, double below) {
  struct certainty c = {.all = all, .frame = f, .plan = plan};
  list_cases(arena, &c);
  if (!c.count || below < WORTHWHILE * (double)c.count) return false;
  const struct execution *structure = &all->structure->execution;
  c.bounds = bounds_new(arena, bounds_constants_new(arena, plan, structure, skip, BOUNDS_PROVE), &f->p);
  if (bounds_root_status(c.bounds) == BOUNDS_FAIL) return false;
  evaluate_cases(arena, &c);
  for (uint32_t a = 0; a < c.axioms; a++)
    if (c.upper[a] && !holds(arena, &c, a)) return false;
  return true;
}
