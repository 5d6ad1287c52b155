/* SPDX-License-Identifier: MIT */
/* `diff` of one model: the minimal tests that distinguish it from itself less each
 * of its checks. */
#include "checker/cmd/diff_checks.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/sweep_reports.h"
#include "checker/report/search_json.h"
#include "checker/search/diff.h"

struct checks_command {
  struct invocation *call;
  const struct model_set *models;
  struct judge_model model;
  VEC(struct judge_model) mutants;
  struct diff_options options;
  struct diff_result *results; /* by mutant */
};

/* ---- mutants ---- */

/* A check of this name may stand in the model several times: all of them are left out. */
static void add_mutant(struct checks_command *command, uint32_t check) {
  struct arena *arena = command->call->arena;
  const struct cat_ir *ir = &command->model.model->ir;
  bool *skip = ARENA_ARRAY(arena, bool, ir->check_count);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    bool same = !strcmp(ir->checks[i].name, ir->checks[check].name);
    if (same && i < check) return;
    skip[i] = same || (command->model.skip && command->model.skip[i]);
  }
  *vec_push(arena, &command->mutants) =
      (struct judge_model){arena_printf(arena, "%s-%s", command->model.name, ir->checks[check].name),
                           command->model.model, skip, option_on(command->call, OPTION_UNDEFINED)};
}

static bool read_options(struct checks_command *command, struct diags *diags) {
  struct invocation *call = command->call;
  const struct loaded_model *loaded = &command->models->at[0];
  command->model = (struct judge_model){loaded->name, loaded->model, loaded->skip, option_on(call, OPTION_UNDEFINED)};
  for (uint32_t i = 0; i < loaded->model->ir.check_count; i++)
    if (!loaded->skip[i]) add_mutant(command, i);
  command->options =
      (struct diff_options){.a = command->model, .b = command->mutants.at, .count = command->mutants.count};
  return families_read(call, command->models, &command->options.family, diags);
}

/* ---- results ---- */

static bool write_tests(const struct checks_command *command, struct diags *diags) {
  const char *path = option_text(command->call, OPTION_OUTPUT);
  struct test_folder folder;
  if (!path) return true;
  if (!test_folder_open(command->call, path, &folder, diags)) return false;
  bool good = true;
  for (size_t m = 0; m < command->mutants.count; m++) {
    const struct judge_model models[] = {command->model, command->mutants.at[m]};
    for (size_t i = 0; good && i < command->results[m].minimal_count; i++) {
      const struct diff_minimal *minimal = &command->results[m].minimal[i];
      struct telling_test test = families_telling_test(command->call->arena, &minimal->program, minimal->class,
                                                       &models[0], &models[1], &command->options.limits);
      good = test_folder_add(&folder, &test, models, 2, &command->options.limits, diags);
    }
  }
  return test_folder_close(&folder, good, diags) && good;
}

static void print_mutant(const struct checks_command *command, size_t m, FILE *out) {
  const struct diff_result *r = &command->results[m];
  const struct judge_model *mutant = &command->mutants.at[m];
  uint64_t undecided = diff_total(r, CLASS_UNDECIDED);
  if (undecided) fprintf(out, "%s: %" PRIu64 " programs undecided\n", mutant->name, undecided);
  if (!r->minimal_count) {
    const char *which = undecided ? " that was decided" : "";
    fprintf(out, "%s: no program of %s%s\n", mutant->name, option_text(command->call, OPTION_FAMILY), which);
    return;
  }
  fprintf(out, "%s: %zu minimal tests\n", mutant->name, r->minimal_count);
  families_print_minimal(r, "  ", &command->model, mutant, &command->options.limits, out);
}

/* An object per mutant, as `diff` of the model and the mutant has it. */
static void write_json(const struct checks_command *command, struct sweep_files *files) {
  const struct search_subject subject = {.family = option_text(command->call, OPTION_FAMILY),
                                         .language = command->options.family.language,
                                         .limits = &command->options.limits};
  for (size_t m = 0; files->json && m < command->mutants.count; m++) {
    json_write_diff(sweep_files_begin_json(files), &subject, &command->model, &command->mutants.at[m],
                    &command->results[m]);
    sweep_files_end_json(files);
  }
}

static int print_results(struct checks_command *command, struct sweep_files *files) {
  struct diags diags = diags_new(command->call->arena);
  FILE *out = files->out;
  int status = STATUS_DONE;
  size_t told = 0;
  fprintf(out, "Diff %s\nFamily %s %s\n", command->model.name, option_text(command->call, OPTION_FAMILY),
          litmus_language_word(command->options.family.language));
  for (size_t m = 0; m < command->mutants.count; m++) {
    print_mutant(command, m, out);
    told += command->results[m].minimal_count > 0;
    if (diff_total(&command->results[m], CLASS_UNDECIDED)) status = STATUS_LIMIT;
  }
  fprintf(out, "Mutants %zu\nTold apart %zu\n", command->mutants.count, told);
  write_tests(command, &diags);
  write_json(command, files);
  return status_join(status, diags_report(&diags));
}

int diff_checks(struct invocation *call, const struct model_set *models) {
  struct checks_command command = {.call = call, .models = models};
  struct diags diags = diags_new(call->arena);
  struct division division;
  if (!read_options(&command, &diags) || !division_open(call, &division, &diags)) return diags_report(&diags);
  int status;
  command.results = families_sweep(call, &division, &command.options, &status);
  if (!command.results) return status;
  struct sweep_files files;
  if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  status = print_results(&command, &files);
  status = status_join(status, sweep_files_close(&files));
  return status_join(status, division_close(&division));
}
