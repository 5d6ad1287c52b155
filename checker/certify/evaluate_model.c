/* SPDX-License-Identifier: MIT */
/* A model on a partial execution, by the book.
 *
 * Definitions are sets and relations of events, each an operation on earlier ones.
 * Two bounds of each are computed: what is in it however the execution is
 * completed, and what is in it for some way to complete it.  Complements and right
 * sides of differences take the other bound of their operand.  Where threads still
 * go on, events will be added; then the upper bound says something of definitions
 * only that depend on nothing but the two events of a pair.
 */
#include <string.h>

#include "checker/certify/certify.h"

/* Words of certificates; operations have so many operands. */
/* clang-format off */
#define OPS(_) \
  _(BASE, "base", 0) _(EMPTY, "empty", 0) _(UNION, "union", 2) _(INTER, "inter", 2) _(DIFF, "diff", 2) \
  _(COMPL, "compl", 1) _(SEQ, "seq", 2) _(INVERSE, "inverse", 1) _(PLUS, "plus", 1) _(STAR, "star", 1) \
  _(OPT, "opt", 1) _(TOID, "toid", 1) _(CROSS, "cross", 2) _(DOMAIN, "domain", 1) _(RANGE, "range", 1) \
  _(REC, "rec", 1) _(FIRSTS, "firsts", 1) _(ORDERS, "orders", 2)
#define BASES(_) \
  _(ID, "id") _(UNV, "unv") _(PO, "po") _(LOC, "loc") _(VLOC, "vloc") _(INT, "int") _(EXT, "ext") _(RF, "rf") \
  _(CO, "co") _(FR, "fr") _(RMW, "rmw") _(ADDR, "addr") _(DATA, "data") _(CTRL, "ctrl") _(WI, "wi") _(SG, "sg") \
  _(WG, "wg") _(QF, "sqf") _(DEV, "dev") _(SYS, "sys") _(SR, "sr") _(SSW, "ssw") _(NOTHING, "nothing") \
  _(SAME_B, "same_B") _(SYNC_FENCE, "sync_fence") _(SAME_VALUE, "same-value")
/* clang-format on */
#define OP_ID(id, word, operands) OP_##id,
#define OP_OPERANDS(id, word, operands) operands,
#define OP_WORD(id, word, operands) word,
#define BASE_ID(id, word) B_##id,
#define BASE_WORD(id, word) word,

enum op { OPS(OP_ID) };
static const unsigned OPERANDS[] = {OPS(OP_OPERANDS)};
static const char *const OP_WORDS[] = {OPS(OP_WORD) NULL};
enum base { BASES(BASE_ID) B_FW };
static const char *const BASE_WORDS[] = {BASES(BASE_WORD) NULL};

struct node {
  enum op op;
  bool set, varies, local, within_co;
  bool pointwise;     /* a pair is in it by what its operands have of the same events alone, whatever else comes */
  bool circles;       /* it is made of what its group defines */
  unsigned a, b, end; /* REC: `a` is its body, its group ends before `end` */
  unsigned first;     /* of its group, or itself */
  unsigned computed;  /* the turn in which it was */
  enum base base;
  mask words;         /* a base set: events that have one of these */
  const mask *chosen; /* FIRSTS, ORDERS; NULL: nothing is yet */
};

/* Is it chosen, not computed? */
static bool is_chosen(const struct node *n) {
  return n->op == OP_FIRSTS || n->op == OP_ORDERS;
}

static struct node nodes[MOST_NODES];
static struct bounds values[MOST_NODES];
static struct model model;
static unsigned evaluated;               /* identity of the events that the constants are of */
static unsigned state_turn, events_turn; /* of what varies, and of the constants */

/* ---- Reading ------------------------------------------------------------------------------- */

static void read_base(struct node *n, const struct item *item) {
  n->local = true;
  if (!n->set) {
    n->base = (enum base)choice_of(part(item, 2), BASE_WORDS, "relation");
    n->varies = (n->base >= B_RF && n->base <= B_FR) || n->base >= B_SAME_B;
    n->within_co = n->base == B_CO;
  } else if (item->count == 3 && !strcmp(word_of(part(item, 2)), "FW")) {
    n->base = B_FW;
    n->varies = true;
  } else {
    n->words = words_in(item, 2);
  }
  n->local &= !n->varies || (!n->set && n->base == B_SAME_B);
}

