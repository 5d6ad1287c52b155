/* SPDX-License-Identifier: MIT */
/* Between which numbers the values of expressions are: by the conditions on a path, and by counters, which are
 * locations that are only added to.  What a thread has read from one by adding is at least what it held at first and
 * what the thread has added before. */
#include "hwsem/amd/unfold_internal.h"

enum { MOST_ADDED = 16 /* loops that add for ever are to come to the same state again */ };

struct range {
  int64_t low, high;
};

static const struct range ANY = {INT32_MIN, INT32_MAX}, TRUTH = {0, 1};

static struct range fitting(int64_t low, int64_t high) {
  return low < INT32_MIN || high > INT32_MAX ? ANY : (struct range){low, high};
}

static struct range known_to_be(bool truth) {
  return (struct range){truth, truth};
}

static struct range less(struct range a, struct range b, bool or_equal) {
  if (a.high < b.low + or_equal) return known_to_be(true);
  return a.low >= b.high + or_equal ? known_to_be(false) : TRUTH;
}

static bool positive(struct range a, struct range b) {
  return a.low >= 0 && b.low >= 0;
}

static bool is_unsigned(enum amd_fn fn) {
  return fn == AMD_LTU || fn == AMD_LEU || fn == AMD_GTU || fn == AMD_GEU;
}

static struct range compared(enum amd_fn fn, struct range a, struct range b) {
  if (is_unsigned(fn) && !positive(a, b)) return TRUTH;
  switch (fn) {
    case AMD_LTU:
    case AMD_LTI:
      return less(a, b, false);
    case AMD_LEU:
    case AMD_LEI:
      return less(a, b, true);
    case AMD_GTU:
    case AMD_GTI:
      return less(b, a, false);
    case AMD_GEU:
    case AMD_GEI:
      return less(b, a, true);
    default: /* AMD_EQ, AMD_NE */
      if (a.high < b.low || b.high < a.low) return known_to_be(fn == AMD_NE);
      return a.low == a.high && b.low == b.high ? known_to_be(fn == AMD_EQ) : TRUTH;
  }
}

static bool is_slot(const struct amd_expr *e, unsigned slot) {
  return e && e->kind == AMD_EXPR_SLOT && e->slot == slot && !e->word;
}

static enum amd_fn swapped(enum amd_fn fn) {
  static const enum amd_fn SWAPPED[] = {
      [AMD_EQ] = AMD_EQ,   [AMD_NE] = AMD_NE,   [AMD_LTU] = AMD_GTU, [AMD_LEU] = AMD_GEU, [AMD_GTU] = AMD_LTU,
      [AMD_GEU] = AMD_LEU, [AMD_LTI] = AMD_GTI, [AMD_LEI] = AMD_GEI, [AMD_GTI] = AMD_LTI, [AMD_GEI] = AMD_LEI};
  return SWAPPED[fn];
}

static struct range at_least(struct range r, int64_t low) {
  return (struct range){r.low > low ? r.low : low, r.high};
}

static struct range at_most(struct range r, int64_t high) {
  return (struct range){r.low, r.high < high ? r.high : high};
}

/* Of a value that fn compares with n, with this result. */
static struct range narrowed(struct range r, enum amd_fn fn, int64_t n, bool truth) {
  if (is_unsigned(fn) && (n < 0 || r.low < 0)) return r;
  switch (fn) {
    case AMD_LTU:
    case AMD_LTI:
      return truth ? at_most(r, n - 1) : at_least(r, n);
    case AMD_LEU:
    case AMD_LEI:
      return truth ? at_most(r, n) : at_least(r, n + 1);
    case AMD_GTU:
    case AMD_GTI:
      return truth ? at_least(r, n + 1) : at_most(r, n);
    case AMD_GEU:
    case AMD_GEI:
      return truth ? at_least(r, n) : at_most(r, n - 1);
    default: /* AMD_EQ, AMD_NE */
      if (truth == (fn == AMD_EQ)) return at_least(at_most(r, n), n);
      return at_least(at_most(r, r.high - (r.high == n)), r.low + (r.low == n));
  }
}

