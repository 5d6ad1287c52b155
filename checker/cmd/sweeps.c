/* SPDX-License-Identifier: MIT */
/* `verify -exhaustive` and `verify -ablate`: families of generated programs. */
#include "checker/cmd/sweeps.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/verify/ablate.h"
#include "checker/verify/sweep.h"

static unsigned workers(const struct invocation *call) {
  unsigned wanted = (unsigned)option_number(call, OPTION_JOBS);
  return wanted ? wanted : pool_processors();
}

static bool shows_progress(const struct invocation *call) {
  return isatty(STDERR_FILENO) && !option_on(call, OPTION_QUIET);
}

/* The family. */

static bool read_size(const char *text, struct small_family *family) {
  int used = 0;
  return sscanf(text, "%1ux%1u%n", &family->threads, &family->ops, &used) == 2 && text[used] == '\0' &&
         family->threads >= 2 && family->threads <= SMALL_THREADS && family->ops >= 1 && family->ops <= SMALL_OPS;
}

static bool read_family(struct invocation *call, struct small_family *family, struct diags *diags) {
  size_t count;
  const char **words = words_split(call->arena, option_text(call, OPTION_EXHAUSTIVE), &count);
  *family = (struct small_family){.devices = 1};
  for (size_t i = 0; i < count; i++) {
    if (i == 0 && read_size(words[i], family)) continue;
    if (i > 0 && !strcmp(words[i], "guarded"))
      family->guarded = true;
    else if (i > 0 && !strcmp(words[i], "devices=2"))
      family->devices = 2;
    else if (i == 0 || strcmp(words[i], "devices=1"))
      diag_error(diags, NULL, (struct span){0},
                 "option -exhaustive: unexpected '%s': expected THREADSxOPS (2x1 to %dx%d), then guarded, devices=2",
                 words[i], SMALL_THREADS, SMALL_OPS);
  }
  if (!count) diag_error(diags, NULL, (struct span){0}, "option -exhaustive: expected THREADSxOPS, such as 2x2");
  return diags->errors == 0;
}

/* -exhaustive */

struct counting {
  double start;
  uint64_t total;
  const volatile int *cancel;
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

static void print_program(const struct small_program *program) {
  small_print(program, stdout);
  fputs(" (", stdout);
  small_print_place(program, stdout);
  putchar(')');
}

static void print_summary(const struct target *target, const struct sweep_result *r, double seconds) {
  printf("Mapping %s\n", target->name);
  printf("Programs %" PRIu64 "\nRacy %" PRIu64 "\nRace-free %" PRIu64 "\n", r->programs,
         r->programs - r->race_free - r->no_cell, r->race_free);
  if (r->no_cell) printf("No-cell %" PRIu64 "\n", r->no_cell);
  printf("Sound %" PRIu64 "\nUnsound %" PRIu64 "\nDeadlock %" PRIu64 "\nUndecided %" PRIu64 "\n", r->sound, r->unsound,
         r->deadlocks, r->undecided);
  printf("States-explored %" PRIu64 "\n", r->states);
  if (r->found) {
    fputs("Smallest ", stdout);
    print_program(&r->smallest);
    putchar('\n');
  }
  printf("Time %s %.2f\n\n", target->name, seconds);
}

/* The smallest counterexample in full. */
static void print_counterexample(const struct target *target, const struct cat_model *model,
                                 struct verify_options options, const struct small_program *program) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct diags diags = diags_new(arena);
  struct verify_result result;
  options.explore.cancel = options.model.cancel = NULL; /* it is small, and wanted after an interrupt too */
  verify_test(target, small_test(arena, program), model, &options, explorer, arena, &result, &diags);
  if (result.outcome) printf("Outcome %s\n", result.test->condition_text + strlen("exists "));
  printf("Trace of %zu steps, those of the environment in parentheses\n", result.trace_length);
  hardware_print_trace(&result.machine, result.trace, result.trace_length, stdout);
  putchar('\n');
  explorer_free(explorer);
  arena_free(arena);
}

static int sweep_status(const struct sweep_result *r) {
  if (r->unsound || r->deadlocks) return STATUS_DIFFERS;
  return r->undecided || r->stopped ? STATUS_LIMIT : STATUS_DONE;
}

