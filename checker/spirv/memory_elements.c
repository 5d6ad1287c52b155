/* SPDX-License-Identifier: MIT */
/* Elements of memory: where they are, what they are called, whose they are. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

/* ---- cells ---- */

static void add_cells(const struct kernel_type *type, unsigned offset, bool coherent, struct memory_cell *cells,
                      unsigned *count) {
  if (type_is_scalar(type)) {
    cells[(*count)++] = (struct memory_cell){.offset = offset, .type = type, .coherent = coherent};
    return;
  }
  for (unsigned i = 0; i < type->count; i++) {
    unsigned at = offset;
    const struct kernel_type *part = type_part(type, i, &at, NULL);
    bool member = type->kind == TYPE_STRUCT && type->coherent && type->coherent[i];
    if (part && part->leaves) add_cells(part, at, coherent || member, cells, count);
  }
}

const struct memory_cell *cells_of(struct kernel_code *k, const struct kernel_type *type, unsigned *count) {
  struct memory_cell *cells = ARENA_ARRAY(k->arena, struct memory_cell, type->leaves + 1u);
  *count = 0;
  add_cells(type, 0, false, cells, count);
  return cells;
}

const struct memory_cell *cells_of_variable(struct kernel_code *k, uint32_t id, const struct kernel_type *type,
                                            unsigned *count) {
  struct memory_cell *cells = ARENA_ARRAY(k->arena, struct memory_cell, type->leaves + k->paddings.count + 1u);
  *count = 0;
  add_cells(type, 0, types_decoration(&k->types, id, -1, SpvDecorationCoherent) >= 0, cells, count);
  unsigned own = *count;
  for (size_t i = 0; i < k->paddings.count; i++) {
    if (k->paddings.at[i].id != id) continue;
    struct memory_cell *wide = &cells[(*count)++];
    *wide = k->paddings.at[i].cell;
    for (unsigned c = 0; c < own; c++) {
      if (cells[c].offset < wide->offset || cells[c].offset >= wide->offset + wide->type->size) continue;
      cells[c].hidden = true;
      wide->coherent |= cells[c].coherent;
    }
  }
  return cells;
}

void fill_paddings(struct kernel_code *k, const struct memory *object, struct scalar *fixed) {
  for (unsigned p = object->type->leaves; p < object->cell_count; p++) {
    struct memory_cell wide = object->cells[p];
    struct scalar whole = scalar_known(0);
    unsigned bytes = 0;
    for (unsigned c = 0; c < object->type->leaves; c++) {
      struct memory_cell part = object->cells[c];
      if (part.offset < wide.offset || part.offset >= wide.offset + wide.type->size) continue;
      if (fixed[c].kind == SCALAR_UNSET) break;
      bytes += part.type->size;
      struct scalar bits = scalar_unsigned(k->arena, part.type->size * 8, fixed[c]);
      bits = scalar_apply(k->arena, EXPR_SHL, bits, scalar_known((int64_t)(part.offset - wide.offset) * 8));
      whole = scalar_apply(k->arena, EXPR_OR, whole, bits);
    }
    if (bytes == wide.type->size) fixed[p] = scalar_fit(k->arena, wide.type->size * 8, whole);
  }
}

/* Numbers the leaves of a type, at each of several first leaves. */
static void order_leaves(struct kernel_code *k, const struct kernel_type *type, const unsigned *firsts, unsigned count,
                         unsigned *order, unsigned *next) {
  if (type_is_scalar(type)) {
    for (unsigned i = 0; i < count; i++) order[firsts[i]] = (*next)++;
    return;
  }
  bool array = type->kind == TYPE_ARRAY;
  unsigned times = array ? type->count : 1;
  unsigned *parts = ARENA_ARRAY(k->arena, unsigned, (size_t)count *times + 1u);
  for (unsigned p = 0; p < (array ? 1 : type->count); p++) {
    unsigned leaf = 0;
    const struct kernel_type *part = array ? type->element : type_part(type, p, NULL, &leaf);
    if (!part || !part->leaves) continue;
    for (unsigned i = 0; i < count; i++)
      for (unsigned t = 0; t < times; t++) parts[i * times + t] = firsts[i] + leaf + t * part->leaves;
    order_leaves(k, part, parts, count * times, order, next);
  }
}

const unsigned *cells_order(struct kernel_code *k, const struct memory *object) {
  if (object->texels) return NULL;
  unsigned *order = ARENA_ARRAY(k->arena, unsigned, object->cell_count + 1u), next = 0;
  order_leaves(k, object->type, (const unsigned[]){0}, 1, order, &next);
  for (unsigned c = next; c < object->cell_count; c++) order[c] = c;
  return order;
}

int member_named(const struct kernel_type *type, const char *name) {
  for (unsigned i = 0; type->kind == TYPE_STRUCT && i < type->count; i++)
    if (type->member_names[i] && !strcmp(type->member_names[i], name)) return (int)i;
  return -1;
}

/* "picture[3,0].x" */
static const char *texel_name(const struct kernel_code *k, const struct memory *object, unsigned cell) {
  unsigned components = object->type->element->leaves;
  const struct texel *texel = &object->texels[cell / components];
  const char *name = arena_printf(k->arena, "%s[", object->name);
  for (unsigned i = 0; i < texel->dimensions; i++)
    name = arena_printf(k->arena, "%s%s%lld", name, i ? "," : "", (long long)texel->at[i]);
  return components > 1 ? arena_printf(k->arena, "%s].%c", name, "xyzw"[cell % components])
                        : arena_printf(k->arena, "%s]", name);
}

const char *cell_name(const struct kernel_code *k, const struct memory *object, unsigned cell) {
  const struct kernel_type *type = object->type;
  unsigned left = object->cells[cell].offset;
  const char *name = object->name;
  if (object->texels) return texel_name(k, object, cell);
  if (cell >= type->leaves) return arena_printf(k->arena, "%s+%u", name, left);
  while (!type_is_scalar(type)) {
    unsigned i = type->count - 1, offset = 0;
    if (type->kind == TYPE_STRUCT)
      while (i && type->offsets[i] > left) i--;
    else
      i = type->stride ? left / type->stride : 0;
    const char *member = type->kind == TYPE_STRUCT ? type->member_names[i] : NULL;
    if (member && object->nameless && type == object->type)
      name = member;
    else
      name = member ? arena_printf(k->arena, "%s.%s", name, member) : arena_printf(k->arena, "%s[%u]", name, i);
    type = type_part(type, i, &offset, NULL);
    left -= offset;
  }
  return name;
}

int64_t object_address(const struct kernel_code *k, size_t index) {
  return (int64_t)(index + 1) << k->shift;
}

const struct memory *object_of(const struct kernel_code *k, uint32_t id, unsigned group) {
  ARRAY_EACH (const struct memory, object, k->objects.at, k->objects.count)
    if (object->id == id && (!object->group || object->group == group + 1)) return object;
  return NULL;
}
