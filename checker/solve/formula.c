/* SPDX-License-Identifier: MIT */
/* Paths, values, sources and orders of writes as clauses; the quadratic ones (of several children, of several sources
 * only one) and the cubic ones (no circle of three writes) are written out. */
#include "checker/solve/formula.h"

#include "checker/program/shared_subexpressions.h"
#include "checker/solve/quorum_barriers.h"
#include "checker/solve/sc_fence_clauses.h"
#include "checker/solve/value_ranges.h"

static const struct event *event_at(const struct formula *f, unsigned event) {
  return &f->tree->events.at[event].event;
}

static bool compatible(const struct formula *f, unsigned a, unsigned b) {
  return tree_compatible(f->tree, a, b);
}

/* ---- Paths ------------------------------------------------------------------------- */

static int leaf_literal(const struct formula *f, enum thread_end end) {
  int none = SAT_TRUE;
  for (size_t i = 0; i < f->tree->nodes.count; i++)
    if (f->tree->nodes.at[i].end == end) none = sat_and(f->sat, none, -f->taken[i]);
  return -none;
}

/* Exactly one child of an open node that is taken, or of those from which its thread goes on alike. */
static void choose_child(struct formula *f, int node) {
  const struct tree_node *nodes = f->tree->nodes.at;
  VEC(int) some = {0}, alike = {0};
  for (int i = node; i != TREE_NONE; i = nodes[i].next_alike) *vec_push(f->arena, &alike) = f->taken[i];
  int *missing = vec_push(f->arena, &alike);
  for (int i = nodes[node].first_child; i != TREE_NONE; i = nodes[i].next_child) {
    *missing = -f->taken[i];
    sat_clause(f->sat, alike.at, alike.count);
    for (size_t k = 0; k < some.count; k++) sat_clause_2(f->sat, -f->taken[i], -some.at[k]);
    *vec_push(f->arena, &some) = f->taken[i];
  }
  int *taken = vec_push(f->arena, &some);
  for (int i = node; i != TREE_NONE; i = nodes[i].next_alike) {
    *taken = -f->taken[i];
    sat_clause(f->sat, some.at, some.count);
  }
}

static void add_paths(struct formula *f, const bool *possible) {
  const struct tree *tree = f->tree;
  for (size_t i = 0; i < tree->nodes.count; i++)
    f->taken[i] = !possible[i] ? SAT_FALSE : tree->nodes.at[i].certain ? SAT_TRUE : sat_variable(f->sat);
  for (size_t i = 0; i < tree->nodes.count; i++)
    if (tree->nodes.at[i].end == THREAD_OPEN && tree->nodes.at[i].goes_on == (int)i) choose_child(f, (int)i);
  f->cut = leaf_literal(f, THREAD_CUT);
  f->undefined = leaf_literal(f, THREAD_UNDEFINED);
  f->ended = f->undefined_ends ? -f->cut : sat_and(f->sat, -f->cut, -f->undefined);
}

const bool *formula_possible(const struct formula *f) {
  bool *possible = ARENA_ARRAY(f->arena, bool, f->tree->nodes.count + 1);
  for (size_t i = 0; i < f->tree->nodes.count; i++) possible[i] = f->taken[i] != SAT_FALSE;
  return possible;
}

void formula_add_executed(struct formula *f) {
  unsigned threads = f->tree->program->thread_count;
  const bool *possible = formula_possible(f);
  const word **always = ARENA_ARRAY(f->arena, const word *, threads + 1u);
  for (unsigned t = 0; t < threads; t++) always[t] = tree_always(f->arena, f->tree, t, possible);
  for (unsigned e = 0; e < f->tree->events.count; e++) {
    const struct tree_event *event = &f->tree->events.at[e];
    int none = SAT_TRUE;
    for (size_t i = 0; i < event->nodes.count; i++) none = sat_and(f->sat, none, -f->taken[event->nodes.at[i]]);
    f->executed[e] = event->node == TREE_NONE ? SAT_TRUE : -none;
    if (event->nodes.count < 2 || !set_has(always[event->event.thread], e)) continue;
    sat_clause(f->sat, (const int[]){-none}, 1);
    f->executed[e] = SAT_TRUE;
  }
}

