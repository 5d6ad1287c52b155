/* SPDX-License-Identifier: MIT */
/* Operations of a module, what they say, and what its text calls things; see operation_changes.h. */
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"
#include "checker/spirv/operation_changes.h"

/* ---- operations ---- */

static bool find_kind(uint16_t opcode, enum spirv_kind *kind) {
  static const struct {
    uint16_t opcode;
    enum spirv_kind kind;
  } kinds[] = {{SpvOpAtomicLoad, SPIRV_LOAD},
               {SpvOpAtomicStore, SPIRV_STORE},
               {SpvOpAtomicFlagClear, SPIRV_STORE},
               {SpvOpAtomicCompareExchange, SPIRV_CAS},
               {SpvOpAtomicCompareExchangeWeak, SPIRV_CAS},
               {SpvOpAtomicFlagTestAndSet, SPIRV_RMW},
               {SpvOpMemoryBarrier, SPIRV_FENCE},
               {SpvOpControlBarrier, SPIRV_BARRIER},
               {SpvOpLoad, SPIRV_PLAIN_LOAD},
               {SpvOpStore, SPIRV_PLAIN_STORE},
               {SpvOpGroupAsyncCopy, SPIRV_BRANCH},
               {SpvOpGroupWaitEvents, SPIRV_BRANCH},
               {SpvOpBranch, SPIRV_BRANCH},
               {SpvOpBranchConditional, SPIRV_BRANCH},
               {SpvOpSwitch, SPIRV_BRANCH}};
  for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
    if (kinds[i].opcode == opcode) {
      *kind = kinds[i].kind;
      return true;
    }
  *kind = SPIRV_RMW;
  return opcode >= SpvOpAtomicExchange && opcode <= SpvOpAtomicXor;
}

static uint64_t number_of(const struct kernel_code *k, const struct inst *inst, unsigned operand) {
  const struct scalar *constant = operand < inst->operand_count ? k->constants[inst->operands[operand]] : NULL;
  return constant && constant->kind == SCALAR_KNOWN ? (uint64_t)constant->value : 0;
}

static void set_semantics(struct spirv_words *words, uint64_t bits) {
  words->order = semantics_order(bits);
  words->memory = (unsigned)bits & 0xfc0u;
  words->available = bits & SpvMemorySemanticsMakeAvailableMask;
  words->visible = bits & SpvMemorySemanticsMakeVisibleMask;
}

/* Of loads and stores: `mask`: the operand that says what follows. */
static void read_access(const struct kernel_code *k, const struct inst *inst, unsigned mask,
                        struct spirv_operation *op) {
  const struct kernel_type *type = NULL;
  uint32_t value = op->kind == SPIRV_PLAIN_LOAD ? inst->type : k->module.defs[inst->operands[1]]->type;
  if (value) type = k->types.by_id[value];
  op->may_be_atomic = type && type->kind == TYPE_INT && type->bits == 32;
  op->is_unsigned = op->may_be_atomic && !k->module.defs[value]->operands[1];
  const struct inst *stored = op->kind == SPIRV_PLAIN_STORE ? k->module.defs[inst->operands[1]] : NULL;
  op->is_converted = stored && (stored->opcode == SpvOpBitcast || k->constants[stored->result]);
  op->words.order = ORDER_NA;
  if (inst->operand_count <= mask) return;
  uint32_t bits = inst->operands[mask];
  unsigned at = mask + 1 + (bits & SpvMemoryAccessAlignedMask ? 1 : 0);
  op->words.shared = bits & SpvMemoryAccessNonPrivatePointerMask;
  op->words.available = bits & SpvMemoryAccessMakePointerAvailableMask;
  op->words.visible = bits & SpvMemoryAccessMakePointerVisibleMask;
  if (op->words.available || op->words.visible) op->words.scope = number_scope(number_of(k, inst, at));
}

static void read_words(const struct kernel_code *k, const struct inst *inst, struct spirv_operation *op) {
  struct spirv_words *words = &op->words;
  switch (op->kind) {
    case SPIRV_PLAIN_LOAD:
      read_access(k, inst, 1, op);
      return;
    case SPIRV_PLAIN_STORE:
      read_access(k, inst, 2, op);
      return;
    case SPIRV_CAS:
      set_semantics(words, number_of(k, inst, 3));
      words->failure = words->order;
      /* fall through */
    case SPIRV_LOAD:
    case SPIRV_STORE:
    case SPIRV_RMW:
    case SPIRV_BARRIER: {
      struct spirv_words unequal = *words;
      set_semantics(words, number_of(k, inst, 2));
      words->memory |= unequal.memory;
      words->visible |= unequal.visible;
      words->scope = number_scope(number_of(k, inst, 1));
      return;
    }
    case SPIRV_BRANCH:
      return;
    case SPIRV_FENCE:
      set_semantics(words, number_of(k, inst, 1));
      words->scope = number_scope(number_of(k, inst, 0));
      return;
  }
}

