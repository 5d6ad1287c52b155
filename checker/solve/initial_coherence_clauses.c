/* SPDX-License-Identifier: MIT */
/* Each handful is an execution of its own.  Of it, nodes have the values that they have at least in every candidate
 * that contains it: what is taken away or complemented counts only where two events alone decide it.  Equal handfuls
 * are asked about once. */
#include "checker/solve/initial_coherence_clauses.h"

#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/cat/node_operators.h"
#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/solve/write_positions.h"

enum { MOST = 4, LEAST_TO_COUNT = 3 };

/* A handful: events of the tree, and edges between them as bits, 4 a row. */
struct handful {
  unsigned count;
  unsigned events[MOST];
  uint16_t rf, co;
};

/* What tells handfuls apart for the model. */
struct kind {
  uint16_t class[MOST]; /* of the event */
  uint16_t rf, co, po, rmw, addr, data, ctrl;
  uint16_t same_thread, same_sg, same_wg, same_qf, same_dev, same_name, paired;
};

struct known {
  struct kind kind;
  bool fails;
};

struct asking {
  struct arena *arena;
  const struct formula *f;
  const struct plan *plan;
  const struct relation_bounds *bounds;
  struct closure_literals *names;
  const bool *skip;
  bool *unknown;   /* by node: other events may change it */
  uint16_t *class; /* by event */
  VEC(struct known) known;
  struct hash_table known_table; /* indices in `known` */
  unsigned *writes, *reads;      /* of the location at hand */
  unsigned write_count, read_count;
};

static const struct event *event_at(const struct asking *q, unsigned event) {
  return &q->f->tree->events.at[event].event;
}

/* ---- Kinds ------------------------------------------------------------------------------ */

static bool same_class(const struct event *a, const struct event *b) {
  return (a->thread < 0) == (b->thread < 0) && event_alike(a, b);
}

static void find_classes(struct asking *q) {
  size_t count = q->f->tree->events.count;
  unsigned *first = ARENA_ARRAY(q->arena, unsigned, count + 1), classes = 0;
  q->class = ARENA_ARRAY(q->arena, uint16_t, count + 1);
  for (unsigned e = 0; e < count; e++) {
    unsigned k = 0;
    while (k < classes && !same_class(event_at(q, first[k]), event_at(q, e))) k++;
    if (k == classes) first[classes++] = e;
    q->class[e] = (uint16_t)k;
  }
}

static uint16_t bits_of(const struct asking *q, const struct handful *h, const word *relation) {
  uint16_t bits = 0;
  for (unsigned i = 0; i < h->count; i++)
    for (unsigned k = 0; k < h->count; k++)
      if (rel_has(q->bounds->shape, relation, h->events[i], h->events[k])) bits |= (uint16_t)(1u << (MOST * i + k));
  return bits;
}

static bool are_paired(const struct program *program, int a, int b) {
  for (unsigned i = 0; i < program->pair_count; i++)
    if ((int)program->pairs[i].from == a && (int)program->pairs[i].to == b) return true;
  return false;
}

static void compare_places(const struct asking *q, const struct handful *h, struct kind *kind) {
  const struct program *program = q->f->tree->program;
  for (unsigned i = 0; i < h->count; i++)
    for (unsigned k = 0; k < h->count; k++) {
      const struct event *a = event_at(q, h->events[i]), *b = event_at(q, h->events[k]);
      uint16_t bit = (uint16_t)(1u << (MOST * i + k));
      if (a->name == b->name) kind->same_name |= bit;
      if (a->thread < 0 || b->thread < 0) continue;
      const struct thread *s = &program->threads[a->thread], *t = &program->threads[b->thread];
      if (a->thread == b->thread) kind->same_thread |= bit;
      if (s->sg == t->sg) kind->same_sg |= bit;
      if (s->wg == t->wg) kind->same_wg |= bit;
      if (s->qf == t->qf) kind->same_qf |= bit;
      if (s->dev == t->dev) kind->same_dev |= bit;
      if (are_paired(program, a->thread, b->thread)) kind->paired |= bit;
    }
}

