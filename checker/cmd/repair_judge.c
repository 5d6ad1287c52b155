/* SPDX-License-Identifier: MIT */
/* Is a changed text what is wanted?  Tests are answered by their outcomes.  Kernels have too many executions for
 * that: each thing that could be wrong is looked for on its own, as `check` does, first what was wrong last time. */
#include "checker/cmd/repair_judge.h"

#include "checker/base/limit.h"
#include "checker/report/log.h"
#include "checker/verdict/kernel_verdict.h"
#include "checker/verdict/nontermination.h"

/* The condition as it must hold: an outcome that the test asks about is one that must not be. One that asks about all
 * of them, as those of small programs do, wants none of them away. */
static void want(const struct repair_judge *judge, struct litmus_test *test) {
  static const struct prop anything = {.kind = PROP_TRUE};
  bool asks_all =
      !judge->given && !test->kernel && test->quantifier == QUANT_EXISTS && test->condition->kind == PROP_TRUE;
  if (judge->race_free_only || judge->ends || asks_all) {
    test->quantifier = QUANT_FORALL;
    test->condition = &anything;
  } else if (!judge->given && !test->kernel && test->quantifier == QUANT_EXISTS) {
    test->quantifier = QUANT_NOT_EXISTS;
  }
}

/* The first outcome that speaks against the condition. */
static const int64_t *wrong_outcome(const struct verdict *v) {
  const struct shown_state shown = {v->test->observables, v->test->observable_count, NULL};
  bool meets_is_wrong = v->test->quantifier == QUANT_NOT_EXISTS;
  for (size_t i = 0; i < v->states.count; i++) {
    struct shown_state one = shown;
    one.values = v->states.at[i].values;
    if (shown_meets(&one, v->test->condition) == meets_is_wrong) return one.values;
  }
  return NULL;
}

static struct reason *reason_new(const struct repair_judge *judge, const char *text) {
  return ARENA_MAKE(judge->arena, struct reason, .text = arena_strdup(judge->arena, text));
}

static struct reason *reason_of_flag(const struct repair_judge *judge, const char *flag) {
  return ARENA_MAKE(judge->arena, struct reason,
                    .text = flag ? arena_printf(judge->arena, "undefined: %s", flag) : "undefined",
                    .flag = flag ? arena_strdup(judge->arena, flag) : NULL);
}

/* ---- executions that speak against a choice ---- */

static void keep(struct repair_judge *judge, struct reason *reason, const struct kept_execution *kept, bool race) {
  if (!kept) return;
  reason->kept = kept;
  reason->race = race;
  *vec_push(judge->arena, &judge->known) = reason;
}

static bool is_undefined(const void *context, const struct cat_check *check) {
  return check_means_undefined(check, ((const struct repair_judge *)context)->limits.bad_flag);
}

static enum recheck_answer recheck_test(const struct repair_judge *judge, const struct reason *reason,
                                        const struct litmus_test *test) {
  if (!reason->kept) return RECHECK_UNKNOWN;
  struct recheck_rules rules = {&enumerate_model(test, judge->model)->ir, judge->limits.skip,
                                reason->race ? is_undefined : NULL, judge};
  return recheck(reason->kept, test->program, test->kernel, &rules);
}

/* The one that spoke against a choice last comes first. */
static const struct reason *known_reason(struct repair_judge *judge, const struct litmus_test *test) {
  for (size_t i = 0; i < judge->known.count && !judge->afresh; i++) {
    struct reason *reason = judge->known.at[i];
    if (recheck_test(judge, reason, test) != RECHECK_POSSIBLE) continue;
    for (size_t j = i; j > 0; j--) judge->known.at[j] = judge->known.at[j - 1];
    judge->known.at[0] = reason;
    judge->rechecked++;
    return reason;
  }
  return NULL;
}

enum repair_answer repair_judge_recheck(void *context, const void *why, const unsigned *choice) {
  struct repair_judge *judge = context;
  struct arena *arena = arena_new();
  const struct litmus_test *test = moves_read(arena, judge->test, &judge->places, choice, &judge->reading);
  enum recheck_answer answer = test ? recheck_test(judge, why, test) : RECHECK_UNKNOWN;
  arena_free(arena);
  return answer == RECHECK_POSSIBLE ? REPAIR_WRONG : answer == RECHECK_IMPOSSIBLE ? REPAIR_RIGHT : REPAIR_UNDECIDED;
}