/* ---- Values ------------------------------------------------------------------------- */

/* Of parts of an expression, the values that have been written out. */
struct known_values {
  struct shared_subexpressions parts;
  VEC(struct bits) bits; /* by number of the part */
};

/* Expressions share parts, which are written out once. */
static struct bits value_with(const struct formula *f, const struct tree_node *node, struct known_values *known,
                              const struct expr *e) {
  if (e->kind == EXPR_CONST) return bits_constant(f->arena, e->value);
  if (e->kind == EXPR_REG) return f->value[node->events[e->reg]];
  if (!known->parts.arena) known->parts.arena = arena_new();
  bool again;
  uint32_t at = shared_subexpression(&known->parts, e, &again);
  if (again) return known->bits.at[at];
  vec_push(known->parts.arena, &known->bits);
  struct bits a = value_with(f, node, known, e->a), none = {0, NULL};
  struct bits b = e->b ? value_with(f, node, known, e->b) : none, c = e->c ? value_with(f, node, known, e->c) : none;
  struct bits bits = bits_apply(f->arena, f->sat, e->kind, a, b, c);
  return known->bits.at[at] = bits;
}

static struct bits value_of(const struct formula *f, const struct tree_node *node, const struct expr *e) {
  struct known_values known = {.parts = {.arena = NULL}};
  struct bits bits = value_with(f, node, &known, e);
  if (known.parts.arena) arena_free(known.parts.arena);
  return bits;
}

/* What the event writes on each of the paths that have it. */
static struct bits add_differing(struct formula *f, unsigned event, struct range range) {
  const struct tree_event *e = &f->tree->events.at[event];
  struct bits value = bits_variable(f->arena, f->sat, range_bits(range));
  for (size_t i = 0; i < e->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[e->nodes.at[i]];
    unsigned k = node->first_event;
    while (node->events[k] != event) k++;
    int taken = f->taken[e->nodes.at[i]];
    if (taken != SAT_FALSE) bits_require_equal(f->sat, taken, value, value_of(f, node, node->path->events[k].value));
  }
  return value;
}

static void add_values(struct formula *f, const struct range *ranges) {
  const struct tree *tree = f->tree;
  for (unsigned i = 0; i < tree->events.count; i++) {
    const struct tree_event *e = &tree->events.at[i];
    if (e->event.kind == EVENT_READ || !e->own)
      f->value[i] = ranges[i].low == ranges[i].high ? bits_constant(f->arena, ranges[i].low)
                                                    : bits_variable(f->arena, f->sat, range_bits(ranges[i]));
  }
  for (unsigned i = 0; i < tree->events.count; i++) {
    const struct tree_event *e = &tree->events.at[i];
    if (e->own && e->own->value && e->event.kind != EVENT_READ)
      f->value[i] = e->differs ? add_differing(f, i, ranges[i]) : value_of(f, &tree->nodes.at[e->node], e->own->value);
  }
}

/* Control flows this way only if what the fork asked for holds. */
static void add_conditions(struct formula *f) {
  for (size_t i = 0; i < f->tree->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[i];
    for (unsigned k = node->first_condition; k < node->path->condition_count; k++) {
      const struct path_condition *c = &node->path->conditions[k];
      int holds = bits_truth(f->sat, value_of(f, node, c->value));
      sat_clause_2(f->sat, -f->taken[i], c->nonzero ? holds : -holds);
    }
  }
}

/* ---- What reads see -------------------------------------------------------------------- */

