/* SPDX-License-Identifier: MIT */
/* `verify -exhaustive` and `verify -ablate`: families of generated programs. */
#include "checker/cmd/sweeps.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/cmd/division.h"
#include "checker/cmd/sweep_files.h"
#include "checker/report/sweep_json.h"
#include "checker/verify/ablate.h"
#include "checker/verify/sweep.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/mapping.h"

static unsigned workers(const struct invocation *call) {
  unsigned wanted = (unsigned)option_number(call, OPTION_JOBS);
  return wanted ? wanted : pool_processors();
}

static bool shows_progress(const struct invocation *call) {
  return isatty(STDERR_FILENO) && !option_on(call, OPTION_QUIET);
}

/* -exhaustive */

struct counting {
  double start;
  uint64_t total;
  const atomic_int *cancel;
};

static bool count_program(void *context, const struct small_program *program) {
  (void)program;
  struct counting *c = context;
  c->total++;
  return !*c->cancel;
}

static void show_programs(void *context, uint64_t done) {
  const struct counting *c = context;
  fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " programs, %.0f s ", done, c->total, monotonic_seconds() - c->start);
}

static void print_program(const struct small_program *program, FILE *out) {
  small_print(program, out);
  fputs(" (", out);
  small_print_place(program, out);
  fputc(')', out);
}

static const char *program_text(struct arena *arena, const struct small_program *program) {
  struct text text;
  text_open(&text);
  print_program(program, text.out);
  return text_keep(&text, arena);
}

static void print_summary(const struct target *target, const struct sweep_result *r, double seconds, FILE *out) {
  fprintf(out, "Mapping %s\n", target->name);
  fprintf(out, "Programs %" PRIu64 "\nRacy %" PRIu64 "\nRace-free %" PRIu64 "\n", r->programs,
          r->programs - r->race_free - r->no_cell, r->race_free);
  if (r->no_cell) fprintf(out, "No-cell %" PRIu64 "\n", r->no_cell);
  fprintf(out, "Sound %" PRIu64 "\nUnsound %" PRIu64 "\nDeadlock %" PRIu64 "\nUndecided %" PRIu64 "\n", r->sound,
          r->unsound, r->deadlocks, r->undecided);
  fprintf(out, "States-explored %" PRIu64 "\n", r->states);
  if (r->found) {
    fputs("Smallest ", out);
    print_program(&r->smallest, out);
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
        r->unsound, r->race_free, r->deadlocks, program_text(arena, &r->smallest));
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
    fprintf(stderr, "litscope: %s: a limit was met: the run of the smallest program is missing\n", target->name);
  if (files->json) {
    struct text line;
    text_open(&line);
    json_write_sweep(line.out, option_text(files->call, OPTION_EXHAUSTIVE), target->name, model->ir.name, r,
                     shown ? &example : NULL, seconds);
    text_end(&line);
    sweep_files_add_json(files, line.at);
    text_free(&line);
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
  small_parse("Wxn1|Rxn", &program);
  return hardware_targets(hardware, small_test(call->arena, &program)->program, call->arena, count);
}

/* With -shard, -journal or for `merge`. */
static int sweep_divided(struct invocation *call, const struct target *targets, size_t count,
                         const struct cat_model *model, struct sweep_options *sweep,
                         const struct verify_options *options) {
  struct diags diags = diags_new(call->arena);
  struct division division;
  struct sweep_files files;
  uint64_t programs = small_count(&sweep->family);
  int status;
  if (!division_open(call, &division, &diags)) return diags_report(&diags);
  sweep_run_parts(division.parts, targets, count, programs, model, sweep);
  if (sweep->progress) fputs("\r\033[K", stderr);
  if (division_ends(&division, *options->explore.cancel, &status)) return status;
  if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < count; i++) {
    double seconds;
    struct sweep_result result = sweep_sum_parts(division.parts, i, programs, &seconds);
    write_sweep(&files, &targets[i], model, *options, &result, seconds);
    status = status_join(status, sweep_status(&result));
  }
  status = status_join(status, sweep_files_close(&files));
  return status_join(status, division_close(&division));
}

