/* SPDX-License-Identifier: MIT */
/* Loads, stores and pointers. */
#include <limits.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/tags.h"
#include "checker/spirv/kernel.h"

enum { MOST_CHOICES = 512 };

/* ---- places ---- */

static const struct memory *object_at(const struct worker *w, size_t index) {
  if (index < w->k->objects.count) return &w->k->objects.at[index];
  index -= w->k->objects.count;
  return index < w->own.count ? &w->own.at[index] : NULL;
}

static void say_outside(struct worker *w, const struct memory *object, int64_t offset) {
  struct module *module = &w->k->module;
  if (object)
    diag_warning(module->diags, module->source, worker_inst(w)->span, "P%u gets outside %s here: byte %lld of %u",
                 w->number, object->name, (long long)offset, object->type->size);
  else
    diag_warning(module->diags, module->source, worker_inst(w)->span, "P%u follows a pointer to nothing here",
                 w->number);
  worker_undefined(w, true);
}

/* Bytes between elements, and elements within the bytes that are accessed, become one. */
static bool add_padding(struct worker *w, const struct memory *object, int64_t offset, const struct kernel_type *type) {
  int64_t end = offset + type->size;
  for (unsigned c = 0; c < object->cell_count; c++) {
    int64_t from = object->cells[c].offset, to = from + object->cells[c].type->size;
    if (from < end && offset < to && (from < offset || to > end)) return false;
  }
  if (end > object->type->size) return false;
  *vec_push(w->k->arena, &w->k->paddings) =
      (struct padding){.id = object->id, .cell = {.offset = (unsigned)offset, .type = type}};
  w->k->again = w->k->module.failed = true;
  return true;
}

/* Accesses that begin or end within a cell are two sizes at the same bytes. */
static void fail_size(struct worker *w, const struct memory *object, int64_t offset, unsigned bytes) {
  unsigned cell = 0;
  for (unsigned c = 0; c < object->cell_count; c++)
    if (object->cells[c].offset <= offset) cell = c;
  module_fail(&w->k->module, worker_inst(w),
              "an access of %u byte%s at byte %lld of %s, where %s has %u: accesses of different sizes to the same "
              "memory are not supported",
              bytes, bytes == 1 ? "" : "s", (long long)offset, object->name, cell_name(w->k, object, cell),
              object->cells[cell].type->size);
}

static struct place place_known(struct worker *w, struct scalar pointer, unsigned offset,
                                const struct kernel_type *type) {
  unsigned bytes = type->size;
  struct place place = {.pointer = pointer, .known = true};
  int64_t address = pointer.value + offset, room = (int64_t)1 << w->k->shift;
  const struct memory *object = address >= room ? object_at(w, (size_t)(address >> w->k->shift) - 1) : NULL;
  int64_t at = address & (room - 1);
  if (object && object->open && at >= object->type->size && at < room / 2) {
    w->k->used[object->open] = (unsigned)(at / (object->type->stride ? object->type->stride : 1)) + 1;
    w->k->again = w->k->module.failed = true;
    return place;
  }
  if (object && !object->type->size && object->kind == OBJECT_SHARED) {
    module_fail(&w->k->module, worker_inst(w), "%s has no @Input, which would say how long it is", object->name);
    return place;
  }
  for (unsigned c = 0; object && c < object->cell_count; c++)
    if (object->cells[c].offset == at && object->cells[c].type->size == bytes && !object->cells[c].hidden) {
      place.object = object;
      place.cell = c;
      place.address = (struct address){.base = object->first + c, .size = 1};
      place.slot = object->kind == OBJECT_OWN ? (int)(object->first + c) : -1;
      if (object->kind == OBJECT_SHARED) place.slot = w->owned[object->first + c];
      return place;
    }
  if (!object || at >= object->type->size)
    say_outside(w, object, at >= room / 2 ? at - room : at);
  else if (!add_padding(w, object, at, type))
    fail_size(w, object, at, bytes);
  return place;
}

/* A cell's number from a pointer that only a run knows: each cell of the right size asked in turn,
 * -1 when it is none of them. */