/* Are they the two halves of one read-modify-write? */
static bool is_own_write(const struct formula *f, unsigned read, unsigned write) {
  const struct event *r = event_at(f, read), *w = event_at(f, write);
  return r->rmw && write == read + 1 && w->thread == r->thread && w->po_index == r->po_index + 1;
}

static bool may_see(const struct formula *f, const struct range *ranges, unsigned read, unsigned write) {
  const struct event *r = event_at(f, read), *w = event_at(f, write);
  if (w->kind != EVENT_WRITE || w->location != r->location || !compatible(f, read, write)) return false;
  return !is_own_write(f, read, write) && ranges_meet(ranges[read], ranges[write]);
}

static void add_sources_of(struct formula *f, const struct range *ranges, unsigned read) {
  int executed = formula_executed(f, read);
  VEC(int) some = {0};
  *vec_push(f->arena, &some) = -executed;
  for (unsigned w = 0; w < f->tree->events.count; w++) {
    if (!may_see(f, ranges, read, w)) continue;
    int literal = sat_variable(f->sat);
    *vec_push(f->arena, &f->sources) = (struct source_edge){w, read, literal};
    sat_clause_2(f->sat, -literal, executed);
    sat_clause_2(f->sat, -literal, formula_executed(f, w));
    bits_require_equal(f->sat, literal, f->value[w], f->value[read]);
    for (size_t k = 1; k < some.count; k++) sat_clause_2(f->sat, -literal, -some.at[k]);
    *vec_push(f->arena, &some) = literal;
  }
  sat_clause(f->sat, some.at, some.count);
}

static void add_sources(struct formula *f, const struct range *ranges) {
  size_t count = f->tree->events.count;
  for (unsigned r = 0; r < count; r++) {
    f->first_source[r] = (unsigned)f->sources.count;
    if (event_at(f, r)->kind == EVENT_READ) add_sources_of(f, ranges, r);
  }
  f->first_source[count] = (unsigned)f->sources.count;
}

/* A read's sources are in the order of their numbers. */
int formula_reads(const struct formula *f, unsigned write, unsigned read) {
  unsigned from = f->first_source[read], end = f->first_source[read + 1];
  while (from < end) {
    unsigned middle = from + (end - from) / 2;
    if (f->sources.at[middle].write == write) return f->sources.at[middle].literal;
    if (f->sources.at[middle].write < write)
      from = middle + 1;
    else
      end = middle;
  }
  return SAT_FALSE;
}

/* A literal that holds where both reads see one write. */
static int sees_the_same(struct formula *f, unsigned a, unsigned b) {
  int same = sat_variable(f->sat);
  for (unsigned i = f->first_source[a]; i < f->first_source[a + 1]; i++) {
    int other = formula_reads(f, f->sources.at[i].write, b);
    if (other != SAT_FALSE) sat_clause_3(f->sat, -f->sources.at[i].literal, -other, same);
  }
  return same;
}

static void leave_out(struct formula *f, const struct tree_node *node, int taken, const struct repeat *repeat) {
  VEC(int) clause = {0};
  *vec_push(f->arena, &clause) = -taken;
  for (unsigned k = 0; k < repeat->count; k++) {
    unsigned a = node->events[repeat->before + k], b = node->events[repeat->after + k];
    if (event_at(f, b)->kind == EVENT_WRITE) return; /* whether it keeps the value is for those who know that */
    if (event_at(f, b)->kind == EVENT_READ) *vec_push(f->arena, &clause) = -sees_the_same(f, a, b);
  }
  sat_clause(f->sat, clause.at, clause.count);
}

void formula_leave_out_repeats(struct formula *f) {
  for (size_t i = 0; i < f->tree->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[i];
    unsigned known = node->parent == TREE_NONE ? 0 : f->tree->nodes.at[node->parent].path->repeat_count;
    for (unsigned k = known; k < node->path->repeat_count; k++)
      leave_out(f, node, f->taken[i], &node->path->repeats[k]);
  }
}

