/* SPDX-License-Identifier: MIT */
/* From programs to code for the AMD machine.  Code is read once a kernel, and
 * unfolded once a thread of a test: its arguments are that test's locations. */
#include "checker/compiler/amd_code.h"


#include "checker/base/vec.h"
#include "checker/compiler/clang_source.h"
#include "checker/compiler/opencl_kernel.h"

enum { SCOPED_SINCE = 18 };

struct amd_build {
  struct arena *arena;
  const struct amd_target *target;
  struct llc_batch *batch;
  struct ir_options ir;
  bool past_hazards;
  VEC(struct ir_kernel) kernels; /* by number: what their arguments are */
  const struct amd_code **codes; /* by number, once read */
  const char **errors;           /* by number: why there is no code */
};

static const char *known_versions(struct arena *arena, const struct amd_target *target) {
  unsigned oldest = target->compiler_count ? target->compilers[target->compiler_count - 1].since : 0;
  return arena_printf(arena, "LLVM %u and newer", oldest);
}

struct amd_build *amd_build_new(struct arena *arena, const struct amd_target *target, const struct llc *llc,
                                const struct amd_build_settings *settings, struct diags *diags) {
  const char *processor = amd_target_processor(target, llc->version);
  if (!processor) {
    diag_fail(diags, "%s (LLVM %s) cannot compile for %s: %s can", llc->path, llc->release, target->name,
              known_versions(arena, target));
    return NULL;
  }
  if (settings->form == IR_C && llc->version < SCOPED_SINCE) {
    diag_fail(diags, "%s (LLVM %s) has no __scoped_atomic operations: clang %d and newer have them", llc->path,
              llc->release, SCOPED_SINCE);
    return NULL;
  }
  struct amd_build *build = ARENA_NEW(arena, struct amd_build);
  struct llc_options options = {
      .processor = processor,
      .features = target->mode->feature,
      .level = settings->level ? settings->level : "-O2",
      .extra = settings->extra,
      .extra_count = settings->extra_count,
      .ir = {.machine = IR_AMDGPU, .form = settings->form, .one_as = settings->one_as, .lines = settings->lines},
  };
  *build =
      (struct amd_build){.arena = arena, .target = target, .ir = options.ir, .past_hazards = settings->past_hazards};
  build->batch = llc_batch_new(arena, llc, &options);
  return build;
}

static bool is_on_several_devices(const struct program *program) {
  bool several = false;
  for (unsigned t = 1; t < program->thread_count; t++) several |= program->threads[t].dev != program->threads[0].dev;
  return several;
}

bool amd_build_add(struct amd_build *build, const struct program *program, unsigned *kernels, struct diags *diags) {
  if (is_on_several_devices(program))
    return diag_error(diags, program->source, (struct span){0, 0}, "%s: the AMD machine has one device", program->name);
  for (unsigned i = 0; i < program->location_count && !build->target->mode->local; i++) {
    if (program->locations[i].region != REGION_LOCAL) continue;
    return diag_fail(diags, "%s: local location '%s' cannot be used on %s, which has no local memory",
                     program->source->name, program->locations[i].name, build->target->full);
  }
  for (unsigned t = 0; t < program->thread_count; t++) {
    struct ir_kernel kernel;
    if (!source_kernel(build->arena, program, t, &build->ir, &kernel, diags)) return false;
    kernels[t] = llc_batch_add(build->batch, &kernel);
    if (kernels[t] == build->kernels.count) *vec_push(build->arena, &build->kernels) = kernel;
  }
  return true;
}

bool amd_build_run_each(struct amd_build *build, struct diags *diags) {
  size_t count = build->kernels.count + 1;
  build->codes = ARENA_ARRAY(build->arena, const struct amd_code *, count);
  build->errors = ARENA_ARRAY(build->arena, const char *, count);
  if (!llc_batch_run_each(build->batch, diags)) return false;
  for (unsigned k = 0; k < build->kernels.count; k++) {
    struct diags own = diags_new(build->arena);
    const char *error = llc_batch_error(build->batch, k);
    if (!error && !amd_build_code(build, k, &own)) error = own.count ? own.at[0].message : "";
    build->errors[k] = error;
  }
  return true;
}

bool amd_build_run(struct amd_build *build, struct diags *diags) {
  build->codes = ARENA_ARRAY(build->arena, const struct amd_code *, build->kernels.count + 1);
  return llc_batch_run(build->batch, diags);
}

const struct llc_batch *amd_build_batch(const struct amd_build *build) {
  return build->batch;
}

