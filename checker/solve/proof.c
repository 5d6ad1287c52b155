/* SPDX-License-Identifier: MIT */
/* Each question has a solver of its own; lemmas go from one to the next, since nodes, sources and orders have the same
 * variables in all of them. */
#include "checker/solve/proof.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/limit.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/exec/search/barrier_passing.h"
#include "checker/exec/search/work_sharing.h"
#include "checker/solve/certificate_formula.h"
#include "checker/solve/conflict_clauses.h"
#include "checker/solve/solve.h"

enum { MOST_EVENTS_CERTIFIED = 128, MOST_REASONS = 8 };

enum meaning_kind { MEANS_NODE, MEANS_READS, MEANS_BEFORE };

/* What a variable says of nodes and events. */
struct meaning {
  bool known;
  enum meaning_kind kind;
  unsigned a, b;
};

/* Literals that no execution has together; of a pair that a flag asks for: those with which it is not there; `held`:
 * of leaves at which some thread stays at a control barrier. */
struct lemma {
  struct arena *arena;
  VEC(int) literals;
  bool held, apart;
  unsigned a, b;
};

struct proving {
  struct arena *arena, *kept; /* of one question; of all */
  FILE *out;
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct enumerate_options *options;
  struct proof *proof;
  double deadline;
  enum enumerate_end end;
  VEC(struct lemma) lemmas;
  size_t known;      /* of these, before the candidate at hand */
  bool *goes_around; /* by check: whether a pair is there depends on pairs that are not */
  /* of one question */
  enum certificate_question question;
  uint32_t check;
  bool shown;
  struct sat *sat;
  struct tree tree;
  struct certificate_formula *certified;
  struct plan plan;
  struct relation_bounds *bounds;
  struct meaning *meaning;
  int variables;
  const struct candidate_events *c;
};

static bool must_stop(void *context) {
  struct proving *p = context;
  return enumerate_limit(p->options, p->deadline, arena_size(p->arena) + arena_size(p->kept) + sat_size(p->sat),
                         &p->end);
}

/* ---- Lemmas ---------------------------------------------------------------------------------------- */

static void note_meanings(struct proving *p) {
  const struct formula *f = p->certified->formula;
  unsigned count = (unsigned)p->tree.events.count;
  p->variables = sat_variable(p->sat);
  p->meaning = ARENA_ARRAY(p->arena, struct meaning, (size_t)p->variables + 1);
  for (unsigned n = 0; n < p->tree.nodes.count; n++) p->meaning[f->taken[n]] = (struct meaning){true, MEANS_NODE, n, 0};
  for (size_t i = 0; i < f->sources.count; i++)
    p->meaning[f->sources.at[i].literal] =
        (struct meaning){true, MEANS_READS, f->sources.at[i].write, f->sources.at[i].read};
  for (unsigned a = p->tree.init_count; a < count; a++)
    for (unsigned b = a + 1; b < count; b++) {
      int order = formula_order(f, a, b);
      if (order) p->meaning[order] = (struct meaning){true, MEANS_BEFORE, a, b};
    }
}

static void add_literal(struct lemma *lemma, int literal) {
  if (literal == SAT_TRUE) return;
  for (size_t i = 0; i < lemma->literals.count; i++)
    if (lemma->literals.at[i] == literal) return;
  *vec_push(lemma->arena, &lemma->literals) = literal;
}

static void add_node_of(const struct proving *p, struct lemma *lemma, unsigned event) {
  add_literal(lemma, formula_executed(p->certified->formula, event));
}

/* What a read sees, in place of what it does not. */
static void add_source(const struct proving *p, struct lemma *lemma, unsigned read) {
  const struct formula *f = p->certified->formula;
  for (unsigned i = f->first_source[read]; i < f->first_source[read + 1]; i++)
    if (sat_holds(p->sat, f->sources.at[i].literal)) {
      add_literal(lemma, f->sources.at[i].literal);
      add_node_of(p, lemma, f->sources.at[i].write);
    }
}

static void add_leaves(const struct proving *p, struct lemma *lemma) {
  for (unsigned t = 0; t < p->tree.program->thread_count; t++)
    add_literal(lemma, p->certified->formula->taken[p->c->leaf[t]]);
}

