/* SPDX-License-Identifier: MIT */
/* Costs first, once for each pair that is asked about, and then the literals along the cheapest derivation: costs
 * of what a derivation stands on are lower than its own, so that it ends. */
#include "checker/solve/conflict_clauses.h"

#include "checker/exec/cheapest_path_in_relation.h"

enum { STEP = 1, LITERAL = 16, WHOLE = 1 << 16 };

struct reasoner {
  struct arena *arena;
  const struct formula *f;
  const struct plan *plan;
  const struct cat_ir *ir;
  const struct relation_bounds *bounds;
  struct closure_literals *names;
  const struct candidate_events *c;
  const struct valuation *v;
  const struct execution *x;
  struct shape shape;
  int **cost; /* by node, then pair (or event): 0: not known yet; negative: being found */
};

struct reasoner *reasoner_new(struct arena *arena, const struct known_relations *known,
                              const struct candidate_events *candidate, const struct valuation *valuation) {
  struct reasoner *r = ARENA_NEW(arena, struct reasoner);
  *r = (struct reasoner){.arena = arena,
                         .f = known->formula,
                         .plan = known->plan,
                         .ir = known->plan->ir,
                         .bounds = known->bounds,
                         .names = known->names,
                         .c = candidate,
                         .v = valuation,
                         .x = candidate->execution,
                         .shape = valuation->shape};
  r->cost = ARENA_ARRAY(arena, int *, known->plan->ir->node_count);
  return r;
}

/* ---- What is known of pairs ------------------------------------------------------------- */

static bool is_set(const struct reasoner *r, uint32_t node) {
  return r->ir->nodes[node].type == CAT_SET;
}

static bool is_in(const struct reasoner *r, uint32_t node, unsigned a, unsigned b) {
  return is_set(r, node) ? set_has(r->v->value[node], a) : rel_has(r->shape, r->v->value[node], a, b);
}

/* Is it there wherever the events are? */
static bool is_certain(const struct reasoner *r, uint32_t node, unsigned a, unsigned b) {
  return bound_has(r->bounds, r->bounds->lower, r->ir, node, r->c->number[a], r->c->number[b]);
}

static bool is_impossible(const struct reasoner *r, uint32_t node, unsigned a, unsigned b) {
  return !bound_has(r->bounds, r->bounds->upper, r->ir, node, r->c->number[a], r->c->number[b]);
}

static int executed(const struct reasoner *r, unsigned event) {
  return formula_executed(r->f, r->c->number[event]);
}

static void add_events(const struct reasoner *r, unsigned a, unsigned b, struct literals *out) {
  literals_add(out, executed(r, a));
  literals_add(out, executed(r, b));
}

static int order_of(const struct reasoner *r, unsigned a, unsigned b) {
  return formula_order(r->f, r->c->number[a], r->c->number[b]);
}

static int reads_of(const struct reasoner *r, unsigned write, unsigned read) {
  return formula_reads(r->f, r->c->number[write], r->c->number[read]);
}

static int weight(int literal) {
  return literal == SAT_TRUE ? STEP : LITERAL;
}

/* ---- Costs -------------------------------------------------------------------------------- */

static int cost_in(struct reasoner *r, uint32_t node, unsigned a, unsigned b);

static int cost_out(const struct reasoner *r, uint32_t node, unsigned a, unsigned b) {
  if (is_impossible(r, node, a, b)) return STEP;
  const struct cat_node *n = &r->ir->nodes[node];
  if (n->op == CAT_BASE) return has_literals(n->base) ? 2 * LITERAL : WHOLE;
  bool parts = n->op == CAT_UNION || n->op == CAT_INTER || n->op == CAT_DIFF || n->op == CAT_COMPL ||
               n->op == CAT_INVERSE || n->op == CAT_OPT || n->op == CAT_TOID || n->op == CAT_CROSS;
  return parts ? 4 * LITERAL : WHOLE;
}