const struct amd_code *amd_build_code(struct amd_build *build, unsigned kernel, struct diags *diags) {
  size_t count;
  if (build->errors && build->errors[kernel]) {
    diag_fail(diags, "%s", build->errors[kernel]);
    return NULL;
  }
  const struct span *lines = llc_batch_lines(build->batch, kernel, &count);
  if (!build->codes[kernel])
    build->codes[kernel] =
        amd_assemble(build->arena, build->target, llc_batch_source(build->batch), lines, count, diags);
  return build->codes[kernel];
}

/* The results first, then locations, eight bytes each. */
static const struct amd_argument *arguments(struct arena *arena, const struct ir_kernel *kernel) {
  struct amd_argument *all = ARENA_ARRAY(arena, struct amd_argument, kernel->location_count + 1);
  all[0] = (struct amd_argument){.kind = AMD_ARGUMENT_OUT};
  for (unsigned i = 0; i < kernel->location_count; i++)
    all[i + 1] =
        (struct amd_argument){.offset = 8 * (i + 1), .kind = AMD_ARGUMENT_LOCATION, .location = kernel->locations[i]};
  return all;
}

static const struct amd_watch *watches(struct arena *arena, const struct thread *thread, unsigned *count) {
  VEC(struct amd_watch) all = {0};
  for (unsigned r = 0; r < thread->reg_count; r++)
    if (thread->reg_names[r])
      *vec_push(arena, &all) = (struct amd_watch){AMD_WATCH_RESULT, (unsigned)all.count - 1, thread->reg_names[r]};
  *count = (unsigned)all.count;
  return all.at;
}

/* Threads and what they were compiled to. */
struct compiled_threads {
  struct arena *arena;
  const struct amd_build *build;
  const struct program *program;
  const unsigned *kernels;             /* by thread */
  const struct amd_code *const *codes; /* by thread */
  struct diags *diags;
};

static const struct amd_tree *unfold_thread(void *context, unsigned t, struct amd_facts facts) {
  const struct compiled_threads *c = context;
  const struct amd_build *build = c->build;
  const struct program *program = c->program;
  const struct ir_kernel *kernel = &build->kernels.at[c->kernels[t]];
  const struct location *locations = program->locations;
  struct amd_thread_input input = {.name = program->threads[t].name,
                                   .code = c->codes[t],
                                   .arguments = arguments(c->arena, kernel),
                                   .argument_count = kernel->location_count + 1,
                                   .facts = facts,
                                   .past_hazards = build->past_hazards};
  input.watches = watches(c->arena, &program->threads[t], &input.watch_count);
  if (build->ir.form == IR_KERNEL && !(locations = kernel_call(c->arena, program, t, &input, c->diags))) return NULL;
  return amd_unfold(c->arena, build->target, &input, locations, program->location_count, c->diags);
}

bool amd_build_threads(struct arena *arena, struct amd_build *build, const struct program *program,
                       struct amd_thread_codes threads, struct amd_program *out, struct diags *diags) {
  struct compiled_threads c = {arena, build, program, threads.kernels, threads.codes, diags};
  *out = (struct amd_program){
      .target = build->target, .locations = program->locations, .location_count = program->location_count};
  if (build->ir.form == IR_KERNEL) out->locations = kernel_locations(arena, program, threads.codes[0]);
  return amd_program_unfold(arena, program, unfold_thread, &c, out);
}

bool amd_build_program(struct arena *arena, struct amd_build *build, const struct program *program,
                       const unsigned *kernels, struct amd_program *out, struct diags *diags) {
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, program->thread_count + 1);
  for (unsigned t = 0; t < program->thread_count; t++) {
    codes[t] = amd_build_code(build, kernels[t], diags);
    if (!codes[t]) return false;
  }
  return amd_build_threads(arena, build, program, (struct amd_thread_codes){kernels, codes}, out, diags);
}

struct amd_observables amd_observables(struct arena *arena, const struct program *program,
                                       const struct observable *observables, unsigned count) {
  struct amd_observable *all = ARENA_ARRAY(arena, struct amd_observable, count + 1);
  for (unsigned i = 0; i < count; i++) {
    all[i] = (struct amd_observable){observables[i].thread, observables[i].index};
    if (observables[i].thread < 0) continue;
    const struct thread *thread = &program->threads[observables[i].thread];
    for (unsigned r = 0; r < observables[i].index; r++) all[i].index -= !thread->reg_names[r];
  }
  return (struct amd_observables){all, count};
}
