/* SPDX-License-Identifier: MIT */
/* `verify -target -family` and `verify -target -ablate`: what compilers emit for families of programs; and what can be
 * left out of translations. */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/sweep_report.h"
#include "checker/cmd/verify_campaigns.h"
#include "checker/report/sweep_json.h"
#include "checker/translate/model_as_machine.h"
#include "checker/verify/target_code_ablation.h"
#include "checker/verify/target_code_sweep.h"

/* What the sweeps of one call share. */
struct sweeping {
  struct invocation *call;
  struct small_family family;
  struct small_list programs;
  struct compiled_options options;
  struct target_code_sweep sweep;
  const struct target_code_ablation **ablations; /* by target */
};

/* A test case for each change; that some are not needed is no failure. */
static void add_ablations(const struct sweeping *s, struct result_files *files, const char *name,
                          const struct compiled_ablations *result) {
  for (size_t i = 0; i < result->count; i++) {
    const char *answer = compiled_ablation_answer(&result->at[i]);
    bool limited = result->stopped || !strcmp(answer, "undecided");
    result_files_add_result(files, (struct result){.test = result->at[i].change,
                                                   .file = "",
                                                   .subject = name,
                                                   .verdict = answer,
                                                   .kind = limited ? RESULT_LIMIT : RESULT_DONE,
                                                   .message = limited ? "a limit was reached" : NULL});
  }
  json_write_compiled_ablations(result_files_begin_json(files), s->family.name, name, s->sweep.model->ir.name, result);
  result_files_end_json(files);
}

/* Of a family that has a name every third program is enough to meet every kind of
 * instruction; of a file, all are meant. */
static unsigned ablate_every(const struct sweeping *s) {
  return s->family.from_file ? 1 : 3;
}

/* What was needed nowhere, and whether all of it is too much. */
static void print_spare(const struct compiled_ablations *r, FILE *out) {
  size_t removable = 0;
  ARRAY_EACH (const struct compiled_ablation, a, r->at, r->count) {
    if (a->needed || a->hazards) continue;
    fprintf(out, "%s: %s\n",
            a->undecided ? "Undecided"
            : a->goes    ? "Could go"
                         : "Could go alone, but not with these",
            a->change);
    removable++;
  }
  if (!removable) fputs("Could go: none\n", out);
}

static void print_left_out(const struct target_code_ablation *ablation, const struct target_code_family *family,
                           FILE *out) {
  if (!ablation->left_out) return;
  fprintf(out, "Left-out %zu, such as ", ablation->left_out);
  small_print(&target_code_family_program(family, ablation->first_left_out)->program, out);
  fprintf(out, "%s%s\n", ablation->reason ? ": " : "", ablation->reason ? ablation->reason : "");
}