/* The middle event by which a and b are related at the least cost; n: none. */
static unsigned best_middle(struct reasoner *r, const struct cat_node *node, unsigned a, unsigned b, int *cost) {
  unsigned best = r->shape.n;
  *cost = FAR;
  SET_EACH (c, r->shape.w, rel_row_const(r->shape, r->v->value[node->a], a)) {
    if (!is_in(r, node->b, c, b)) continue;
    int first = cost_in(r, node->a, a, c);
    if (first >= *cost) continue;
    int sum = first + cost_in(r, node->b, c, b) + STEP + (c == a || c == b ? 0 : weight(executed(r, c)));
    if (sum < *cost) *cost = sum, best = c;
  }
  return best;
}

struct steps {
  struct reasoner *r;
  uint32_t node;
  unsigned end;
};

static int step_cost(void *context, unsigned a, unsigned b) {
  const struct steps *s = context;
  return cost_in(s->r, s->node, a, b) + (b == s->end ? 0 : weight(executed(s->r, b)));
}

static int way_cost(struct reasoner *r, uint32_t node, unsigned a, unsigned b, unsigned *before) {
  struct path_costs costs = {step_cost, &(struct steps){r, node, b}};
  return shortest_path(r->shape, r->v->value[node], a, b, costs, before);
}

static unsigned first_partner(struct reasoner *r, const struct cat_node *node, unsigned a, int *cost) {
  unsigned best = r->shape.n;
  *cost = FAR;
  for (unsigned b = 0; b < r->shape.n; b++) {
    unsigned from = node->op == CAT_DOMAIN ? a : b, to = node->op == CAT_DOMAIN ? b : a;
    if (!is_in(r, node->a, from, to)) continue;
    int sum = cost_in(r, node->a, from, to) + weight(executed(r, b));
    if (sum < *cost) *cost = sum, best = b;
  }
  return best;
}

static int cost_base(const struct reasoner *r, const struct cat_node *node, unsigned a, unsigned b) {
  switch (node->base) {
    case BASE_RF:
      return LITERAL;
    case BASE_CO:
    case BASE_SYNC_FENCE:
      return weight(order_of(r, a, b));
    case BASE_SAME_B:
      return LITERAL;
    case BASE_FR:
      return LITERAL + weight(order_of(r, r->c->source[a], b));
    default:
      return plan_varies(node->base, r->plan->chosen) ? WHOLE : STEP;
  }
}

static int larger_sum(int a, int b) {
  return a + b + STEP < FAR ? a + b + STEP : FAR;
}

static int find_cost(struct reasoner *r, uint32_t i, unsigned a, unsigned b) {
  const struct cat_node *node = &r->ir->nodes[i];
  unsigned n = r->shape.n, before[n + 1];
  int cost, other;
  switch (node->op) {
    case CAT_BASE:
      return cost_base(r, node, a, b);
    case CAT_UNION:
      cost = is_in(r, node->a, a, b) ? cost_in(r, node->a, a, b) : FAR;
      other = is_in(r, node->b, a, b) ? cost_in(r, node->b, a, b) : FAR;
      return larger_sum(cost < other ? cost : other, 0);
    case CAT_INTER:
      return larger_sum(cost_in(r, node->a, a, b), cost_in(r, node->b, a, b));
    case CAT_DIFF:
      return larger_sum(cost_in(r, node->a, a, b), cost_out(r, node->b, a, b));
    case CAT_COMPL:
      return larger_sum(cost_out(r, node->a, a, b), 0);
    case CAT_INVERSE:
      return larger_sum(cost_in(r, node->a, b, a), 0);
    case CAT_SEQ:
      best_middle(r, node, a, b, &cost);
      return cost;
    case CAT_OPT:
      return a == b ? STEP : larger_sum(cost_in(r, node->a, a, b), 0);
    case CAT_STAR:
      return a == b ? STEP : larger_sum(way_cost(r, node->a, a, b, before), 0);
    case CAT_PLUS:
      return larger_sum(way_cost(r, node->a, a, b, before), 0);
    case CAT_TOID:
      return larger_sum(cost_in(r, node->a, a, a), 0);
    case CAT_CROSS:
      return larger_sum(cost_in(r, node->a, a, a), cost_in(r, node->b, b, b));
    case CAT_DOMAIN:
    case CAT_RANGE:
      first_partner(r, node, a, &cost);
      return larger_sum(cost, 0);
    case CAT_REC:
      return larger_sum(cost_in(r, node->a, a, b), 0);
    default:
      return WHOLE;
  }
}

