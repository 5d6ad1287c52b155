/* SPDX-License-Identifier: MIT */
/* In the order of checker/certify/program_clauses.c: nodes, values, sources, orders, what is observed, alternatives,
 * pairs. */
#include "checker/solve/certificate_formula.h"

#include "checker/base/array.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/solve/quorum_barriers.h"

enum { MOST_VALUES = 200, MOST_READS = 6, MOST_COMBINATIONS = 40000, MOST_NODES = 4000, MOST_EVENTS = 1500 };
enum { MOST_VARIABLES = 60000, MOST_LITERALS = 16384 };

struct values {
  VEC(int64_t) list; /* ascending */
  int first;         /* the variable of the first */
};

struct certificate_making {
  struct arena *arena;
  struct sat *sat;
  const struct tree *tree;
  const struct litmus_test *test;
  struct formula *f;
  struct values *of; /* by event */
  struct values *observed;
  bool too_large;
};

static const struct tree_event *event_of(const struct certificate_making *p, unsigned event) {
  return &p->tree->events.at[event];
}

static bool is_kind(const struct certificate_making *p, unsigned event, enum event_kind kind) {
  return event_of(p, event)->event.kind == kind;
}

static bool has_value(const struct tree_event *e) {
  return !e->own || e->own->value;
}

static bool together(const struct certificate_making *p, unsigned a, unsigned b) {
  return tree_compatible(p->tree, a, b);
}

static bool same_location(const struct certificate_making *p, unsigned a, unsigned b) {
  return event_of(p, a)->event.location == event_of(p, b)->event.location;
}

static bool is_initial(const struct certificate_making *p, unsigned event) {
  return event < p->tree->init_count;
}

/* ---- Values ------------------------------------------------------------------------------------ */

struct combination {
  struct certificate_making *p;
  const struct tree_node *node;
  unsigned count, reads[MOST_READS];
  bool *known; /* by place in the path */
  int64_t *value;
};

typedef void visit_value(void *context, const struct combination *c, int64_t result);

static bool gather_read(void *context, unsigned reg) {
  struct combination *c = context;
  for (unsigned i = 0; i < c->count; i++)
    if (c->reads[i] == reg) return true;
  if (c->count == MOST_READS) return false;
  c->known[reg] = true;
  c->reads[c->count++] = reg;
  return true;
}

static void each_combination(struct combination *c, const struct expr *e, unsigned next, visit_value *visit,
                             void *context) {
  if (next == c->count) {
    int64_t result = 0;
    path_value(e, c->known, c->value, &result);
    visit(context, c, result);
    return;
  }
  const struct values *v = &c->p->of[c->node->events[c->reads[next]]];
  for (size_t i = 0; i < v->list.count; i++) {
    c->value[c->reads[next]] = v->list.at[i];
    each_combination(c, e, next + 1, visit, context);
  }
}

static void each_value(struct certificate_making *p, const struct tree_node *node, const struct expr *e,
                       visit_value *visit, void *context) {
  struct arena *arena = arena_new();
  struct combination c = {.p = p,
                          .node = node,
                          .known = ARENA_ARRAY(arena, bool, node->path->event_count + 1),
                          .value = ARENA_ARRAY(arena, int64_t, node->path->event_count + 1)};
  double all = 1;
  p->too_large |= !expr_registers(e, gather_read, &c);
  for (unsigned i = 0; i < c.count; i++) all *= (double)p->of[node->events[c.reads[i]]].list.count;
  p->too_large |= all > MOST_COMBINATIONS;
  if (!p->too_large) each_combination(&c, e, 0, visit, context);
  arena_free(arena);
}

static bool add_value(struct certificate_making *p, struct values *v, int64_t value) {
  size_t i = v->list.count;
  while (i && v->list.at[i - 1] > value) i--;
  if (i && v->list.at[i - 1] == value) return false;
  p->too_large |= v->list.count == MOST_VALUES;
  if (p->too_large) return false;
  vec_push(p->arena, &v->list);
  for (size_t k = v->list.count - 1; k > i; k--) v->list.at[k] = v->list.at[k - 1];
  v->list.at[i] = value;
  return true;
}

static void note_value(void *context, const struct combination *c, int64_t result) {
  add_value(c->p, context, result);
}

