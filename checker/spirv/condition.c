/* SPDX-License-Identifier: MIT */
/* @Output and @Filter: names looked up, several conditions as one. */
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#include "checker/spirv/kernel.h"

struct lookup {
  struct kernel_code *k;
  const struct source *source;
  VEC(struct observable) seen;
};

static void fail_at(struct lookup *l, struct span span, const char *message, const char *name) {
  if (l->k->module.failed) return;
  l->k->module.failed = true;
  diag_error(l->k->module.diags, l->source, span, "%s%s", message, name);
}

/* The cell that a name with indices stands for, in the part of this type that begins at `leaf`; or -1. */
static int find_cell(const struct memory *object, const struct kernel_type *type, unsigned leaf,
                     const struct header_operand *operand) {
  for (unsigned i = 0; i < operand->index_count && type; i++)
    type = operand->indices[i] < 0 ? NULL : type_part(type, (unsigned)operand->indices[i], NULL, &leaf);
  while (type && !type_is_scalar(type)) type = type->count == 1 ? type_part(type, 0, NULL, &leaf) : NULL;
  return type && leaf < object->cell_count && !object->cells[leaf].hidden ? (int)leaf : -1;
}

/* The same for a member of a block without a name; *object: that one. */
static int find_member(const struct kernel_code *k, const struct header_operand *operand,
                       const struct memory **object) {
  for (size_t i = 0; i < k->objects.count; i++) {
    const struct memory *at = &k->objects.at[i];
    int member = at->nameless ? member_named(at->type, operand->name) : -1;
    unsigned leaf = 0;
    if (member < 0) continue;
    *object = at;
    const struct kernel_type *type = type_part(at->type, (unsigned)member, NULL, &leaf);
    return find_cell(at, type, leaf, operand);
  }
  return -1;
}

static struct operand resolve(struct lookup *l, const struct header_operand *from, const struct kernel_type **type) {
  if (!from->name) return (struct operand){.constant = true, .value = from->number};
  uint32_t id = module_find(&l->k->module, from->name);
  const struct memory *object = id ? object_of(l->k, id, 0) : NULL;
  int cell = object ? find_cell(object, object->type, 0, from) : find_member(l->k, from, &object);
  const struct memory *texels = object ? image_texels(l->k, object->id) : NULL;
  if (texels && (object == texels || object->type->kind == TYPE_IMAGE)) {
    cell = image_find_cell(texels, from->indices, from->index_count);
    object = texels;
  } else if (object && object->type->kind == TYPE_IMAGE) {
    cell = -1;
  }
  if (!object || object->kind == OBJECT_OWN) {
    fail_at(l, from->span, object ? "each work-item has its own %" : "the module has no variable %", from->name);
    return (struct operand){.constant = true};
  }
  if (cell < 0) {
    fail_at(l, from->span, "this is not one of the numbers in %", from->name);
    return (struct operand){.constant = true};
  }
  *type = object->cells[cell].type;
  if (object->kind == OBJECT_FIXED) {
    if (object->fixed[cell].kind != SCALAR_KNOWN || object->builtin >= 0)
      fail_at(l, from->span, "the value of this is not known: %", from->name);
    return (struct operand){.constant = true, .value = object->fixed[cell].value};
  }
  struct observable what = {-1, object->first + (unsigned)cell};
  *vec_push(l->k->arena, &l->seen) = what;
  return (struct operand){.what = what};
}

static void fit_number(struct operand *operand, const struct header_operand *from, const struct kernel_type *type) {
  const struct initial number = {.number = operand->value};
  if (type && !from->name) operand->value = constant_from(type, &number);
}

