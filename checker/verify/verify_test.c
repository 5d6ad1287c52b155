/* SPDX-License-Identifier: MIT */
/* Machine against model. The model is asked first: its outcomes are a sorted
 * set, in which each outcome of the machine is looked up as soon as the
 * search reaches it. The first that is not there ends the search.
 * Where a kernel has too many executions to count, the model is asked about each
 * outcome of the machine instead. */
#include "checker/verify/verify_test.h"

#include <inttypes.h>

#include "checker/base/text.h"
#include "checker/translate/model_as_machine.h"
#include "checker/verdict/choose_engine.h"
#include "checker/verdict/engine_turns.h"
#include "checker/verdict/kernel_verdict.h"
#include "checker/verify/execution_inclusion.h"
#include "checker/verify/test_observing_all.h"
#include "hwsem/expand_reduced_run.h"
#include "hwsem/machines/kinds.h"

bool verify_is_violation(enum verify_answer answer) {
  return answer == VERIFY_UNSOUND || answer == VERIFY_DEADLOCK || answer == VERIFY_HAZARD;
}

const char *verify_answer_name(enum verify_answer answer) {
  static const char *const NAMES[] = {"Sound", "Unsound", "Undefined", "Deadlock", "Undecided", "Hazard", "Bad"};
  return NAMES[answer];
}

static const char MODEL_LIMIT[] = "a limit was reached on the model's side";

/* A model that is asked about one outcome after the other. */
struct asking {
  const struct litmus_test *full;
  const struct cat_model *model;
  const struct enumerate_options *options;
  struct arena *arena;
  struct outcomes known; /* with a count where they are allowed */
  bool gave_up, cut;     /* about one; loops were cut where one was not found */
};

static bool is_allowed(struct asking *a, const int64_t *values) {
  size_t count = a->known.count;
  struct outcome *known = outcomes_add(&a->known, values);
  if (a->known.count == count) return known->count > 0;
  struct litmus_test asked = *a->full;
  struct enumerate_options options = *a->options;
  options.stop_when_known = true;
  test_observing_ask(a->arena, &asked, known->values);
  const struct verdict *v = verdict_of_either(a->arena, &asked, a->model, &options);
  a->gave_up |= v->end != END_DONE;
  a->cut |= !v->states.matching && v->stats.cut;
  known->count = v->states.matching;
  return known->count > 0;
}

/* The search for an outcome that the model forbids. */
struct hunt {
  const struct verdict *allowed; /* all outcomes, */
  struct asking *asking;         /* but where this is not NULL */
  unsigned width;                /* values of an outcome */
  bool all;                      /* do not stop at the first */
  const int64_t *bad;
  uint32_t bad_state;
  const struct machine *machine;
  int64_t fault; /* of the first run that goes wrong; 0: none does */
  uint32_t fault_state;
};

static bool judge(void *context, const struct explore_outcome *outcome) {
  struct hunt *hunt = context;
  unsigned fault = hunt->machine->fault;
  if (fault && outcome->values[fault - 1]) {
    if (!hunt->fault) hunt->fault_state = outcome->state;
    if (!hunt->fault) hunt->fault = outcome->values[fault - 1];
    return hunt->all;
  }
  if (hunt->bad) return true;
  if (hunt->asking ? is_allowed(hunt->asking, outcome->values)
                   : outcomes_find(&hunt->allowed->states, outcome->values) != NULL)
    return true;
  if (hunt->asking && hunt->asking->gave_up) return false;
  hunt->bad = outcome->values;
  hunt->bad_state = outcome->state;
  return hunt->all;
}

static bool undefined(const struct verdict *v) {
  return verdict_is_undefined(v) || (v->partial && verdict_undefined_flag(v));
}

static void undecided(struct verify_result *result, const char *reason) {
  result->answer = VERIFY_UNDECIDED;
  result->reason = reason;
}

struct run {
  const struct target *target;
  struct litmus_test *full;
  const struct verify_options *options;
  struct explorer *explorer;
  struct arena *arena;
  struct verify_result *result;
  struct diags *diags;
  struct hunt hunt;
  struct exploration found;
  const struct cat_model *model; /* -strict: executions are asked of it */
  struct asking *asking;         /* NULL: the verdict has all outcomes */
};

/* The outcome found. */
static void keep_outcome(struct run *run) {
  unsigned width = run->hunt.width;
  int64_t *outcome = ARENA_COPY(run->arena, int64_t, run->hunt.bad, width);
  run->result->outcome = outcome;
  test_observing_ask(run->arena, run->full, outcome);
}

