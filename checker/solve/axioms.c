/* SPDX-License-Identifier: MIT */
/* Literals are made as they are asked for, from those of the operands; closures whole, when the first of their pairs
 * is.  A step of a closure that is there in any case and goes over an event that is there too is left out. */
#include "checker/solve/axioms.h"

static const double MOST_CLAUSES = 6e6;

struct axioms {
  struct arena *arena;
  const struct formula *f;
  const struct plan *plan;
  const struct cat_ir *ir;
  const struct relation_bounds *bounds;
  struct closure_literals *names;
  struct shape shape; /* of the tree's events */
  bool *local;        /* by node: decided by two events alone */
  int *can;           /* by node: 0: not looked at yet; else 1, or -1: it cannot be written out */
  double *small;      /* by node: as `can`, with how many clauses it takes */
  bool recursive;     /* some definition is: a literal may be asked for while it is made */
  int ***literal;     /* by node, then event, then event; 0: not made yet */
  int ***path;        /* the same of a node's closure */
  int ***need;        /* as `literal`, the other way round */
  int ***need_path;
};

struct axioms *axioms_new(struct arena *arena, const struct known_relations *known) {
  struct axioms *a = ARENA_NEW(arena, struct axioms);
  const struct plan *plan = known->plan;
  uint32_t count = plan->ir->node_count;
  *a = (struct axioms){.arena = arena,
                       .f = known->formula,
                       .plan = plan,
                       .ir = plan->ir,
                       .bounds = known->bounds,
                       .names = known->names,
                       .shape = known->bounds->shape,
                       .local = ARENA_ARRAY(arena, bool, count),
                       .can = ARENA_ARRAY(arena, int, count),
                       .small = ARENA_ARRAY(arena, double, count),
                       .literal = ARENA_ARRAY(arena, int **, count),
                       .path = ARENA_ARRAY(arena, int **, count),
                       .need = ARENA_ARRAY(arena, int **, count),
                       .need_path = ARENA_ARRAY(arena, int **, count)};
  plan_find_local(plan, true, a->local);
  for (uint32_t i = 0; i < count; i++) a->recursive |= plan->needed[i] && plan->ir->nodes[i].op == CAT_REC;
  return a;
}

/* ---- What can be written out -------------------------------------------------------------- */

static bool may_be(const struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  return bound_has(a->bounds, a->bounds->upper, a->ir, node, x, y);
}

static bool must_be(const struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  return bound_has(a->bounds, a->bounds->lower, a->ir, node, x, y);
}

static double pairs_of(const struct axioms *a, uint32_t node) {
  return (double)words_popcount(a->ir->nodes[node].type == CAT_SET ? a->shape.w : rel_words(a->shape),
                                a->bounds->upper[node]);
}

/* Clauses of a ; b: for each event between, the pairs that lead to it times those that lead on. */
static double between(const struct axioms *a, uint32_t x, uint32_t y) {
  double sum = 0;
  word *inverse = ARENA_ARRAY(a->arena, word, rel_words(a->shape));
  rel_inverse(a->shape, inverse, a->bounds->upper[x]);
  for (unsigned e = 0; e < a->shape.n; e++)
    sum += (double)words_popcount(a->shape.w, rel_row_const(a->shape, inverse, e)) *
           (double)words_popcount(a->shape.w, rel_row_const(a->shape, a->bounds->upper[y], e));
  return sum;
}

static double own_clauses(const struct axioms *a, uint32_t i) {
  const struct cat_node *n = &a->ir->nodes[i];
  if (a->local[i]) return 0;
  if (n->op == CAT_SEQ) return between(a, n->a, n->b);
  if (n->op == CAT_PLUS || n->op == CAT_STAR) return pairs_of(a, n->a) * a->shape.n;
  return pairs_of(a, i);
}

static bool can_write(struct axioms *a, uint32_t i) {
  if (a->can[i]) return a->can[i] > 0;
  a->can[i] = 1; /* a recursive variable on its way */
  const struct cat_node *n = &a->ir->nodes[i];
  bool can = true;
  if (n->op == CAT_BASE) can = a->local[i] || has_literals(n->base);
  if (n->op == CAT_CHOSEN || (n->op == CAT_REC && n->grows)) can = false;
  if (cat_operand_count(n->op) > 0) can &= can_write(a, n->a);
  if (cat_operand_count(n->op) > 1) can &= can_write(a, n->b);
  a->can[i] = can ? 1 : -1;
  return can;
}