/* Operands come first, but for the body of a recursive definition; inside a group
 * nothing may take the complement of what the group defines. */
static void read_operands(struct node *n, unsigned i, const struct item *item, unsigned all, unsigned group) {
  bool inverts_a = n->op == OP_COMPL, inverts_b = n->op == OP_DIFF;
  unsigned count = OPERANDS[n->op];
  if (item->count != 2 + count + (n->op == OP_REC)) bad(item, "wrong number of operands");
  if (n->op == OP_REC) {
    n->a = index_of(part(item, 2), all);
    n->end = index_of(part(item, 3), all + 1);
    if (n->a == i || n->end <= i || n->end <= n->a) bad(item, "a recursive definition without its body");
    return;
  }
  if (count > 0) n->a = index_of(part(item, 2), i);
  if (count > 1) n->b = index_of(part(item, 3), i);
  bool circles_a = count > 0 && n->a >= group && nodes[n->a].circles;
  bool circles_b = count > 1 && n->b >= group && nodes[n->b].circles;
  n->circles = circles_a || circles_b;
  if ((inverts_a && circles_a) || (inverts_b && circles_b)) bad(item, "a recursive definition is not monotone");
}

/* What a definition's operands are, and what follows from them. */
static void derive(struct node *n, const struct item *item) {
  const struct node *a = &nodes[n->a], *b = &nodes[n->b];
  unsigned count = OPERANDS[n->op];
  bool of_sets = n->op == OP_TOID || n->op == OP_CROSS || n->op == OP_ORDERS;
  bool same = n->op == OP_UNION || n->op == OP_INTER || n->op == OP_DIFF || n->op == OP_COMPL;
  bool a_set = same ? n->set : of_sets;
  bool set_result = n->op == OP_DOMAIN || n->op == OP_RANGE;
  if (!same && n->op > OP_EMPTY && n->set != set_result)
    bad(item, "a set where a relation is expected, or the reverse");
  if ((count > 0 && a->set != a_set) || (count > 1 && b->set != (a_set && n->op != OP_ORDERS)))
    bad(item, "a set where a relation is expected, or the reverse");
  n->varies = (count > 0 && a->varies) || (count > 1 && b->varies) || is_chosen(n);
  n->local = (!count || a->local) && (count < 2 || b->local) && !is_chosen(n);
  n->pointwise = same || n->op == OP_TOID || n->op == OP_CROSS || n->op == OP_INVERSE;
  if (n->op == OP_SEQ) n->local &= a->op == OP_TOID || b->op == OP_TOID;
  if (n->op == OP_PLUS || n->op == OP_STAR || n->op == OP_DOMAIN || n->op == OP_RANGE) n->local = false;
  if (n->op == OP_UNION) n->within_co = a->within_co && b->within_co;
  if (n->op == OP_INTER) n->within_co = !n->set && (a->within_co || b->within_co);
  if (n->op == OP_DIFF || n->op == OP_PLUS) n->within_co = a->within_co;
  if (n->op == OP_SEQ)
    n->within_co = (a->within_co && (b->within_co || b->op == OP_TOID)) || (b->within_co && a->op == OP_TOID);
}

static void read_check(const struct item *item) {
  static const char *const ROLES[] = {"require", "undefined-unless", "flag", NULL};
  static const char *const KINDS[] = {"acyclic", "irreflexive", "empty", NULL};
  static const char *const SIGNS[] = {"is", "is-not", NULL};
  if (model.check_count == MOST_CHECKS) bad(item, "more than %d checks", MOST_CHECKS);
  struct check *c = &model.checks[model.check_count++];
  c->role = (enum role)choice_of(part(item, 0), ROLES, "role of a check");
  c->negated = choice_of(part(item, 1), SIGNS, "sign of a check");
  c->kind = choice_of(part(item, 2), KINDS, "kind of a check");
  c->node = index_of(part(item, 3), model.node_count);
  c->name = word_of(part(item, 4));
  if (nodes[c->node].set && c->kind != 2) bad(item, "a set has no cycles");
}

