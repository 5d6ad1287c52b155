/* SPDX-License-Identifier: MIT */
/* @Output and @Filter: names looked up. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

struct lookup {
  struct kernel_code *k;
  const char *near; /* of a name that is no number, what there is instead */
};

/* The number of a part: as it is given, or by its name, which is x, y, z or w in a vector; -1: there is none. */
static int64_t part_number(const struct kernel_type *type, const struct header_operand *operand, unsigned index) {
  static const char letters[] = "xyzw";
  const char *member = operand->members[index], *letter = member ? strchr(letters, *member) : NULL;
  if (!member) return operand->indices[index];
  if (type->kind == TYPE_STRUCT) return member_named(type, member);
  return type->kind == TYPE_VECTOR && letter && !member[1] ? letter - letters : -1;
}

/* The cell that a name with indices stands for, in the part of this type that begins at `leaf`; or -1. */
static int find_cell(struct lookup *l, const struct memory *object, const struct kernel_type *type, unsigned leaf,
                     const struct header_operand *operand) {
  l->near = "";
  for (unsigned i = 0; i < operand->index_count; i++) {
    while (operand->members[i] && type->kind == TYPE_ARRAY && type->count == 1) type = type->element;
    int64_t part = part_number(type, operand, i);
    const struct kernel_type *whole = type;
    type = part < 0 ? NULL : type_part(type, (unsigned)part, NULL, &leaf);
    if (!type && whole->count && !operand->members[i])
      l->near = arena_printf(l->k->arena, whole->count > 1 ? ": there are [0] to [%u]" : ": there is only [%u]",
                             whole->count - 1);
    if (!type) return -1;
  }
  while (!type_is_scalar(type) && type->count == 1) type = type_part(type, 0, NULL, &leaf);
  if (!type_is_scalar(type)) l->near = arena_printf(l->k->arena, ", but %u of them: name one, as in [0]", type->leaves);
  return type_is_scalar(type) && leaf < object->cell_count && !object->cells[leaf].hidden ? (int)leaf : -1;
}

/* The same of an object, of which a structure with one member need not be named: HLSL's buffers. */
static int find_in(struct lookup *l, const struct memory *object, const struct header_operand *operand) {
  const struct kernel_type *type = object->type;
  int cell = find_cell(l, object, type, 0, operand);
  bool one = type->kind == TYPE_STRUCT && type->count == 1 && !type_is_scalar(type->members[0]);
  return cell < 0 && one ? find_cell(l, object, type->members[0], 0, operand) : cell;
}

/* How a name is to be written that is that of a member, not of a variable: "b.n"; "": no object has such a member. */
static const char *written_whole(const struct kernel_code *k, const char *name) {
  ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count)
    if (member_named(object->type, name) >= 0) return arena_printf(k->arena, ": write %%%s.%s", object->name, name);
  return "";
}

/* The same for a member of a block without a name; *object: that one. */
static int find_member(struct lookup *l, const struct header_operand *operand, const struct memory **object) {
  ARRAY_EACH (const struct memory, at, l->k->objects.at, l->k->objects.count) {
    int member = at->nameless ? member_named(at->type, operand->name) : -1;
    unsigned leaf = 0;
    if (member < 0) continue;
    *object = at;
    const struct kernel_type *type = type_part(at->type, (unsigned)member, NULL, &leaf);
    return find_cell(l, at, type, leaf, operand);
  }
  return -1;
}

static struct operand failed(struct header_lookup *lookup, struct span span, const char *message, const char *name) {
  header_fail(lookup, span, message, name);
  return (struct operand){.constant = true};
}

/* An argument that is a number, which the header gives. */
static bool is_passed_number(struct kernel_code *k, uint32_t id, const struct header_operand *from) {
  const struct inst *def = k->module.defs[id];
  const struct initial *given = def && def->opcode == SpvOpFunctionParameter ? constant_input(k, id) : NULL;
  return given && !given->list && !from->index_count && type_is_scalar(types_get(&k->types, def->type));
}

static struct operand find(struct header_lookup *lookup, const struct header_operand *from, struct width *width) {
  struct kernel_code *k = lookup->kernel;
  struct lookup l = {.k = k};
  uint32_t id = module_find(&k->module, from->name);
  const struct memory *object = id ? object_of(k, id, 0) : NULL;
  int cell = object ? find_in(&l, object, from) : find_member(&l, from, &object);
  if (!object && id && is_passed_number(k, id, from)) {
    const struct kernel_type *type = types_get(&k->types, k->module.defs[id]->type);
    *width = type_width(type);
    return (struct operand){.constant = true, .value = constant_from(type, constant_input(k, id))};
  }
  const struct memory *texels = object ? image_texels(k, object->id) : NULL;
  if (texels && (object == texels || object->type->kind == TYPE_IMAGE)) {
    cell = image_find_cell(texels, from->indices, from->index_count);
    object = texels;
  } else if (object && object->type->kind == TYPE_IMAGE) {
    cell = -1;
  }
  if (!object)
    return failed(lookup, from->span, "the module has no variable %",
                  arena_printf(k->arena, "%s%s", from->name, written_whole(k, from->name)));
  if (object->kind == OBJECT_OWN) return failed(lookup, from->span, "each work-item has its own %", from->name);
  if (cell < 0 && texels)
    return failed(lookup, from->span,
                  "expected the coordinates of a texel that a work-item accesses, and if it has several components the "
                  "number of one (0 is x), of %",
                  from->name);
  if (cell < 0)
    return failed(lookup, from->span, "this is not one of the numbers in %",
                  arena_printf(k->arena, "%s%s", from->name, l.near));
  *width = type_width(object->cells[cell].type);
  if (object->kind == OBJECT_FIXED) {
    if (object->fixed[cell].kind != SCALAR_KNOWN || object->builtin >= 0)
      header_fail(lookup, from->span, "the value of this is not known: %", from->name);
    return (struct operand){.constant = true, .value = object->fixed[cell].value};
  }
  struct observable what = {-1, memory_location(object, (unsigned)cell)};
  *vec_push(k->arena, &lookup->seen) = what;
  return (struct operand){.what = what};
}

/* What others see when the kernel has ended, of what was there before; a variable of the module may be nobody else's.
 */
static void ask_for_all(const struct kernel_code *k, struct header_lookup *lookup) {
  ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count) {
    bool variable =
        object->storage == SpvStorageClassCrossWorkgroup && k->module.defs[object->id]->opcode == SpvOpVariable;
    if (object->kind != OBJECT_SHARED || object->storage == SpvStorageClassWorkgroup || variable) continue;
    for (unsigned c = 0; c < object->cell_count; c++)
      if (!object->cells[c].hidden && !k->locations.at[memory_location(object, c)].any)
        *vec_push(k->arena, &lookup->seen) = (struct observable){-1, memory_location(object, c)};
  }
}

void condition_make(struct kernel_code *k, struct spirv_test *test) {
  struct header_lookup lookup = {.arena = k->arena, .diags = k->module.diags, .find = find, .kernel = k};
  bool asked = header_ask(&lookup, &k->header, &test->asks);
  if (asked && k->asks_all && !lookup.seen.count) ask_for_all(k, &lookup);
  if (asked) header_observe(&lookup, k->program, &test->asks);
  k->module.failed |= !asked;
}
