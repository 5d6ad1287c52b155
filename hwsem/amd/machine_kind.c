/* SPDX-License-Identifier: MIT */
/* Assembly tests on the AMD machine, as a kind of machine.  The test says which
 * GPU; the description says what that is. */
#include <stdlib.h>
#include <string.h>

#include "checker/program/outcome.h"
#include "hwsem/amd/machine.h"
#include "hwsem/machines/kinds.h"

struct settings {
  const struct amd_target *targets;
  unsigned count;
  struct amd_knobs knobs;
};

static bool runs(const struct program *program) {
  return program->assembly != NULL;
}

static const char *load(struct arena *arena, const char *name, const struct xml_folders *search, void *settings,
                        struct diags *diags) {
  struct settings *s = settings;
  s->knobs = amd_knobs_default();
  s->targets = amd_targets_load(arena, name, search, &s->count, diags);
  return s->targets ? "amdgpu" : NULL;
}

struct assembling {
  struct arena *arena;
  const struct program *program;
  const struct amd_target *target;
  struct diags *diags;
  const struct amd_argument *arguments;
  bool failed;
};

static void fail(struct assembling *a, struct span span, const char *message) {
  a->failed = true;
  diag_error(a->diags, a->program->source, span, "%s", message);
}

/* The first cell of an array, by the array's name; else the location of that name. */
static int find_location(const struct program *program, const char *name) {
  size_t length = strlen(name);
  for (unsigned x = 0; x < program->location_count; x++) {
    const char *cell = program->locations[x].name;
    if (!strncmp(cell, name, length) && (!cell[length] || !strcmp(cell + length, "[0]"))) return (int)x;
  }
  return -1;
}

static const struct amd_argument *arguments(struct assembling *a) {
  const struct assembly *assembly = a->program->assembly;
  struct amd_argument *all = ARENA_ARRAY(a->arena, struct amd_argument, assembly->argument_count + 1);
  for (size_t i = 0; i < assembly->argument_count; i++) {
    const struct assembly_argument *from = &assembly->arguments[i];
    int location = from->word ? find_location(a->program, from->word) : -1;
    all[i] =
        (struct amd_argument){.offset = from->offset, .kind = AMD_ARGUMENT_NUMBER, .number = (uint32_t)from->number};
    if (!from->word) continue;
    if (location < 0 && strcmp(from->word, "out") != 0) fail(a, from->span, "this is neither a location nor out");
    all[i].kind = location < 0 ? AMD_ARGUMENT_OUT : AMD_ARGUMENT_LOCATION;
    all[i].location = location < 0 ? 0 : (unsigned)location;
    all[i].flat = from->flat;
  }
  return all;
}

static struct amd_binding bind(struct assembling *a, const struct assembly_binding *from) {
  struct amd_binding binding = {.kind = AMD_BIND_NUMBER, .number = from->number};
  int reg = amd_register(from->reg, strlen(from->reg), &binding.words);
  int location = from->word ? find_location(a->program, from->word) : -1;
  if (reg < 0) fail(a, from->span, "this is not a register of the machine");
  binding.reg = reg < 0 ? 0 : (unsigned)reg;
  if (!from->word) return binding;
  bool short_address = location >= 0 && a->program->locations[location].region != REGION_GLOBAL;
  if (location >= 0) {
    binding.kind = AMD_BIND_LOCATION;
    binding.location = (unsigned)location;
  } else if (!strcmp(from->word, "out")) {
    binding.kind = AMD_BIND_OUT;
  } else if (!strcmp(from->word, "kernarg")) {
    binding.kind = AMD_BIND_KERNARG;
  } else {
    fail(a, from->span, "a register holds a number, a location, out or kernarg");
  }
  if (!short_address && binding.words != 2) fail(a, from->span, "an address takes a pair of registers, such as s[0:1]");
  return binding;
}

static const struct amd_binding *bindings(struct assembling *a, const struct assembly_thread *thread) {
  struct amd_binding *all = ARENA_ARRAY(a->arena, struct amd_binding, thread->binding_count + 1);
  for (size_t i = 0; i < thread->binding_count; i++) all[i] = bind(a, &thread->bindings[i]);
  return all;
}

/* Registers that are observed, by their names: out0, v2; of the first thread also
 * its private memory. */
