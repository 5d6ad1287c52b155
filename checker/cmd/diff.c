/* SPDX-License-Identifier: MIT */
/* `diff`: two models on all programs of a family, or one with itself (diff_checks.c). */
#include "checker/search/diff.h"

#include <inttypes.h>
#include <string.h>

#include "checker/cmd/diff_checks.h"
#include "checker/cmd/diff_variations.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/sharding.h"
#include "checker/cmd/sweep_reports.h"
#include "checker/report/search_json.h"

struct diff_command {
  struct invocation *call;
  struct model_set models;
  struct judge_model a, b;
  struct diff_options options;
  struct diff_result *result;
};

static struct judge_model judge_of(const struct invocation *call, const struct loaded_model *loaded) {
  return (struct judge_model){loaded->name, loaded->model, loaded->skip, option_on(call, OPTION_UNDEFINED)};
}

static bool read_models(struct diff_command *command, struct diags *diags) {
  if (!models_load(command->call, &command->models, diags)) return false;
  bool alone = !command->models.by_language && command->models.count == 1 && !command->call->word_count;
  if (!alone && (command->models.by_language || command->models.count != 2))
    diag_error(diags, NULL, (struct span){0},
               "diff compares two models, -model A,B, or, without tests, one with itself, -model A");
  return !diags->errors;
}

static bool read_options(struct diff_command *command, struct diags *diags) {
  struct invocation *call = command->call;
  command->a = judge_of(call, &command->models.at[0]);
  command->b = judge_of(call, &command->models.at[1]);
  command->options = (struct diff_options){.a = command->a, .b = &command->b, .count = 1};
  return !diags->errors && families_read(call, &command->models, &command->options.family, diags);
}

/* ---- the table ---- */

static bool has_undecided(const struct diff_result *r) {
  return diff_total(r, CLASS_UNDECIDED) > 0;
}

static uint64_t programs_of(const struct diff_result *r) {
  uint64_t programs = 0;
  for (int c = 0; c < CLASSES; c++) programs += diff_total(r, (enum diff_class)c);
  return programs;
}

static bool differs(const struct diff_result *r) {
  bool some = false;
  for (int c = 0; c < CLASSES; c++) some |= class_differs((enum diff_class)c) && diff_total(r, (enum diff_class)c);
  return some;
}

static void print_row(const char *head, const uint64_t counts[CLASSES], bool undecided, FILE *out) {
  fprintf(out, "%-10s", head);
  for (int c = 0; c < CLASSES - !undecided; c++) fprintf(out, " %16" PRIu64, counts[c]);
  fputc('\n', out);
}

static void print_table(const struct diff_result *r, FILE *out) {
  bool undecided = has_undecided(r);
  uint64_t all[CLASSES];
  fprintf(out, "%-10s", "operations");
  for (int c = 0; c < CLASSES - !undecided; c++) fprintf(out, " %16s", class_name((enum diff_class)c));
  fputc('\n', out);
  for (unsigned size = 0; size < DIFF_SIZES; size++) {
    uint64_t programs = 0;
    for (int c = 0; c < CLASSES; c++) programs += r->counts[size][c];
    char head[16];
    snprintf(head, sizeof head, "%u", size);
    if (programs) print_row(head, r->counts[size], undecided, out);
  }
  for (int c = 0; c < CLASSES; c++) all[c] = diff_total(r, (enum diff_class)c);
  print_row("all", all, undecided, out);
}

/* ---- the tests ---- */

static void print_minimal(const struct diff_command *command, FILE *out) {
  const struct diff_result *r = command->result;
  if (r->minimal_count) fprintf(out, "Minimal tests %zu\n", r->minimal_count);
  families_print_minimal(r, "", &command->a, &command->b, &command->options.limits, out);
}

static bool write_tests(const struct diff_command *command, struct diags *diags) {
  const char *path = option_text(command->call, OPTION_OUTPUT);
  const struct judge_model models[] = {command->a, command->b};
  struct test_folder folder;
  if (!path) return true;
  if (!test_folder_open(command->call, path, &folder, diags)) return false;
  bool good = true;
  for (size_t i = 0; good && i < command->result->minimal_count; i++) {
    struct telling_test test =
        families_telling_test(command->call->arena, &command->result->minimal[i].program,
                              command->result->minimal[i].class, &command->a, &command->b, &command->options.limits);
    good = test_folder_add(&folder, &test, models, 2, &command->options.limits, diags);
  }
  return test_folder_close(&folder, good, diags) && good;
}

static void write_json(const struct diff_command *command, struct sweep_files *files) {
  if (!files->json) return;
  const struct search_subject subject = {.family = option_text(command->call, OPTION_FAMILY),
                                         .language = command->options.family.language,
                                         .limits = &command->options.limits};
  json_write_diff(sweep_files_begin_json(files), &subject, &command->a, &command->b, command->result);
  sweep_files_end_json(files);
}

static int print_result(struct diff_command *command, struct sweep_files *files) {
  const struct diff_result *r = command->result;
  struct diags diags = diags_new(command->call->arena);
  fprintf(files->out, "Diff %s %s\nFamily %s %s\nPrograms %" PRIu64 "\n", command->a.name, command->b.name,
          option_text(command->call, OPTION_FAMILY), litmus_language_word(command->options.family.language),
          programs_of(r));
  print_table(r, files->out);
  print_minimal(command, files->out);
  if (!differs(r) && !has_undecided(r))
    fprintf(files->out, "no difference in %" PRIu64 " programs of %s\n", programs_of(r),
            option_text(command->call, OPTION_FAMILY));
  write_tests(command, &diags);
  write_json(command, files);
  int status = differs(r) ? STATUS_DIFFERS : STATUS_DONE;
  if (has_undecided(r)) status = status_join(status, STATUS_LIMIT);
  return status_join(status, diags_report(&diags));
}

int command_diff(struct invocation *call) {
  struct diff_command command = {.call = call};
  struct diags diags = diags_new(call->arena);
  struct division division;
  struct sweep_files files;
  if (!read_models(&command, &diags)) return diags_report(&diags);
  if (call->word_count) return diff_variations(call, &command.models);
  if (command.models.count == 1) return diff_checks(call, &command.models);
  if (!read_options(&command, &diags) || !division_open(call, &division, &diags)) return diags_report(&diags);
  int status;
  command.result = families_sweep(call, &division, &command.options, &status);
  if (!command.result) return status;
  if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
  status = print_result(&command, &files);
  status = status_join(status, sweep_files_close(&files));
  return status_join(status, division_close(&division));
}
