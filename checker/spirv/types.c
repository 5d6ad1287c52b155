/* SPDX-License-Identifier: MIT */
/* Types and their layout. */
#include "checker/spirv/types.h"

#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"

enum { MOST_LEAVES = 1 << 16, MOST_BYTES = 1 << 20 };

bool type_is_scalar(const struct kernel_type *type) {
  return type->kind == TYPE_BOOL || type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_POINTER ||
         type->kind == TYPE_IMAGE;
}

bool type_is_open(const struct kernel_type *type) {
  if (type->kind == TYPE_ARRAY) return !type->count || type_is_open(type->element);
  return type->kind == TYPE_STRUCT && type->count && type_is_open(type->members[type->count - 1]);
}

const struct kernel_type *type_tail(const struct kernel_type *type, unsigned *offset) {
  if (offset) *offset = 0;
  while (type->kind == TYPE_STRUCT && type->count) {
    if (offset) *offset += type->offsets[type->count - 1];
    type = type->members[type->count - 1];
  }
  return type->kind == TYPE_ARRAY ? type : NULL;
}

struct width type_width(const struct kernel_type *type) {
  if (type->kind == TYPE_BOOL) return (struct width){.bits = 1};
  return (struct width){.bits = type->bits >= 64 ? 0 : type->bits,
                        .is_signed = true,
                        .is_real = type->kind == TYPE_FLOAT,
                        .is_long = type->bits >= 64};
}

const struct kernel_type *type_part(const struct kernel_type *type, unsigned index, unsigned *offset, unsigned *leaf) {
  if (type->kind == TYPE_STRUCT) {
    if (index >= type->count) return NULL;
    if (offset) *offset += type->offsets[index];
    for (unsigned i = 0; leaf && i < index; i++) *leaf += type->members[i]->leaves;
    return type->members[index];
  }
  if (type->kind != TYPE_VECTOR && type->kind != TYPE_ARRAY) return NULL;
  if (type->count && index >= type->count) return NULL;
  if (offset) *offset += index * type->stride;
  if (leaf) *leaf += index * type->element->leaves;
  return type->element;
}

/* ---- what decorations say ---- */

int64_t types_decoration(const struct types *types, uint32_t id, int64_t member, uint32_t which) {
  ARRAY_EACH (const struct inst, inst, types->module->insts, types->module->inst_count) {
    bool of_member = inst->opcode == SpvOpMemberDecorate && inst->operands[0] == id && inst->operands[1] == member;
    bool of_type = member < 0 && inst->opcode == SpvOpDecorate && inst->operands[0] == id;
    if (!of_member && !of_type) continue;
    unsigned at = of_member ? 2 : 1;
    if (inst->operands[at] == which) return inst->operand_count > at + 1 ? inst->operands[at + 1] : 0;
  }
  return -1;
}

static unsigned round_up(unsigned size, unsigned align) {
  return align ? (size + align - 1) / align * align : size;
}

static void lay_out_sequence(struct types *types, struct kernel_type *type, const struct inst *inst) {
  const struct kernel_type *element = type->element;
  int64_t stride = type->kind == TYPE_ARRAY ? types_decoration(types, inst->result, -1, SpvDecorationArrayStride) : -1;
  type->stride = stride > 0 ? (unsigned)stride : round_up(element->size, element->align);
  unsigned room = type->kind == TYPE_VECTOR && type->count == 3 ? 4 : type->count;
  uint64_t size = (uint64_t)type->stride * room, leaves = (uint64_t)element->leaves * type->count;
  if (size > MOST_BYTES || leaves > MOST_LEAVES || stride > MOST_BYTES)
    module_fail(types->module, inst, "a type of more than %d bytes or %d elements", MOST_BYTES, MOST_LEAVES);
  else
    type->size = (unsigned)size, type->leaves = (unsigned)leaves;
  type->align = type->kind == TYPE_VECTOR ? type->size : element->align;
}

static void lay_out_struct(struct types *types, struct kernel_type *type, const struct inst *inst) {
  struct arena *arena = types->module->arena;
  unsigned at = 0;
  bool packed = types_decoration(types, inst->result, -1, SpvDecorationCPacked) >= 0;
  type->offsets = ARENA_ARRAY(arena, unsigned, type->count + 1);
  type->align = 1;
  for (unsigned i = 0; i < type->count; i++) {
    const struct kernel_type *member = type->members[i];
    int64_t offset = types_decoration(types, inst->result, i, SpvDecorationOffset);
    type->offsets[i] = offset >= 0 ? (unsigned)offset : round_up(at, packed ? 1 : member->align);
    if (type->offsets[i] > MOST_BYTES) module_fail(types->module, inst, "a type of more than %d bytes", MOST_BYTES);
    at = type->offsets[i] + member->size;
    if (at > type->size) type->size = at;
    if (!packed && member->align > type->align) type->align = member->align;
    type->leaves += member->leaves;
  }
  type->size = round_up(type->size, type->align);
  if (type->leaves > MOST_LEAVES) module_fail(types->module, inst, "a type of more than %d elements", MOST_LEAVES);
}

/* A member's type.  Of a matrix, or of an array of some, the columns must lie as they do without decorations: pointers
 * to a matrix say nothing of its layout. */
