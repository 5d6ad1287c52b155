/* SPDX-License-Identifier: MIT */
/* The two questions that are asked of a kernel, each on its own.
 *
 * Executions of a kernel are many, and nobody counts them: does its condition hold, and
 * does it do something undefined?  The first is -speedcheck's.  The second looks for an
 * execution that raises a flag as for one that an axiom asks for: `flag ~empty r` becomes
 * the axiom `~empty r`, and what cannot raise it any more is dropped on the way.
 */
#include "checker/verdict/settle.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/solve/solve.h"

/* Of a model, the one whose executions raise a check. */
static struct cat_model *raising(struct arena *arena, const struct cat_model *model, uint32_t check) {
  struct cat_model *asked = ARENA_NEW(arena, struct cat_model);
  *asked = *model;
  asked->plain = asked->told = NULL;
  asked->ir.checks = ARENA_ARRAY(arena, struct cat_check, model->ir.check_count + 1u);
  memcpy(asked->ir.checks, model->ir.checks, model->ir.check_count * sizeof *asked->ir.checks);
  struct cat_check *turned = &asked->ir.checks[check];
  if (turned->role == ROLE_UNDEFINED) turned->negated = !turned->negated;
  turned->role = ROLE_REQUIRE;
  return asked;
}

struct finding {
  const struct litmus_test *test;
  bool found;
  void (*tell)(void *context, const struct execution *execution); /* or NULL */
  void *context;
};

static bool note_found(void *context, const struct candidate *candidate) {
  struct finding *f = context;
  if (f->test->filter && !execution_meets(candidate->execution, f->test->filter)) return true;
  f->found = true;
  if (f->tell) f->tell(f->context, candidate->execution);
  return false;
}

static void add_stats(struct enumerate_stats *to, const struct enumerate_stats *from) {
  to->visited += from->visited;
  to->consistent += from->consistent;
  to->structures += from->structures;
  to->cut |= from->cut;
  to->undefined |= from->undefined;
  if (from->events > to->events) to->events = from->events;
}

/* Looks for an execution that raises the check. */
static enum enumerate_end look_for(struct finding *finding, const struct cat_model *model, uint32_t check,
                                   const struct enumerate_options *options, struct enumerate_stats *stats,
                                   struct arena *arena) {
  struct enumerate_sink sink = {.context = finding, .consistent = note_found};
  struct enumerate_options asked = *options;
  asked.workers = 1;
  asked.prune = true; /* what is found first is told, whatever way the verdict was come by */
  asked.stop_when_known = false;
  model = raising(arena, model, check);
  return asked.solve ? solve(finding->test, model, &asked, &sink, stats)
                     : enumerate(finding->test, model, &asked, &sink, stats);
}

static bool find_raised(struct verdict *v, const struct cat_model *model, uint32_t check,
                        const struct enumerate_options *options, struct arena *arena) {
  struct finding finding = {.test = v->test};
  struct enumerate_stats stats;
  enum enumerate_end end = look_for(&finding, model, check, options, &stats, arena);
  add_stats(&v->stats, &stats);
  if (end != END_DONE && end != END_STOPPED && v->end == END_DONE) {
    v->end = end;
    v->stats.problem = stats.problem;
  }
  return finding.found;
}

/* Rounds are left out as the model itself allows it, which keeps flags too, also where it is asked for one. */
static struct enumerate_options fold(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                     const struct enumerate_options *options) {
  struct enumerate_options folded = *options;
  folded.spin_folds = enumerate_spin_folds(arena, test, model, options);
  folded.fold = folded.spin_folds;
  return folded;
}

enum enumerate_end verdict_find_raised(struct arena *arena, const struct litmus_test *test,
                                       const struct cat_model *model, uint32_t check,
                                       const struct enumerate_options *options,
                                       void (*tell)(void *context, const struct execution *execution), void *context) {
  struct finding finding = {.test = test, .tell = tell, .context = context};
  struct enumerate_stats stats;
  struct enumerate_options folded = fold(arena, test, model, options);
  return look_for(&finding, enumerate_model(test, model), check, &folded, &stats, arena);
}

bool verdict_can_settle(const struct litmus_test *test, const struct cat_model *model) {
  const struct cat_model *asked = enumerate_model(test, model);
  return !asked->ir.dynamic && !asked->judge;
}

struct verdict *verdict_settle(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                               const struct enumerate_options *options) {
  const struct cat_model *asked = enumerate_model(test, model);
  struct enumerate_options folded = fold(arena, test, model, options), first = folded;
  VEC(struct verdict_flag) flags = {0};
  first.stop_when_known = true;
  first.workers = 1;
  struct verdict *v = verdict_run(arena, test, model, &first, NULL);
  for (uint32_t i = 0; i < asked->ir.check_count && v->end == END_DONE; i++) {
    const struct cat_check *check = &asked->ir.checks[i];
    if ((options->skip && options->skip[i]) || !check_means_undefined(check, options->bad_flag)) continue;
    if (find_raised(v, asked, i, &folded, arena))
      *vec_push(arena, &flags) = (struct verdict_flag){.name = check->name, .count = 1, .undefined = true};
  }
  if (v->stats.undefined)
    *vec_push(arena, &flags) = (struct verdict_flag){.name = "undefined_operation", .undefined = true};
  verdict_set_flags(v, flags.at, flags.count);
  return v;
}
