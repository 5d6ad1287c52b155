/* SPDX-License-Identifier: MIT */
/* `verify -family`: a mapping, or a translation, on every program of a family. */
#include <string.h>

#include "checker/cmd/campaign.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/sweep_report.h"
#include "checker/cmd/verify_campaigns.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/translate/model_as_machine.h"
#include "checker/verify/mapping_sweep.h"

/* The smallest counterexample in full. */
static void print_example(const struct verify_result *result, FILE *out) {
  if (result->answer == VERIFY_HAZARD) fprintf(out, "Hazard %s\n", result->reason);
  if (result->outcome) fprintf(out, "Outcome %s\n", result->test->condition_text + strlen("exists "));
  hardware_print_run(&result->machine, result->trace, result->trace_length, out);
  fputc('\n', out);
}

/* One mapping's result, everywhere it is wanted. */
static int write_sweep(struct result_files *files, const struct target *target, const struct cat_model *model,
                       struct verify_options options, const struct sweep_result *r) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct diags diags = diags_new(arena);
  struct verify_result example;
  options.explore.cancel = options.model.cancel = NULL; /* it is small, and wanted after an interrupt too */
  struct verifier verifier = {target, model, &options, explorer};
  if (r->found) verify_test(&verifier, small_test(arena, &r->smallest), arena, &example, &diags);
  bool shown = r->found && verify_is_violation(example.answer);
  int status = sweep_report(files, option_text(files->call, OPTION_VERIFY_FAMILY), target->name, model->ir.name, r,
                            shown ? &example : NULL);
  if (shown)
    print_example(&example, files->out);
  else if (r->found)
    fprintf(stderr, "litscope: %s: a limit was reached: the run of the smallest program is missing\n", target->name);
  if (r->found)
    status = status_join(
        status, families_write_smallest(files->call, &r->smallest,
                                        shown && example.outcome ? example.test->condition_text : "exists (true)",
                                        target->name));
  explorer_free(explorer);
  arena_free(arena);
  return status;
}

/* Any program of the family is as good as another. */
static const struct target *targets_of_family(struct invocation *call, const struct hardware *hardware, size_t *count) {
  struct small_program program;
  small_read("Wxn1|Rxn", &small_opencl, &program);
  return hardware_targets(hardware, small_test(call->arena, &program)->program, call->arena, count);
}

struct mapping_sweep {
  const struct target *targets;
  const struct cat_model *model;
  struct sweep_options sweep;
  struct verify_options options; /* with the shortest runs, of the smallest programs */
  uint64_t programs;             /* about so many */
  size_t count;                  /* of targets */
};

static bool sweep_targets(void *context, struct parts *parts, struct diags *diags) {
  struct mapping_sweep *e = context;
  (void)diags;
  return sweep_run(parts, e->targets, e->count, e->programs, e->model, &e->sweep);
}

static int print_target(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct mapping_sweep *e = context;
  struct sweep_result result = sweep_sum(parts, subject, e->programs, e->sweep.family.language);
  result.stopped = stopped;
  return write_sweep(files, &e->targets[subject], e->model, e->options, &result);
}

static bool is_asked(const struct verify_request *request) {
  return option_given(request->call, OPTION_VERIFY_FAMILY);
}

static int run_campaign(const struct verify_request *request) {
  struct invocation *call = request->call;
  struct diags diags = diags_new(call->arena);
  struct mapping_sweep e = {.model = request->model, .options = request->options, .sweep.workers = option_jobs(call)};
  if (!small_family_read(call->arena, option_text(call, OPTION_VERIFY_FAMILY), "-family", &small_opencl,
                         &e.sweep.family, &diags) ||
      !models_check_programs(call, request->model, request->model->ir.name, e.sweep.family.language->tests, &diags))
    return diags_report(&diags);
  e.sweep.verify = e.options;
  e.sweep.verify.shortest = false;
  e.targets = targets_of_family(call, request->hardware, &e.count);
  if (hardware_all(e.targets, e.count, &translated_kind)) small_family_without_remote(&e.sweep.family);
  e.programs = small_estimate(&e.sweep.family);
  const struct campaign campaign = {.context = &e,
                                    .subjects = e.count,
                                    .cancel = e.options.explore.cancel,
                                    .run = sweep_targets,
                                    .print = print_target};
  return campaign_run(call, &campaign);
}

const struct verify_campaign verify_mapping = {.is_asked = is_asked, .of_opencl = true, .run = run_campaign};