const struct model *read_model(const struct item *definitions, const struct item *checks) {
  static const char *const TYPES[] = {"set", "rel", NULL};
  unsigned group = MOST_NODES, group_end = 0;
  memset(&model, 0, sizeof model);
  model.node_count = definitions->count - 1;
  if (model.node_count > MOST_NODES) bad(definitions, "more than %d definitions", MOST_NODES);
  const struct item *item = part(definitions, 0);
  for (unsigned i = 0; i < model.node_count; i++) {
    struct node *n = &nodes[i];
    item = item->next;
    *n = (struct node){.set = choice_of(part(item, 0), TYPES, "type") == 0, .first = i};
    n->op = (enum op)choice_of(part(item, 1), OP_WORDS, "operation");
    if (i == group_end) group = MOST_NODES;
    if (group != MOST_NODES) n->first = group;
    if (n->op == OP_BASE) {
      read_base(n, item);
      continue;
    }
    read_operands(n, i, item, model.node_count, group);
    if (n->op != OP_REC) {
      derive(n, item);
      continue;
    }
    n->varies = n->circles = true;
    if (group == MOST_NODES) group = i, group_end = n->end;
    if (n->end != group_end) bad(item, "a recursive definition ends elsewhere than its group");
  }
  for (unsigned i = 0; i < model.node_count; i++)
    if (nodes[i].op == OP_REC && nodes[nodes[i].a].set != nodes[i].set) bad(definitions, "a body of another type");
  for (item = part(checks, 0)->next; item; item = item->next) read_check(item);
  evaluated = 0;
  return &model;
}

/* ---- Predefined names --------------------------------------------------------------------------- */

static bool in_scope(const struct state *s, unsigned a, unsigned b) {
  int t = s->events[a].thread, u = s->events[b].thread;
  mask scopes = s->events[a].words >> W_SCOPE & 63;
  if (t < 0 || u < 0 || !scopes) return false;
  unsigned level = first_bit(scopes);
  if (level == 0 || level == 5) return level == 5 || t == u;
  return s->program->threads[t].place[level - 1] == s->program->threads[u].place[level - 1];
}

bool inclusive(const struct state *s, unsigned a, unsigned b) {
  return in_scope(s, a, b) && in_scope(s, b, a);
}

static bool same_barrier(const struct state *s, unsigned a, unsigned b) {
  const struct event *x = s->events[a].of, *y = s->events[b].of;
  if (!x || !y || x->label < 0 || x->label != y->label || x->round != y->round) return false;
  const struct thread *t = s->program->threads;
  return t[s->events[a].thread].place[1] == t[s->events[b].thread].place[1];
}

static bool same_place(const struct state *s, unsigned a, unsigned b, enum base base) {
  int t = s->events[a].thread, u = s->events[b].thread;
  if (t < 0 || u < 0) return a == b;
  if (base == B_WI || base == B_SYS) return base == B_SYS || t == u;
  return s->program->threads[t].place[base - B_SG] == s->program->threads[u].place[base - B_SG];
}

static bool same_name(const struct state *s, unsigned a, unsigned b) {
  const struct event *x = s->events[a].of, *y = s->events[b].of;
  if (s->events[a].location < 0 || s->events[b].location < 0) return false;
  if (!x || !y) return a == b;
  return s->program->locations[x->name].generic == s->program->locations[y->name].generic;
}

static bool is_paired(const struct state *s, unsigned a, unsigned b) {
  for (unsigned i = 0; i < s->program->pair_count; i++)
    if ((int)s->program->pairs[i].from == s->events[a].thread && (int)s->program->pairs[i].to == s->events[b].thread)
      return true;
  return false;
}

static bool related(const struct state *s, enum base base, unsigned a, unsigned b) {
  int t = s->events[a].thread, u = s->events[b].thread;
  switch (base) {
    case B_ID:
      return a == b;
    case B_UNV:
      return true;
    case B_PO:
      return in(s->po, a, b);
    case B_RMW:
      return in(s->rmw, a, b);
    case B_ADDR:
      return in(s->addr, a, b);
    case B_DATA:
      return in(s->data, a, b);
    case B_CTRL:
      return in(s->ctrl, a, b);
    case B_LOC:
      return s->events[a].location >= 0 && s->events[a].location == s->events[b].location;
    case B_VLOC:
      return same_name(s, a, b);
    case B_INT:
      return t >= 0 && t == u;
    case B_EXT:
      return t != u;
    case B_SAME_B:
      return same_barrier(s, a, b);
    case B_SR:
      return inclusive(s, a, b);
    case B_SSW:
      return is_paired(s, a, b);
    case B_NOTHING:
      return false;
    default:
      return same_place(s, a, b, base);
  }
}

