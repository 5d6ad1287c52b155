/* SPDX-License-Identifier: MIT */
/* From programs to PTX tests through LLVM. */
#include "checker/translate/nvptx.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/compiler/clang_source.h"
#include "checker/ptx/read.h"

const struct nvptx_target nvptx_targets[NVPTX_TARGETS] = {
    {"sm_60", "before PTX's memory model: atomics, volatile accesses and membar", 14},
    {"sm_70", "PTX's memory model", 14},
    {"sm_80", "PTX's memory model", 14},
    {"sm_90", "PTX's memory model", 16},
    {"sm_100", "PTX's memory model", 20},
};

/* The PTX that a compiler is asked for: what CUDA of its day would. */
static const struct {
  const char *target, *features;
  unsigned since;
} FEATURES[] = {{"sm_60", "+ptx60", 14}, {"sm_70", "+ptx63", 14}, {"sm_80", "+ptx70", 14},
                {"sm_90", "+ptx85", 20}, {"sm_90", "+ptx78", 16}, {"sm_100", "+ptx86", 20}};

const struct nvptx_target *nvptx_find(const char *name) {
  return FIND_ROW(nvptx_targets, NVPTX_TARGETS, name, name);
}

/* Older ones call functions of a library instead. */
enum { CLANG_SINCE = 22 };

struct nvptx {
  struct arena *arena;
  const struct nvptx_target *target;
  const struct llc *llc;
  struct llc_options options;
  struct llc_batch *prepared; /* NULL */
  const char *refusal;        /* why the compiler has no code for the target, or NULL */
};

struct nvptx *nvptx_new(struct arena *arena, const struct nvptx_target *target, const struct llc *llc,
                        const struct nvptx_settings *settings) {
  const char *features = NULL, *refusal = NULL;
  for (unsigned i = 0; i < ARRAY_COUNT(FEATURES) && !features; i++)
    if (!strcmp(FEATURES[i].target, target->name) && llc->version >= FEATURES[i].since) features = FEATURES[i].features;
  if (!features)
    refusal = arena_printf(arena, "%s (LLVM %s) cannot compile for %s: LLVM %u and newer can", llc->path, llc->release,
                           target->name, target->since);
  else if (settings->form != IR_TEXT && llc->version < CLANG_SINCE)
    refusal =
        arena_printf(arena, "%s (LLVM %s) has no fences with scopes for NVIDIA's GPUs: clang %d and newer have them",
                     llc->path, llc->release, CLANG_SINCE);
  struct nvptx *nvptx =
      ARENA_MAKE(arena, struct nvptx, .arena = arena, .target = target, .llc = llc, .refusal = refusal);
  nvptx->options = (struct llc_options){.processor = target->name,
                                        .features = features,
                                        .level = settings->level ? settings->level : "-O2",
                                        .extra = settings->extra,
                                        .extra_count = settings->extra_count,
                                        .ir = {.machine = IR_NVPTX, .form = settings->form, .lines = settings->lines}};
  return nvptx;
}

/* ---- compiling ---- */

static bool can_compile(const struct nvptx *nvptx, struct diags *diags) {
  if (nvptx->refusal) diag_fail(diags, "%s", nvptx->refusal);
  return !nvptx->refusal;
}

/* A program's threads in a batch of their own. */
static struct llc_batch *compile(const struct nvptx *nvptx, struct arena *arena, const struct program *program,
                                 struct ir_kernel *kernels, unsigned *numbers, struct diags *diags) {
  if (!can_compile(nvptx, diags)) return NULL;
  struct llc_batch *batch = llc_batch_new(arena, nvptx->llc, &nvptx->options);
  for (unsigned t = 0; t < program->thread_count; t++) {
    if (!source_kernel(arena, program, t, &nvptx->options.ir, &kernels[t], diags)) return NULL;
    numbers[t] = llc_batch_add(batch, &kernels[t]);
  }
  return llc_batch_run(batch, diags) ? batch : NULL;
}

