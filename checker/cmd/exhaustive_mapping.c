/* SPDX-License-Identifier: MIT */
/* `verify -family` and `verify -ablate`: families of generated programs. */
#include "checker/cmd/exhaustive_mapping.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/family_options.h"
#include "checker/report/sweep_json.h"
#include "checker/translate/kind.h"
#include "checker/verify/ablate.h"
#include "checker/verify/sweep.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/mapping.h"

/* -family */

/* The smallest counterexample in full. */
static void print_example(const struct verify_result *result, FILE *out) {
  if (result->answer == VERIFY_HAZARD) fprintf(out, "Hazard %s\n", result->reason);
  if (result->outcome) fprintf(out, "Outcome %s\n", result->test->condition_text + strlen("exists "));
  hardware_print_run(&result->machine, result->trace, result->trace_length, out);
  fputc('\n', out);
}

/* One mapping's result, everywhere it is wanted. */
static int write_sweep(struct sweep_files *files, const struct target *target, const struct cat_model *model,
                       struct verify_options options, const struct sweep_result *r) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct diags diags = diags_new(arena);
  struct verify_result example;
  options.explore.cancel = options.model.cancel = NULL; /* it is small, and wanted after an interrupt too */
  if (r->found)
    verify_test(target, small_test(arena, &r->smallest), model, &options, explorer, arena, &example, &diags);
  bool shown = r->found && verify_is_violation(example.answer);
  int status = sweep_files_add_sweep(files, option_text(files->call, OPTION_EXHAUSTIVE), target->name, model->ir.name,
                                     r, shown ? &example : NULL);
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
  small_read("Wxn1|Rxn", LANG_OPENCL, &program);
  return hardware_targets(hardware, small_test(call->arena, &program)->program, call->arena, count);
}

struct exhaustive {
  const struct target *targets;
  const struct cat_model *model;
  struct sweep_options sweep;
  struct verify_options options; /* with the shortest runs, of the smallest programs */
  uint64_t programs;             /* about so many */
  size_t count;                  /* of targets */
};

static bool all_translate(const struct exhaustive *e) {
  for (size_t i = 0; i < e->count; i++)
    if (e->targets[i].kind != &translated_kind) return false;
  return true;
}

static bool sweep_targets(void *context, struct parts *parts, struct diags *diags) {
  struct exhaustive *e = context;
  (void)diags;
  return sweep_run(parts, e->targets, e->count, e->programs, e->model, &e->sweep);
}

static int print_target(void *context, struct parts *parts, size_t subject, bool stopped, struct sweep_files *files) {
  const struct exhaustive *e = context;
  struct sweep_result result = sweep_sum(parts, subject, e->programs, e->sweep.family.language);
  result.stopped = stopped;
  return write_sweep(files, &e->targets[subject], e->model, e->options, &result);
}

int sweeps_exhaustive(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                      struct verify_options options) {
  struct diags diags = diags_new(call->arena);
  struct exhaustive e = {.model = model, .sweep.workers = campaign_workers(call)};
  if (!small_family_read(call->arena, option_text(call, OPTION_EXHAUSTIVE), "-family", LANG_OPENCL, &e.sweep.family,
                         &diags))
    return diags_report(&diags);
  options.explore.cancel = options.model.cancel = tests_watch_limits(call);
  options.model.workers = 1;
  e.options = e.sweep.verify = options;
  e.sweep.verify.shortest = false;
  e.targets = targets_of_family(call, hardware, &e.count);
  if (all_translate(&e)) small_family_without_remote(&e.sweep.family);
  e.programs = small_estimate(&e.sweep.family);
  const struct campaign campaign = {.context = &e,
                                    .subjects = e.count,
                                    .cancel = options.explore.cancel,
                                    .run = sweep_targets,
                                    .print = print_target};
  return campaign_run(call, &campaign);
}

/* -ablate */

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
static int add_ablation_results(struct sweep_files *files, const struct target *target,
                                const struct ablate_result *result) {
  struct arena *arena = files->call->arena;
  int status = STATUS_DONE;
  for (size_t i = 0; i < result->count; i++) {
    const struct ablation *a = &result->at[i];
    struct text name;
    text_open(&name);
    mapping_key_print(a->key, name.out);
    fprintf(name.out, ": %s", a->change);
    bool decided = !is_undecided(a);
    status = status_join(
        status, sweep_files_add_result(files, (struct result){.test = text_keep(&name, arena),
                                                              .file = "",
                                                              .subject = target->name,
                                                              .verdict = ablation_answer(a),
                                                              .kind = decided ? RESULT_DONE : RESULT_LIMIT,
                                                              .message = decided ? NULL : "a limit was reached"}));
  }
  return status;
}

static int refuse_ablation(struct invocation *call, const struct target *target) {
  struct diags diags = diags_new(call->arena);
  diag_error(&diags, NULL, (struct span){0}, "-ablate changes mappings: machine %s takes none", target->name);
  return diags_report(&diags);
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

static int print_changes(void *context, struct parts *parts, size_t subject, bool stopped, struct sweep_files *files) {
  const struct ablating *a = context;
  const struct target *target = &a->targets[subject];
  double seconds;
  struct ablate_result result = ablate_sum(a->arena, parts, a->targets, subject, &seconds);
  result.stopped = stopped;
  print_ablations(target, &result, files->out);
  fprintf(files->out, "Time %s %.2f\n\n", target->name, seconds);
  json_write_ablations(sweep_files_begin_json(files), target->name, a->model->ir.name, &result, seconds);
  sweep_files_end_json(files);
  return add_ablation_results(files, target, &result);
}

int sweeps_ablate(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                  struct verify_options options) {
  for (size_t i = 0; i < hardware->named; i++)
    if (!hardware->at[i].mapping) return refuse_ablation(call, &hardware->at[i]);
  options.explore.cancel = options.model.cancel = tests_watch_limits(call);
  options.model.workers = 1;
  options.shortest = false;
  struct ablating a = {.arena = call->arena, .model = model, .options = {options, campaign_workers(call)}};
  a.targets = hardware_of_kind(hardware, &gpu_kind, call->arena, &a.count);
  const struct campaign campaign = {.context = &a,
                                    .subjects = a.count,
                                    .cancel = options.explore.cancel,
                                    .run = ablate_targets,
                                    .print = print_changes};
  return campaign_run(call, &campaign);
}
