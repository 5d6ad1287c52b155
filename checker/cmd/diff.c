/* SPDX-License-Identifier: MIT */
/* `diff`: one model and others on all programs of a family. The others are a second model, or what is left of the one
 * without each of its checks. Variations of tests: diff_variations.c. */
#include "checker/program_search/diff.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/interrupts.h"
#include "checker/program_search/diff_groups.h"
#include "checker/report/search_json.h"
#include "checker/small_programs/small_language_words.h"

struct diff_command {
  struct invocation *call;
  struct model_set models;
  struct judge_model a;
  VEC(struct judge_model) others;
  bool checks; /* the others are the model without its checks */
  struct diff_options options;
  struct diff_result *results; /* by other */
};

/* ---- what is compared ---- */

/* A check of this name may stand in the model several times: all of them are left out. */
static void add_without(struct diff_command *command, uint32_t check) {
  struct arena *arena = command->call->arena;
  struct judge_model less = command->a;
  const struct cat_ir *ir = &less.model->ir;
  bool *skip = ARENA_ARRAY(arena, bool, ir->check_count);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    bool same = !strcmp(ir->checks[i].name, ir->checks[check].name);
    if (same && i < check) return;
    skip[i] = same || (less.skip && less.skip[i]);
  }
  less.name = arena_printf(arena, "%s-%s", less.name, ir->checks[check].name);
  less.skip = skip;
  *vec_push(arena, &command->others) = less;
}

static void list_others(struct diff_command *command) {
  const struct loaded_model *first = &command->models.at[0];
  command->a = models_judge(command->call, first);
  command->checks = command->models.count == 1;
  if (!command->checks) *vec_push(command->call->arena, &command->others) = models_judge(command->call, first + 1);
  for (uint32_t i = 0; command->checks && i < first->model->ir.check_count; i++)
    if (!first->skip[i]) add_without(command, i);
}

static bool read_models(struct diff_command *command, struct diags *diags) {
  if (!models_load(command->call, &command->models, diags)) return false;
  bool alone = !command->models.by_language && command->models.count == 1 && !command->call->word_count;
  if (!alone && (command->models.by_language || command->models.count != 2))
    diag_fail(diags, "diff compares two models, -model A,B, or, without tests, one with itself, -model A");
  return !diags->errors;
}

/* ---- text ---- */

static const char *family_of(const struct diff_command *command) {
  return option_text(command->call, OPTION_FAMILY);
}

static uint64_t programs_of(const struct diff_result *r) {
  uint64_t programs = 0;
  for (int c = 0; c < CLASSES; c++) programs += diff_total(r, (enum diff_class)c);
  return programs;
}

static void print_head(const struct diff_command *command, const char *models, FILE *out) {
  uint64_t budget = command->options.family.budget;
  bool spent = budget && command->others.count && programs_of(command->results) >= budget;
  fprintf(out, "Diff %s\nFamily %s %s%s\n", models, family_of(command),
          litmus_language_word(command->options.family.language->tests), spent ? ", as far as the budget went" : "");
}

static void print_minimal(const struct diff_command *command, size_t other, const char *indent, FILE *out) {
  families_print_minimal(&command->results[other], indent, &command->a, &command->others.at[other],
                         &command->options.limits, out);
}

static int print_pair(const struct diff_command *command, FILE *out) {
  const struct diff_result *r = command->results;
  uint64_t programs = programs_of(r), different = 0, undecided = diff_total(r, CLASS_UNDECIDED);
  for (int c = 0; c < CLASSES; c++)
    if (class_differs((enum diff_class)c)) different += diff_total(r, (enum diff_class)c);
  print_head(command, arena_printf(command->call->arena, "%s %s", command->a.name, command->others.at[0].name), out);
  fprintf(out, "Programs %" PRIu64 "\n", programs);
  classes_print("operations", r->counts, DIFF_SIZES, true, out);
  if (r->minimal_count) fprintf(out, "Minimal tests %zu, groups %zu\n", r->minimal_count, diff_group_count(r));
  print_minimal(command, 0, "", out);
  if (!different && !undecided)
    fprintf(out, "no difference in %" PRIu64 " programs of %s\n", programs, family_of(command));
  return status_join(different ? STATUS_DIFFERS : STATUS_DONE, undecided ? STATUS_LIMIT : STATUS_DONE);
}

