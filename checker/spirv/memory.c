/* SPDX-License-Identifier: MIT */
/* Loads, stores and pointers. */
#include <limits.h>
#include <spirv/unified1/spirv.h>

#include "checker/base/tags.h"
#include "checker/spirv/kernel_internal.h"

/* ---- Vulkan's operands ---- */

/* How many operands stand before those of availability. */
static unsigned texel_operands(uint32_t mask) {
  unsigned gradients = mask & SpvImageOperandsGradMask ? 2 : 0;
  const uint32_t single = SpvImageOperandsBiasMask | SpvImageOperandsLodMask | SpvImageOperandsConstOffsetMask |
                          SpvImageOperandsOffsetMask | SpvImageOperandsConstOffsetsMask | SpvImageOperandsSampleMask |
                          SpvImageOperandsMinLodMask;
  return gradients + (unsigned)__builtin_popcount(mask & single);
}

/* Without Vulkan's memory model, memory and not the instruction says it: what is Coherent is, and so is a work-group's
 * memory. */
static void set_by_memory(struct instr *instr, const struct place *place, bool load) {
  bool local = place->object->storage == SpvStorageClassWorkgroup;
  if (!local && !place->coherent) return;
  instr->tags |= tag_bit(TAG_NONPRIV) | tag_bit(load ? TAG_VIS : TAG_AV);
  instr->scope = local ? SCOPE_WG : SCOPE_QF;
}

/* The memory operands of an instruction from operand `at` on, or what a change says in their place. */
static void set_operands(struct work_item *w, struct instr *instr, const struct place *place, unsigned at, bool load) {
  const struct inst *inst = item_inst(w);
  const struct spirv_change *change = change_at(w->k, w->at, false);
  w->k->reached[w->at] = true;
  if (w->k->glsl450) {
    set_by_memory(instr, place, load);
    return;
  }
  if (w->k->vulkan && change) {
    if (change->words.shared) instr->tags |= tag_bit(TAG_NONPRIV);
    if (load ? change->words.visible : change->words.available) {
      instr->tags |= tag_bit(load ? TAG_VIS : TAG_AV);
      instr->scope = change->words.scope;
    }
    return;
  }
  if (!w->k->vulkan || inst->operand_count <= at) return;
  uint32_t mask = inst->operands[at++];
  bool texel = inst->opcode == SpvOpImageRead || inst->opcode == SpvOpImageWrite;
  if (texel)
    at += texel_operands(mask);
  else if (mask & SpvMemoryAccessAlignedMask)
    at++;
  uint32_t shared = texel ? SpvImageOperandsNonPrivateTexelMask : SpvMemoryAccessNonPrivatePointerMask;
  if (mask & shared) instr->tags |= tag_bit(TAG_NONPRIV);
  uint32_t makes[] = {texel ? SpvImageOperandsMakeTexelAvailableMask : SpvMemoryAccessMakePointerAvailableMask,
                      texel ? SpvImageOperandsMakeTexelVisibleMask : SpvMemoryAccessMakePointerVisibleMask};
  for (unsigned i = 0; i < 2; i++) {
    if (!(mask & makes[i])) continue;
    if (inst->operand_count <= at) return;
    enum scope scope;
    if (!memory_scope(w, inst->operands[at++], &scope) || load != (i == 1)) continue;
    instr->scope = scope;
    instr->tags |= tag_bit(i ? TAG_VIS : TAG_AV);
  }
}

/* ---- loads and stores ---- */

/* An access of shared memory, perhaps one that is to be atomic. */
static struct instr *emit_access(struct work_item *w, const struct place *place, enum instr_kind kind,
                                 unsigned operands) {
  const struct spirv_change *change = change_at(w->k, w->at, false);
  struct instr *instr;
  if (change && change->kind == CHANGE_ATOMIC) {
    instr = emit_made_atomic(w, &change->words, kind, place->object);
    if (!instr) return NULL;
    for (unsigned c = 0; c < place->address.size; c++) w->k->locations.at[place->address.base + c].atomic = true;
  } else {
    instr = item_emit(w, kind);
    instr->tags = memory_class(w, place->object);
    set_operands(w, instr, place, operands, kind == INSTR_LOAD);
  }
  instr->address = place->address;
  return instr;
}