/* ---- The order of writes ------------------------------------------------------------------ */

static void order_two(struct formula *f, unsigned a, unsigned b) {
  const struct event *x = event_at(f, a), *y = event_at(f, b);
  if (x->location != y->location || !compatible(f, a, b)) return;
  int literal = x->thread < 0 ? SAT_TRUE : sat_variable(f->sat);
  *formula_order_at(f, a, b) = literal;
  *formula_order_at(f, b, a) = f->partial && literal != SAT_TRUE ? sat_variable(f->sat) : -literal;
  if (f->partial) sat_clause_2(f->sat, -literal, -formula_order(f, b, a));
}

static void order_over(struct formula *f, unsigned a, unsigned b, unsigned c) {
  sat_clause_3(f->sat, -formula_order(f, a, b), -formula_order(f, b, c), formula_order(f, a, c));
}

/* What is ordered over another is ordered; of a total order, that is two clauses. */
static void order_three(struct formula *f, unsigned a, unsigned b, unsigned c) {
  if (!formula_order(f, a, b) || !formula_order(f, b, c) || !formula_order(f, a, c)) return;
  order_over(f, a, b, c);
  order_over(f, c, b, a);
  if (!f->partial) return;
  order_over(f, b, a, c);
  order_over(f, c, a, b);
  order_over(f, a, c, b);
  order_over(f, b, c, a);
}

static void add_order(struct formula *f) {
  size_t count = f->tree->events.count;
  unsigned *writes = ARENA_ARRAY(f->arena, unsigned, count), some = 0;
  f->ordered = 1;
  for (unsigned i = 0; i < count; i++) {
    bool write = event_at(f, i)->kind == EVENT_WRITE;
    if (write) writes[some++] = i;
    if (write || (f->partial && fence_is_ordered(event_at(f, i)))) f->place[i] = f->ordered++;
  }
  f->order = ARENA_ARRAY(f->arena, int, (size_t)f->ordered * f->ordered);
  for (unsigned i = 0; i < some; i++)
    for (unsigned k = i + 1; k < some; k++) order_two(f, writes[i], writes[k]);
  for (unsigned i = 0; i < some; i++)
    for (unsigned k = i + 1; k < some; k++) {
      if (!formula_order(f, writes[i], writes[k])) continue;
      for (unsigned m = k + 1; m < some; m++) order_three(f, writes[i], writes[k], writes[m]);
    }
  if (f->partial) fences_add(f);
}

/* ---- All of it ------------------------------------------------------------------------------ */

struct formula *formula_blank(struct arena *arena, struct sat *sat, const struct litmus_test *test,
                              const struct tree *tree) {
  struct formula *f = ARENA_NEW(arena, struct formula);
  size_t count = tree->events.count;
  *f = (struct formula){.arena = arena,
                        .sat = sat,
                        .test = test,
                        .tree = tree,
                        .ends_with = ARENA_ARRAY(arena, int *, tree->program->location_count + 1),
                        .taken = ARENA_ARRAY(arena, int, tree->nodes.count + 1),
                        .executed = ARENA_ARRAY(arena, int, count + 1),
                        .value = ARENA_ARRAY(arena, struct bits, count + 1),
                        .first_source = ARENA_ARRAY(arena, unsigned, count + 1),
                        .present = ARENA_ARRAY(arena, int, count + 1),
                        .blocked = ARENA_ARRAY(arena, int, count + 1),
                        .chained = ARENA_ARRAY(arena, bool, count + 1),
                        .place = ARENA_ARRAY(arena, unsigned, count + 1)};
  return f;
}

