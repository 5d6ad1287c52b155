/* SPDX-License-Identifier: MIT */
/* The program as clauses, from all paths of its threads.
 *
 * Nodes are stretches of a thread from one fork to the next, numbered depth first, thread after thread, from 0; the
 * impossible are none. Events are numbered in the same order, after one initial write for each location that some
 * event has. Variables, in this order from 1 on:
 *   each node          the thread comes through it
 *   each event, value  it has this value, of those that it may have, from the least on
 *   each read, write   the read sees the write, where both are of one location and can be together
 *   each two writes    the first comes before the second, likewise; what is written at first comes before all
 *   each observed      of a location: each write, the last; then each value, it ends with this
 *   each alternative   of condition and filter, as they are met from the left: it holds
 *   each two events    RAISES: the relation is to have this pair
 * A value moves from write to read as often at most as there are writes on the longest paths of all threads.
 *
 * Every execution satisfies all clauses, with the meaning above of the variables. Where events are not both
 * there, their order may be any that goes with the others.
 */
#include <string.h>

#include "checker/certify/check_solver_proof.h"

enum { MOST_VALUES = 200, MOST_READS = 6, MOST_COMBINATIONS = 40000 };

struct values {
  unsigned count;
  int64_t at[MOST_VALUES];
};

static struct {
  struct values **of;              /* by event */
  unsigned *value_at;              /* by event: the variable of its first value */
  int **reads, **before, **wanted; /* by two events */
  struct values *observed[MOST_OBSERVED];
  unsigned observed_at[MOST_OBSERVED];
} made;

static bool has_value(const struct encoding *e, unsigned event) {
  return !e->events[event].of || e->events[event].of->value;
}

static bool is_read_event(const struct encoding *e, unsigned event) {
  return e->events[event].of && e->events[event].of->kind == EV_READ;
}

static bool is_write_event(const struct encoding *e, unsigned event) {
  return !e->events[event].of || e->events[event].of->kind == EV_WRITE;
}

/* ---- Trees ------------------------------------------------------------------------------------ */

static bool hangs_on_reads(const struct expr *e) {
  return e && (e->op == E_REG || hangs_on_reads(e->a) || hangs_on_reads(e->b) || hangs_on_reads(e->c));
}

static void add_tree(struct encoding *e, unsigned thread, int parent, const struct run *run, unsigned depth) {
  if (run->end == IMPOSSIBLE) return;
  if (e->node_count == MOST_TREE_NODES || depth > MOST_DEPTH) bad(NULL, "too large to be checked");
  unsigned number = e->node_count++, before = parent < 0 ? 0 : e->nodes[parent].run->count;
  e->nodes[number] = (struct node_of_tree){thread, e->event_count, before, parent, run};
  for (unsigned i = before; i < run->count; i++) {
    if (e->event_count == MOST_TREE_EVENTS) bad(NULL, "too large to be checked");
    const struct event *of = &run->events[i];
    if (hangs_on_reads(of->resource) || hangs_on_reads(of->quorum))
      bad(NULL, "barriers whose number is read in what a solver has shown cannot be checked");
    e->events[e->event_count++] = (struct event_of_tree){of, (int)number, i, (int)thread, of->location};
  }
  e->certificate->verdict->cut |= run->end == CUT;
  e->certificate->verdict->undefined |= run->end == UNDEFINED;
  for (unsigned i = 0; run->end == OPEN && i < run->branch_count; i++)
    add_tree(e, thread, (int)number, run_branch(e->certificate->program, thread, run, i), depth + 1);
}

/* ---- Barriers with a quorum --------------------------------------------------------------------- */

static int64_t constant_of(const struct expr *e) {
  return !e ? 0 : e->op == E_CONST ? e->value : apply(e->op, constant_of(e->a), constant_of(e->b), constant_of(e->c));
}

