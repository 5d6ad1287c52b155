/* SPDX-License-Identifier: MIT */
/* A kernel from its text to a program. */
#include "checker/spirv/spirv.h"

#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/program/barriers_for_all.h"
#include "checker/program/possible_cells.h"
#include "checker/spirv/kernel_internal.h"

bool spirv_is_kernel(const struct source *source) {
  return compile_is_source(source) || module_is_spirv(source);
}

/* ---- what the module says of itself ---- */

/* Entry points but for one. */
static const char *entry_names(const struct kernel_code *k, const struct inst *but) {
  const char *names = "";
  ARRAY_EACH (const struct inst, inst, k->module.insts, k->module.inst_count)
    if (inst->opcode == SpvOpEntryPoint && inst != but)
      names = arena_printf(k->arena, "%s%s%s", names, *names ? ", " : "", module_string(inst, 2));
  return names;
}

/* One is read, and nobody may have said which. */
static void warn_of_others(const struct kernel_code *k) {
  const char *others = k->entry && !k->module.kernel ? entry_names(k, k->entry) : "";
  if (*others)
    diag_warning(k->module.diags, k->module.source, k->entry->span,
                 "only the first entry point is read, %s; `-kernel NAME`, or a line `@Kernel: NAME`, reads another: %s",
                 module_string(k->entry, 2), others);
}

static void read_models(struct kernel_code *k) {
  k->entry = module_entry(&k->module);
  warn_of_others(k);
  ARRAY_EACH (const struct inst, inst, k->module.insts, k->module.inst_count) {
    if (inst->opcode == SpvOpExecutionMode && k->entry && inst->operands[0] == k->entry->operands[1] &&
        inst->operands[1] == SpvExecutionModeLocalSize)
      module_size(k, &(struct shape){{inst->operands[2], inst->operands[3], inst->operands[4]}});
    if (inst->opcode == SpvOpCapability) k->vulkan |= inst->operands[0] == SpvCapabilityVulkanMemoryModel;
    if (inst->opcode != SpvOpMemoryModel) continue;
    k->wraps = inst->operands[0] == SpvAddressingModelLogical || inst->operands[0] == SpvAddressingModelPhysical32;
    k->types.pointer_bytes = inst->operands[0] == SpvAddressingModelPhysical32 ? 4 : 8;
    k->glsl450 = inst->operands[1] == SpvMemoryModelGLSL450 && !k->vulkan;
    k->vulkan |= inst->operands[1] == SpvMemoryModelVulkan || k->glsl450;
    if (!k->vulkan && inst->operands[1] != SpvMemoryModelOpenCL)
      module_fail(&k->module, inst,
                  "this module has neither OpenCL's memory model, nor Vulkan's, nor that of GLSL 4.50");
  }
  k->shift = k->wraps ? 20 : 32;
  if (!k->entry && k->module.kernel)
    diag_error(k->module.diags, k->module.source, k->header.kernel_span,
               "the module has no entry point %s; there is %s", k->module.kernel, entry_names(k, NULL));
  k->module.failed |= !k->entry && k->module.kernel;
  if (!k->entry && !k->module.failed)
    module_fail(&k->module, NULL,
                "there is no kernel in it: the module has no entry point of a kernel or a compute shader");
}

/* Where constants say it. */
static void read_size(struct kernel_code *k) {
  ARRAY_EACH (const struct inst, inst, k->module.insts, k->module.inst_count) {
    const uint32_t *operands = inst->operands;
    if (inst->opcode == SpvOpExecutionModeId && operands[0] == k->entry->operands[1] &&
        operands[1] == SpvExecutionModeLocalSizeId)
      module_size(k, &(struct shape){{(unsigned)k->numbers[operands[2]], (unsigned)k->numbers[operands[3]],
                                      (unsigned)k->numbers[operands[4]]}});
  }
}

static void read_code(struct kernel_code *k) {
  struct arena *arena = k->arena;
  k->types.module = &k->module;
  k->types.by_id = ARENA_ARRAY(arena, const struct kernel_type *, k->module.bound + 1u);
  k->constants = ARENA_ARRAY(arena, const struct scalar *, k->module.bound + 1u);
  k->types.constants = k->numbers = ARENA_ARRAY(arena, uint64_t, k->module.bound + 1u);
  read_models(k);
  if (!k->module.failed) constants_find(k);
  if (!k->module.failed) read_size(k);
  if (!k->module.failed) functions_find(k);
  if (k->module.failed) return;
  k->main = function_of(k, k->entry->operands[1]);
  if (!k->main) module_fail(&k->module, k->entry, "the entry point is not a function of the module");
  if (!k->module.failed) objects_make(k);
}

