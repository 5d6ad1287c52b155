/* SPDX-License-Identifier: MIT */
/* What compilers of machine code need of a kernel: its source, and where its arguments
 * point. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/spirv/kernel.h"

enum { CELL_BYTES = 4 };

/* Locations by their number in the object: all elements are words. */
static const char *number_cells(struct kernel_code *k, const struct memory *object, unsigned *cells) {
  for (unsigned i = 0; i < object->cell_count; i++) {
    const struct memory_cell *cell = &object->cells[i];
    if (cell->type->size != CELL_BYTES || cell->offset != CELL_BYTES * i || cell->hidden)
      return arena_printf(k->arena, "elements of %s are not 32 bits wide", object->name);
    cells[object->first + i] = i;
  }
  return NULL;
}

static bool is_argument(const struct kernel_code *k, uint32_t id) {
  for (size_t i = 0; i < k->main->parameters.count; i++)
    if (k->main->parameters.at[i] == id) return true;
  return false;
}

/* Variables of the work-group's memory are where the compiler puts them: one can only be at its begin. */
static const char *check_variables(struct kernel_code *k, unsigned *cells) {
  unsigned variables = 0;
  for (size_t i = 0; i < k->objects.count; i++) {
    const struct memory *object = &k->objects.at[i];
    if (object->kind != OBJECT_SHARED) continue;
    const char *unfit = number_cells(k, object, cells);
    if (unfit) return unfit;
    if (is_argument(k, object->id)) continue;
    if (object->storage != SpvStorageClassWorkgroup)
      return arena_printf(k->arena, "%s is a variable outside the kernel", object->name);
    if (++variables > 1) return "it has several variables, or several work-groups with one, in local memory";
  }
  return NULL;
}

static const char *make_argument(struct kernel_code *k, uint32_t id, unsigned group, struct kernel_argument *argument) {
  const struct inst *inst = k->module.defs[id];
  const struct kernel_type *type = types_get(&k->types, inst->type);
  const struct memory *object = object_of(k, id, group);
  const struct initial *given = constant_input(k, id);
  *argument = (struct kernel_argument){.location = -1};
  if (object && object->kind != OBJECT_SHARED)
    return arena_printf(k->arena, "%s is a struct that is passed by value", module_name(&k->module, id));
  if (object)
    argument->location = object->cell_count ? (int)object->first : -1;
  else if (type_is_scalar(type) && given)
    argument->number = constant_from(type, given);
  else
    return arena_printf(k->arena, "its argument %s has no @Input", module_name(&k->module, id));
  return NULL;
}

void origin_make(struct kernel_code *k, struct program *program) {
  unsigned count = (unsigned)k->main->parameters.count, groups = k->header.workgroups;
  struct kernel_origin *origin = ARENA_NEW(k->arena, struct kernel_origin);
  unsigned *cells = ARENA_ARRAY(k->arena, unsigned, program->location_count + 1u);
  struct kernel_argument *arguments = ARENA_ARRAY(k->arena, struct kernel_argument, (size_t)groups * count + 1u);
  const char *unfit = check_variables(k, cells);
  for (unsigned g = 0; g < groups && !unfit; g++)
    for (unsigned i = 0; i < count && !unfit; i++)
      unfit = make_argument(k, k->main->parameters.at[i], g, &arguments[g * count + i]);
  *origin = (struct kernel_origin){.name = module_string(k->entry, 2),
                                   .options = k->options,
                                   .items = k->header.threads * k->header.subgroups,
                                   .groups = groups,
                                   .arguments = arguments,
                                   .argument_count = count,
                                   .cells = cells,
                                   .unfit = unfit};
  program->kernel_origin = origin;
}