static bool same_group(const struct encoding *e, const struct event_of_tree *x, unsigned thread,
                       const struct event *y) {
  const struct thread *threads = e->certificate->program->threads;
  return y->meets && y->meets->label == x->of->meets->label && !y->resource == !x->of->resource &&
         constant_of(y->resource) == constant_of(x->of->resource) &&
         threads[thread].place[1] == threads[x->thread].place[1];
}

/* Are there never more of an event's group than its quorum?  Then all of them synchronise in every execution. */
static bool needs_all(const struct encoding *e, const struct event_of_tree *x) {
  int64_t sum = 0;
  for (unsigned t = 0; t < e->certificate->program->thread_count; t++) {
    int64_t most = 0;
    for (unsigned n = 0; n < e->node_count; n++) {
      const struct run *r = e->nodes[n].run;
      int64_t count = 0;
      for (unsigned i = 0; e->nodes[n].thread == t && i < r->count; i++) count += same_group(e, x, t, &r->events[i]);
      if (count > most) most = count;
    }
    sum += most;
  }
  return sum <= constant_of(x->of->quorum);
}

bool leads_to(const struct encoding *e, unsigned a, unsigned b) {
  while (b > a && e->nodes[b].parent >= 0) b = (unsigned)e->nodes[b].parent;
  return a == b;
}

static bool together(const struct encoding *e, unsigned a, unsigned b) {
  int x = e->events[a].node, y = e->events[b].node;
  if (x < 0 || y < 0 || e->events[a].thread != e->events[b].thread) return true;
  return leads_to(e, (unsigned)x, (unsigned)y) || leads_to(e, (unsigned)y, (unsigned)x);
}

/* The event at a place of the path to a node. */
static unsigned event_at(const struct encoding *e, unsigned node, unsigned index) {
  while (index < e->nodes[node].first_index) node = (unsigned)e->nodes[node].parent;
  return e->nodes[node].first_event + index - e->nodes[node].first_index;
}

/* ---- Values that expressions may have ---------------------------------------------------------- */

struct combination {
  const struct encoding *e;
  unsigned node, count, reads[MOST_READS]; /* places in the path */
  int64_t value[MOST_EVENTS];
};

typedef void visit_value(void *context, const struct combination *c, int64_t result);

static void gather_reads(struct combination *c, const struct expr *e) {
  if (!e || e->op == E_CONST) return;
  gather_reads(c, e->a);
  gather_reads(c, e->b);
  gather_reads(c, e->c);
  if (e->op != E_REG) return;
  for (unsigned i = 0; i < c->count; i++)
    if (c->reads[i] == e->reg) return;
  if (c->count == MOST_READS) bad(NULL, "too large to be checked");
  c->reads[c->count++] = e->reg;
}

static int64_t result_of(const struct combination *c, const struct expr *e) {
  if (e->op == E_CONST) return e->value;
  if (e->op == E_REG) return c->value[e->reg];
  return apply(e->op, result_of(c, e->a), e->b ? result_of(c, e->b) : 0, e->c ? result_of(c, e->c) : 0);
}

static void each_combination(struct combination *c, const struct expr *e, unsigned next, visit_value *visit,
                             void *context) {
  if (next == c->count) {
    visit(context, c, result_of(c, e));
    return;
  }
  const struct values *v = made.of[event_at(c->e, c->node, c->reads[next])];
  for (unsigned i = 0; i < v->count; i++) {
    c->value[c->reads[next]] = v->at[i];
    each_combination(c, e, next + 1, visit, context);
  }
}

static void each_value(const struct encoding *e, unsigned node, const struct expr *expr, visit_value *visit,
                       void *context) {
  struct combination c = {.e = e, .node = node};
  double all = 1;
  gather_reads(&c, expr);
  for (unsigned i = 0; i < c.count; i++) all *= made.of[event_at(e, node, c.reads[i])]->count;
  if (all > MOST_COMBINATIONS) bad(NULL, "too large to be checked");
  each_combination(&c, expr, 0, visit, context);
}

