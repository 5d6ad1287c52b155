/* SPDX-License-Identifier: MIT */
/* Between which numbers the values of expressions are: by the conditions on a path, and by counters, which are
 * locations that are only added to.  What a thread has read from one by adding is at least what it held at first and
 * what the thread has added before. */
#include "checker/program/value_range.h"
#include "hwsem/amd/unfold_internal.h"

enum { MOST_ADDED = 16 /* loops that add for ever are to come to the same state again */ };

static const struct range ANY = {INT32_MIN, INT32_MAX}, TRUTH = {0, 1};

/* As of values with more bits; without sign, they are the same of those that are not negative.  EXPR_CONST: none is. */
static enum expr_kind kind_of(enum amd_fn fn) {
  static const enum expr_kind KINDS[AMD_FTOU + 1] = {
      [AMD_ADD] = EXPR_ADD, [AMD_SUB] = EXPR_SUB, [AMD_SHL] = EXPR_SHL, [AMD_SHR] = EXPR_SHR, [AMD_SAR] = EXPR_SHR,
      [AMD_AND] = EXPR_AND, [AMD_OR] = EXPR_OR,   [AMD_EQ] = EXPR_EQ,   [AMD_NE] = EXPR_NE,   [AMD_LTU] = EXPR_LT,
      [AMD_LEU] = EXPR_LE,  [AMD_GTU] = EXPR_GT,  [AMD_GEU] = EXPR_GE,  [AMD_LTI] = EXPR_LT,  [AMD_LEI] = EXPR_LE,
      [AMD_GTI] = EXPR_GT,  [AMD_GEI] = EXPR_GE};
  return KINDS[fn];
}

static bool is_unsigned(enum amd_fn fn) {
  return fn == AMD_LTU || fn == AMD_LEU || fn == AMD_GTU || fn == AMD_GEU || fn == AMD_SHR;
}

static bool is_slot(const struct amd_expr *e, unsigned slot) {
  return e && e->kind == AMD_EXPR_SLOT && e->slot == slot && !e->word;
}

/* Of a value that is compared with n, with this result. */
static struct range narrowed(struct range r, enum amd_fn fn, bool first, int64_t n, bool truth) {
  enum expr_kind kind = first ? kind_of(fn) : range_mirrored(kind_of(fn));
  if (is_unsigned(fn) && (n < 0 || r.low < 0)) return r;
  return range_meet(r, range_compared(r, kind, range_number(n), truth));
}

static struct range range_of_slot(const struct amd_path *p, unsigned slot) {
  struct range r = {p->least[slot], INT32_MAX};
  for (unsigned i = 0; i < p->decision_count; i++) {
    const struct amd_expr *e = p->decisions[i].expr;
    if (e->kind != AMD_EXPR_FN || !amd_fn_compares(e->fn)) continue;
    if (is_slot(e->a, slot) && e->b->kind == AMD_EXPR_NUMBER)
      r = narrowed(r, e->fn, true, e->b->number, p->decisions[i].truth);
    else if (is_slot(e->b, slot) && e->a->kind == AMD_EXPR_NUMBER)
      r = narrowed(r, e->fn, false, e->a->number, p->decisions[i].truth);
  }
  return range_is_empty(r) ? ANY : r; /* a path that nothing runs */
}

static struct range range_of(const struct amd_path *p, const struct amd_expr *e) {
  if (e->kind == AMD_EXPR_NUMBER) return range_number(e->number);
  if (e->kind == AMD_EXPR_SLOT) return e->word ? ANY : range_of_slot(p, e->slot);
  struct range a = range_of(p, e->a), b = e->b ? range_of(p, e->b) : ANY;
  enum expr_kind kind = kind_of(e->fn);
  bool shift = kind == EXPR_SHL || kind == EXPR_SHR, positive = a.low >= 0 && b.low >= 0;
  if (is_unsigned(e->fn) && !positive) return amd_fn_compares(e->fn) ? TRUTH : ANY;
  if (kind == EXPR_CONST || (shift && (b.low < 0 || b.high > 31))) return ANY;
  struct range r = range_of_two(kind, a, b);
  return r.low < INT32_MIN || r.high > INT32_MAX ? ANY : r;
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
