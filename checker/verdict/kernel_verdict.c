/* SPDX-License-Identifier: MIT */
/* The two questions that are asked of a kernel, each on its own.
 *
 * Executions of a kernel are many, and nobody counts them: does it do something undefined, and does
 * its condition hold?  The first looks for an execution that raises a flag as for one that an axiom asks for:
 * `flag ~empty r` becomes the axiom `~empty r`, and what cannot raise it any more is dropped on the
 * way.  The second is -speedcheck's.  Where something undefined is found, any outcome is possible: the
 * condition is looked into all the same, as far as that is soon done.
 */
#include "checker/verdict/kernel_verdict.h"

#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"
#include "checker/exec/loops/possible_model_flags.h"
#include "checker/exec/loops/spin_fold.h"
#include "checker/solve/solve.h"
#include "checker/verdict/engine_turns.h"

/* Of a model, the one whose executions raise a check, or break it, of an axiom. */
static struct cat_model *raising(struct arena *arena, const struct cat_model *model, uint32_t check) {
  struct cat_model *asked = ARENA_COPY(arena, struct cat_model, model, 1);
  asked->plain = asked->told = NULL;
  asked->ir.checks = ARENA_ARRAY(arena, struct cat_check, model->ir.check_count + 1u);
  memcpy(asked->ir.checks, model->ir.checks, model->ir.check_count * sizeof *asked->ir.checks);
  struct cat_check *turned = &asked->ir.checks[check];
  if (turned->role != ROLE_FLAG) turned->negated = !turned->negated;
  turned->role = ROLE_REQUIRE;
  return asked;
}

struct finding {
  const struct litmus_test *test;
  bool found;
  bool begun;                                                     /* beginnings of executions were looked at, too */
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

/* Does a loop that ends here only wait, for an ordinary load to return something else? */
static bool waits_on_data(const struct thread *thread, unsigned end) {
  bool loads = false;
  if (!thread_loop_ends_at(thread, end)) return false;
  for (unsigned i = thread->instrs[end].target; i < end; i++) {
    const struct instr *instr = &thread->instrs[i];
    bool load = instr->kind == INSTR_LOAD;
    if ((instr_is_access(instr) && !load) || instr->kind == INSTR_MEET) return false;
    loads |= load && instr->order == ORDER_NA;
  }
  return loads;
}

/* Then the loop need not end in any execution, since what is loaded is stored in no way that the model knows of; what
 * races with the load is to be found among executions that do not end. */
static bool may_wait_on_data(const struct program *program) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++)
      if (waits_on_data(&program->threads[t], i)) return true;
  return false;
}

/* An execution that the solver looks for. */
struct solver_search {
  const struct litmus_test *test;
  const struct cat_model *model;
  struct enumerate_options options;
  const struct enumerate_sink *sink;
  double limit, start; /* of both engines' time */
  struct enumerate_stats stats;
  enum enumerate_end end;
};

static void ask_solver(void *context) {
  struct solver_search *s = context;
  s->end = solve(s->test, s->model, &s->options, s->sink, &s->stats);
}

static enum engine_end solve_soon(void *context, uint64_t conflicts) {
  struct solver_search *s = context;
  s->options.conflicts = conflicts;
  s->options.timeout = engine_time_left(s->limit, s->start) / 2; /* the search may need the rest */
  if (!guard_run(ask_solver, s)) return ENGINE_CANNOT;
  if (s->stats.gave_up) return ENGINE_GAVE_UP;
  return s->end == END_DONE || s->end == END_STOPPED || s->end == END_CANCELLED ? ENGINE_ANSWERED : ENGINE_CANNOT;
}

static enum enumerate_end search_or_solve(struct arena *arena, struct solver_search *s, struct enumerate_stats *stats) {
  struct enumerate_options asked = s->options;
  s->limit = asked.timeout;
  s->start = monotonic_seconds();
  struct engine_turns turns = {.context = s, .solve = solve_soon};
  if (asked.either && !solve_refusal(arena, s->test, s->model, false)) engines_take_turns(&asked, &turns);
  enum enumerate_end end = enumerate(s->test, s->model, &asked, s->sink, stats);
  if (turns.end != ENGINE_ANSWERED) return end;
  *stats = s->stats;
  return s->end;
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
  asked.most_states = 0;
  asked.serial_first = finding->test->kernel;
  asked.undefined_ends = finding->test->kernel; /* what happens before is undefined, too */
  model = raising(arena, model, check);
  struct solver_search solver = {.test = finding->test, .model = model, .options = asked, .sink = &sink};
  if (asked.begins) return enumerate(finding->test, model, &asked, &sink, stats);
  enum enumerate_end end =
      asked.solve ? solve(finding->test, model, &asked, &sink, stats) : search_or_solve(arena, &solver, stats);
  if (end != END_DONE || finding->found || !finding->test->kernel) return end;
  if (!stats->cut && !stats->held && !may_wait_on_data(finding->test->program)) return end;
  /* What does not end here raises the check before that: its beginning is an execution, too. */
  struct enumerate_stats more;
  asked.begins = finding->begun = true;
  asked.serial_first = false;
  end = enumerate(finding->test, model, &asked, &sink, &more);
  more.cut = false; /* whatever is cut, does not end either */
  enumerate_stats_add(stats, &more);
  return end;
}