static void print_without(const struct diff_command *command, size_t other, FILE *out) {
  const struct diff_result *r = &command->results[other];
  const char *name = command->others.at[other].name;
  uint64_t undecided = diff_total(r, CLASS_UNDECIDED);
  if (undecided) fprintf(out, "%s: %" PRIu64 " programs undecided\n", name, undecided);
  if (r->minimal_count)
    fprintf(out, "%s: %zu minimal tests, groups %zu\n", name, r->minimal_count, diff_group_count(r));
  else
    fprintf(out, "%s: no program of %s%s\n", name, family_of(command), undecided ? " that was decided" : "");
  print_minimal(command, other, "  ", out);
}

static int print_checks(const struct diff_command *command, FILE *out) {
  int status = STATUS_DONE;
  size_t told = 0;
  print_head(command, command->a.name, out);
  for (size_t i = 0; i < command->others.count; i++) {
    print_without(command, i, out);
    told += command->results[i].minimal_count > 0;
    if (diff_total(&command->results[i], CLASS_UNDECIDED)) status = STATUS_LIMIT;
  }
  fprintf(out, "Mutants %zu\nTold apart %zu\n", command->others.count, told);
  return status;
}

/* ---- files ---- */

static bool write_tests(const struct diff_command *command, struct diags *diags) {
  const char *path = option_text(command->call, OPTION_OUTPUT);
  struct test_folder folder;
  if (!path) return true;
  if (!test_folder_open(command->call, path, &folder, diags)) return false;
  bool good = true;
  for (size_t o = 0; o < command->others.count; o++) {
    const struct judge_model models[] = {command->a, command->others.at[o]};
    for (size_t i = 0; good && i < command->results[o].minimal_count; i++) {
      const struct diff_minimal *minimal = &command->results[o].minimal[i];
      struct telling_test test = families_telling_test(command->call->arena, &minimal->program, minimal->class,
                                                       &models[0], &models[1], &command->options.limits);
      good = test_folder_add(&folder, &test, models, 2, &command->options.limits, diags);
    }
  }
  return test_folder_close(&folder, good, diags) && good;
}

/* ---- the campaign ---- */

static bool run(void *context, struct parts *parts, struct diags *diags) {
  const struct diff_command *command = context;
  (void)diags;
  return diff_run(parts, &command->options);
}

/* The one subject: both sides are asked about a program in turn. */
static int print(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  struct diff_command *command = context;
  struct diags diags = diags_new(command->call->arena);
  (void)subject;
  (void)stopped;
  command->options.limits.cancel = NULL; /* what is asked for the report is no part of the sweep */
  command->results = diff_sum(command->call->arena, parts, &command->options);
  for (size_t i = 0; i < command->others.count; i++)
    diff_group(command->call->arena, &command->results[i], &command->a, &command->others.at[i],
               &command->options.limits);
  int status = command->checks ? print_checks(command, files->out) : print_pair(command, files->out);
  write_tests(command, &diags);
  for (size_t i = 0; i < command->others.count; i++) {
    json_write_diff(result_files_begin_json(files), family_of(command), &command->options, i, &command->results[i]);
    result_files_end_json(files);
  }
  return status_join(status, diags_report(&diags));
}

int command_diff(struct invocation *call) {
  struct diff_command command = {.call = call};
  struct diags diags = diags_new(call->arena);
  if (!read_models(&command, &diags)) return diags_report(&diags);
  if (call->word_count) return diff_variations(call, &command.models);
  list_others(&command);
  if (!families_read(call, &command.models, &command.options.family, &diags)) return diags_report(&diags);
  const atomic_int *cancel = tests_watch_limits(call);
  command.options.a = command.a;
  command.options.b = command.others.at;
  command.options.count = command.others.count;
  command.options.limits = families_limits(call, cancel);
  command.options.workers = option_jobs(call);
  command.options.cancel = cancel;
  const struct campaign campaign = {
      .context = &command, .subjects = 1, .cancel = cancel, .whole = true, .run = run, .print = print};
  return campaign_run(call, &campaign);
}