struct scalar memory_load(struct work_item *w, const struct place *place, unsigned leaf, unsigned operands) {
  const struct inst *inst = item_inst(w);
  place_touch(w, place, false);
  struct scalar own = {0};
  if (place_is_own(place)) own = place_read_own(w, place);
  /* What its own element holds at first may have to be read. */
  if (own.kind != SCALAR_UNSET || place->object->kind != OBJECT_SHARED) return own;
  int reg = inst->result ? item_target(w, inst->result, leaf) : (int)item_temporary(w);
  struct instr *instr = emit_access(w, place, INSTR_LOAD, operands);
  if (!instr) return own;
  instr->reg = reg;
  struct scalar held = {.kind = SCALAR_HELD, .expr = expr_register(w->arena, (unsigned)reg)};
  if (place->slot >= 0) item_set_slot(w, (unsigned)place->slot, held);
  return held;
}

void memory_store(struct work_item *w, const struct place *place, struct scalar value, unsigned operands) {
  place_touch(w, place, true);
  if (place_is_own(place)) {
    place_write_own(w, place, value);
    return;
  }
  if (value.kind == SCALAR_UNSET) value = item_free_value(w);
  const struct spirv_change *change = change_at(w->k, w->at, false);
  const struct expr *stored = scalar_expr(w->arena, value);
  if (change && change->kind == CHANGE_UPDATE && emit_update(w, &change->words, place, stored)) return;
  struct instr *instr = emit_access(w, place, INSTR_STORE, operands);
  if (instr) instr->value = stored;
}

static void eval_load(struct work_item *w, const struct inst *inst) {
  const struct kernel_type *type = types_get(&w->k->types, inst->type);
  struct scalar pointer = item_scalar(w, inst->operands[0]);
  unsigned count;
  const struct memory_cell *cells = cells_of(w->k, type, &count);
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, count + 1u);
  if (!count) module_fail(&w->k->module, inst, "%s of such a type is not supported", module_opcode_name(inst));
  for (unsigned i = 0; i < count; i++) {
    struct place place = place_find(w, pointer, cells[i].offset, cells[i].type);
    if (!place.object) return;
    result[i] = memory_load(w, &place, i, 1);
  }
  item_define(w, inst->result, result, count);
}

static void eval_store(struct work_item *w, const struct inst *inst) {
  struct scalar pointer = item_scalar(w, inst->operands[0]);
  struct value value = item_value(w, inst->operands[1]);
  if (!value.at) return;
  unsigned count;
  const struct memory_cell *cells = cells_of(w->k, value.type, &count);
  for (unsigned i = 0; i < count; i++) {
    struct place place = place_find(w, pointer, cells[i].offset, cells[i].type);
    if (!place.object) return;
    memory_store(w, &place, value.at[i], 2);
  }
}

void memory_set_free(struct work_item *w, uint32_t id) {
  struct value pointer = item_value(w, id);
  if (!pointer.at) return;
  unsigned count;
  const struct memory_cell *cells = cells_of(w->k, types_pointee(&w->k->types, pointer.type), &count);
  for (unsigned i = 0; i < count; i++) {
    struct place place = place_find(w, item_scalar(w, id), cells[i].offset, cells[i].type);
    if (!place.object) return;
    memory_store(w, &place, item_free_value(w), item_inst(w)->operand_count);
  }
}

/* Is each of these bytes known, and the same? Then they are what memory is filled with: the back end makes `memset` a
 * copy of as many bytes. */
static bool is_filling(const struct memory *object, int64_t at, int64_t bytes) {
  const struct scalar *fixed = object->kind == OBJECT_FIXED ? object->fixed : NULL;
  if (!fixed || object->cell_count < at + bytes || object->cells[at].type->size != 1) return false;
  for (int64_t c = at; c < at + bytes; c++)
    if (object->cells[c].type->size != 1 || fixed[c].kind != SCALAR_KNOWN || fixed[c].value != fixed[at].value)
      return false;
  return true;
}

