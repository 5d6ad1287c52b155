/* SPDX-License-Identifier: MIT */
/* Explanations collected over all candidates, equal ones told once. */
#include "checker/explain/why_forbidden.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/exec/predefined_relations.h"
#include "checker/explain/explain_failed_check.h"
#include "checker/explain/missing_synchronization.h"
#include "checker/explain/why_undefined.h"

enum { TOLD = 12, TOLD_TRIVIAL = 3, REJECTED_LIMIT = 5000, WORK_LIMIT = 36000000, RAISED_LIMIT = 2000 };

/* One explanation with the number of executions that it holds for. */
struct reason {
  const char *heading; /* the axiom */
  const char *text;
  uint64_t count;
  uint64_t last; /* candidate that it was told of */
  unsigned rank; /* of a pair, how much it says */
  bool trivial;  /* of candidates that make no sense at a single location */
};

struct collection {
  struct arena *arena;
  const struct litmus_test *test;
  const struct cat_model *model;
  const bool *skip;
  struct {
    struct reason *at;
    size_t count, room;
  } reasons;
  uint64_t looked_at, limit;
  uint64_t candidate; /* number of the one that is being told of */
  uint64_t spent;     /* of WORK_LIMIT */
  bool settled;       /* the verdict has counted only what settles it: no more than that is looked at */
  bool cut;
};

/* Pairs of one candidate that read the same are one reason. */
static void tell_ranked(struct collection *c, const char *heading, const char *text, bool trivial, unsigned rank) {
  ARRAY_EACH (struct reason, reason, c->reasons.at, c->reasons.count) {
    if (reason->trivial != trivial || strcmp(reason->heading, heading) != 0 || strcmp(reason->text, text) != 0)
      continue;
    reason->count += reason->last != c->candidate;
    reason->last = c->candidate;
    return;
  }
  struct reason *reason = vec_push(c->arena, &c->reasons);
  *reason =
      (struct reason){arena_strdup(c->arena, heading), arena_strdup(c->arena, text), 1, c->candidate, rank, trivial};
}

static void tell(struct collection *c, const char *heading, const char *text, bool trivial) {
  tell_ranked(c, heading, text, trivial, 0);
}

static const char *heading_of(struct arena *arena, const struct cat_check *check) {
  const char *statement = check_statement(arena, check);
  return arena_printf(arena, "%s (%s)", check->name, statement);
}

/* ---- pairs and circles of events ---- */

/* A pair of events as one line, the earlier first. */
static void print_pair(const struct execution *x, unsigned a, unsigned b, FILE *out) {
  fputs("    ", out);
  event_print_placed(x->program, &x->events[a < b ? a : b], out);
  if (a != b) {
    fputs(" and ", out);
    event_print_placed(x->program, &x->events[a < b ? b : a], out);
  }
  fputc('\n', out);
}

static void print_missing(const struct collection *c, const struct execution *x, unsigned a, unsigned b, FILE *out) {
  struct arena *scratch = arena_new();
  const char *missing =
      missing_between(scratch, x, a < b ? a : b, a < b ? b : a, c->test->language == LANG_VULKAN).text;
  if (missing) fprintf(out, "      %s\n", missing);
  arena_free(scratch);
}

/* Every pair (or event) that makes a check fail is a reason of its own. */
static void tell_members(struct collection *c, const struct execution *x, const word *value, bool set,
                         const char *heading) {
  struct shape s = x->shape;
  for (unsigned a = 0; a < s.n; a++)
    for (unsigned b = set ? a : 0; b < (set ? a + 1 : s.n); b++) {
      if (set ? !set_has(value, a) : !rel_has(s, value, a, b)) continue;
      if (!set && b < a && rel_has(s, value, b, a)) continue; /* told as (b, a) */
      struct text text = text_new();
      print_pair(x, a, b, text.out);
      if (c->test->kernel && a != b) print_missing(c, x, a, b, text.out);
      text_end(&text);
      tell_ranked(c, heading, text.at, false, undefined_rank(&x->events[a], &x->events[b]));
      text_free(&text);
    }
}

/* The events that a relation leads back to themselves: in one step, or `closed`
 * in any number. */
