/* SPDX-License-Identifier: MIT */
/* Groups of minimal programs. The rule is found on an execution of one model that shows the difference: the check that
 * it fails under the other, or the flag of undefined behaviour that it raises. */
#include "checker/program_search/diff_groups.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/cat/node_operators.h"
#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/exec/predefined_relations.h"
#include "checker/explain/explain_failed_check.h"
#include "checker/small_programs/small_program_text.h"
#include "checker/verdict/verdict.h"

/* ---- the rule ---- */

/* Executions that are looked at: of several rules, the first by name is taken, so that it does not depend on the
 * search.
 */
enum { MOST_LOOKED_AT = 200, MOST_WORK = 1 << 24, MOST_PREFIXES = 20000 };

struct rule_search {
  struct arena *arena;
  const struct litmus_test *test;
  const struct judge_model *strict, *other; /* it is the other's execution */
  const int64_t *outcome;                   /* that it shows; NULL: it is undefined */
  const char *rule;                         /* NULL: none yet */
  unsigned looked_at;
};

static void note_rule(struct rule_search *s, const char *rule) {
  if (!s->rule || strcmp(rule, s->rule) < 0) s->rule = arena_strdup(s->arena, rule);
}

static bool is_skipped(const struct judge_model *model, uint32_t check) {
  return model->skip && model->skip[check];
}

/* An execution in the hands of a model that chooses. */
struct in_hand {
  const struct judge_model *model;
  const struct execution *x;
  struct arena *scratch;
};

static const word *base_of(void *context, const struct cat_node *node) {
  struct in_hand *i = context;
  return execution_node(i->scratch, i->x, node);
}

static bool skips(void *context, const char *name) {
  const struct judge_model *model = ((struct in_hand *)context)->model;
  const struct cat_ir *ir = &model->model->ir;
  for (uint32_t i = 0; i < ir->check_count; i++)
    if (is_skipped(model, i) && !strcmp(ir->checks[i].name, name)) return true;
  return false;
}

/* The first axiom that fails, of what is chosen first where several choices do; NULL: the model accepts it, or its
 * graph tells more. */
static const char *axiom_of(const struct judge_model *model, const struct execution *x) {
  if (model->model->judge) return model->model->judge->failed(model->model, x, model->skip);
  if (!model->model->ir.dynamic) return NULL;
  struct in_hand in_hand = {model, x, arena_new()};
  struct cat_env env = {.shape = x->shape, .base = base_of, .skip = skips, .context = &in_hand};
  const char *failed = NULL;
  if (cat_interpret(model->model, &env, in_hand.scratch, NULL, NULL, &failed)) failed = NULL;
  arena_free(in_hand.scratch);
  return failed;
}

/* The axioms of the stricter model that the execution fails. */
static void note_failed(struct rule_search *s, const struct execution *x) {
  const struct cat_model *model = s->strict->model;
  const struct cat_ir *ir = &model->ir;
  const char *axiom = axiom_of(s->strict, x);
  if (axiom) note_rule(s, arena_printf(s->arena, "%s of %s", axiom, s->strict->name));
  if (ir->dynamic || model->judge) return;
  struct arena *scratch = arena_new();
  const struct valuation *v = evaluate(scratch, ir, x);
  word *row = ARENA_ARRAY(scratch, word, x->shape.w);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *check = &ir->checks[i];
    bool required = check->role == ROLE_REQUIRE && !is_skipped(s->strict, i);
    if (!required ||
        node_check(x->shape, check->kind, ir->nodes[check->node].type, v->value[check->node], row) != check->negated)
      continue;
    const char *relations = check->negated ? "" : explanation_relations(scratch, explain(scratch, v, x, check), x);
    note_rule(s, arena_printf(scratch, "%s of %s%s%s%s", check->name, s->strict->name, *relations ? " (" : "",
                              relations, *relations ? ")" : ""));
  }
  arena_free(scratch);
}

/* The flags of undefined behaviour that it raises. */
static void note_raised(struct rule_search *s, const struct candidate *found) {
  const struct cat_ir *ir = &s->other->model->ir;
  for (uint32_t i = 0; found->raised && i < ir->check_count; i++)
    if (found->raised[i / 64] >> (i % 64) & 1 && check_means_undefined(&ir->checks[i], NULL))
      note_rule(s, arena_printf(s->arena, "%s of %s", ir->checks[i].name, s->other->name));
  for (unsigned i = 0; i < found->raised_name_count; i++)
    if (found->raised_undefined[i] || flag_means_undefined(found->raised_names[i]))
      note_rule(s, arena_printf(s->arena, "%s of %s", found->raised_names[i], s->other->name));
}