void repair_judge_print(const struct repair_judge *judge, const struct reason *why, const unsigned *choice, FILE *out) {
  struct arena *arena = arena_new();
  const struct litmus_test *test = moves_read(arena, judge->test, &judge->places, choice, &judge->reading);
  if (test && why->kept) recheck_print(why->kept, test->program, test->kernel, out);
  arena_free(arena);
}

/* The first execution of a search, kept. */
struct keeping {
  struct repair_judge *judge;
  const struct kept_execution *kept;
  bool meets; /* that meets the condition, or that does not */
};

static void keep_told(void *context, const struct execution *execution) {
  struct keeping *k = context;
  if (!k->kept) k->kept = recheck_keep(k->judge->arena, execution);
}

static void keep_seen(void *context, const struct candidate *candidate, bool meets) {
  struct keeping *k = context;
  if (meets == k->meets) keep_told(k, candidate->execution);
}

/* The first that is met is told. */
static void set_limit(struct repair_judge *judge, const char *limit) {
  if (!judge->limit) judge->limit = limit;
}

/* A search ended so, or a bound cut what it followed. */
static enum repair_answer leave_open(struct repair_judge *judge, enum enumerate_end end, const char *cut) {
  if (end != END_DONE) set_limit(judge, log_limit(end));
  judge->cut |= !judge->limit;
  set_limit(judge, cut);
  return REPAIR_UNDECIDED;
}

bool repair_judge_stopped(void *context) {
  struct repair_judge *judge = context;
  bool late = deadline_passed(judge->until);
  bool cancelled = is_cancelled(judge->limits.cancel);
  if (late || cancelled) set_limit(judge, late ? "time limit" : "interrupt");
  return late || cancelled;
}

/* Half of the time that is left: of what takes long it must not be known that nothing else is quick. */
static void share_time(struct repair_judge *judge) {
  double left = judge->until - monotonic_seconds();
  if (judge->until > 0) judge->limits.timeout = left > 0.002 ? left / 2 : 0.001;
}

/* Does some thread go on for ever? */
static enum repair_answer ask_ends(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                   const struct reason **why) {
  struct nontermination stop = nontermination_find(arena, test, judge->model, &judge->limits);
  if (stop.end != END_DONE || (!stop.found && stop.stats.cut))
    return leave_open(judge, stop.end, "loops that may go on (-unroll)");
  if (stop.found) *why = reason_new(judge, "a run that does not end");
  return stop.found ? REPAIR_WRONG : REPAIR_RIGHT;
}

/* ---- outcomes ---- */

static const char LOOP_CUT[] = "a loop was cut (-unroll)";

/* What is wrong with the outcomes; NULL: nothing, or that is not known. */
static struct reason *outcomes_reason(struct repair_judge *judge, const struct verdict *v, struct arena *arena) {
  if (v->bad || v->stats.undefined) return reason_of_flag(judge, verdict_undefined_flag(v));
  if (v->end == END_DONE && !verdict_ok(v) && v->test->quantifier != QUANT_EXISTS) {
    const int64_t *wrong = wrong_outcome(v);
    if (wrong) return reason_new(judge, log_state_text(arena, v->test, wrong));
  }
  if (v->end != END_DONE || v->stats.cut) {
    leave_open(judge, v->end, LOOP_CUT);
    return NULL;
  }
  /* What has no execution at all, as where a barrier waits for ever, is not made right by that. */
  if (!v->partial && !v->states.count) return reason_new(judge, "no execution ends");
  return verdict_ok(v) ? NULL : reason_new(judge, "no such outcome");
}

/* Looks for an execution that is as bad, where the model can be asked for one: outcomes do not tell which. */
static void look_for(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test, bool race,
                     struct reason *reason) {
  const struct cat_ir *ir = &enumerate_model(test, judge->model)->ir;
  struct keeping k = {.judge = judge, .meets = test->quantifier == QUANT_NOT_EXISTS};
  if (!kernel_verdict_can(test, judge->model)) return;
  for (uint32_t c = 0; race && c < ir->check_count && !k.kept; c++)
    if (is_undefined(judge, &ir->checks[c]) && !(judge->limits.skip && judge->limits.skip[c]))
      kernel_verdict_find_raised(arena, test, judge->model, c, &judge->limits,
                                 (struct execution_listener){keep_told, &k});
  if (!race) {
    struct enumerate_options options = judge->limits;
    options.stop_when_known = true;
    verdict_run(arena, test, judge->model, &options,
                &(struct verdict_observer){.context = &k, .consistent = keep_seen});
  }
  keep(judge, reason, k.kept, race);
}

