/* SPDX-License-Identifier: MIT */
/* What compilers of machine code need of a kernel: its source, and where its arguments
 * point. */
#include "checker/program/kernel_launch.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/spirv/kernel_internal.h"

enum { LEAST_BYTES = 16 };

static int argument_of(const struct kernel_code *k, uint32_t id) {
  for (size_t i = 0; i < k->main->parameters.count; i++)
    if (k->main->parameters.at[i] == id) return (int)i;
  return -1;
}

static void place_cells(const struct kernel_code *k, const struct memory *object, unsigned base,
                        struct kernel_cell *cells) {
  int argument = argument_of(k, object->id);
  bool outside = argument < 0 && object->storage == SpvStorageClassCrossWorkgroup;
  for (unsigned i = 0; i < object->cell_count; i++) {
    const struct memory_cell *cell = &object->cells[i];
    cells[memory_location(object, i)] = (struct kernel_cell){.argument = argument,
                                                             .offset = base + cell->offset,
                                                             .size = cell->type->size,
                                                             .variable = outside ? object->name : NULL,
                                                             .hidden = cell->hidden,
                                                             .group = object->group};
  }
}

/* ---- variables of the work-group's memory ---- */

/* As LLVM aligns them for AMD's GPUs, by size. */
static unsigned alignment(const struct memory *object) {
  unsigned size = object->type->size;
  return size > 8 ? 16 : size > 4 ? 8 : size > 2 ? 4 : size;
}

/* The byte where a variable would be, after those before it. */
static unsigned next_place(const struct memory *object, unsigned end) {
  unsigned align = alignment(object);
  return (end + align - 1) / align * align;
}

/* Of two variables that are left to lay out, does LLVM take `x` first?  The one with less padding before it, then by
 * alignment, size and name. */
static bool goes_before(const struct memory *x, const struct memory *y, unsigned end) {
  if (next_place(x, end) != next_place(y, end)) return next_place(x, end) < next_place(y, end);
  if (alignment(x) != alignment(y)) return alignment(x) > alignment(y);
  if (x->type->size != y->type->size) return x->type->size > y->type->size;
  return strcmp(x->name, y->name) < 0;
}

static bool is_variable(const struct kernel_code *k, const struct memory *object, unsigned group) {
  bool variable = object->kind == OBJECT_SHARED && object->storage == SpvStorageClassWorkgroup;
  return variable && object->group == group && argument_of(k, object->id) < 0;
}

/* One after the other, as LLVM does it (performOptimizedStructLayout); those of each work-group alike. */
static void place_variables(struct kernel_code *k, unsigned group, struct kernel_cell *cells,
                            struct kernel_launch *launch) {
  bool *placed = ARENA_ARRAY(k->arena, bool, k->objects.count + 1);
  unsigned end = 0, widest = 1; /* all of them are one struct, which is aligned as its widest element */
  while (true) {
    size_t next = k->objects.count;
    for (size_t i = 0; i < k->objects.count; i++) {
      if (placed[i] || !is_variable(k, &k->objects.at[i], group)) continue;
      if (next == k->objects.count || goes_before(&k->objects.at[i], &k->objects.at[next], end)) next = i;
    }
    if (next == k->objects.count) break;
    placed[next] = true;
    unsigned at = next_place(&k->objects.at[next], end);
    place_cells(k, &k->objects.at[next], at, cells);
    end = at + k->objects.at[next].type->size;
    if (k->objects.at[next].type->align > widest) widest = k->objects.at[next].type->align;
  }
  end = (end + widest - 1) / widest * widest;
  if (end > launch->local_bytes) launch->local_bytes = end;
}

/* What arguments point to, and variables.  Those of the module keep what one run left for the next. */
static void place_objects(struct kernel_code *k, struct kernel_cell *cells, struct kernel_launch *launch) {
  for (unsigned group = 0; group <= k->header.workgroups; group++) place_variables(k, group, cells, launch);
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

static void make_number(const struct kernel_code *k, const struct kernel_type *type, const struct initial *given,
                        struct kernel_argument *argument) {
  unsigned char *image = ARENA_ARRAY(k->arena, unsigned char, sizeof argument->number);
  argument->number = constant_from(type, given);
  memcpy(image, &argument->number, sizeof argument->number);
  argument->image = image;
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
  } else if (type_is_scalar(type) && given) {
    make_number(k, type, given, argument);
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