static bool see(struct certificate_making *p) {
  bool moved = false;
  for (unsigned r = 0; r < p->tree->events.count; r++)
    for (unsigned w = 0; is_kind(p, r, EVENT_READ) && w < p->tree->events.count; w++)
      for (size_t i = 0; is_kind(p, w, EVENT_WRITE) && same_location(p, r, w) && i < p->of[w].list.count; i++)
        moved |= add_value(p, &p->of[r], p->of[w].list.at[i]);
  return moved;
}

static unsigned most_writes(const struct certificate_making *p) {
  unsigned all = 0;
  for (unsigned t = 0; t < p->tree->program->thread_count; t++) {
    unsigned most = 0;
    ARRAY_EACH (const struct tree_node, node, p->tree->nodes.at, p->tree->nodes.count) {
      unsigned count = 0;
      for (unsigned i = 0; node->thread == t && i < node->path->event_count; i++)
        count += node->path->events[i].event.kind == EVENT_WRITE;
      if (count > most) most = count;
    }
    all += most;
  }
  return all;
}

static void find_values(struct certificate_making *p) {
  for (unsigned i = 0; i < p->tree->init_count; i++) add_value(p, &p->of[i], event_of(p, i)->event.value);
  see(p);
  for (unsigned left = most_writes(p); left && !p->too_large; left--) {
    for (unsigned w = p->tree->init_count; w < p->tree->events.count; w++) {
      const struct tree_event *e = event_of(p, w);
      if (!is_kind(p, w, EVENT_READ) && has_value(e))
        each_value(p, &p->tree->nodes.at[e->node], e->own->value, note_value, &p->of[w]);
    }
    if (!see(p)) break;
  }
}

static bool needs_read(const struct certificate_making *p, const struct tree_node *node, const struct expr *e,
                       const bool *grounded) {
  if (!e || e->kind == EXPR_CONST) return false;
  if (e->kind == EXPR_REG) return !grounded[node->events[e->reg]];
  return needs_read(p, node, e->a, grounded) || needs_read(p, node, e->b, grounded) ||
         needs_read(p, node, e->c, grounded);
}

static bool hangs(const struct certificate_making *p, unsigned event, const bool *grounded) {
  const struct tree_event *e = event_of(p, event);
  if (!e->own || !e->own->value) return false;
  if (!is_kind(p, event, EVENT_READ)) return needs_read(p, &p->tree->nodes.at[e->node], e->own->value, grounded);
  for (unsigned w = 0; w < p->tree->events.count; w++)
    if (is_kind(p, w, EVENT_WRITE) && same_location(p, event, w) && !grounded[w]) return true;
  return false;
}

/* Can no value come from itself, whoever reads from whom? */
static bool has_grounded_values(const struct certificate_making *p) {
  size_t count = p->tree->events.count, done = 0;
  bool *grounded = ARENA_ARRAY(p->arena, bool, count + 1);
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned i = 0; i < count; i++) {
      if (grounded[i] || hangs(p, i, grounded)) continue;
      grounded[i] = moved = true;
      done++;
    }
  }
  return done == count;
}

static void number_values(struct certificate_making *p, struct values *v) {
  for (size_t i = 0; i < v->list.count; i++) {
    int variable = sat_variable(p->sat);
    if (!i) v->first = variable;
  }
}

static int literal_value(const struct values *v, int64_t value) {
  for (size_t i = 0; i < v->list.count; i++)
    if (v->list.at[i] == value) return v->first + (int)i;
  return SAT_FALSE;
}

/* At most one of them. */
static void exclude(struct certificate_making *p, const struct values *v) {
  for (int i = 0; i < (int)v->list.count; i++)
    for (int k = 0; k < i; k++) sat_clause_2(p->sat, -(v->first + i), -(v->first + k));
}

/* ---- The program ---------------------------------------------------------------------------------- */

static int executed(const struct certificate_making *p, unsigned event) {
  return formula_executed(p->f, event);
}