int sweeps_exhaustive(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                      struct verify_options options) {
  struct diags diags = diags_new(call->arena);
  struct sweep_options sweep = {.workers = workers(call)};
  if (!read_family(call, &sweep.family, &diags)) return diags_report(&diags);
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
  for (size_t i = 0; i < hardware->gpu_count; i++) {
    counting.start = monotonic_seconds();
    struct sweep_result result = sweep_run(&hardware->gpu[i], model, &sweep);
    if (sweep.progress) fputs("\r\033[K", stderr);
    print_summary(&hardware->gpu[i], &result, monotonic_seconds() - counting.start);
    if (result.found) print_counterexample(&hardware->gpu[i], model, options, &result.smallest);
    if (result.stopped)
      fprintf(stderr, "litscope: %s after %" PRIu64 " programs\n", tests_stop_reason(), result.programs);
    fflush(stdout);
    status = status_join(status, sweep_status(&result));
    if (result.stopped) break;
  }
  return status;
}

/* -ablate */

static void show_changes(void *context, size_t done, size_t total) {
  const double *start = context;
  fprintf(stderr, "\r%zu of %zu changes, %.0f s ", done, total, monotonic_seconds() - *start);
}

static bool is_needed(const struct ablation *a) {
  return a->unsound[0] + a->unsound[1] + a->stuck[0] + a->stuck[1] > 0;
}

static void print_key(const struct ablation *a) {
  static const char *const SCOPES[] = {[SCOPE_DEV] = "DV", [SCOPE_SYS] = "SY"};
  printf("\n%s%s %s: ", SCOPES[a->key.scope], a->key.remote ? " remote" : "", mapping_kind_name(a->key.kind));
}

static void print_ablation(const struct ablation *a) {
  char counts[64], stuck[32] = "";
  snprintf(counts, sizeof counts, "%" PRIu64 "/%" PRIu64, a->unsound[0], a->unsound[1]);
  if (a->stuck[1]) snprintf(stuck, sizeof stuck, " stuck %" PRIu64, a->stuck[1]);
  printf("  %-46s %9s of %-5" PRIu64 "%s %-10s ", a->change, counts, a->race_free, stuck,
         a->undecided   ? "undecided"
         : is_needed(a) ? "needed"
                        : "not needed");
  if (a->found[0]) print_program(&a->smallest[0]);
  bool same = a->found[0] && small_size(&a->smallest[0]) == small_size(&a->smallest[1]);
  if (a->found[1] && !same) {
    fputs(a->found[0] ? "; any order: " : "any order: ", stdout);
    print_program(&a->smallest[1]);
  }
  putchar('\n');
}

static void print_ablations(const struct target *target, const struct ablate_result *result) {
  printf("Mapping %s, one change at a time: programs made unsound, write-back in order / in any order\n", target->name);
  printf("Core of %" PRIu64 " programs, %" PRIu64 " race-free\n", result->programs, result->race_free);
  for (size_t i = 0; i < result->count; i++) {
    const struct ablation *a = &result->at[i];
    if (i == 0 || !mapping_key_equal(a[-1].key, a->key)) {
      print_key(a);
      mapping_cell_print(mapping_find(target->mapping, a->key), stdout);
      putchar('\n');
    }
    print_ablation(a);
  }
  size_t needed = 0, undecided = 0;
  for (size_t i = 0; i < result->count; i++) {
    needed += is_needed(&result->at[i]);
    undecided += !is_needed(&result->at[i]) && result->at[i].undecided;
  }
  printf("\nChanges %zu\nBreaking %zu\nHarmless %zu\n", result->count, needed, result->count - needed - undecided);
  if (undecided) printf("Undecided %zu\n", undecided);
}

int sweeps_ablate(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                  struct verify_options options) {
  double start = monotonic_seconds();
  options.explore.cancel = options.model.cancel = tests_watch_limits(call);
  options.model.workers = 1;
  options.shortest = false;
  struct ablate_options ablate = {.verify = options, .workers = workers(call), .context = &start};
  if (shows_progress(call)) ablate.progress = show_changes;
  int status = STATUS_DONE;
  for (size_t i = 0; i < hardware->gpu_count; i++) {
    start = monotonic_seconds();
    struct ablate_result result = ablate_run(call->arena, &hardware->gpu[i], model, &ablate);
    if (ablate.progress) fputs("\r\033[K", stderr);
    print_ablations(&hardware->gpu[i], &result);
    printf("Time %s %.2f\n\n", hardware->gpu[i].name, monotonic_seconds() - start);
    if (!result.stopped) continue;
    fprintf(stderr, "litscope: %s: the counts are of what was done\n", tests_stop_reason());
    return STATUS_LIMIT;
  }
  return status;
}