/* The batch that has all threads of the program, or NULL. */
static struct llc_batch *find_prepared(const struct nvptx *nvptx, struct arena *arena, const struct program *program,
                                       struct ir_kernel *kernels, unsigned *numbers) {
  struct diags quiet = diags_new(arena);
  for (unsigned t = 0; nvptx->prepared && t < program->thread_count; t++) {
    if (!source_kernel(arena, program, t, &nvptx->options.ir, &kernels[t], &quiet)) return NULL;
    int number = llc_batch_find(nvptx->prepared, &kernels[t]);
    if (number < 0) return NULL;
    numbers[t] = (unsigned)number;
  }
  return nvptx->prepared;
}

bool nvptx_prepare(struct nvptx *nvptx, const struct program *const *programs, size_t count, struct diags *diags) {
  if (!can_compile(nvptx, diags)) return false;
  struct llc_batch *batch = llc_batch_new(nvptx->arena, nvptx->llc, &nvptx->options);
  for (size_t i = 0; i < count; i++)
    for (unsigned t = 0; t < programs[i]->thread_count; t++) {
      struct diags quiet = diags_new(nvptx->arena);
      struct ir_kernel kernel;
      if (source_kernel(nvptx->arena, programs[i], t, &nvptx->options.ir, &kernel, &quiet))
        llc_batch_add(batch, &kernel);
    }
  if (!llc_batch_run_each(batch, diags)) return false;
  nvptx->prepared = batch;
  return true;
}

bool nvptx_prepare_test(struct nvptx *nvptx, const struct program *program, struct diags *diags) {
  struct ir_kernel *kernels = ARENA_ARRAY(nvptx->arena, struct ir_kernel, program->thread_count + 1);
  unsigned *numbers = ARENA_ARRAY(nvptx->arena, unsigned, program->thread_count + 1);
  nvptx->prepared = compile(nvptx, nvptx->arena, program, kernels, numbers, diags);
  return nvptx->prepared != NULL;
}

unsigned nvptx_numbers(const struct nvptx *nvptx, struct arena *arena, const struct program *program,
                       unsigned *numbers) {
  unsigned count = 0;
  for (unsigned t = 0; nvptx->prepared && t < program->thread_count; t++) {
    struct diags quiet = diags_new(arena);
    struct ir_kernel kernel;
    int number = source_kernel(arena, program, t, &nvptx->options.ir, &kernel, &quiet)
                     ? llc_batch_find(nvptx->prepared, &kernel)
                     : -1;
    if (number >= 0) numbers[count++] = (unsigned)number;
  }
  return count;
}

/* ---- columns ---- */

/* Results keep the names of the source's registers where they can. */
static void name_results(struct arena *arena, const struct thread *thread, struct column *column,
                         struct ptx_kernel *kernel) {
  VEC(const char *) results = {0};
  column->registers = ARENA_ARRAY(arena, const char *, thread->reg_count + 1);
  for (unsigned r = 0; r < thread->reg_count; r++) {
    const char *name = thread->reg_names[r];
    if (!name) continue;
    column->registers[r] = arena_printf(arena, "r%u", (unsigned)results.count);
    *vec_push(arena, &results) = column->registers[r];
  }
  kernel->results = results.at;
  kernel->result_count = kernel->next = (unsigned)results.count;
}

static const unsigned *shared_locations(struct arena *arena, const struct program *program, unsigned *count) {
  unsigned *shared = ARENA_ARRAY(arena, unsigned, program->location_count + 1);
  *count = 0;
  for (unsigned x = 0; x < program->location_count; x++)
    if (program->locations[x].region == REGION_LOCAL) shared[(*count)++] = x;
  return shared;
}