/* In ascending order. */
static bool add_value(struct values *v, int64_t value) {
  unsigned i = v->count;
  while (i && v->at[i - 1] > value) i--;
  if (i && v->at[i - 1] == value) return false;
  if (v->count == MOST_VALUES) bad(NULL, "too large to be checked");
  for (unsigned k = v->count++; k > i; k--) v->at[k] = v->at[k - 1];
  v->at[i] = value;
  return true;
}

static void note_value(void *context, const struct combination *c, int64_t result) {
  (void)c;
  add_value(context, result);
}

static bool see(const struct encoding *e) {
  bool moved = false;
  for (unsigned r = 0; r < e->event_count; r++)
    for (unsigned w = 0; w < e->event_count; w++) {
      if (!is_read_event(e, r) || !is_write_event(e, w) || e->events[r].location != e->events[w].location) continue;
      for (unsigned i = 0; i < made.of[w]->count; i++) moved |= add_value(made.of[r], made.of[w]->at[i]);
    }
  return moved;
}

static unsigned most_writes(const struct encoding *e) {
  unsigned all = 0;
  for (unsigned t = 0; t < e->certificate->program->thread_count; t++) {
    unsigned most = 0;
    for (unsigned n = 0; n < e->node_count; n++) {
      unsigned count = 0;
      for (unsigned i = 0; e->nodes[n].thread == t && i < e->nodes[n].run->count; i++)
        count += e->nodes[n].run->events[i].kind == EV_WRITE;
      if (count > most) most = count;
    }
    all += most;
  }
  return all;
}

static void find_values(const struct encoding *e) {
  for (unsigned w = 0; w < e->event_count; w++)
    if (!e->events[w].of) add_value(made.of[w], e->certificate->program->locations[e->events[w].location].init);
  see(e);
  for (unsigned left = most_writes(e); left; left--) {
    for (unsigned w = 0; w < e->event_count; w++)
      if (e->events[w].of && !is_read_event(e, w) && has_value(e, w))
        each_value(e, (unsigned)e->events[w].node, e->events[w].of->value, note_value, made.of[w]);
    if (!see(e)) break;
  }
}

static bool needs_read(const struct encoding *e, unsigned node, const struct expr *expr, const bool *grounded) {
  if (!expr || expr->op == E_CONST) return false;
  if (expr->op == E_REG) return !grounded[event_at(e, node, expr->reg)];
  return needs_read(e, node, expr->a, grounded) || needs_read(e, node, expr->b, grounded) ||
         needs_read(e, node, expr->c, grounded);
}

static bool sees_ungrounded(const struct encoding *e, unsigned read, const bool *grounded) {
  for (unsigned w = 0; w < e->event_count; w++)
    if (is_write_event(e, w) && e->events[w].location == e->events[read].location && !grounded[w]) return true;
  return false;
}

bool has_grounded_values(const struct encoding *e) {
  bool grounded[MOST_TREE_EVENTS] = {false}, all = true;
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned i = 0; i < e->event_count; i++) {
      const struct event_of_tree *x = &e->events[i];
      bool hangs = has_value(e, i) && x->of &&
                   (is_read_event(e, i) ? sees_ungrounded(e, i, grounded)
                                        : needs_read(e, (unsigned)x->node, x->of->value, grounded));
      if (grounded[i] || hangs) continue;
      grounded[i] = moved = true;
    }
  }
  for (unsigned i = 0; i < e->event_count; i++) all &= grounded[i];
  return all;
}

/* ---- Variables ---------------------------------------------------------------------------------- */

static int variable(struct encoding *e) {
  if (e->variables == MOST_VARIABLES) bad(NULL, "too large to be checked");
  return (int)++e->variables;
}

static int **table(unsigned count) {
  int **rows = make(count * sizeof *rows);
  for (unsigned i = 0; i < count; i++) rows[i] = make(count * sizeof **rows);
  return rows;
}

