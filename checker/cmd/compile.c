/* SPDX-License-Identifier: MIT */
/* `compile`: what a mapping makes of each thread, in the assembly notation of
 * the machine, with each operation of the program next to its instructions. */
#include "checker/cmd/compile.h"

#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/translate/model_as_machine.h"
#include "hwsem/compile_by_mapping.h"

struct compile {
  struct hardware hardware;
  struct test_runner runner;
  struct compile_wanted wanted;
};

static bool compile_by_mapping(const struct target *target, const struct litmus_test *test,
                               const struct compile_wanted *wanted, struct test_output *output, struct diags *diags) {
  (void)wanted;
  struct hw_program *program = compile_program(output->arena, test->program, target->mapping, diags);
  if (!program) return false;
  fprintf(output->out, "Test %s %s\n", test->name, target->name);
  hw_program_print(program, output->out);
  fputc('\n', output->out);
  return true;
}

/* NULL: its machine runs the program itself. */
static compile_way *way_of(const struct target *target) {
  switch (target->kind->code) {
    case CODE_ITSELF:
      break;
    case CODE_MAPPED:
      return compile_by_mapping;
    case CODE_COMPILED:
      return compile_for_target;
    case CODE_TRANSLATED:
      return ((const struct translated_setup *)target->settings)->nvptx ? compile_for_nvptx : compile_for_language;
  }
  return NULL;
}

static void compile_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct compile *compile = context;
  (void)workers;
  size_t count;
  const struct target *targets = hardware_targets(&compile->hardware, test->program, output->arena, &count);
  for (size_t i = 0; i < count; i++) {
    struct diags diags = diags_new(output->arena);
    compile_way *way = way_of(&targets[i]);
    if (!way) { /* once a test: protocols come by the three */
      diag_fail(&diags, "%s: %s tests are not compiled: their machines run the program itself", test->source->name,
                targets[i].kind->title);
      tests_refuse(output, test, "", &diags);
      return;
    }
    if (!way(&targets[i], test, &compile->wanted, output, &diags))
      tests_refuse(output, test, targets[i].name, &diags);
    else if (diags.errors)
      tests_tell(output, &diags);
  }
}

/* Instructions of the GPU are text that is printed; -o takes tests. */
static void check_folder(const struct compile *compile, struct diags *diags) {
  for (size_t i = 0; i < compile->hardware.named; i++)
    if (!compile->hardware.at[i].mapping) return;
  if (compile->wanted.folder)
    diag_fail(diags, "option -o: none of these mappings is to a language, whose tests go there");
}

int command_compile(struct invocation *call) {
  struct compile compile = {.runner = {.run = compile_test}};
  struct diags diags = diags_new(call->arena);
  models_check_variants(call, NULL, 0, &diags);
  if (diags.errors || !hardware_load(call, &compile.hardware, &diags)) return diags_report(&diags);
  compile.wanted.ir = option_on(call, OPTION_IR);
  compile.wanted.folder = option_text(call, OPTION_COMPILE_OUTPUT);
  check_folder(&compile, &diags);
  if (diags.errors) return diags_report(&diags);
  if (compile.wanted.folder && !folder_make(call->arena, compile.wanted.folder, &diags)) return diags_report(&diags);
  compile.runner.context = &compile;
  return tests_run(call, &compile.runner);
}