static struct kind kind_of(const struct asking *q, const struct handful *h) {
  const struct execution *all = &q->bounds->all;
  struct kind kind;
  memset(&kind, 0, sizeof kind);
  for (unsigned i = 0; i < h->count; i++) kind.class[i] = (uint16_t)(1 + q->class[h->events[i]]);
  kind.rf = h->rf;
  kind.co = h->co;
  kind.po = bits_of(q, h, all->po);
  kind.rmw = bits_of(q, h, all->rmw);
  kind.addr = bits_of(q, h, all->addr);
  kind.data = bits_of(q, h, all->data);
  kind.ctrl = bits_of(q, h, all->ctrl);
  compare_places(q, h, &kind);
  return kind;
}

/* ---- Asking the model --------------------------------------------------------------------- */

static word *relation_of(struct arena *arena, struct shape s, uint16_t bits) {
  word *out = ARENA_ARRAY(arena, word, rel_words(s));
  for (unsigned i = 0; i < s.n; i++)
    for (unsigned k = 0; k < s.n; k++)
      if (bits >> (MOST * i + k) & 1) rel_add(s, out, i, k);
  return out;
}

/* Nodes that other events may change: nothing is known of them, or of what a variable that is no least fixpoint adds.
 */
static void find_unknown(struct asking *q, const struct plan *plan) {
  const struct cat_ir *ir = plan->ir;
  bool *local = ARENA_ARRAY(q->arena, bool, ir->node_count);
  plan_find_local(plan, true, local);
  q->unknown = ARENA_ARRAY(q->arena, bool, ir->node_count);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    const struct cat_node *n = &ir->nodes[i];
    bool base = n->op == CAT_BASE && (n->base == BASE_SAME_VALUE || n->base == BASE_FW || n->base == BASE_SAME_B);
    q->unknown[i] = base || n->op == CAT_CHOSEN || (n->op == CAT_REC && n->grows) ||
                    (n->op == CAT_COMPL && !local[n->a]) || (n->op == CAT_DIFF && !local[n->b]);
  }
}

static bool some_axiom_fails(const struct asking *q, const struct valuation *v) {
  const struct cat_ir *ir = q->plan->ir;
  word scratch[1];
  for (uint32_t c = 0; c < ir->check_count; c++) {
    const struct cat_check *check = &ir->checks[c];
    if (check->role != ROLE_REQUIRE || check->negated || (q->skip && q->skip[c])) continue;
    if (!node_check(v->shape, check->kind, ir->nodes[check->node].type, v->value[check->node], scratch)) return true;
  }
  return false;
}

static bool ask_model(const struct asking *q, const struct handful *h, const struct kind *kind) {
  struct arena *arena = arena_new();
  struct shape s = shape_of(h->count);
  struct event events[MOST];
  for (unsigned i = 0; i < h->count; i++) events[i] = *event_at(q, h->events[i]);
  struct execution x = {.program = q->f->tree->program,
                        .shape = s,
                        .events = events,
                        .po = relation_of(arena, s, kind->po),
                        .rf = relation_of(arena, s, kind->rf),
                        .co = relation_of(arena, s, kind->co),
                        .rmw = relation_of(arena, s, kind->rmw),
                        .addr = relation_of(arena, s, kind->addr),
                        .data = relation_of(arena, s, kind->data),
                        .ctrl = relation_of(arena, s, kind->ctrl)};
  bool fails = some_axiom_fails(q, evaluate_known(arena, q->plan->ir, &x, q->plan->needed, q->unknown));
  arena_free(arena);
  return fails;
}

/* Does the handful fail an axiom, whatever else there is? */
static bool fails(struct asking *q, const struct handful *h) {
  struct kind kind = kind_of(q, h);
  uint64_t hash = hash_bytes(&kind, sizeof kind);
  HASH_EACH (at, &q->known_table, hash) {
    const struct known *known = &q->known.at[hash_number(&q->known_table, at)];
    if (!memcmp(&known->kind, &kind, sizeof kind)) return known->fails;
  }
  bool answer = ask_model(q, h, &kind);
  hash_add(q->arena, &q->known_table, hash, (uint32_t)q->known.count);
  *vec_push(q->arena, &q->known) = (struct known){kind, answer};
  return answer;
}