int literal_node(unsigned node) {
  return (int)node + 1;
}

static int literal_value(unsigned event, int64_t value) {
  for (unsigned i = 0; i < made.of[event]->count; i++)
    if (made.of[event]->at[i] == value) return (int)(made.value_at[event] + i);
  return 0;
}

int literal_reads(const struct encoding *e, unsigned write, unsigned read) {
  (void)e;
  return made.reads[read][write];
}

int literal_before(const struct encoding *e, unsigned a, unsigned b) {
  (void)e;
  return a < b ? made.before[a][b] : -made.before[b][a];
}

int literal_wanted(const struct encoding *e, unsigned a, unsigned b) {
  (void)e;
  return made.wanted ? made.wanted[a][b] : 0;
}

static bool are_halves(const struct encoding *e, unsigned read, unsigned write) {
  const struct event_of_tree *r = &e->events[read], *w = &e->events[write];
  return w->of && r->of->rmw && w->of->rmw && w->thread == r->thread && w->index == r->index + 1;
}

static void number_program(struct encoding *e) {
  e->variables = e->node_count;
  made.value_at = make(e->event_count * sizeof *made.value_at + 1);
  made.reads = table(e->event_count);
  made.before = table(e->event_count);
  for (unsigned i = 0; i < e->event_count; i++) {
    made.value_at[i] = e->variables + 1;
    for (unsigned k = 0; k < made.of[i]->count; k++) variable(e);
  }
  for (unsigned r = 0; r < e->event_count; r++)
    for (unsigned w = 0; w < e->event_count; w++)
      if (is_read_event(e, r) && is_write_event(e, w) && e->events[r].location == e->events[w].location &&
          together(e, r, w) && !are_halves(e, r, w))
        made.reads[r][w] = variable(e);
  for (unsigned a = 0; a < e->event_count; a++)
    for (unsigned b = a + 1; b < e->event_count; b++)
      if (is_write_event(e, a) && is_write_event(e, b) && e->events[a].of &&
          e->events[a].location == e->events[b].location && together(e, a, b))
        made.before[a][b] = variable(e);
}

struct encoding *encode_program(const struct certificate *c) {
  struct encoding *e = make(sizeof *e);
  e->certificate = c;
  if (c->program->partial) bad(NULL, "partial orders in what a solver has shown cannot be checked");
  const struct run *starts[MOST_THREADS] = {NULL};
  for (unsigned t = 0; t < c->program->thread_count; t++) starts[t] = run_start(c->program, t);
  for (unsigned t = 0; t < c->program->thread_count; t++) add_tree(e, t, -1, starts[t], 0);
  struct event_of_tree *others = make(e->event_count * sizeof *others + 1);
  unsigned count = e->event_count, initial = 0;
  for (unsigned i = 0; i < count; i++) others[i] = e->events[i];
  for (unsigned x = 0; x < c->program->location_count; x++) {
    bool touched = false;
    for (unsigned i = 0; i < count; i++) touched |= others[i].location == (int)x;
    if (!touched) continue;
    if (initial + count == MOST_TREE_EVENTS) bad(NULL, "too large to be checked");
    e->events[initial++] = (struct event_of_tree){NULL, -1, 0, -1, (int)x};
  }
  for (unsigned i = 0; i < count; i++) e->events[initial + i] = others[i];
  for (unsigned n = 0; n < e->node_count; n++) e->nodes[n].first_event += initial;
  e->event_count += initial;
  for (unsigned i = initial; i < e->event_count; i++)
    if (e->events[i].of->quorum && !needs_all(e, &e->events[i]))
      bad(NULL, "a solver's certificate cannot have barriers that not all threads need to reach");
  made.of = make(e->event_count * sizeof *made.of + 1);
  for (unsigned i = 0; i < e->event_count; i++) made.of[i] = make(sizeof *made.of[i]);
  find_values(e);
  number_program(e);
  return e;
}

