/* SPDX-License-Identifier: MIT */
/* Warnings of `check`, one function for each thing that a verdict leaves open. */
#include "checker/cmd/check_warnings.h"

#include <inttypes.h>

#include "checker/cmd/stuck_barriers.h"
#include "checker/explain/unset_read.h"

static void warn_of_endless(const struct verdict *v, struct test_output *output) {
  bool none = !v->test->kernel && v->end == END_DONE && !v->partial && !v->states.count && !v->test->filter;
  struct diags diags = diags_new(output->arena);
  if (v->test->kernel && stuck_barriers_warn(output->arena, v->test, &diags)) diags_print(&diags, output->err);
  if (!v->endless && !(none && v->stats.cut)) return;
  if (v->stats.cut)
    fprintf(output->err,
            "%s: warning: no execution of %s is found that ends before its loops are cut, so that the condition says "
            "nothing: -unroll follows them further\n",
            v->test->source->name, v->test->name);
  else
    fprintf(
        output->err,
        "%s: warning: no execution of %s ends: some work-item waits for ever in each, at a barrier or in a loop, so "
        "that the condition says nothing\n",
        v->test->source->name, v->test->name);
}

static void warn_of_filter(const struct verdict *v, struct test_output *output) {
  if (verdict_filters_all(v))
    fprintf(output->err,
            "%s: warning: no execution of %s that ends passes its filter, so that the condition says nothing\n",
            v->test->source->name, v->test->name);
}

/* Who writes tests knows herd's word for it, `Loop`. */
static void warn_of_cut(const struct verdict *v, uint64_t rounds, struct test_output *output) {
  bool told = v->endless || !v->test->kernel;
  if (v->stats.cut && !told && v->states.count && verdict_by_absence(v) && !verdict_undefined_flag(v))
    fprintf(output->err,
            "%s: warning: loops of %s were followed for %" PRIu64
            " round%s: what happens after more is not known (-unroll N follows them further)\n",
            v->test->source->name, v->test->name, rounds, rounds == 1 ? "" : "s");
}

static void warn_of_samples(const struct verdict *v, struct test_output *output) {
  if (v->stats.sampled && verdict_by_absence(v))
    fprintf(output->err,
            "%s: warning: %s computes with values that nothing sets: a few of them were tried, and others may give "
            "other states\n",
            v->test->source->name, v->test->name);
}

/* What is undefined is looked for with less effort than what the condition is about. */
static void warn_of_operations(const struct verdict *v, struct test_output *output) {
  if (v->operations_open)
    fprintf(output->err,
            "%s: warning: whether %s divides by 0 or gets outside an array was looked into for its first executions "
            "alone (-engine solve looks into all)\n",
            v->test->source->name, v->test->name);
}

/* A kernel whose condition fails by what local memory held before anything was stored there. */
static void warn_of_unset(const struct verdict *v, const struct cat_model *model,
                          const struct enumerate_options *options, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct exhibit_options one = {.show = SHOW_WIT, .first = true, .most = 1};
  bool found = v->test->kernel && v->end == END_DONE && !verdict_ok(v) && !v->empty && !verdict_by_absence(v);
  found &= !verdict_undefined_flag(v);
  if (!found) return;
  unset_read_warn(v->test, model, options, &one, &diags);
  diags_print(&diags, output->err);
}

void check_warn(const struct invocation *call, const struct verdict *v, const struct cat_model *model,
                const struct enumerate_options *options, struct test_output *output) {
  if (option_on(call, OPTION_QUIET)) return;
  warn_of_endless(v, output);
  warn_of_filter(v, output);
  warn_of_cut(v, option_number(call, OPTION_UNROLL), output);
  warn_of_samples(v, output);
  warn_of_operations(v, output);
  warn_of_unset(v, model, options, output);
}