static bool shows(const struct rule_search *s, const struct execution *x) {
  for (unsigned i = 0; s->outcome && i < s->test->observable_count; i++)
    if (execution_value(x, s->test->observables[i]) != s->outcome[i]) return false;
  return true;
}

static bool take(void *context, const struct candidate *found) {
  struct rule_search *s = context;
  if (s->test->filter && !execution_meets(found->execution, s->test->filter)) return true;
  if (!shows(s, found->execution)) return true;
  if (s->outcome)
    note_failed(s, found->execution);
  else
    note_raised(s, found);
  return ++s->looked_at < MOST_LOOKED_AT;
}

static bool pass(void *context, const struct candidate *candidate, const struct cat_check *check) {
  (void)context;
  (void)candidate;
  (void)check;
  return true;
}

/* "": no whole execution was found that shows it. */
static const char *rule_of(struct arena *arena, const struct litmus_test *test, enum diff_class class,
                           const struct judge_model *a, const struct judge_model *b,
                           const struct enumerate_options *limits) {
  struct judgement x, y;
  bool a_shows = class == CLASS_A_MORE || class == CLASS_NEITHER || class == CLASS_ONLY_A_UNDEFINED;
  struct rule_search s = {.arena = arena, .test = test, .strict = a_shows ? b : a, .other = a_shows ? a : b};
  if (class >= CLASS_A_MORE) {
    judge_program(s.other, test, limits, arena, &x);
    judge_program(s.strict, test, limits, arena, &y);
    s.outcome = judge_difference(&x, &y);
  }
  struct enumerate_options own = *limits;
  struct enumerate_sink sink = {.context = &s, .consistent = take, .rejected = pass};
  struct enumerate_stats stats;
  own.skip = s.other->skip;
  own.keep_rejected = true; /* whole executions, also of orders at which this model does not look */
  own.workers = 1;
  own.most_work = MOST_WORK;
  own.effort = MOST_PREFIXES;
  enumerate(test, s.other->model, &own, &sink, &stats);
  return s.rule ? s.rule : "";
}

/* ---- groups ---- */

/* `Wx Uy@surface|Ry ! Rx sc 0,1`: all but scopes, orders, values and places. */
static const char *form_of(struct arena *arena, const struct small_program *p) {
  struct text text = text_new();
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      const char *proxy, *guard = op->guard ? "! " : "", *depends = op->dependency ? "^" : "";
      int length = small_words_of(op, &proxy);
      fprintf(text.out, "%s%s%s%c%s", i ? " " : t ? "|" : "", guard, depends, op->kind, small_location_of(op));
      if (proxy) fprintf(text.out, "%.*s", op->word_length - length, op->words + length);
      if (small_is_access(op)) fprintf(text.out, "%u", p->class[op->location]);
    }
  return text_keep(&text, arena);
}

static size_t group_of(const struct diff_result *result, const char *const *forms, size_t program) {
  const struct diff_minimal *at = &result->minimal[program];
  for (size_t i = 0; i < program; i++) {
    const struct diff_minimal *other = &result->minimal[i];
    if (other->group == i && other->class == at->class && !strcmp(other->rule, at->rule) &&
        !strcmp(forms[i], forms[program]))
      return i;
  }
  return program;
}

void diff_group(struct arena *arena, struct diff_result *result, const struct judge_model *a,
                const struct judge_model *b, const struct enumerate_options *limits) {
  const char **forms = ARENA_ARRAY(arena, const char *, result->minimal_count);
  for (size_t i = 0; i < result->minimal_count; i++) {
    struct diff_minimal *at = &result->minimal[i];
    struct arena *scratch = arena_new();
    at->rule = arena_strdup(arena, rule_of(scratch, small_test(scratch, &at->program), at->class, a, b, limits));
    arena_free(scratch);
    forms[i] = form_of(arena, &at->program);
    at->group = group_of(result, forms, i);
    result->minimal[at->group].group_size++;
  }
}

size_t diff_group_count(const struct diff_result *result) {
  size_t count = 0;
  for (size_t i = 0; i < result->minimal_count; i++) count += result->minimal[i].group == i;
  return count;
}
