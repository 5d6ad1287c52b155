/* SPDX-License-Identifier: MIT */
/* Memory: an object for each variable, its cells, what they hold at first, their names. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

enum { MOST_OBJECTS = 2048, MOST_LOCATIONS = 1 << 16 };

/* ---- what they hold at first ---- */

struct filling {
  struct kernel_code *k;
  struct scalar *leaves;
  unsigned at;
};

/* One number in a list, where braces would tell which of several it is. */
static bool is_first_of_several(const struct kernel_type *part, const struct initial *item) {
  return !item->list && !item->none && part->leaves > 1;
}

static void fill(struct filling *f, const struct kernel_type *type, const struct initial *from) {
  struct module *module = &f->k->module;
  if (module->failed) return;
  if (from->none) {
    f->at += type->leaves;
    return;
  }
  if (type_is_scalar(type)) {
    while (from->list && from->count == 1) from = from->items; /* as in C */
    if (from->list)
      constant_misgiven(module, from, "a list of values for what is one number");
    else
      f->leaves[f->at++] = constant_given(f->k, type, from);
    return;
  }
  unsigned given = from->list ? from->count : 1;
  if (given > type->count) {
    constant_misgiven(module, from, arena_printf(module->arena, "%u values for %u elements", given, type->count));
    return;
  }
  bool warned = false;
  for (unsigned i = 0; i < type->count; i++) {
    const struct kernel_type *part = type_part(type, i, NULL, NULL);
    if (from->list && i < given && !warned && is_first_of_several(part, &from->items[i])) {
      diag_warning(module->diags, from->items[i].source, from->items[i].span,
                   "one number for %u: it is the first, and the others may hold anything (braces within give all)",
                   part->leaves);
      warned = true;
    }
    if (i < given)
      fill(f, part, from->list ? &from->items[i] : from);
    else
      f->at += part->leaves;
  }
}

void fill_given(struct kernel_code *k, const struct kernel_type *type, const struct initial *given,
                struct scalar *leaves) {
  struct filling f = {k, leaves, 0};
  fill(&f, type, given);
}

/* How many elements the header gives to the run-time array at a type's end; -1: it does not say. */
static int64_t given_length(const struct kernel_type *type, const struct initial *from) {
  if (!from || from->none) return -1;
  if (type->kind == TYPE_ARRAY && !type->count) return from->list ? from->count : 1;
  if (type->kind != TYPE_STRUCT) return 0;
  unsigned given = from->list ? from->count : 1;
  return given < type->count
             ? -1
             : given_length(type->members[type->count - 1], from->list ? &from->items[given - 1] : from);
}

/* In braces of its own. */
static const struct initial *in_braces(struct kernel_code *k, const struct initial *given) {
  struct initial *whole = ARENA_COPY(k->arena, struct initial, given, 1);
  whole->items = given;
  whole->count = 1;
  return whole;
}

/* Braces of a structure may be left out where it has one member, an array: HLSL's buffers. */
static const struct initial *enclose(struct kernel_code *k, const struct kernel_type *type,
                                     const struct initial *given) {
  if (!given || !given->list || given->count < 2 || type->kind != TYPE_STRUCT || type->count != 1) return given;
  return type_is_scalar(type->members[0]) ? given : in_braces(k, given);
}

/* ---- objects ---- */

/* As many elements as are used, or twice as many where more may follow: of an array whose length nobody gives. */
static unsigned length_used(const struct kernel_code *k, struct memory *object, uint32_t open) {
  unsigned used = k->used[open];
  object->open = open;
  object->spare = !k->exact && used && used <= MOST_LOCATIONS;
  return object->spare ? 2 * used : used;
}

/* Locations for a shared object's cells. */
static void add_locations(struct kernel_code *k, struct memory *object) {
  object->first = (unsigned)k->locations.count;
  if (k->locations.count + object->cell_count > MOST_LOCATIONS) {
    module_fail(&k->module, k->module.defs[object->id], "more than %d elements of shared memory", MOST_LOCATIONS);
    return;
  }
  object->order = cells_order(k, object);
  for (unsigned i = 0; i < object->cell_count; i++) vec_push(k->arena, &k->locations);
  for (unsigned i = 0; i < object->cell_count; i++) {
    struct scalar at_first = object->fixed ? object->fixed[i] : (struct scalar){0};
    k->locations.at[memory_location(object, i)] = (struct location){
        .name = cell_name(k, object, i),
        .init = at_first.kind == SCALAR_KNOWN ? at_first.value : 0,
        .any = at_first.kind == SCALAR_UNSET,
        .region = !k->vulkan && object->storage == SpvStorageClassWorkgroup ? REGION_LOCAL : REGION_GLOBAL,
        .width = type_width(object->cells[i].type)};
  }
}