/* Whatever the sizes of its cells; false: one of them is not filled as a whole, or the object can grow. */
static bool fill_cells(struct work_item *w, struct scalar to, struct scalar byte, int64_t bytes) {
  int64_t room = (int64_t)1 << w->k->shift, at = to.value & (room - 1);
  size_t index = (size_t)(to.value >> w->k->shift) - 1;
  const struct memory *object = to.value >= room ? place_object(w, index) : NULL;
  if (!object || object->open || at + bytes > object->type->size) return false;
  const uint64_t each = UINT64_MAX / UINT8_MAX;
  for (unsigned c = 0; c < object->cell_count; c++) {
    int64_t from = (int64_t)object->cells[c].offset - at, end = from + object->cells[c].type->size;
    if (from < bytes && end > 0 && (from < 0 || end > bytes)) return false;
  }
  for (unsigned c = 0; c < object->cell_count; c++) {
    const struct memory_cell cell = object->cells[c];
    if (cell.hidden || cell.offset < at || cell.offset >= at + bytes) continue;
    struct place target = place_find(w, to, (unsigned)(cell.offset - at), cell.type);
    if (!target.object) return true;
    struct scalar value = scalar_known((int64_t)((uint64_t)(uint8_t)byte.value * each));
    memory_store(w, &target, scalar_fit(w->arena, cell.type->size * 8, value), 9);
    object = place_object(w, index);
  }
  return true;
}

/* The object at a pointer, and which of its bytes (of a pointer that only a run knows, the first that it may be). */
static const struct memory *object_at(const struct work_item *w, struct scalar pointer, int64_t *at) {
  int64_t room = (int64_t)1 << w->k->shift;
  bool known = pointer.kind == SCALAR_KNOWN;
  *at = known ? pointer.value & (room - 1) : pointer.reach && pointer.reach->low >= 0 ? pointer.reach->low : 0;
  if (!known) return pointer.object ? place_object(w, pointer.object - 1) : NULL;
  return pointer.value >= room ? place_object(w, (size_t)(pointer.value >> w->k->shift) - 1) : NULL;
}

/* Cells from an address on, within so many bytes: those of the object that is copied, or the one that is copied to,
 * where only the latter is known. */
static void eval_copy(struct work_item *w, const struct inst *inst) {
  struct scalar to = item_scalar(w, inst->operands[0]), from = item_scalar(w, inst->operands[1]);
  const struct inst *def = w->k->module.defs[inst->operands[0]];
  int64_t bytes = -1, at;
  if (inst->opcode == SpvOpCopyMemory) {
    bytes = types_pointee(&w->k->types, types_get(&w->k->types, def->type))->size;
  } else {
    struct scalar size = item_scalar(w, inst->operands[2]);
    if (size.kind == SCALAR_KNOWN) bytes = size.value;
  }
  const struct memory *object = object_at(w, to, &at);
  struct scalar told = from.kind == SCALAR_KNOWN || to.kind != SCALAR_KNOWN || !object || object->open ? from : to;
  object = object_at(w, told, &at);
  if (bytes < 0 || (!object && told.kind != SCALAR_KNOWN)) {
    module_fail(&w->k->module, inst, "a copy of memory of which only a run knows the %s", bytes < 0 ? "size" : "place");
    return;
  }
  if (!object || at + bytes > object->type->size) {
    if (!object || !object->open || !place_grows(w, object, at + bytes - 1)) place_outside(w, object, at + bytes - 1);
    return;
  }
  bool both = from.kind == SCALAR_KNOWN && to.kind == SCALAR_KNOWN;
  if (both && bytes && is_filling(object, at, bytes) && fill_cells(w, to, object->fixed[at], bytes)) return;
  for (unsigned c = 0; c < object->cell_count; c++) {
    const struct memory_cell cell = object->cells[c];
    int64_t offset = (int64_t)cell.offset - at;
    if (cell.hidden || offset < 0 || offset >= bytes) continue;
    struct place source = place_find(w, from, (unsigned)offset, cell.type);
    struct place target = source.object ? place_find(w, to, (unsigned)offset, cell.type) : source;
    if (!target.object) return;
    memory_store(w, &target, memory_load(w, &source, 0, 9), 9);
    object = object_at(w, told, &at);
  }
}

/* ---- pointers ---- */

/* Elements: of a run-time array; and before the pointer, too. */
enum { LONGEST = 1 << 24 };
static const unsigned ANYWHERE = UINT_MAX;

