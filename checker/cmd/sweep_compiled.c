/* SPDX-License-Identifier: MIT */
/* Families of programs through compilers, as a table. */
#include "checker/cmd/sweep_compiled.h"

#include <inttypes.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/cmd/division.h"
#include "checker/cmd/files.h"
#include "checker/cmd/sweep_files.h"
#include "checker/compiler/kind.h"
#include "checker/report/compiled_json.h"
#include "checker/verify/compiled.h"
#include "checker/verify/emitted.h"
#include "checker/verify/family_ablation.h"
#include "checker/verify/translated.h"

/* What the sweeps of one call share. */
struct sweeping {
  struct invocation *call;
  const struct family *family;
  const struct compiled_family *judged;
  const struct cat_model *model;
  struct compiled_options options;
  struct sweep_files files;
};

static void print_program(const struct family_program *program, FILE *out) {
  fprintf(out, "%s (%s)", program->text, program->groups);
}

static void print_kinds(const struct compiled_result *r, FILE *out) {
  for (unsigned i = 0; i < r->kind_count; i++) {
    const struct compiled_kind_count *kind = &r->kinds[i];
    if (kind->kind) fprintf(out, "Unsound-of %s %" PRIu64 "\n", kind->kind, kind->unsound);
    fprintf(out, "Smallest%s%s ", kind->kind ? " " : "", kind->kind ? kind->kind : "");
    print_program(kind->smallest, out);
    fputc('\n', out);
  }
}

static void print_result(const struct family *family, const char *name, const struct compiled_result *r, FILE *out) {
  fprintf(out, "Target %s\nFamily %s\n", name, family->name);
  fprintf(out,
          "Programs %" PRIu64 "\nRace-free %" PRIu64 "\nUnsound %" PRIu64 "\nHazard %" PRIu64 "\nDeadlock %" PRIu64
          "\nUndecided %" PRIu64 "\n",
          r->programs, r->race_free, r->unsound, r->hazards, r->deadlocks, r->undecided + r->model_undecided);
  if (r->refused) fprintf(out, "Refused %" PRIu64 "\n", r->refused);
  for (unsigned i = 0; i < r->refusal_count; i++) {
    fprintf(out, "Refused-for %s: %" PRIu64 ", such as ", r->refusals[i].message, r->refusals[i].count);
    print_program(r->refusals[i].smallest, out);
    fputc('\n', out);
  }
  fprintf(out, "States-explored %" PRIu64 "\n", r->states);
  if (r->kernels) fprintf(out, "Threads-compiled %u\n", r->kernels);
  print_kinds(r, out);
  fprintf(out, "Time %s %.2f\n\n", name, r->seconds);
  fflush(out);
}

static int status_of(const struct compiled_result *r) {
  if (r->unsound || r->hazards || r->deadlocks) return STATUS_DIFFERS;
  return r->undecided || r->model_undecided || r->stopped || r->refusal_count ? STATUS_LIMIT : STATUS_DONE;
}

static struct compiled_options options_of(struct invocation *call, const struct verify_options *options) {
  unsigned wanted = (unsigned)option_number(call, OPTION_JOBS);
  struct compiled_options own = {
      .model = options->model, .explore = options->explore, .workers = wanted ? wanted : pool_processors()};
  own.model.workers = 1;
  own.explore.cancel = own.model.cancel = tests_watch_limits(call);
  return own;
}

/* ---- -json, -junit ---- */

static const char *family_title(const struct sweeping *s, const char *what) {
  return arena_printf(s->call->arena, "%s %s", what, s->family->name);
}

static const char *count_text(struct arena *arena, const struct compiled_result *r) {
  const char *text =
      arena_printf(arena,
                   "of %" PRIu64 " race-free programs: unsound %" PRIu64 ", with hazards %" PRIu64 ", stuck %" PRIu64
                   ", refused %" PRIu64 ", undecided %" PRIu64,
                   r->race_free, r->unsound, r->hazards, r->deadlocks, r->refused, r->undecided + r->model_undecided);
  const struct family_program *smallest = r->kind_count ? r->kinds[0].smallest : NULL;
  return smallest ? arena_printf(arena, "%s; such as %s (%s)", text, smallest->text, smallest->groups) : text;
}

