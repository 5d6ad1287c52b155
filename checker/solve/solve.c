/* SPDX-License-Identifier: MIT */
/* The loop: a solution, the model's answer, clauses; and the questions that are put one after the other as
 * assumptions, so that what was learnt for one serves the next. */
#include "checker/solve/solve.h"

#include "checker/base/limit.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/cat/node_operators.h"
#include "checker/exec/loops/spin_leave_out_repeated.h"
#include "checker/exec/search/barrier_passing.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/exec/search/value_propagation.h"
#include "checker/exec/search/work_sharing.h"
#include "checker/exec/unfolding/po_rf_acyclicity.h"
#include "checker/solve/axioms.h"
#include "checker/solve/conflict_clauses.h"
#include "checker/solve/initial_coherence_clauses.h"
#include "checker/solve/location_ranges.h"
#include "checker/solve/quorum_barriers.h"

enum {
  MOST_THREAD_EVENTS = 1024,
  MOST_REASONS = 64,
  CONFLICTS_OF_EFFORT = 25,
  CLAUSES_OF_EFFORT = 5000,
  FEW_ROUNDS = 1,
  CONFLICTS_OF_VISIT = 200,
  ROOM_OF_CONFLICT = 4096, /* bytes */
  CONFLICTS_OF_STATES = 20000
};

/* What may be done to list states: for each, the square of the number of events times the number of states that it must
 * differ from. */
static const double WORK_OF_STATES = 1e7;

/* As many clauses as an axiom may be written out in: for answers, and for states. */
static const double CLAUSES_OF_AXIOM = 6e6, CLAUSES_OF_STATES = 2e5;

/* A pair that a check which asks for some could be met by, and the literal that says: by this one. */
struct wanted {
  uint32_t check, node;
  unsigned a, b; /* events of the tree; the same of a set's */
  int literal;
};

/* What has become of an axiom. */
enum written { AXIOM_NEW, AXIOM_WRITTEN, AXIOM_NOT };

struct solving {
  struct arena *arena;
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct enumerate_options *options;
  const struct enumerate_sink *sink;
  struct enumerate_stats *stats;
  struct sat *sat;
  struct tree tree;
  struct formula *formula;
  struct plan plan;
  struct relation_bounds *bounds;
  struct closure_literals *names;
  struct axioms *axioms;
  enum written *written; /* by check: written out as clauses, or cannot be */
  VEC(struct wanted) wanted;
  int *chooses;                /* by check: of one that asks for some pair, one is chosen; 0: of another */
  int raising;                 /* the flag that is asked for, by check; -1: none is */
  int asked;                   /* that, and all threads have ended, as the filter wants it */
  int meets, violates;         /* and the condition holds, or does not */
  unsigned few;                /* loops are followed so far at first; 0: as far as is asked for */
  bool last;                   /* and need not be followed further: what the bound cuts is asked for too */
  bool met, violated, enough;  /* what has been found, also with a lower bound; the sink wants no more */
  VEC(const int64_t *) states; /* likewise; in `whole` */
  struct arena *whole;
  bool lists;      /* only states are still looked for */
  uint64_t listed; /* solutions that were looked at to list states */
  double deadline;
  enum enumerate_end end;
};

/* ---- Limits --------------------------------------------------------------------------- */

/* The solver gives up before it has written a formula that takes more room than so many conflicts are worth. */
static bool must_stop(void *context) {
  struct solving *s = context;
  size_t room = arena_size(s->arena) + sat_size(s->sat);
  bool bounded = s->options->conflicts && !s->lists && s->end == END_DONE;
  if (bounded && room / ROOM_OF_CONFLICT >= s->options->conflicts) {
    s->stats->gave_up = true;
    s->end = END_STOPPED;
  }
  return enumerate_limit(s->options, s->deadline, room, &s->end);
}

/* Has as much been tried as is to be (enumerate_options.effort, .conflicts)? */
static bool gives_up(struct solving *s) {
  const struct enumerate_options *o = s->options;
  uint64_t visited = s->stats->visited - s->listed;
  s->stats->gave_up |= o->effort && visited >= o->effort;
  s->stats->gave_up |= o->conflicts && visited * CONFLICTS_OF_VISIT >= o->conflicts;
  if (s->stats->gave_up && s->end == END_DONE) s->end = END_STOPPED;
  return s->stats->gave_up;
}

/* ---- Checks ---------------------------------------------------------------------------- */

static bool is_asked(const struct solving *s, uint32_t check) {
  return !(s->options->skip && s->options->skip[check]);
}

/* Does the check ask for a member, or for an event that is related to itself? */
static bool asks_for_some(const struct cat_check *check) {
  return check->role == ROLE_REQUIRE && check->negated && check->kind != CHECK_ACYCLIC;
}