/* Where a run ends that goes wrong, if there is one. */
static uint32_t violating_state(const struct run *run) {
  const struct hunt *hunt = &run->hunt;
  return hunt->bad ? hunt->bad_state : hunt->fault ? hunt->fault_state : run->found.deadlock;
}

static void keep_trace(struct run *run) {
  run->result->trace_length = explore_trace(run->explorer, violating_state(run), run->arena, &run->result->trace);
}

static bool leaves_open(const struct program *program) {
  for (unsigned x = 0; x < program->location_count; x++)
    if (location_is_open(program, x)) return true;
  return false;
}

/* Of values that are left open the model has tried a few; asked about one outcome it tries those that lead to it. */
static bool may_be_allowed(struct run *run) {
  if (!run->model || !leaves_open(run->full->program)) return false;
  struct litmus_test asked = *run->full;
  test_observing_ask(run->arena, &asked, run->hunt.bad);
  const struct verdict *verdict = verdict_run(run->arena, &asked, run->model, &run->options->model, NULL);
  return verdict->end != END_DONE || verdict->states.matching > 0;
}

/* What the exploration says, the model's side being complete. */
static void conclude(struct run *run) {
  struct verify_result *result = run->result;
  const struct hunt *hunt = &run->hunt;
  bool cut = run->asking ? run->asking->cut : result->verdict->stats.cut;
  result->answer = VERIFY_SOUND;
  if (run->asking && run->asking->gave_up) {
    undecided(result, MODEL_LIMIT);
    result->unjudged = true;
  } else if (hunt->bad && cut) {
    undecided(result, "the bound on loops cuts the model's executions: raise -unroll");
  } else if (hunt->bad && run->full->kernel && !result->verdict->states.count) {
    undecided(result,
              "the model has no execution that ends: some work-item waits for ever in each, at a barrier or in a "
              "loop");
  } else if (hunt->bad && may_be_allowed(run)) {
    undecided(result, "the model leaves open a value: it is undefined, or of a function that is not computed there");
  } else if (hunt->bad) {
    result->answer = VERIFY_UNSOUND;
    keep_outcome(run);
  } else if (hunt->fault) {
    struct text text = text_new();
    hunt->machine->print_fault(hunt->machine, hunt->fault, text.out);
    result->answer = VERIFY_HAZARD;
    result->reason = text_keep(&text, run->arena);
  } else if (run->found.deadlock != EXPLORE_NO_STATE && !hunt->machine->lacks) {
    result->answer = VERIFY_DEADLOCK;
  } else if (run->found.end != EXPLORE_DONE) {
    undecided(result, explore_end_text(run->found.end));
  } else if (hunt->machine->lacks) {
    undecided(result, hunt->machine->lacks);
  }
  if (!verify_is_violation(result->answer)) result->trace_length = 0;
}

/* An undefined program: how the machine deviates from what it would mean if it
 * were defined, if it does. */
static void deviate(struct run *run) {
  const struct exploration *found = &run->found;
  if (run->hunt.bad) {
    keep_outcome(run);
  } else {
    run->result->trace_length = 0;
    if (found->end != EXPLORE_DONE)
      run->result->reason = arena_printf(run->arena, "%s after %" PRIu64 " states, without a deviation so far",
                                         explore_end_text(found->end), found->stats.states);
  }
}

/* Whether outcomes can be told from the model's at all. */
static bool is_complete(struct verify_result *result) {
  if (result->verdict->end == END_DONE && !result->verdict->stats.cut) return true;
  result->reason = result->verdict->stats.cut
                       ? "no deviations are looked for: the bound on loops cuts the model's executions"
                       : "no deviations are looked for: a limit was reached on the model's side";
  return false;
}

/* Where the bound cuts executions, rounds of loops may yet go of this program. */
static const struct verdict *count_folded(const struct litmus_test *full, const struct cat_model *model,
                                          const struct enumerate_options *options, struct arena *arena) {
  struct enumerate_options folded = *options;
  const struct verdict *counted = verdict_run(arena, full, model, options, NULL);
  if (!counted->stats.cut || counted->end != END_DONE || counted->stats.gave_up) return counted;
  folded.most_work = 0;
  folded.fold = true;
  folded.spin_folds = kernel_verdict_spin_folds(arena, full, model, &folded);
  if (!folded.spin_folds) return counted;
  folded.most_work = options->most_work;
  const struct verdict *whole = verdict_run(arena, full, model, &folded, NULL);
  return whole->stats.cut || whole->end != END_DONE || whole->stats.gave_up ? counted : whole;
}