int sweeps_exhaustive(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                      struct verify_options options) {
  struct diags diags = diags_new(call->arena);
  struct sweep_options sweep = {.workers = workers(call)};
  struct sweep_files files;
  if (!small_family_read(call->arena, option_text(call, OPTION_EXHAUSTIVE), "-exhaustive", LANG_OPENCL, &sweep.family,
                         &diags))
    return diags_report(&diags);
  options.explore.cancel = options.model.cancel = tests_watch_limits(call);
  options.model.workers = 1;
  sweep.verify = options;
  sweep.verify.shortest = false;
  struct counting counting = {.cancel = options.model.cancel};
  if (shows_progress(call)) {
    small_generate(&sweep.family, count_program, &counting);
    sweep.progress = show_programs;
  }
  sweep.context = &counting;
  int status = STATUS_DONE;
  size_t count;
  const struct target *targets = targets_of_family(call, hardware, &count);
  counting.start = monotonic_seconds();
  if (division_wanted(call)) return sweep_divided(call, targets, count, model, &sweep, &options);
  if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < count; i++) {
    counting.start = monotonic_seconds();
    struct sweep_result result = sweep_run(&targets[i], model, &sweep);
    if (sweep.progress) fputs("\r\033[K", stderr);
    write_sweep(&files, &targets[i], model, options, &result, monotonic_seconds() - counting.start);
    if (result.stopped)
      fprintf(stderr, "litscope: %s after %" PRIu64 " programs\n", tests_stop_reason(), result.programs);
    fflush(stdout);
    status = status_join(status, sweep_status(&result));
    if (result.stopped) break;
  }
  return status_join(status, sweep_files_close(&files));
}

/* -ablate */

static void show_changes(void *context, size_t done, size_t total) {
  const double *start = context;
  fprintf(stderr, "\r%zu of %zu changes, %.0f s ", done, total, monotonic_seconds() - *start);
}

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
  if (a->found[0]) print_program(&a->smallest[0], out);
  bool same = a->found[0] && small_size(&a->smallest[0]) == small_size(&a->smallest[1]);
  if (a->found[1] && !same) {
    fputs(a->found[0] ? "; any order: " : "any order: ", out);
    print_program(&a->smallest[1], out);
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
                                                  .message = decided ? NULL : "a limit was met"});
  }
}

static void write_ablations(struct sweep_files *files, const struct target *target, const struct cat_model *model,
                            const struct ablate_result *result, double seconds) {
  print_ablations(target, result, files->out);
  fprintf(files->out, "Time %s %.2f\n\n", target->name, seconds);
  add_ablation_results(files, target, result);
  if (!files->json) return;
  struct text line;
  text_open(&line);
  json_write_ablations(line.out, target->name, model->ir.name, result, seconds);
  text_end(&line);
  sweep_files_add_json(files, line.at);
  text_free(&line);
}

static int refuse_ablation(struct invocation *call, const struct target *target) {
  struct diags diags = diags_new(call->arena);
  diag_error(&diags, NULL, (struct span){0}, "-ablate changes mappings: machine %s takes none", target->name);
  return diags_report(&diags);
}

/* With -shard, -journal, among ranks or for `merge`. */
static int ablate_divided(struct invocation *call, const struct target *targets, size_t count,
                          const struct cat_model *model, const struct ablate_options *ablate) {
  struct diags diags = diags_new(call->arena);
  struct division division;
  struct sweep_files files;
  int status;
  if (!division_open(call, &division, &diags)) return diags_report(&diags);
  ablate_run_parts(division.parts, targets, count, model, ablate);
  if (ablate->progress) fputs("\r\033[K", stderr);
  if (division_ends(&division, *ablate->verify.explore.cancel, &status)) return status;
  if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < count; i++) {
    double seconds;
    struct ablate_result result = ablate_sum_parts(call->arena, division.parts, targets, i, &seconds);
    write_ablations(&files, &targets[i], model, &result, seconds);
    for (size_t k = 0; k < result.count; k++)
      if (is_undecided(&result.at[k])) status = STATUS_LIMIT;
  }
  status = status_join(status, sweep_files_close(&files));
  return status_join(status, division_close(&division));
}

int sweeps_ablate(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                  struct verify_options options) {
  double start = monotonic_seconds();
  struct sweep_files files;
  struct diags diags = diags_new(call->arena);
  for (size_t i = 0; i < hardware->named; i++)
    if (!hardware->at[i].mapping) return refuse_ablation(call, &hardware->at[i]);
  options.explore.cancel = options.model.cancel = tests_watch_limits(call);
  options.model.workers = 1;
  options.shortest = false;
  struct ablate_options ablate = {.verify = options, .workers = workers(call), .context = &start};
  if (shows_progress(call)) ablate.progress = show_changes;
  int status = STATUS_DONE;
  size_t count;
  const struct target *targets = hardware_of_kind(hardware, &gpu_kind, call->arena, &count);
  if (division_wanted(call)) return ablate_divided(call, targets, count, model, &ablate);
  if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < count; i++) {
    start = monotonic_seconds();
    struct ablate_result result = ablate_run(call->arena, &targets[i], model, &ablate);
    if (ablate.progress) fputs("\r\033[K", stderr);
    write_ablations(&files, &targets[i], model, &result, monotonic_seconds() - start);
    for (size_t k = 0; k < result.count; k++)
      if (is_undecided(&result.at[k])) status = STATUS_LIMIT;
    if (!result.stopped) continue;
    fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", tests_stop_reason());
    status = STATUS_LIMIT;
    break;
  }
  return status_join(status, sweep_files_close(&files));
}