/* About how many clauses a node takes with all that it stands on, each once. */
static double count_clauses(struct axioms *a, uint32_t i, bool *seen) {
  if (seen[i]) return 0;
  seen[i] = true;
  const struct cat_node *n = &a->ir->nodes[i];
  double sum = own_clauses(a, i);
  if (cat_operand_count(n->op) > 0) sum += count_clauses(a, n->a, seen);
  if (cat_operand_count(n->op) > 1) sum += count_clauses(a, n->b, seen);
  return sum;
}

/* ---- Literals of pairs that are derived -------------------------------------------------------- */

static int literal_of(struct axioms *a, uint32_t node, unsigned x, unsigned y);
static int need_of(struct axioms *a, uint32_t node, unsigned x, unsigned y);

static int *place_of(struct axioms *a, int ***table, uint32_t node, unsigned x, unsigned y) {
  if (!table[node]) table[node] = ARENA_ARRAY(a->arena, int *, a->shape.n);
  if (!table[node][x]) table[node][x] = ARENA_ARRAY(a->arena, int, a->shape.n);
  return &table[node][x][y];
}

static int executed(const struct axioms *a, unsigned event) {
  return formula_executed(a->f, event);
}

static int both_executed(struct axioms *a, unsigned x, unsigned y) {
  return sat_and(a->f->sat, executed(a, x), executed(a, y));
}

/* A pair's events are there, or, of a set, the event. */
static int events_of(struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  return a->ir->nodes[node].type == CAT_SET ? executed(a, x) : both_executed(a, x, y);
}

static int base_literal(struct axioms *a, uint32_t i, unsigned x, unsigned y) {
  switch (a->ir->nodes[i].base) {
    case BASE_RF:
      return formula_reads(a->f, x, y);
    case BASE_CO:
    case BASE_SYNC_FENCE:
      return sat_and(a->f->sat, both_executed(a, x, y), formula_order(a->f, x, y));
    case BASE_SAME_B:
      return sat_and(a->f->sat, both_executed(a, x, y), sat_and(a->f->sat, a->f->present[x], -a->f->blocked[y]));
    case BASE_FR:
      return sat_and(a->f->sat, both_executed(a, x, y), closure_literals_from_read(a->names, x, y));
    default:
      return SAT_FALSE; /* decided by the bounds already */
  }
}

/* Is there the other event wherever there is the one? */
static bool has_also(const struct axioms *a, unsigned event, unsigned other) {
  return executed(a, other) == SAT_TRUE || tree_implies(a->f->tree, event, other);
}

/* The closure that a sequence begins or ends with (what comes before a pair's first event in the one, or after its
 * second in the other, is also before the second, or after the first).  node_count: it is none. */
static uint32_t closure_at_end(const struct axioms *a, uint32_t node, bool last) {
  const struct cat_node *n = &a->ir->nodes[node];
  if (n->op == CAT_SEQ) return closure_at_end(a, last ? n->b : n->a, last);
  return n->op == CAT_PLUS ? node : a->ir->node_count;
}

/* Does a ; b also go over another event wherever it goes over `e`, one that is nearer to x, or to y? */
static bool goes_over_another(const struct axioms *a, const struct cat_node *n, unsigned x, unsigned e, unsigned y) {
  uint32_t second = closure_at_end(a, n->b, false), first = closure_at_end(a, n->a, true);
  if (second < a->ir->node_count) {
    SET_EACH (other, a->shape.w, rel_row_const(a->shape, a->bounds->lower[n->a], x))
      if (must_be(a, second, other, e) && !must_be(a, second, e, other) && has_also(a, e, other)) return true;
  } else if (first < a->ir->node_count) {
    SET_EACH (other, a->shape.w, rel_row_const(a->shape, a->bounds->lower[first], e))
      if (must_be(a, n->b, other, y) && !must_be(a, first, other, e) && has_also(a, e, other)) return true;
  }
  return false;
}

/* Is `[set] ; r` or `r ; [set]` at this pair what r is? */
static bool only_restricts(const struct axioms *a, uint32_t set, unsigned x) {
  return a->ir->nodes[set].op == CAT_TOID && must_be(a, set, x, x);
}