static mask all_events(const struct state *s) {
  return s->count == MOST_EVENTS ? ~(mask)0 : BIT(s->count) - 1;
}

static void base_set(const struct state *s, const struct node *n, struct bounds *out) {
  mask set = 0, maybe = 0;
  for (unsigned a = 0; a < s->count; a++) {
    if (n->base == B_FW && s->events[a].words & BIT(W_W)) {
      if (!s->co.up[a] && !s->open) set |= BIT(a);
      if (!s->co.lo[a]) maybe |= BIT(a);
    }
    if (s->events[a].words & n->words) set |= BIT(a), maybe |= BIT(a);
  }
  out->lo[0] = set;
  out->up[0] = maybe;
}

static void base_relation(const struct state *s, const struct node *n, struct bounds *out) {
  memset(out, 0, sizeof *out);
  if (n->base == B_CO || n->base == B_SYNC_FENCE) {
    *out = n->base == B_CO ? s->co : s->fences;
    return;
  }
  for (unsigned a = 0; a < s->count && n->base != B_RF && n->base != B_FR && n->base != B_SAME_VALUE; a++)
    for (unsigned b = 0; b < s->count; b++)
      if (related(s, n->base, a, b)) out->lo[a] |= BIT(b), out->up[a] |= BIT(b);
  for (unsigned a = 0; a < s->count && n->base == B_SAME_VALUE; a++) out->up[a] = all_events(s); /* perhaps */
  for (unsigned a = 0; a < s->count && n->base == B_SAME_B; a++)
    for (unsigned b = 0; b < s->count; b++) {
      enum answer meet = meets(s, a, b);
      if (meet == NO || s->events[b].of->meets->arrives) continue;
      if (meet == YES && s->joins.lo[a]) out->lo[a] |= BIT(b);
      if (s->joins.up[a]) out->up[a] |= BIT(b);
    }
  for (unsigned a = 0; a < s->count && s->ghost >= 0 && n->base >= B_RMW && n->base <= B_CTRL; a++)
    out->up[a] |= BIT(s->ghost);
  for (unsigned r = 0; r < s->count && (n->base == B_RF || n->base == B_FR); r++)
    for (mask m = s->sources[r]; m; m &= m - 1) {
      unsigned w = first_bit(m);
      if (n->base == B_RF)
        out->up[w] |= BIT(r), out->lo[w] |= is_decided(s, r) ? BIT(r) : 0;
      else
        out->up[r] |= s->co.up[w] & ~BIT(r), out->lo[r] |= is_decided(s, r) ? s->co.lo[w] & ~BIT(r) : 0;
    }
}

/* ---- Operations ---------------------------------------------------------------------------------- */

static void close(const struct state *s, mask *rows) {
  for (unsigned k = 0; k < s->count; k++)
    for (unsigned a = 0; a < s->count && rows[k]; a++)
      if (in(rows, a, k)) rows[a] |= rows[k];
}

