/* SPDX-License-Identifier: MIT */
/* What compilers of machine code need of a kernel: its source, and where its arguments
 * point. */
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#include "checker/program/kernel_origin.h"
#include "checker/spirv/kernel.h"

enum { CELL_BYTES = 4, LEAST_BYTES = 16 };

/* All elements are words, one behind the other. */
static const char *check_cells(const struct kernel_code *k, const struct memory *object) {
  for (unsigned i = 0; i < object->cell_count; i++) {
    const struct memory_cell *cell = &object->cells[i];
    if (cell->type->size != CELL_BYTES || cell->offset != CELL_BYTES * i || cell->hidden)
      return arena_printf(k->arena, "elements of %s are not 32 bits wide", object->name);
  }
  return NULL;
}

static int argument_of(const struct kernel_code *k, uint32_t id) {
  for (size_t i = 0; i < k->main->parameters.count; i++)
    if (k->main->parameters.at[i] == id) return (int)i;
  return -1;
}

static const char *place_cells(const struct kernel_code *k, const struct memory *object, unsigned base,
                               struct kernel_cell *cells) {
  int argument = argument_of(k, object->id);
  for (unsigned i = 0; i < object->cell_count; i++)
    cells[object->first + i] =
        (struct kernel_cell){argument, base + object->cells[i].offset, object->cells[i].type->size, object->group};
  return check_cells(k, object);
}

/* ---- variables of the work-group's memory ---- */

/* As LLVM aligns them for AMD's GPUs, by size. */
static unsigned alignment(const struct memory *object) {
  return object->type->size > 8 ? 16 : object->type->size > 4 ? 8 : 4;
}

/* The order in which LLVM lays them out: by alignment, size, name. */
static int by_place(const void *a, const void *b) {
  const struct memory *x = *(const struct memory *const *)a, *y = *(const struct memory *const *)b;
  if (alignment(x) != alignment(y)) return alignment(x) > alignment(y) ? -1 : 1;
  if (x->type->size != y->type->size) return x->type->size > y->type->size ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* One behind the other, as LLVM does where that leaves no gaps; those of each work-group alike. */
static void place_variables(struct kernel_code *k, unsigned group, struct kernel_cell *cells,
                            struct kernel_origin *origin) {
  VEC(const struct memory *) all = {0};
  unsigned at = 0;
  for (size_t i = 0; i < k->objects.count; i++) {
    const struct memory *object = &k->objects.at[i];
    bool variable = object->kind == OBJECT_SHARED && object->storage == SpvStorageClassWorkgroup;
    if (variable && object->group == group && argument_of(k, object->id) < 0) *vec_push(k->arena, &all) = object;
  }
  if (all.count) qsort(all.at, all.count, sizeof *all.at, by_place);
  for (size_t i = 0; i < all.count; i++) {
    const char *unfit = place_cells(k, all.at[i], at, cells);
    if (at % alignment(all.at[i]))
      unfit = arena_printf(k->arena, "where %s is in local memory is for LLVM to say: there are gaps between variables",
                           all.at[i]->name);
    if (!origin->unfit) origin->unfit = unfit;
    at += all.at[i]->type->size;
  }
  if (at > origin->local_bytes) origin->local_bytes = at;
}

/* What arguments point to, and variables.  Those of the module keep what one run left for the next. */
static void place_objects(struct kernel_code *k, struct kernel_cell *cells, struct kernel_origin *origin) {
  for (unsigned group = 0; group <= k->header.workgroups; group++) place_variables(k, group, cells, origin);
  for (size_t i = 0; i < k->objects.count; i++) {
    const struct memory *object = &k->objects.at[i];
    bool pointed = argument_of(k, object->id) >= 0;
    if (object->kind != OBJECT_SHARED || (!pointed && object->storage == SpvStorageClassWorkgroup)) continue;
    const char *unfit = place_cells(k, object, 0, cells);
    if (!pointed) unfit = origin->missing = arena_printf(k->arena, "%s is a variable outside the kernel", object->name);
    if (!origin->unfit) origin->unfit = unfit;
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

static void make_argument(struct kernel_code *k, uint32_t id, unsigned group, struct kernel_origin *origin,
                          struct kernel_argument *argument) {
  const struct kernel_type *type = types_get(&k->types, k->module.defs[id]->type);
  const struct memory *object = object_of(k, id, group);
  const struct initial *given = constant_input(k, id);
  *argument = (struct kernel_argument){.name = module_name(&k->module, id), .location = -1};
  const char *unfit = NULL;
  if (object) {
    argument->pointer = object->kind == OBJECT_SHARED;
    argument->local = object->storage == SpvStorageClassWorkgroup;
    argument->size = object->type->size ? object->type->size : LEAST_BYTES;
    argument->image = make_image(k, object);
    if (argument->pointer && object->cell_count) argument->location = (int)object->first;
    if (!argument->pointer) unfit = arena_printf(k->arena, "%s is a struct that is passed by value", argument->name);
  } else if (type_is_scalar(type) && given) {
    make_number(k, type, given, argument);
  }
  if (!argument->pointer && !given)
    origin->missing = arena_printf(k->arena, "its argument %s has no @Input", argument->name);
  if (!origin->unfit) origin->unfit = unfit ? unfit : argument->pointer ? NULL : origin->missing;
}

void origin_make(struct kernel_code *k, struct program *program) {
  unsigned count = (unsigned)k->main->parameters.count, groups = k->header.workgroups;
  struct kernel_origin *origin = ARENA_NEW(k->arena, struct kernel_origin);
  struct kernel_cell *cells = ARENA_ARRAY(k->arena, struct kernel_cell, program->location_count + 1u);
  struct kernel_argument *arguments = ARENA_ARRAY(k->arena, struct kernel_argument, (size_t)groups * count + 1u);
  *origin = (struct kernel_origin){.name = module_string(k->entry, 2),
                                   .options = k->options,
                                   .items = k->header.threads * k->header.subgroups,
                                   .groups = groups,
                                   .sub_groups = k->header.subgroups,
                                   .arguments = arguments,
                                   .argument_count = count,
                                   .cells = cells};
  for (unsigned l = 0; l < program->location_count; l++) cells[l].argument = -1;
  place_objects(k, cells, origin);
  for (unsigned g = 0; g < groups; g++)
    for (unsigned i = 0; i < count; i++)
      make_argument(k, k->main->parameters.at[i], g, origin, &arguments[g * count + i]);
  program->kernel_origin = origin;
}