static void tell_circle(struct collection *c, const struct execution *x, const word *value, bool closed,
                        const char *heading) {
  struct shape s = x->shape;
  struct arena *scratch = arena_new();
  word *relation = ARENA_COPY(scratch, word, value, rel_words(s));
  if (closed) rel_close(s, relation);
  struct text text = text_new();
  for (unsigned a = 0; a < s.n; a++)
    if (rel_has(s, relation, a, a)) print_pair(x, a, a, text.out);
  tell(c, heading, text_keep(&text, scratch), explain_is_trivial(scratch, x));
  arena_free(scratch);
}

/* ---- rejected candidates ---- */

static void tell_check(struct collection *c, const struct execution *x, const struct cat_check *check) {
  struct arena *scratch = arena_new();
  const struct valuation *v = evaluate(scratch, &c->model->ir, x);
  tell(c, heading_of(scratch, check),
       TEXT_PRINTED(scratch, out, explanation_print(explain(scratch, v, x, check), x, out)),
       explain_is_trivial(scratch, x));
  arena_free(scratch);
}

/* What a model in C says of a candidate. */
static void tell_native(struct collection *c, const struct execution *x) {
  struct text text = text_new();
  c->model->judge->explain(c->model, x, text.out);
  text_end(&text);
  tell(c, "in the words of the model", text.at, false);
  text_free(&text);
}

/* A candidate in the interpreter's hands, for models that the graph does not
 * express. */
struct interpretation {
  struct collection *c;
  const struct execution *x;
  struct arena *scratch;
  enum cat_check_role role; /* what is told: axioms, or the rest */
};

static const word *base_of(void *context, const struct cat_node *node) {
  struct interpretation *i = context;
  return execution_node(i->scratch, i->x, node);
}

static bool skips(void *context, const char *name) {
  const struct collection *c = ((struct interpretation *)context)->c;
  for (uint32_t i = 0; c->skip && i < c->model->ir.check_count; i++)
    if (c->skip[i] && !strcmp(c->model->ir.checks[i].name, name)) return true;
  return false;
}

static void tell_value(void *context, const struct cat_check *check, const word *value, bool set) {
  struct interpretation *i = context;
  if ((check->role == ROLE_REQUIRE) != (i->role == ROLE_REQUIRE)) return;
  const char *heading = heading_of(i->scratch, check);
  if (check->kind == CHECK_EMPTY)
    tell_members(i->c, i->x, value, set, heading);
  else
    tell_circle(i->c, i->x, value, check->kind == CHECK_ACYCLIC, heading);
}

static void tell_interpreted(struct collection *c, const struct execution *x, enum cat_check_role role) {
  struct interpretation i = {c, x, arena_new(), role};
  struct cat_env env = {.shape = x->shape, .base = base_of, .skip = skips, .told = tell_value, .context = &i};
  const char *failed;
  cat_interpret(c->model, &env, i.scratch, NULL, NULL, &failed);
  arena_free(i.scratch);
}

static void tell_whole_model(struct collection *c, const struct execution *x, enum cat_check_role role) {
  if (c->model->judge)
    tell_native(c, x);
  else
    tell_interpreted(c, x, role);
}

/* Would this candidate settle the condition? */
static bool deciding(const struct collection *c, const struct execution *x) {
  if (c->test->filter && !execution_meets(x, c->test->filter)) return false;
  return execution_meets(x, c->test->condition) == (c->test->quantifier != QUANT_FORALL);
}

static bool take_rejected(void *context, const struct candidate *candidate, const struct cat_check *check) {
  struct collection *c = context;
  /* A look closes relations, which takes the cube of the events (2 ms for 24); passing by, little. */
  uint64_t events = candidate->execution->shape.n;
  bool look = deciding(c, candidate->execution);
  c->spent += look ? events * events * events : 4 * events;
  if (c->looked_at == c->limit || c->spent > WORK_LIMIT) {
    c->cut = true;
    return false;
  }
  if (!look) return true;
  c->looked_at++;
  c->candidate++;
  if (check)
    tell_check(c, candidate->execution, check);
  else
    tell_whole_model(c, candidate->execution, ROLE_REQUIRE);
  return true;
}

static bool ignore(void *context, const struct candidate *candidate) {
  (void)context;
  (void)candidate;
  return true;
}

/* ---- races and other flags ---- */

static void tell_raised(struct collection *c, const struct execution *x, const struct cat_check *check) {
  if (check->kind != CHECK_EMPTY) {
    tell_check(c, x, check);
    return;
  }
  struct arena *scratch = arena_new();
  const struct valuation *v = evaluate(scratch, &c->model->ir, x);
  bool set = v->ir->nodes[check->node].type == CAT_SET;
  tell_members(c, x, v->value[check->node], set, heading_of(scratch, check));
  arena_free(scratch);
}

