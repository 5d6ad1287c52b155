/* SPDX-License-Identifier: MIT */
/* What joins models in C to the engine: the table of them, and the adapter from
 * the judge's interface to the one that has been written so far,
 * hrf_promotion.h.
 */
#include "checker/models_in_c/models_in_c.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/cat/naming_conventions.h"
#include "checker/exec/execution.h"
#include "checker/models_in_c/hrf_promotion.h"

static bool has_variant(const struct cat_model *model, const char *wanted) {
  return text_index(wanted, model->variants, model->variant_count) >= 0;
}

static struct hrf_readings readings_of(const struct cat_model *model) {
  struct hrf_readings readings = {HRF_NEXT_ACQUIRE, HRF_REACHING};
  if (has_variant(model, "n3")) readings.next = HRF_NEXT_PER_GROUP;
  if (has_variant(model, "n2")) readings.next = HRF_NEXT_SLOT;
  if (has_variant(model, "k2")) readings.inclusion = HRF_MUTUAL;
  if (has_variant(model, "k1")) readings.inclusion = HRF_NESTED;
  return readings;
}

struct interpretation {
  const struct cat_model *model;
  const bool *skip;
  void (*each)(void *context, const struct cat_outcome *outcome);
  void *context;
  unsigned ways;
  const char *failed; /* of the first way, if none is an execution */
};

static bool is_skipped(void *context, const char *axiom) {
  const struct interpretation *i = context;
  const struct cat_ir *ir = &i->model->ir;
  for (uint32_t c = 0; i->skip && c < ir->check_count; c++)
    if (i->skip[c] && !strcmp(ir->checks[c].name, axiom)) return true;
  return false;
}

static bool count_way(void *context, const struct hrf_judgement *judgement) {
  struct interpretation *i = context;
  if (judgement->failed) return true;
  const char *raised[2];
  struct cat_outcome outcome = {raised, (const bool[]){true, true}, 0};
  if (judgement->ordinary_race.found) raised[outcome.raised_count++] = "ordinary_race";
  if (judgement->scope_race.found) raised[outcome.raised_count++] = "scope_race";
  i->ways++;
  i->each(i->context, &outcome);
  return true;
}

static unsigned interpret(const struct cat_model *model, const struct execution *execution, const bool *skip,
                          struct arena *scratch, void (*each)(void *context, const struct cat_outcome *outcome),
                          void *context) {
  struct interpretation i = {model, skip, each, context, 0, NULL};
  hrf_judge(scratch, execution, readings_of(model), is_skipped, count_way, &i);
  return i.ways;
}

static bool keep_failed(void *context, const struct hrf_judgement *judgement) {
  struct interpretation *i = context;
  if (!i->failed || !judgement->failed) i->failed = judgement->failed;
  return judgement->failed != NULL;
}

static const char *failed(const struct cat_model *model, const struct execution *execution, const bool *skip) {
  struct arena *scratch = arena_new();
  struct interpretation i = {.model = model, .skip = skip};
  hrf_judge(scratch, execution, readings_of(model), is_skipped, keep_failed, &i);
  arena_free(scratch);
  return i.failed;
}

struct explanation {
  const struct execution *execution;
  unsigned choice;
  FILE *out;
};

static bool explain_choice(void *context, const struct hrf_judgement *judgement) {
  struct explanation *e = context;
  if (e->choice++) fputs("    or, with another acquire next:\n", e->out);
  hrf_judgement_print(e->execution, judgement, e->out);
  return true;
}

static void explain(const struct cat_model *model, const struct execution *execution, FILE *out) {
  struct arena *scratch = arena_new();
  struct explanation e = {execution, 0, out};
  hrf_judge(scratch, execution, readings_of(model), NULL, explain_choice, &e);
  arena_free(scratch);
}

static const struct cat_judge hrf_promotion = {interpret, failed, explain};

void native_attach(struct cat_model *model) {
  if (convention_holds(NAME_HRF_NATIVE, model->ir.name)) model->judge = &hrf_promotion;
}