/* ---- Handfuls ------------------------------------------------------------------------------ */

struct edges {
  struct handful h;
  int literals[2 * MOST];
  unsigned count;
};

static unsigned add_event(struct edges *e, unsigned event) {
  for (unsigned i = 0; i < e->h.count; i++)
    if (e->h.events[i] == event) return i;
  e->h.events[e->h.count] = event;
  return e->h.count++;
}

static bool add_literal(struct edges *e, int literal) {
  if (!literal || literal == SAT_FALSE) return false;
  if (literal != SAT_TRUE) e->literals[e->count++] = literal;
  return true;
}

/* Adds an edge; false: it cannot be. */
static bool add_source(const struct asking *q, struct edges *e, unsigned write, unsigned read) {
  unsigned from = add_event(e, write), to = add_event(e, read);
  e->h.rf |= (uint16_t)(1u << (MOST * from + to));
  return add_literal(e, formula_reads(q->f, write, read));
}

static bool add_order(const struct asking *q, struct edges *e, unsigned a, unsigned b) {
  unsigned from = add_event(e, a), to = add_event(e, b);
  e->h.co |= (uint16_t)(1u << (MOST * from + to));
  return add_literal(e, formula_order(q->f, a, b));
}

static bool are_compatible(const struct asking *q, const struct handful *h) {
  const struct tree *tree = q->f->tree;
  for (unsigned i = 0; i < h->count; i++)
    for (unsigned k = i + 1; k < h->count; k++)
      if (!tree_compatible(tree, h->events[i], h->events[k])) return false;
  return true;
}

/* Rules a handful out that fails. */
static bool settle(struct asking *q, struct edges *e) {
  if (!are_compatible(q, &e->h) || !fails(q, &e->h)) return false;
  int clause[3 * MOST];
  size_t count = 0;
  for (unsigned i = 0; i < e->count; i++) clause[count++] = -e->literals[i];
  for (unsigned i = 0; i < e->h.count; i++) {
    int executed = formula_executed(q->f, e->h.events[i]);
    if (executed != SAT_TRUE) clause[count++] = -executed;
  }
  sat_clause(q->f->sat, clause, count);
  return true;
}

static void settle_orders(struct asking *q) {
  for (unsigned i = 0; i < q->write_count; i++)
    for (unsigned k = 0; k < q->write_count; k++) {
      struct edges e = {0};
      if (i != k && add_order(q, &e, q->writes[i], q->writes[k])) settle(q, &e);
    }
}

/* A read, its source, and another write before or after that; and the write half of the read's own. */
static void settle_source(struct asking *q, unsigned read, unsigned source) {
  struct edges one = {0};
  sat_poll(q->f->sat);
  if (!add_source(q, &one, source, read) || settle(q, &one)) return;
  bool rmw = event_at(q, read)->rmw;
  for (unsigned i = 0; i < q->write_count; i++) {
    unsigned write = q->writes[i];
    if (write == source) continue;
    struct edges before = one, behind = one;
    if (add_order(q, &before, write, source)) settle(q, &before);
    if (!add_order(q, &behind, source, write) || settle(q, &behind)) continue;
    if (!rmw || write == read + 1) continue;
    if (add_order(q, &behind, write, read + 1)) settle(q, &behind);
  }
}

/* Two reads of one thread, and their sources in an order: x, which `a` sees, before y, which `b` sees. */
static bool add_reads(const struct asking *q, struct edges *e, unsigned a, unsigned x, unsigned b, unsigned y) {
  return x != y && add_source(q, e, x, a) && add_source(q, e, y, b) && add_order(q, e, x, y);
}

/* Where that fails for every x, it is said once: `b` does not see what `a` sees something before. */
static bool settle_later_source(struct asking *q, unsigned a, unsigned b, unsigned y) {
  const struct formula *f = q->f;
  unsigned some = 0;
  for (unsigned i = f->first_source[a]; i < f->first_source[a + 1]; i++) {
    struct edges e = {0};
    if (!add_reads(q, &e, a, f->sources.at[i].write, b, y) || !are_compatible(q, &e.h)) continue;
    if (!fails(q, &e.h)) return false;
    some++;
  }
  if (some > 1) sat_clause_2(f->sat, -formula_reads(f, y, b), -closure_literals_from_read(q->names, a, y));
  return some > 1;
}