/* a ; b over each event between. */
static int sequence_literal(struct axioms *a, const struct cat_node *n, unsigned x, unsigned y, int name) {
  bool some = false;
  if (only_restricts(a, n->a, x)) return literal_of(a, n->b, x, y);
  if (only_restricts(a, n->b, y)) return literal_of(a, n->a, x, y);
  SET_EACH (e, a->shape.w, rel_row_const(a->shape, a->bounds->upper[n->a], x)) {
    if (!may_be(a, n->b, e, y) || goes_over_another(a, n, x, e, y)) continue;
    int first = literal_of(a, n->a, x, e), second = first == SAT_FALSE ? SAT_FALSE : literal_of(a, n->b, e, y);
    if (first == SAT_FALSE || second == SAT_FALSE) continue;
    sat_clause_3(a->f->sat, -first, -second, name);
    some = true;
  }
  return some ? name : SAT_FALSE;
}

static int ends_literal(struct axioms *a, const struct cat_node *n, unsigned x, int name) {
  bool some = false;
  for (unsigned e = 0; e < a->shape.n; e++) {
    unsigned from = n->op == CAT_DOMAIN ? x : e, to = n->op == CAT_DOMAIN ? e : x;
    if (!may_be(a, n->a, from, to)) continue;
    int literal = literal_of(a, n->a, from, to);
    if (literal == SAT_FALSE) continue;
    sat_clause_2(a->f->sat, -literal, name);
    some = true;
  }
  return some ? name : SAT_FALSE;
}

/* Would the step be made of two others that are there wherever it is? */
static bool is_spared(const struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  if (!must_be(a, node, x, y)) return false;
  SET_EACH (e, a->shape.w, rel_row_const(a->shape, a->bounds->lower[node], x)) {
    if (e == x || e == y || !must_be(a, node, e, y)) continue;
    if (must_be(a, node, e, x) || must_be(a, node, y, e)) continue; /* a circle would spare itself */
    if (has_also(a, y, e)) return true;
  }
  return false;
}

/* All pairs of a node's closure at once, so that paths may go in circles. */
static void write_closure(struct axioms *a, uint32_t node) {
  struct shape s = a->shape;
  word *closed = ARENA_COPY(a->arena, word, a->bounds->upper[node], rel_words(s));
  rel_close(s, closed);
  for (unsigned x = 0; x < s.n; x++)
    SET_EACH (y, s.w, rel_row_const(s, closed, x)) *place_of(a, a->path, node, x, y) = sat_variable(a->f->sat);
  if (!a->path[node]) a->path[node] = ARENA_ARRAY(a->arena, int *, s.n);
  for (unsigned x = 0; x < s.n; x++)
    SET_EACH (y, s.w, rel_row_const(s, a->bounds->upper[node], x)) {
      int step = is_spared(a, node, x, y) ? SAT_FALSE : literal_of(a, node, x, y);
      if (step == SAT_FALSE) continue;
      sat_clause_2(a->f->sat, -step, *place_of(a, a->path, node, x, y));
      for (unsigned e = 0; e < s.n; e++) {
        if (!rel_has(s, closed, e, x)) continue;
        sat_clause_3(a->f->sat, -*place_of(a, a->path, node, e, x), -step, *place_of(a, a->path, node, e, y));
      }
    }
}

static bool is_base(const struct axioms *a, uint32_t node, enum cat_base base) {
  return a->ir->nodes[node].op == CAT_BASE && a->ir->nodes[node].base == base;
}

/* A write that comes between two others in the order of their location. */
static int is_between(const struct axioms *a, unsigned x, unsigned z, unsigned y) {
  const struct formula *f = a->f;
  int behind = formula_order(f, x, z), before = formula_order(f, z, y);
  return behind && before ? sat_and(f->sat, executed(a, z), sat_and(f->sat, behind, before)) : SAT_FALSE;
}

/* Of writes that follow one another as read-modify-writes do, one is reached from another over `rf; rmw` wherever it
 * comes after, and none that does not follow so comes between. */