static void write_nodes(struct certificate_making *p) {
  const struct tree *tree = p->tree;
  for (size_t n = 0; n < tree->nodes.count; n++) {
    VEC(int) some = {0};
    int taken = p->f->taken[n];
    if (tree->nodes.at[n].parent == TREE_NONE) sat_clause(p->sat, &taken, 1);
    *vec_push(p->arena, &some) = -taken;
    for (size_t k = n + 1; k < tree->nodes.count; k++) {
      if (tree->nodes.at[k].parent != (int)n) continue;
      sat_clause_2(p->sat, -p->f->taken[k], taken);
      for (size_t i = 1; i < some.count; i++) sat_clause_2(p->sat, -p->f->taken[k], -some.at[i]);
      *vec_push(p->arena, &some) = p->f->taken[k];
    }
    if (tree->nodes.at[n].end == THREAD_OPEN) sat_clause(p->sat, some.at, some.count);
  }
}

/* What an expression's value is to be: that of a condition, or one of variables. */
struct valued {
  int where; /* the literal under which it has the value */
  bool condition, nonzero;
  const struct values *values;
};

static void require_value(void *context, const struct combination *c, int64_t result) {
  const struct valued *v = context;
  int clause[MOST_READS + 2];
  size_t count = 0;
  if (v->condition && (result != 0) == v->nonzero) return;
  clause[count++] = -v->where;
  for (unsigned i = 0; i < c->count; i++)
    clause[count++] = -literal_value(&c->p->of[c->node->events[c->reads[i]]], c->value[c->reads[i]]);
  if (!v->condition) clause[count++] = literal_value(v->values, result);
  sat_clause(c->p->sat, clause, count);
}

static void write_values(struct certificate_making *p) {
  for (unsigned i = 0; i < p->tree->events.count; i++) {
    const struct tree_event *e = event_of(p, i);
    const struct values *v = &p->of[i];
    if (!has_value(e)) continue;
    VEC(int) some = {0};
    if (e->own) *vec_push(p->arena, &some) = -executed(p, i);
    for (int k = 0; k < (int)v->list.count; k++) *vec_push(p->arena, &some) = v->first + k;
    sat_clause(p->sat, some.at, some.count);
    exclude(p, v);
    if (!e->own || is_kind(p, i, EVENT_READ)) continue;
    struct valued of = {executed(p, i), false, false, v};
    each_value(p, &p->tree->nodes.at[e->node], e->own->value, require_value, &of);
  }
  for (size_t n = 0; n < p->tree->nodes.count; n++) {
    const struct tree_node *node = &p->tree->nodes.at[n];
    for (unsigned k = node->first_condition; k < node->path->condition_count; k++) {
      struct valued of = {p->f->taken[n], true, node->path->conditions[k].nonzero, NULL};
      each_value(p, node, node->path->conditions[k].value, require_value, &of);
    }
  }
}

static bool are_halves(const struct certificate_making *p, unsigned read, unsigned write) {
  const struct event *r = &event_of(p, read)->event, *w = &event_of(p, write)->event;
  return r->rmw && w->rmw && w->thread == r->thread && w->po_index == r->po_index + 1;
}

static void number_sources(struct certificate_making *p) {
  struct formula *f = p->f;
  size_t count = p->tree->events.count;
  for (unsigned r = 0; r < count; r++) {
    f->first_source[r] = (unsigned)f->sources.count;
    for (unsigned w = 0; is_kind(p, r, EVENT_READ) && w < count; w++)
      if (is_kind(p, w, EVENT_WRITE) && same_location(p, r, w) && together(p, r, w) && !are_halves(p, r, w))
        *vec_push(p->arena, &f->sources) = (struct source_edge){w, r, sat_variable(p->sat)};
  }
  f->first_source[count] = (unsigned)f->sources.count;
}

static void write_sources(struct certificate_making *p) {
  const struct formula *f = p->f;
  for (unsigned r = 0; r < p->tree->events.count; r++) {
    if (!is_kind(p, r, EVENT_READ)) continue;
    VEC(int) some = {0};
    *vec_push(p->arena, &some) = -executed(p, r);
    for (unsigned i = f->first_source[r]; i < f->first_source[r + 1]; i++) {
      const struct source_edge *edge = &f->sources.at[i];
      const struct values *from = &p->of[edge->write], *to = &p->of[r];
      sat_clause_2(p->sat, -edge->literal, executed(p, r));
      sat_clause_2(p->sat, -edge->literal, executed(p, edge->write));
      for (size_t k = 1; k < some.count; k++) sat_clause_2(p->sat, -edge->literal, -some.at[k]);
      *vec_push(p->arena, &some) = edge->literal;
      for (int k = 0; k < (int)from->list.count; k++)
        sat_clause_3(p->sat, -edge->literal, -(from->first + k), literal_value(to, from->list.at[k]));
    }
    sat_clause(p->sat, some.at, some.count);
  }
}