static const struct expr *index_of(struct worker *w, const struct memory *object, struct scalar pointer,
                                   unsigned offset, unsigned bytes, unsigned *choices) {
  struct scalar index = scalar_known(-1);
  for (unsigned c = object->cell_count; c-- > 0;) {
    if (object->cells[c].type->size != bytes || object->cells[c].hidden) continue;
    struct scalar here = scalar_known(object->address + object->cells[c].offset - offset);
    index = scalar_choose(w->arena, scalar_apply(w->arena, EXPR_EQ, pointer, here), scalar_known(c), index);
    ++*choices;
  }
  return scalar_expr(w->arena, index);
}

static struct place place_held(struct worker *w, struct scalar pointer, unsigned offset, unsigned bytes) {
  struct place place = {.pointer = pointer, .slot = -1};
  const struct memory *object = pointer.object ? object_at(w, pointer.object - 1) : NULL;
  unsigned choices = 0;
  if (!object) {
    module_fail(&w->k->module, worker_inst(w), "a pointer into memory that only a run knows is not supported");
    return place;
  }
  unsigned items = w->k->header.threads * w->k->header.subgroups * w->k->header.workgroups;
  if (object->open && object->type->count < items) { /* one for each work-item, where nothing says more */
    w->k->used[object->open] = items;
    w->k->again = w->k->module.failed = true;
    return place;
  }
  const struct expr *index = index_of(w, object, pointer, offset, bytes, &choices);
  if (!choices || choices > MOST_CHOICES) {
    module_fail(&w->k->module, worker_inst(w), "an element of %s that only a run knows: %s", object->name,
                choices ? "it has more than 512" : "none is of this size");
    return place;
  }
  place.object = object;
  place.address = (struct address){.base = object->first, .size = object->cell_count, .index = index};
  place.pointer.value = offset;
  return place;
}

struct place place_find(struct worker *w, struct scalar pointer, unsigned offset, const struct kernel_type *type) {
  if (pointer.kind == SCALAR_KNOWN) return place_known(w, pointer, offset, type);
  return place_held(w, pointer, offset, type->size);
}

/* ---- a work-item's own memory ---- */

void place_touch(struct worker *w, const struct place *place, bool writes) {
  if (place->object->kind != OBJECT_SHARED) return;
  for (unsigned c = 0; c < place->address.size; c++) {
    struct touch *touch = &w->k->touched[place->address.base + c];
    unsigned by = place->known ? w->number + 1 : UINT_MAX;
    touch->by = touch->by && touch->by != by ? UINT_MAX : by;
    touch->written |= writes;
  }
}

/* Does nobody write the element, so that it is what it was at first? */
static bool is_constant(const struct worker *w, const struct place *place) {
  return place->object->kind == OBJECT_SHARED && place->known && w->k->settled &&
         !w->k->settled[place->address.base].written && place->object->fixed &&
         place->object->fixed[place->cell].kind == SCALAR_KNOWN;
}

bool place_is_own(const struct worker *w, const struct place *place) {
  return place->object->kind != OBJECT_SHARED || place->slot >= 0 || is_constant(w, place);
}

static struct scalar start_value(struct worker *w, const struct memory *object, unsigned cell) {
  int64_t value;
  unsigned component = cell;
  if (object->builtin >= 0) {
    if (builtin_value(w->k, (uint32_t)object->builtin, w->number, component, &value)) return scalar_known(value);
    module_fail(&w->k->module, worker_inst(w), "the built-in variable %s is not supported", object->name);
  }
  return object->fixed ? object->fixed[cell] : (struct scalar){0};
}

static struct scalar own_cell(struct worker *w, const struct memory *object, unsigned cell) {
  return object->kind == OBJECT_FIXED ? start_value(w, object, cell) : w->state.slots[object->first + cell];
}

static struct scalar is_at(struct worker *w, const struct place *place, unsigned cell) {
  int64_t address = place->object->address + place->object->cells[cell].offset - place->pointer.value;
  return scalar_apply(w->arena, EXPR_EQ, (struct scalar){.kind = SCALAR_HELD, .expr = place->pointer.expr},
                      scalar_known(address));
}

