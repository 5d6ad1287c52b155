/* SPDX-License-Identifier: MIT */
/* @Output and @Filter: names looked up, several conditions as one. */
#include <math.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

struct lookup {
  struct kernel_code *k;
  const struct source *source;
  VEC(struct observable) seen;
  const char *near; /* of a name that is no number, what there is instead */
};

static void fail_at(struct lookup *l, struct span span, const char *message, const char *name) {
  if (l->k->module.failed) return;
  l->k->module.failed = true;
  diag_error(l->k->module.diags, l->source, span, "%s%s", message, name);
}

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

static struct operand resolve(struct lookup *l, const struct header_operand *from, const struct kernel_type **type) {
  if (!from->name) return (struct operand){.constant = true, .value = from->number.number};
  uint32_t id = module_find(&l->k->module, from->name);
  const struct memory *object = id ? object_of(l->k, id, 0) : NULL;
  int cell = object ? find_in(l, object, from) : find_member(l, from, &object);
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
    fail_at(l, from->span,
            texels
                ? "expected the coordinates of a texel that a work-item accesses, and if it has several components the "
                  "number of one (0 is x), of %"
                : "this is not one of the numbers in %",
            texels ? from->name : arena_printf(l->k->arena, "%s%s", from->name, l->near));
    return (struct operand){.constant = true};
  }
  *type = object->cells[cell].type;
  if (object->kind == OBJECT_FIXED) {
    if (object->fixed[cell].kind != SCALAR_KNOWN || object->builtin >= 0)
      fail_at(l, from->span, "the value of this is not known: %", from->name);
    return (struct operand){.constant = true, .value = object->fixed[cell].value};
  }
  struct observable what = {-1, memory_location(object, (unsigned)cell)};
  *vec_push(l->k->arena, &l->seen) = what;
  return (struct operand){.what = what};
}

static const struct prop *join(struct lookup *l, enum prop_kind kind, const struct prop *a, const struct prop *b) {
  return ARENA_MAKE(l->k->arena, struct prop, .kind = kind, .a = a, .b = b);
}

static void fit_number(struct lookup *l, struct operand *operand, const struct header_operand *from,
                       const struct kernel_type *type) {
  if (from->name) return;
  if (from->number.real && (!type || type->kind != TYPE_FLOAT))
    fail_at(l, from->span, "only a float can be compared with a number that has a point or an exponent", "");
  if (type) operand->value = constant_from(type, &from->number);
}

/* ---- floats ----
 *
 * Their values are bits, and whoever evaluates a proposition compares those as integers.  So a comparison of floats
 * becomes one of integers: bits without a sign are in the order of the numbers, those with one in the opposite order,
 * both zeros are equal, and what lies beyond the infinities is no number, of which no comparison but != holds. */

static const struct prop truth = {.kind = PROP_TRUE}, falsehood = {.kind = PROP_FALSE};

static const struct prop *compare_bits(struct lookup *l, struct operand left, enum compare compare,
                                       struct operand right) {
  struct prop *prop =
      ARENA_MAKE(l->k->arena, struct prop, .kind = PROP_COMPARE, .compare = compare, .left = left, .right = right);
  if (!left.constant || !right.constant) return prop;
  return prop_holds(prop, NULL, NULL) ? &truth : &falsehood;
}

static const struct prop *combine(struct lookup *l, enum prop_kind kind, const struct prop *a, const struct prop *b) {
  enum prop_kind unit = kind == PROP_AND ? PROP_TRUE : PROP_FALSE, end = kind == PROP_AND ? PROP_FALSE : PROP_TRUE;
  if (a->kind == unit || b->kind == end) return b;
  if (b->kind == unit || a->kind == end) return a;
  return join(l, kind, a, b);
}

static const struct prop *against(struct lookup *l, struct operand x, enum compare compare, int64_t number) {
  return compare_bits(l, x, compare, (struct operand){.constant = true, .value = number});
}

/* Bits of what lies at the ends: the infinities, and minus zero. */
struct float_ends {
  int64_t infinity, minus_infinity, minus_zero;
};

static struct float_ends ends_of(const struct kernel_type *type) {
  const struct initial infinity = {.real = true, .value = INFINITY}, minus = {.real = true, .value = -INFINITY},
                       zero = {.real = true, .value = -0.0};
  return (struct float_ends){constant_from(type, &infinity), constant_from(type, &minus), constant_from(type, &zero)};
}

static const struct prop *is_number(struct lookup *l, const struct float_ends *ends, struct operand x) {
  return combine(l, PROP_OR, combine(l, PROP_AND, against(l, x, CMP_GE, 0), against(l, x, CMP_LE, ends->infinity)),
                 against(l, x, CMP_LE, ends->minus_infinity));
}