/* ---- threads ---- */

static void make_thread(struct kernel_code *k, unsigned number, struct thread *thread) {
  unsigned threads = k->header.threads, group = threads * k->header.subgroups;
  struct work_item w = {.k = k, .number = number, .arena = k->arena, .scratch = arena_new()};
  *thread =
      (struct thread){.name = arena_printf(k->arena, "P%u", number), .sg = number / threads, .wg = number / group};
  flow_run(&w);
  if (!k->module.failed) layout_thread(&w, thread);
  arena_free(w.scratch);
}

static struct program *make_program(struct kernel_code *k, const char *name) {
  k->locations.count = k->cell_count;
  k->labels.count = k->label_keys.count = k->copies.count = 0;
  k->argument_locations = ARENA_ARRAY(k->arena, unsigned, k->module.bound + 1u);
  k->touched = ARENA_ARRAY(k->arena, struct touch, k->cell_count + 1u);
  for (unsigned l = 0; l < k->cell_count; l++) k->locations.at[l].atomic = false;
  gatherings_begin(k);
  struct program *program = k->program = ARENA_NEW(k->arena, struct program);
  unsigned count = k->header.threads * k->header.subgroups * k->header.workgroups;
  *program = (struct program){.name = name,
                              .source = k->module.source,
                              .thread_count = count,
                              .threads = ARENA_ARRAY(k->arena, struct thread, count),
                              .sg_count = k->header.subgroups * k->header.workgroups,
                              .wg_count = k->header.workgroups,
                              .qf_count = 1,
                              .dev_count = 1,
                              .placed = true};
  for (unsigned t = 0; t < count && !k->module.failed; t++) make_thread(k, t, &program->threads[t]);
  if (!k->module.failed) barriers_join(k, program);
  program->location_count = (unsigned)k->locations.count;
  program->locations = k->locations.at;
  program->barrier_label_count = (unsigned)k->labels.count;
  program->barrier_labels = k->labels.at;
  return program;
}

static void note_asked(struct kernel_code *k, const struct spirv_test *test) {
  bool *asked = ARENA_ARRAY(k->arena, bool, k->cell_count + 1u);
  for (unsigned i = 0; i < test->asks.observable_count; i++) asked[test->asks.observables[i].index] = true;
  k->asked = asked;
}

static bool same_touches(const struct kernel_code *k) {
  for (unsigned l = 0; l < k->cell_count; l++)
    if (k->settled[l].by != k->touched[l].by || k->settled[l].written != k->touched[l].written) return false;
  return true;
}

/* What an element holds at first matters only if something accesses it, or the condition asks for it. */
static void settle_unused(struct kernel_code *k, const struct program *program) {
  bool *used = ARENA_ARRAY(k->arena, bool, program->location_count + 1u);
  INSTR_EACH (instr, program) {
    const struct address *address = &instr->address;
    for (unsigned c = 0; c < address->size; c++) used[address->base + c] = true;
  }
  for (unsigned l = 0; l < k->cell_count; l++) program->locations[l].any &= used[l] || k->asked[l];
}

/* First the code as it is, then what follows from who touches what, as often as that says more. */
static void make_test(struct kernel_code *k, struct spirv_test *test) {
  enum { ROUNDS = 4, MOST_ROUNDS = 200 };
  k->settled = NULL;
  k->cell_count = (unsigned)k->locations.count;
  struct diags before = *k->module.diags;
  bool same = false; /* of operations of groups: what one gives may depend on what came of another */
  for (unsigned round = 0; (round < ROUNDS || !same) && !k->module.failed; round++) {
    k->module.diags->count = before.count; /* each round warns of the same */
    test->program = make_program(k, test->name);
    same = gatherings_same(k);
    if (round && same && same_touches(k)) break;
    if (round == MOST_ROUNDS)
      module_fail(&k->module, NULL, "the results of its group operations did not settle after %d rounds", MOST_ROUNDS);
    if (!round && !k->module.failed) condition_make(k, test);
    if (!round && !k->module.failed) note_asked(k, test);
    k->settled = k->touched;
  }
  if (k->module.failed) return;
  settle_unused(k, test->program);
  possible_cells_find(k->arena, test->program);
  barriers_for_all_find(test->program);
}