/* ---- Clauses of the program -------------------------------------------------------------------- */

/* A clause on its way: so many literals so far. */
struct growing {
  int at[MOST_LITERALS];
  unsigned count;
};

static void grow(struct growing *g, int literal) {
  if (g->count == MOST_LITERALS) bad(NULL, "too large to be checked");
  g->at[g->count++] = literal;
}

static void add(unsigned count, const int *literals) {
  clause_add(literals, count);
}

/* The event is there; 0: always. */
static int executed(const struct encoding *e, unsigned event) {
  return e->events[event].node < 0 ? 0 : literal_node((unsigned)e->events[event].node);
}

static void imply(const struct encoding *e, int literal, unsigned event) {
  if (executed(e, event)) add(2, (int[]){-literal, executed(e, event)});
}

/* At most one of them, which are numbered one after the other. */
static void exclude(unsigned first, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < i; k++) add(2, (int[]){-(int)(first + i), -(int)(first + k)});
}

static void write_nodes(const struct encoding *e) {
  for (unsigned n = 0; n < e->node_count; n++) {
    struct growing some = {{-literal_node(n)}, 1};
    if (e->nodes[n].parent < 0) add(1, (int[]){literal_node(n)});
    for (unsigned k = n + 1; k < e->node_count; k++) {
      if (e->nodes[k].parent != (int)n) continue;
      add(2, (int[]){-literal_node(k), literal_node(n)});
      for (unsigned i = 1; i < some.count; i++) add(2, (int[]){-literal_node(k), -some.at[i]});
      grow(&some, literal_node(k));
    }
    if (e->nodes[n].run->end == OPEN) add(some.count, some.at);
  }
}

/* What an expression's value is to be: of an event, of a condition, of what is observed. */
struct valued {
  const struct encoding *e;
  int node; /* the literal under which it has the value */
  bool condition, nonzero;
  const struct values *values; /* else variables from `first` on */
  unsigned first;
};

static void require_value(void *context, const struct combination *c, int64_t result) {
  const struct valued *v = context;
  int clause[MOST_READS + 2];
  unsigned count = 0;
  if (v->condition && (result != 0) == v->nonzero) return;
  clause[count++] = -v->node;
  for (unsigned i = 0; i < c->count; i++)
    clause[count++] = -literal_value(event_at(c->e, c->node, c->reads[i]), c->value[c->reads[i]]);
  for (unsigned i = 0; !v->condition && i < v->values->count; i++)
    if (v->values->at[i] == result) clause[count++] = (int)(v->first + i);
  add(count, clause);
}

static void write_values(const struct encoding *e) {
  for (unsigned i = 0; i < e->event_count; i++) {
    const struct event *of = e->events[i].of;
    struct growing some = {{0}, 0};
    if (!has_value(e, i)) continue;
    if (of) grow(&some, -executed(e, i));
    for (unsigned k = 0; k < made.of[i]->count; k++) grow(&some, (int)(made.value_at[i] + k));
    add(some.count, some.at);
    exclude(made.value_at[i], made.of[i]->count);
    if (!of || is_read_event(e, i)) continue;
    struct valued v = {e, executed(e, i), false, false, made.of[i], made.value_at[i]};
    each_value(e, (unsigned)e->events[i].node, of->value, require_value, &v);
  }
  for (unsigned n = 0; n < e->node_count; n++) {
    const struct run *run = e->nodes[n].run;
    unsigned k = e->nodes[n].parent < 0 ? 0 : e->nodes[e->nodes[n].parent].run->condition_count;
    for (; k < run->condition_count; k++) {
      struct valued v = {e, literal_node(n), true, run->conditions[k].nonzero, NULL, 0};
      each_value(e, n, run->conditions[k].value, require_value, &v);
    }
  }
}