/* One bound, from the bounds of the operands. */
static void combine(const struct state *s, const struct node *n, mask *out, const mask *x, const mask *y) {
  mask all = all_events(s), row = 0;
  unsigned rows = n->set ? 1 : s->count;
  if (n->op == OP_DOMAIN || n->op == OP_RANGE) {
    for (unsigned a = 0; a < s->count; a++) row |= n->op == OP_RANGE ? x[a] : x[a] ? BIT(a) : 0;
    out[0] = row;
    return;
  }
  for (unsigned a = 0; a < rows; a++) {
    switch (n->op) {
      case OP_UNION:
        out[a] = x[a] | y[a];
        break;
      case OP_INTER:
        out[a] = x[a] & y[a];
        break;
      case OP_DIFF:
        out[a] = x[a] & ~y[a];
        break;
      case OP_COMPL:
        out[a] = all & ~x[a];
        break;
      case OP_OPT:
        out[a] = x[a] | BIT(a);
        break;
      case OP_TOID:
        out[a] = x[0] & BIT(a);
        break;
      case OP_CROSS:
        out[a] = x[0] >> a & 1 ? y[0] : 0;
        break;
      case OP_SEQ:
        row = 0;
        for (mask m = x[a]; m; m &= m - 1) row |= y[first_bit(m)];
        out[a] = row;
        break;
      case OP_INVERSE:
        row = 0;
        for (unsigned b = 0; b < s->count; b++) row |= in(x, b, a) ? BIT(b) : 0;
        out[a] = row;
        break;
      case OP_EMPTY:
        out[a] = 0;
        break;
      default:
        out[a] = x[a];
    }
  }
  if (n->op == OP_PLUS || n->op == OP_STAR) close(s, out);
  for (unsigned a = 0; a < rows && n->op == OP_STAR; a++) out[a] |= BIT(a);
}

static void compute(const struct state *s, unsigned i) {
  const struct node *n = &nodes[i];
  struct bounds *v = &values[i], *a = &values[n->a], *b = &values[n->b];
  if (n->op == OP_BASE) {
    (n->set ? base_set : base_relation)(s, n, v);
  } else if (is_chosen(n)) {
    for (unsigned k = 0; k < s->count; k++)
      v->lo[k] = n->chosen ? n->chosen[k] : 0, v->up[k] = n->chosen ? n->chosen[k] : ~(mask)0;
  } else {
    combine(s, n, v->lo, n->op == OP_COMPL ? a->up : a->lo, n->op == OP_DIFF ? b->up : b->lo);
    if (!s->open || n->local || n->pointwise)
      combine(s, n, v->up, n->op == OP_COMPL ? a->lo : a->up, n->op == OP_DIFF ? b->lo : b->up);
  }
  for (unsigned k = 0; k < s->count && n->within_co; k++) v->up[k] &= s->co.up[k];
  if (!s->open || n->local || n->pointwise) return;
  for (unsigned k = 0; k < (n->set ? 1 : s->count); k++) v->up[k] = all_events(s);
}

static bool grow(unsigned rows, struct bounds *v, const struct bounds *body) {
  bool grew = false;
  for (unsigned k = 0; k < rows; k++) {
    grew |= v->lo[k] != body->lo[k] || v->up[k] != body->up[k];
    v->lo[k] = body->lo[k];
    v->up[k] = body->up[k];
  }
  return grew;
}

/* Least fixpoint of both bounds of a recursive group. */
static void solve(const struct state *s, unsigned first) {
  unsigned end = nodes[first].end;
  for (unsigned i = first; i < end; i++)
    if (nodes[i].op == OP_REC) memset(&values[i], 0, sizeof values[i]);
  for (bool grew = true; grew;) {
    grew = false;
    for (unsigned i = first; i < end; i++)
      if (nodes[i].op != OP_REC) compute(s, i);
    for (unsigned i = first; i < end; i++)
      if (nodes[i].op == OP_REC) grew |= grow(nodes[i].set ? 1 : s->count, &values[i], &values[nodes[i].a]);
  }
}

/* Computes a definition and what it is made of, if that has not been done yet. */
static void need(const struct state *s, unsigned i) {
  const struct node *n = &nodes[i];
  if (n->computed == (n->varies ? state_turn : events_turn)) return;
  unsigned first = n->first, end = n->first < i || n->op == OP_REC ? nodes[n->first].end : i + 1;
  for (unsigned k = first; k < end; k++) {
    unsigned count = OPERANDS[nodes[k].op];
    if (count > 0 && nodes[k].a < first) need(s, nodes[k].a);
    if (count > 1 && nodes[k].b < first) need(s, nodes[k].b);
  }
  if (nodes[first].op == OP_REC)
    solve(s, first);
  else
    compute(s, i);
  for (unsigned k = first; k < end; k++) nodes[k].computed = nodes[k].varies ? state_turn : events_turn;
}

void evaluate(const struct state *s) {
  static unsigned turns;
  if (++turns == 0) turns = 1;
  state_turn = turns;
  if (evaluated != s->identity) events_turn = turns;
  evaluated = s->identity;
}