static const struct prop *are_zero(struct lookup *l, const struct float_ends *ends, struct operand a,
                                   struct operand b) {
  const struct prop *first = combine(l, PROP_OR, against(l, a, CMP_EQ, 0), against(l, a, CMP_EQ, ends->minus_zero));
  const struct prop *second = combine(l, PROP_OR, against(l, b, CMP_EQ, 0), against(l, b, CMP_EQ, ends->minus_zero));
  return combine(l, PROP_AND, first, second);
}

static const struct prop *are_equal(struct lookup *l, const struct float_ends *ends, struct operand a,
                                    struct operand b) {
  const struct prop *same = combine(l, PROP_AND, is_number(l, ends, a.constant ? a : b), compare_bits(l, a, CMP_EQ, b));
  return combine(l, PROP_OR, same, are_zero(l, ends, a, b));
}

static const struct prop *negation(struct lookup *l, const struct prop *a) {
  return a->kind == PROP_TRUE ? &falsehood : a->kind == PROP_FALSE ? &truth : join(l, PROP_NOT, a, NULL);
}

static const struct prop *is_less(struct lookup *l, const struct float_ends *ends, struct operand a, struct operand b) {
  const struct prop *plus_a = against(l, a, CMP_GE, 0), *plus_b = against(l, b, CMP_GE, 0);
  const struct prop *minus_a = against(l, a, CMP_LT, 0), *minus_b = against(l, b, CMP_LT, 0);
  const struct prop *above = combine(l, PROP_AND, combine(l, PROP_AND, plus_a, plus_b), compare_bits(l, a, CMP_LT, b));
  const struct prop *below =
      combine(l, PROP_AND, combine(l, PROP_AND, minus_a, minus_b), compare_bits(l, a, CMP_GT, b));
  const struct prop *across =
      combine(l, PROP_AND, combine(l, PROP_AND, minus_a, plus_b), negation(l, are_zero(l, ends, a, b)));
  const struct prop *numbers = combine(l, PROP_AND, is_number(l, ends, a), is_number(l, ends, b));
  return combine(l, PROP_AND, numbers, combine(l, PROP_OR, above, combine(l, PROP_OR, below, across)));
}

static const struct prop *compare_floats(struct lookup *l, const struct kernel_type *type, const struct prop *prop) {
  struct float_ends ends = ends_of(type);
  struct operand a = prop->left, b = prop->right;
  switch (prop->compare) {
    case CMP_EQ:
      return are_equal(l, &ends, a, b);
    case CMP_NE:
      return negation(l, are_equal(l, &ends, a, b));
    case CMP_LT:
      return is_less(l, &ends, a, b);
    case CMP_GT:
      return is_less(l, &ends, b, a);
    case CMP_LE:
      return combine(l, PROP_OR, is_less(l, &ends, a, b), are_equal(l, &ends, a, b));
    case CMP_GE:
      return combine(l, PROP_OR, is_less(l, &ends, b, a), are_equal(l, &ends, a, b));
  }
  return prop;
}

static const struct prop *make(struct lookup *l, const struct header_prop *from) {
  struct prop *prop = ARENA_NEW(l->k->arena, struct prop);
  prop->kind = from->kind;
  if (from->kind == PROP_COMPARE) {
    const struct kernel_type *left = NULL, *right = NULL;
    prop->compare = from->compare;
    prop->left = resolve(l, &from->left, &left);
    prop->right = resolve(l, &from->right, &right);
    fit_number(l, &prop->left, &from->left, right);
    fit_number(l, &prop->right, &from->right, left);
    bool floats = (left && left->kind == TYPE_FLOAT) || (right && right->kind == TYPE_FLOAT);
    if (!floats || l->k->module.failed) return prop;
    if (left && right && (left->kind != right->kind || left->bits != right->bits))
      fail_at(l, from->left.span, "this is compared with a value of another type", "");
    return compare_floats(l, left ? left : right, prop);
  }
  prop->a = make(l, from->a);
  if (from->b) prop->b = make(l, from->b);
  return prop;
}

/* What others see when the kernel has ended, of what was there before; a variable of the module may be nobody else's.
 */
static void ask_for_all(struct lookup *l) {
  ARRAY_EACH (const struct memory, object, l->k->objects.at, l->k->objects.count) {
    bool variable =
        object->storage == SpvStorageClassCrossWorkgroup && l->k->module.defs[object->id]->opcode == SpvOpVariable;
    if (object->kind != OBJECT_SHARED || object->storage == SpvStorageClassWorkgroup || variable) continue;
    for (unsigned c = 0; c < object->cell_count; c++)
      if (!object->cells[c].hidden && !l->k->locations.at[memory_location(object, c)].any)
        *vec_push(l->k->arena, &l->seen) = (struct observable){-1, memory_location(object, c)};
  }
}

static void list_observables(struct lookup *l, struct spirv_test *test) {
  observables_sort(l->k->program, l->seen.at, l->seen.count);
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
  if (k->asks_all && !l.seen.count) ask_for_all(&l);
  if (!k->module.failed) list_observables(&l, test);
}