static void write_reads(const struct encoding *e) {
  for (unsigned r = 0; r < e->event_count; r++) {
    if (!is_read_event(e, r)) continue;
    struct growing some = {{-executed(e, r)}, 1};
    for (unsigned w = 0; w < e->event_count; w++) {
      int reads = made.reads[r][w];
      if (!reads) continue;
      imply(e, reads, r);
      imply(e, reads, w);
      for (unsigned i = 1; i < some.count; i++) add(2, (int[]){-reads, -some.at[i]});
      grow(&some, reads);
      for (unsigned i = 0; i < made.of[w]->count; i++)
        add(3, (int[]){-reads, -(int)(made.value_at[w] + i), literal_value(r, made.of[w]->at[i])});
    }
    add(some.count, some.at);
  }
}

static void write_orders(const struct encoding *e) {
  for (unsigned a = 0; a < e->event_count; a++)
    for (unsigned b = a + 1; b < e->event_count; b++)
      for (unsigned c = b + 1; made.before[a][b] && c < e->event_count; c++) {
        int ab = made.before[a][b], bc = made.before[b][c], ac = made.before[a][c];
        if (!bc || !ac) continue;
        add(3, (int[]){-ab, -bc, ac});
        add(3, (int[]){ab, bc, -ac});
      }
}

/* ---- Clauses of the question --------------------------------------------------------------------- */

static void observe_register(struct encoding *e, unsigned i, const struct observed *o) {
  for (unsigned n = 0; n < e->node_count; n++)
    if (e->nodes[n].thread == (unsigned)o->thread && e->nodes[n].run->end == ENDED)
      each_value(e, n, e->nodes[n].run->regs[o->index], note_value, made.observed[i]);
  made.observed_at[i] = e->variables + 1;
  for (unsigned k = 0; k < made.observed[i]->count; k++) variable(e);
  for (unsigned n = 0; n < e->node_count; n++) {
    if (e->nodes[n].thread != (unsigned)o->thread || e->nodes[n].run->end != ENDED) continue;
    struct valued v = {e, literal_node(n), false, false, made.observed[i], made.observed_at[i]};
    each_value(e, n, e->nodes[n].run->regs[o->index], require_value, &v);
  }
}

static void observe_location(struct encoding *e, unsigned i, const struct observed *o) {
  int location = (int)e->certificate->program->locations[o->index].physical;
  struct growing some = {{0}, 0};
  int *last = make(e->event_count * sizeof *last + 1);
  for (unsigned w = 0; w < e->event_count; w++) {
    if (!is_write_event(e, w) || e->events[w].location != location) continue;
    grow(&some, last[w] = variable(e));
    for (unsigned k = 0; k < made.of[w]->count; k++) add_value(made.observed[i], made.of[w]->at[k]);
  }
  if (!some.count) add_value(made.observed[i], e->certificate->program->locations[location].init);
  made.observed_at[i] = e->variables + 1;
  for (unsigned k = 0; k < made.observed[i]->count; k++) variable(e);
  if (!some.count) add(1, (int[]){(int)made.observed_at[i]});
  if (some.count) add(some.count, some.at);
  for (unsigned w = 0; w < e->event_count; w++) {
    if (!last[w]) continue;
    imply(e, last[w], w);
    for (unsigned v = 0; v < e->event_count; v++) {
      if (v == w || !last[v] || !e->events[v].of || !together(e, v, w)) continue;
      if (e->events[w].of)
        add(3, (int[]){-last[w], -executed(e, v), literal_before(e, v, w)});
      else
        add(2, (int[]){-last[w], -executed(e, v)});
    }
    for (unsigned k = 0; k < made.of[w]->count; k++)
      for (unsigned v = 0; v < made.observed[i]->count; v++)
        if (made.observed[i]->at[v] == made.of[w]->at[k])
          add(3, (int[]){-last[w], -(int)(made.value_at[w] + k), (int)(made.observed_at[i] + v)});
  }
}

