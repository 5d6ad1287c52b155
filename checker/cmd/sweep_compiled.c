/* SPDX-License-Identifier: MIT */
/* Families of programs through compilers, as a table. */
#include "checker/cmd/sweep_compiled.h"

#include <inttypes.h>

#include "checker/base/pool.h"
#include "checker/compiler/kind.h"
#include "checker/verify/compiled.h"
#include "checker/verify/translated.h"

static void print_program(const struct family_program *program) {
  printf("%s (%s)", program->text, program->groups);
}

static void print_kinds(const struct compiled_result *r) {
  for (unsigned i = 0; i < r->kind_count; i++) {
    const struct compiled_kind_count *kind = &r->kinds[i];
    if (kind->kind) printf("Unsound-of %s %" PRIu64 "\n", kind->kind, kind->unsound);
    printf("Smallest%s%s ", kind->kind ? " " : "", kind->kind ? kind->kind : "");
    print_program(kind->smallest);
    putchar('\n');
  }
}

static void print_result(const struct family *family, const char *name, const struct compiled_result *r) {
  printf("Target %s\nFamily %s\n", name, family->name);
  printf("Programs %" PRIu64 "\nRace-free %" PRIu64 "\nUnsound %" PRIu64 "\nHazard %" PRIu64 "\nDeadlock %" PRIu64
         "\nUndecided %" PRIu64 "\n",
         r->programs, r->race_free, r->unsound, r->hazards, r->deadlocks, r->undecided + r->model_undecided);
  if (r->refused) printf("Refused %" PRIu64 "\n", r->refused);
  for (unsigned i = 0; i < r->refusal_count; i++) {
    printf("Refused-for %s: %" PRIu64 ", such as ", r->refusals[i].message, r->refusals[i].count);
    print_program(r->refusals[i].smallest);
    putchar('\n');
  }
  printf("States-explored %" PRIu64 "\n", r->states);
  if (r->kernels) printf("Threads-compiled %u\n", r->kernels);
  print_kinds(r);
  printf("Time %s %.2f\n\n", name, r->seconds);
  fflush(stdout);
}

static int status_of(const struct compiled_result *r) {
  if (r->unsound || r->hazards || r->deadlocks) return STATUS_DIFFERS;
  return r->undecided || r->model_undecided || r->stopped || r->refusal_count ? STATUS_LIMIT : STATUS_DONE;
}

static struct compiled_options options_of(struct invocation *call, const struct verify_options *options) {
  unsigned wanted = (unsigned)option_number(call, OPTION_JOBS);
  struct compiled_options own = {options->model, options->explore, wanted ? wanted : pool_processors()};
  own.model.workers = 1;
  own.explore.cancel = own.model.cancel = tests_watch_limits(call);
  return own;
}

static int sweep_one(const struct family *family, const struct compiled_family *judged, const struct target *target,
                     const struct compiled_options *options, struct diags *diags) {
  struct compiled_result result;
  bool translated = target->kind == &translated_kind;
  if (!(translated ? translated_sweep(judged, target, options, &result, diags)
                   : compiled_sweep(judged, target->settings, options, &result, diags)))
    return diags_report(diags);
  print_result(family, target->name, &result);
  if (result.stopped) fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", tests_stop_reason());
  return status_of(&result);
}

/* Every third sound program is enough to meet every kind of instruction. */
enum { ABLATE_EVERY = 3 };

static int ablate_one(struct invocation *call, const struct compiled_family *judged, const struct target *target,
                      const struct compiled_options *options, struct diags *diags) {
  struct compiled_ablations result;
  bool translated = target->kind == &translated_kind;
  if (!(translated ? translated_ablate(call->arena, judged, target, options, ABLATE_EVERY, &result, diags)
                   : compiled_ablate(call->arena, judged, target->settings, options, ABLATE_EVERY, &result, diags)))
    return diags_report(diags);
  printf("Target %s, one emitted instruction or bit left out at a time: occurrences, of which unsound, hazards\n",
         target->name);
  printf("Programs %" PRIu64 "\nChanges %" PRIu64 "\n", result.programs, result.explored);
  for (size_t i = 0; i < result.count; i++) {
    const struct compiled_ablation *a = &result.at[i];
    printf("%-44s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 "  ", a->change, a->occurs, a->needed, a->hazards);
    if (a->smallest) print_program(a->smallest);
    putchar('\n');
  }
  putchar('\n');
  if (result.stopped) fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", tests_stop_reason());
  return result.stopped ? STATUS_LIMIT : STATUS_DONE;
}

int sweep_compiled(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                   const struct verify_options *options) {
  struct diags diags = diags_new(call->arena);
  struct family family;
  const char *name = option_text(call, OPTION_EXHAUSTIVE);
  if (!name) name = "M3"; /* -ablate alone */
  if (!family_known(name))
    diag_error(&diags, NULL, (struct span){0, 0},
               "option -exhaustive: with -target expected 2x2, G2, M3 or a file of programs, found '%s'", name);
  if (diags.errors || !family_load(call->arena, name, &family, &diags)) return diags_report(&diags);
  struct compiled_options own = options_of(call, options);
  struct compiled_family *judged = compiled_family_new(call->arena, &family, model, &own);
  int status = STATUS_DONE;
  for (size_t i = 0; i < hardware->named; i++) {
    diags = diags_new(call->arena);
    bool ablate = option_on(call, OPTION_ABLATE);
    status = status_join(status, ablate ? ablate_one(call, judged, &hardware->at[i], &own, &diags)
                                        : sweep_one(&family, judged, &hardware->at[i], &own, &diags));
  }
  return status;
}