static void number_orders(struct certificate_making *p) {
  struct formula *f = p->f;
  unsigned count = (unsigned)p->tree->events.count;
  f->ordered = 1;
  for (unsigned i = 0; i < count; i++)
    if (is_kind(p, i, EVENT_WRITE)) f->place[i] = f->ordered++;
  f->order = ARENA_ARRAY(p->arena, int, (size_t)f->ordered * f->ordered);
  for (unsigned a = 0; a < count; a++)
    for (unsigned b = a + 1; is_kind(p, a, EVENT_WRITE) && b < count; b++) {
      if (!is_kind(p, b, EVENT_WRITE) || !same_location(p, a, b) || !together(p, a, b)) continue;
      int literal = is_initial(p, a) ? SAT_TRUE : sat_variable(p->sat);
      *formula_order_at(f, a, b) = literal;
      *formula_order_at(f, b, a) = -literal;
    }
}

static void write_orders(struct certificate_making *p) {
  const struct formula *f = p->f;
  unsigned count = (unsigned)p->tree->events.count;
  for (unsigned a = p->tree->init_count; a < count; a++)
    for (unsigned b = a + 1; b < count; b++)
      for (unsigned c = b + 1; formula_order(f, a, b) && c < count; c++) {
        int ab = formula_order(f, a, b), bc = formula_order(f, b, c), ac = formula_order(f, a, c);
        if (!bc || !ac) continue;
        sat_clause_3(p->sat, -ab, -bc, ac);
        sat_clause_3(p->sat, ab, bc, -ac);
      }
}

/* ---- The question ------------------------------------------------------------------------------------ */

static void observe_register(struct certificate_making *p, const struct observable *o, struct values *v) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t n = 0; n < p->tree->nodes.count; n++) {
      const struct tree_node *node = &p->tree->nodes.at[n];
      if (node->thread != (unsigned)o->thread || node->end != THREAD_ENDED) continue;
      struct valued of = {p->f->taken[n], false, false, v};
      if (pass)
        each_value(p, node, node->path->registers[o->index], require_value, &of);
      else
        each_value(p, node, node->path->registers[o->index], note_value, v);
    }
    if (!pass) number_values(p, v);
  }
}

static void observe_location(struct certificate_making *p, const struct observable *o, struct values *v) {
  unsigned location = program_physical(p->tree->program, o->index), count = (unsigned)p->tree->events.count;
  int *last = ARENA_ARRAY(p->arena, int, count + 1);
  VEC(int) some = {0};
  for (unsigned w = 0; w < count; w++) {
    if (!is_kind(p, w, EVENT_WRITE) || event_of(p, w)->event.location != (int)location) continue;
    *vec_push(p->arena, &some) = last[w] = sat_variable(p->sat);
    for (size_t k = 0; k < p->of[w].list.count; k++) add_value(p, v, p->of[w].list.at[k]);
  }
  if (!some.count) add_value(p, v, p->tree->program->locations[location].init);
  number_values(p, v);
  if (!some.count) sat_clause(p->sat, &v->first, 1);
  if (some.count) sat_clause(p->sat, some.at, some.count);
  for (unsigned w = 0; w < count; w++) {
    if (!last[w]) continue;
    sat_clause_2(p->sat, -last[w], executed(p, w));
    for (unsigned other = p->tree->init_count; other < count; other++)
      if (other != w && last[other] && together(p, other, w))
        sat_clause_3(p->sat, -last[w], -executed(p, other), formula_order(p->f, other, w));
    for (int k = 0; k < (int)p->of[w].list.count; k++)
      sat_clause_3(p->sat, -last[w], -(p->of[w].first + k), literal_value(v, p->of[w].list.at[k]));
  }
}