static bool take_raised(void *context, const struct candidate *candidate) {
  struct collection *c = context;
  const struct cat_ir *ir = &c->model->ir;
  if (!candidate->raised && !candidate->raised_name_count) return true;
  if (c->looked_at == c->limit) {
    c->cut = true;
    return false;
  }
  c->candidate++;
  bool any = false;
  for (uint32_t i = 0; candidate->raised && i < ir->check_count; i++)
    if (candidate->raised[i / 64] >> (i % 64) & 1) {
      tell_raised(c, candidate->execution, &ir->checks[i]);
      any = true;
    }
  if (candidate->raised_name_count) {
    tell_whole_model(c, candidate->execution, ROLE_UNDEFINED);
    any = true;
  }
  c->looked_at += any;
  return !c->settled || c->looked_at < c->limit;
}

/* ---- text ---- */

static int compare_reasons(const void *a, const void *b) {
  const struct reason *s = a, *t = b;
  if (s->trivial != t->trivial) return s->trivial ? 1 : -1;
  if (s->rank != t->rank) return s->rank < t->rank ? -1 : 1;
  if (s->count != t->count) return s->count < t->count ? 1 : -1;
  int order = strcmp(s->heading, t->heading);
  return order ? order : strcmp(s->text, t->text);
}

static void print_reason(const struct reason *reason, const char *unit, FILE *out) {
  fprintf(out, "  %s: %" PRIu64 " %s%s\n%s", reason->heading, reason->count, unit, reason->count == 1 ? "" : "s",
          reason->text);
}

/* Reasons first .. end - 1, as many as there is room for. */
static void print_some(const struct collection *c, size_t first, size_t end, size_t most, const char *unit, FILE *out) {
  for (size_t i = first; i < end && i < first + most; i++) print_reason(&c->reasons.at[i], unit, out);
  if (end - first > most) fprintf(out, "  ... and %zu more such reasons\n", end - first - most);
}

static void print_reasons(struct collection *c, const char *unit, FILE *out) {
  if (c->reasons.count) qsort(c->reasons.at, c->reasons.count, sizeof *c->reasons.at, compare_reasons);
  size_t telling = 0;
  uint64_t rest = 0;
  for (size_t i = 0; i < c->reasons.count; i++) {
    if (!c->reasons.at[i].trivial)
      telling++;
    else
      rest += c->reasons.at[i].count;
  }
  print_some(c, 0, telling, TOLD, unit, out);
  if (rest)
    fprintf(out, "  %" PRIu64 " %s%s incoherent at a single location:\n", rest, unit, rest == 1 ? " is" : "s are");
  print_some(c, telling, c->reasons.count, TOLD_TRIVIAL, unit, out);
  if (c->cut && c->looked_at) fprintf(out, "  (only the first %" PRIu64 " were looked at)\n", c->looked_at);
}

static const char *goal(const struct litmus_test *test) {
  return test->quantifier == QUANT_FORALL ? "break the condition" : "meet the condition";
}

/* ---- the two searches ---- */

/* Candidates that show what is asked for.  Where loops that wait are followed for
 * as long as they see something new, the candidates in which they go round least
 * say all there is to say, and are far fewer. */
static enum enumerate_end look_at_rejected(struct collection *c, const struct enumerate_options *options) {
  struct enumerate_options own = *options;
  own.keep_rejected = true;
  own.stop_when_known = true; /* for its pruning by the condition; `ignore` never stops it */
  own.workers = 1;
  own.cut_spins = false;
  struct enumerate_sink sink = {.context = c, .consistent = ignore, .rejected = take_rejected};
  struct enumerate_stats stats;
  enum enumerate_end end;
  own.unroll = options->cut_spins ? 0 : options->unroll;
  do end = enumerate(c->test, c->model, &own, &sink, &stats);
  while (!c->looked_at && end == END_DONE && stats.cut && own.unroll++ < options->unroll);
  return end;
}

static enum enumerate_end look_at_consistent(struct collection *c, const struct enumerate_options *options,
                                             bool (*take)(void *context, const struct candidate *candidate)) {
  struct enumerate_options own = *options;
  own.stop_when_known = own.keep_rejected = false;
  own.serial_first = c->settled;
  own.workers = 1;
  struct enumerate_sink sink = {.context = c, .consistent = take};
  struct enumerate_stats stats;
  return enumerate(c->test, c->model, &own, &sink, &stats);
}