static void write_chains(struct axioms *a, uint32_t node) {
  const struct cat_node *n = &a->ir->nodes[node];
  const struct formula *f = a->f;
  if (n->op != CAT_SEQ || !is_base(a, n->a, BASE_RF) || !is_base(a, n->b, BASE_RMW)) return;
  int *clause = ARENA_ARRAY(a->arena, int, a->shape.n + 4);
  for (unsigned x = 0; x < a->shape.n; x++)
    for (unsigned y = 0; y < a->shape.n; y++) {
      int order = x != y && f->chained[y] ? formula_order(f, x, y) : 0,
          path = order ? *place_of(a, a->path, node, x, y) : 0;
      if (!path) continue;
      size_t count = 0;
      clause[count++] = -executed(a, x);
      clause[count++] = -executed(a, y);
      clause[count++] = -order;
      clause[count++] = path;
      for (unsigned z = 0; z < a->shape.n; z++)
        if (z != x && !f->chained[z] && formula_order(f, z, y)) clause[count++] = is_between(a, x, z, y);
      sat_clause(f->sat, clause, count);
    }
}

static int path_literal(struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  if (!a->path[node]) {
    write_closure(a, node);
    write_chains(a, node);
  }
  int path = *place_of(a, a->path, node, x, y);
  return path ? path : SAT_FALSE;
}

static int union_literal(struct axioms *a, const struct cat_node *n, unsigned x, unsigned y, int name) {
  int first = may_be(a, n->a, x, y) ? literal_of(a, n->a, x, y) : SAT_FALSE;
  int second = may_be(a, n->b, x, y) ? literal_of(a, n->b, x, y) : SAT_FALSE;
  if (first == SAT_FALSE || second == SAT_FALSE) return first == SAT_FALSE ? second : first;
  sat_clause_2(a->f->sat, -first, name);
  sat_clause_2(a->f->sat, -second, name);
  return name;
}

/* `name`: a new literal, for what needs one. */
static int make_literal(struct axioms *a, uint32_t i, unsigned x, unsigned y, int name) {
  const struct cat_node *n = &a->ir->nodes[i];
  switch (n->op) {
    case CAT_BASE:
      return base_literal(a, i, x, y);
    case CAT_UNION:
      return union_literal(a, n, x, y, name);
    case CAT_INTER:
      return sat_and(a->f->sat, literal_of(a, n->a, x, y), literal_of(a, n->b, x, y));
    case CAT_DIFF:
      if (must_be(a, n->b, x, y)) return SAT_FALSE;
      return sat_and(a->f->sat, literal_of(a, n->a, x, y), -need_of(a, n->b, x, y));
    case CAT_COMPL:
      return sat_and(a->f->sat, events_of(a, i, x, y), -need_of(a, n->a, x, y));
    case CAT_INVERSE:
      return literal_of(a, n->a, y, x);
    case CAT_SEQ:
      return sequence_literal(a, n, x, y, name);
    case CAT_OPT:
      return literal_of(a, n->a, x, y);
    case CAT_PLUS:
    case CAT_STAR:
      return path_literal(a, n->a, x, y);
    case CAT_TOID:
      return literal_of(a, n->a, x, x);
    case CAT_CROSS:
      return sat_and(a->f->sat, literal_of(a, n->a, x, x), literal_of(a, n->b, y, y));
    case CAT_DOMAIN:
    case CAT_RANGE:
      return ends_literal(a, n, x, name);
    case CAT_REC: {
      int body = literal_of(a, n->a, x, y);
      sat_clause_2(a->f->sat, -body, name);
      return name;
    }
    default:
      return SAT_FALSE;
  }
}

/* A literal that holds wherever (x, y) is in the node's value, or, of a set, x. */
static int literal_of(struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  if (!may_be(a, node, x, y)) return SAT_FALSE;
  if (must_be(a, node, x, y)) return events_of(a, node, x, y);
  int *place = place_of(a, a->literal, node, x, y);
  if (*place) return *place;
  int name = *place = sat_variable(a->f->sat); /* a recursive variable may come back to it */
  int made = make_literal(a, node, x, y, name);
  if (a->ir->nodes[node].op == CAT_REC) return name;
  if (a->recursive && made != name) sat_clause_2(a->f->sat, -made, name);
  return *place_of(a, a->literal, node, x, y) = made;
}

/* ---- Literals of pairs that have to be derived ------------------------------------------------ */

struct some {
  struct axioms *a;
  VEC(int) list;
};

static void add_both(struct some *some, int first, int second) {
  int both = sat_and(some->a->f->sat, first, second);
  if (both != SAT_FALSE) *vec_push(some->a->arena, &some->list) = both;
}

/* Where `name` holds, one of them does. */
static int require_some(struct some *some, int name) {
  if (!some->list.count) return SAT_FALSE;
  *vec_push(some->a->arena, &some->list) = -name;
  sat_clause(some->a->f->sat, some->list.at, some->list.count);
  return name;
}