static void want_pair(struct solving *s, uint32_t i, unsigned a, unsigned b) {
  struct formula *f = s->formula;
  if (!tree_compatible(&s->tree, a, b)) return;
  uint32_t node = s->model->ir.checks[i].node;
  struct wanted *wanted = vec_push(s->arena, &s->wanted);
  *wanted = (struct wanted){i, node, a, b, sat_variable(f->sat)};
  sat_clause_2(f->sat, -wanted->literal, s->chooses[i]);
  sat_clause_2(f->sat, -wanted->literal, formula_executed(f, a));
  sat_clause_2(f->sat, -wanted->literal, formula_executed(f, b));
  axioms_want(s->axioms, node, a, b, wanted->literal);
}

/* One of the pairs that may be in the relation is chosen, and then refuted or found. */
static void want_some(struct solving *s, uint32_t i) {
  const struct cat_check *check = &s->model->ir.checks[i];
  struct shape shape = s->bounds->shape;
  const word *upper = s->bounds->upper[check->node];
  bool set = s->model->ir.nodes[check->node].type == CAT_SET;
  size_t first = s->wanted.count;
  s->chooses[i] = sat_variable(s->formula->sat);
  for (unsigned a = 0; a < shape.n; a++) {
    if (set) {
      if (set_has(upper, a)) want_pair(s, i, a, a);
      continue;
    }
    SET_EACH (b, shape.w, rel_row_const(shape, upper, a))
      if (check->kind == CHECK_EMPTY || a == b) want_pair(s, i, a, b);
  }
  int *some = ARENA_ARRAY(s->arena, int, s->wanted.count - first + 2);
  size_t count = 0;
  some[count++] = -s->chooses[i];
  for (size_t k = first; k < s->wanted.count; k++) some[count++] = s->wanted.at[k].literal;
  sat_clause(s->formula->sat, some, count);
}

/* ---- Clauses ----------------------------------------------------------------------------- */

static void learn(void *context, const struct literals *literals) {
  closure_literals_learn(((const struct solving *)context)->names, literals);
}

struct unknown_search {
  const struct candidate_events *c;
  unsigned offset, event;
};

static bool is_known(void *context, unsigned reg) {
  struct unknown_search *u = context;
  u->event = u->offset + reg;
  return u->c->known[u->event];
}

static bool unknown_operand(const struct candidate_events *c, unsigned offset, const struct expr *e, unsigned *event) {
  struct unknown_search u = {c, offset, *event};
  bool unknown = !expr_registers(e, is_known, &u);
  *event = u.event;
  return unknown;
}

static void add_all_sources(const struct solving *s, const struct candidate_events *c, struct literals *out) {
  const struct execution *x = c->execution;
  for (unsigned t = 0; t < s->tree.program->thread_count; t++) candidate_add_path(s->formula, c, t, out);
  for (unsigned e = 0; e < x->shape.n; e++)
    if (x->events[e].kind == EVENT_READ)
      literals_add(out, formula_reads(s->formula, c->number[c->source[e]], c->number[e]));
}

static bool chooses(const struct expr *e) {
  return e->kind == EXPR_COND;
}

/* Values that depend on themselves: from one of them on to what it depends on, until one comes again.
 * Where `a ? b : c` is on the way, which side counts depends on other values: then all sources. */
static void learn_values(struct solving *s, const struct candidate_events *c, struct arena *arena) {
  const struct structure *st = c->structure;
  unsigned n = st->execution.shape.n, at = st->init_count;
  struct literals out = {.arena = arena}, whole = {.arena = arena};
  bool choice = false, found = true;
  while (at < n && (!st->value[at] || c->known[at])) at++;
  if (at == n) found = false; /* only a register's value depends on itself */
  bool *seen = ARENA_ARRAY(arena, bool, n + 1);
  while (found && !seen[at]) {
    seen[at] = true;
    literals_add(&out, formula_executed(s->formula, c->number[at]));
    if (s->tree.events.at[c->number[at]].differs)
      candidate_add_path(s->formula, c, (unsigned)st->events[at].thread, &out);
    const struct expr *e = st->value[at];
    bool variable = st->events[at].kind == EVENT_READ && e->kind == EXPR_REG && e->reg == st->events[at].po_index;
    if (variable) {
      literals_add(&out, formula_reads(s->formula, c->number[c->source[at]], c->number[at]));
      at = c->source[at];
    } else {
      choice |= expr_has(e, chooses);
      found = unknown_operand(c, st->offset[st->events[at].thread], e, &at);
    }
  }
  if (!found || choice) add_all_sources(s, c, &whole);
  learn(s, !found || choice ? &whole : &out);
}

/* Of values that depend on themselves only those are tried that values_to_guess names: is one another?  Then such
 * a value must be one of them. */
