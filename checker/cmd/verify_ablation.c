/* SPDX-License-Identifier: MIT */
/* `verify -ablate`: a mapping with one step changed at a time. */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/verify_campaigns.h"
#include "checker/report/sweep_json.h"
#include "checker/verify/mapping_ablation.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/mapping.h"

static bool is_needed(const struct ablation *a) {
  return !strcmp(ablation_answer(a), "needed");
}

static void print_key(const struct ablation *a, FILE *out) {
  static const char *const SCOPES[] = {[SCOPE_DEV] = "DV", [SCOPE_SYS] = "SY"};
  fprintf(out, "\n%s%s %s: ", SCOPES[a->key.scope], a->key.remote ? " remote" : "", mapping_kind_name(a->key.kind));
}

static void print_ablation(const struct ablation *a, FILE *out) {
  char counts[64], stuck[32] = "";
  snprintf(counts, sizeof counts, "%" PRIu64 "/%" PRIu64, a->unsound[0], a->unsound[1]);
  if (a->stuck[1]) snprintf(stuck, sizeof stuck, " stuck %" PRIu64, a->stuck[1]);
  fprintf(out, "  %-46s %9s of %-5" PRIu64 "%s %-10s ", a->change, counts, a->race_free, stuck, ablation_answer(a));
  if (a->found[0]) small_print(&a->smallest[0], out);
  bool same = a->found[0] && small_size(&a->smallest[0]) == small_size(&a->smallest[1]);
  if (a->found[1] && !same) {
    fputs(a->found[0] ? "; any order: " : "any order: ", out);
    small_print(&a->smallest[1], out);
  }
  fputc('\n', out);
}

static bool is_undecided(const struct ablation *a) {
  return !strcmp(ablation_answer(a), "undecided");
}

static void print_ablations(const struct target *target, const struct ablate_result *result, FILE *out) {
  fprintf(out, "Mapping %s, one change at a time: programs made unsound, write-back in order / in any order\n",
          target->name);
  fprintf(out, "Core of %" PRIu64 " programs, %" PRIu64 " race-free", result->programs, result->race_free);
  if (result->model_undecided) fprintf(out, ", %" PRIu64 " undecided", result->model_undecided);
  fputc('\n', out);
  for (size_t i = 0; i < result->count; i++) {
    const struct ablation *a = &result->at[i];
    if (i == 0 || !mapping_key_equal(a[-1].key, a->key)) {
      print_key(a, out);
      mapping_cell_print(mapping_find(target->mapping, a->key), out);
      fputc('\n', out);
    }
    print_ablation(a, out);
  }
  size_t needed = 0, undecided = 0;
  for (size_t i = 0; i < result->count; i++) {
    needed += is_needed(&result->at[i]);
    undecided += is_undecided(&result->at[i]);
  }
  fprintf(out, "\nChanges %zu\nBreaking %zu\nHarmless %zu\n", result->count, needed,
          result->count - needed - undecided);
  if (undecided) fprintf(out, "Undecided %zu\n", undecided);
}

/* A test case for each change: that it was decided is what can fail. */
static int add_ablation_results(struct result_files *files, const struct target *target,
                                const struct ablate_result *result) {
  struct arena *arena = files->call->arena;
  int status = STATUS_DONE;
  ARRAY_EACH (const struct ablation, a, result->at, result->count) {
    const char *name = arena_printf(arena, "%s: %s", mapping_key_text(arena, a->key), a->change);
    bool decided = !is_undecided(a);
    status = status_join(
        status, result_files_add_result(files, (struct result){.test = name,
                                                               .file = "",
                                                               .subject = target->name,
                                                               .verdict = ablation_answer(a),
                                                               .kind = decided ? RESULT_DONE : RESULT_LIMIT,
                                                               .message = decided ? NULL : "a limit was reached"}));
  }
  return status;
}

struct ablating {
  struct arena *arena;
  const struct target *targets;
  size_t count;
  const struct cat_model *model;
  struct ablate_options options;
};

static bool ablate_targets(void *context, struct parts *parts, struct diags *diags) {
  const struct ablating *a = context;
  (void)diags;
  return ablate_run(parts, a->targets, a->count, a->model, &a->options);
}

static int print_changes(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct ablating *a = context;
  const struct target *target = &a->targets[subject];
  struct ablate_result result = ablate_sum(a->arena, parts, a->targets, subject);
  result.stopped = stopped;
  print_ablations(target, &result, files->out);
  fprintf(files->out, "Time %s %.2f\n\n", target->name, result.seconds);
  json_write_ablations(result_files_begin_json(files), target->name, a->model->ir.name, &result);
  result_files_end_json(files);
  return add_ablation_results(files, target, &result);
}

static bool is_asked(const struct verify_request *request) {
  return option_on(request->call, OPTION_ABLATE);
}

static int run_campaign(const struct verify_request *request) {
  struct invocation *call = request->call;
  const struct hardware *hardware = request->hardware;
  struct diags diags = diags_new(call->arena);
  for (size_t i = 0; i < hardware->named; i++)
    if (!hardware->at[i].mapping)
      diag_fail(&diags, "-ablate changes mappings: machine %s takes none", hardware->at[i].name);
  if (diags.errors) return diags_report(&diags);
  struct ablating a = {.arena = call->arena, .model = request->model, .options = {request->options, option_jobs(call)}};
  a.options.verify.shortest = false;
  a.targets = hardware_of_kind(hardware, &gpu_kind, call->arena, &a.count);
  const struct campaign campaign = {.context = &a,
                                    .subjects = a.count,
                                    .cancel = request->options.explore.cancel,
                                    .run = ablate_targets,
                                    .print = print_changes};
  return campaign_run(call, &campaign);
}

const struct verify_campaign verify_ablation = {.is_asked = is_asked, .of_opencl = true, .run = run_campaign};