/* ---- Rounds of loops that are left out --------------------------------------------------- */

/* Rounds that can be left out where no execution breaks one of the axioms `broken` then, but keeps all others. */
struct folds_if {
  const struct spin_folds *folds; /* NULL: none */
  bool *broken;                   /* by check */
};

static struct folds_if find_folds_if(struct arena *arena, const struct litmus_test *test, const struct cat_model *asked,
                                     const struct enumerate_options *options) {
  struct folds_if f = {.broken = ARENA_ARRAY(arena, bool, asked->ir.check_count + 1u)};
  if (options->fold && !options->spin_folds) f.folds = spin_folds_find(arena, test, asked, options->skip, f.broken);
  if (!spin_folds_count(f.folds)) f.folds = NULL;
  return f;
}

/* The work of some seconds, and what the solver may do after it. */
enum { MOST_WORK = 400000000, MOST_CONFLICTS = 20000 };

/* Does no execution break the axiom that `options` skips but for this question? */
static bool is_kept(struct arena *arena, const struct litmus_test *test, const struct cat_model *asked, uint32_t axiom,
                    const struct enumerate_options *options) {
  struct finding finding = {.test = test};
  struct enumerate_stats stats;
  struct enumerate_options once = *options;
  once.most_work = MOST_WORK;
  once.conflicts = MOST_CONFLICTS;
  once.timeout = options->timeout / 4; /* most of it is for the verdict */
  enum enumerate_end end = look_for(&finding, asked, axiom, &once, &stats, arena);
  if (stats.gave_up && !once.solve && !solve_refusal(arena, test, asked, false)) {
    once.solve = true;
    end = look_for(&finding, asked, axiom, &once, &stats, arena);
  }
  return end == END_DONE && !finding.found;
}