/* Literals of a reason, with the nodes that bring their events. */
static void add_reason(const struct proving *p, struct lemma *lemma, const struct literals *reason) {
  for (size_t i = 0; i < reason->list.count; i++) {
    int literal = reason->list.at[i];
    const struct meaning *m = &p->meaning[literal < 0 ? -literal : literal];
    if (!m->known) continue; /* a pair that is wanted: the lemma says so itself */
    if (m->kind != MEANS_NODE) add_node_of(p, lemma, m->b);
    if (m->kind == MEANS_BEFORE) add_node_of(p, lemma, m->a);
    if (m->kind == MEANS_READS && literal < 0) {
      add_source(p, lemma, m->b);
      continue;
    }
    if (m->kind == MEANS_READS) add_node_of(p, lemma, m->a);
    add_literal(lemma, literal);
  }
}

static int compare_literals(const void *a, const void *b) {
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Is the last lemma one that the same candidate has given before? */
static bool is_known(const struct proving *p) {
  const struct lemma *last = &p->lemmas.at[p->lemmas.count - 1];
  size_t count = last->literals.count;
  for (size_t i = p->known; i + 1 < p->lemmas.count; i++) {
    const struct lemma *other = &p->lemmas.at[i];
    if (!other->apart && other->literals.count == count &&
        !memcmp(other->literals.at, last->literals.at, count * sizeof *last->literals.at))
      return true;
  }
  return false;
}

static void add_clause(struct proving *p, const struct lemma *lemma) {
  size_t count = lemma->literals.count;
  int *clause = ARENA_ARRAY(p->arena, int, count + 1);
  for (size_t i = 0; i < count; i++) clause[i] = -lemma->literals.at[i];
  if (lemma->apart) clause[count] = -p->certified->wanted[lemma->a][lemma->b];
  sat_clause(p->sat, clause, count + lemma->apart);
}

static void learn(void *context, const struct literals *literals) {
  struct proving *p = context;
  struct lemma *lemma = vec_push(p->kept, &p->lemmas);
  *lemma = (struct lemma){.arena = p->kept};
  add_reason(p, lemma, literals);
  if (p->goes_around[p->check]) add_leaves(p, lemma);
  qsort(lemma->literals.at, lemma->literals.count, sizeof *lemma->literals.at, compare_literals);
  if (is_known(p))
    p->lemmas.count--;
  else
    add_clause(p, lemma);
}

/* ---- Judging ------------------------------------------------------------------------------------------ */

static void learn_all_sources(struct proving *p) {
  struct lemma *lemma = vec_push(p->kept, &p->lemmas);
  *lemma = (struct lemma){.arena = p->kept};
  add_leaves(p, lemma);
  for (unsigned e = p->c->structure->init_count; e < p->c->execution->shape.n; e++)
    if (p->c->execution->events[e].kind == EVENT_READ) add_source(p, lemma, p->c->number[e]);
  add_clause(p, lemma);
}

/* Does some thread stay at a control barrier? */
static bool is_held_back(struct proving *p, struct arena *arena) {
  unsigned threads = p->tree.program->thread_count;
  unsigned *at = ARENA_ARRAY(arena, unsigned, threads + 1);
  bool *matters = ARENA_ARRAY(arena, bool, threads + 1);
  if (!barriers_hold_back(p->c->structure, at, matters)) return false;
  struct lemma *lemma = vec_push(p->kept, &p->lemmas);
  *lemma = (struct lemma){.arena = p->kept, .held = true};
  add_leaves(p, lemma);
  add_clause(p, lemma);
  return true;
}

/* The pairs that were chosen and are not there; whether there are any. */
static bool refute_wanted(struct proving *p, struct reasoner *r, const struct valuation *v, struct arena *arena) {
  uint32_t node = p->model->ir.checks[p->check].node;
  bool set = p->model->ir.nodes[node].type == CAT_SET, some = false;
  for (unsigned a = 0; a < v->shape.n; a++)
    for (unsigned b = 0; b < v->shape.n; b++) {
      unsigned x = p->c->number[a], y = p->c->number[b];
      int wanted = p->certified->wanted[x][y];
      if (!wanted || !sat_holds(p->sat, wanted)) continue;
      if (set ? set_has(v->value[node], a) : rel_has(v->shape, v->value[node], a, b)) return false;
      struct literals out = {.arena = arena};
      reason_out(r, node, a, b, &out);
      struct lemma *lemma = vec_push(p->kept, &p->lemmas);
      *lemma = (struct lemma){.arena = p->kept, .apart = true, .a = x, .b = y};
      add_reason(p, lemma, &out);
      add_node_of(p, lemma, x);
      add_node_of(p, lemma, y);
      if (p->goes_around[p->check]) add_leaves(p, lemma);
      add_clause(p, lemma);
      some = true;
    }
  return some;
}

/* Learns why the solver's answer is no execution, or none that is asked for; false: it is one. */
static bool reject(struct proving *p, struct arena *arena, struct candidate_events *c) {
  if (is_held_back(p, arena)) return true;
  bool complete = candidate_complete(arena, p->certified->formula, c), fails = false;
  const struct valuation *v = evaluate(arena, &p->model->ir, c->execution);
  struct reasoner *r =
      reasoner_new(arena, &(struct known_relations){p->certified->formula, &p->plan, p->bounds, NULL}, c, v);
  uint32_t asked = p->check;
  for (uint32_t i = 0; i < p->model->ir.check_count; i++) {
    const struct cat_check *check = &p->model->ir.checks[i];
    if (check->role != ROLE_REQUIRE || valuation_meets(v, check)) continue;
    p->check = i;
    reason_check(r, check, MOST_REASONS, learn, p);
    fails = true;
  }
  p->check = asked;
  if (fails) return true;
  if (!complete) {
    learn_all_sources(p);
    return true;
  }
  return p->question == CERTIFICATE_RAISES && refute_wanted(p, r, v, arena);
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static void write_given(const struct proving *p, const int *literals, size_t count) {
  bool nodes = false;
  for (size_t i = 0; i < count; i++) {
    const struct meaning *m = &p->meaning[literals[i] < 0 ? -literals[i] : literals[i]];
    if (m->kind != MEANS_NODE) continue;
    fprintf(p->out, "%s %u", nodes ? "" : " (node", m->a);
    nodes = true;
  }
  if (nodes) fputc(')', p->out);
  for (size_t i = 0; i < count; i++) {
    const struct meaning *m = &p->meaning[literals[i] < 0 ? -literals[i] : literals[i]];
    bool back = literals[i] < 0;
    if (m->kind == MEANS_READS) fprintf(p->out, " (reads %u %u)", m->a, m->b);
    if (m->kind == MEANS_BEFORE) fprintf(p->out, " (before %u %u)", back ? m->b : m->a, back ? m->a : m->b);
  }
}

static void write_shown(struct proving *p) {
  struct lemma all = {.arena = p->arena};
  add_leaves(p, &all);
  for (int i = 1; i <= p->variables; i++) {
    const struct meaning *m = &p->meaning[i];
    const struct formula *f = p->certified->formula;
    if (!m->known || m->kind == MEANS_NODE) continue;
    if (!sat_holds(p->sat, formula_executed(f, m->a)) || !sat_holds(p->sat, formula_executed(f, m->b))) continue;
    if (m->kind == MEANS_BEFORE || sat_holds(p->sat, i)) add_literal(&all, sat_holds(p->sat, i) ? i : -i);
  }
  fputs("\n (shown", p->out);
  write_given(p, all.literals.at, all.literals.count);
  fputc(')', p->out);
}

static void write_alike(const struct proving *p) {
  unsigned threads = p->tree.program->thread_count;
  for (unsigned i = 0; i < p->certified->symmetric_count; i++) {
    if (!i || p->certified->symmetric[i - 1] == threads) fputs("\n  (alike", p->out);
    if (p->certified->symmetric[i] == threads)
      fputc(')', p->out);
    else
      fprintf(p->out, " %u", p->certified->symmetric[i]);
  }
}

static void write_none(const struct proving *p) {
  static const char *const QUESTIONS[] = {"meets", "violates"};
  size_t count;
  const int *proof = sat_proof(p->sat, &count);
  fputs("\n (none ", p->out);
  if (p->question == CERTIFICATE_RAISES)
    fprintf(p->out, "%u", (unsigned)p->check);
  else
    fputs(QUESTIONS[p->question], p->out);
  write_alike(p);
  ARRAY_EACH (const struct lemma, lemma, p->lemmas.at, p->lemmas.count) {
    if (lemma->apart)
      fprintf(p->out, "\n  (apart %u %u", lemma->a, lemma->b);
    else
      fputs(lemma->held ? "\n  (held" : "\n  (lemma", p->out);
    write_given(p, lemma->literals.at, lemma->literals.count);
    fputc(')', p->out);
  }
  for (size_t i = 0; i < count;) {
    fputs("\n  (clause", p->out);
    for (; proof[i]; i++) fprintf(p->out, " %d", certificate_number(proof[i]));
    i++;
    fputc(')', p->out);
  }
  fputc(')', p->out);
}

/* ---- Questions --------------------------------------------------------------------------------------------- */

static bool too_many_events(const struct tree *tree) {
  unsigned sum = tree->init_count;
  for (unsigned t = 0; t < tree->program->thread_count; t++) {
    unsigned most = 0;
    for (size_t n = 0; n < tree->nodes.count; n++)
      if (tree->nodes.at[n].thread == t && tree->nodes.at[n].path->event_count > most)
        most = tree->nodes.at[n].path->event_count;
    sum += most;
  }
  return sum > MOST_EVENTS_CERTIFIED;
}

/* Pairs that events alone keep out of the relation. */
static void keep_out(struct proving *p) {
  uint32_t node = p->model->ir.checks[p->check].node;
  for (unsigned a = 0; a < p->tree.events.count; a++)
    for (unsigned b = 0; b < p->tree.events.count; b++) {
      int wanted = p->certified->wanted[a][b];
      bool may = bound_has(p->bounds, p->bounds->upper, &p->model->ir, node, a, b);
      if (wanted && !may) sat_clause(p->sat, (const int[]){-wanted}, 1);
    }
}

static bool build(struct proving *p) {
  const struct path_limits limits = {.unroll = p->options->unroll, .max_events = MOST_EVENTS_CERTIFIED, .forks = true};
  const struct cat_check *check = &p->model->ir.checks[p->check];
  bool raises = p->question == CERTIFICATE_RAISES;
  p->tree = (struct tree){.program = p->test->program};
  enum tree_end grown = tree_grow(p->arena, p->sat, &limits, TREE_MOST_CLAUSES, &p->tree);
  if (grown != TREE_DONE || too_many_events(&p->tree)) {
    p->proof->lacks = grown == TREE_TOO_WIDE ? "so many paths" : "more than 128 events";
    return false;
  }
  struct certificate_asked asked = {.question = p->question,
                                    .set = raises && p->model->ir.nodes[check->node].type == CAT_SET,
                                    .diagonal = raises && check->kind == CHECK_IRREFLEXIVE,
                                    .thin_air = solve_thin_air(p->test, p->model, NULL)};
  p->certified = certificate_formula_new(p->arena, p->sat, p->test, &p->tree, &asked, &p->proof->lacks);
  if (!p->certified) return false;
  note_meanings(p);
  p->plan = plan_new(p->arena, &p->model->ir, NULL, choice_bit(CHOICE_RF) | choice_bit(CHOICE_CO));
  p->bounds = relation_bounds_new(p->arena, p->certified->formula, &p->plan);
  if (p->question == CERTIFICATE_RAISES) keep_out(p);
  size_t kept = 0;
  for (size_t i = 0; i < p->lemmas.count; i++) /* the others are of another flag */
    if (!p->lemmas.at[i].apart) p->lemmas.at[kept++] = p->lemmas.at[i];
  p->lemmas.count = kept;
  for (size_t i = 0; i < p->lemmas.count; i++) add_clause(p, &p->lemmas.at[i]);
  return true;
}

static void run(void *context) {
  struct proving *p = context;
  if (!build(p)) return;
  while (!p->shown && !must_stop(p) && sat_solve(p->sat, 0) == SAT_YES) {
    struct arena *arena = arena_new();
    struct candidate_events *c = candidate_read(arena, p->certified->formula);
    p->c = c;
    p->known = p->lemmas.count;
    p->shown = !reject(p, arena, c);
    if (p->shown) write_shown(p);
    arena_free(arena);
  }
  if (!p->shown && !must_stop(p)) write_none(p);
}

/* Is there an execution that answers the question? */
static bool ask(struct proving *p, enum certificate_question question, uint32_t check) {
  if (p->proof->lacks || p->end != END_DONE) return false;
  p->question = question;
  p->check = check;
  p->shown = false;
  p->arena = arena_new();
  p->sat = sat_new(must_stop, p, true);
  bool complete = guard_run(run, p);
  sat_free(p->sat);
  arena_free(p->arena);
  if (!complete && p->end == END_DONE) {
    arena_free(p->kept);
    guard_out_of_memory();
  }
  return p->shown;
}

/* Does a node's value depend on what is not there, beyond what two events decide? */
static bool goes_around(const struct cat_ir *ir, const bool *local, uint32_t node, bool *seen) {
  const struct cat_node *n = &ir->nodes[node];
  if (seen[node]) return false;
  seen[node] = true;
  if ((n->op == CAT_COMPL && !local[n->a]) || (n->op == CAT_DIFF && !local[n->b])) return true;
  bool around = cat_operand_count(n->op) > 0 && goes_around(ir, local, n->a, seen);
  return around || (cat_operand_count(n->op) > 1 && goes_around(ir, local, n->b, seen));
}

/* The same of a pair that is not there, whose reason may say why another is. */
static bool lack_goes_around(const struct cat_ir *ir, const bool *local, uint32_t node, bool *seen) {
  const struct cat_node *n = &ir->nodes[node];
  switch (n->op) {
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
      return lack_goes_around(ir, local, n->a, seen) || lack_goes_around(ir, local, n->b, seen);
    case CAT_COMPL:
    case CAT_INVERSE:
      return lack_goes_around(ir, local, n->a, seen);
    default:
      return goes_around(ir, local, node, seen);
  }
}

static void find_around(struct proving *p, struct arena *arena) {
  const struct cat_ir *ir = &p->model->ir;
  struct plan plan = plan_new(arena, ir, NULL, choice_bit(CHOICE_RF) | choice_bit(CHOICE_CO));
  bool *local = ARENA_ARRAY(arena, bool, ir->node_count);
  plan_find_local(&plan, true, local);
  p->goes_around = ARENA_ARRAY(arena, bool, ir->check_count + 1);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    bool *seen = ARENA_ARRAY(arena, bool, ir->node_count);
    uint32_t node = ir->checks[i].node;
    p->goes_around[i] = ir->checks[i].role != ROLE_REQUIRE
                            ? lack_goes_around(ir, local, node, seen)
                            : ir->checks[i].negated || goes_around(ir, local, node, seen);
  }
}

/* Only pairs (or events) that are there raise it. */
static bool asks_for_pair(const struct cat_check *check) {
  return check->kind != CHECK_ACYCLIC && (check->role == ROLE_FLAG) == check->negated;
}

enum enumerate_end proof_write(FILE *out, const struct litmus_test *test, const struct cat_model *model,
                               const struct enumerate_options *options, struct arena *arena, struct proof *proof) {
  struct proving p = {.kept = arena_new(),
                      .out = out,
                      .test = test,
                      .model = enumerate_model(test, model),
                      .options = options,
                      .proof = proof,
                      .deadline = deadline_in(options->timeout)};
  const struct cat_ir *ir = &p.model->ir;
  bool *raised = ARENA_ARRAY(arena, bool, ir->check_count + 1);
  *proof = (struct proof){.lacks = certificate_formula_refusal(test, p.model), .raised = raised};
  for (uint32_t i = 0; i < ir->check_count && !proof->lacks; i++)
    if (ir->checks[i].role != ROLE_REQUIRE && !asks_for_pair(&ir->checks[i]))
      proof->lacks = "flags that the lack of something raises";
  find_around(&p, p.kept);
  fputs("(solved", out);
  proof->met = ask(&p, CERTIFICATE_MEETS, 0);
  proof->violated = ask(&p, CERTIFICATE_VIOLATES, 0);
  for (uint32_t i = 0; i < ir->check_count; i++)
    if (ir->checks[i].role != ROLE_REQUIRE) raised[i] = ask(&p, CERTIFICATE_RAISES, i);
  fputs(")\n", out);
  arena_free(p.kept);
  if (p.end != END_DONE) guard_note_limit();
  return p.end;
}