static void observe(struct encoding *e) {
  const struct certificate *c = e->certificate;
  for (unsigned i = 0; i < c->observed_count; i++) {
    made.observed[i] = make(sizeof *made.observed[i]);
    if (c->observed[i].thread >= 0)
      observe_register(e, i, &c->observed[i]);
    else
      observe_location(e, i, &c->observed[i]);
    exclude(made.observed_at[i], made.observed[i]->count);
  }
}

/* What one side of a comparison may be; a number has no variable. */
static unsigned side_of(const struct encoding *e, const struct item *item, struct values *values) {
  if (*word_of(item) != '#') {
    *values = (struct values){1, {number_of(item)}};
    return 0;
  }
  struct item number = *item;
  number.word++;
  unsigned i = index_of(&number, e->certificate->observed_count);
  *values = *made.observed[i];
  return made.observed_at[i];
}

static void require_comparison(const struct encoding *e, const struct item *p, unsigned op, bool holds, int where) {
  struct values a, b;
  unsigned first_a = side_of(e, part(p, 1), &a), first_b = side_of(e, part(p, 2), &b);
  for (unsigned i = 0; i < a.count; i++)
    for (unsigned k = 0; k < b.count; k++) {
      int clause[3];
      unsigned count = 0;
      if ((apply((enum operator_)(E_EQ + op), a.at[i], b.at[k], 0) != 0) == holds) continue;
      if (where) clause[count++] = -where;
      if (first_a) clause[count++] = -(int)(first_a + i);
      if (first_b) clause[count++] = -(int)(first_b + k);
      add(count, clause);
    }
}

/* Where the literal holds (0: always), the proposition does or does not. */
static void require_prop(struct encoding *e, const struct item *p, bool holds, int where, unsigned depth) {
  static const char *const WORDS[] = {"true", "false", NULL};
  static const char *const OPS[] = {"eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or", "implies", NULL};
  if (depth > 200) bad(p, "this condition is nested too deep");
  if (p->word) {
    if ((choice_of(p, WORDS, "condition") == 0) != holds) add(where != 0, (int[]){-where});
    return;
  }
  unsigned op = choice_of(part(p, 0), OPS, "condition");
  if (p->count != (op == 6 ? 2 : 3)) bad(p, "wrong number of operands");
  if (op < 6) return require_comparison(e, p, op, holds, where);
  if (op == 6) return require_prop(e, part(p, 1), !holds, where, depth + 1);
  bool first = op == 9 ? !holds : holds; /* of the first operand: p -> q is not p or q */
  if ((op == 7) == holds) {
    require_prop(e, part(p, 1), first, where, depth + 1);
    require_prop(e, part(p, 2), holds, where, depth + 1);
    return;
  }
  int one = variable(e), other = variable(e);
  if (where)
    add(3, (int[]){-where, one, other});
  else
    add(2, (int[]){one, other});
  require_prop(e, part(p, 1), first, one, depth + 1);
  require_prop(e, part(p, 2), holds, other, depth + 1);
}

/* The event is there; an initial write, since some node accesses its location. */
static void require_event(const struct encoding *e, int literal, unsigned event) {
  struct growing some = {{-literal}, 1};
  if (executed(e, event)) return imply(e, literal, event);
  for (unsigned i = 0; i < e->event_count; i++)
    if (e->events[i].location == e->events[event].location && e->events[i].of) grow(&some, executed(e, i));
  add(some.count, some.at);
}

static void want(struct encoding *e, unsigned check) {
  const struct check *c = &e->certificate->model->checks[check];
  bool set = is_set(c->node), diagonal = c->kind == 1;
  struct growing some = {{0}, 0};
  made.wanted = table(e->event_count);
  for (unsigned a = 0; a < e->event_count; a++)
    for (unsigned b = 0; b < e->event_count; b++) {
      if ((a != b && (set || diagonal)) || !together(e, a, b)) continue;
      int wanted = made.wanted[a][b] = variable(e);
      require_event(e, wanted, a);
      require_event(e, wanted, b);
      grow(&some, wanted);
    }
  add(some.count, some.at);
}

