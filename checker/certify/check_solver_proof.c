/* SPDX-License-Identifier: MIT */
/* What a solver has shown: executions, and refutations of what there is none of.
 *
 *     solved = (solved part...)
 *     part   = (shown given...)          an execution: given are all leaves, sources, orders
 *            | (none QUESTION line...)   meets, violates, or a check's number
 *     line   = (alike THREAD...)         these may change places
 *            | (lemma given...)          no execution has all of this
 *            | (held (node NODE...))     nor all of these, the last ones of all threads: one stays at a control barrier
 *            | (apart EVENT EVENT given...)   in no execution that has, the relation has this pair
 *            | (clause LITERAL...)       it follows from those before; the last one is empty
 *     given  = (node NODE...) | (reads WRITE READ) | (before EVENT EVENT)
 *
 * Nodes, events and variables have the numbers of program_clauses.c.
 */
#include "checker/certify/check_solver_proof.h"

#include <string.h>

struct given {
  struct state *state; /* NULL: it contradicts itself */
  int literals[MOST_LITERALS];
  unsigned count;
};

static void note(struct given *g, int literal, const struct item *at) {
  if (g->count == MOST_LITERALS) bad(at, "too large to be checked");
  g->literals[g->count++] = -literal;
}

/* Drops the memory of what was given, and keeps the clause. */
static void add_and_drop(const struct given *g, size_t mark) {
  int literals[MOST_LITERALS];
  unsigned count = g->count;
  memcpy(literals, g->literals, count * sizeof *literals);
  memory_drop(mark);
  clause_add(literals, count);
}

/* ---- Partial executions ------------------------------------------------------------------------------ */

/* An event of the trees in a state; it must be there. */
static unsigned in_state(const struct encoding *e, const struct state *s, const unsigned *nodes, unsigned event,
                         const struct item *at) {
  const struct event_of_tree *x = &e->events[event];
  for (unsigned i = 0; x->node < 0 && i < s->init_count; i++)
    if (s->events[i].location == x->location) return i;
  if (x->node < 0 || !leads_to(e, (unsigned)x->node, nodes[x->thread]))
    reject(at, "event %u is not on the way to a node that is given", event);
  return s->first[x->thread] + x->index;
}

static void take_nodes(const struct encoding *e, const struct item *list, unsigned *nodes, struct given *g) {
  for (const struct item *at = part(list, 0)->next; at; at = at->next) {
    unsigned n = index_of(at, e->node_count), t = e->nodes[n].thread;
    if (!leads_to(e, n, nodes[t]) && !leads_to(e, nodes[t], n))
      reject(at, "node %u is on another way than node %u", n, nodes[t]);
    if (n > nodes[t]) nodes[t] = n;
    note(g, literal_node(n), at);
  }
}

static void start_nodes(const struct encoding *e, unsigned *nodes) {
  for (unsigned n = e->node_count; n-- > 0;)
    if (e->nodes[n].parent < 0) nodes[e->nodes[n].thread] = n;
}

static struct state *state_at(const struct encoding *e, const unsigned *nodes) {
  const struct run *runs[MOST_THREADS];
  for (unsigned t = 0; t < e->certificate->program->thread_count; t++) runs[t] = e->nodes[nodes[t]].run;
  struct state *s = state_new(e->certificate->program, runs, NULL);
  for (unsigned a = 0; a < s->count; a++) s->joins.lo[a] = s->joins.up[a]; /* nobody stays away: program_clauses.c */
  return s;
}

/* Decides a source or an order. */
static bool take_pair(const struct encoding *e, struct state *s, const unsigned *nodes, const struct item *at,
                      struct given *g) {
  unsigned x = index_of(part(at, 1), e->event_count), y = index_of(part(at, 2), e->event_count);
  unsigned a = in_state(e, s, nodes, x, part(at, 1)), b = in_state(e, s, nodes, y, part(at, 2));
  bool reads = is_list(at, "reads");
  no_more_than(at, 3);
  if (!reads && (s->events[a].of == NULL || s->events[b].of == NULL))
    reject(at, "what is written at first has its place");
  int literal = reads ? literal_reads(e, x, y) : literal_before(e, x, y);
  if (!literal) reject(at, "this is not to be decided");
  note(g, literal, at);
  if (!reads) return decide_pair(s, CO, a, b, true);
  if (!(s->sources[b] >> a & 1)) return false;
  s->sources[b] = BIT(a);
  s->unfed &= ~BIT(b);
  return true;
}

