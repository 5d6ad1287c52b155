/* SPDX-License-Identifier: MIT */
/* Images.  The value of an image is the address of its texels, which are elements of an array in the order in which
 * they are found; that of an image that is only sampled is 0, and what is sampled may be anything. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/spirv/kernel_internal.h"

/* ---- texels ---- */

static unsigned components_of(uint32_t format) {
  if (format == SpvImageFormatR32f || format == SpvImageFormatR32i || format == SpvImageFormatR32ui) return 1;
  return format == SpvImageFormatRg32f || format == SpvImageFormatRg32i || format == SpvImageFormatRg32ui ? 2 : 4;
}

struct memory image_memory(struct kernel_code *k, const struct kernel_type *image, int64_t address) {
  static const struct kernel_type word = {.kind = TYPE_INT, .bits = 32, .leaves = 1, .size = 4, .align = 4};
  const struct inst *inst = k->module.defs[image->id];
  const struct kernel_type *component = types_get(&k->types, inst->operands[0]);
  if (!component->leaves) component = &word; /* OpenCL: whoever reads says what they are */
  unsigned count = components_of(inst->operands[6]);
  struct kernel_type *texel = ARENA_NEW(k->arena, struct kernel_type), *all = ARENA_NEW(k->arena, struct kernel_type);
  *texel = (struct kernel_type){.kind = TYPE_VECTOR,
                                .count = count,
                                .element = component,
                                .stride = component->size,
                                .size = component->size * count,
                                .align = component->size,
                                .leaves = count};
  VEC(struct texel) own = {0};
  for (size_t i = 0; i < k->texels.count; i++)
    if (k->texels.at[i].image == address) *vec_push(k->arena, &own) = k->texels.at[i];
  static const struct texel none;
  *all = (struct kernel_type){.kind = TYPE_ARRAY,
                              .count = (unsigned)own.count,
                              .element = texel,
                              .stride = texel->size,
                              .size = texel->size * (unsigned)own.count,
                              .align = texel->align,
                              .leaves = count * (unsigned)own.count};
  return (struct memory){.kind = OBJECT_SHARED,
                         .storage = SpvStorageClassImage,
                         .type = all,
                         .builtin = -1,
                         .texels = own.count ? own.at : &none};
}

const struct memory *image_texels(const struct kernel_code *k, uint32_t id) {
  for (size_t i = 0; i < k->objects.count; i++)
    if (k->objects.at[i].texels && k->objects.at[i].id == id) return &k->objects.at[i];
  return NULL;
}

/* Which texel of an image these coordinates are; their number: nobody accesses it. */
static unsigned texel_at(const struct memory *image, const int64_t *at, unsigned dimensions) {
  unsigned i = 0;
  while (i < image->type->count &&
         (image->texels[i].dimensions != dimensions || memcmp(image->texels[i].at, at, dimensions * sizeof *at) != 0))
    i++;
  return i;
}

int image_find_cell(const struct memory *object, const int64_t *indices, unsigned count) {
  unsigned components = object->type->element->leaves, dimensions = count - (components > 1);
  if (!count) return -1;
  int64_t component = components > 1 ? indices[dimensions] : 0;
  unsigned texel = texel_at(object, indices, dimensions);
  bool there = texel < object->type->count && component >= 0 && component < components;
  return there ? (int)(texel * components + (unsigned)component) : -1;
}

/* The image that a value is; NULL: nobody writes it. */
static const struct memory *image_of(const struct work_item *w, struct scalar image) {
  int64_t index = image.kind == SCALAR_KNOWN ? (image.value >> w->k->shift) - 1 : -1;
  const struct memory *object = index >= 0 ? place_object(w, (size_t)index) : NULL;
  return object && object->texels ? object : NULL;
}