static void add_sweep(struct sweeping *s, const char *name, const struct compiled_result *r) {
  int status = status_of(r);
  struct result result = {.test = family_title(s, "exhaustive"),
                          .file = "",
                          .subject = name,
                          .verdict = compiled_answer(r),
                          .seconds = r->seconds};
  result.kind = status == STATUS_DIFFERS ? RESULT_DIFFERS : status == STATUS_LIMIT ? RESULT_LIMIT : RESULT_DONE;
  if (result.kind != RESULT_DONE) result.message = count_text(s->call->arena, r);
  sweep_files_add_result(&s->files, result);
  struct text line;
  text_open(&line);
  json_write_compiled(line.out, s->family->name, name, s->model->ir.name, r);
  text_end(&line);
  sweep_files_add_json(&s->files, line.at);
  text_free(&line);
}

/* A test case for each change; that some are not needed is no failure. */
static void add_ablations(struct sweeping *s, const char *name, const struct compiled_ablations *result,
                          double seconds) {
  struct text line;
  for (size_t i = 0; i < result->count; i++)
    sweep_files_add_result(&s->files, (struct result){.test = result->at[i].change,
                                                      .file = "",
                                                      .subject = name,
                                                      .verdict = compiled_ablation_answer(&result->at[i]),
                                                      .kind = result->stopped ? RESULT_LIMIT : RESULT_DONE,
                                                      .message = result->stopped ? "a limit was met" : NULL});
  text_open(&line);
  json_write_compiled_ablations(line.out, s->family->name, name, s->model->ir.name, result, seconds);
  text_end(&line);
  sweep_files_add_json(&s->files, line.at);
  text_free(&line);
}

static void warn_stopped(bool stopped) {
  if (stopped) fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", tests_stop_reason());
}

static int sweep_one(struct sweeping *s, const struct target *target, struct diags *diags) {
  struct compiled_result result;
  bool translated = target->kind == &translated_kind;
  if (!(translated ? translated_sweep(s->judged, target, &s->options, &result, diags)
                   : compiled_sweep(s->judged, target->settings, &s->options, &result, diags)))
    return diags_report(diags);
  print_result(s->family, target->name, &result, s->files.out);
  add_sweep(s, target->name, &result);
  warn_stopped(result.stopped);
  return status_of(&result);
}

/* Of a family that has a name every third program is enough to meet every kind of
 * instruction; of one's own, all are meant. */
static unsigned ablate_every(const struct sweeping *s) {
  return s->family->from_file ? 1 : 3;
}

/* What was needed nowhere, and whether all of it is too much. */
static void print_spare(const struct compiled_ablations *r, FILE *out) {
  size_t spare = 0;
  for (size_t i = 0; i < r->count; i++) {
    const struct compiled_ablation *a = &r->at[i];
    if (a->needed || a->hazards) continue;
    fprintf(out, "%s: %s\n", a->goes ? "Could go" : "Could go alone, but not with these", a->change);
    spare++;
  }
  if (!spare) fputs("Could go: none\n", out);
}