static int cost_in(struct reasoner *r, uint32_t node, unsigned a, unsigned b) {
  if (is_certain(r, node, a, b)) return STEP;
  unsigned n = r->shape.n;
  if (!r->cost[node]) r->cost[node] = ARENA_ARRAY(r->arena, int, is_set(r, node) ? n : (size_t)n *n);
  int *known = &r->cost[node][is_set(r, node) ? a : (size_t)a * n + b];
  if (*known < 0) return FAR;
  if (*known) return *known;
  *known = -1;
  int cost = find_cost(r, node, a, b);
  *known = cost;
  return cost;
}

/* ---- Reasons --------------------------------------------------------------------------------- */

struct parts {
  bool sources, order, meetings;
};

/* What a node's value depends on. */
static void find_parts(const struct reasoner *r, bool *seen, uint32_t node, struct parts *parts) {
  if (seen[node]) return;
  seen[node] = true;
  const struct cat_node *n = &r->ir->nodes[node];
  if (n->op == CAT_BASE) {
    parts->meetings |= n->base == BASE_SAME_B;
    parts->sources |= n->base == BASE_RF || n->base == BASE_FR || n->base == BASE_SAME_VALUE;
    parts->order |= n->base == BASE_CO || n->base == BASE_FR || n->base == BASE_FW || n->base == BASE_SYNC_FENCE;
    return;
  }
  if (cat_operand_count(n->op) > 0) find_parts(r, seen, n->a, parts);
  if (cat_operand_count(n->op) > 1) find_parts(r, seen, n->b, parts);
}

static void add_paths(const struct reasoner *r, struct literals *out) {
  for (unsigned t = 0; t < r->x->program->thread_count; t++) candidate_add_path(r->f, r->c, t, out);
}

static void add_sources(const struct reasoner *r, struct literals *out) {
  for (unsigned e = 0; e < r->shape.n; e++)
    if (r->x->events[e].kind == EVENT_READ) literals_add(out, reads_of(r, r->c->source[e], e));
}

static void add_order(const struct reasoner *r, struct literals *out) {
  for (unsigned a = 0; a < r->shape.n; a++)
    for (unsigned b = 0; b < r->shape.n; b++) {
      int order = order_of(r, a, b);
      bool there = rel_has(r->shape, r->x->co, a, b) || rel_has(r->shape, r->x->sync_fence, a, b);
      if (order && (there || r->f->partial)) literals_add(out, there ? order : -order);
    }
}

static int presence(const struct reasoner *r, unsigned event) {
  return r->f->present[r->c->number[event]];
}

static int is_blocked(const struct reasoner *r, unsigned event) {
  return r->f->blocked[r->c->number[event]];
}

static void add_meetings(const struct reasoner *r, struct literals *out) {
  for (unsigned e = 0; e < r->shape.n; e++)
    if (r->x->events[e].kind == EVENT_MEET)
      literals_add(out, sat_holds(r->f->sat, presence(r, e)) ? presence(r, e) : -presence(r, e));
}

/* Adds all that a node's value rests on. */
static void reason_whole(struct reasoner *r, uint32_t node, struct literals *out) {
  struct parts parts = {false, false, false};
  bool *seen = ARENA_ARRAY(r->arena, bool, r->ir->node_count);
  find_parts(r, seen, node, &parts);
  add_paths(r, out);
  if (parts.sources) add_sources(r, out);
  if (parts.order) add_order(r, out);
  if (parts.meetings) add_meetings(r, out);
}

