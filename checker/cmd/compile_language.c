/* SPDX-License-Identifier: MIT */
/* `compile`: tests in another language, by a mapping; to standard output, or a
 * file each. */
#include "checker/base/outfile.h"
#include "checker/cmd/compile.h"
#include "checker/translate/model_as_machine.h"

const char *compile_save(const char *folder, const char *name, const char *text, struct test_output *output,
                         struct diags *diags) {
  const char *path = arena_printf(output->arena, "%s/%s.litmus", folder, outfile_name(output->arena, name));
  struct outfile file;
  if (outfile_open(output->arena, path, &file)) fputs(text, file.stream);
  outfile_finish(&file, true, diags);
  return path;
}

bool compile_for_language(const struct target *target, const struct litmus_test *test,
                          const struct compile_wanted *wanted, struct test_output *output, struct diags *diags) {
  struct composed composed;
  if (!translate(output->arena, target->settings, test, &composed, diags)) return false;
  const char *name = arena_printf(output->arena, "%s.%s", output->label, target->name);
  if (wanted->folder)
    fprintf(output->out, "%s\n", compile_save(wanted->folder, name, composed.text, output, diags));
  else
    fputs(composed.text, output->out);
  return true;
}
