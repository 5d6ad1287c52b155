/* SPDX-License-Identifier: MIT */
/* @Output and @Filter: several conditions as one, and floats by their bits. */
#include "checker/program/header_condition.h"

#include <math.h>
#include <string.h>

#include "checker/base/number.h"
#include "checker/program/header_comments.h"

void header_fail(struct header_lookup *l, struct span span, const char *message, const char *name) {
  if (!l->failed) diag_error(l->diags, l->source, span, "%s%s", message, name);
  l->failed = true;
}

static int64_t float_bits(unsigned bits, double value) {
  int64_t wide = bits_of_double(value);
  return !bits ? wide : expr_apply(bits == 32 ? EXPR_FNARROW : EXPR_HNARROW, wide, 0, 0, NULL);
}

const char *header_misfit(struct arena *arena, struct width type, const struct initial *from) {
  if (type.is_real) return NULL;
  if (from->real) return "a number with a point or an exponent, for an integer";
  if (type.bits <= 1 || type.bits >= 64) return NULL;
  bool fits = from->number >= -(INT64_C(1) << (type.bits - 1)) && from->number < INT64_C(1) << type.bits;
  return fits ? NULL : arena_printf(arena, "a number that does not fit in %u bits", type.bits);
}

int64_t header_number(struct width type, const struct initial *from) {
  if (type.is_real) return float_bits(type.bits, from->real ? from->value : (double)from->number);
  return width_fit(type, from->number);
}

static struct operand resolve(struct header_lookup *l, const struct header_operand *from, struct width *type) {
  if (!from->name) return (struct operand){.constant = true, .value = from->number.number};
  return l->find(l, from, type);
}

static const struct prop *join(struct header_lookup *l, enum prop_kind kind, const struct prop *a,
                               const struct prop *b) {
  return ARENA_MAKE(l->arena, struct prop, .kind = kind, .a = a, .b = b);
}

/* `type`: what it is compared with; NULL: a number, too. */
static void fit_number(struct header_lookup *l, struct operand *operand, const struct header_operand *from,
                       const struct width *type) {
  if (from->name) return;
  if (from->number.real && (!type || !type->is_real))
    header_fail(l, from->span, "only a float can be compared with a number that has a point or an exponent", "");
  const char *misfit = type && !from->number.real ? header_misfit(l->arena, *type, &from->number) : NULL;
  if (misfit) header_fail(l, from->span, misfit, "");
  if (type) operand->value = header_number(*type, &from->number);
}

/* ---- floats ----
 *
 * Their values are bits, and whoever evaluates a proposition compares those as integers.  So a comparison of floats
 * becomes one of integers: bits without a sign are in the order of the numbers, those with one in the opposite order,
 * both zeros are equal, and what lies beyond the infinities is no number, of which no comparison but != holds. */

static const struct prop truth = {.kind = PROP_TRUE}, falsehood = {.kind = PROP_FALSE};

static const struct prop *compare_bits(struct header_lookup *l, struct operand left, enum compare compare,
                                       struct operand right) {
  struct prop *prop =
      ARENA_MAKE(l->arena, struct prop, .kind = PROP_COMPARE, .compare = compare, .left = left, .right = right);
  if (!left.constant || !right.constant) return prop;
  return prop_holds(prop, NULL, NULL) ? &truth : &falsehood;
}

static const struct prop *combine(struct header_lookup *l, enum prop_kind kind, const struct prop *a,
                                  const struct prop *b) {
  enum prop_kind unit = kind == PROP_AND ? PROP_TRUE : PROP_FALSE, end = kind == PROP_AND ? PROP_FALSE : PROP_TRUE;
  if (a->kind == unit || b->kind == end) return b;
  if (b->kind == unit || a->kind == end) return a;
  return join(l, kind, a, b);
}

static const struct prop *against(struct header_lookup *l, struct operand x, enum compare compare, int64_t number) {
  return compare_bits(l, x, compare, (struct operand){.constant = true, .value = number});
}

