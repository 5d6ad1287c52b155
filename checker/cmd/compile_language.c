/* SPDX-License-Identifier: MIT */
/* `compile`: tests in another language, by a mapping; to standard output, or a
 * file each. */
#include "checker/cmd/compile_language.h"

#include "checker/base/outfile.h"
#include "checker/cmd/machine_options.h"
#include "checker/translate/translated_machine.h"

static void save(const char *folder, const struct translated_setup *setup, const char *text, struct diags *diags,
                 struct test_output *output) {
  const char *name = arena_printf(output->arena, "%s.%s", output->label, setup->translator.name);
  const char *path = arena_printf(output->arena, "%s/%s.litmus", folder, outfile_name(output->arena, name));
  struct outfile file;
  if (outfile_open(output->arena, path, &file)) fputs(text, file.stream);
  fprintf(output->out, "%s\n", path);
  outfile_finish(&file, true, diags);
}

void compile_for_language(const struct target *target, const struct litmus_test *test, const char *folder,
                          struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  const struct translated_setup *setup = target->settings;
  struct composed composed;
  if (!translate(output->arena, setup, test, &composed, &diags)) {
    hardware_refuse(output, test, setup->translator.name, &diags);
    return;
  }
  if (folder)
    save(folder, setup, composed.text, &diags, output);
  else
    fputs(composed.text, output->out);
  if (!diags.errors) return;
  diags_print(&diags, output->err);
  output->status = status_join(output->status, STATUS_BAD);
}