/* Where the texel at the coordinates is after the image's address; false: it is new, or an error was added. */
static bool find_texel(struct work_item *w, const struct memory *image, uint32_t coordinates, unsigned *offset) {
  struct kernel_code *k = w->k;
  struct value at = item_value(w, coordinates);
  struct texel texel = {.image = image->address};
  if (!at.at) return false;
  for (; texel.dimensions < at.type->leaves && texel.dimensions < 4; texel.dimensions++) {
    struct scalar coordinate = at.at[texel.dimensions];
    if (coordinate.kind != SCALAR_KNOWN)
      return module_fail(&k->module, item_inst(w), "a texel of %s that only a run knows is not supported", image->name);
    texel.at[texel.dimensions] = coordinate.value;
  }
  unsigned i = texel_at(image, texel.at, texel.dimensions);
  *offset = i * image->type->stride;
  if (i < image->type->count) return true;
  *vec_push(k->arena, &k->texels) = texel;
  k->again = k->module.failed = true;
  return false;
}

/* ---- instructions ---- */

/* Components that a texel lacks are 0, the last 1. */
static struct scalar lacking(const struct kernel_type *component, unsigned i) {
  enum { ONE = 0x3f800000 };
  return scalar_known(i < 3 ? 0 : component->kind == TYPE_FLOAT ? ONE : 1);
}

static void eval_read(struct work_item *w, const struct inst *inst) {
  struct scalar handle = item_scalar(w, inst->operands[0]);
  const struct memory *image = image_of(w, handle);
  const struct kernel_type *type = types_get(&w->k->types, inst->type);
  unsigned offset;
  if (!image) {
    item_define_free(w, inst);
    return;
  }
  if (!find_texel(w, image, inst->operands[1], &offset)) return;
  const struct kernel_type *texel = image->type->element, *component = type->element ? type->element : type;
  struct scalar *values = ARENA_ARRAY(w->scratch, struct scalar, type->leaves + 1u);
  for (unsigned i = 0; i < type->leaves; i++) {
    values[i] = lacking(component, i);
    if (i >= texel->count) continue;
    struct place place = place_find(w, handle, offset + i * texel->stride, texel->element);
    if (!place.object) return;
    values[i] = memory_load(w, &place, i, 2);
  }
  item_define(w, inst->result, values, type->leaves);
}

static void eval_write(struct work_item *w, const struct inst *inst) {
  struct scalar handle = item_scalar(w, inst->operands[0]);
  const struct memory *image = image_of(w, handle);
  struct value value = item_value(w, inst->operands[2]);
  unsigned offset;
  if (!image) module_fail(&w->k->module, inst, "this image is only sampled");
  if (!image || !value.at || !find_texel(w, image, inst->operands[1], &offset)) return;
  const struct kernel_type *texel = image->type->element;
  for (unsigned i = 0; i < texel->count && i < value.type->leaves; i++) {
    struct place place = place_find(w, handle, offset + i * texel->stride, texel->element);
    if (!place.object) return;
    memory_store(w, &place, value.at[i], 3);
  }
}

/* For atomic operations; the image is given by the variable that it is in. */
static void eval_texel_pointer(struct work_item *w, const struct inst *inst) {
  const struct inst *def = w->k->module.defs[inst->operands[0]];
  const struct kernel_type *type = types_pointee(&w->k->types, types_get(&w->k->types, def->type));
  struct scalar variable = item_scalar(w, inst->operands[0]);
  struct place place = place_find(w, variable, 0, type);
  if (!place.object || !place_is_own(&place)) return;
  struct scalar handle = place_read_own(w, &place);
  const struct memory *image = image_of(w, handle);
  unsigned offset;
  if (!image) module_fail(&w->k->module, inst, "this image is only sampled");
  if (!image || !find_texel(w, image, inst->operands[1], &offset)) return;
  item_define_one(w, inst->result, scalar_known(handle.value + offset));
}

bool eval_image(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  switch (inst->opcode) {
    case SpvOpSampledImage:
    case SpvOpImage:
      item_define_one(w, inst->result, item_scalar(w, inst->operands[0]));
      return true;
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageFetch:
    case SpvOpImageGather:
    case SpvOpImageQuerySizeLod:
    case SpvOpImageQuerySize:
    case SpvOpImageQueryLod:
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
      item_define_free(w, inst);
      return true;
    case SpvOpImageRead:
      eval_read(w, inst);
      return true;
    case SpvOpImageWrite:
      eval_write(w, inst);
      return true;
    case SpvOpImageTexelPointer:
      eval_texel_pointer(w, inst);
      return true;
    default:
      return false;
  }
}