/* What the header would give the length of: a variable, or the member at its end. */
static const char *open_name(const struct kernel_code *k, const struct memory *object) {
  const struct kernel_type *type = object->type;
  const char *name = module_name(&k->module, object->id);
  const char *last = type->kind == TYPE_STRUCT ? type->member_names[type->count - 1] : NULL;
  return !last ? name : object->nameless ? last : arena_printf(k->arena, "%s.%s", name, last);
}

/* Lengths that nobody gave. */
static void warn_open(const struct kernel_code *k) {
  ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count) {
    unsigned count = object->open ? type_tail(object->type, NULL)->count : 0;
    if (!count || object->group > 1) continue;
    diag_warning(k->module.diags, k->module.source, k->module.defs[object->open]->span,
                 "%s has no @Input: it is taken to be as long as it is used, %u element%s, which may hold anything",
                 open_name(k, object), count, count == 1 ? "" : "s");
  }
}

/* Numbers that the host passes and nobody gave: lengths, as a rule, without which there is much to try. */
static void warn_passed(const struct kernel_code *k) {
  const char *names = "", *first = "";
  unsigned count = 0;
  struct span at = {0};
  for (uint32_t id = 1; id < k->module.bound; id++) {
    if (!k->argument_locations[id]) continue;
    const struct memory *object = object_of(k, id, 0);
    const char *name = object ? object->name : module_name(&k->module, id);
    names = count ? arena_printf(k->arena, "%s, %s", names, name) : name;
    if (!count++) first = name, at = k->module.defs[id]->span;
  }
  if (count)
    diag_warning(k->module.diags, k->module.source, at,
                 "%s %s no @Input, and may be anything; with a value, as in `-input '%s = 4'`, there is less to try",
                 names, count == 1 ? "has" : "have", first);
}

/* Alone, a work-item has nobody to race with, and neither has a work-group. */
static void warn_of_size(const struct kernel_code *k) {
  const struct header *h = &k->header;
  const unsigned *n = h->items.at, *m = k->size.at;
  unsigned size = shape_count(&k->size);
  if (h->configured && size > 1 && size != h->threads * h->subgroups)
    diag_warning(
        k->module.diags, k->module.source, (struct span){0},
        "@Config gives its work-groups %u work-items, but the module %ux%ux%u: the compiler may have relied on the "
        "latter",
        h->threads * h->subgroups, m[0], m[1], m[2]);
  if (h->configured) return;
  if (h->threads * h->subgroups == 1)
    diag_warning(k->module.diags, k->module.source, (struct span){0},
                 "no @Config says how many work-items run it, so a single one does; `-config 1,1,2` runs one in each "
                 "of two work-groups");
  else
    diag_warning(k->module.diags, k->module.source, (struct span){0},
                 "no @Config says how many work-items run it, so it is one work-group of %ux%ux%u, as the module says, "
                 "in sub-groups of %u; with `-config 1,2,2`, two work-groups of two",
                 n[0], n[1], n[2], h->threads);
}

static void note_model(const struct kernel_code *k) {
  if (k->glsl450)
    diag_note(
        k->module.diags, k->module.source, (struct span){0},
        "the module has GLSL's own memory model, which is read as Vulkan's: what is declared neither `coherent` nor "
        "`volatile` is private to each invocation, but for atomic operations and `shared` variables");
}

static void check_inputs(struct kernel_code *k) {
  ARRAY_EACH (const struct header_input, input, k->header.inputs.at, k->header.inputs.count)
    if (input->type)
      k->module.failed |=
          !diag_error(k->module.diags, input->source, input->span,
                      "the type of %s is the module's to say; types before names are for PTX", input->name);
    else if (!input->used)
      diag_warning(k->module.diags, input->source, input->span, "the module has no variable, argument or constant %%%s",
                   input->name);
}

/* The file's own words come first, so that options have the last. */
static const char *const *compiler_words(struct kernel_code *k, const struct spirv_options *options) {
  for (const char *const *word = options->compiler; word && *word; word++)
    *vec_push(k->arena, &k->header.options) = *word;
  *vec_push(k->arena, &k->header.options) = NULL;
  return k->header.options.at;
}

