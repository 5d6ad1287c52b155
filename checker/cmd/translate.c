/* SPDX-License-Identifier: MIT */
/* `translate`: tests in another language, by a mapping; to standard output, or a
 * file each. */
#include <errno.h>
#include <string.h>

#include "checker/base/outfile.h"
#include "checker/base/vec.h"
#include "checker/cmd/folder.h"
#include "checker/cmd/language_mapping_options.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/models.h"
#include "checker/cmd/tests.h"

struct translate {
  VEC(struct translated_setup *) setups;
  const char *folder; /* -o */
};

static void save(const struct translate *all, const struct translated_setup *setup, const char *text,
                 struct diags *diags, struct test_output *output) {
  const char *name = arena_printf(output->arena, "%s.%s", output->label, setup->translator.name);
  const char *path = arena_printf(output->arena, "%s/%s.litmus", all->folder, outfile_name(output->arena, name));
  struct outfile file;
  if (outfile_open(output->arena, path, &file)) fputs(text, file.stream);
  fprintf(output->out, "%s\n", path);
  if (!outfile_close(&file, true)) diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
}

static void translate_test(void *context, const struct litmus_test *test, unsigned workers,
                           struct test_output *output) {
  const struct translate *all = context;
  (void)workers;
  for (size_t i = 0; i < all->setups.count; i++) {
    struct diags diags = diags_new(output->arena);
    const struct translated_setup *setup = all->setups.at[i];
    struct composed composed;
    if (!translate(output->arena, setup, test, &composed, &diags)) {
      hardware_refuse(output, test, setup->translator.name, &diags);
      continue;
    }
    if (all->folder)
      save(all, setup, composed.text, &diags, output);
    else
      fputs(composed.text, output->out);
    if (!diags.errors) continue;
    diags_print(&diags, output->err);
    output->status = status_join(output->status, STATUS_BAD);
  }
}

static void load_mappings(struct invocation *call, struct translate *all, struct diags *diags) {
  size_t count, folder_count;
  const char **words = option_words(call, OPTION_MAPPING, &count);
  struct xml_search search = {.folders = search_folders(call, "mappings", &folder_count)};
  search.folder_count = (unsigned)folder_count;
  if (!count)
    diag_error(diags, NULL, (struct span){0},
               "translate needs a mapping to a language: -mapping opencl-ptx or -mapping opencl-vulkan");
  for (size_t i = 0; i < count; i++) {
    struct translated_setup *setup = translated_read(call, words[i], &search, diags);
    if (setup) *vec_push(call->arena, &all->setups) = setup;
  }
}

int command_translate(struct invocation *call) {
  struct translate all = {.folder = option_text(call, OPTION_TRANSLATE_OUTPUT)};
  struct diags diags = diags_new(call->arena);
  models_check_variants(call, NULL, 0, &diags);
  load_mappings(call, &all, &diags);
  if (diags.errors || (all.folder && !folder_make(call->arena, all.folder, &diags))) return diags_report(&diags);
  struct test_runner runner = {.context = &all, .run = translate_test};
  return tests_run(call, &runner);
}
