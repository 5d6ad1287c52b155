/* SPDX-License-Identifier: MIT */
/* A work-item at one point of its code: instructions that it emits, what its slots and ids hold. */
#include <spirv/unified1/spirv.h>

#include "checker/base/tags.h"
#include "checker/spirv/kernel_internal.h"

enum { MOST_INSTRUCTIONS = 50000 };

/* ---- code ---- */

struct node *item_node(struct work_item *w) {
  return &w->nodes.at[w->node];
}

struct instr *item_emit_into(struct work_item *w, struct node *node, enum instr_kind kind, struct span span) {
  if (node->code.count == MOST_INSTRUCTIONS)
    module_fail(&w->k->module, item_inst(w), "P%u has more than %d instructions", w->number, MOST_INSTRUCTIONS);
  struct instr *instr = vec_push(w->scratch, &node->code);
  *instr = (struct instr){.kind = kind, .reg = NO_REG, .barrier_label = -1, .span = span};
  if (node->code.count > MOST_INSTRUCTIONS) w->stopped = true;
  return instr;
}

struct span item_span(const struct work_item *w) {
  struct span span = item_inst(w)->span;
  for (unsigned f = w->state.depth; f-- > 1 && !span.length;) span = w->k->module.insts[w->state.frames[f].call].span;
  return span;
}

struct instr *item_emit(struct work_item *w, enum instr_kind kind) {
  return item_emit_into(w, item_node(w), kind, item_span(w));
}

unsigned item_temporary(struct work_item *w) {
  return w->register_count++;
}

unsigned item_register(struct work_item *w, unsigned slot) {
  if (slot >= w->register_room) {
    unsigned room = slot * 2 + 64;
    int *registers = ARENA_ARRAY(w->arena, int, room);
    for (unsigned i = 0; i < room; i++) registers[i] = i < w->register_room ? w->registers[i] : -1;
    w->registers = registers;
    w->register_room = room;
  }
  if (w->registers[slot] < 0) w->registers[slot] = (int)item_temporary(w);
  return (unsigned)w->registers[slot];
}

struct scalar item_held(struct work_item *w, unsigned reg, struct scalar as) {
  return (struct scalar){
      .kind = SCALAR_HELD, .object = as.object, .reach = as.reach, .expr = expr_register(w->arena, reg)};
}

unsigned item_group(const struct work_item *w) {
  return w->number / (w->k->header.threads * w->k->header.subgroups);
}

/* ---- values ---- */

void item_set_slot(struct work_item *w, unsigned slot, struct scalar scalar) {
  if (scalar.kind == SCALAR_HELD) {
    unsigned reg = item_register(w, slot);
    if (scalar.expr->kind != EXPR_REG || scalar.expr->reg != reg) {
      struct instr *assign = item_emit(w, INSTR_ASSIGN);
      assign->reg = (int)reg;
      assign->value = scalar.expr;
    }
    scalar = item_held(w, reg, scalar);
  }
  w->state.slots[slot] = scalar;
}

void item_define(struct work_item *w, uint32_t id, const struct scalar *scalars, unsigned count) {
  const struct frame *frame = item_frame(w);
  if (frame->function->slot[id] < 0) return;
  for (unsigned i = 0; i < count; i++)
    item_set_slot(w, frame->base + (unsigned)frame->function->slot[id] + i, scalars[i]);
}

void item_define_one(struct work_item *w, uint32_t id, struct scalar scalar) {
  item_define(w, id, &scalar, 1);
}

int item_target(struct work_item *w, uint32_t id, unsigned leaf) {
  const struct frame *frame = item_frame(w);
  return (int)item_register(w, frame->base + (unsigned)frame->function->slot[id] + leaf);
}

void item_targeted(struct work_item *w, uint32_t id) {
  const struct frame *frame = item_frame(w);
  unsigned slot = frame->base + (unsigned)frame->function->slot[id];
  w->state.slots[slot] = item_held(w, item_register(w, slot), (struct scalar){0});
}

static unsigned add_free(struct kernel_code *k, const char *name) {
  *vec_push(k->arena, &k->locations) = (struct location){.name = name, .any = true, .region = REGION_GLOBAL};
  return (unsigned)k->locations.count - 1;
}

static struct scalar load_free(struct work_item *w, unsigned location) {
  unsigned reg = item_temporary(w);
  struct instr *load = item_emit(w, INSTR_LOAD);
  load->reg = (int)reg;
  load->address = (struct address){.base = location, .size = 1};
  return item_held(w, reg, (struct scalar){0});
}

struct scalar item_free_value(struct work_item *w) {
  return load_free(w, add_free(w->k, arena_printf(w->k->arena, "undefined%u.%u", w->number, w->undefined++)));
}

void item_define_free(struct work_item *w, const struct inst *inst) {
  unsigned leaves = types_get(&w->k->types, inst->type)->leaves;
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, leaves + 1u);
  for (unsigned i = 0; i < leaves; i++) result[i] = item_free_value(w);
  item_define(w, inst->result, result, leaves);
}