static const int64_t MOST_DISTANCE = INT64_MAX / 8;

/* Where a pointer may be after a step: so many elements of a size, of which there are `count`.  NULL: anywhere. */
static const struct reach *moved_reach(struct work_item *w, struct scalar pointer, struct scalar index, unsigned stride,
                                       unsigned count) {
  int64_t room = (int64_t)1 << w->k->shift, at = pointer.value & (room - 1);
  struct reach *to = ARENA_NEW(w->arena, struct reach);
  if (pointer.kind == SCALAR_HELD && !pointer.reach) return NULL;
  if (at >= room / 2) at -= room;
  *to = pointer.kind == SCALAR_HELD ? *pointer.reach : (struct reach){.low = at, .end = at + 1};
  if (index.kind == SCALAR_KNOWN) {
    int64_t by;
    bool far = __builtin_mul_overflow(index.value, (int64_t)stride, &by) || by < -MOST_DISTANCE || by > MOST_DISTANCE;
    to->low += far ? 0 : by;
    to->end += far ? 0 : by;
    far |= to->low < -MOST_DISTANCE || to->end > MOST_DISTANCE;
    return far ? NULL : to;
  }
  unsigned common = to->stride;
  for (unsigned rest = stride; rest;) {
    unsigned next = common % rest;
    common = rest;
    rest = next;
  }
  to->stride = common;
  to->open |= count == ANYWHERE;
  to->end += count == ANYWHERE ? 0 : ((int64_t)count - 1) * stride;
  return to;
}

static struct scalar moved(struct work_item *w, struct scalar pointer, struct scalar index, unsigned stride,
                           unsigned count) {
  struct scalar bytes = scalar_apply(w->arena, EXPR_MUL, index, scalar_known(stride));
  struct scalar to = scalar_apply(w->arena, EXPR_ADD, pointer, bytes);
  if (w->k->wraps) to = scalar_fit(w->arena, 32, to);
  if (to.kind == SCALAR_HELD && pointer.kind == SCALAR_HELD) to.object = pointer.object;
  if (to.kind == SCALAR_HELD && pointer.kind == SCALAR_KNOWN) to.object = (unsigned)(pointer.value >> w->k->shift);
  if (to.kind == SCALAR_HELD && to.object) to.reach = moved_reach(w, pointer, index, stride, count);
  /* What is not in its object any more is in no other either. */
  if (to.kind == SCALAR_KNOWN && pointer.kind == SCALAR_KNOWN &&
      to.value >> w->k->shift != pointer.value >> w->k->shift && pointer.value >> w->k->shift > 0)
    to.value = 1;
  return to;
}

/* What is stored of a float as one of 16 bits: rounded as usual, or in another way, of which nothing is said. */
static struct scalar as_half(struct work_item *w, const struct inst *inst, const struct kernel_type *from,
                             struct scalar a) {
  bool usual = inst->operand_count < 6 || inst->operands[5] == SpvFPRoundingModeRTE;
  return usual ? scalar_narrowed(w->arena, 16, scalar_widened(w->arena, from->bits, a)) : item_free_value(w);
}

void memory_vector(struct work_item *w, bool load, bool half, bool aligned) {
  static const struct kernel_type half_type = {.kind = TYPE_FLOAT, .bits = 16, .size = 2, .align = 2, .leaves = 1};
  const struct inst *inst = item_inst(w);
  unsigned first = load ? 2 : 3;
  struct value value =
      load ? (struct value){types_get(&w->k->types, inst->type), NULL} : item_value(w, inst->operands[2]);
  if (!load && !value.at) return;
  const struct kernel_type *leaf = value.type->element ? value.type->element : value.type,
                           *element = half ? &half_type : leaf;
  unsigned count = value.type->leaves, step = aligned && count == 3 ? 4 : count;
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, count + 1u);
  struct scalar pointer = moved(w, item_scalar(w, inst->operands[first + 1]), item_scalar(w, inst->operands[first]),
                                step * element->size, ANYWHERE);
  for (unsigned i = 0; i < count; i++) {
    struct place place = place_find(w, pointer, i * element->size, element);
    if (!place.object) return;
    if (load)
      result[i] = memory_load(w, &place, i, inst->operand_count);
    else
      memory_store(w, &place, half ? as_half(w, inst, leaf, value.at[i]) : value.at[i], inst->operand_count);
    if (load && half)
      result[i] = scalar_narrowed(w->arena, leaf->bits, scalar_widened(w->arena, element->bits, result[i]));
  }
  if (load) item_define(w, inst->result, result, count);
}