static const struct prop *make(struct lookup *l, const struct header_prop *from) {
  struct prop *prop = ARENA_NEW(l->k->arena, struct prop);
  prop->kind = from->kind;
  if (from->kind == PROP_COMPARE) {
    const struct kernel_type *left = NULL, *right = NULL;
    prop->compare = from->compare;
    prop->left = resolve(l, &from->left, &left);
    prop->right = resolve(l, &from->right, &right);
    fit_number(&prop->left, &from->left, right);
    fit_number(&prop->right, &from->right, left);
    return prop;
  }
  prop->a = make(l, from->a);
  if (from->b) prop->b = make(l, from->b);
  return prop;
}

static const struct prop *join(struct lookup *l, enum prop_kind kind, const struct prop *a, const struct prop *b) {
  struct prop *prop = ARENA_NEW(l->k->arena, struct prop);
  *prop = (struct prop){.kind = kind, .a = a, .b = b};
  return prop;
}

static int compare(const void *a, const void *b, void *program) {
  return observable_compare(program, *(const struct observable *)a, *(const struct observable *)b);
}

static void list_observables(struct lookup *l, struct spirv_test *test) {
  if (l->seen.count) qsort_r(l->seen.at, l->seen.count, sizeof *l->seen.at, compare, l->k->program);
  unsigned count = 0;
  for (size_t i = 0; i < l->seen.count; i++)
    if (!count || l->seen.at[count - 1].index != l->seen.at[i].index) l->seen.at[count++] = l->seen.at[i];
  test->observables = l->seen.at;
  test->observable_count = count;
}

/* As it was written. */
static const char *prop_text(const struct kernel_code *k, const struct header_output *output) {
  const char *text = output->source->text + output->span.at, *end = text + output->span.length;
  while (end > text && strchr(" \t\r", end[-1])) end--;
  return arena_strndup(k->arena, text, (size_t)(end - text));
}

/* All lines must hold: `forall` and `not exists` make one `forall`. */
static void add_output(struct lookup *l, struct spirv_test *test, const struct header_output *output, bool first) {
  l->source = output->source;
  const struct prop *prop = make(l, output->prop);
  const char *text = prop_text(l->k, output);
  if (first) {
    test->quantifier = output->quantifier;
    test->condition = prop;
    test->condition_text = text;
    return;
  }
  if (output->quantifier == QUANT_EXISTS || test->quantifier == QUANT_EXISTS) {
    fail_at(l, output->span, "an @Output of exists besides others", "");
    return;
  }
  struct arena *arena = l->k->arena;
  if (test->quantifier == QUANT_NOT_EXISTS) {
    test->condition = join(l, PROP_NOT, test->condition, NULL);
    test->condition_text = arena_printf(arena, "not %s", test->condition_text);
    test->quantifier = QUANT_FORALL;
  }
  bool negate = output->quantifier == QUANT_NOT_EXISTS;
  if (negate) prop = join(l, PROP_NOT, prop, NULL);
  test->condition = join(l, PROP_AND, test->condition, prop);
  test->condition_text = arena_printf(arena, "%s and %s%s", test->condition_text, negate ? "not " : "", text);
}

void condition_make(struct kernel_code *k, struct spirv_test *test) {
  static const char *const quantifiers[] = {
      [QUANT_EXISTS] = "exists", [QUANT_NOT_EXISTS] = "~exists", [QUANT_FORALL] = "forall"};
  static const struct prop always = {.kind = PROP_TRUE};
  struct lookup l = {.k = k};
  test->quantifier = QUANT_FORALL;
  test->condition = &always;
  test->condition_text = "true";
  for (size_t i = 0; i < k->header.outputs.count && !k->module.failed; i++)
    add_output(&l, test, &k->header.outputs.at[i], i == 0);
  test->condition_text =
      arena_printf(k->arena, "%s %s%s%s", quantifiers[test->quantifier],
                   k->header.outputs.count == 1 && *test->condition_text == '(' ? "" : "(", test->condition_text,
                   k->header.outputs.count == 1 && *test->condition_text == '(' ? "" : ")");
  l.source = k->header.filter_source;
  if (k->header.filter && !k->module.failed) test->filter = make(&l, k->header.filter);
  if (!k->module.failed) list_observables(&l, test);
}
