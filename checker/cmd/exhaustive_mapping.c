/* SPDX-License-Identifier: MIT */
/* `verify -family` and `verify -ablate`: families of generated programs. */
#include "checker/cmd/exhaustive_mapping.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/campaign.h"
#include "checker/report/sweep_json.h"
#include "checker/translate/kind.h"
#include "checker/verify/ablate.h"
#include "checker/verify/sweep.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/mapping.h"

/* -family */

static void print_summary(const struct target *target, const struct sweep_result *r, double seconds, FILE *out) {
  fprintf(out, "Mapping %s\n", target->name);
  fprintf(out, "Programs %" PRIu64 "\nRacy %" PRIu64 "\nRace-free %" PRIu64 "\n", r->programs,
          r->programs - r->race_free - r->unjudged - r->no_cell, r->race_free);
  if (r->unjudged) fprintf(out, "Racy-or-race-free %" PRIu64 "\n", r->unjudged);
  if (r->no_cell) fprintf(out, "No-cell %" PRIu64 "\n", r->no_cell);
  fprintf(out, "Sound %" PRIu64 "\nUnsound %" PRIu64 "\nDeadlock %" PRIu64 "\nUndecided %" PRIu64 "\n", r->sound,
          r->unsound, r->deadlocks, r->undecided);
  fprintf(out, "States-explored %" PRIu64 "\n", r->states);
  if (r->found) {
    fputs("Smallest ", out);
    small_print(&r->smallest, out);
    fputc('\n', out);
  }
  fprintf(out, "Time %s %.2f\n\n", target->name, seconds);
}

/* The smallest counterexample in full. */
static void print_example(const struct verify_result *result, FILE *out) {
  if (result->outcome) fprintf(out, "Outcome %s\n", result->test->condition_text + strlen("exists "));
  hardware_print_run(&result->machine, result->trace, result->trace_length, out);
  fputc('\n', out);
}

static void add_result(struct sweep_files *files, const struct target *target, const struct sweep_result *r,
                       double seconds) {
  struct arena *arena = files->call->arena;
  struct result result = {.test = arena_printf(arena, "exhaustive %s", option_text(files->call, OPTION_EXHAUSTIVE)),
                          .file = "",
                          .subject = target->name,
                          .verdict = sweep_answer(r),
                          .seconds = seconds};
  if (r->unsound || r->deadlocks) {
    result.kind = RESULT_DIFFERS;
    result.message = arena_printf(
        arena, "%" PRIu64 " of %" PRIu64 " race-free programs are unsound, %" PRIu64 " get stuck; smallest: %s",
        r->unsound, r->race_free, r->deadlocks, small_text(arena, &r->smallest));
  } else if (r->undecided || r->stopped) {
    result.kind = RESULT_LIMIT;
    result.message = arena_printf(arena, "%" PRIu64 " programs undecided%s", r->undecided,
                                  r->stopped ? ", and not all were tried" : "");
  }
  sweep_files_add_result(files, result);
}

/* One mapping's result, everywhere it is wanted. */
static void write_sweep(struct sweep_files *files, const struct target *target, const struct cat_model *model,
                        struct verify_options options, const struct sweep_result *r, double seconds) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct diags diags = diags_new(arena);
  struct verify_result example;
  options.explore.cancel = options.model.cancel = NULL; /* it is small, and wanted after an interrupt too */
  if (r->found)
    verify_test(target, small_test(arena, &r->smallest), model, &options, explorer, arena, &example, &diags);
  bool shown = r->found && (example.answer == VERIFY_UNSOUND || example.answer == VERIFY_DEADLOCK);
  print_summary(target, r, seconds, files->out);
  if (shown)
    print_example(&example, files->out);
  else if (r->found)
    fprintf(stderr, "litscope: %s: a limit was reached: the run of the smallest program is missing\n", target->name);
  if (files->json) {
    json_write_sweep(sweep_files_begin_json(files), option_text(files->call, OPTION_EXHAUSTIVE), target->name,
                     model->ir.name, r, shown ? &example : NULL, seconds);
    sweep_files_end_json(files);
  }
  add_result(files, target, r, seconds);
  explorer_free(explorer);
  arena_free(arena);
}

static int sweep_status(const struct sweep_result *r) {
  if (r->unsound || r->deadlocks) return STATUS_DIFFERS;
  return r->undecided || r->stopped ? STATUS_LIMIT : STATUS_DONE;
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
  double seconds;
  struct sweep_result result = sweep_sum(parts, subject, e->programs, e->sweep.family.language, &seconds);
  result.stopped = stopped;
  write_sweep(files, &e->targets[subject], e->model, e->options, &result, seconds);
  return sweep_status(&result);
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
static void add_ablation_results(struct sweep_files *files, const struct target *target,
                                 const struct ablate_result *result) {
  struct arena *arena = files->call->arena;
  for (size_t i = 0; i < result->count; i++) {
    const struct ablation *a = &result->at[i];
    struct text name;
    text_open(&name);
    mapping_key_print(a->key, name.out);
    fprintf(name.out, ": %s", a->change);
    bool decided = !is_undecided(a);
    sweep_files_add_result(files, (struct result){.test = text_keep(&name, arena),
                                                  .file = "",
                                                  .subject = target->name,
                                                  .verdict = ablation_answer(a),
                                                  .kind = decided ? RESULT_DONE : RESULT_LIMIT,
                                                  .message = decided ? NULL : "a limit was reached"});
  }
}

static void write_ablations(struct sweep_files *files, const struct target *target, const struct cat_model *model,
                            const struct ablate_result *result, double seconds) {
  print_ablations(target, result, files->out);
  fprintf(files->out, "Time %s %.2f\n\n", target->name, seconds);
  add_ablation_results(files, target, result);
  if (!files->json) return;
  json_write_ablations(sweep_files_begin_json(files), target->name, model->ir.name, result, seconds);
  sweep_files_end_json(files);
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
  double seconds;
  struct ablate_result result = ablate_sum(a->arena, parts, a->targets, subject, &seconds);
  int status = STATUS_DONE;
  result.stopped = stopped;
  write_ablations(files, &a->targets[subject], a->model, &result, seconds);
  for (size_t k = 0; k < result.count; k++)
    if (is_undecided(&result.at[k])) status = STATUS_LIMIT;
  return status;
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