static void observe(struct certificate_making *p) {
  p->observed = ARENA_ARRAY(p->arena, struct values, p->test->observable_count + 1);
  for (unsigned i = 0; i < p->test->observable_count; i++) {
    const struct observable *o = &p->test->observables[i];
    if (o->thread >= 0)
      observe_register(p, o, &p->observed[i]);
    else
      observe_location(p, o, &p->observed[i]);
    exclude(p, &p->observed[i]);
  }
}

static struct values side_of(struct certificate_making *p, const struct operand *o) {
  struct values v = {0};
  if (o->constant) add_value(p, &v, o->value);
  for (unsigned i = 0; i < p->test->observable_count && !o->constant; i++)
    if (!observable_compare(p->tree->program, p->test->observables[i], o->what)) v = p->observed[i];
  return v;
}

static void require_comparison(struct certificate_making *p, const struct prop *prop, bool holds, int where) {
  struct values a = side_of(p, &prop->left), b = side_of(p, &prop->right);
  for (int i = 0; i < (int)a.list.count; i++)
    for (int k = 0; k < (int)b.list.count; k++) {
      if ((expr_apply(compare_expression(prop->compare), a.list.at[i], b.list.at[k], 0, NULL) != 0) == holds) continue;
      sat_clause_3(p->sat, -where, a.first ? -(a.first + i) : SAT_FALSE, b.first ? -(b.first + k) : SAT_FALSE);
    }
}

/* Where the literal holds, the proposition does or does not. */
static void require_prop(struct certificate_making *p, const struct prop *prop, bool holds, int where) {
  enum prop_kind kind = prop->kind;
  if (kind == PROP_TRUE || kind == PROP_FALSE) {
    if ((kind == PROP_TRUE) != holds) sat_clause(p->sat, (const int[]){-where}, 1);
  } else if (kind == PROP_COMPARE) {
    require_comparison(p, prop, holds, where);
  } else if (kind == PROP_NOT) {
    require_prop(p, prop->a, !holds, where);
  } else {
    bool first = kind == PROP_IMPLIES ? !holds : holds, both = (kind == PROP_AND) == holds;
    int one = both ? where : sat_variable(p->sat), other = both ? where : sat_variable(p->sat);
    if (!both) sat_clause_3(p->sat, -where, one, other);
    require_prop(p, prop->a, first, one);
    require_prop(p, prop->b, holds, other);
  }
}

static void require_event(struct certificate_making *p, int literal, unsigned event) {
  if (!is_initial(p, event)) sat_clause_2(p->sat, -literal, executed(p, event));
}

static int **want(struct certificate_making *p, bool set, bool diagonal) {
  unsigned count = (unsigned)p->tree->events.count;
  int **wanted = ARENA_ARRAY(p->arena, int *, count + 1);
  VEC(int) some = {0};
  for (unsigned a = 0; a < count; a++) {
    wanted[a] = ARENA_ARRAY(p->arena, int, count);
    for (unsigned b = 0; b < count; b++) {
      if ((a != b && (set || diagonal)) || !together(p, a, b)) continue;
      *vec_push(p->arena, &some) = wanted[a][b] = sat_variable(p->sat);
      require_event(p, wanted[a][b], a);
      require_event(p, wanted[a][b], b);
    }
  }
  p->too_large |= some.count >= MOST_LITERALS;
  sat_clause(p->sat, some.at, some.count);
  return wanted;
}

/* ---- Threads that are alike --------------------------------------------------------------------------- */

static unsigned first_write(const struct certificate_making *p, unsigned thread) {
  unsigned i = p->tree->init_count;
  while (i < p->tree->events.count && (event_of(p, i)->event.thread != (int)thread || !is_kind(p, i, EVENT_WRITE))) i++;
  return i;
}

static bool is_observed(const struct litmus_test *test, unsigned thread) {
  for (unsigned i = 0; i < test->observable_count; i++)
    if (test->observables[i].thread == (int)thread) return true;
  return false;
}