static void add_object(struct kernel_code *k, struct memory object) {
  if (k->objects.count == MOST_OBJECTS) module_fail(&k->module, k->module.defs[object.id], "too many variables");
  object.cells = cells_of_variable(k, object.id, object.type, &object.cell_count);
  object.address = object_address(k, k->objects.count);
  if (object.kind == OBJECT_SHARED && !k->module.failed) add_locations(k, &object);
  if (object.kind == OBJECT_OWN) {
    object.first = k->private_slots;
    k->private_slots += object.cell_count;
  }
  if (!k->module.failed) *vec_push(k->arena, &k->objects) = object;
}

/* One object, or one for each work-group. */
static void add_objects(struct kernel_code *k, struct memory object) {
  bool own = object.storage == SpvStorageClassWorkgroup;
  unsigned groups = own ? k->header.workgroups : 1;
  const char *name = object.name;
  for (unsigned g = 0; g < groups && !k->module.failed; g++) {
    if (groups > 1) object.name = arena_printf(k->arena, "%s@wg%u", name, g);
    object.group = own ? g + 1 : 0;
    add_object(k, object);
  }
}

static enum memory_kind kind_of(uint32_t storage) {
  switch (storage) {
    case SpvStorageClassPrivate:
      return OBJECT_OWN;
    case SpvStorageClassPushConstant:
    case SpvStorageClassUniformConstant:
    case SpvStorageClassInput:
      return OBJECT_FIXED;
    default:
      return OBJECT_SHARED;
  }
}

/* Does somebody write what is in an image of the type? */
static bool image_is_stored(const struct kernel_code *k, const struct kernel_type *type) {
  const struct inst *inst = type->kind == TYPE_IMAGE ? k->module.defs[type->id] : NULL;
  return inst && inst->opcode == SpvOpTypeImage && inst->operands[5] != 1;
}

/* Images are where add_images puts them. */
static void find_images(struct kernel_code *k, const struct memory *object, struct scalar *leaves) {
  unsigned count, images = 0;
  const struct memory_cell *cells = cells_of(k, object->type, &count);
  for (unsigned i = 0; i < count; i++)
    if (cells[i].type->kind == TYPE_IMAGE)
      leaves[i] = scalar_known(image_is_stored(k, cells[i].type) ? object_address(k, k->objects.count + ++images) : 0);
}

static void start_values(struct kernel_code *k, struct memory *object, const struct inst *inst,
                         const struct initial *given) {
  struct filling f = {k, ARENA_ARRAY(k->arena, struct scalar, object->type->leaves + k->paddings.count + 1u), 0};
  object->fixed = f.leaves;
  if (inst->opcode == SpvOpVariable && inst->operand_count > 1) {
    struct value value = constant_value(k, inst->operands[1]);
    for (unsigned i = 0; value.at && i < value.type->leaves && i < object->type->leaves; i++) f.leaves[i] = value.at[i];
  }
  if (given) fill(&f, object->type, given);
  find_images(k, object, f.leaves);
  if (object->storage == SpvStorageClassPushConstant) { /* these words are not the header's to give */
    unsigned count;
    const struct memory_cell *cells = cells_of(k, object->type, &count);
    for (unsigned i = 0; i < count; i++) {
      int64_t word = reflected_word(k, cells[i].offset);
      if (word >= 0) f.leaves[i] = scalar_known(word);
    }
  }
  struct memory whole = *object;
  whole.cells = cells_of_variable(k, object->id, object->type, &whole.cell_count);
  fill_paddings(k, &whole, f.leaves);
}

/* A block without a name: what the header gives to its members.  NULL: nothing. */
static const struct initial *members_input(struct kernel_code *k, const struct kernel_type *type) {
  struct initial *items = ARENA_ARRAY(k->arena, struct initial, type->count + 1u);
  bool given = false;
  for (unsigned m = 0; m < type->count; m++) items[m].none = true;
  ARRAY_EACH (struct header_input, input, k->header.inputs.at, k->header.inputs.count) {
    int member = module_find(&k->module, input->name) ? -1 : member_named(type, input->name);
    if (member < 0) continue;
    items[member] = input->value;
    input->used = given = true;
  }
  struct initial *whole = ARENA_MAKE(k->arena, struct initial, .list = true, .items = items, .count = type->count);
  return given ? whole : NULL;
}

/* One number is what all texels hold at first. */
static const struct scalar *start_texels(struct kernel_code *k, const struct memory *texels,
                                         const struct initial *given) {
  if (!given || given->list) return NULL;
  struct scalar *all = ARENA_ARRAY(k->arena, struct scalar, texels->type->leaves + 1u);
  for (unsigned i = 0; i < texels->type->leaves; i++) all[i] = constant_given(k, texels->type->element->element, given);
  return all;
}