struct scalar place_read_own(struct worker *w, const struct place *place) {
  const struct memory *object = place->object;
  if (place->slot >= 0) return w->state.slots[place->slot];
  if (is_constant(w, place)) return object->fixed[place->cell];
  if (place->known) return own_cell(w, object, place->cell);
  struct scalar value = {0};
  for (unsigned c = object->cell_count; c-- > 0;) {
    struct scalar here = own_cell(w, object, c);
    if (here.kind == SCALAR_UNSET) continue;
    value = value.kind == SCALAR_UNSET ? here : scalar_choose(w->arena, is_at(w, place, c), here, value);
  }
  return value;
}

void place_write_own(struct worker *w, const struct place *place, struct scalar value) {
  const struct memory *object = place->object;
  if (object->kind == OBJECT_FIXED) {
    module_fail(&w->k->module, worker_inst(w), "%s cannot be written", object->name);
    return;
  }
  if (place->known) {
    worker_set_slot(w, (unsigned)place->slot, value);
    return;
  }
  for (unsigned c = 0; c < object->cell_count; c++) {
    struct scalar old = w->state.slots[object->first + c];
    if (old.kind == SCALAR_UNSET) old = worker_free_value(w);
    worker_set_slot(w, object->first + c, scalar_choose(w->arena, is_at(w, place, c), value, old));
  }
}

/* ---- Vulkan's operands ---- */

bool memory_scope(struct worker *w, uint32_t id, enum scope *scope) {
  const struct scalar *constant = id < w->k->module.bound ? w->k->constants[id] : NULL;
  static const enum scope words[] = {SCOPE_SYS, SCOPE_DEV, SCOPE_WG, SCOPE_SG, SCOPE_WI, SCOPE_QF};
  if (!constant || constant->kind != SCALAR_KNOWN || constant->value < 0 || constant->value > 5) {
    module_fail(&w->k->module, worker_inst(w), "a scope that is no constant from 0 to 5");
    return false;
  }
  *scope = words[constant->value];
  if (w->k->vulkan && *scope == SCOPE_SYS)
    module_fail(&w->k->module, worker_inst(w), "the Vulkan memory model has no scope CrossDevice");
  return !w->k->module.failed;
}