/* ---- What a model chooses ------------------------------------------------------------------------ */

/* A choice on its way. */
struct choosing {
  const struct state *state;
  unsigned node;
  visit_way *each;
  void *context;
  mask of[MOST_EVENTS], rows[MOST_EVENTS]; /* what is extended, or the classes; what is chosen so far */
};

static bool comes_after(const mask *rows, mask these, unsigned x) {
  for (; these; these &= these - 1)
    if (in(rows, first_bit(these), x)) return true;
  return false;
}

/* In each way puts one event before the others of those left, or of its class. */
static void choose(struct choosing *c, mask left) {
  bool orders = nodes[c->node].op == OP_ORDERS;
  mask class = orders || !left ? left : c->of[first_bit(left)];
  if (!left) choose_from(c->state, c->node + 1, c->each, c->context);
  for (mask m = class; m; m &= m - 1) {
    unsigned x = first_bit(m);
    if (orders && comes_after(c->of, left, x)) continue;
    c->rows[x] = class & ~BIT(x);
    choose(c, left & ~(orders ? BIT(x) : class));
    c->rows[x] = 0;
  }
}

void choose_from(const struct state *s, unsigned from, visit_way *each, void *context) {
  while (from < model.node_count && !is_chosen(&nodes[from])) from++;
  evaluate(s);
  if (from == model.node_count) {
    each(context);
    return;
  }
  struct node *n = &nodes[from];
  bool orders = n->op == OP_ORDERS;
  need(s, n->a);
  if (orders) need(s, n->b);
  const struct bounds *of = &values[orders ? n->b : n->a];
  mask left = orders ? values[n->a].lo[0] : 0;
  bool known = !orders || left == values[n->a].up[0];
  struct choosing c = {.state = s, .node = from, .each = each, .context = context};
  for (unsigned a = 0; a < s->count; a++) {
    known &= of->lo[a] == of->up[a];
    c.of[a] = of->lo[a];
    if (!orders && c.of[a]) left |= BIT(a);
  }
  for (mask m = orders ? 0 : left; m; m &= m - 1) {
    mask class = c.of[first_bit(m)];
    known &= (class & m & -m) != 0;
    for (mask k = class; k; k &= k - 1) known &= c.of[first_bit(k)] == class;
  }
  if (!known) reject(NULL, "what the model chooses from is not decided here, or is not an equivalence");
  if (orders) close(s, c.of);
  n->chosen = c.rows;
  choose(&c, left);
  n->chosen = NULL;
}

/* ---- Checks ---------------------------------------------------------------------------------------- */

static bool holds_on(const struct state *s, const struct check *c, const mask *rows) {
  struct bounds copy;
  memcpy(copy.lo, rows, sizeof copy.lo);
  if (c->kind == 0) close(s, copy.lo);
  for (unsigned a = 0; a < (nodes[c->node].set ? 1 : s->count); a++)
    if (c->kind == 2 ? copy.lo[a] : in(copy.lo, a, a)) return false;
  return true;
}

bool surely_holds(const struct state *s, unsigned i) {
  const struct check *c = &model.checks[i];
  need(s, c->node);
  return c->negated ? !holds_on(s, c, values[c->node].lo) : !s->open && holds_on(s, c, values[c->node].up);
}

bool surely_fails(const struct state *s, unsigned i) {
  const struct check *c = &model.checks[i];
  need(s, c->node);
  return c->negated ? !s->open && holds_on(s, c, values[c->node].up) : !holds_on(s, c, values[c->node].lo);
}

int failing_axiom(const struct state *s) {
  for (unsigned i = 0; i < model.check_count; i++)
    if (model.checks[i].role == REQUIRE && surely_fails(s, i)) return (int)i;
  return -1;
}

bool has_all_of(unsigned i, bool po) {
  if (nodes[i].op == OP_UNION) return has_all_of(nodes[i].a, po) || has_all_of(nodes[i].b, po);
  return !nodes[i].set && nodes[i].op == OP_BASE && nodes[i].base == (po ? B_PO : B_RF);
}

const struct bounds *value_of(unsigned node) {
  return &values[node];
}

bool is_set(unsigned node) {
  return nodes[node].set;
}