/* The texels of the images in a variable, after it. */
static void add_images(struct kernel_code *k, const struct memory *object, const struct initial *given) {
  unsigned count;
  if (k->module.failed) return;
  const struct memory_cell *cells = cells_of(k, object->type, &count);
  for (unsigned i = 0; i < count && !k->module.failed; i++) {
    if (!image_is_stored(k, cells[i].type)) continue;
    struct memory texels = image_memory(k, cells[i].type, object_address(k, k->objects.count));
    texels.id = object->id;
    texels.name = count > 1 ? arena_printf(k->arena, "%s[%u]", object->name, i) : object->name;
    texels.fixed = start_texels(k, &texels, given);
    add_object(k, texels);
  }
}

static void add_variable(struct kernel_code *k, const struct inst *inst) {
  const struct kernel_type *pointer = types_get(&k->types, inst->type), *type = types_pointee(&k->types, pointer);
  const char *own = module_variable_name(&k->module, inst->result), *of_type = k->module.names[type->id];
  bool nameless = !own && of_type && type->kind == TYPE_STRUCT;
  const struct initial *given = constant_input(k, inst->result);
  if (nameless && !given) given = members_input(k, type);
  given = enclose(k, type, given);
  struct memory object = {.kind = kind_of(pointer->storage),
                          .name = nameless ? of_type
                                  : own    ? own
                                           : module_name(&k->module, inst->result),
                          .nameless = nameless,
                          .id = inst->result,
                          .storage = pointer->storage,
                          .builtin = -1};
  const struct inst *array = k->module.defs[type->id];
  if (array && array->opcode == SpvOpTypeArray && constant_is_open(k, array->operands[1]))
    object.open = array->operands[1];
  if (pointer->storage == SpvStorageClassInput) object.builtin = builtin_of(k, inst->result);
  object.type = type;
  if (type_is_open(type)) {
    const struct kernel_type *tail = type_tail(type, NULL);
    int64_t length = given_length(type, given);
    if (length < 0) length = tail && !tail->count ? length_used(k, &object, inst->result) : 0;
    object.type = types_with_length(&k->types, type, (unsigned)length);
  }
  if (!k->module.failed) start_values(k, &object, inst, given);
  add_objects(k, object);
  add_images(k, &object, given);
}

/* What the argument points to: as the source says, where a compiler lost it. */
static const struct kernel_type *argument_type(struct kernel_code *k, unsigned index,
                                               const struct kernel_type *pointer) {
  ARRAY_EACH (const struct ir_argument, argument, k->compiled.arguments, k->compiled.argument_count)
    if (argument->index == index && !strcmp(argument->kernel, module_string(k->entry, 2))) return argument->type;
  return types_pointee(&k->types, pointer);
}

/* A pointer that the kernel is called with points to as many elements as the header gives.  One of storage class
 * Function is a struct by value: each work-item has its copy. */
static void add_parameter(struct kernel_code *k, const struct inst *inst, unsigned index) {
  const struct kernel_type *pointer = types_get(&k->types, inst->type);
  if (pointer->kind == TYPE_IMAGE) {
    struct memory texels = image_memory(k, pointer, object_address(k, k->objects.count));
    texels.id = inst->result;
    texels.name = module_name(&k->module, inst->result);
    add_object(k, texels);
  }
  if (pointer->kind != TYPE_POINTER) return;
  const struct initial *given = constant_input(k, inst->result);
  bool by_value = pointer->storage == SpvStorageClassFunction; /* which is one struct, whose braces may be left out */
  if (by_value && given && given->list && given->count > 1) given = in_braces(k, given);
  struct kernel_type *array = ARENA_NEW(k->arena, struct kernel_type);
  const struct kernel_type *element = argument_type(k, index, pointer);
  struct memory object = {.kind = by_value ? OBJECT_OWN : OBJECT_SHARED,
                          .name = module_name(&k->module, inst->result),
                          .id = inst->result,
                          .storage = pointer->storage,
                          .type = array,
                          .builtin = -1};
  unsigned count = !given ? length_used(k, &object, inst->result) : given->list ? given->count : 1;
  unsigned stride = element->align ? (element->size + element->align - 1) / element->align * element->align : 0;
  *array = (struct kernel_type){.kind = TYPE_ARRAY,
                                .count = count,
                                .element = element,
                                .stride = stride,
                                .size = stride * count,
                                .align = element->align,
                                .leaves = element->leaves * count};
  if ((uint64_t)element->leaves * count > MOST_LOCATIONS)
    module_fail(&k->module, inst, "more than %d elements of shared memory", MOST_LOCATIONS);
  if (given && !k->module.failed) start_values(k, &object, inst, given);
  add_objects(k, object);
}

void objects_make(struct kernel_code *k) {
  for (unsigned i = 0; i < k->module.inst_count && !k->module.failed; i++) {
    const struct inst *inst = &k->module.insts[i];
    if (inst->opcode == SpvOpVariable && inst->operands[0] != SpvStorageClassFunction) add_variable(k, inst);
  }
  const struct function *main = k->main;
  for (size_t i = 0; i < main->parameters.count && !k->module.failed; i++)
    add_parameter(k, k->module.defs[main->parameters.at[i]], (unsigned)i);
}