static bool restrict_guesses(struct solving *s, const struct candidate_events *c, struct arena *arena) {
  const int64_t *values;
  unsigned count = c->guesses.count ? values_to_guess(arena, s->test, c->structure, &values) : 0;
  bool other = false;
  for (size_t i = 0; i < c->guesses.count; i++) {
    struct literals out = {.arena = arena};
    bool named = false;
    unsigned read = c->guesses.at[i];
    add_all_sources(s, c, &out);
    for (unsigned k = 0; k < count; k++) {
      named |= values[k] == c->value[read];
      struct bits value = bits_constant(arena, values[k]);
      literals_add(&out, -bits_equal(s->formula->sat, s->formula->value[c->number[read]], value));
    }
    if (named) continue;
    learn(s, &out);
    other = true;
  }
  return other;
}

/* So that an execution is told of once: all that it is made of; where coherence is partial, also those that order more
 * than it does, of which nobody asks. */
static void leave_out(struct solving *s, const struct candidate_events *c, struct arena *arena) {
  struct literals out = {.arena = arena};
  const struct execution *x = c->execution;
  add_all_sources(s, c, &out);
  for (unsigned a = 0; a < x->shape.n; a++)
    SET_EACH (b, x->shape.w, rel_row_const(x->shape, x->co, a))
      literals_add(&out, formula_order(s->formula, c->number[a], c->number[b]));
  learn(s, &out);
}

/* ---- Judging ------------------------------------------------------------------------------- */

/* Pairs that were chosen for a check and are not there.  Returns whether there are any. */
static bool refute_wanted(struct solving *s, uint32_t check, struct reasoner *r, const struct candidate_events *c,
                          const struct valuation *v, struct arena *arena) {
  bool some = false;
  unsigned *event = ARENA_ARRAY(arena, unsigned, s->tree.events.count);
  for (unsigned e = 0; e < c->execution->shape.n; e++) event[c->number[e]] = e;
  for (size_t i = 0; i < s->wanted.count; i++) {
    const struct wanted *w = &s->wanted.at[i];
    if (w->check != check || !sat_holds(s->formula->sat, w->literal)) continue;
    some = true;
    unsigned a = event[w->a], b = event[w->b];
    bool set = s->model->ir.nodes[w->node].type == CAT_SET;
    if (set ? set_has(v->value[w->node], a) : rel_has(v->shape, v->value[w->node], a, b)) continue;
    struct literals out = {.arena = arena};
    reason_out(r, w->node, a, b, &out);
    literals_add(&out, w->literal);
    learn(s, &out);
  }
  return some;
}

/* Does a thread that waits do the same twice, where that is left out (exec/loops/spin_leave_out_repeated.h)? */
static bool repeats(const struct solving *s, const struct candidate_events *c, struct arena *arena) {
  if (!s->options->cut_spins) return false;
  struct shape shape = c->execution->shape;
  word *sources = ARENA_ARRAY(arena, word, rel_words(shape));
  rel_inverse(shape, sources, c->execution->rf);
  struct frames all = {.structure = c->structure,
                       .shape = shape,
                       .partial = s->formula->partial,
                       .open_ended = ARENA_ARRAY(arena, word, set_words(shape))};
  struct frame frame = {.sources = sources, .known = c->known, .value = c->value};
  return spin_repeats(&all, &frame);
}

/* Does some thread never get past a control barrier?  Nor does it wherever the threads come as far as here: one that
 * does not come to the barrier stands at another itself, or has ended. */
static bool is_held_back(struct solving *s, const struct candidate_events *c, struct arena *arena) {
  unsigned threads = s->tree.program->thread_count;
  unsigned *at = ARENA_ARRAY(arena, unsigned, threads + 1);
  bool *matters = ARENA_ARRAY(arena, bool, threads + 1);
  if (!barriers_hold_back(c->structure, at, matters)) return false;
  struct literals out = {.arena = arena};
  for (unsigned t = 0; t < threads; t++) {
    if (!matters[t]) continue;
    bool ends = at[t] == c->structure->offset[t] + c->structure->paths[t]->event_count;
    if (ends)
      candidate_add_path(s->formula, c, t, &out);
    else
      literals_add(&out, formula_executed(s->formula, c->number[at[t]]));
  }
  learn(s, &out);
  return true;
}

/* Of an execution in which some thread is to stop: does none, or one elsewhere, as far as barriers say?  That is told
 * by the paths alone. */
static bool goes_on(struct solving *s, const struct candidate_events *c, struct arena *arena) {
  unsigned threads = s->tree.program->thread_count;
  enum thread_end *end = ARENA_ARRAY(arena, enum thread_end, threads);
  struct literals out = {.arena = arena};
  for (unsigned t = 0; t < threads; t++) {
    end[t] = s->tree.nodes.at[c->leaf[t]].end;
    candidate_add_path(s->formula, c, t, &out);
  }
  bool some;
  if (threads_stop(c->structure, end, &some) && some) return false;
  learn(s, &out);
  return true;
}

