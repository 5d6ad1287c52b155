/* SPDX-License-Identifier: MIT */
/* `check -certify`: a certificate of the tree of decisions that the search takes, or of what a solver has shown. */
#include "checker/cmd/check_certificate.h"

#include "checker/cmd/machine_options.h"
#include "checker/exec/search/record_decision_tree.h"
#include "checker/report/write_certificate.h"
#include "checker/solve/proof.h"
#include "checker/verdict/kernel_verdict.h"

/* The verdict, with a certificate of it. */
static struct verdict *certify_search(const struct litmus_test *test, const struct loaded_model *loaded,
                                      const struct enumerate_options *options, struct test_output *output) {
  struct enumerate_options recorded = *options;
  struct text tree = text_new();
  struct record record = {.out = tree.out};
  const char *lacks = certificate_refusal(test, loaded->model);
  recorded.workers = 1;
  if (!lacks) recorded.record = &record;
  if (!lacks) recorded.cut_spins = false; /* a kernel's too: what is cut so is no branch that closes */
  struct verdict *v = verdict_run(output->arena, test, loaded->model, &recorded, NULL);
  const char *text = text_keep(&tree, output->arena);
  if (v->end != END_DONE) return v;
  if (v->stats.merged) lacks = "that executions are one which only orders tell apart at which the model does not look";
  if (lacks)
    hardware_refuse_certificate(output, test, loaded->name, lacks);
  else
    certificate_write(output->certificate, v, loaded->model, &recorded, text);
  return v;
}

/* Is the proof's answer the verdict's?  The two are found by formulas of their own. */
static bool agrees(const struct proof *proof, const struct verdict *v) {
  return proof->met == (v->states.matching > 0) && proof->violated == (v->states.failing > 0);
}

/* Of a kernel, does an execution that ends raise what some raises? */
static bool raises_all(const struct proof *proof, const struct verdict *v, const struct cat_model *model) {
  const struct cat_ir *ir = &enumerate_model(v->test, model)->ir;
  for (uint32_t i = 0; v->test->kernel && i < ir->check_count; i++)
    if (ir->checks[i].role != ROLE_REQUIRE && FIND_ROW(v->flags, v->flag_count, name, ir->checks[i].name) &&
        !proof->raised[i])
      return false;
  return true;
}

/* The solver's verdict, with a certificate of it. */
static struct verdict *certify_solved(const struct litmus_test *test, const struct loaded_model *loaded,
                                      const struct enumerate_options *options, struct test_output *output) {
  struct proof proof;
  const char *lacks = certificate_refusal(test, loaded->model);
  struct verdict *v = kernel_verdict_settle(output->arena, test, loaded->model, options);
  if (!lacks && test->kernel && (v->stats.undefined || v->any_outcome))
    lacks = "kernels with undefined operations, or whose condition races leave open, in what a solver has shown";
  if (v->end != END_DONE || lacks) {
    if (lacks) hardware_refuse_certificate(output, test, loaded->name, lacks);
    return v;
  }
  const char *solved =
      TEXT_PRINTED(output->arena, out, v->end = proof_write(out, test, loaded->model, options, output->arena, &proof));
  if (v->end == END_DONE && !proof.lacks && !agrees(&proof, v)) proof.lacks = "two answers that differ";
  if (v->end == END_DONE && !proof.lacks && !raises_all(&proof, v, loaded->model))
    proof.lacks = "kernels that are undefined only where something does not end";
  if (v->end == END_DONE && proof.lacks)
    hardware_refuse_certificate(output, test, loaded->name,
                                arena_printf(output->arena, "%s in what a solver has shown", proof.lacks));
  else if (v->end == END_DONE)
    certificate_write_solved(output->certificate, v, loaded->model, options, proof.raised, solved);
  return v;
}

struct verdict *check_certify(const struct litmus_test *test, const struct loaded_model *loaded,
                              const struct enumerate_options *options, struct test_output *output) {
  return options->solve ? certify_solved(test, loaded, options, output) : certify_search(test, loaded, options, output);
}