static void base_in(struct reasoner *r, uint32_t i, unsigned a, unsigned b, struct literals *out) {
  const struct cat_node *node = &r->ir->nodes[i];
  add_events(r, a, b, out);
  switch (node->base) {
    case BASE_RF:
      literals_add(out, reads_of(r, a, b));
      break;
    case BASE_CO:
    case BASE_SYNC_FENCE:
      literals_add(out, order_of(r, a, b));
      break;
    case BASE_SAME_B:
      literals_add(out, presence(r, a));
      literals_add(out, -is_blocked(r, b));
      break;
    case BASE_FR:
      if (r->names) {
        literals_add(out, closure_literals_from_read(r->names, r->c->number[a], r->c->number[b]));
      } else {
        literals_add(out, reads_of(r, r->c->source[a], a));
        literals_add(out, order_of(r, r->c->source[a], b));
      }
      break;
    default:
      if (plan_varies(node->base, r->plan->chosen)) reason_whole(r, i, out);
      break;
  }
}

/* Adds why (a, b) is in a node's value, or, of a set, why `a` is. */
static void reason_in(struct reasoner *r, uint32_t node, unsigned a, unsigned b, struct literals *out);

static void way_in(struct reasoner *r, uint32_t node, unsigned a, unsigned b, struct literals *out) {
  unsigned n = r->shape.n, before[n + 1];
  if (way_cost(r, node, a, b, before) >= FAR) {
    reason_whole(r, node, out);
    return;
  }
  unsigned at = b;
  do {
    struct literals step = {.arena = r->arena};
    reason_in(r, node, before[at], at, r->names ? &step : out);
    if (r->names) closure_literals_step(r->names, node, r->c->number[before[at]], r->c->number[at], &step);
    at = before[at];
  } while (at != a);
  add_events(r, a, b, out);
  if (r->names) literals_add(out, closure_literals_path(r->names, node, r->c->number[a], r->c->number[b]));
}

static void sequence_in(struct reasoner *r, uint32_t i, unsigned a, unsigned b, struct literals *out) {
  int cost;
  const struct cat_node *node = &r->ir->nodes[i];
  unsigned c = best_middle(r, node, a, b, &cost);
  if (c == r->shape.n) {
    reason_whole(r, i, out);
    return;
  }
  reason_in(r, node->a, a, c, out);
  reason_in(r, node->b, c, b, out);
}

static void partner_in(struct reasoner *r, uint32_t i, unsigned a, struct literals *out) {
  int cost;
  const struct cat_node *node = &r->ir->nodes[i];
  unsigned b = first_partner(r, node, a, &cost);
  if (b == r->shape.n)
    reason_whole(r, i, out);
  else
    reason_in(r, node->a, node->op == CAT_DOMAIN ? a : b, node->op == CAT_DOMAIN ? b : a, out);
}

/* The side of a union that has the pair, and at the lower cost. */
static uint32_t cheaper(struct reasoner *r, const struct cat_node *node, unsigned a, unsigned b) {
  if (!is_in(r, node->a, a, b)) return node->b;
  if (!is_in(r, node->b, a, b)) return node->a;
  return cost_in(r, node->a, a, b) <= cost_in(r, node->b, a, b) ? node->a : node->b;
}