/* Those of a class that follow one another and have the same code. */
static void order_alike(struct certificate_making *p, struct certificate_formula *made) {
  const struct symmetry *symmetry = symmetry_find(p->arena, p->test);
  const struct program *program = p->tree->program;
  unsigned classes = symmetry && !program->pair_count ? symmetry_classes(symmetry) : 0;
  made->symmetric = ARENA_ARRAY(p->arena, unsigned, 2 * program->thread_count + 2);
  for (unsigned i = 0; i < classes; i++) {
    unsigned count, events = (unsigned)p->tree->events.count, begun = made->symmetric_count;
    const unsigned *threads = symmetry_threads(symmetry, i, &count);
    for (unsigned k = 1; k < count; k++) {
      unsigned a = first_write(p, threads[k - 1]), b = first_write(p, threads[k]);
      if (a == events || b == events || !formula_order(p->f, a, b)) break;
      if (is_observed(p->test, threads[k - 1]) || is_observed(p->test, threads[k])) break;
      if (!thread_same_code(&program->threads[threads[k - 1]], &program->threads[threads[k]])) break;
      if (made->symmetric_count == begun) made->symmetric[made->symmetric_count++] = threads[k - 1];
      made->symmetric[made->symmetric_count++] = threads[k];
      sat_clause_2(p->sat, -executed(p, b), executed(p, a));
      sat_clause_2(p->sat, -executed(p, b), formula_order(p->f, a, b));
    }
    if (made->symmetric_count > begun) made->symmetric[made->symmetric_count++] = program->thread_count;
  }
}

/* ---- All of it -------------------------------------------------------------------------------------------- */

const char *certificate_formula_refusal(const struct litmus_test *test, const struct cat_model *model) {
  if (test->program->partial_coherence) return "partial orders of writes";
  if (model->ir.dynamic || model->judge) return "models that choose relations";
  return NULL;
}

static struct certificate_formula *refuse(const char **lacks, const char *why) {
  *lacks = why;
  return NULL;
}

struct certificate_formula *certificate_formula_new(struct arena *arena, struct sat *sat,
                                                    const struct litmus_test *test, const struct tree *tree,
                                                    const struct certificate_asked *asked, const char **lacks) {
  enum certificate_question question = asked->question;
  size_t count = tree->events.count;
  struct certificate_making p = {
      .arena = arena, .sat = sat, .tree = tree, .test = test, .of = ARENA_ARRAY(arena, struct values, count + 1)};
  struct certificate_formula *made = ARENA_NEW(arena, struct certificate_formula);
  if (tree->nodes.count > MOST_NODES || count > MOST_EVENTS) return refuse(lacks, "so many paths");
  struct formula *f = p.f = made->formula = formula_blank(arena, sat, test, tree);
  quorum_barriers_add(f);
  if (f->some_stay_away) return refuse(lacks, "barriers that not all threads need to reach");
  for (size_t n = 0; n < tree->nodes.count; n++) f->taken[n] = sat_variable(sat);
  formula_add_executed(f);
  for (unsigned i = 0; i < tree->init_count; i++) f->value[i] = bits_constant(arena, tree->events.at[i].event.value);
  if (asked->thin_air && !has_grounded_values(&p)) return refuse(lacks, "values that may come from nowhere");
  find_values(&p);
  if (p.too_large) return refuse(lacks, "so many values");
  for (unsigned i = 0; i < count; i++) number_values(&p, &p.of[i]);
  number_sources(&p);
  number_orders(&p);
  write_nodes(&p);
  write_values(&p);
  write_sources(&p);
  write_orders(&p);
  for (size_t n = 0; n < tree->nodes.count; n++)
    if (tree->nodes.at[n].end != THREAD_OPEN && tree->nodes.at[n].end != THREAD_ENDED)
      sat_clause(sat, (const int[]){-f->taken[n]}, 1);
  observe(&p);
  if (question != CERTIFICATE_RAISES) require_prop(&p, test->condition, question == CERTIFICATE_MEETS, SAT_TRUE);
  if (test->filter) require_prop(&p, test->filter, true, SAT_TRUE);
  if (question == CERTIFICATE_RAISES) made->wanted = want(&p, asked->set, asked->diagonal);
  order_alike(&p, made);
  p.too_large |= certificate_number(sat_variable(sat)) > MOST_VARIABLES;
  return p.too_large ? refuse(lacks, "so many values or pairs") : made;
}