static const struct kernel_type *member_type(struct types *types, const struct inst *inst, unsigned member) {
  const struct kernel_type *type = types_get(types, inst->operands[member]), *matrix = type;
  while (matrix->kind == TYPE_ARRAY && matrix->element->kind == TYPE_ARRAY) matrix = matrix->element;
  const struct inst *def = types->module->defs[matrix->id];
  int64_t stride = types_decoration(types, inst->result, member, SpvDecorationMatrixStride);
  bool rows = types_decoration(types, inst->result, member, SpvDecorationRowMajor) >= 0;
  if (!def || def->opcode != SpvOpTypeMatrix || !(rows || (stride > 0 && stride != matrix->stride))) return type;
  return ARENA_MAKE(types->module->arena, struct kernel_type, .kind = TYPE_OTHER, .id = type->id, .size = type->size,
                    .align = type->align);
}

static void make_struct(struct types *types, struct kernel_type *type, const struct inst *inst) {
  struct arena *arena = types->module->arena;
  type->kind = TYPE_STRUCT;
  type->count = inst->operand_count;
  type->members = ARENA_ARRAY(arena, const struct kernel_type *, type->count + 1);
  type->member_names = ARENA_ARRAY(arena, const char *, type->count + 1);
  type->coherent = ARENA_ARRAY(arena, bool, type->count + 1);
  for (unsigned i = 0; i < type->count; i++) {
    type->members[i] = member_type(types, inst, i);
    type->coherent[i] = types_decoration(types, inst->result, i, SpvDecorationCoherent) >= 0;
  }
  ARRAY_EACH (const struct inst, name, types->module->insts, types->module->inst_count)
    if (name->opcode == SpvOpMemberName && name->operands[0] == inst->result && name->operands[1] < type->count)
      type->member_names[name->operands[1]] = module_string(name, 2);
  lay_out_struct(types, type, inst);
}

static void make_scalar(struct kernel_type *type, enum type_kind kind, unsigned bits) {
  type->kind = kind;
  type->bits = bits;
  type->leaves = 1;
  type->size = type->align = kind == TYPE_BOOL ? 1 : (bits + 7) / 8;
}

static void make_pointer(struct types *types, struct kernel_type *type, const struct inst *inst) {
  make_scalar(type, TYPE_POINTER, types->pointer_bytes * 8);
  type->storage = inst->operands[0];
  type->pointee = inst->operands[1];
  int64_t stride = types_decoration(types, inst->result, -1, SpvDecorationArrayStride);
  type->pointee_stride = stride > 0 ? (unsigned)stride : 0;
}

static void make(struct types *types, struct kernel_type *type, const struct inst *inst) {
  switch (inst->opcode) {
    case SpvOpTypeVoid:
      type->kind = TYPE_VOID;
      break;
    case SpvOpTypeBool:
      make_scalar(type, TYPE_BOOL, 1);
      break;
    case SpvOpTypeInt:
      make_scalar(type, TYPE_INT, inst->operands[0]);
      if (type->bits > 64) module_fail(types->module, inst, "integers of %u bits are not supported", type->bits);
      break;
    case SpvOpTypeEvent:
      make_scalar(type, TYPE_INT, 32); /* a number (group_copies.c) */
      break;
    case SpvOpTypeFloat:
      make_scalar(type, TYPE_FLOAT, inst->operands[0]);
      break;
    case SpvOpTypePointer:
      make_pointer(types, type, inst);
      break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix: /* an array of columns */
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
      type->kind = inst->opcode == SpvOpTypeVector ? TYPE_VECTOR : TYPE_ARRAY;
      type->element = types_get(types, inst->operands[0]);
      if (inst->opcode == SpvOpTypeVector || inst->opcode == SpvOpTypeMatrix) type->count = inst->operands[1];
      if (inst->opcode == SpvOpTypeArray) type->count = (unsigned)types->constants[inst->operands[1]];
      if (!types->module->failed) lay_out_sequence(types, type, inst);
      break;
    case SpvOpTypeStruct:
      make_struct(types, type, inst);
      break;
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
      make_scalar(type, TYPE_IMAGE, 64);
      break;
    default:
      type->kind = TYPE_OTHER; /* queues and the like: whoever uses one says so */
  }
}

const struct kernel_type *types_get(struct types *types, uint32_t id) {
  static const struct kernel_type none = {.kind = TYPE_VOID};
  if (types->module->failed || id >= types->module->bound || !types->module->defs[id]) return &none;
  if (types->by_id[id]) return types->by_id[id];
  struct kernel_type *type = ARENA_NEW(types->module->arena, struct kernel_type);
  types->by_id[id] = &none; /* a type within itself, which no valid module has */
  type->id = id;
  make(types, type, types->module->defs[id]);
  types->by_id[id] = type;
  return type;
}

const struct kernel_type *types_pointee(struct types *types, const struct kernel_type *pointer) {
  return types_get(types, pointer->pointee);
}

const struct kernel_type *types_with_length(struct types *types, const struct kernel_type *type, unsigned count) {
  if (!type_is_open(type)) return type;
  struct arena *arena = types->module->arena;
  struct kernel_type *whole = ARENA_NEW(arena, struct kernel_type);
  const struct inst *inst = types->module->defs[type->id];
  *whole = *type;
  if (type->kind == TYPE_ARRAY && !type->count) {
    whole->count = count;
    lay_out_sequence(types, whole, inst);
    return whole;
  }
  if (type->kind != TYPE_STRUCT) return type;
  whole->members = ARENA_ARRAY(arena, const struct kernel_type *, type->count);
  for (unsigned i = 0; i < type->count; i++) whole->members[i] = type->members[i];
  whole->members[type->count - 1] = types_with_length(types, type->members[type->count - 1], count);
  whole->size = whole->leaves = 0;
  lay_out_struct(types, whole, inst);
  return whole;
}
