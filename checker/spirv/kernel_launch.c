/* SPDX-License-Identifier: MIT */
/* What compilers of machine code need of a kernel: its source, and where its arguments
 * point. */
#include "checker/program/kernel_launch.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

enum { LEAST_BYTES = 16 };

static int argument_of(const struct kernel_code *k, uint32_t id) {
  for (size_t i = 0; i < k->main->parameters.count; i++)
    if (k->main->parameters.at[i] == id) return (int)i;
  return -1;
}

/* `local`: as in struct kernel_cell. */
static void place_cells(const struct kernel_code *k, const struct memory *object, unsigned local,
                        struct kernel_cell *cells) {
  int argument = argument_of(k, object->id);
  bool outside = argument < 0 && object->storage == SpvStorageClassCrossWorkgroup;
  for (unsigned i = 0; i < object->cell_count; i++) {
    const struct memory_cell *cell = &object->cells[i];
    cells[memory_location(object, i)] = (struct kernel_cell){.argument = argument,
                                                             .offset = cell->offset,
                                                             .size = cell->type->size,
                                                             .variable = outside ? object->name : NULL,
                                                             .hidden = cell->hidden,
                                                             .group = object->group,
                                                             .local = local};
  }
}

/* ---- variables of the work-group's memory ---- */

static bool is_variable(const struct kernel_code *k, const struct memory *object) {
  bool variable = object->kind == OBJECT_SHARED && object->storage == SpvStorageClassWorkgroup;
  return variable && argument_of(k, object->id) < 0;
}

static void place_variables(struct kernel_code *k, struct kernel_cell *cells, struct kernel_launch *launch) {
  VEC(struct kernel_variable) variables = {0};
  for (unsigned group = 0; group <= k->header.workgroups; group++)
    ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count) {
      if (!is_variable(k, object) || object->group != group) continue;
      *vec_push(k->arena, &variables) =
          (struct kernel_variable){object->name, object->type->size, object->type->align, group};
      place_cells(k, object, (unsigned)variables.count, cells);
    }
  launch->variables = variables.at;
  launch->variable_count = (unsigned)variables.count;
}

/* What arguments point to, and variables.  Those of the module keep what one run left for the next. */
static void place_objects(struct kernel_code *k, struct kernel_cell *cells, struct kernel_launch *launch) {
  place_variables(k, cells, launch);
  ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count) {
    bool pointed = argument_of(k, object->id) >= 0;
    if (object->kind != OBJECT_SHARED || (!pointed && object->storage == SpvStorageClassWorkgroup)) continue;
    place_cells(k, object, 0, cells);
    if (pointed) continue;
    launch->missing = arena_printf(k->arena, "%s is a variable outside the kernel", object->name);
    if (!launch->unfit && object->storage != SpvStorageClassCrossWorkgroup) launch->unfit = launch->missing;
  }
}

/* ---- arguments ---- */

/* The bytes of elements, as many as a buffer has at least; what nothing is said of is zero. */
static unsigned char *make_image(const struct kernel_code *k, const struct memory *object) {
  unsigned char *image = ARENA_ARRAY(k->arena, unsigned char, object->type->size + LEAST_BYTES);
  for (unsigned i = 0; object->fixed && i < object->cell_count; i++)
    if (object->fixed[i].kind == SCALAR_KNOWN)
      memcpy(image + object->cells[i].offset, &object->fixed[i].value, object->cells[i].type->size);
  return image;
}

/* The bytes of what is passed itself: a number, or a vector of them. */
static void make_passed(struct kernel_code *k, const struct kernel_type *type, const struct initial *given,
                        struct kernel_argument *argument) {
  struct memory passed = {.type = type};
  struct scalar *scalars = ARENA_ARRAY(k->arena, struct scalar, type->leaves + 1u);
  fill_given(k, type, given, scalars);
  passed.cells = cells_of(k, type, &passed.cell_count);
  passed.fixed = scalars;
  argument->image = make_image(k, &passed);
  argument->size = type->size;
}

static void make_argument(struct kernel_code *k, uint32_t id, unsigned group, struct kernel_launch *launch,
                          struct kernel_argument *argument) {
  const struct kernel_type *type = types_get(&k->types, k->module.defs[id]->type);
  const struct memory *object = object_of(k, id, group);
  const struct initial *given = constant_input(k, id);
  *argument = (struct kernel_argument){.name = module_name(&k->module, id), .location = -1};
  if (object) {
    argument->pointer = object->kind == OBJECT_SHARED;
    argument->local = object->storage == SpvStorageClassWorkgroup;
    argument->size = object->type->size ? object->type->size : LEAST_BYTES;
    argument->image = make_image(k, object);
    if (argument->pointer && object->cell_count) argument->location = (int)object->first;
  } else if (given) {
    make_passed(k, type, given, argument);
  }
  if (!argument->pointer && !given)
    launch->missing = arena_printf(k->arena, "its argument %s has no @Input", argument->name);
  if (!launch->unfit && !argument->pointer) launch->unfit = launch->missing;
}

void kernel_launch_make(struct kernel_code *k, struct program *program) {
  unsigned count = (unsigned)k->main->parameters.count, groups = k->header.workgroups;
  struct kernel_launch *launch = ARENA_NEW(k->arena, struct kernel_launch);
  struct kernel_cell *cells = ARENA_ARRAY(k->arena, struct kernel_cell, program->location_count + 1u);
  struct kernel_argument *arguments = ARENA_ARRAY(k->arena, struct kernel_argument, (size_t)groups * count + 1u);
  *launch = (struct kernel_launch){.name = module_string(k->entry, 2),
                                   .options = k->options,
                                   .items = k->header.threads * k->header.subgroups,
                                   .groups = groups,
                                   .sub_groups = k->header.subgroups,
                                   .arguments = arguments,
                                   .argument_count = count,
                                   .cells = cells};
  memcpy(launch->item_shape, k->header.items.at, sizeof launch->item_shape);
  memcpy(launch->group_shape, k->header.groups.at, sizeof launch->group_shape);
  for (unsigned l = 0; l < program->location_count; l++) cells[l].argument = -1;
  place_objects(k, cells, launch);
  for (unsigned g = 0; g < groups; g++)
    for (unsigned i = 0; i < count; i++)
      make_argument(k, k->main->parameters.at[i], g, launch, &arguments[g * count + i]);
  program->kernel_launch = launch;
}