/* A barrier without which too few of its group synchronise: one more of them must, or come to it. */
static bool lacks_members(struct solving *s, const struct candidate_events *c, struct arena *arena) {
  const struct formula *f = s->formula;
  const struct execution *x = c->execution;
  for (unsigned e = 0; e < x->shape.n; e++) {
    if (x->events[e].kind != EVENT_MEET || !x->events[e].has_quorum || x->events[e].blocked) continue;
    if (x->events[e].arrive && x->events[e].silent) continue;
    struct literals out = {.arena = arena};
    if (quorum_barriers_present(f, c->number[e], &out) >= x->events[e].quorum) continue;
    learn(s, &out);
    return true;
  }
  return false;
}

/* An axiom that has failed is written out, if it can be: then it does not fail again.  States other than those that
 * answer are worth fewer clauses. */
static bool write_out(struct solving *s, uint32_t check) {
  if (s->written[check] != AXIOM_NEW) return false;
  bool can = axioms_write(s->axioms, &s->model->ir.checks[check], s->lists ? CLAUSES_OF_STATES : CLAUSES_OF_AXIOM);
  s->written[check] = can ? AXIOM_WRITTEN : AXIOM_NOT;
  return can;
}

static struct reasoner *new_reasoner(struct solving *s, const struct candidate_events *c, const struct valuation *v,
                                     struct arena *arena) {
  return reasoner_new(arena, &(struct known_relations){s->formula, &s->plan, s->bounds, s->names}, c, v);
}

/* Learns why the model rejects the candidate; false: it does not. */
static bool reject(struct solving *s, const struct candidate_events *c, const struct valuation *v,
                   struct arena *arena) {
  struct reasoner *r = NULL;
  for (uint32_t i = 0; i < s->model->ir.check_count; i++) {
    const struct cat_check *check = &s->model->ir.checks[i];
    if (check->role != ROLE_REQUIRE || !is_asked(s, i) || valuation_meets(v, check)) continue;
    if (!r) r = new_reasoner(s, c, v, arena);
    if (write_out(s, i)) continue;
    if (!asks_for_some(check) || !refute_wanted(s, i, r, c, v, arena)) reason_check(r, check, MOST_REASONS, learn, s);
  }
  return r;
}

/* Does the execution raise the flag that is asked for?  If not, learns why. */
static bool raises(struct solving *s, const struct candidate_events *c, const struct valuation *v,
                   struct arena *arena) {
  const struct cat_check *check = &s->model->ir.checks[s->raising];
  if (valuation_meets(v, check) == (check->role == ROLE_FLAG)) return true;
  refute_wanted(s, (uint32_t)s->raising, new_reasoner(s, c, v, arena), c, v, arena);
  return false;
}

static void note_state(struct solving *s, const struct execution *x) {
  int64_t *values = ARENA_ARRAY(s->whole, int64_t, s->test->observable_count + 1);
  for (unsigned i = 0; i < s->test->observable_count; i++) values[i] = execution_value(x, s->test->observables[i]);
  *vec_push(s->whole, &s->states) = values;
}

static bool tell(struct solving *s, const struct candidate_events *c, const struct valuation *v, struct arena *arena) {
  const struct cat_ir *ir = &s->model->ir;
  uint64_t *raised = ARENA_ARRAY(arena, uint64_t, (ir->check_count + 63) / 64 + 1);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *check = &ir->checks[i];
    if (check->role == ROLE_REQUIRE || !is_asked(s, i)) continue;
    if (valuation_meets(v, check) == (check->role == ROLE_FLAG)) raised[i / 64] |= (uint64_t)1 << i % 64;
  }
  struct candidate candidate = {.execution = c->execution, .raised = raised, .ways = 1, .key = s->stats->consistent++};
  if (s->options->most_states) note_state(s, c->execution);
  return s->sink->consistent(s->sink->context, &candidate);
}

/* Notes the instruction that is undefined, if one is. */
static void note_undefined(const struct solving *s, const struct candidate_events *c) {
  for (unsigned t = 0; t < s->tree.program->thread_count; t++) {
    const struct tree_node *leaf = &s->tree.nodes.at[c->leaf[t]];
    if (leaf->end != THREAD_UNDEFINED) continue;
    s->stats->undefined = true;
    s->stats->undefined_at.thread = t;
    s->stats->undefined_at.instr = leaf->instr;
    return;
  }
}

enum looked { LOOKED_ON, LOOKED_FOUND, LOOKED_ENOUGH };