static enum repair_answer ask_outcomes(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                       const struct reason **why) {
  struct enumerate_options options = judge->limits;
  options.stop_when_undefined = true;
  const struct verdict *v = verdict_run(arena, test, judge->model, &options, NULL);
  struct reason *reason = outcomes_reason(judge, v, arena);
  if (reason) {
    look_for(judge, arena, test, v->bad > 0, reason);
    *why = reason;
    return REPAIR_WRONG;
  }
  return v->end != END_DONE || v->stats.cut ? REPAIR_UNDECIDED : REPAIR_RIGHT;
}

/* ---- kernels: question by question ---- */

static const char *const WORK_LIMIT = "work on one change (-timeout SECONDS looks further)";

static enum repair_answer ask_condition(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                        const struct reason **why) {
  struct enumerate_options options = judge->limits;
  struct keeping k = {.judge = judge, .meets = test->quantifier == QUANT_NOT_EXISTS};
  options.stop_when_known = true;
  const struct verdict *v = verdict_run(arena, test, judge->model, &options,
                                        &(struct verdict_observer){.context = &k, .consistent = keep_seen});
  struct reason *reason = v->stats.undefined ? reason_of_flag(judge, verdict_undefined_name(test, &v->stats)) : NULL;
  if (!reason && v->stats.gave_up && !k.kept) return REPAIR_UNDECIDED;
  if (!reason && v->end == END_DONE) reason = outcomes_reason(judge, v, arena);
  if (reason) {
    keep(judge, reason, v->stats.undefined ? NULL : k.kept, false);
    *why = reason;
    return REPAIR_WRONG;
  }
  if (v->end == END_DONE && !v->stats.cut) return REPAIR_RIGHT;
  return leave_open(judge, v->end, LOOP_CUT);
}

/* Has it an execution at all? */
static enum repair_answer ask_some(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                   const struct reason **why) {
  static const struct prop anything = {.kind = PROP_TRUE};
  struct litmus_test some = *test;
  struct enumerate_options options = judge->limits;
  some.condition = &anything;
  some.quantifier = QUANT_EXISTS;
  options.stop_when_known = true;
  const struct verdict *v = verdict_run(arena, &some, judge->model, &options, NULL);
  if (v->end == END_DONE && verdict_ok(v)) return REPAIR_RIGHT;
  if (v->end != END_DONE || v->stats.gave_up) {
    set_limit(judge, v->stats.gave_up ? WORK_LIMIT : log_limit(v->end));
    return REPAIR_UNDECIDED;
  }
  *why = v->stats.undefined ? reason_of_flag(judge, verdict_undefined_name(&some, &v->stats))
                            : reason_new(judge, "no execution ends");
  return REPAIR_WRONG;
}

static enum repair_answer ask_raised(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                     uint32_t check, const struct cat_check *of, const struct reason **why) {
  struct keeping k = {.judge = judge};
  struct execution_listener listener = {keep_told, &k};
  enum enumerate_end end = kernel_verdict_find_raised(arena, test, judge->model, check, &judge->limits, listener);
  if (end == END_STOPPED && !k.kept) return REPAIR_UNDECIDED; /* it gave up */
  if (end == END_STOPPED) {
    struct reason *reason = reason_of_flag(judge, of->name);
    keep(judge, reason, k.kept, true);
    *why = reason;
    return REPAIR_WRONG;
  }
  if (end == END_DONE) return REPAIR_RIGHT;
  set_limit(judge, log_limit(end));
  return REPAIR_UNDECIDED;
}

/* Question 0 is the condition's, the others those of the model's checks. */
static enum repair_answer ask_question(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                       uint32_t question, const struct reason **why) {
  const struct cat_ir *ir = &enumerate_model(test, judge->model)->ir;
  if (!question) return ask_condition(judge, arena, test, why);
  const struct cat_check *check = &ir->checks[question - 1];
  bool asked =
      check_means_undefined(check, judge->limits.bad_flag) && !(judge->limits.skip && judge->limits.skip[question - 1]);
  return asked ? ask_raised(judge, arena, test, question - 1, check, why) : REPAIR_RIGHT;
}

/* All questions, the one first that found something last time: each with little effort before any with more, since one
 * answer is enough where something is wrong.  What would take long is left undecided, unless -timeout says how long:
 * one change in a hundred is not to be all that is looked into. */
