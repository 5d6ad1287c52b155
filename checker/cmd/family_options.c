/* SPDX-License-Identifier: MIT */
/* Families of programs for `diff` and `gen`: reading what is wanted, and writing
 * tests with what each model says of them. */
#include "checker/cmd/family_options.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/small_program_arguments.h"
#include "checker/report/log.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"
#include "checker/verdict/verdict.h"
#include "checker/verify/test_observing_all.h"

/* ---- what is wanted ---- */

bool families_read(struct invocation *call, const struct model_set *models, struct small_family *family,
                   struct diags *diags) {
  const char *text = option_text(call, OPTION_FAMILY);
  const struct small_language *language = &small_opencl;
  const char **names = ROW_TEXTS(call->arena, models->at, models->count, name);
  if (!programs_language(names, models->count, &language) && !strstr(text, "language="))
    diag_fail(diags,
              "these models are of different languages: say whose programs they are asked about, with "
              "-family %s,language=NAME",
              text);
  if (diags->errors || !small_family_read(call->arena, text, "-family", language, family, diags)) return false;
  family->budget = (uint64_t)option_number(call, OPTION_BUDGET);
  for (size_t i = 0; i < models->count; i++)
    models_check_programs(call, models->at[i].model, models->at[i].name, family->language->tests, diags);
  return !diags->errors;
}

/* Their tests are kept in memory. */
enum { MOST_COMPILED = 400000 };

/* Is a program on several devices, while a target is a machine of one? */
static bool has_too_many_devices(const struct small_list *list, const struct target *targets, size_t count) {
  bool one = false, several = false;
  for (size_t i = 0; i < count; i++) one |= targets[i].kind->one_device;
  for (size_t i = 0; i < list->count; i++)
    for (unsigned t = 0; t < list->at[i].program.threads; t++)
      several |= list->at[i].program.dev[t] != list->at[i].program.dev[0];
  return one && several;
}

bool families_compiled(struct invocation *call, const char *text, const struct hardware *hardware,
                       struct small_family *family, struct small_list *list, struct diags *diags) {
  if (!small_family_read(call->arena, text, "-family", &small_opencl, family, diags)) return false;
  if (family->language != &small_opencl)
    diag_fail(diags, "option -family: compilers and translations are asked about programs of OpenCL");
  if (family->remote) diag_fail(diags, "option -family: compilers have no remote operations");
  small_family_without_remote(family);
  if (!family->from_file && small_estimate(family) > MOST_COMPILED)
    diag_fail(diags,
              "option -family: %s has about %" PRIu64
              " programs: compilers and translations are asked about %d at most",
              text, small_estimate(family), MOST_COMPILED);
  if (!diags->errors) *list = small_family_list(call->arena, family);
  if (!diags->errors && has_too_many_devices(list, hardware->at, hardware->named))
    diag_fail(diags, "option -family: machines of AMD GPUs have one device, and these programs more");
  return !diags->errors;
}

struct enumerate_options families_limits(const struct invocation *call, const atomic_int *cancel) {
  struct enumerate_options options = models_engine_options(call, cancel);
  options.timeout = 0; /* it is for all programs together */
  return options;
}

/* ---- tables of classes ---- */

const char *class_name(enum diff_class class) {
  static const char *const NAMES[] = {"same",   "both-undefined", "only-A-undefined", "only-B-undefined",
                                      "A-more", "B-more",         "neither",          "undecided"};
  return NAMES[class];
}

void classes_print(const char *head, const uint64_t (*rows)[CLASSES], size_t count, bool sums, FILE *out) {
  uint64_t all[CLASSES] = {0};
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < CLASSES; c++) all[c] += rows[i][c];
  int columns = sums && !all[CLASS_UNDECIDED] ? CLASS_UNDECIDED : CLASSES;
  fprintf(out, "%-10s", head);
  for (int c = 0; c < columns; c++) fprintf(out, " %16s", class_name((enum diff_class)c));
  for (size_t i = 0; i < count + sums; i++) {
    const uint64_t *row = i < count ? rows[i] : all;
    uint64_t some = i == count;
    for (int c = 0; c < CLASSES; c++) some |= row[c];
    if (!some) continue;
    if (i < count)
      fprintf(out, "\n%-10zu", i);
    else
      fprintf(out, "\n%-10s", "all");
    for (int c = 0; c < columns; c++) fprintf(out, " %16" PRIu64, row[c]);
  }
  fputc('\n', out);
}

/* ---- tests that tell ---- */

/* Of a file, with its ending. */
enum { LONGEST_NAME = 240 };

/* A program's name, with the values stored if they are not the usual ones: programs of a file may differ in these
 * alone. */
static const char *name_of(struct arena *arena, const struct small_program *program) {
  const char *name = small_name(arena, program), *values = "-values";
  struct small_program usual = *program;
  bool own = false;
  small_number_values(&usual);
  for (unsigned t = 0; t < program->threads; t++)
    for (unsigned i = 0; i < program->count[t]; i++) {
      const struct small_op *op = &program->ops[t][i];
      own |= op->value != usual.ops[t][i].value;
      if (small_writes(op)) values = arena_printf(arena, "%s-%d", values, op->value);
    }
  if (own) name = arena_printf(arena, "%s%s", name, values);
  return strlen(name) > LONGEST_NAME ? outfile_name(arena, name) : name;
}