/* What the model says of the candidate. */
static enum looked judge(struct solving *s, const struct candidate_events *c, bool probe, struct arena *arena) {
  const struct valuation *v = evaluate(arena, &s->model->ir, c->execution);
  if (reject(s, c, v, arena)) return LOOKED_ON;
  if (s->raising >= 0) return raises(s, c, v, arena) ? LOOKED_FOUND : LOOKED_ON;
  if (probe || s->options->undefined_ends) note_undefined(s, c);
  if (probe) return LOOKED_FOUND;
  if (!tell(s, c, v, arena)) return LOOKED_ENOUGH;
  leave_out(s, c, arena);
  return LOOKED_ON;
}

/* Looks at the solver's answer, and learns why it is none. */
static enum looked look(struct solving *s, bool probe) {
  struct arena *arena = arena_new();
  enum looked looked = LOOKED_ON;
  struct candidate_events *c = candidate_read(arena, s->formula);
  s->stats->visited++;
  if (c->execution->shape.n > s->stats->events) s->stats->events = c->execution->shape.n;
  if (!candidate_complete(arena, s->formula, c)) {
    learn_values(s, c, arena);
  } else if (repeats(s, c, arena)) {
    struct literals out = {.arena = arena};
    add_all_sources(s, c, &out);
    learn(s, &out);
  } else if (!probe && ((s->options->stops ? goes_on : is_held_back)(s, c, arena) || lacks_members(s, c, arena))) {
    /* as if it were no candidate */
  } else if (!restrict_guesses(s, c, arena)) {
    looked = judge(s, c, probe, arena);
  }
  arena_free(arena);
  return looked;
}

/* ---- Questions -------------------------------------------------------------------------------- */

/* After how many conflicts the next answer is abandoned; 0: never.  Later answers mostly come quickly. */
static unsigned most_conflicts(const struct solving *s) {
  const struct enumerate_options *o = s->options;
  if (o->effort) return (unsigned)o->effort * CONFLICTS_OF_EFFORT;
  return o->conflicts ? (unsigned)(1 + o->conflicts / (1 + s->stats->visited - s->listed)) : 0;
}

/* Of each check that asks for some pair, one is chosen; of the flags, only that which is asked for. */
static void assume_chosen(struct solving *s) {
  for (uint32_t i = 0; i < s->model->ir.check_count; i++) {
    bool wanted = (int)i == s->raising || s->model->ir.checks[i].role == ROLE_REQUIRE;
    if (s->chooses[i]) sat_assume(s->sat, wanted ? s->chooses[i] : -s->chooses[i]);
  }
}

/* Is there a candidate in which the literal holds? */
static bool ask(struct solving *s, int literal) {
  if (literal == SAT_FALSE || must_stop(s) || gives_up(s)) return false;
  assume_chosen(s);
  sat_assume(s->sat, literal);
  enum sat_answer answer = sat_solve(s->sat, most_conflicts(s));
  s->stats->gave_up |= answer == SAT_STOPPED && !must_stop(s);
  return !gives_up(s) && answer == SAT_YES;
}

/* Executions in which the literal holds, until the sink has enough of them; did it get enough? */
static bool find_executions(struct solving *s, int literal) {
  while (ask(s, literal))
    if (look(s, false) == LOOKED_ENOUGH) return true;
  return false;
}

/* Has the model an execution in which the literal holds: that some thread was cut, or does what
 * is undefined? */
static bool probe(struct solving *s, int literal) {
  while (ask(s, literal))
    if (look(s, true) == LOOKED_FOUND) return true;
  return false;
}

static bool wants_flag(const struct solving *s, uint32_t check) {
  const struct raised_checks *raised = s->options->raised;
  return raised && raised->wanted[check] && !raised->found[check];
}

/* Executions that raise flags that are wanted, one of each. */
static void find_flags(struct solving *s) {
  for (uint32_t i = 0; i < s->model->ir.check_count; i++) {
    if (!wants_flag(s, i)) continue;
    s->raising = (int)i;
    while (!s->options->raised->found[i] && ask(s, s->asked))
      s->options->raised->found[i] = look(s, false) == LOOKED_FOUND;
    s->raising = -1;
  }
}

/* Is all of a base in a node's value, as far as unions say? */
static bool has_all_of(const struct cat_ir *ir, uint32_t node, enum cat_base base) {
  const struct cat_node *n = &ir->nodes[node];
  switch (n->op) {
    case CAT_BASE:
      return n->base == base;
    case CAT_UNION:
      return has_all_of(ir, n->a, base) || has_all_of(ir, n->b, base);
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
      return has_all_of(ir, n->a, base);
    default:
      return false;
  }
}

/* A value moves along rf, and from a read to a later write of its thread. */
bool solve_thin_air(const struct litmus_test *test, const struct cat_model *model, const bool *skip) {
  const struct cat_ir *ir = &model->ir;
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *check = &ir->checks[i];
    if (check->role == ROLE_REQUIRE && check->kind == CHECK_ACYCLIC && !check->negated && !(skip && skip[i]) &&
        has_all_of(ir, check->node, BASE_RF) && has_all_of(ir, check->node, BASE_PO))
      return false;
  }
  return test->program->free_values;
}