/* Bits of what lies at the ends: the infinities, and minus zero. */
struct float_ends {
  int64_t infinity, minus_infinity, minus_zero;
};

static struct float_ends ends_of(struct width type) {
  const struct initial infinity = {.real = true, .value = INFINITY}, minus = {.real = true, .value = -INFINITY},
                       zero = {.real = true, .value = -0.0};
  return (struct float_ends){header_number(type, &infinity), header_number(type, &minus), header_number(type, &zero)};
}

static const struct prop *is_number(struct header_lookup *l, const struct float_ends *ends, struct operand x) {
  return combine(l, PROP_OR, combine(l, PROP_AND, against(l, x, CMP_GE, 0), against(l, x, CMP_LE, ends->infinity)),
                 against(l, x, CMP_LE, ends->minus_infinity));
}

static const struct prop *are_zero(struct header_lookup *l, const struct float_ends *ends, struct operand a,
                                   struct operand b) {
  const struct prop *first = combine(l, PROP_OR, against(l, a, CMP_EQ, 0), against(l, a, CMP_EQ, ends->minus_zero));
  const struct prop *second = combine(l, PROP_OR, against(l, b, CMP_EQ, 0), against(l, b, CMP_EQ, ends->minus_zero));
  return combine(l, PROP_AND, first, second);
}

static const struct prop *are_equal(struct header_lookup *l, const struct float_ends *ends, struct operand a,
                                    struct operand b) {
  const struct prop *same = combine(l, PROP_AND, is_number(l, ends, a.constant ? a : b), compare_bits(l, a, CMP_EQ, b));
  return combine(l, PROP_OR, same, are_zero(l, ends, a, b));
}

static const struct prop *negation(struct header_lookup *l, const struct prop *a) {
  return a->kind == PROP_TRUE ? &falsehood : a->kind == PROP_FALSE ? &truth : join(l, PROP_NOT, a, NULL);
}