static const struct amd_watch *watches(struct assembling *a, unsigned t, unsigned *count) {
  const struct thread *thread = &a->program->threads[t];
  struct amd_watch *all = ARENA_ARRAY(a->arena, struct amd_watch, thread->reg_count + a->program->location_count + 1);
  for (unsigned r = 0; r < thread->reg_count; r++) {
    const char *name = thread->reg_names[r];
    unsigned words;
    bool result = !strncmp(name, "out", 3);
    int reg = result ? atoi(name + 3) : amd_register(name, strlen(name), &words);
    all[r] =
        (struct amd_watch){result ? AMD_WATCH_RESULT : AMD_WATCH_REGISTER, reg < 0 ? AMD_NULL : (unsigned)reg, name};
  }
  *count = thread->reg_count;
  for (unsigned x = 0; t == 0 && x < a->program->location_count; x++)
    if (a->program->locations[x].region == REGION_PRIVATE)
      all[(*count)++] = (struct amd_watch){AMD_WATCH_PRIVATE, x, a->program->locations[x].name};
  return all;
}

static const struct amd_tree *unfold(void *context, unsigned t, struct amd_facts facts) {
  struct assembling *a = context;
  const struct assembly_thread *from = &a->program->assembly->threads[t];
  const struct thread *thread = &a->program->threads[t];
  const struct amd_code *code =
      amd_assemble(a->arena, a->target, a->program->source, from->lines, from->line_count, a->diags);
  struct amd_thread_input input = {.name = thread->name,
                                   .code = code,
                                   .bindings = bindings(a, from),
                                   .binding_count = (unsigned)from->binding_count,
                                   .arguments = a->arguments,
                                   .argument_count = (unsigned)a->program->assembly->argument_count,
                                   .facts = facts};
  input.watches = watches(a, t, &input.watch_count);
  if (!code || a->failed) return NULL;
  return amd_unfold(a->arena, a->target, &input, a->program->locations, a->program->location_count, a->diags);
}

static const struct amd_target *find_target(struct assembling *a, const struct settings *settings) {
  struct diags own = diags_new(a->arena);
  const struct assembly *assembly = a->program->assembly;
  const struct amd_target *target =
      amd_target_find(a->arena, settings->targets, settings->count, assembly->target, &own);
  if (!target) fail(a, assembly->target_span, own.at[0].message);
  return target;
}

static struct amd_observables observables(const struct explore_request *request) {
  struct amd_observable *all = ARENA_ARRAY(request->arena, struct amd_observable, request->observable_count + 1);
  const struct program *program = request->program;
  for (unsigned i = 0; i < request->observable_count; i++) {
    unsigned index = request->observables[i].index, private = 0;
    all[i] = (struct amd_observable){request->observables[i].thread, index};
    if (all[i].thread >= 0 || program->locations[index].region != REGION_PRIVATE) continue;
    for (unsigned x = 0; x < index; x++) private += program->locations[x].region == REGION_PRIVATE;
    all[i] = (struct amd_observable){0, program->threads[0].reg_count + private};
  }
  return (struct amd_observables){all, request->observable_count};
}

/* LLVM's own tests have code with local memory for a mode that has none. */
static void warn_of_local(const struct assembling *a) {
  for (unsigned x = 0; x < a->program->location_count && !a->target->mode->local; x++) {
    if (a->program->locations[x].region != REGION_LOCAL) continue;
    diag_warning(a->diags, a->program->source, a->program->assembly->target_span,
                 "mode %s has no local memory, so no GPU runs this test; it is answered as if there were some",
                 a->target->mode->name);
    return;
  }
}

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  const struct settings *settings = target->settings;
  const struct program *program = request->program;
  struct assembling a = {.arena = request->arena, .program = program, .diags = diags};
  (void)attempt;
  a.target = find_target(&a, settings);
  if (!a.target) return false;
  a.arguments = arguments(&a);
  struct amd_program *code = ARENA_MAKE(a.arena, struct amd_program, .target = a.target,
                                        .locations = program->locations, .location_count = program->location_count);
  if (!amd_program_unfold(a.arena, program, unfold, &a, code)) return false;
  warn_of_local(&a);
  return amd_machine(a.arena, code, &settings->knobs, observables(request), machine, diags);
}

static const char *const usual[] = {"amdgpu", NULL};

const struct machine_kind amd_kind = {.title = "AMD GPU",
                                      .root = "amdgpu",
                                      .usual = usual,
                                      .settings_size = sizeof(struct settings),
                                      .runs = runs,
                                      .load = load,
                                      .knobs = &amd_knob_table,
                                      .knobs_at = offsetof(struct settings, knobs),
                                      .build = build};