static void reason_in(struct reasoner *r, uint32_t i, unsigned a, unsigned b, struct literals *out) {
  const struct cat_node *node = &r->ir->nodes[i];
  if (is_certain(r, i, a, b)) {
    add_events(r, a, is_set(r, i) ? a : b, out);
    return;
  }
  if (cost_in(r, i, a, b) >= FAR) { /* it depends on itself as far as it was followed */
    reason_whole(r, i, out);
    return;
  }
  switch (node->op) {
    case CAT_BASE:
      base_in(r, i, a, is_set(r, i) ? a : b, out);
      return;
    case CAT_UNION:
      reason_in(r, cheaper(r, node, a, b), a, b, out);
      return;
    case CAT_INTER:
      reason_in(r, node->a, a, b, out);
      reason_in(r, node->b, a, b, out);
      return;
    case CAT_DIFF:
      reason_in(r, node->a, a, b, out);
      reason_out(r, node->b, a, b, out);
      return;
    case CAT_COMPL:
      reason_out(r, node->a, a, b, out);
      return;
    case CAT_INVERSE:
      reason_in(r, node->a, b, a, out);
      return;
    case CAT_SEQ:
      sequence_in(r, i, a, b, out);
      return;
    case CAT_OPT:
    case CAT_STAR:
      if (a == b)
        add_events(r, a, a, out);
      else if (node->op == CAT_OPT)
        reason_in(r, node->a, a, b, out);
      else
        way_in(r, node->a, a, b, out);
      return;
    case CAT_PLUS:
      way_in(r, node->a, a, b, out);
      return;
    case CAT_TOID:
      reason_in(r, node->a, a, a, out);
      return;
    case CAT_CROSS:
      reason_in(r, node->a, a, a, out);
      reason_in(r, node->b, b, b, out);
      return;
    case CAT_DOMAIN:
    case CAT_RANGE:
      partner_in(r, i, a, out);
      return;
    case CAT_REC:
      if (node->grows) /* no least fixpoint: what it stands on may stand on what is not there */
        reason_whole(r, i, out);
      else
        reason_in(r, node->a, a, b, out);
      return;
    default:
      reason_whole(r, i, out);
      return;
  }
}

/* b does not follow a. */
static void order_out(struct reasoner *r, unsigned a, unsigned b, struct literals *out) {
  add_events(r, a, b, out);
  if (a != b) literals_add(out, -order_of(r, a, b));
}

static void base_out(struct reasoner *r, uint32_t i, unsigned a, unsigned b, struct literals *out) {
  enum cat_base base = r->ir->nodes[i].base;
  add_events(r, a, b, out);
  if (base == BASE_RF) {
    literals_add(out, -reads_of(r, a, b));
  } else if (base == BASE_CO || base == BASE_SYNC_FENCE) {
    order_out(r, a, b, out);
  } else if (base == BASE_SAME_B) {
    literals_add(out, sat_holds(r->f->sat, presence(r, a)) ? is_blocked(r, b) : -presence(r, a));
  } else if (base == BASE_FR) {
    literals_add(out, reads_of(r, r->c->source[a], a));
    order_out(r, r->c->source[a], b, out);
  } else {
    reason_whole(r, i, out);
  }
}

/* Of two nodes neither of which need have the pair, the one whose reason is shorter. */
static uint32_t cheaper_out(const struct reasoner *r, uint32_t x, uint32_t y, unsigned a, unsigned b) {
  if (is_in(r, x, a, b)) return y;
  if (is_in(r, y, a, b)) return x;
  return cost_out(r, x, a, b) <= cost_out(r, y, a, b) ? x : y;
}

static void cross_out(struct reasoner *r, const struct cat_node *node, unsigned a, unsigned b, struct literals *out) {
  bool first =
      !is_in(r, node->a, a, a) && (is_in(r, node->b, b, b) || cost_out(r, node->a, a, a) <= cost_out(r, node->b, b, b));
  if (first)
    reason_out(r, node->a, a, a, out);
  else
    reason_out(r, node->b, b, b, out);
}

/* [set] ; r, or r ; [set], which are r where the set has the end. */
static void masked_out(struct reasoner *r, uint32_t i, unsigned a, unsigned b, struct literals *out) {
  const struct cat_node *node = &r->ir->nodes[i], *nodes = r->ir->nodes;
  if (nodes[node->a].op == CAT_TOID) {
    uint32_t set = nodes[node->a].a;
    if (!is_in(r, set, a, a))
      reason_out(r, set, a, a, out);
    else
      reason_out(r, node->b, a, b, out);
  } else if (nodes[node->b].op == CAT_TOID) {
    uint32_t set = nodes[node->b].a;
    if (!is_in(r, set, b, b))
      reason_out(r, set, b, b, out);
    else
      reason_out(r, node->a, a, b, out);
  } else {
    reason_whole(r, i, out);
  }
}

