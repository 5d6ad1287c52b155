/* SPDX-License-Identifier: MIT */
/* `compile`: what a mapping makes of each thread, in the assembly notation of
 * the machine, with each operation of the program beside its instructions. */
#include "checker/cmd/compile_language.h"
#include "checker/cmd/compile_nvptx.h"
#include "checker/cmd/compile_target.h"
#include "checker/cmd/folder.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/models.h"
#include "checker/translate/translated_machine.h"
#include "hwsem/apply_mapping.h"

struct compile {
  struct hardware hardware;
  struct test_runner runner;
  bool ir;            /* -ir */
  const char *folder; /* -o */
};

static void compile_one(const struct target *target, const struct litmus_test *test, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct hw_program *program = compile_program(output->arena, test->program, target->mapping, &diags);
  if (!program) {
    hardware_refuse(output, test, target->name, &diags);
    return;
  }
  fprintf(output->out, "Test %s %s\n", test->name, target->name);
  hw_program_print(program, output->out);
  fputc('\n', output->out);
}

/* Once a test: protocols come by the three. */
static void refuse(const struct target *target, const struct litmus_test *test, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  diag_error(&diags, NULL, (struct span){0}, "%s: %s tests are not compiled: their machines run the program itself",
             test->source->name, target->kind->title);
  hardware_refuse(output, test, "", &diags);
}

static void compile_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct compile *compile = context;
  (void)workers;
  size_t count;
  const struct target *targets = hardware_targets(&compile->hardware, test->program, output->arena, &count);
  for (size_t i = 0; i < count; i++) {
    if (targets[i].kind == &compiled_kind) {
      compile_for_target(&targets[i], test, compile->ir, compile->folder, output);
      continue;
    }
    if (targets[i].kind == &translated_kind) {
      bool nvidia = ((const struct translated_setup *)targets[i].settings)->nvptx != NULL;
      if (nvidia)
        compile_for_nvptx(&targets[i], test, compile->ir, compile->folder, output);
      else
        compile_for_language(&targets[i], test, compile->folder, output);
      continue;
    }
    if (!targets[i].mapping) {
      refuse(&targets[i], test, output);
      return;
    }
    compile_one(&targets[i], test, output);
  }
}

/* Instructions of the GPU are text that is printed; -o takes tests. */
static void check_folder(const struct compile *compile, struct diags *diags) {
  for (size_t i = 0; i < compile->hardware.named; i++)
    if (!compile->hardware.at[i].mapping) return;
  if (compile->folder)
    diag_error(diags, NULL, (struct span){0},
               "option -o: none of these mappings is to a language, whose tests go there");
}

int command_compile(struct invocation *call) {
  struct compile compile = {.runner = {.run = compile_test}};
  struct diags diags = diags_new(call->arena);
  models_check_variants(call, NULL, 0, &diags);
  if (diags.errors || !hardware_load(call, &compile.hardware, &diags)) return diags_report(&diags);
  compile.ir = option_on(call, OPTION_IR);
  compile.folder = option_text(call, OPTION_COMPILE_OUTPUT);
  check_folder(&compile, &diags);
  if (diags.errors) return diags_report(&diags);
  if (compile.folder && !folder_make(call->arena, compile.folder, &diags)) return diags_report(&diags);
  compile.runner.context = &compile;
  return tests_run(call, &compile.runner);
}