static void eval_chain(struct work_item *w, const struct inst *inst) {
  bool element = inst->opcode == SpvOpPtrAccessChain || inst->opcode == SpvOpInBoundsPtrAccessChain;
  struct value base = item_value(w, inst->operands[0]);
  struct scalar pointer = item_scalar(w, inst->operands[0]);
  if (!base.at) return;
  const struct kernel_type *type = types_pointee(&w->k->types, base.type);
  unsigned at = 1;
  if (element) {
    unsigned align = type->align ? type->align : 1, stride = base.type->pointee_stride;
    if (!stride) stride = (type->size + align - 1) / align * align;
    pointer = moved(w, pointer, item_scalar(w, inst->operands[at++]), stride, ANYWHERE);
  }
  for (; at < inst->operand_count && !w->k->module.failed; at++) {
    struct scalar index = item_scalar(w, inst->operands[at]);
    unsigned offset = 0;
    if (type->kind == TYPE_STRUCT) {
      type =
          index.kind == SCALAR_KNOWN && index.value >= 0 ? type_part(type, (unsigned)index.value, &offset, NULL) : NULL;
      pointer = moved(w, pointer, scalar_known(1), offset, 1);
    } else if (type->kind == TYPE_VECTOR || type->kind == TYPE_ARRAY) {
      pointer = moved(w, pointer, index, type->stride, type->count ? type->count : LONGEST);
      type = type->element;
    } else {
      type = NULL;
    }
    if (!type) module_fail(&w->k->module, inst, "%s names no element", module_opcode_name(inst));
    if (type && type->kind == TYPE_OTHER)
      module_fail(&w->k->module, inst, "a matrix that lies in memory row by row, or with gaps, is not supported");
  }
  if (!w->k->module.failed) item_define_one(w, inst->result, pointer);
}

static void eval_difference(struct work_item *w, const struct inst *inst) {
  struct value a = item_value(w, inst->operands[0]);
  struct scalar x = item_scalar(w, inst->operands[0]), y = item_scalar(w, inst->operands[1]);
  unsigned size = a.at ? types_pointee(&w->k->types, a.type)->size : 0;
  if (size)
    item_define_one(w, inst->result,
                    scalar_apply(w->arena, EXPR_DIV, scalar_apply(w->arena, EXPR_SUB, x, y), scalar_known(size)));
}

/* The length of a run-time array: as many elements as @Input gives. */
static void eval_length(struct work_item *w, const struct inst *inst) {
  struct scalar pointer = item_scalar(w, inst->operands[0]);
  int64_t index = pointer.kind == SCALAR_KNOWN ? (pointer.value >> w->k->shift) - 1 : -1;
  const struct memory *object = index >= 0 ? place_object(w, (size_t)index) : NULL;
  const struct kernel_type *array = object ? type_part(object->type, inst->operands[1], NULL, NULL) : NULL;
  if (array && object->open)
    module_fail(&w->k->module, inst, "%s has no @Input, which would say how long it is", object->name);
  else if (array)
    item_define_one(w, inst->result, scalar_known(array->count));
  else
    module_fail(&w->k->module, inst, "the length of an array that only a run knows");
}

bool eval_memory(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  switch (inst->opcode) {
    case SpvOpLoad:
      eval_load(w, inst);
      return true;
    case SpvOpStore:
      eval_store(w, inst);
      return true;
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
      eval_copy(w, inst);
      return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
      eval_chain(w, inst);
      return true;
    case SpvOpPtrDiff:
      eval_difference(w, inst);
      return true;
    case SpvOpArrayLength:
      eval_length(w, inst);
      return true;
    case SpvOpUndef:
    case SpvOpLifetimeStart:
    case SpvOpLifetimeStop:
      return true;
    default:
      return false;
  }
}