static struct range range_of_slot(const struct amd_path *p, unsigned slot) {
  struct range r = at_least(ANY, p->least[slot]);
  for (unsigned i = 0; i < p->decision_count; i++) {
    const struct amd_expr *e = p->decisions[i].expr;
    if (e->kind != AMD_EXPR_FN || !amd_fn_compares(e->fn)) continue;
    if (is_slot(e->a, slot) && e->b->kind == AMD_EXPR_NUMBER)
      r = narrowed(r, e->fn, e->b->number, p->decisions[i].truth);
    else if (is_slot(e->b, slot) && e->a->kind == AMD_EXPR_NUMBER)
      r = narrowed(r, swapped(e->fn), e->a->number, p->decisions[i].truth);
  }
  return r.low > r.high ? ANY : r; /* a path that nothing runs */
}

static struct range range_of(const struct amd_path *p, const struct amd_expr *e) {
  if (e->kind == AMD_EXPR_NUMBER) return (struct range){e->number, e->number};
  if (e->kind == AMD_EXPR_SLOT) return e->word ? ANY : range_of_slot(p, e->slot);
  struct range a = range_of(p, e->a), b = e->b ? range_of(p, e->b) : ANY;
  if (amd_fn_compares(e->fn)) return compared(e->fn, a, b);
  bool by_number = b.low == b.high && b.low >= 0 && b.low < 31;
  switch (e->fn) {
    case AMD_ADD:
      return fitting(a.low + b.low, a.high + b.high);
    case AMD_SUB:
      return fitting(a.low - b.high, a.high - b.low);
    case AMD_SHL:
      return by_number ? fitting(a.low * (1 << b.low), a.high * (1 << b.low)) : ANY;
    case AMD_SHR:
      if (a.low < 0) return ANY;
      __attribute__((fallthrough));
    case AMD_SAR:
      if (b.low != b.high || b.low < 0 || b.low > 31) return ANY;
      return (struct range){a.low >> b.low, a.high >> b.low};
    case AMD_AND:
      if (positive(a, b)) return (struct range){0, a.high < b.high ? a.high : b.high};
      return a.low >= 0 || b.low >= 0 ? (struct range){0, a.low >= 0 ? a.high : b.high} : ANY;
    case AMD_OR:
      return positive(a, b) && a.high <= 1 && b.high <= 1
                 ? (struct range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}
                 : ANY;
    default:
      return ANY;
  }
}

bool unfold_settled(const struct amd_path *p, const struct amd_expr *e, bool *truth) {
  struct range r = range_of(p, e);
  *truth = r.low != 0 || r.high != 0;
  return r.low > 0 || r.high < 0 || (r.low == 0 && r.high == 0);
}

int32_t unfold_least(const struct amd_path *p, const struct amd_expr *e) {
  return (int32_t)range_of(p, e).low;
}

int32_t unfold_most(const struct amd_path *p, const struct amd_expr *e) {
  return (int32_t)range_of(p, e).high;
}

void unfold_count(const struct amd_unfolding *u, struct amd_path *p, const struct amd_node *node) {
  const struct location *location = &u->locations[node->location];
  bool word = amd_bytes(location) == 4;
  if (!u->loops || !word || !(u->head->facts.counters >> node->location & 1) || location->any) return;
  p->least[node->slot] = (int32_t)location->init;
  if (node->kind != AMD_NODE_RMW) return;
  p->least[node->slot] += p->added[node->location];
  p->added[node->location] += node->data.word[0]->number;
  if (p->added[node->location] > MOST_ADDED) p->added[node->location] = MOST_ADDED;
}

bool unfold_counts(const struct amd_node *node) {
  const struct amd_expr *data = node->data.word[0];
  bool some = node->kind == AMD_NODE_RMW && node->op == RMW_ADD && data->kind == AMD_EXPR_NUMBER;
  return some && !node->data.word[1] && data->number > 0 && data->number <= MOST_ADDED;
}