/* Says so where a limit ended the search; true when it did. */
static bool tell_cut(enum enumerate_end end, FILE *out) {
  bool cut = end != END_DONE && end != END_STOPPED;
  if (cut) fputs("  (the search was cut by a limit)\n", out);
  return cut;
}

static bool explain_rejected(struct collection *c, const struct verdict *v, const struct enumerate_options *options,
                             FILE *out) {
  c->limit = REJECTED_LIMIT;
  enum enumerate_end end = look_at_rejected(c, options);
  uint64_t met = c->test->quantifier == QUANT_FORALL ? v->states.failing : v->states.matching;
  if (!c->looked_at && !met && end == END_DONE && !c->cut)
    fprintf(out, "Why %s: no candidate can %s, whatever the model says\n", c->test->name, goal(c->test));
  else if (!c->looked_at && !met)
    fprintf(out, "Why %s: no reason was found%s\n", c->test->name, c->cut ? " where it was looked for" : "");
  else if (c->looked_at)
    fprintf(out, "Why %s: %" PRIu64 "%s candidate%s that would %s rejected by %s\n", c->test->name, c->looked_at,
            c->cut ? " or more" : "", c->looked_at == 1 ? "" : "s",
            arena_printf(c->arena, "%s %s", goal(c->test), c->looked_at == 1 ? "is" : "are"), v->model);
  print_reasons(c, "candidate", out);
  return tell_cut(end, out);
}

static bool explain_raised(struct collection *c, const struct verdict *v, const struct enumerate_options *options,
                           FILE *out) {
  c->limit = c->settled && v->bad ? v->bad : RAISED_LIMIT;
  enum enumerate_end end = look_at_consistent(c, options, take_raised);
  if (v->bad)
    fprintf(out, "Why %s: %" PRIu64 " execution%s undefined behaviour\n", c->test->name, v->bad,
            v->bad == 1 ? " has" : "s have");
  else
    fprintf(out, "Why %s: some executions raise a flag\n", c->test->name);
  print_reasons(c, "execution", out);
  return tell_cut(end, out);
}

static bool take_met(void *context, const struct candidate *candidate) {
  struct collection *c = context;
  if (!deciding(c, candidate->execution)) return true;
  if (c->looked_at == c->limit) {
    c->cut = true;
    return false;
  }
  c->looked_at++;
  c->candidate++;
  tell_native(c, candidate->execution);
  return true;
}

/* What a model in C has done to executions that settle the condition. */
static bool explain_met(struct collection *c, const struct enumerate_options *options, FILE *out) {
  c->limit = RAISED_LIMIT;
  enum enumerate_end end = look_at_consistent(c, options, take_met);
  if (!c->looked_at) return tell_cut(end, out);
  fprintf(out, "Why %s: %" PRIu64 "%s execution%s the condition\n", c->test->name, c->looked_at,
          c->cut ? " or more" : "",
          c->test->quantifier == QUANT_FORALL ? (c->looked_at == 1 ? " breaks" : "s break")
                                              : (c->looked_at == 1 ? " meets" : "s meet"));
  print_reasons(c, "execution", out);
  return tell_cut(end, out);
}

const char *why_text(struct arena *arena, const struct verdict *v, const struct cat_model *model,
                     const struct enumerate_options *options, bool *cut) {
  model = enumerate_model(v->test, model);
  struct collection rejected = {.arena = arena, .test = v->test, .model = model, .skip = options->skip};
  rejected.settled = v->test->kernel && v->partial;
  struct collection raised = rejected, met = rejected;
  struct text text = text_new();
  *cut = false;
  bool idle = rejected.settled && v->bad; /* any outcome is possible */
  if (v->end == END_DONE && !idle) *cut |= explain_rejected(&rejected, v, options, text.out);
  if (v->end == END_DONE && model->judge) *cut |= explain_met(&met, options, text.out);
  if (v->end == END_DONE && v->flag_count) *cut |= explain_raised(&raised, v, options, text.out);
  return text_keep(&text, arena);
}

const char *why_forbidden(struct arena *arena, const struct verdict *v, const struct cat_model *model,
                          const struct enumerate_options *options) {
  bool cut;
  if (v->end == END_DONE) return why_text(arena, v, model, options, &cut);
  return arena_printf(arena, "Why %s: not known, a limit was reached\n", v->test->name);
}