static int need_from_read(struct axioms *a, unsigned read, unsigned write, int name) {
  const struct formula *f = a->f;
  struct some some = {.a = a};
  for (unsigned i = f->first_source[read]; i < f->first_source[read + 1]; i++) {
    const struct source_edge *edge = &f->sources.at[i];
    int order = edge->write == write ? 0 : formula_order(f, edge->write, write);
    if (order) add_both(&some, edge->literal, order);
  }
  return require_some(&some, name);
}

static int need_sequence(struct axioms *a, const struct cat_node *n, unsigned x, unsigned y, int name) {
  struct some some = {.a = a};
  if (only_restricts(a, n->a, x)) return need_of(a, n->b, x, y);
  if (only_restricts(a, n->b, y)) return need_of(a, n->a, x, y);
  SET_EACH (e, a->shape.w, rel_row_const(a->shape, a->bounds->upper[n->a], x))
    if (may_be(a, n->b, e, y)) add_both(&some, need_of(a, n->a, x, e), need_of(a, n->b, e, y));
  return require_some(&some, name);
}

static int need_end(struct axioms *a, const struct cat_node *n, unsigned x, int name) {
  struct some some = {.a = a};
  for (unsigned e = 0; e < a->shape.n; e++)
    add_both(&some, SAT_TRUE, n->op == CAT_DOMAIN ? need_of(a, n->a, x, e) : need_of(a, n->a, e, x));
  return require_some(&some, name);
}

/* A first step, and what is left of the way. */
static int need_path(struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  int *place = place_of(a, a->need_path, node, x, y);
  if (*place) return *place;
  int name = *place = sat_variable(a->f->sat);
  struct some some = {.a = a};
  SET_EACH (e, a->shape.w, rel_row_const(a->shape, a->bounds->upper[node], x))
    add_both(&some, need_of(a, node, x, e), e == y ? SAT_TRUE : need_path(a, node, e, y));
  if (require_some(&some, name) == SAT_FALSE) sat_clause(a->f->sat, (const int[]){-name}, 1);
  return name;
}

static int make_need(struct axioms *a, uint32_t i, unsigned x, unsigned y, int name) {
  const struct cat_node *n = &a->ir->nodes[i];
  struct sat *sat = a->f->sat;
  switch (n->op) {
    case CAT_BASE:
      if (n->base == BASE_FR) return need_from_read(a, x, y, name);
      return has_literals(n->base) ? base_literal(a, i, x, y) : events_of(a, i, x, y);
    case CAT_UNION:
      return sat_or(sat, need_of(a, n->a, x, y), need_of(a, n->b, x, y));
    case CAT_INTER:
      return sat_and(sat, need_of(a, n->a, x, y), need_of(a, n->b, x, y));
    case CAT_DIFF:
      return sat_and(sat, need_of(a, n->a, x, y), -literal_of(a, n->b, x, y));
    case CAT_COMPL:
      return sat_and(sat, events_of(a, i, x, y), -literal_of(a, n->a, x, y));
    case CAT_INVERSE:
      return need_of(a, n->a, y, x);
    case CAT_SEQ:
      return need_sequence(a, n, x, y, name);
    case CAT_OPT:
      return x == y ? executed(a, x) : need_of(a, n->a, x, y);
    case CAT_PLUS:
      return need_path(a, n->a, x, y);
    case CAT_STAR:
      return x == y ? executed(a, x) : need_path(a, n->a, x, y);
    case CAT_TOID:
      return x == y ? need_of(a, n->a, x, x) : SAT_FALSE;
    case CAT_CROSS:
      return sat_and(sat, need_of(a, n->a, x, x), need_of(a, n->b, y, y));
    case CAT_DOMAIN:
    case CAT_RANGE:
      return need_end(a, n, x, name);
    case CAT_REC:
      return n->grows ? events_of(a, i, x, y) : need_of(a, n->a, x, y);
    default:
      return events_of(a, i, x, y);
  }
}

/* A literal that may hold wherever (x, y) is in the node's value, or, of a set, x; and only where something stands for
 * that, if only the pair itself: that a closure or a recursive definition begins somewhere is not said. */