struct formula *formula_new(struct arena *arena, struct sat *sat, const struct litmus_test *test,
                            const struct tree *tree, bool thin_air, bool undefined_ends) {
  struct formula *f = formula_blank(arena, sat, test, tree);
  f->thin_air = thin_air;
  f->undefined_ends = undefined_ends;
  f->partial = tree->program->partial_coherence;
  struct value_ranges ranges = ranges_find(arena, tree, thin_air);
  add_paths(f, ranges.possible);
  formula_add_executed(f);
  add_values(f, ranges.of);
  add_conditions(f);
  add_sources(f, ranges.of);
  add_order(f);
  quorum_barriers_add(f);
  return f;
}

struct event_search {
  const struct tree_node *node;
  unsigned event;
};

static bool is_other(void *context, unsigned reg) {
  const struct event_search *search = context;
  return search->node->events[reg] != search->event;
}

static bool hangs_on(const struct tree_node *node, const struct expr *e, unsigned event) {
  struct event_search search = {node, event};
  return !expr_registers(e, is_other, &search);
}

struct bits formula_value_if(const struct formula *f, unsigned write, unsigned read, struct bits value) {
  const struct tree_event *e = &f->tree->events.at[write];
  const struct tree_node *node = &f->tree->nodes.at[e->node];
  if (e->differs || !hangs_on(node, e->own->value, read)) return f->value[write];
  struct bits own = f->value[read];
  f->value[read] = value;
  struct bits out = value_of(f, node, e->own->value);
  f->value[read] = own;
  return out;
}

/* ---- How the program ends -------------------------------------------------------------------- */

/* No other write that is executed comes after. */
static int is_last(struct formula *f, unsigned write) {
  int last = formula_executed(f, write);
  for (unsigned w = 0; w < f->tree->events.count; w++) {
    if (w == write || event_at(f, w)->kind != EVENT_WRITE || event_at(f, w)->location != event_at(f, write)->location)
      continue;
    int behind = formula_order(f, write, w);
    if (behind) last = sat_and(f->sat, last, sat_or(f->sat, -formula_executed(f, w), -behind));
  }
  return last;
}

/* Of a thread that goes round and round. */
static void require_last_sources(struct formula *f, const struct tree_node *leaf, int taken, int asked, int *last) {
  for (unsigned k = leaf->path->round; k < leaf->path->event_count; k++) {
    unsigned e = leaf->events[k];
    for (unsigned i = f->first_source[e]; i < f->first_source[e + 1]; i++) {
      unsigned w = f->sources.at[i].write;
      if (!last[w]) last[w] = is_last(f, w);
      sat_clause(f->sat, (const int[]){-asked, -taken, -f->sources.at[i].literal, last[w]}, 4);
    }
  }
}

void formula_require_stop(struct formula *f, int asked) {
  VEC(int) some = {0};
  int *last = ARENA_ARRAY(f->arena, int, f->tree->events.count + 1);
  *vec_push(f->arena, &some) = -asked;
  sat_clause_2(f->sat, -asked, f->ended);
  for (size_t i = 0; i < f->tree->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[i];
    if (node->end == THREAD_IDLE) require_last_sources(f, node, f->taken[i], asked, last);
    if (node->end == THREAD_IDLE || node->end == THREAD_BLOCKED) *vec_push(f->arena, &some) = f->taken[i];
  }
  sat_clause(f->sat, some.at, some.count);
}

int formula_cut_busy(const struct formula *f) {
  int none = SAT_TRUE;
  for (size_t i = 0; i < f->tree->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[i];
    if (node->end == THREAD_CUT && node->path->busy) none = sat_and(f->sat, none, -f->taken[i]);
  }
  return -none;
}

/* Which of several last writes a name ends with is open. */
static int *choose_last(struct formula *f, unsigned name, unsigned location) {
  size_t count = f->tree->events.count;
  int *ends = ARENA_ARRAY(f->arena, int, count + 1), *some = ARENA_ARRAY(f->arena, int, count + 1);
  size_t writes = 0;
  for (unsigned w = 0; w < count; w++) {
    if (event_at(f, w)->kind != EVENT_WRITE || event_at(f, w)->location != (int)location) continue;
    ends[w] = sat_variable(f->sat);
    sat_clause_2(f->sat, -ends[w], is_last(f, w));
    for (size_t i = 0; i < writes; i++) sat_clause_2(f->sat, -ends[w], -some[i]);
    some[writes++] = ends[w];
  }
  if (writes) sat_clause(f->sat, some, writes); /* of a location that nobody accesses there is no event */
  return f->ends_with[name] = ends;
}