static bool asks_for(const struct plan *plan, enum cat_base base) {
  for (uint32_t i = 0; i < plan->ir->node_count; i++)
    if (plan->needed[i] && plan->ir->nodes[i].op == CAT_BASE && plan->ir->nodes[i].base == base) return true;
  return false;
}

static void ask_for(bool **asked, struct observable what) {
  if (what.thread >= 0) asked[what.thread][what.index] = true;
}

static void ask_for_named(bool **asked, const struct prop *prop) {
  if (!prop) return;
  if (prop->kind == PROP_COMPARE && !prop->left.constant) ask_for(asked, prop->left.what);
  if (prop->kind == PROP_COMPARE && !prop->right.constant) ask_for(asked, prop->right.what);
  for (unsigned i = 0; i < prop->addend_count; i++) ask_for(asked, prop->addends[i].what);
  ask_for_named(asked, prop->a);
  ask_for_named(asked, prop->b);
}

/* By thread and register: is something asked of its final value? */
static const bool *const *registers_asked_for(struct arena *arena, const struct litmus_test *test) {
  const struct program *program = test->program;
  bool **asked = ARENA_ARRAY(arena, bool *, program->thread_count + 1u);
  for (unsigned t = 0; t < program->thread_count; t++)
    asked[t] = ARENA_ARRAY(arena, bool, program->threads[t].reg_count + 1u);
  for (unsigned i = 0; i < test->observable_count; i++) ask_for(asked, test->observables[i]);
  ask_for_named(asked, test->condition);
  ask_for_named(asked, test->filter);
  return (const bool *const *)asked;
}

/* Without nodes yet. */
static struct tree tree_of(const struct solving *s, bool thin_air) {
  struct plan plan = plan_new(s->arena, &s->model->ir, s->options->skip, 0);
  return (struct tree){.program = s->test->program,
                       .asked = registers_asked_for(s->arena, s->test),
                       .holds = location_ranges(s->arena, s->test->program, thin_air),
                       .addr = asks_for(&plan, BASE_ADDR),
                       .data = asks_for(&plan, BASE_DATA),
                       .ctrl = asks_for(&plan, BASE_CTRL)};
}

static bool build(struct solving *s) {
  const struct enumerate_options *o = s->options;
  struct path_limits limits = {.unroll = s->few && s->few < o->unroll ? s->few : o->unroll,
                               .max_events = o->max_events ? o->max_events : MOST_THREAD_EVENTS,
                               .stops = o->stops,
                               .cut_spins = o->cut_spins,
                               .most_waits = s->few,
                               .settles = forbids_po_rf_cycles(s->arena, s->test, s->model, o),
                               .spin_folds = enumerate_spin_folds(s->arena, s->test, s->model, o)};
  double most_clauses = o->effort ? (double)o->effort * CLAUSES_OF_EFFORT : TREE_MOST_CLAUSES;
  bool thin_air = solve_thin_air(s->test, s->model, o->skip);
  s->tree = tree_of(s, thin_air);
  enum tree_end grown = tree_grow(s->arena, s->sat, &limits, most_clauses, &s->tree);
  if (grown != TREE_DONE) {
    s->stats->gave_up = grown == TREE_TOO_WIDE && o->effort;
    s->end = s->stats->gave_up ? END_STOPPED : END_EVENTS;
    return false;
  }
  unsigned choices = choice_bit(CHOICE_RF) | choice_bit(CHOICE_CO);
  s->formula = formula_new(s->arena, s->sat, s->test, &s->tree, thin_air, o->undefined_ends);
  if (s->formula->partial) choices |= choice_bit(CHOICE_FENCES);
  if (s->formula->some_stay_away) choices |= choice_bit(CHOICE_MEETINGS);
  s->plan = plan_new(s->arena, &s->model->ir, o->skip, choices);
  s->bounds = relation_bounds_new(s->arena, s->formula, &s->plan);
  s->names = closure_literals_new(s->arena, s->formula, s->bounds, &s->model->ir);
  s->axioms = axioms_new(s->arena, &(struct known_relations){s->formula, &s->plan, s->bounds, s->names});
  s->chooses = ARENA_ARRAY(s->arena, int, s->model->ir.check_count + 1);
  s->raising = -1;
  s->written = ARENA_ARRAY(s->arena, enum written, s->model->ir.check_count + 1);
  if (o->cut_spins) formula_leave_out_repeats(s->formula);
  initial_coherence_clauses_add(s->arena, s->formula, &s->plan, s->bounds, s->names, o->skip);
  return true;
}

/* ---- Symmetry --------------------------------------------------------------------------------- */