/* Whether a kernel is undefined; where it is not, its executions are counted if half a second's work does. */
static const struct verdict *ask_of_kernel(const struct litmus_test *full, const struct cat_model *model,
                                           const struct enumerate_options *options, struct arena *arena) {
  struct enumerate_options asked = *options;
  asked.either = true;
  struct verdict *settled = kernel_verdict_run(arena, full, model, &asked);
  settled->partial = true; /* of the solver's answer, too, not all outcomes are known */
  if (undefined(settled) || settled->end != END_DONE) return settled;
  asked = *options;
  asked.most_work = WORK_OF_COUNTING;
  asked.workers = 1;
  const struct verdict *counted = count_folded(full, model, &asked, arena);
  return counted->stats.gave_up ? settled : counted;
}

static bool ask_model(const struct litmus_test *full, const struct cat_model *model,
                      const struct verify_options *options, struct arena *arena, struct verify_result *result) {
  bool settled = full->kernel && !options->strict && kernel_verdict_can(full, model);
  result->verdict = settled ? ask_of_kernel(full, model, &options->model, arena)
                            : verdict_run(arena, full, model, &options->model, NULL);
  if (undefined(result->verdict)) {
    result->answer = VERIFY_UNDEFINED;
  } else if (result->verdict->end != END_DONE) {
    undecided(result, MODEL_LIMIT);
    result->unjudged = true;
  } else {
    return true;
  }
  return false;
}

static bool stop_at_deadlock(void *context, uint32_t state) {
  (void)context;
  (void)state;
  return false;
}

/* false: the test cannot be run on the target. */
static bool explore_once(struct run *run, struct explore_options options) {
  run->hunt = (struct hunt){.allowed = run->result->verdict,
                            .asking = run->asking,
                            .width = run->full->observable_count,
                            .all = run->options->outcomes,
                            .machine = &run->result->machine};
  options.outcome = judge;
  options.context = &run->hunt;
  struct explore_request request = {.program = run->full->program,
                                    .observables = run->full->observables,
                                    .observable_count = run->full->observable_count,
                                    .explorer = run->explorer,
                                    .options = &options,
                                    .arena = run->arena};
  return target_explore(run->target, &request, &run->result->machine, &run->found, run->diags);
}

/* A violation that the reduced search found, once more without reductions: its
 * first is at the end of a shortest run.  Where that search grows too large,
 * the reduced one's is as good as can be had, which the result says. */
static bool explore_shortest(struct run *run) {
  enum { MOST_UNREDUCED = 1 << 17 };
  struct verify_result *result = run->result;
  struct explore_options options = run->options->explore;
  struct run reduced = *run;
  if ((!options.por && !options.symmetry) || run->options->outcomes) return true;
  if (run->hunt.bad) reduced.hunt.bad = ARENA_COPY(run->arena, int64_t, run->hunt.bad, run->hunt.width);
  if (!run->hunt.bad && !run->hunt.fault) options.deadlock = stop_at_deadlock;
  options.por = options.symmetry = false;
  if (options.max_states == 0 || options.max_states > MOST_UNREDUCED) options.max_states = MOST_UNREDUCED;
  if (!explore_once(run, options)) return false;
  if (run->found.end == EXPLORE_STOPPED) {
    keep_trace(run);
    return true;
  }
  result->cut = run->found.end;
  unreduced_run(&result->machine, run->arena, &result->trace, &result->trace_length);
  *run = reduced;
  return true;
}

/* -strict: a run whose execution the model does not have. */
static void keep_execution(struct run *run, const struct machine *inner, const int64_t *bad, uint32_t state) {
  struct verify_result *result = run->result;
  result->answer = VERIFY_UNSOUND;
  result->trace_length = explore_trace(run->explorer, state, run->arena, &result->trace);
  result->reason = arena_printf(run->arena, "A run whose outcome is allowed, but not its execution:\n%s",
                                run->target->kind->follow.describe(run->arena, &result->machine, bad));
  const void *end = result->trace_length ? result->trace[result->trace_length - 1].after : NULL;
  int64_t *outcome = ARENA_ARRAY(run->arena, int64_t, run->full->observable_count + 1);
  for (unsigned i = 0; end && i < run->full->observable_count; i++) outcome[i] = inner->observe(inner, end, i);
  result->outcome = outcome;
  test_observing_ask(run->arena, run->full, outcome);
}