void encode_question(struct encoding *e, enum asked asked, unsigned check) {
  const struct certificate *c = e->certificate;
  clauses_begin();
  made.wanted = NULL;
  write_nodes(e);
  write_values(e);
  write_reads(e);
  write_orders(e);
  for (unsigned n = 0; n < e->node_count; n++)
    if (e->nodes[n].run->end != OPEN && e->nodes[n].run->end != ENDED) add(1, (int[]){-literal_node(n)});
  observe(e);
  if (asked != RAISES) require_prop(e, c->condition, asked == MEETS, 0, 0);
  if (c->filter) require_prop(e, c->filter, true, 0, 0);
  if (asked == RAISES) want(e, check);
}

/* ---- Threads that are alike ------------------------------------------------------------------------- */

static bool same_item(const struct item *a, const struct item *b) {
  if (!a || !b) return a == b;
  if (!a->word != !b->word || (a->word && strcmp(a->word, b->word) != 0)) return false;
  if (!same_item(a->first, b->first)) return false;
  return same_item(a->next, b->next);
}

/* The first write of its tree; the number of events: it has none. */
static unsigned first_write(const struct encoding *e, unsigned thread) {
  unsigned i = 0;
  while (i < e->event_count && (e->events[i].thread != (int)thread || !is_write_event(e, i))) i++;
  return i;
}

/* A thread's item, its `next` aside. */
static const struct item *text_of(const struct certificate *c, unsigned thread) {
  const struct item *at = c->threads;
  for (; at; at = at->next)
    if (is_list(at, "thread") && !thread--) return at;
  return NULL;
}

/* Do they stand at the same place of the scope tree, or each alone at its own? */
static bool may_change_places(const struct program *p, unsigned t, unsigned u) {
  for (unsigned level = 0; level < 4; level++)
    for (unsigned other = 0; other < p->thread_count; other++) {
      unsigned at = p->threads[other].place[level];
      bool with_one = at == p->threads[t].place[level] || at == p->threads[u].place[level];
      if (p->threads[t].place[level] != p->threads[u].place[level] && other != t && other != u && with_one)
        return false;
    }
  return true;
}

static void check_alike(const struct encoding *e, unsigned t, unsigned u, const struct item *at) {
  const struct certificate *c = e->certificate;
  if (!same_item(part(text_of(c, t), 2), part(text_of(c, u), 2)) || !may_change_places(c->program, t, u))
    reject(at, "threads %u and %u are not the same", t, u);
  for (unsigned i = 0; i < c->observed_count; i++)
    if (c->observed[i].thread == (int)t || c->observed[i].thread == (int)u)
      reject(at, "registers of threads %u and %u are observed", t, u);
  if (c->program->pair_count) reject(at, "some threads are paired: none can take another's place");
}

void encode_alike(struct encoding *e, const struct item *threads) {
  unsigned count = e->certificate->program->thread_count, before = count;
  mask seen = 0;
  for (const struct item *at = part(threads, 0)->next; at; at = at->next) {
    unsigned t = index_of(at, count), a, b;
    if (seen >> t & 1) bad(at, "this thread appears twice");
    seen |= BIT(t);
    if (e->symmetric >> t & 1) reject(at, "this thread has its place already");
    if (before < count) {
      check_alike(e, before, t, at);
      a = first_write(e, before);
      b = first_write(e, t);
      if (b == e->event_count || !made.before[a < b ? a : b][a < b ? b : a]) reject(at, "nothing tells which is first");
      add(2, (int[]){-executed(e, b), executed(e, a)});
      add(2, (int[]){-executed(e, b), literal_before(e, a, b)});
    }
    before = t;
  }
  e->symmetric |= seen;
}