static bool are_kept(struct arena *arena, const struct litmus_test *test, const struct cat_model *asked,
                     const struct folds_if *f, const struct enumerate_options *options) {
  uint32_t count = asked->ir.check_count;
  bool *skip = ARENA_ARRAY(arena, bool, count + 1u);
  struct enumerate_options folded = *options;
  folded.skip = skip;
  folded.spin_folds = f->folds;
  for (uint32_t i = 0; i < count; i++) skip[i] = f->broken[i] || (options->skip && options->skip[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (!f->broken[i]) continue;
    skip[i] = false;
    if (!is_kept(arena, test, asked, i, &folded)) return false;
    skip[i] = true;
  }
  return true;
}

const struct spin_folds *kernel_verdict_spin_folds(struct arena *arena, const struct litmus_test *test,
                                                   const struct cat_model *model,
                                                   const struct enumerate_options *options) {
  const struct spin_folds *always = enumerate_spin_folds(arena, test, model, options);
  if (always || !kernel_verdict_can(test, model)) return always;
  const struct cat_model *asked = enumerate_model(test, model);
  struct folds_if f = find_folds_if(arena, test, asked, options);
  return f.folds && are_kept(arena, test, asked, &f, options) ? f.folds : NULL;
}

/* Rounds are left out as the model itself allows it, which keeps flags too, also where it is asked for one. */
static struct enumerate_options fold(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                     const struct enumerate_options *options) {
  struct enumerate_options folded = *options;
  folded.spin_folds = enumerate_spin_folds(arena, test, model, options);
  folded.fold = folded.spin_folds;
  return folded;
}

enum enumerate_end kernel_verdict_find_raised(struct arena *arena, const struct litmus_test *test,
                                              const struct cat_model *model, uint32_t check,
                                              const struct enumerate_options *options,
                                              struct execution_listener listener) {
  struct finding finding = {.test = test, .tell = listener.tell, .context = listener.context};
  struct enumerate_stats stats;
  struct enumerate_options folded = fold(arena, test, model, options);
  const struct cat_model *asked = enumerate_model(test, model);
  enum enumerate_end end = look_for(&finding, asked, check, &folded, &stats, arena);
  if (end != END_DONE || finding.found || finding.begun || !test->kernel) return end;
  folded.begins = true;
  return look_for(&finding, asked, check, &folded, &stats, arena);
}

/* Looks for undefined behaviour: one execution for each check that means it.  The solver, of what is no kernel, also
 * for what other flags mean. */
struct undefined_search {
  VEC(struct verdict_flag) flags;
  bool found;                  /* undefined behaviour */
  bool *begun;                 /* by check: beginnings of executions were looked at for it */
  struct raised_checks raised; /* what the solver is to look for with the condition */
  struct enumerate_stats stats;
  bool gave_up; /* in looking for an operation */
  enum enumerate_end end;
  bool settles; /* the condition, too, if there is some */
};

static bool is_looked_for(const struct cat_check *check, const struct litmus_test *test,
                          const struct enumerate_options *options) {
  return check_means_undefined(check, options->bad_flag) ||
         (options->solve && !test->kernel && check->role == ROLE_FLAG);
}

static void note_raised(struct undefined_search *u, const struct cat_check *check,
                        const struct enumerate_options *options, struct arena *arena) {
  bool undefined = check_means_undefined(check, options->bad_flag);
  *vec_push(arena, &u->flags) = (struct verdict_flag){.name = check->name, .count = 1, .undefined = undefined};
  u->found |= undefined;
}

static void find_undefined(struct undefined_search *u, const struct litmus_test *test, const struct cat_model *asked,
                           const struct enumerate_options *options, struct arena *arena) {
  u->raised.wanted = ARENA_ARRAY(arena, bool, asked->ir.check_count + 1u);
  u->raised.found = ARENA_ARRAY(arena, bool, asked->ir.check_count + 1u);
  for (uint32_t i = 0; i < asked->ir.check_count && u->end == END_DONE; i++) {
    const struct cat_check *check = &asked->ir.checks[i];
    if ((options->skip && options->skip[i]) || !is_looked_for(check, test, options)) continue;
    if (!possible_flag(&asked->ir, test->program, i)) continue;
    u->raised.wanted[i] = options->solve && !test->kernel && solve_finds_raised(check);
    if (u->raised.wanted[i] || u->begun[i]) continue;
    struct finding finding = {.test = test};
    struct enumerate_stats stats;
    enum enumerate_end end = look_for(&finding, asked, i, options, &stats, arena);
    u->begun[i] = finding.begun;
    enumerate_stats_add(&u->stats, &stats);
    if (finding.found) note_raised(u, check, options, arena);
    if (end != END_STOPPED || stats.gave_up) u->end = end;
    if (u->end != END_DONE) u->stats.problem = stats.problem;
  }
}

bool kernel_verdict_can(const struct litmus_test *test, const struct cat_model *model) {
  const struct cat_model *asked = enumerate_model(test, model);
  return !asked->ir.dynamic && !asked->judge;
}

/* Is there no outcome that could settle the question? */
static bool is_settled(const struct litmus_test *test) {
  return test->condition->kind == (test->quantifier == QUANT_FORALL ? PROP_TRUE : PROP_FALSE);
}

/* Where any outcome is possible, little is done to find one that the condition is about. */
enum { EFFORT_UNDEFINED = 400, EFFORT_NONE = 1, CONFLICTS_UNDEFINED = 60000 };

static struct verdict *solve_condition(struct arena *arena, const struct litmus_test *test,
                                       const struct cat_model *model, const struct enumerate_options *options) {
  return verdict_run(arena, test, model, options, NULL);
}

static struct verdict *settle_condition(struct arena *arena, const struct litmus_test *test,
                                        const struct cat_model *model, const struct enumerate_options *options,
                                        const struct undefined_search *u) {
  struct enumerate_options asked = *options;
  bool undefined = u->found;
  bool settled = is_settled(test);
  asked.stop_when_known = true;
  asked.workers = 1;
  asked.serial_first = !(undefined && settled);
  bool whole = !undefined || u->settles || (asked.solve && !test->kernel); /* herd says of races what else there is */
  asked.raised = &u->raised;
  if (undefined && u->settles && test->kernel) asked.conflicts = CONFLICTS_UNDEFINED;
  asked.effort = whole ? 0 : settled ? EFFORT_NONE : EFFORT_UNDEFINED;
  struct verdict *v = asked.either && whole ? verdict_in_turns(arena, test, model, &asked, solve_condition)
                                            : verdict_run(arena, test, model, &asked, NULL);
  v->any_outcome = v->stats.gave_up && !settled;
  return v;
}

/* Where no execution that is found settles the question, one that does not is counted for the log: without any, the
 * condition says nothing, since each execution is undefined, or some thread waits for ever in it or goes round beyond
 * the bound.  (The solver has been asked for one of each kind, unless the first took long.) */
static void count_another(struct arena *arena, struct verdict *v, const struct cat_model *model,
                          const struct enumerate_options *options, bool undefined) {
  struct litmus_test turned = *v->test;
  struct enumerate_options asked = *options;
  const struct verdict *another = v;
  if (!turned.kernel || v->end != END_DONE || v->states.count) return;
  if (!v->solved || v->stats.gave_up) {
    turned.quantifier = turned.quantifier == QUANT_FORALL ? QUANT_EXISTS : QUANT_FORALL;
    asked.stop_when_known = true;
    asked.workers = 1;
    asked.serial_first = true;
    asked.effort = EFFORT_UNDEFINED;
    another = verdict_run(arena, &turned, model, &asked, NULL);
    v->states = another->states;
  }
  v->stats.cut |= another->stats.cut;
  v->empty = another->end == END_DONE && !v->states.count && (v->stats.cut || !another->stats.gave_up);
  v->endless = v->empty && !undefined && !another->stats.undefined && !turned.filter;
}

/* Is it a division by what is not known, or by 0 (which front ends leave where something is undefined), or an access at
 * an index? */
static bool may_be_undefined(const struct instr *instr) {
  return instr->address.index || instr->expected_at.index || instr_has(instr, expr_may_divide_by_0) ||
         (instr->kind == INSTR_RMW && instr->op == RMW_DIV);
}

static bool go_on(void *context, const struct candidate *candidate) {
  (void)context, (void)candidate;
  return true;
}

/* The condition's search leaves out what has no say in its answer: an undefined operation is looked for on its own, as
 * far as that is soon done.  (The solver is asked for one with the condition.) */
static void find_operation(struct undefined_search *u, const struct litmus_test *test, const struct cat_model *model,
                           const struct enumerate_options *options) {
  struct enumerate_options asked = *options;
  struct enumerate_sink sink = {.consistent = go_on};
  struct enumerate_stats stats;
  bool may = false;
  INSTR_EACH (instr, test->program) may |= may_be_undefined(instr);
  if (!may || u->stats.undefined || u->end != END_DONE || options->solve) return;
  asked.workers = 1;
  asked.serial_first = true;
  asked.stop_when_known = false;
  asked.effort = EFFORT_UNDEFINED;
  enum enumerate_end end = enumerate(test, model, &asked, &sink, &stats);
  u->gave_up = stats.gave_up;
  enumerate_stats_add(&u->stats, &stats);
  if (end != END_STOPPED) u->end = end;
}

static struct verdict *run(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                           const struct enumerate_options *options, bool settles) {
  struct undefined_search u = {.end = END_DONE, .settles = settles};
  double start = monotonic_seconds();
  struct enumerate_options folded = fold(arena, test, model, options);
  const struct cat_model *asked = enumerate_model(test, model);
  u.begun = ARENA_ARRAY(arena, bool, asked->ir.check_count + 1u);
  find_undefined(&u, test, asked, &folded, arena);
  find_operation(&u, test, model, &folded);
  struct verdict *v = settle_condition(arena, test, model, &folded, &u);
  for (uint32_t i = 0; i < asked->ir.check_count; i++)
    if (u.raised.found[i]) note_raised(&u, &asked->ir.checks[i], options, arena);
  count_another(arena, v, model, &folded, u.found || u.stats.undefined);
  if (v->endless) { /* nor do those that race on the way there */
    folded.begins = true;
    find_undefined(&u, test, asked, &folded, arena);
    v->endless = !u.found;
  }
  enumerate_stats_add(&v->stats, &u.stats);
  if (u.end != END_DONE && v->end == END_DONE) {
    v->end = u.end;
    v->stats.problem = u.stats.problem;
  }
  if (v->stats.undefined)
    *vec_push(arena, &u.flags) =
        (struct verdict_flag){.name = verdict_undefined_name(test, &v->stats), .undefined = true};
  v->seconds = monotonic_seconds() - start;
  v->operations_open = u.gave_up && !u.found;
  if (u.found && !test->kernel && !v->bad) v->bad = 1; /* none of those that are counted, but the one that was found */
  verdict_set_flags(v, u.flags.at, u.flags.count);
  return v;
}

struct verdict *kernel_verdict_run(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                   const struct enumerate_options *options) {
  return run(arena, test, model, options, false);
}

struct verdict *kernel_verdict_settle(struct arena *arena, const struct litmus_test *test,
                                      const struct cat_model *model, const struct enumerate_options *options) {
  return run(arena, test, model, options, true);
}