/* The state in which all of what is given holds, from a list's part `from` on. */
static void read_given(const struct encoding *e, const struct item *list, unsigned from, struct given *g) {
  unsigned nodes[MOST_THREADS] = {0};
  bool possible = true;
  start_nodes(e, nodes);
  for (unsigned i = from; i < list->count; i++)
    if (is_list(part(list, i), "node")) take_nodes(e, part(list, i), nodes, g);
  g->state = state_at(e, nodes);
  for (unsigned i = from; i < list->count; i++) {
    const struct item *at = part(list, i);
    if (is_list(at, "reads") || is_list(at, "before"))
      possible &= take_pair(e, g->state, nodes, at, g);
    else if (!is_list(at, "node"))
      bad(at, "expected (node ...), (reads ...) or (before ...)");
  }
  if (!possible || !settle(g->state)) g->state = NULL;
}

/* ---- What is shown ------------------------------------------------------------------------------------- */

static void check_shown(struct certificate *c, const struct encoding *e, const struct item *at) {
  size_t mark = memory_mark();
  struct given *g = make(sizeof *g);
  read_given(e, at, 1, g);
  if (!g->state) reject(at, "this contradicts itself");
  check_execution(c, g->state, at);
  memory_drop(mark);
}

/* ---- What is refuted ------------------------------------------------------------------------------------ */

/* Does no execution have what is given, by values or by an axiom? */
static bool is_impossible(const struct certificate *c, const struct given *g) {
  if (!g->state) return true;
  if (!c->free_values && hangs_on_itself(g->state)) return true;
  evaluate(g->state);
  return failing_axiom(g->state) >= 0;
}

static void check_lemma(const struct certificate *c, const struct encoding *e, const struct item *at) {
  size_t mark = memory_mark();
  struct given *g = make(sizeof *g);
  read_given(e, at, 1, g);
  if (!is_impossible(c, g)) reject(at, "some execution may have all of this");
  add_and_drop(g, mark);
}

/* Whether barriers let everybody pass is told by the ways of all threads alone. */
static void check_held(const struct certificate *c, const struct encoding *e, const struct item *at) {
  size_t mark = memory_mark();
  struct given *g = make(sizeof *g);
  read_given(e, at, 1, g);
  for (unsigned t = 0; g->state && t < c->program->thread_count; t++)
    if (g->state->runs[t]->end != ENDED) reject(at, "thread %u has not ended here", t);
  if (g->state && all_pass(g->state)) reject(at, "every thread gets past its barriers here");
  add_and_drop(g, mark);
}

static bool may_have(unsigned node, unsigned a, unsigned b) {
  const mask *rows = value_of(node)->up;
  return is_set(node) ? rows[0] >> a & 1 : in(rows, a, b);
}

static void check_apart(const struct certificate *c, const struct encoding *e, unsigned check, const struct item *at) {
  size_t mark = memory_mark();
  struct given *g = make(sizeof *g);
  unsigned x = index_of(part(at, 1), e->event_count), y = index_of(part(at, 2), e->event_count);
  int wanted = literal_wanted(e, x, y);
  if (!wanted) reject(at, "no question asks for this pair");
  note(g, wanted, at);
  read_given(e, at, 3, g);
  if (!is_impossible(c, g)) {
    unsigned nodes[MOST_THREADS] = {0};
    start_nodes(e, nodes);
    for (unsigned t = 0; t < c->program->thread_count; t++)
      for (unsigned n = 0; n < e->node_count; n++)
        if (e->nodes[n].run == g->state->runs[t]) nodes[t] = n;
    unsigned a = in_state(e, g->state, nodes, x, at), b = in_state(e, g->state, nodes, y, at);
    surely_holds(g->state, check); /* computes it */
    if (may_have(c->model->checks[check].node, a, b)) reject(at, "the pair may be there");
  }
  add_and_drop(g, mark);
}

static void check_clause(const struct encoding *e, const struct item *at) {
  int literals[MOST_LITERALS];
  unsigned count = 0;
  for (const struct item *word = part(at, 0)->next; word; word = word->next) {
    int64_t literal = number_of(word);
    if (!literal || literal > (int64_t)e->variables || literal < -(int64_t)e->variables)
      bad(word, "there is no such variable");
    if (count == MOST_LITERALS) bad(word, "too large to be checked");
    literals[count++] = (int)literal;
  }
  if (!clause_follows(literals, count)) reject(at, "this does not follow");
  clause_add(literals, count);
}

/* Does the node bring the event: adds it, or, of an initial write, accesses its location? */
static bool brings(const struct encoding *e, unsigned node, unsigned event) {
  const struct event_of_tree *x = &e->events[event];
  if (x->node >= 0) return x->node == (int)node;
  for (unsigned i = 0; i < e->event_count; i++)
    if (e->events[i].node == (int)node && e->events[i].location == x->location) return true;
  return false;
}