void reason_out(struct reasoner *r, uint32_t i, unsigned a, unsigned b, struct literals *out) {
  const struct cat_node *node = &r->ir->nodes[i];
  if (is_impossible(r, i, a, b)) {
    add_events(r, a, is_set(r, i) ? a : b, out);
    return;
  }
  switch (node->op) {
    case CAT_BASE:
      base_out(r, i, a, is_set(r, i) ? a : b, out);
      return;
    case CAT_UNION:
      reason_out(r, node->a, a, b, out);
      reason_out(r, node->b, a, b, out);
      return;
    case CAT_INTER:
      reason_out(r, cheaper_out(r, node->a, node->b, a, b), a, b, out);
      return;
    case CAT_DIFF:
      if (is_in(r, node->a, a, b))
        reason_in(r, node->b, a, b, out);
      else
        reason_out(r, node->a, a, b, out);
      return;
    case CAT_COMPL:
      reason_in(r, node->a, a, b, out);
      return;
    case CAT_INVERSE:
      reason_out(r, node->a, b, a, out);
      return;
    case CAT_OPT:
      reason_out(r, node->a, a, b, out);
      return;
    case CAT_TOID:
      if (a == b)
        reason_out(r, node->a, a, a, out);
      else
        add_events(r, a, b, out);
      return;
    case CAT_CROSS:
      cross_out(r, node, a, b, out);
      return;
    case CAT_SEQ:
      masked_out(r, i, a, b, out);
      return;
    default:
      reason_whole(r, i, out);
      return;
  }
}

/* ---- Checks ------------------------------------------------------------------------------------ */

struct telling {
  struct reasoner *r;
  void (*each)(void *context, const struct literals *literals);
  void *context;
  unsigned left;
};

static void tell_in(struct telling *t, uint32_t node, unsigned a, unsigned b) {
  struct literals literals = {.arena = t->r->arena};
  reason_in(t->r, node, a, b, &literals);
  t->each(t->context, &literals);
  t->left--;
}

/* The shortest circle through each event that is in one. */
static void tell_circles(struct telling *t, uint32_t node) {
  struct reasoner *r = t->r;
  struct shape s = r->shape;
  word *closed = ARENA_COPY(r->arena, word, r->v->value[node], rel_words(s));
  rel_close(s, closed);
  for (unsigned a = 0; a < s.n && t->left; a++) {
    if (!rel_has(s, closed, a, a)) continue;
    struct literals literals = {.arena = r->arena};
    way_in(r, node, a, a, &literals);
    t->each(t->context, &literals);
    t->left--;
  }
}

static void tell_members(struct telling *t, uint32_t node) {
  struct reasoner *r = t->r;
  for (unsigned a = 0; a < r->shape.n && t->left; a++)
    for (unsigned b = 0; b < (is_set(r, node) ? 1 : r->shape.n) && t->left; b++)
      if (is_in(r, node, a, b)) tell_in(t, node, a, b);
}

void reason_check(struct reasoner *r, const struct cat_check *check, unsigned most,
                  void (*each)(void *context, const struct literals *literals), void *context) {
  struct telling t = {r, each, context, most};
  if (check->negated) {
    struct literals literals = {.arena = r->arena};
    reason_whole(r, check->node, &literals);
    each(context, &literals);
    return;
  }
  if (check->kind == CHECK_ACYCLIC)
    tell_circles(&t, check->node);
  else if (check->kind == CHECK_EMPTY)
    tell_members(&t, check->node);
  for (unsigned a = 0; check->kind == CHECK_IRREFLEXIVE && a < r->shape.n && t.left; a++)
    if (is_in(r, check->node, a, a)) tell_in(&t, check->node, a, a);
}