static bool read_module(struct kernel_code *k, const struct spirv_options *options) {
  const struct source *source = k->module.source;
  struct compiled *compiled = &k->compiled;
  if (!header_read(k->arena, source, module_is_spirv(source), options->header, &k->header, k->module.diags))
    return false;
  if (options->condition &&
      !header_replace_condition(k->arena, source, options->condition, &k->header, k->module.diags))
    return false;
  k->module.kernel = k->header.kernel;
  if (!compile_is_source(source)) return module_read(&k->module, NULL, 0);
  k->options = compiler_words(k, options);
  return compile_source(k->arena, source, k->options, compiled, k->module.diags) &&
         module_read(&k->module, compiled->words, compiled->size);
}

/* ---- a kernel that has been read ---- */

struct spirv_code {
  struct kernel_code k;
};

struct spirv_code *spirv_open(struct arena *arena, const struct source *source, const struct spirv_options *options,
                              struct diags *diags) {
  static const struct spirv_options none = {0};
  struct spirv_code *code = ARENA_NEW(arena, struct spirv_code);
  code->k = (struct kernel_code){.arena = arena, .module = {.arena = arena, .source = source, .diags = diags}};
  code->k.asks_all = options && options->asks_all;
  return read_module(&code->k, options ? options : &none) ? code : NULL;
}

const struct module *spirv_module(const struct spirv_code *code) {
  return &code->k.module;
}

/* Are there arrays that are longer than they are used? */
static bool has_spare(const struct kernel_code *k) {
  for (size_t i = 0; i < k->objects.count; i++)
    if (k->objects.at[i].spare) return true;
  return false;
}

/* Once, in an arena of its own.  Where an array turns out longer, nothing is kept but that; where something else does,
 * what was found refers to this. */
static void try_code(struct kernel_code *k, struct spirv_test *test) {
  struct arena *arena = k->arena, *own = arena_new();
  size_t found = k->paddings.count + k->texels.count;
  k->arena = k->module.arena = own;
  read_code(k);
  if (!k->module.failed) make_test(k, test);
  if (!k->module.failed) copies_check(k);
  if (!k->again && has_spare(k)) k->again = k->exact = true;
  k->arena = k->module.arena = arena;
  if (k->again && k->paddings.count + k->texels.count == found)
    arena_free(own);
  else
    arena_adopt(arena, own);
}

bool spirv_make_code(struct arena *arena, const struct spirv_code *code, struct spirv_changes changes,
                     struct spirv_test *test, struct kernel_code *k, struct diags *diags) {
  *k = code->k;
  k->arena = k->module.arena = arena;
  k->module.diags = diags;
  k->changes = changes;
  k->used = ARENA_ARRAY(arena, unsigned, k->module.bound + 1u);
  k->reached = ARENA_ARRAY(arena, bool, k->module.inst_count + 1u);
  *test = (struct spirv_test){.name = spirv_name(arena, k->module.source->name)};
  const struct diags before = *diags;
  const struct kernel_code first = *k;
  const struct spirv_test blank = *test;
  for (try_code(k, test); k->again; try_code(k, test)) {
    struct kernel_code last = *k;
    diags->count = before.count;
    diags->errors = before.errors;
    *test = blank;
    *k = first;
    k->exact = last.exact;
    k->paddings = last.paddings;
    k->texels = last.texels;
    k->copies_at_once = last.copies_at_once;
  }
  test->vulkan = k->vulkan;
  if (!k->module.failed) warn_of_size(k);
  if (!k->module.failed) warn_open(k);
  if (!k->module.failed) warn_passed(k);
  if (!k->module.failed) note_model(k);
  if (!k->module.failed) check_inputs(k);
  bool compiled = compile_is_source(k->module.source) && !k->vulkan && !changes.count;
  if (!k->module.failed && compiled) kernel_launch_make(k, test->program);
  return !k->module.failed;
}

bool spirv_make(struct arena *arena, const struct spirv_code *code, struct spirv_changes changes,
                struct spirv_test *test, struct diags *diags) {
  struct kernel_code k;
  return spirv_make_code(arena, code, changes, test, &k, diags);
}

bool spirv_read(struct arena *arena, const struct source *source, const struct spirv_options *options,
                struct spirv_test *test, struct diags *diags) {
  const struct spirv_code *code = spirv_open(arena, source, options, diags);
  return code && spirv_make(arena, code, (struct spirv_changes){NULL, 0}, test, diags);
}
