/* SPDX-License-Identifier: MIT */
/* Constants, and what a run's configuration makes known: built-in variables, push constants that a
 * compiler's reflection describes. */
#include <spirv/unified1/NonSemanticClspvReflection.h>
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

int64_t constant_from(const struct kernel_type *type, const struct initial *from) {
  return header_number(type_width(type), from);
}

void constant_misgiven(struct module *module, const struct initial *from, const char *message) {
  if (!module->failed) diag_error(module->diags, from->source, from->span, "%s", message);
  module->failed = true;
}

struct scalar constant_given(struct kernel_code *k, const struct kernel_type *type, const struct initial *from) {
  const char *misfit = header_misfit(k->arena, type_width(type), from);
  if (misfit) constant_misgiven(&k->module, from, misfit);
  return scalar_known(constant_from(type, from));
}

/* ---- what the configuration says ---- */

static int64_t global_id(const struct header *h, unsigned item, unsigned component) {
  unsigned group = h->threads * h->subgroups;
  return (int64_t)shape_part(&h->groups, item / group, component) * h->items.at[component] +
         shape_part(&h->items, item % group, component);
}

static int64_t global_linear_id(const struct header *h, unsigned item) {
  int64_t number = 0;
  for (unsigned i = 3; i-- > 0;) number = number * h->items.at[i] * h->groups.at[i] + global_id(h, item, i);
  return number;
}

static int64_t dimensions(const struct header *h) {
  int64_t count = 3;
  while (count > 1 && h->items.at[count - 1] * h->groups.at[count - 1] == 1) count--;
  return count;
}

static int64_t builtin_number(const struct kernel_code *k, uint32_t builtin, unsigned item, unsigned component) {
  const struct header *h = &k->header;
  unsigned threads = h->threads, group = threads * h->subgroups;
  switch (builtin) {
    case SpvBuiltInLocalInvocationId:
      return shape_part(&h->items, item % group, component);
    case SpvBuiltInLocalInvocationIndex:
      return item % group;
    case SpvBuiltInGlobalInvocationId:
      return global_id(h, item, component);
    case SpvBuiltInGlobalLinearId:
      return global_linear_id(h, item);
    case SpvBuiltInWorkgroupId:
      return shape_part(&h->groups, item / group, component);
    case SpvBuiltInSubgroupId:
      return item % group / threads;
    case SpvBuiltInSubgroupLocalInvocationId:
      return item % threads;
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupMaxSize:
      return threads;
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInEnqueuedWorkgroupSize:
      return h->items.at[component];
    case SpvBuiltInNumWorkgroups:
      return h->groups.at[component];
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInNumEnqueuedSubgroups:
      return h->subgroups;
    case SpvBuiltInGlobalSize:
      return (int64_t)h->items.at[component] * h->groups.at[component];
    case SpvBuiltInWorkDim:
      return dimensions(h);
    case SpvBuiltInGlobalOffset:
    case SpvBuiltInDeviceIndex:
      return 0;
    default:
      return -1;
  }
}

bool builtin_value(const struct kernel_code *k, uint32_t builtin, unsigned item, unsigned component, int64_t *value) {
  *value = component < 3 ? builtin_number(k, builtin, item, component) : -1;
  return *value >= 0;
}

int64_t builtin_of(const struct kernel_code *k, uint32_t id) {
  return types_decoration(&k->types, id, -1, SpvDecorationBuiltIn);
}

/* What the reflection of clspv says of a push constant's word at a byte; -1: nothing. */
int64_t reflected_word(const struct kernel_code *k, unsigned byte) {
  ARRAY_EACH (const struct inst, inst, k->module.insts, k->module.inst_count) {
    if (inst->opcode != SpvOpExtInst || inst->set != SET_CLSPV) continue;
    int64_t builtin = -1;
    switch (inst->operands[1]) {
      case NonSemanticClspvReflectionPushConstantGlobalOffset:
      case NonSemanticClspvReflectionPushConstantRegionOffset:
      case NonSemanticClspvReflectionPushConstantRegionGroupOffset:
        builtin = SpvBuiltInGlobalOffset;
        break;
      case NonSemanticClspvReflectionPushConstantEnqueuedLocalSize:
        builtin = SpvBuiltInWorkgroupSize;
        break;
      case NonSemanticClspvReflectionPushConstantGlobalSize:
        builtin = SpvBuiltInGlobalSize;
        break;
      case NonSemanticClspvReflectionPushConstantNumWorkgroups:
        builtin = SpvBuiltInNumWorkgroups;
        break;
      default:
        continue;
    }
    uint64_t offset = k->numbers[inst->operands[2]], size = k->numbers[inst->operands[3]];
    int64_t value;
    if (byte < offset || byte >= offset + size) continue;
    return builtin_value(k, (uint32_t)builtin, 0, (unsigned)(byte - offset) / 4, &value) ? value : -1;
  }
  return -1;
}