/* The location `index` of `count` that hold what the host sets and no header gives. */
static struct scalar load_given(struct work_item *w, uint32_t id, const struct memory *object, unsigned count,
                                unsigned index) {
  struct kernel_code *k = w->k;
  unsigned *first = &k->argument_locations[id];
  for (unsigned i = 0; i < count && !*first; i++) {
    const char *name = object ? cell_name(k, object, i) : module_name(&k->module, id);
    add_free(k, object || count == 1 ? name : arena_printf(k->arena, "%s[%u]", name, i));
  }
  if (!*first) *first = (unsigned)k->locations.count - count + 1;
  return load_free(w, *first - 1 + index);
}

struct scalar item_argument(struct work_item *w, uint32_t id, unsigned leaf) {
  return load_given(w, id, NULL, types_get(&w->k->types, w->k->module.defs[id]->type)->leaves, leaf);
}

struct scalar item_passed(struct work_item *w, const struct memory *object, unsigned cell) {
  return load_given(w, object->id, object, object->cell_count, cell);
}

static const struct scalar *pointer_to(struct work_item *w, const struct memory *object) {
  struct scalar *pointer = ARENA_NEW(w->arena, struct scalar);
  *pointer = scalar_known(object->address);
  return pointer;
}

/* The address of a variable, of the innermost frame first. */
static const struct scalar *variable_address(struct work_item *w, uint32_t id) {
  for (size_t i = w->own.count; i-- > 0;)
    if (w->own.at[i].id == id) return pointer_to(w, &w->own.at[i]);
  const struct memory *object = object_of(w->k, id, item_group(w));
  return object ? pointer_to(w, object) : NULL;
}

struct value item_value(struct work_item *w, uint32_t id) {
  struct module *module = &w->k->module;
  const struct frame *frame = item_frame(w);
  const struct inst *def = id < module->bound ? module->defs[id] : NULL;
  struct value value = {0};
  if (def && w->k->constants[id])
    value = constant_value(w->k, id);
  else if (def && def->opcode == SpvOpVariable)
    value = (struct value){types_get(&w->k->types, def->type), variable_address(w, id)};
  else if (def && def->type && frame->function->slot[id] >= 0)
    value = (struct value){types_get(&w->k->types, def->type),
                           &w->state.slots[frame->base + (unsigned)frame->function->slot[id]]};
  if (value.at && value.type && value.type->leaves) return value;
  const struct kernel_type *type = def && def->type ? types_get(&w->k->types, def->type) : NULL;
  module_fail(module, item_inst(w),
              type && type->kind == TYPE_OTHER ? "%s is of a type that is not supported" : "%s has no value here",
              module_name(module, id));
  return (struct value){0};
}

struct scalar item_scalar(struct work_item *w, uint32_t id) {
  struct value value = item_value(w, id);
  if (!value.at) return scalar_known(0);
  return value.at[0].kind == SCALAR_UNSET ? item_free_value(w) : value.at[0];
}

static struct instr *divide(struct work_item *w, bool outside, const struct expr *by) {
  struct instr *assign = item_emit(w, INSTR_ASSIGN);
  assign->reg = (int)item_temporary(w);
  assign->value = expr_new(w->arena, EXPR_DIV, expr_constant(w->arena, !outside), by, NULL);
  return assign;
}

void item_check_inside(struct work_item *w, const struct memory *object, const struct expr *inside) {
  divide(w, true, inside)->outside = arena_printf(w->arena, "gets outside %s", object->name);
}

void item_undefined(struct work_item *w, const char *outside) {
  divide(w, outside, expr_constant(w->arena, 0))->outside = outside;
  item_node(w)->end = NODE_STOP;
  w->stopped = true;
}

/* ---- its end ---- */

static tag_set class_of(uint32_t storage) {
  switch (storage) {
    case SpvStorageClassWorkgroup:
      return tag_bit(TAG_SC1);
    case SpvStorageClassImage:
      return tag_bit(TAG_SC2);
    case SpvStorageClassOutput:
      return tag_bit(TAG_SC3);
    default:
      return tag_bit(TAG_SC0);
  }
}

tag_set memory_class(const struct work_item *w, const struct memory *object) {
  return w->k->vulkan ? class_of(object->storage) : 0;
}

/* Last values of what is the work-item's own and asked for. */
static void store_owned(struct work_item *w, const struct memory *object) {
  for (unsigned c = 0; object->kind == OBJECT_SHARED && c < object->cell_count; c++) {
    unsigned location = memory_location(object, c);
    if (w->owned[location] < 0 || !w->k->asked[location]) continue;
    struct scalar last = w->state.slots[w->owned[location]];
    if (object->fixed && scalar_same(last, object->fixed[c])) continue;
    if (last.kind == SCALAR_UNSET && !object->fixed) continue;
    if (last.kind == SCALAR_UNSET) last = item_free_value(w);
    struct instr *store = item_emit(w, INSTR_STORE);
    store->address = (struct address){.base = location, .size = 1};
    store->value = scalar_expr(w->arena, last);
    store->tags = memory_class(w, object);
  }
}

void item_stop(struct work_item *w) {
  for (size_t i = 0; i < w->k->objects.count; i++) store_owned(w, &w->k->objects.at[i]);
  item_node(w)->end = NODE_STOP;
  w->stopped = true;
}