static void settle_reads(struct asking *q, unsigned a, unsigned b) {
  const struct formula *f = q->f;
  sat_poll(f->sat);
  for (unsigned k = f->first_source[b]; k < f->first_source[b + 1]; k++) {
    unsigned y = f->sources.at[k].write;
    if (settle_later_source(q, a, b, y)) continue;
    for (unsigned i = f->first_source[a]; i < f->first_source[a + 1]; i++) {
      struct edges e = {0};
      if (add_reads(q, &e, a, f->sources.at[i].write, b, y)) settle(q, &e);
    }
  }
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Of a read-modify-write: is its source always right before its write? */
static bool follows(struct asking *q, unsigned write) {
  const struct formula *f = q->f;
  unsigned read = write - 1;
  if (!event_at(q, write)->rmw || event_at(q, write)->thread < 0) return false;
  for (unsigned i = f->first_source[read]; i < f->first_source[read + 1]; i++) {
    unsigned source = f->sources.at[i].write;
    struct edges one = {0}, behind;
    add_source(q, &one, source, read);
    behind = one;
    if (add_order(q, &behind, write, source) && !fails(q, &behind.h)) return false;
    for (unsigned k = 0; k < q->write_count; k++) {
      struct edges between = one;
      if (q->writes[k] == source || q->writes[k] == write) continue;
      if (add_order(q, &between, source, q->writes[k]) && add_order(q, &between, q->writes[k], write) &&
          !fails(q, &between.h))
        return false;
    }
  }
  return true;
}

/* Which writes follow their sources, and places, where some do. */
static void add_positions(struct asking *q) {
  unsigned *writes = ARENA_ARRAY(q->arena, unsigned, q->write_count + 1), count = 0;
  bool *following = ARENA_ARRAY(q->arena, bool, q->write_count + 1), some = false;
  for (unsigned i = 0; i < q->write_count && !q->f->partial; i++) {
    if (event_at(q, q->writes[i])->thread < 0) continue;
    following[count] = follows(q, q->writes[i]);
    some |= following[count];
    writes[count++] = q->writes[i];
  }
  for (unsigned i = 0; i < count; i++) q->f->chained[writes[i]] = following[i];
  if (some && count >= LEAST_TO_COUNT) positions_add(q->arena, q->f, writes, count, following);
}

static void settle_location(struct asking *q, int location) {
  q->write_count = q->read_count = 0;
  for (unsigned e = 0; e < q->f->tree->events.count; e++) {
    if (event_at(q, e)->location != location) continue;
    if (event_at(q, e)->kind == EVENT_WRITE) q->writes[q->write_count++] = e;
    if (event_at(q, e)->kind == EVENT_READ) q->reads[q->read_count++] = e;
  }
  settle_orders(q);
  for (unsigned i = 0; i < q->read_count; i++) {
    unsigned r = q->reads[i];
    for (unsigned k = q->f->first_source[r]; k < q->f->first_source[r + 1]; k++)
      settle_source(q, r, q->f->sources.at[k].write);
    for (unsigned k = 0; k < q->read_count; k++)
      if (k != i && event_at(q, q->reads[k])->thread == event_at(q, r)->thread) settle_reads(q, r, q->reads[k]);
  }
  add_positions(q);
}

void initial_coherence_clauses_add(struct arena *arena, const struct formula *f, const struct plan *plan,
                                   const struct relation_bounds *bounds, struct closure_literals *names,
                                   const bool *skip) {
  struct asking q = {.arena = arena, .f = f, .plan = plan, .bounds = bounds, .names = names, .skip = skip};
  find_unknown(&q, plan);
  q.writes = ARENA_ARRAY(arena, unsigned, f->tree->events.count + 1);
  q.reads = ARENA_ARRAY(arena, unsigned, f->tree->events.count + 1);
  find_classes(&q);
  for (unsigned x = 0; x < f->tree->program->location_count; x++) settle_location(&q, (int)x);
}