static void print_ablations(const char *name, const struct compiled_ablations *result, FILE *out) {
  fprintf(out, "Target %s, one emitted instruction or bit left out at a time: occurrences, of which unsound, hazards\n",
          name);
  fprintf(out, "Programs %" PRIu64 "\nChanges %" PRIu64 "\n", result->programs, result->explored);
  for (size_t i = 0; i < result->count; i++) {
    const struct compiled_ablation *a = &result->at[i];
    fprintf(out, "%-44s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 "  ", a->change, a->occurs, a->needed, a->hazards);
    if (a->smallest) print_program(a->smallest, out);
    fputc('\n', out);
  }
  if (!result->stopped) print_spare(result, out);
  fputc('\n', out);
}

static int ablate_one(struct sweeping *s, const struct target *target, struct diags *diags) {
  struct compiled_ablations result = {0};
  double start = monotonic_seconds();
  struct arena *arena = s->call->arena;
  const struct family_ablation *ablation =
      emitted_ablation(arena, s->judged, target, &s->options, ablate_every(s), diags);
  if (!ablation) return diags_report(diags);
  ablation_run(arena, ablation, &result);
  result.stopped = *s->options.explore.cancel;
  print_ablations(target->name, &result, s->files.out);
  add_ablations(s, target->name, &result, monotonic_seconds() - start);
  warn_stopped(result.stopped);
  return result.stopped ? STATUS_LIMIT : STATUS_DONE;
}

/* With -shard, -journal, among ranks or for `merge`. */
static int sweep_divided(struct sweeping *s, const struct hardware *hardware) {
  struct invocation *call = s->call;
  struct diags diags = diags_new(call->arena);
  struct division division;
  int status;
  struct emitted_sweep sweep = {compiled_family_open(call->arena, s->family, &s->options), s->model, hardware->at,
                                hardware->named, &s->options};
  if (!division_open(call, &division, &diags)) return diags_report(&diags);
  bool failed = !emitted_run_parts(division.parts, &sweep, &diags);
  if (division_ends(&division, failed || *s->options.explore.cancel, &status))
    return failed ? status_join(status, diags_report(&diags)) : status;
  if (!sweep_files_open(call, &s->files, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < hardware->named; i++) {
    struct compiled_result result;
    emitted_sum_parts(call->arena, division.parts, &sweep, i, &result);
    print_result(s->family, hardware->at[i].name, &result, s->files.out);
    add_sweep(s, hardware->at[i].name, &result);
    status = status_join(status, status_of(&result));
  }
  status = status_join(status, sweep_files_close(&s->files));
  return status_join(status, division_close(&division));
}

/* What the parts of ablations share. */
struct ablating {
  const struct family_ablation **ablations; /* by target */
  uint64_t parts;                           /* of a target */
  const atomic_int *cancel;
};

static bool ablate_part(void *context, uint64_t part, FILE *out) {
  const struct ablating *a = context;
  ablation_do_part(a->ablations[part / a->parts], part % a->parts, out);
  return !*a->cancel;
}

/* Every process finds the sound programs; what is divided is their changes. */
static int ablate_divided(struct sweeping *s, const struct hardware *hardware) {
  struct invocation *call = s->call;
  struct diags diags = diags_new(call->arena);
  struct division division;
  struct ablating a = {ARENA_ARRAY(call->arena, const struct family_ablation *, hardware->named + 1),
                       ablation_parts(compiled_family_count(s->judged), ablate_every(s)), s->options.explore.cancel};
  int status;
  for (size_t i = 0; i < hardware->named; i++)
    if (!(a.ablations[i] =
              emitted_ablation(call->arena, s->judged, &hardware->at[i], &s->options, ablate_every(s), &diags)))
      return diags_report(&diags);
  if (!division_open(call, &division, &diags)) return diags_report(&diags);
  parts_set_total(division.parts, a.parts * hardware->named);
  parts_run(division.parts, s->options.workers, ablate_part, &a);
  if (division_ends(&division, *a.cancel, &status)) return status;
  if (!sweep_files_open(call, &s->files, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < hardware->named; i++) {
    struct compiled_ablations result = {0};
    ablation_sum_parts(call->arena, a.ablations[i], s->judged, division.parts, i * a.parts, a.parts, &result);
    result.stopped = *a.cancel;
    print_ablations(hardware->at[i].name, &result, s->files.out);
    add_ablations(s, hardware->at[i].name, &result, 0);
    warn_stopped(result.stopped);
    if (result.stopped) status = STATUS_LIMIT;
  }
  status = status_join(status, sweep_files_close(&s->files));
  return status_join(status, division_close(&division));
}

int sweep_compiled(struct invocation *call, const struct hardware *hardware, const struct cat_model *model,
                   const struct verify_options *options) {
  struct diags diags = diags_new(call->arena);
  struct family family;
  struct sweeping s = {.call = call, .family = &family, .model = model};
  const char *name = option_text(call, OPTION_EXHAUSTIVE);
  if (!name) name = "M3"; /* -ablate alone */
  if (!family_known(name))
    diag_error(&diags, NULL, (struct span){0, 0},
               "option -exhaustive: for compiled or translated programs expected 2x2, G2, M3 or a file of programs, "
               "found '%s'",
               name);
  if (diags.errors || !family_load(call->arena, name, &family, &diags)) return diags_report(&diags);
  if (!files_spare(call, &(struct files){0}, &diags)) return diags_report(&diags);
  s.options = options_of(call, options);
  bool divided = division_wanted(call), ablate = option_on(call, OPTION_ABLATE);
  if (divided && !ablate) return sweep_divided(&s, hardware);
  s.judged = compiled_family_new(call->arena, &family, model, &s.options);
  if (divided) return ablate_divided(&s, hardware);
  if (!sweep_files_open(call, &s.files, &diags)) return diags_report(&diags);
  int status = STATUS_DONE;
  for (size_t i = 0; i < hardware->named; i++) {
    diags = diags_new(call->arena);
    status = status_join(status, (ablate ? ablate_one : sweep_one)(&s, &hardware->at[i], &diags));
  }
  return status_join(status, sweep_files_close(&s.files));
}