/* Once the outcomes are sound. */
static void check_executions(struct run *run) {
  struct verify_result *result = run->result;
  const struct machine_follow *follow = &run->target->kind->follow;
  const struct machine inner = result->machine;
  const char *refusal = follow->refuses ? follow->refuses(&inner) : "-strict follows the GPU machine only";
  if (refusal) {
    undecided(result, refusal);
    return;
  }
  struct machine strict;
  follow->around(run->arena, &inner, &strict);
  struct strict_search search = {.test = run->full,
                                 .model = run->model,
                                 .model_options = &run->options->model,
                                 .machine = &strict,
                                 .key = follow->key,
                                 .explorer = run->explorer,
                                 .explore_options = &run->options->explore};
  struct strict_result strictly;
  execution_inclusion_find(&search, run->arena, &strictly);
  if (strictly.model != END_DONE) {
    undecided(result, MODEL_LIMIT);
    result->unjudged = true;
  } else if (strictly.bad) {
    result->machine = strict;
    keep_execution(run, &inner, strictly.bad, strictly.bad_state);
  } else if (strictly.found.end != EXPLORE_DONE) {
    undecided(result, explore_end_text(strictly.found.end));
  }
}

/* `defined`: the model gives the program a meaning; otherwise outcomes beyond
 * the model's are deviations, not violations. */
static void run_machine(struct run *run, bool defined) {
  struct verify_result *result = run->result;
  struct explore_options options = run->options->explore;
  bool endless = !defined || result->verdict->stats.cut;
  if (endless && options.max_states == 0) options.max_states = VERIFY_STATES;
  bool ran = explore_once(run, options);
  if (ran) {
    result->stats = run->found.stats;
    result->outcome_count = run->found.outcome_count;
    bool wrong = violating_state(run) != EXPLORE_NO_STATE;
    if (wrong) keep_trace(run);
    if (wrong && run->options->shortest) ran = explore_shortest(run);
  }
  if (!ran)
    result->answer = VERIFY_BAD;
  else if (defined)
    conclude(run);
  else
    deviate(run);
  if (run->options->strict && run->model && result->answer == VERIFY_SOUND) check_executions(run);
}

/* On the full test's machine, for the result. */
static struct run run_of(const struct verifier *verifier, struct litmus_test *full, struct arena *arena,
                         struct verify_result *result, struct diags *diags) {
  return (struct run){.target = verifier->target,
                      .full = full,
                      .options = verifier->options,
                      .explorer = verifier->explorer,
                      .arena = arena,
                      .result = result,
                      .diags = diags};
}

void verify_known(const struct verifier *verifier, const struct litmus_test *test, const struct verdict *verdict,
                  struct arena *arena, struct verify_result *result, struct diags *diags) {
  struct litmus_test *full = ARENA_COPY(arena, struct litmus_test, test, 1);
  *result = (struct verify_result){.answer = VERIFY_BAD, .test = full, .verdict = verdict};
  struct run run = run_of(verifier, full, arena, result, diags);
  run_machine(&run, true);
}

static void verify_once(const struct verifier *v, const struct litmus_test *test, struct arena *arena,
                        struct verify_result *result, struct diags *diags) {
  struct litmus_test *full = test_observing_all(arena, test);
  *result = (struct verify_result){.answer = VERIFY_BAD, .test = full, .unroll = v->options->model.unroll};
  if (!translator_takes(v->target, test, diags) || !target_check(v->target, test->program, arena, diags)) return;
  bool defined = ask_model(full, v->model, v->options, arena, result), undefined = result->answer == VERIFY_UNDEFINED;
  if (!defined && !(undefined && v->target->kind->explains_undefined && is_complete(result))) return;
  struct run run = run_of(v, full, arena, result, diags);
  struct asking asking = {.full = full, .model = v->model, .options = &v->options->model, .arena = arena};
  outcomes_open(&asking.known, arena, full->observable_count);
  if (result->verdict->partial) run.asking = &asking;
  run.model = v->model;
  run_machine(&run, defined);
}

/* Where the bound on loops has hidden whether the model allows what the machine shows, that may be
 * one round too few. */
static bool may_go_deeper(const struct verify_options *options, const struct verify_result *result) {
  enum { DEEPEST = 16 };
  return options->deepen && result->answer == VERIFY_UNDECIDED && result->verdict && result->verdict->end == END_DONE &&
         result->verdict->stats.cut && 2 * options->model.unroll <= DEEPEST;
}

void verify_test(const struct verifier *verifier, const struct litmus_test *test, struct arena *arena,
                 struct verify_result *result, struct diags *diags) {
  struct verify_options options = *verifier->options;
  struct verifier own = *verifier;
  own.options = &options;
  verify_once(&own, test, arena, result, diags);
  while (may_go_deeper(&options, result)) {
    options.model.unroll *= 2;
    verify_once(&own, test, arena, result, diags);
  }
}