static int need_of(struct axioms *a, uint32_t node, unsigned x, unsigned y) {
  if (!may_be(a, node, x, y)) return SAT_FALSE;
  if (must_be(a, node, x, y)) return events_of(a, node, x, y);
  int *place = place_of(a, a->need, node, x, y);
  if (*place) return *place;
  int name = *place = sat_variable(a->f->sat);
  int made = make_need(a, node, x, y, name);
  if (a->recursive && made != name) {
    sat_clause_2(a->f->sat, -name, made);
    return name;
  }
  return *place_of(a, a->need, node, x, y) = made;
}

/* Can a node be written out, in not too many clauses?  Asked once. */
static bool is_small(struct axioms *a, uint32_t node) {
  if (a->small[node] == 0) {
    bool *seen = ARENA_ARRAY(a->arena, bool, a->ir->node_count);
    a->small[node] = can_write(a, node) ? 1 + count_clauses(a, node, seen) : -1;
  }
  return a->small[node] > 0 && a->small[node] <= MOST_CLAUSES;
}

/* ---- Checks ----------------------------------------------------------------------------------- */

/* Where (x, y) is in the node's value, or, of a set, x, the literal holds. */
static void imply(struct axioms *a, uint32_t node, unsigned x, unsigned y, int then) {
  const struct cat_node *n = &a->ir->nodes[node];
  if (then == SAT_TRUE || !may_be(a, node, x, y)) return;
  bool made = a->literal[node] && a->literal[node][x] && a->literal[node][x][y];
  if (n->op == CAT_UNION && !made && !must_be(a, node, x, y)) {
    imply(a, n->a, x, y, then);
    imply(a, n->b, x, y, then);
  } else if (n->op == CAT_SEQ && !made && !must_be(a, node, x, y)) {
    int literal = sequence_literal(a, n, x, y, then);
    if (literal != SAT_FALSE && literal != then) sat_clause_2(a->f->sat, -literal, then);
  } else {
    sat_clause_2(a->f->sat, -literal_of(a, node, x, y), then);
  }
}

/* ---- No circle ----------------------------------------------------------------------------------- */

/* Steps go round in no circle where all of them go along one order. */
struct step_order {
  struct axioms *a;
  word *closed; /* from where steps may lead to where */
  word *fixed;  /* steps that are there in any case, if an order of all events can have them at once */
  word *far;    /* of these, those of a thread that are made of two others */
  int **before; /* by two events; 0: no circle has both */
};

static bool in_circle(const struct step_order *o, unsigned x, unsigned y) {
  struct shape s = o->a->shape;
  return rel_has(s, o->closed, x, y) && rel_has(s, o->closed, y, x) && tree_compatible(o->a->f->tree, x, y);
}

/* Steps are each on some paths: is there an order of the events of all paths that has no other than these on any? */
static bool can_fix(const struct step_order *o) {
  struct shape s = o->a->shape;
  word *closed = ARENA_COPY(o->a->arena, word, o->fixed, rel_words(s));
  rel_close(s, closed);
  for (unsigned x = 0; x < s.n; x++)
    SET_EACH (y, s.w, rel_row_const(s, closed, x))
      if (x == y || (!rel_has(s, o->fixed, x, y) && tree_compatible(o->a->f->tree, x, y))) return false;
  return true;
}

static void fix_steps(struct step_order *o, uint32_t node) {
  struct shape s = o->a->shape;
  for (unsigned x = 0; x < s.n; x++)
    SET_EACH (y, s.w, rel_row_const(s, o->a->bounds->lower[node], x))
      if (in_circle(o, x, y)) rel_add(s, o->fixed, x, y);
  if (!can_fix(o)) words_clear(rel_words(s), o->fixed);
  const struct event *events = o->a->bounds->all.events;
  for (unsigned x = 0; x < s.n; x++)
    SET_EACH (e, s.w, rel_row_const(s, o->fixed, x))
      SET_EACH (y, s.w, rel_row_const(s, o->fixed, e))
        if (events[x].thread == events[e].thread && events[e].thread == events[y].thread) rel_add(s, o->far, x, y);
}