/* Pairs that two nodes bring, and keep out of the relation. */
static void keep_out(const struct encoding *e, unsigned check, unsigned n, unsigned m) {
  enum { MOST_PAIRS = 2 * MOST_EVENTS * MOST_EVENTS };
  const struct certificate *c = e->certificate;
  unsigned node = c->model->checks[check].node, nodes[MOST_THREADS] = {0}, count = 0;
  int pairs[MOST_PAIRS];
  size_t mark = memory_mark();
  start_nodes(e, nodes);
  if (n > nodes[e->nodes[n].thread]) nodes[e->nodes[n].thread] = n;
  if (m > nodes[e->nodes[m].thread]) nodes[e->nodes[m].thread] = m;
  struct state *s = state_at(e, nodes);
  evaluate(s);
  surely_holds(s, check); /* computes it */
  for (unsigned a = 0; a < e->event_count; a++)
    for (unsigned b = 0; b < e->event_count; b++) {
      int wanted = literal_wanted(e, a, b);
      bool here = wanted && ((brings(e, n, a) && brings(e, m, b)) || (brings(e, m, a) && brings(e, n, b)));
      if (here && count < MOST_PAIRS && !may_have(node, in_state(e, s, nodes, a, NULL), in_state(e, s, nodes, b, NULL)))
        pairs[count++] = wanted;
    }
  memory_drop(mark);
  for (unsigned i = 0; i < count; i++) clause_add((int[]){-pairs[i], -literal_node(n), -literal_node(m)}, 3);
}

static void conclude(const int *literals, unsigned count) {
  if (clause_follows(literals, count)) clause_add(literals, count);
}

/* Then, of initial writes, whatever nodes bring them. */
static void keep_all_out(const struct encoding *e, unsigned check) {
  for (unsigned n = 0; n < e->node_count; n++)
    for (unsigned m = n; m < e->node_count; m++)
      if (e->nodes[n].thread != e->nodes[m].thread || leads_to(e, n, m)) keep_out(e, check, n, m);
  for (unsigned a = 0; a < e->event_count; a++)
    for (unsigned b = 0; b < e->event_count; b++) {
      int wanted = literal_wanted(e, a, b);
      if (!wanted) continue;
      for (unsigned n = 0; !e->events[a].of && !e->events[b].of && n < e->node_count; n++)
        conclude((int[]){-wanted, -literal_node(n)}, 2);
      conclude((int[]){-wanted}, 1);
    }
}

/* Can it only be raised by a pair (an event) that is there? */
static bool asks_for_pair(const struct check *check) {
  bool raised_by_some = check->role == FLAG ? check->negated : !check->negated;
  return check->role != REQUIRE && raised_by_some && check->kind != 0;
}

static void check_none(struct certificate *c, struct encoding *e, const struct item *at) {
  static const char *const QUESTIONS[] = {"meets", "violates", NULL};
  const struct item *question = part(at, 1), *line = question->next;
  bool raises = strchr("0123456789", *word_of(question)) != NULL;
  unsigned check = raises ? index_of(question, c->model->check_count) : 0;
  enum asked asked = raises ? RAISES : (enum asked)choice_of(question, QUESTIONS, "question");
  if (raises && !asks_for_pair(&c->model->checks[check])) reject(question, "this is not raised by a pair");
  if (!raises && !c->condition) bad(question, "no (condition ...) in this certificate");
  size_t mark = memory_mark();
  struct encoding *own = make(sizeof *own);
  *own = *e;
  encode_question(own, asked, check);
  if (raises) keep_all_out(own, check);
  for (; line; line = line->next) {
    static const char *const LINES[] = {"alike", "lemma", "held", "apart", "clause", NULL};
    unsigned kind = choice_of(part(line, 0), LINES, "line of a refutation");
    if (kind == 0)
      encode_alike(own, line);
    else if (kind == 1)
      check_lemma(c, own, line);
    else if (kind == 2)
      check_held(c, own, line);
    else if (kind == 3)
      check_apart(c, own, check, line);
    else
      check_clause(own, line);
  }
  if (!clauses_contradict()) reject(at, "this comes to no contradiction");
  memory_drop(mark);
  c->never_met |= asked == MEETS;
  c->never_violated |= asked == VIOLATES;
  if (raises) c->never_raised |= BIT(check);
}

/* Does the model forbid that values come from nowhere: may po and rf have no cycle, all of both? */
static bool grounds_values(const struct model *model) {
  for (unsigned i = 0; i < model->check_count; i++) {
    const struct check *c = &model->checks[i];
    bool acyclic = c->role == REQUIRE && c->kind == 0 && !c->negated;
    if (acyclic && has_all_of(c->node, true) && has_all_of(c->node, false)) return true;
  }
  return false;
}

void check_solver_proof(struct certificate *c, const struct item *solved) {
  static const char *const PARTS[] = {"shown", "none", NULL};
  struct encoding *e = encode_program(c);
  if (c->free_values && !grounds_values(c->model) && !has_grounded_values(e))
    reject(solved, "values may come from nowhere: a tree has to show which");
  c->skipped = true;
  for (const struct item *at = part(solved, 0)->next; at; at = at->next)
    if (choice_of(part(at, 0), PARTS, "part of this") == 0)
      check_shown(c, e, at);
    else
      check_none(c, e, at);
}