static const struct header_input *input_of(struct kernel_code *k, uint32_t id) {
  ARRAY_EACH (struct header_input, input, k->header.inputs.at, k->header.inputs.count) {
    if (module_find(&k->module, input->name) != id) continue;
    input->used = true;
    return input;
  }
  return NULL;
}

const struct initial *constant_input(struct kernel_code *k, uint32_t id) {
  const struct header_input *input = input_of(k, id);
  return input ? &input->value : NULL;
}

bool constant_is_open(struct kernel_code *k, uint32_t id) {
  int64_t number = types_decoration(&k->types, id, -1, SpvDecorationSpecId);
  for (unsigned i = 0; i < k->module.inst_count && number >= 0; i++) {
    const struct inst *inst = &k->module.insts[i];
    if (inst->opcode == SpvOpExtInst && inst->set == SET_CLSPV &&
        inst->operands[1] == NonSemanticClspvReflectionArgumentWorkgroup &&
        (int64_t)k->numbers[inst->operands[4]] == number)
      return !constant_input(k, id);
  }
  return false;
}

/* ---- constants ---- */

static int64_t literal(const struct kernel_type *type, const struct inst *inst) {
  uint64_t value = inst->operands[0];
  if (type->bits > 32 && inst->operand_count > 1) value |= (uint64_t)inst->operands[1] << 32;
  return width_fit((struct width){.bits = type->bits >= 64 ? 0 : type->bits, .is_signed = true}, (int64_t)value);
}

static struct scalar *leaves_of(struct kernel_code *k, const struct inst *inst) {
  const struct kernel_type *type = types_get(&k->types, inst->type);
  return ARENA_ARRAY(k->arena, struct scalar, type->leaves + 1u);
}

void module_size(struct kernel_code *k, const struct shape *size) {
  enum { SUB_GROUP = 32 };
  struct header *h = &k->header;
  for (int i = 0; i < 3; i++)
    if (!size->at[i] || size->at[i] > MOST_WORK_ITEMS) return;
  uint64_t all = (uint64_t)size->at[0] * size->at[1] * size->at[2];
  if (all > MOST_WORK_ITEMS) return;
  unsigned items = (unsigned)all;
  k->size = *size;
  if (!h->configured) {
    h->threads = items < SUB_GROUP ? items : SUB_GROUP;
    while (items % h->threads) h->threads--;
    h->subgroups = items / h->threads;
  }
  bool in_a_row = h->items.at[1] * h->items.at[2] == 1;
  if (!h->configured || (in_a_row && h->items.at[0] == items)) h->items = *size;
}

static void take_composite(struct kernel_code *k, const struct inst *inst, struct scalar *leaves, unsigned count) {
  unsigned at = 0;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct value part = constant_value(k, inst->operands[i]);
    for (unsigned j = 0; part.at && j < part.type->leaves && at < count; j++) leaves[at++] = part.at[j];
  }
  int64_t builtin = builtin_of(k, inst->result), value;
  if (builtin == SpvBuiltInWorkgroupSize && count == 3)
    module_size(k, &(struct shape){{(unsigned)leaves[0].value, (unsigned)leaves[1].value, (unsigned)leaves[2].value}});
  for (unsigned i = 0; builtin >= 0 && i < count; i++)
    if (builtin_value(k, (uint32_t)builtin, 0, i, &value)) leaves[i] = scalar_known(value);
}

static const struct kernel_type *element_of(const struct kernel_type *type) {
  return type->kind == TYPE_VECTOR ? type->element : type;
}

/* The element or vector that an OpSpecConstantOp takes out of a composite, or those that it puts together of two;
 * false: it does neither. */