struct telling_test families_telling_test(struct arena *arena, const struct small_program *program,
                                          enum diff_class class, const struct judge_model *a,
                                          const struct judge_model *b, const struct enumerate_options *limits) {
  struct litmus_test *test = small_test(arena, program);
  struct judgement x, y;
  judge_program(a, test, limits, arena, &x);
  judge_program(b, test, limits, arena, &y);
  const int64_t *outcome = NULL;
  if (class == CLASS_ONLY_A_UNDEFINED) outcome = x.undefined;
  if (class == CLASS_ONLY_B_UNDEFINED) outcome = y.undefined;
  if (class == CLASS_A_MORE || class == CLASS_NEITHER) outcome = judge_difference(&x, &y);
  if (class == CLASS_B_MORE) outcome = judge_difference(&y, &x);
  if (outcome) test_observing_ask(arena, test, outcome);
  const char *text[CLASSES] = {[CLASS_ONLY_A_UNDEFINED] = "undefined under %s, defined under %s",
                               [CLASS_ONLY_B_UNDEFINED] = "defined under %s, undefined under %s",
                               [CLASS_A_MORE] = "allowed by %s, not by %s",
                               [CLASS_B_MORE] = "not allowed by %s, allowed by %s",
                               [CLASS_NEITHER] = "allowed by %s, not by %s, and another the other way round"};
  return (struct telling_test){.program = program,
                               .name = name_of(arena, program),
                               .condition = test->condition_text,
                               .comment = text[class] ? arena_printf(arena, text[class], a->name, b->name) : NULL};
}

void families_print_minimal(const struct diff_result *result, const char *indent, const struct judge_model *a,
                            const struct judge_model *b, const struct enumerate_options *limits, FILE *out) {
  for (size_t i = 0; i < result->minimal_count; i++) {
    const struct diff_minimal *first = &result->minimal[i];
    if (first->group != i) continue;
    struct arena *arena = arena_new();
    struct telling_test test = families_telling_test(arena, &first->program, first->class, a, b, limits);
    fprintf(out, "%s%-16s  %-36s  ", indent, class_name(first->class), test.name);
    small_print(test.program, out);
    fprintf(out, "  %s\n", test.condition);
    if (*first->rule || first->group_size > 1) fprintf(out, "%s  ", indent);
    if (*first->rule) fprintf(out, "by %s%s", first->rule, first->group_size > 1 ? "; " : "\n");
    if (first->group_size > 1) fprintf(out, "%zu more like it\n", first->group_size - 1);
    arena_free(arena);
  }
}

/* ---- folders ---- */

static bool open_file(struct arena *arena, const char *folder, const char *name, struct outfile *file) {
  return outfile_open(arena, arena_printf(arena, "%s/%s", folder, name), file);
}

bool test_folder_open(struct invocation *call, const char *path, struct test_folder *folder, struct diags *diags) {
  *folder = (struct test_folder){.call = call, .path = path};
  if (!folder_make(call->arena, path, diags)) return false;
  if (!open_file(call->arena, path, "expected.tsv", &folder->expected))
    return outfile_finish(&folder->expected, true, diags);
  fputs("test\tmodel\tobservation\tpositive\tnegative\tbad\tstates\n", folder->expected.stream);
  return true;
}

bool test_folder_close(struct test_folder *folder, bool good, struct diags *diags) {
  return outfile_finish(&folder->expected, good, diags);
}

static void write_row(struct test_folder *folder, const char *name, const struct litmus_test *test,
                      const struct judge_model *model, const struct enumerate_options *limits) {
  struct arena *arena = arena_new();
  struct enumerate_options options = *limits;
  options.skip = model->skip;
  const struct verdict *v = verdict_run(arena, test, model->model, &options, NULL);
  fprintf(folder->expected.stream, "%s.litmus\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", name, model->name,
          log_observation(v), v->states.matching, v->states.failing, v->bad);
  for (size_t i = 0; i < v->states.count; i++)
    fprintf(folder->expected.stream, "%s%s", i ? " | " : "", log_state_text(arena, test, v->states.at[i].values));
  fputc('\n', folder->expected.stream);
  arena_free(arena);
}

static bool is_known(const struct test_folder *folder, const char *name) {
  return text_index(name, folder->at, folder->count) >= 0;
}

/* The test's text, which is written to its file; NULL: it was not. */
static const struct source *write_test(struct arena *arena, const char *folder, const struct telling_test *test,
                                       struct diags *diags) {
  const char *file_name = arena_printf(arena, "%s.litmus", test->name);
  const struct source *source =
      small_source(arena, test->program, file_name, test->name, test->comment, test->condition);
  struct outfile file;
  if (open_file(arena, folder, file_name, &file)) fputs(source->text, file.stream);
  return outfile_finish(&file, true, diags) ? source : NULL;
}

int families_write_smallest(struct invocation *call, const struct small_program *program, const char *condition,
                            const char *target) {
  const char *folder = option_text(call, OPTION_OUTPUT);
  struct diags diags = diags_new(call->arena);
  struct telling_test test = {program, name_of(call->arena, program), condition,
                              arena_printf(call->arena, "not sound: %s", target)};
  if (folder && folder_make(call->arena, folder, &diags)) write_test(call->arena, folder, &test, &diags);
  return diags_report(&diags);
}

bool test_folder_add(struct test_folder *folder, const struct telling_test *test, const struct judge_model *models,
                     size_t count, const struct enumerate_options *limits, struct diags *diags) {
  struct arena *arena = folder->call->arena;
  if (is_known(folder, test->name)) return true;
  *vec_push(arena, folder) = test->name;
  const struct source *source = write_test(arena, folder->path, test, diags);
  const struct litmus_test *read = source ? litmus_parse(arena, source, NULL, diags) : NULL;
  for (size_t i = 0; read && i < count; i++) write_row(folder, test->name, read, &models[i], limits);
  return read;
}