static struct bits final_value(struct formula *f, unsigned name) {
  unsigned location = program_physical(f->tree->program, name);
  struct bits value = bits_constant(f->arena, f->tree->program->locations[location].init);
  int *ends = NULL;
  if (f->partial) ends = f->ends_with[name] ? f->ends_with[name] : choose_last(f, name, location);
  for (unsigned w = 0; w < f->tree->events.count; w++) {
    if (event_at(f, w)->kind != EVENT_WRITE || event_at(f, w)->location != (int)location) continue;
    int last = ends ? ends[w] : is_last(f, w);
    value = bits_apply(f->arena, f->sat, EXPR_COND, (struct bits){1, (int[]){last}}, f->value[w], value);
  }
  return value;
}

static struct bits register_value(struct formula *f, unsigned thread, unsigned reg) {
  struct bits value = bits_constant(f->arena, 0);
  for (size_t i = 0; i < f->tree->nodes.count; i++) {
    const struct tree_node *node = &f->tree->nodes.at[i];
    if (node->thread != thread || !formula_ends_at(f, node)) continue;
    struct bits here = value_of(f, node, node->path->registers[reg]);
    value = bits_apply(f->arena, f->sat, EXPR_COND, (struct bits){1, (int[]){f->taken[i]}}, here, value);
  }
  return value;
}

struct bits formula_final(struct formula *f, struct observable what) {
  return what.thread < 0 ? final_value(f, what.index) : register_value(f, (unsigned)what.thread, what.index);
}

static struct bits operand_value(struct formula *f, const struct operand *o) {
  return o->constant ? bits_constant(f->arena, o->value) : formula_final(f, o->what);
}

static int comparison(struct formula *f, const struct prop *prop) {
  struct bits a = operand_value(f, &prop->left), b = operand_value(f, &prop->right), none = {0, NULL};
  return bits_truth(f->sat, bits_apply(f->arena, f->sat, compare_expression(prop->compare), a, b, none));
}

static int sum_comparison(struct formula *f, const struct prop *prop) {
  struct bits sum = bits_constant(f->arena, 0), none = {0, NULL};
  for (unsigned i = 0; i < prop->addend_count; i++)
    sum = bits_apply(f->arena, f->sat, prop->addends[i].subtracted ? EXPR_SUB : EXPR_ADD, sum,
                     formula_final(f, prop->addends[i].what), none);
  struct bits right = bits_constant(f->arena, prop->right.value);
  return bits_truth(f->sat, bits_apply(f->arena, f->sat, compare_expression(prop->compare), sum, right, none));
}

int formula_proposition(struct formula *f, const struct prop *prop) {
  switch (prop->kind) {
    case PROP_TRUE:
      return SAT_TRUE;
    case PROP_FALSE:
      return SAT_FALSE;
    case PROP_COMPARE:
      return comparison(f, prop);
    case PROP_SUM:
      return sum_comparison(f, prop);
    case PROP_NOT:
      return -formula_proposition(f, prop->a);
    case PROP_AND:
      return sat_and(f->sat, formula_proposition(f, prop->a), formula_proposition(f, prop->b));
    case PROP_OR:
      return sat_or(f->sat, formula_proposition(f, prop->a), formula_proposition(f, prop->b));
    case PROP_IMPLIES:
      return sat_or(f->sat, -formula_proposition(f, prop->a), formula_proposition(f, prop->b));
  }
  return SAT_TRUE;
}