static bool take_elements(const struct inst *inst, const struct value *from, struct scalar *leaves, unsigned count) {
  if (inst->operands[0] == SpvOpCompositeExtract) {
    const struct kernel_type *part = from[0].type;
    unsigned leaf = 0;
    for (unsigned i = 2; i < inst->operand_count && part; i++) part = type_part(part, inst->operands[i], NULL, &leaf);
    if (part && part->leaves == count) memcpy(leaves, from[0].at + leaf, count * sizeof *leaves);
    return part && part->leaves == count;
  }
  if (inst->operands[0] != SpvOpVectorShuffle || !from[1].at) return false;
  for (unsigned i = 3; i < inst->operand_count && i - 3 < count; i++) {
    uint32_t at = inst->operands[i], first = from[0].type->leaves;
    if (at < first)
      leaves[i - 3] = from[0].at[at];
    else if (at - first < from[1].type->leaves)
      leaves[i - 3] = from[1].at[at - first];
  }
  return true;
}

/* Element by element; of OpSelect, the first operand may have one for all. */
static bool take_computed(struct kernel_code *k, const struct inst *inst, const struct value *from,
                          struct scalar *leaves, unsigned count) {
  const struct kernel_type *to = element_of(types_get(&k->types, inst->type));
  for (unsigned j = 0; j < count; j++) {
    struct scalar operands[3] = {{0}};
    for (unsigned i = 0; i < 3 && from[i].at; i++) {
      unsigned elements = from[i].type->leaves;
      if (elements < count && elements != 1) return false;
      operands[i] = from[i].at[elements == 1 ? 0 : j];
    }
    if (!compute_constant(k->arena, (uint16_t)inst->operands[0], to, element_of(from[0].type), operands, &leaves[j]))
      return false;
  }
  return true;
}

static void take_operation(struct kernel_code *k, const struct inst *inst, struct scalar *leaves, unsigned count) {
  struct value from[3] = {{0}};
  unsigned given = inst->operands[0] == SpvOpCompositeExtract ? 1 : inst->operands[0] == SpvOpVectorShuffle ? 2 : 3;
  for (unsigned i = 0; i < given && i + 1 < inst->operand_count; i++)
    from[i] = constant_value(k, inst->operands[i + 1]);
  if (from[0].at && (take_elements(inst, from, leaves, count) || take_computed(k, inst, from, leaves, count))) return;
  struct inst named = {.opcode = (uint16_t)inst->operands[0]};
  module_fail(&k->module, inst, "%s on specialisation constants is not supported", module_opcode_name(&named));
}

static void take_constant(struct kernel_code *k, const struct inst *inst) {
  const struct kernel_type *type = types_get(&k->types, inst->type);
  struct scalar *leaves = leaves_of(k, inst);
  const struct initial *given = NULL;
  switch (inst->opcode) {
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
    case SpvOpSpecConstant:
      given = constant_input(k, inst->result);
      break;
    default:
      break;
  }
  switch (inst->opcode) {
    case SpvOpConstantTrue:
    case SpvOpSpecConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpSpecConstantFalse:
      leaves[0] = scalar_known(inst->opcode == SpvOpConstantTrue || inst->opcode == SpvOpSpecConstantTrue);
      break;
    case SpvOpConstant:
    case SpvOpSpecConstant:
      leaves[0] = scalar_known(literal(type, inst));
      break;
    case SpvOpConstantNull:
    case SpvOpConstantSampler:
      for (unsigned i = 0; i < type->leaves; i++) leaves[i] = scalar_known(0);
      break;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
      take_composite(k, inst, leaves, type->leaves);
      break;
    case SpvOpSpecConstantOp:
      take_operation(k, inst, leaves, type->leaves);
      break;
    case SpvOpUndef:
      break; /* unset */
    default:
      return;
  }
  if (given && type_is_scalar(type)) leaves[0] = constant_given(k, type, given);
  if (k->used[inst->result] && leaves[0].value < k->used[inst->result]) leaves[0].value = k->used[inst->result];
  k->constants[inst->result] = leaves;
  if (type->kind == TYPE_INT && leaves[0].kind == SCALAR_KNOWN)
    k->numbers[inst->result] = (uint64_t)scalar_unsigned(k->arena, type->bits, leaves[0]).value;
}

void constants_find(struct kernel_code *k) {
  for (unsigned i = 0; i < k->module.inst_count && !k->module.failed; i++) take_constant(k, &k->module.insts[i]);
}

struct value constant_value(const struct kernel_code *k, uint32_t id) {
  const struct inst *inst = id < k->module.bound ? k->module.defs[id] : NULL;
  if (!inst || !k->constants[id]) return (struct value){0};
  return (struct value){k->types.by_id[inst->type], k->constants[id]};
}