static struct step_order *order_new(struct axioms *a, uint32_t node) {
  struct shape s = a->shape;
  struct step_order *o = ARENA_NEW(a->arena, struct step_order);
  word *sets[3];
  for (unsigned i = 0; i < 3; i++) sets[i] = ARENA_ARRAY(a->arena, word, rel_words(s));
  *o = (struct step_order){a, sets[0], sets[1], sets[2], ARENA_ARRAY(a->arena, int *, s.n + 1)};
  words_copy(rel_words(s), o->closed, a->bounds->upper[node]);
  rel_close(s, o->closed);
  fix_steps(o, node);
  for (unsigned x = 0; x < s.n; x++) o->before[x] = ARENA_ARRAY(a->arena, int, s.n);
  for (unsigned x = 0; x < s.n; x++)
    for (unsigned y = x + 1; y < s.n; y++) {
      if (!in_circle(o, x, y)) continue;
      bool known = rel_has(s, o->fixed, x, y) || rel_has(s, o->fixed, y, x);
      o->before[x][y] = !known ? sat_variable(a->f->sat) : rel_has(s, o->fixed, x, y) ? SAT_TRUE : SAT_FALSE;
      o->before[y][x] = -o->before[x][y];
    }
  return o;
}

/* Of another thread's event and two of one thread, between which a third is in any case, that one says the same. */
static bool is_said(const struct step_order *o, unsigned x, unsigned y, unsigned z) {
  const struct event *events = o->a->bounds->all.events;
  return rel_has(o->a->shape, o->far, x, y) && events[z].thread != events[x].thread;
}

static void forbid_three(const struct step_order *o, unsigned x, unsigned y, unsigned z) {
  if (!o->before[x][y] || !o->before[y][z] || !o->before[z][x]) return;
  if (is_said(o, x, y, z) || is_said(o, y, z, x) || is_said(o, z, x, y)) return;
  sat_clause_3(o->a->f->sat, -o->before[x][y], -o->before[y][z], -o->before[z][x]);
}

static void forbid_circles(struct axioms *a, uint32_t node) {
  struct shape s = a->shape;
  const struct step_order *o = order_new(a, node);
  for (unsigned x = 0; x < s.n; x++)
    SET_EACH (y, s.w, rel_row_const(s, a->bounds->upper[node], x)) {
      if (x == y)
        imply(a, node, x, x, SAT_FALSE);
      else if (o->before[x][y])
        imply(a, node, x, y, o->before[x][y]);
    }
  for (unsigned x = 0; x < s.n; x++)
    for (unsigned y = x + 1; y < s.n; y++)
      for (unsigned z = y + 1; o->before[x][y] && z < s.n; z++) {
        forbid_three(o, x, y, z);
        forbid_three(o, z, y, x);
      }
}

bool axioms_write(struct axioms *a, const struct cat_check *check, double most) {
  if (check->negated || !is_small(a, check->node) || a->small[check->node] > most) return false;
  if (check->kind == CHECK_ACYCLIC && pairs_of(a, check->node) * a->shape.n > most) return false;
  bool set = a->ir->nodes[check->node].type == CAT_SET;
  if (check->kind == CHECK_ACYCLIC) forbid_circles(a, check->node);
  for (unsigned x = 0; x < a->shape.n; x++) {
    if (check->kind == CHECK_IRREFLEXIVE) imply(a, check->node, x, x, SAT_FALSE);
    for (unsigned y = 0; check->kind == CHECK_EMPTY && y < (set ? 1 : a->shape.n); y++)
      imply(a, check->node, x, y, SAT_FALSE);
  }
  return true;
}

void axioms_want(struct axioms *a, uint32_t node, unsigned x, unsigned y, int chosen) {
  const struct cat_node *n = &a->ir->nodes[node];
  if (is_small(a, node)) {
    sat_clause_2(a->f->sat, -chosen, need_of(a, node, x, y));
  } else if (n->op == CAT_COMPL && is_small(a, n->a)) {
    sat_clause_2(a->f->sat, -chosen, -literal_of(a, n->a, x, y));
  } else if (n->op == CAT_DIFF) {
    if (is_small(a, n->b)) sat_clause_2(a->f->sat, -chosen, -literal_of(a, n->b, x, y));
    axioms_want(a, n->a, x, y, chosen);
  } else if (n->op == CAT_INTER) {
    axioms_want(a, n->a, x, y, chosen);
    axioms_want(a, n->b, x, y, chosen);
  } else if (n->op == CAT_UNION && !may_be(a, n->a, x, y)) {
    axioms_want(a, n->b, x, y, chosen);
  } else if (n->op == CAT_UNION && !may_be(a, n->b, x, y)) {
    axioms_want(a, n->a, x, y, chosen);
  }
}