static void print_ablations(const struct sweeping *s, size_t subject, const struct compiled_ablations *result,
                            FILE *out) {
  fprintf(out, "Target %s, one emitted instruction or bit left out at a time: occurrences, of which unsound, hazards\n",
          s->sweep.targets[subject].name);
  fprintf(out, "Programs %" PRIu64 "\nChanges %" PRIu64 "\n", result->programs, result->explored);
  print_left_out(s->ablations[subject], s->sweep.family, out);
  ARRAY_EACH (const struct compiled_ablation, a, result->at, result->count) {
    fprintf(out, "%-44s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 "  ", a->change, a->occurs, a->needed, a->hazards);
    if (a->smallest) small_print(&a->smallest->program, out);
    fputc('\n', out);
  }
  if (!result->stopped) print_spare(result, out);
  fputc('\n', out);
}

static bool sweep_targets(void *context, struct parts *parts, struct diags *diags) {
  const struct sweeping *s = context;
  return target_code_run(parts, &s->sweep, diags);
}

static int print_target(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct sweeping *s = context;
  struct sweep_result result;
  target_code_sum(s->call->arena, parts, &s->sweep, subject, &result);
  result.stopped = stopped;
  int status =
      sweep_report(files, s->family.name, s->sweep.targets[subject].name, s->sweep.model->ir.name, &result, NULL);
  for (unsigned i = 0; i < result.kind_count; i++)
    status = status_join(status, families_write_smallest(s->call, &result.kinds[i].smallest->program, "exists (true)",
                                                         s->sweep.targets[subject].name));
  return status;
}

/* What the parts of ablations share. */
struct ablating {
  const struct target_code_ablation **ablations; /* by target */
  uint64_t parts;                                /* of a target */
  const atomic_int *cancel;
};

static bool ablate_part(void *context, uint64_t part, FILE *out) {
  const struct ablating *a = context;
  ablation_do_part(a->ablations[part / a->parts], part % a->parts, out);
  return !*a->cancel;
}

static struct ablating ablating_of(const struct sweeping *s) {
  return (struct ablating){s->ablations, ablation_parts(target_code_family_count(s->sweep.family), ablate_every(s)),
                           s->options.explore.cancel};
}

/* Every process finds the sound programs; what is divided is their changes. */
static bool ablate_targets(void *context, struct parts *parts, struct diags *diags) {
  const struct sweeping *s = context;
  struct ablating a = ablating_of(s);
  for (size_t i = 0; i < s->sweep.target_count; i++)
    if (!(s->ablations[i] = target_code_ablation_new(s->call->arena, s->sweep.family, &s->sweep.targets[i], &s->options,
                                                     ablate_every(s), diags)))
      return false;
  parts_set_total(parts, a.parts * s->sweep.target_count);
  parts_run(parts, s->options.workers, ablate_part, &a);
  return true;
}

static int print_changes(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct sweeping *s = context;
  const char *name = s->sweep.targets[subject].name;
  struct compiled_ablations result = {0};
  uint64_t count = ablating_of(s).parts;
  ablation_sum(s->call->arena, s->ablations[subject], parts, subject * count, count, &result);
  result.stopped = stopped;
  result.left_out = s->ablations[subject]->left_out;
  print_ablations(s, subject, &result, files->out);
  add_ablations(s, files, name, &result);
  bool undecided = result.left_out > 0;
  for (size_t i = 0; i < result.count; i++) undecided |= !strcmp(compiled_ablation_answer(&result.at[i]), "undecided");
  return undecided ? STATUS_LIMIT : STATUS_DONE;
}

static bool is_asked(const struct verify_request *request) {
  const struct hardware *hardware = request->hardware;
  return option_given(request->call, OPTION_TARGET) ||
         (option_on(request->call, OPTION_ABLATE) && hardware_all(hardware->at, hardware->named, &translated_kind));
}

static int run_campaign(const struct verify_request *request) {
  struct invocation *call = request->call;
  const struct hardware *hardware = request->hardware;
  struct diags diags = diags_new(call->arena);
  struct sweeping s = {.call = call};
  const char *name = option_text(call, OPTION_VERIFY_FAMILY);
  if (!name) name = option_on(call, OPTION_ABLATE) ? "M3" : "guarded";
  if (!families_compiled(call, name, hardware, &s.family, &s.programs, &diags)) return diags_report(&diags);
  s.options = (struct compiled_options){
      .model = request->options.model, .explore = request->options.explore, .workers = option_jobs(call)};
  bool ablate = option_on(call, OPTION_ABLATE);
  s.sweep =
      (struct target_code_sweep){ablate ? target_code_family_new(call->arena, &s.programs, request->model, &s.options)
                                        : target_code_family_open(call->arena, &s.programs, &s.options),
                                 request->model, hardware->at, hardware->named, &s.options};
  s.ablations = ARENA_ARRAY(call->arena, const struct target_code_ablation *, hardware->named + 1);
  const struct campaign campaign = {.context = &s,
                                    .subjects = hardware->named,
                                    .cancel = s.options.explore.cancel,
                                    .run = ablate ? ablate_targets : sweep_targets,
                                    .print = ablate ? print_changes : print_target};
  return campaign_run(call, &campaign);
}

const struct verify_campaign verify_target_code = {.is_asked = is_asked, .of_opencl = true, .run = run_campaign};