static const struct prop *is_less(struct header_lookup *l, const struct float_ends *ends, struct operand a,
                                  struct operand b) {
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

static const struct prop *compare_floats(struct header_lookup *l, struct width type, const struct prop *prop) {
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

static const struct prop *make_comparison(struct header_lookup *l, const struct header_prop *from, struct prop *prop) {
  struct width types[2] = {{0}};
  const struct width *left = from->left.name ? &types[0] : NULL, *right = from->right.name ? &types[1] : NULL;
  prop->compare = from->compare;
  prop->left = resolve(l, &from->left, &types[0]);
  prop->right = resolve(l, &from->right, &types[1]);
  fit_number(l, &prop->left, &from->left, right);
  fit_number(l, &prop->right, &from->right, left);
  bool floats = (left && left->is_real) || (right && right->is_real);
  if (!floats || l->failed) return prop;
  if (left && right && (left->is_real != right->is_real || left->bits != right->bits))
    header_fail(l, from->left.span, "this is compared with a value of another type", "");
  return compare_floats(l, left ? *left : *right, prop);
}

/* ---- sums ---- */

struct sum {
  VEC(struct addend) addends;
  uint64_t constant;
};

/* Adds a side of a comparison to what is on the left of it, or takes it away. */
static void add_side(struct header_lookup *l, struct sum *sum, const struct header_operand *side, bool right) {
  for (const struct header_operand *from = side; from; from = from->more) {
    bool subtracted = from->subtracted != right;
    struct width type = {0};
    struct operand operand = resolve(l, from, &type);
    if (type.is_real || (!from->name && from->number.real))
      header_fail(l, from->span, "only integers are added in conditions", "");
    if (operand.constant)
      sum->constant += subtracted ? -(uint64_t)operand.value : (uint64_t)operand.value;
    else
      *vec_push(l->arena, &sum->addends) = (struct addend){operand.what, subtracted};
  }
}

/* All that is not constant on the left, and the rest on the right. */
static const struct prop *make_sum(struct header_lookup *l, const struct header_prop *from, struct prop *prop) {
  struct sum sum = {0};
  add_side(l, &sum, &from->left, false);
  add_side(l, &sum, &from->right, true);
  struct operand right = {.constant = true, .value = (int64_t)-sum.constant}, zero = {.constant = true};
  if (!sum.addends.count) return compare_bits(l, zero, from->compare, right);
  *prop = (struct prop){.kind = PROP_SUM,
                        .compare = from->compare,
                        .right = right,
                        .addends = sum.addends.at,
                        .addend_count = (unsigned)sum.addends.count};
  return prop;
}

static const struct prop *make(struct header_lookup *l, const struct header_prop *from) {
  struct prop *prop = ARENA_NEW(l->arena, struct prop);
  prop->kind = from->kind;
  if (from->kind == PROP_COMPARE)
    return from->left.more || from->right.more ? make_sum(l, from, prop) : make_comparison(l, from, prop);
  prop->a = make(l, from->a);
  if (from->b) prop->b = make(l, from->b);
  return prop;
}

void header_observe(struct header_lookup *l, const struct program *program, struct kernel_question *question) {
  observables_sort(program, l->seen.at, l->seen.count);
  unsigned count = 0;
  for (size_t i = 0; i < l->seen.count; i++)
    if (!count || l->seen.at[count - 1].index != l->seen.at[i].index) l->seen.at[count++] = l->seen.at[i];
  question->observables = l->seen.at;
  question->observable_count = count;
}

/* As it was written. */
static const char *prop_text(struct arena *arena, const struct header_output *output) {
  const char *text = output->source->text + output->span.at, *end = text + output->span.length;
  while (end > text && strchr(" \t\r", end[-1])) end--;
  return arena_strndup(arena, text, (size_t)(end - text));
}

/* All lines must hold: `forall` and `not exists` make one `forall`. */
static void add_output(struct header_lookup *l, struct kernel_question *question, const struct header_output *output,
                       bool first) {
  l->source = output->source;
  const struct prop *prop = make(l, output->prop);
  const char *text = prop_text(l->arena, output);
  if (first) {
    question->quantifier = output->quantifier;
    question->condition = prop;
    question->condition_text = text;
    return;
  }
  if (output->quantifier == QUANT_EXISTS || question->quantifier == QUANT_EXISTS) {
    header_fail(l, output->span, "an @Output with `exists` must be the only @Output", "");
    return;
  }
  struct arena *arena = l->arena;
  if (question->quantifier == QUANT_NOT_EXISTS) {
    question->condition = join(l, PROP_NOT, question->condition, NULL);
    question->condition_text = arena_printf(arena, "not %s", question->condition_text);
    question->quantifier = QUANT_FORALL;
  }
  bool negate = output->quantifier == QUANT_NOT_EXISTS;
  if (negate) prop = join(l, PROP_NOT, prop, NULL);
  question->condition = join(l, PROP_AND, question->condition, prop);
  question->condition_text = arena_printf(arena, "%s and %s%s", question->condition_text, negate ? "not " : "", text);
}

bool header_ask(struct header_lookup *l, const struct header *header, struct kernel_question *question) {
  static const char *const quantifiers[] = {
      [QUANT_EXISTS] = "exists", [QUANT_NOT_EXISTS] = "~exists", [QUANT_FORALL] = "forall"};
  *question = (struct kernel_question){.quantifier = QUANT_FORALL, .condition = &truth, .condition_text = "true"};
  for (size_t i = 0; i < header->outputs.count && !l->failed; i++)
    add_output(l, question, &header->outputs.at[i], i == 0);
  bool closed = header->outputs.count == 1 && *question->condition_text == '(';
  question->condition_text =
      arena_printf(l->arena, closed ? "%s %s" : "%s (%s)", quantifiers[question->quantifier], question->condition_text);
  l->source = header->filter_source;
  if (header->filter && !l->failed) question->filter = make(l, header->filter);
  return !l->failed;
}
