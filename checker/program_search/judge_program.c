/* SPDX-License-Identifier: MIT */
/* One program under one model: a sink of the engine that keeps outcomes and
 * stops at the first undefined execution. */
#include "checker/program_search/judge_program.h"

#include "checker/base/tags.h"
#include "checker/verdict/verdict.h"

struct asking {
  const struct judge_model *model;
  const struct litmus_test *test;
  struct judgement *judgement;
  int64_t *values;
};

static bool is_undefined(const struct asking *a, const struct candidate *found) {
  const struct cat_ir *ir = &a->model->model->ir;
  if (a->model->whatever) return false;
  for (uint32_t i = 0; found->raised && i < ir->check_count; i++) {
    if (!(found->raised[i / 64] >> (i % 64) & 1)) continue;
    if (check_means_undefined(&ir->checks[i], NULL)) return true;
  }
  for (unsigned i = 0; i < found->raised_name_count; i++)
    if (found->raised_undefined[i] || flag_means_undefined(found->raised_names[i])) return true;
  return false;
}

static bool take(void *context, const struct candidate *found) {
  struct asking *a = context;
  if (a->test->filter && !execution_meets(found->execution, a->test->filter)) return true;
  for (unsigned i = 0; i < a->test->observable_count; i++)
    a->values[i] = execution_value(found->execution, a->test->observables[i]);
  if (is_undefined(a, found)) {
    a->judgement->answer = JUDGE_UNDEFINED;
    a->judgement->undefined = a->values;
    return false;
  }
  outcomes_add(&a->judgement->outcomes, a->values);
  return true;
}

void judge_program(const struct judge_model *model, const struct litmus_test *test,
                   const struct enumerate_options *options, struct arena *arena, struct judgement *judgement) {
  struct asking a = {.model = model, .test = test, .judgement = judgement};
  struct enumerate_options own = *options;
  struct enumerate_sink sink = {.context = &a, .consistent = take};
  struct enumerate_stats stats;
  own.skip = model->skip;
  own.fold = own.cut_spins = true; /* rounds of waiting loops in vain show nothing */
  *judgement = (struct judgement){.answer = JUDGE_DEFINED};
  outcomes_open(&judgement->outcomes, arena, test->observable_count);
  a.values = ARENA_ARRAY(arena, int64_t, test->observable_count);
  enum enumerate_end end = enumerate(test, model->model, &own, &sink, &stats);
  if (judgement->answer == JUDGE_UNDEFINED) return;
  if (stats.undefined && !model->whatever) judgement->answer = JUDGE_UNDEFINED;
  if (end != END_DONE || stats.cut) judgement->answer = JUDGE_UNDECIDED;
  outcomes_sort(&judgement->outcomes);
}

bool judge_sees_remote(const struct judge_model *model) {
  const struct cat_ir *ir = &model->model->ir;
  bool sees = ir->dynamic || model->model->judge;
  for (uint32_t i = 0; i < ir->node_count; i++) sees |= tags_have(ir->nodes[i].tags, TAG_REMOTE);
  return sees;
}

const int64_t *judge_difference(const struct judgement *a, const struct judgement *b) {
  for (size_t i = 0; i < a->outcomes.count; i++)
    if (!outcomes_find(&b->outcomes, a->outcomes.at[i].values)) return a->outcomes.at[i].values;
  return NULL;
}

/* Is each outcome of `a` one of `b`? */
static bool judge_includes(const struct judgement *b, const struct judgement *a) {
  return !judge_difference(a, b);
}

enum diff_class judge_compare(const struct judgement *a, const struct judgement *b) {
  if (a->answer == JUDGE_UNDECIDED || b->answer == JUDGE_UNDECIDED) return CLASS_UNDECIDED;
  bool a_undefined = a->answer == JUDGE_UNDEFINED, b_undefined = b->answer == JUDGE_UNDEFINED;
  if (a_undefined && b_undefined) return CLASS_BOTH_UNDEFINED;
  if (a_undefined) return CLASS_ONLY_A_UNDEFINED;
  if (b_undefined) return CLASS_ONLY_B_UNDEFINED;
  bool a_in_b = judge_includes(b, a), b_in_a = judge_includes(a, b);
  if (a_in_b && b_in_a) return CLASS_SAME;
  return b_in_a ? CLASS_A_MORE : a_in_b ? CLASS_B_MORE : CLASS_NEITHER;
}