static unsigned memory_of(const struct kernel_code *k) {
  unsigned memory = 0;
  ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count) {
    if (object->kind != OBJECT_SHARED) continue;
    if (object->storage == SpvStorageClassWorkgroup)
      memory |= SPIRV_LOCAL;
    else
      memory |= k->vulkan ? SPIRV_BUFFERS : SPIRV_GLOBAL;
  }
  return memory;
}

/* The way into a loop has the loop's line, which a compiler of GLSL gives to what is in it only. */
static struct span span_of_branch(const struct kernel_code *k, unsigned at) {
  const struct inst *branch = &k->module.insts[at];
  if (branch->opcode != SpvOpBranch) return branch->span;
  const struct inst *label = k->module.defs[branch->operands[0]], *end = k->module.insts + k->module.inst_count;
  for (const struct inst *inst = label + 1; label > branch && inst < end && inst->opcode != SpvOpLabel; inst++)
    if (inst->opcode == SpvOpLoopMerge && inst->span.length) return inst->span;
  return branch->span;
}

const struct spirv_operation *spirv_operations(struct arena *arena, const struct spirv_code *code, unsigned *count,
                                               unsigned *memory) {
  VEC(struct spirv_operation) found = {0};
  struct arena *scratch = arena_new();
  struct diags diags = diags_new(scratch);
  struct spirv_test test;
  struct kernel_code k;
  if (spirv_make_code(scratch, code, (struct spirv_changes){NULL, 0}, &test, &k, &diags)) {
    *memory = memory_of(&k);
    bool has_orders = k.vulkan || !k.texels.count; /* OpenCL's model has no memory of images */
    for (unsigned i = 0; has_orders && i < k.module.inst_count; i++) {
      const struct inst *inst = &k.module.insts[i];
      struct spirv_operation op = {.inst = i, .span = inst->span};
      if (!k.reached[i] || !find_kind(inst->opcode, &op.kind)) continue;
      if (op.kind == SPIRV_BRANCH) op.span = span_of_branch(&k, i);
      op.name = arena_strdup(arena, module_opcode_name(inst));
      op.operands = 1u + (inst->result ? 2u : 0u) + (inst->type ? 1u : 0u);
      read_words(&k, inst, &op);
      for (size_t e = 0; e < found.count; e++)
        op.turn += found.at[e].span.at == op.span.at && found.at[e].words.order != ORDER_NA;
      const struct spirv_operation *last = found.count ? &found.at[found.count - 1] : NULL;
      if (op.kind == SPIRV_PLAIN_STORE && last && last->kind == SPIRV_PLAIN_LOAD) {
        op.loads = 1 + last->inst;
        op.loaded = last->span;
      }
      *vec_push(arena, &found) = op;
    }
  }
  arena_free(scratch);
  *count = (unsigned)found.count;
  return found.at;
}

/* ---- names in the text ---- */

/* A type of 32-bit numbers, those without sign first. */
static const struct inst *find_type(const struct module *module) {
  const struct inst *found = NULL;
  ARRAY_EACH (const struct inst, inst, module->insts, module->inst_count) {
    if (inst->opcode != SpvOpTypeInt || inst->operands[0] != 32 || !module->names[inst->result]) continue;
    if (!found || (found->operands[1] && !inst->operands[1])) found = inst;
  }
  return found;
}

const char *spirv_constant(const struct spirv_code *code, unsigned value, const char **type, uint32_t *line) {
  const struct module *module = spirv_module(code);
  const struct inst *of = find_type(module);
  *type = of ? module->names[of->result] : NULL;
  if (!of) return NULL;
  *line = of->span.at + of->span.length;
  *line += (uint32_t)strcspn(module->source->text + *line, "\n") + 1;
  if (*line > module->source->size) *line = (uint32_t)module->source->size;
  ARRAY_EACH (const struct inst, inst, module->insts, module->inst_count)
    if (inst->opcode == SpvOpConstant && inst->type == of->result && inst->operands[0] == value)
      return module->names[inst->result];
  return NULL;
}

bool spirv_is_source(const struct source *source, bool *glsl) {
  size_t length = strlen(source->name);
  *glsl = length > 5 && !strcmp(source->name + length - 5, ".comp");
  return compile_is_source(source);
}

bool spirv_is_glsl450(const struct spirv_code *code) {
  const struct module *module = spirv_module(code);
  bool is = false;
  for (unsigned i = 0; i < module->inst_count && module->insts[i].opcode != SpvOpEntryPoint; i++) {
    const struct inst *inst = &module->insts[i];
    if (inst->opcode == SpvOpCapability && inst->operands[0] == SpvCapabilityVulkanMemoryModel) return false;
    is |= inst->opcode == SpvOpMemoryModel && inst->operands[1] == SpvMemoryModelGLSL450;
  }
  return is;
}

bool spirv_has_name(const struct spirv_code *code, const char *name) {
  return module_find(spirv_module(code), name) != 0;
}

const struct source *spirv_text(struct arena *arena, const struct source *source, struct diags *diags) {
  return module_text(arena, source, diags);
}