static enum repair_answer ask_kernel(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                     const struct reason **why) {
  static const struct {
    uint64_t prefixes, work; /* those of many events are much work each */
  } efforts[] = {{400, 30000000}, {20000, 240000000}, {0, 2400000000}};
  uint32_t count = enumerate_model(test, judge->model)->ir.check_count + 1, left = count;
  bool *right = ARENA_ARRAY(arena, bool, count);
  enum repair_answer answer = REPAIR_RIGHT;
  for (size_t e = 0; e < (judge->soon ? 1 : 3) && left && answer != REPAIR_WRONG; e++) {
    judge->limits.effort = efforts[e].prefixes;
    judge->limits.most_work = judge->until > 0 && !efforts[e].prefixes ? 0 : efforts[e].work;
    for (uint32_t i = 0; i < count && answer != REPAIR_WRONG; i++) {
      uint32_t q = (judge->last + i) % count;
      if (right[q]) continue;
      answer = ask_question(judge, arena, test, q, why);
      right[q] = answer == REPAIR_RIGHT;
      left -= right[q];
      if (answer == REPAIR_WRONG) judge->last = q;
    }
  }
  judge->limits.effort = 0;
  judge->limits.most_work = judge->until > 0 ? 0 : efforts[2].work;
  if (answer == REPAIR_WRONG) return answer;
  if (left && !judge->soon) set_limit(judge, WORK_LIMIT);
  return left ? REPAIR_UNDECIDED : ask_some(judge, arena, test, why);
}

/* ---- */

/* Of a barrier that is put in, it must be known that all get past it. */
static enum repair_answer ask_barriers(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                       const struct reason **why) {
  struct nontermination stop = nontermination_find(arena, test, judge->model, &judge->limits);
  if (!stop.found && stop.end == END_DONE && !stop.stats.cut) return REPAIR_RIGHT;
  *why =
      reason_new(judge, stop.found ? "a run that does not end" : "it is not known that all threads pass the barrier");
  return REPAIR_WRONG;
}

/* `barriers`: some are put in. */
static enum repair_answer ask_test(struct repair_judge *judge, struct arena *arena, const struct litmus_test *test,
                                   bool barriers, const struct reason **why) {
  bool settled = test->kernel && kernel_verdict_can(test, judge->model);
  enum repair_answer answer = (settled ? ask_kernel : ask_outcomes)(judge, arena, test, why);
  if (answer != REPAIR_RIGHT) return answer;
  if (judge->ends) return ask_ends(judge, arena, test, why);
  if (barriers && judge->soon) return REPAIR_UNDECIDED;
  return barriers ? ask_barriers(judge, arena, test, why) : answer;
}

static enum repair_answer ask_read(struct repair_judge *judge, struct arena *arena, const struct litmus_test *read,
                                   bool barriers, const struct reason **why) {
  if (!read) {
    *why = reason_new(judge, "the changed text has an error");
    return REPAIR_WRONG;
  }
  struct litmus_test test = *read;
  want(judge, &test);
  if ((*why = known_reason(judge, &test))) return REPAIR_WRONG;
  share_time(judge);
  return ask_test(judge, arena, &test, barriers, why);
}

/* Are barriers put in? */
static bool has_barriers(const struct repair_judge *judge, const unsigned *choice) {
  for (size_t i = 0; i < judge->places.count; i++)
    if (judge->places.at[i].inserted && judge->places.at[i].forms[choice[i]].strength.kind == STRENGTH_WAITS)
      return true;
  return false;
}

enum repair_answer repair_judge_ask(void *context, const unsigned *choice, bool soon, const void **why) {
  struct repair_judge *judge = context;
  struct arena *arena = arena_new();
  const struct reason *reason = NULL;
  const struct litmus_test *test = moves_read(arena, judge->test, &judge->places, choice, &judge->reading);
  judge->soon = soon;
  enum repair_answer answer = ask_read(judge, arena, test, has_barriers(judge, choice), &reason);
  if (answer == REPAIR_WRONG) *why = reason;
  arena_free(arena);
  return answer;
}

struct undefined repair_judge_undefined(struct repair_judge *judge, const unsigned *choice, struct arena *arena) {
  const struct litmus_test *test = moves_read(arena, judge->test, &judge->places, choice, &judge->reading);
  if (!test || !test->kernel || !kernel_verdict_can(test, judge->model)) return (struct undefined){0};
  share_time(judge);
  const struct verdict *v = kernel_verdict_run(arena, test, judge->model, &judge->limits);
  return undefined_explain(arena, v, judge->model, &judge->limits);
}

enum repair_answer repair_judge_text(struct repair_judge *judge, const struct source *text, const struct reason **why) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct litmus_test *test = litmus_parse(arena, text, &judge->reading, &diags);
  judge->soon = false;
  enum repair_answer answer = ask_read(judge, arena, test, false, why);
  arena_free(arena);
  return answer;
}