/* Is the event a thread's write to the location, and on no path after another of these? */
static bool is_first_write(const struct solving *s, unsigned thread, int location, unsigned event) {
  const struct event *events = s->bounds->all.events, *e = &events[event];
  if (e->thread != (int)thread || e->kind != EVENT_WRITE || e->location != location) return false;
  for (unsigned i = s->tree.init_count; i < s->bounds->shape.n; i++)
    if (events[i].kind == EVENT_WRITE && events[i].location == location && events[i].thread == e->thread &&
        rel_has(s->bounds->shape, s->bounds->all.po, i, event))
      return false;
  return true;
}

/* The location of the first write of a thread's tree; -1: there is none. */
static int first_location(const struct solving *s, unsigned thread) {
  const struct event *events = s->bounds->all.events;
  for (unsigned e = s->tree.init_count; e < s->bounds->shape.n; e++)
    if (events[e].thread == (int)thread && events[e].kind == EVENT_WRITE) return events[e].location;
  return -1;
}

/* The second thread writes to the location only after the first thread has. */
static void order_threads(struct solving *s, unsigned first, unsigned second, int location) {
  const struct formula *f = s->formula;
  VEC(int) some = {0};
  for (unsigned a = s->tree.init_count; a < s->bounds->shape.n; a++)
    if (is_first_write(s, first, location, a)) *vec_push(s->arena, &some) = formula_executed(f, a);
  int *also = vec_push(s->arena, &some);
  for (unsigned b = s->tree.init_count; b < s->bounds->shape.n; b++) {
    if (!is_first_write(s, second, location, b)) continue;
    *also = -formula_executed(f, b);
    sat_clause(f->sat, some.at, some.count);
    for (unsigned a = s->tree.init_count; a < s->bounds->shape.n; a++)
      if (is_first_write(s, first, location, a))
        sat_clause_3(f->sat, *also, -formula_executed(f, a), formula_order(f, a, b));
  }
}

/* Of threads that are alike, those that write to a location come first, in the order of their first writes there: any
 * execution becomes one of these by an exchange of threads (exec/search/thread_symmetry.h), and so does the question.
 * Of threads in a ring, thread 0 comes first. */
static void break_symmetry(struct solving *s) {
  const struct symmetry *symmetry = symmetry_find(s->arena, s->test);
  for (unsigned i = 0; symmetry && i < symmetry_classes(symmetry); i++) {
    unsigned count;
    const unsigned *threads = symmetry_threads(symmetry, i, &count);
    int location = first_location(s, threads[0]);
    for (unsigned k = 1; k < count && location >= 0; k++) order_threads(s, threads[k - 1], threads[k], location);
  }
  int turning = symmetry ? symmetry_turning(symmetry) : -1;
  for (unsigned t = 1; t < s->tree.program->thread_count && turning >= 0; t++) order_threads(s, 0, t, turning);
}

/* What is asked holds only where it is assumed: probes ask for something else. */
static void pose(struct solving *s) {
  struct formula *f = s->formula;
  sat_clause_2(f->sat, -s->asked, f->ended);
  if (s->test->filter) sat_clause_2(f->sat, -s->asked, formula_proposition(f, s->test->filter));
  if (s->options->stop_when_known) {
    int condition = formula_proposition(f, s->test->condition);
    s->meets = sat_variable(f->sat);
    s->violates = sat_variable(f->sat);
    sat_clause_2(f->sat, -s->meets, s->asked);
    sat_clause_2(f->sat, -s->meets, condition);
    sat_clause_2(f->sat, -s->violates, s->asked);
    sat_clause_2(f->sat, -s->violates, -condition);
  }
}

/* Does the condition hold in some execution, and in some not?  Where little effort is asked for, what settles the
 * answer is enough. */
static void find_both(struct solving *s) {
  bool by_meeting = s->test->quantifier != QUANT_FORALL || !s->options->effort;
  bool *found[] = {&s->met, &s->violated};
  for (unsigned i = 0; i < 2; i++) {
    bool meets = by_meeting == (i == 0);
    bool *known = found[!meets];
    *known = *known || find_executions(s, meets ? s->meets : s->violates);
    s->enough = *known && i == 0 && s->options->effort;
    s->stats->gave_up |= s->enough; /* on the other */
    if (s->enough) return;
  }
}

/* Another state than `values`, wherever `other` holds. */
static void leave_out_state(struct solving *s, int other, const struct bits *final, const int64_t *values) {
  unsigned count = s->test->observable_count;
  int *clause = ARENA_ARRAY(s->arena, int, count + 1);
  for (unsigned i = 0; i < count; i++) clause[i] = -bits_equal(s->sat, final[i], bits_constant(s->arena, values[i]));
  clause[count] = -other;
  sat_clause(s->sat, clause, count + 1);
}

