/* SPDX-License-Identifier: MIT */
/* Folders of `run`. */
#include "checker/cmd/run_emit.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/cmd/output_folder.h"
#include "checker/device/standalone_folder.h"
#include "checker/report/log.h"

/* ---- -o ---- */

static void write_row(FILE *out, const char *name, const uint32_t *values, size_t count) {
  fprintf(out, "%s", name);
  for (size_t i = 0; i < count; i++) fprintf(out, " %u", values[i]);
  fputc('\n', out);
}

static void write_tables(const struct device_setup *setup, const struct device_test *made, struct arena *arena,
                         FILE *out) {
  const struct table_shape *shape = &made->fitted.shape;
  const struct launch *launch = &made->fitted.launch;
  uint64_t random = setup->seed;
  uint32_t count = tables_instances(shape, launch);
  uint32_t *params = ARENA_ARRAY(arena, uint32_t, tables_params_size(shape));
  uint32_t *deal = ARENA_ARRAY(arena, uint32_t, tables_deal_size(shape, launch));
  uint32_t *places = ARENA_ARRAY(arena, uint32_t, count);
  tables_params(&random, shape, launch, params);
  tables_deal(&random, shape, launch, deal);
  tables_order(&random, places, count, launch->shuffle != 0);
  fprintf(out, "# The first launch: %u work-groups of %u work-items, %u of which only stress.\n",
          launch->groups + launch->stress_groups, shape->items, launch->stress_groups);
  fputs(
      "# params, then the initial value of each cell, deal by step, places by instance: "
      "checker/device/hosts/tables.h\n",
      out);
  write_row(out, "params", params, tables_params_size(shape));
  fputs("initial", out);
  for (uint32_t k = 0; k < shape->cells; k++) fprintf(out, " %lld", device_initial(arena, made->layout)[k]);
  fputc('\n', out);
  for (uint32_t step = 0; step < tables_steps(shape, launch); step++)
    write_row(out, "deal", deal + (size_t)step * launch->groups, launch->groups);
  write_row(out, "places", places, count);
}

bool emit_launch(const char *folder, const char *label, const struct device_setup *setup,
                 const struct device_test *made, struct test_output *output) {
  const char *stem = arena_printf(output->arena, "%s/%s", folder, outfile_name(output->arena, label));
  const char *kernel = arena_printf(output->arena, "%s.cl", stem),
             *tables = arena_printf(output->arena, "%s.tables", stem);
  struct outfile file;
  if (!test_output_write(output, kernel, made->kernel)) return false;
  if (outfile_open(output->arena, tables, &file)) write_tables(setup, made, output->arena, file.stream);
  return test_output_finish(&file, output);
}

/* ---- -emit ---- */

struct emission {
  const struct device_setup *setup;
  enum emit_language language;
  const char *folder;
  bool one; /* one test: its folder is `folder` itself */
};

/* The test as its host program must know it. */
static struct emit_test emitted_test(struct arena *arena, const struct litmus_test *test) {
  const char **names = ARENA_ARRAY(arena, const char *, test->observable_count + 1);
  for (unsigned k = 0; k < test->observable_count; k++)
    names[k] = log_observable_text(arena, test, test->observables[k]);
  return (struct emit_test){.name = test->name,
                            .kind = log_kind(test->quantifier),
                            .condition_text = test->condition_text,
                            .hash = test->hash,
                            .condition = test->condition,
                            .filter = test->filter,
                            .observables = test->observables,
                            .observable_count = test->observable_count,
                            .observable_names = names,
                            .text = test->source->text};
}

/* Is this file there with another text? */
static bool is_other(struct arena *arena, const char *path, const char *text) {
  struct diags unsaid = diags_new(arena);
  if (access(path, F_OK) != 0) return false;
  const struct source *there = source_read(arena, path, &unsaid);
  return !there || strcmp(there->text, text) != 0;
}

/* The folder for a test, unless it holds another one's. */
static bool open_folder(const struct litmus_test *test, const char *folder, struct arena *arena, struct diags *diags) {
  const char *kept = arena_printf(arena, "%s/test.litmus", folder);
  if (is_other(arena, kept, test->source->text))
    return diag_fail(diags, "%s: '%s' holds another test: name another folder, or remove this one", test->source->name,
                     folder);
  return folder_make(arena, folder, diags);
}

static void emit_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct emission *emission = context;
  struct arena *arena = output->arena;
  struct diags diags = diags_new(arena);
  struct device_test made;
  const char *folder = emission->one ? emission->folder
                                     : arena_printf(arena, "%s/%s", emission->folder,
                                                    outfile_name(arena, output->label ? output->label : test->name));
  const struct emit_file *files = NULL;
  size_t count = 0;
  (void)workers;
  if (device_test_lay_out(emission->setup, test, arena, &made, &diags)) {
    struct emit_test emitted = emitted_test(arena, made.test);
    emitted.lanes = emission->setup->settings.lanes;
    files = emit_files(arena, emission->language, made.layout, &emitted, &count, &diags);
  }
  if (!files || !open_folder(test, folder, arena, &diags)) {
    tests_refuse(output, test, option_table[OPTION_EMIT].name, &diags);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (!test_output_write(output, arena_printf(arena, "%s/%s", folder, files[i].name), files[i].text)) return;
  fprintf(output->out, "%s\n", folder);
}

static bool is_test_word(const char *text) {
  static const char *const endings[] = {".litmus", ".cl", ".comp", ".spvasm", ".spv", ".ptx"};
  for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
    if (text_ends_in(text, endings[i])) return true;
  return *text == '@';
}

/* The folder: that of -o, else the first word that names no test by itself. */
static bool take_folder(struct invocation *call, struct emission *emission, struct diags *diags) {
  emission->folder = option_text(call, OPTION_OUTPUT);
  for (size_t i = 0; !emission->folder && i < call->word_count; i++) {
    if (is_test_word(call->words[i])) continue;
    emission->folder = call->words[i];
    memmove(&call->words[i], &call->words[i + 1], (--call->word_count - i) * sizeof *call->words);
  }
  if (!emission->folder) return diag_fail(diags, "-emit needs a folder to write to: run -emit LANGUAGE DIR TEST...");
  emission->one = call->word_count == 1 && *call->words[0] != '@' && is_test_word(call->words[0]);
  return true;
}

int emit_tests(struct invocation *call, const struct device_setup *setup) {
  static const char *const words[] = {"opencl", "cuda", "hip", "vulkan", "webgpu"};
  struct device_setup own = *setup;
  struct emission emission = {.setup = &own};
  struct diags diags = diags_new(call->arena);
  for (size_t i = 0; i < ARRAY_COUNT(words); i++)
    if (option_is(call, OPTION_EMIT, words[i])) emission.language = (enum emit_language)i;
  if (emission.language == EMIT_VULKAN) own.words = WORDS_VULKAN;
  if (emission.language == EMIT_CUDA) own.words = WORDS_PTX;
  if (!take_folder(call, &emission, &diags)) return diags_report(&diags);
  struct test_runner runner = {.context = &emission, .run = emit_test};
  return tests_run(call, &runner);
}
