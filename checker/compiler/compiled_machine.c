/* SPDX-License-Identifier: MIT */
/* The kind of machine that compiles first. */
#include "checker/compiler/compiled_machine.h"

#include <string.h>

#include "checker/base/path.h"
#include "checker/base/tags.h"
#include "checker/base/vec.h"
#include "checker/program/kernel_launch.h"

/* Who asks for a target gets it, or is told why not. */
static bool runs(const struct program *program) {
  (void)program;
  return true;
}

/* Remote operations have no code, whatever a model says of them. */
static bool check(const struct target *target, const struct program *program, struct arena *arena,
                  struct diags *diags) {
  (void)arena;
  INSTR_EACH (instr, program) {
    if (!tags_have(instr->tags, TAG_REMOTE)) continue;
    return diag_error(diags, program->source, instr->span, "no compiler for %s has code for remote operations",
                      target->name);
  }
  return true;
}

/* A kernel's own options, and where what it includes is, before those of the command line. */
static void add_options(struct arena *arena, const struct kernel_launch *launch, const struct source *source,
                        struct amd_build_settings *settings) {
  VEC(const char *) all = {0};
  const char *folder = path_folder(arena, source->name);
  *vec_push(arena, &all) = "-iquote";
  *vec_push(arena, &all) = *folder ? folder : ".";
  for (const char *const *option = launch->options; option && *option; option++) *vec_push(arena, &all) = *option;
  for (unsigned i = 0; i < settings->extra_count; i++) *vec_push(arena, &all) = settings->extra[i];
  settings->extra = all.at;
  settings->extra_count = (unsigned)all.count;
}

struct amd_build_settings compiled_settings(struct arena *arena, const struct compiled_setup *setup,
                                            const struct program *program) {
  struct amd_build_settings settings = setup->build;
  if (!program->kernel_launch || setup->llc.tool != CLANG_TOOL) return settings;
  settings.form = IR_KERNEL;
  add_options(arena, program->kernel_launch, program->source, &settings);
  return settings;
}

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  const struct compiled_setup *setup = target->settings;
  struct arena *arena = request->arena;
  const struct program *program = request->program;
  unsigned *kernels = ARENA_ARRAY(arena, unsigned, program->thread_count + 1);
  struct amd_program *code = ARENA_NEW(arena, struct amd_program);
  (void)attempt;
  if (program_is_adsm(program) || program->assembly)
    return diag_fail(diags, "%s: tests of ADSM and of machine code are not compiled", program->name);
  struct amd_build_settings settings = compiled_settings(arena, setup, program);
  struct amd_build *build = amd_build_new(arena, setup->target, &setup->llc, &settings, diags);
  return build && amd_build_add(build, program, kernels, diags) && amd_build_run(build, diags) &&
         amd_build_program(arena, build, program, kernels, code, diags) &&
         amd_machine(arena, code, &setup->knobs,
                     amd_observables(arena, program, request->observables, request->observable_count), machine, diags);
}

bool compiled_set(struct compiled_setup *setup, const char *name, const char *word, struct diags *diags) {
  if (strcmp(name, "scopes") != 0) return knobs_set(&amd_knob_table, &setup->knobs, name, word, diags);
  setup->build.one_as = !strcmp(word, "one-as");
  if (setup->build.one_as || !strcmp(word, "all")) return true;
  return diag_refuse_word(diags, "knob scopes", word, "all one-as");
}

const char *compiled_name(struct arena *arena, const struct compiled_setup *setup) {
  return arena_printf(arena, "%s/%s", setup->target->full, setup->llc.name);
}

const struct machine_kind compiled_kind = {.title = "AMD GPU",
                                           .root = "",
                                           .code = CODE_COMPILED,
                                           .one_device = true,
                                           .runs = runs,
                                           .check = check,
                                           .build = build};