/* Does a location begin with a value that is not known?  Then states are as many as there are values. */
static bool begins_with_any(const struct program *program) {
  for (unsigned x = 0; x < program->location_count; x++)
    if (program->locations[x].any) return true;
  return false;
}

/* Executions that show other states than those that are known, one of each; have all been found? */
static bool find_states(struct solving *s) {
  if (begins_with_any(s->test->program)) return false;
  struct bits *final = ARENA_ARRAY(s->arena, struct bits, s->test->observable_count + 1);
  for (unsigned i = 0; i < s->test->observable_count; i++)
    final[i] = formula_final(s->formula, s->test->observables[i]);
  int other = sat_variable(s->sat);
  sat_clause_2(s->sat, -other, s->asked);
  double work = 0;
  for (size_t known = 0; s->states.count < s->options->most_states && work < WORK_OF_STATES && !must_stop(s);) {
    while (known < s->states.count) leave_out_state(s, other, final, s->states.at[known++]);
    assume_chosen(s);
    sat_assume(s->sat, other);
    enum sat_answer answer = sat_solve(s->sat, CONFLICTS_OF_STATES);
    if (answer != SAT_YES) return answer == SAT_NO;
    s->listed++;
    look(s, false);
    work += (double)s->stats->events * (double)s->stats->events * (double)known;
  }
  return false;
}

/* In half of the time that is left: the answer is known by now, and stays when time runs out. */
static bool list_states(struct solving *s) {
  double deadline = s->deadline, now = monotonic_seconds();
  if (deadline > 0) s->deadline = now + (deadline - now) / 2;
  s->lists = true;
  bool all = find_states(s);
  s->lists = false;
  if (s->end == END_TIMEOUT) s->end = END_DONE;
  s->deadline = deadline;
  return all;
}

static void find_ends(struct solving *s) {
  pose(s);
  find_flags(s);
  if (s->options->stop_when_known)
    find_both(s);
  else
    s->enough = find_executions(s, s->asked);
  if (!s->enough && s->last) {
    s->stats->cut = probe(s, s->formula->cut);
    s->stats->undefined |= probe(s, s->formula->undefined);
  }
  if (s->options->most_states && s->end == END_DONE) s->stats->all_states = list_states(s) && s->last;
}

static void find_stops(struct solving *s) {
  formula_require_stop(s->formula, s->asked);
  s->enough = find_executions(s, s->asked);
  if (!s->stats->consistent && s->last) s->stats->cut = probe(s, formula_cut_busy(s->formula));
}

static void run(void *context) {
  struct solving *s = context;
  if (!build(s)) return;
  s->last |= s->formula->cut == SAT_FALSE;
  break_symmetry(s);
  s->asked = sat_variable(s->sat);
  for (uint32_t i = 0; i < s->model->ir.check_count; i++)
    if (wants_flag(s, i) || (is_asked(s, i) && asks_for_some(&s->model->ir.checks[i]))) want_some(s, i);
  if (s->options->stops)
    find_stops(s);
  else
    find_ends(s);
}

/* Asks about all executions in which loops go round so often; 0: as often as is asked for. */
static void solve_bounded(struct solving *s, unsigned few) {
  s->arena = arena_new();
  s->few = few;
  s->last = !few;
  s->wanted.at = NULL;
  s->wanted.count = s->wanted.room = 0;
  s->sat = sat_new(must_stop, s, false);
  bool complete = guard_run(run, s);
  sat_free(s->sat);
  arena_free(s->arena);
  if (!complete && s->end == END_DONE) guard_out_of_memory();
}

/* A state that has been found before. */
static void know(struct solving *s, const int64_t *values) {
  struct shown_state state = {s->test->observables, s->test->observable_count, values};
  bool meets = shown_meets(&state, s->test->condition);
  *vec_push(s->whole, &s->states) = values;
  s->met |= meets;
  s->violated |= !meets;
}

enum enumerate_end solve(const struct litmus_test *test, const struct cat_model *model,
                         const struct enumerate_options *options, const struct enumerate_sink *sink,
                         struct enumerate_stats *stats) {
  *stats = (struct enumerate_stats){0};
  struct solving s = {.test = test,
                      .model = enumerate_model(test, model),
                      .options = options,
                      .sink = sink,
                      .stats = stats,
                      .deadline = deadline_in(options->timeout),
                      .whole = arena_new()};
  for (size_t i = 0; i < options->told_count; i++) know(&s, options->told[i]);
  if (options->cut_spins || options->unroll > FEW_ROUNDS) solve_bounded(&s, FEW_ROUNDS);
  if (s.end == END_DONE && !s.last && !s.enough) solve_bounded(&s, 0);
  arena_free(s.whole);
  if (s.end == END_TIMEOUT || s.end == END_MEMORY || s.end == END_CANCELLED) guard_note_limit();
  return s.end;
}