static const unsigned *bytes_of_locations(struct arena *arena, const struct program *program) {
  unsigned *bytes = ARENA_ARRAY(arena, unsigned, program->location_count + 1);
  for (unsigned x = 0; x < program->location_count; x++) bytes[x] = ir_cell_bytes(program, x);
  return bytes;
}

static bool columns(const struct translator *translator, struct arena *arena, const struct program *program,
                    const char *const *locations, struct column *all, struct diags *diags) {
  const struct nvptx *nvptx = translator->self;
  struct ir_kernel *kernels = ARENA_ARRAY(arena, struct ir_kernel, program->thread_count + 1);
  unsigned *numbers = ARENA_ARRAY(arena, unsigned, program->thread_count + 1);
  struct llc_batch *batch = find_prepared(nvptx, arena, program, kernels, numbers);
  struct ptx_kernel *texts = ARENA_ARRAY(arena, struct ptx_kernel, program->thread_count + 1);
  const unsigned *bytes = bytes_of_locations(arena, program);
  bool depend = false;
  if (!batch) batch = compile(nvptx, arena, program, kernels, numbers, diags);
  for (unsigned t = 0; batch && t < program->thread_count; t++) {
    const char *error = llc_batch_error(batch, numbers[t]);
    if (error) return diag_fail(diags, "%s", error);
    texts[t] = (struct ptx_kernel){.source = llc_batch_source(batch),
                                   .thread = program->threads[t].name,
                                   .locations = kernels[t].locations,
                                   .location_count = kernels[t].location_count,
                                   .names = locations,
                                   .number = t};
    const struct span *lines = llc_batch_lines(batch, numbers[t], &texts[t].statement_count);
    texts[t].statements = ptx_lines(arena, texts[t].source, lines, texts[t].statement_count);
    texts[t].shared = shared_locations(arena, program, &texts[t].shared_count);
    texts[t].shared_stride = (kernels[t].wide ? 8 : 4) * IR_LOCAL_STRIDE;
    texts[t].bytes = bytes;
    depend |= ptx_barriers_depend(&texts[t]);
  }
  for (unsigned t = 0; batch && t < program->thread_count; t++) {
    all[t] = (struct column){0};
    name_results(arena, &program->threads[t], &all[t], &texts[t]);
    if (depend) texts[t].block = program_work_group_size(program, program->threads[t].wg);
    if (!ptx_read(arena, &texts[t], &all[t], diags)) return false;
  }
  return batch != NULL;
}

struct translator translator_by_compiler(struct arena *arena, const struct nvptx *nvptx) {
  const char *name = arena_printf(arena, "%s/%s", nvptx->target->name, nvptx->llc->name);
  return (struct translator){(void *)(uintptr_t)nvptx, name, LANG_PTX, columns};
}

bool nvptx_text_of(const struct nvptx *nvptx, struct arena *arena, const struct program *program,
                   struct nvptx_text *text) {
  unsigned threads = program->thread_count;
  struct ir_kernel *kernels = ARENA_ARRAY(arena, struct ir_kernel, threads + 1);
  unsigned *numbers = ARENA_ARRAY(arena, unsigned, threads + 1);
  struct llc_batch *batch = find_prepared(nvptx, arena, program, kernels, numbers);
  if (!batch) return false;
  const struct span **lines = ARENA_ARRAY(arena, const struct span *, threads + 1);
  size_t *counts = ARENA_ARRAY(arena, size_t, threads + 1);
  for (unsigned t = 0; t < threads; t++) lines[t] = llc_batch_lines(batch, numbers[t], &counts[t]);
  *text = (struct nvptx_text){llc_batch_shown(batch), llc_batch_source(batch), lines, counts};
  return true;
}

struct nvptx *nvptx_copy(struct arena *arena, const struct nvptx *nvptx) {
  struct nvptx *copy = ARENA_COPY(arena, struct nvptx, nvptx, 1);
  copy->arena = arena;
  copy->prepared = NULL;
  return copy;
}