/* The memory operands of an instruction from operand `at` on, or what a change says in their place. */
static void set_operands(struct worker *w, struct instr *instr, const struct inst *inst, unsigned at, bool load) {
  const struct spirv_change *change = change_at(w->k, w->at, false);
  w->k->reached[w->at] = true;
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
  if (mask & SpvMemoryAccessAlignedMask) at++;
  if (mask & SpvMemoryAccessNonPrivatePointerMask) instr->tags |= tag_bit(TAG_NONPRIV);
  uint32_t makes[] = {SpvMemoryAccessMakePointerAvailableMask, SpvMemoryAccessMakePointerVisibleMask};
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
static struct instr *emit_access(struct worker *w, const struct inst *inst, const struct place *place,
                                 enum instr_kind kind, unsigned operands) {
  const struct spirv_change *change = change_at(w->k, w->at, false);
  struct instr *instr;
  if (change && change->kind == CHANGE_ATOMIC) {
    instr = emit_made_atomic(w, &change->words, kind, place->object);
    if (!instr) return NULL;
    for (unsigned c = 0; c < place->address.size; c++) w->k->locations.at[place->address.base + c].atomic = true;
  } else {
    instr = worker_emit(w, kind);
    instr->tags = memory_class(w, place->object);
    set_operands(w, instr, inst, operands, kind == INSTR_LOAD);
  }
  instr->address = place->address;
  return instr;
}

static struct scalar load_leaf(struct worker *w, const struct inst *inst, const struct place *place, unsigned leaf,
                               unsigned operands) {
  place_touch(w, place, false);
  struct scalar own = {0};
  if (place_is_own(w, place)) own = place_read_own(w, place);
  /* What its own element holds at first may have to be read. */
  if (own.kind != SCALAR_UNSET || place->object->kind != OBJECT_SHARED) return own;
  int reg = inst->result ? worker_target(w, inst->result, leaf) : (int)worker_temporary(w);
  struct instr *instr = emit_access(w, inst, place, INSTR_LOAD, operands);
  if (!instr) return own;
  struct expr *e = ARENA_NEW(w->arena, struct expr);
  *e = (struct expr){.kind = EXPR_REG, .reg = (unsigned)reg};
  instr->reg = reg;
  struct scalar held = {.kind = SCALAR_HELD, .expr = e};
  if (place->slot >= 0) worker_set_slot(w, (unsigned)place->slot, held);
  return held;
}

static void store_leaf(struct worker *w, const struct inst *inst, const struct place *place, struct scalar value,
                       unsigned operands) {
  place_touch(w, place, true);
  if (place_is_own(w, place)) {
    place_write_own(w, place, value);
    return;
  }
  if (value.kind == SCALAR_UNSET) value = worker_free_value(w);
  struct instr *instr = emit_access(w, inst, place, INSTR_STORE, operands);
  if (instr) instr->value = scalar_expr(w->arena, value);
}

static void eval_load(struct worker *w, const struct inst *inst) {
  const struct kernel_type *type = types_get(&w->k->types, inst->type);
  struct scalar pointer = worker_scalar(w, inst->operands[0]);
  unsigned count;
  const struct memory_cell *cells = cells_of(w->k, type, &count);
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, count + 1u);
  if (!count) module_fail(&w->k->module, inst, "%s of such a type is not supported", module_opcode_name(inst));
  for (unsigned i = 0; i < count; i++) {
    struct place place = place_find(w, pointer, cells[i].offset, cells[i].type);
    if (!place.object) return;
    result[i] = load_leaf(w, inst, &place, i, 1);
  }
  worker_define(w, inst->result, result, count);
}

static void eval_store(struct worker *w, const struct inst *inst) {
  struct scalar pointer = worker_scalar(w, inst->operands[0]);
  struct value value = worker_value(w, inst->operands[1]);
  if (!value.at) return;
  unsigned count;
  const struct memory_cell *cells = cells_of(w->k, value.type, &count);
  for (unsigned i = 0; i < count; i++) {
    struct place place = place_find(w, pointer, cells[i].offset, cells[i].type);
    if (!place.object) return;
    store_leaf(w, inst, &place, value.at[i], 2);
  }
}

/* Cells of the object from an address on, within so many bytes. */
static void eval_copy(struct worker *w, const struct inst *inst) {
  struct scalar to = worker_scalar(w, inst->operands[0]), from = worker_scalar(w, inst->operands[1]);
  const struct inst *def = w->k->module.defs[inst->operands[0]];
  int64_t bytes = -1;
  if (inst->opcode == SpvOpCopyMemory) {
    bytes = types_pointee(&w->k->types, types_get(&w->k->types, def->type))->size;
  } else {
    struct scalar size = worker_scalar(w, inst->operands[2]);
    if (size.kind == SCALAR_KNOWN) bytes = size.value;
  }
  if (bytes < 0 || to.kind != SCALAR_KNOWN || from.kind != SCALAR_KNOWN) {
    module_fail(&w->k->module, inst, "a copy of memory of which only a run knows the place or the size");
    return;
  }
  int64_t room = (int64_t)1 << w->k->shift, at = from.value & (room - 1);
  const struct memory *object = from.value >= room ? object_at(w, (size_t)(from.value >> w->k->shift) - 1) : NULL;
  if (!object || at + bytes > object->type->size) {
    say_outside(w, object, at + bytes);
    return;
  }
  for (unsigned c = 0; c < object->cell_count; c++) {
    int64_t offset = (int64_t)object->cells[c].offset - at;
    if (offset < 0 || offset >= bytes) continue;
    struct place source = place_find(w, from, (unsigned)offset, object->cells[c].type);
    struct place target = source.object ? place_find(w, to, (unsigned)offset, object->cells[c].type) : source;
    if (!target.object) return;
    store_leaf(w, inst, &target, load_leaf(w, inst, &source, 0, 9), 9);
    object = object_at(w, (size_t)(from.value >> w->k->shift) - 1);
  }
}

/* ---- pointers ---- */

static struct scalar moved(struct worker *w, struct scalar pointer, struct scalar index, unsigned stride) {
  struct scalar bytes = scalar_apply(w->arena, EXPR_MUL, index, scalar_known(stride));
  struct scalar to = scalar_apply(w->arena, EXPR_ADD, pointer, bytes);
  if (w->k->wraps) to = scalar_fit(w->arena, 32, to);
  if (to.kind == SCALAR_HELD && pointer.kind == SCALAR_HELD) to.object = pointer.object;
  if (to.kind == SCALAR_HELD && pointer.kind == SCALAR_KNOWN) to.object = (unsigned)(pointer.value >> w->k->shift);
  /* What is not in its object any more is in no other either. */
  if (to.kind == SCALAR_KNOWN && pointer.kind == SCALAR_KNOWN &&
      to.value >> w->k->shift != pointer.value >> w->k->shift && pointer.value >> w->k->shift > 0)
    to.value = 1;
  return to;
}

static void eval_chain(struct worker *w, const struct inst *inst) {
  bool element = inst->opcode == SpvOpPtrAccessChain || inst->opcode == SpvOpInBoundsPtrAccessChain;
  struct value base = worker_value(w, inst->operands[0]);
  struct scalar pointer = worker_scalar(w, inst->operands[0]);
  if (!base.at) return;
  const struct kernel_type *type = types_pointee(&w->k->types, base.type);
  unsigned at = 1;
  if (element) {
    unsigned align = type->align ? type->align : 1, stride = base.type->pointee_stride;
    if (!stride) stride = (type->size + align - 1) / align * align;
    pointer = moved(w, pointer, worker_scalar(w, inst->operands[at++]), stride);
  }
  for (; at < inst->operand_count && !w->k->module.failed; at++) {
    struct scalar index = worker_scalar(w, inst->operands[at]);
    unsigned offset = 0;
    if (type->kind == TYPE_STRUCT) {
      type =
          index.kind == SCALAR_KNOWN && index.value >= 0 ? type_part(type, (unsigned)index.value, &offset, NULL) : NULL;
      pointer = moved(w, pointer, scalar_known(1), offset);
    } else if (type->kind == TYPE_VECTOR || type->kind == TYPE_ARRAY) {
      pointer = moved(w, pointer, index, type->stride);
      type = type->element;
    } else {
      type = NULL;
    }
    if (type) continue;
    module_fail(&w->k->module, inst, "%s names no element", module_opcode_name(inst));
    return;
  }
  worker_define_one(w, inst->result, pointer);
}

static void eval_difference(struct worker *w, const struct inst *inst) {
  struct value a = worker_value(w, inst->operands[0]);
  struct scalar x = worker_scalar(w, inst->operands[0]), y = worker_scalar(w, inst->operands[1]);
  unsigned size = a.at ? types_pointee(&w->k->types, a.type)->size : 0;
  if (size)
    worker_define_one(w, inst->result,
                      scalar_apply(w->arena, EXPR_DIV, scalar_apply(w->arena, EXPR_SUB, x, y), scalar_known(size)));
}

/* The length of a run-time array: as many elements as @Input gives. */
static void eval_length(struct worker *w, const struct inst *inst) {
  struct scalar pointer = worker_scalar(w, inst->operands[0]);
  int64_t index = pointer.kind == SCALAR_KNOWN ? (pointer.value >> w->k->shift) - 1 : -1;
  const struct memory *object = index >= 0 ? object_at(w, (size_t)index) : NULL;
  const struct kernel_type *array = object ? type_part(object->type, inst->operands[1], NULL, NULL) : NULL;
  if (array)
    worker_define_one(w, inst->result, scalar_known(array->count));
  else
    module_fail(&w->k->module, inst, "the length of an array that only a run knows");
}

bool eval_memory(struct worker *w) {
  const struct inst *inst = worker_inst(w);
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
      return true;
    default:
      return false;
  }
}
