/* SPDX-License-Identifier: MIT */
/* Setting up: what does not depend on choices, once for a structure; then both bounds of every other node at the root
 * of a search; what they decide is constant from then on, and slots are given to the rest.
 */
#include "checker/exec/deductions/bounds.h"

#include <stdint.h>
#include <string.h>

#include "checker/exec/deductions/bounds_internal.h"
#include "checker/exec/predefined_relations.h"

/* A node whose bounds agree is a constant from here on. */
static void fix(struct bounds *b, const struct bounds_level *level, uint32_t i) {
  if (b->fixed[i]) return;
  word *lo = level->value[LOWER][b->slot[i]], *up = level->value[UPPER][b->slot[i]];
  if (words_equal(bounds_words_of(b, i), lo, up)) b->fixed[i] = lo;
}

/* The values of what is not chosen. */
static void fix_bases(struct bounds *b, const bool *wanted) {
  for (uint32_t k = 0; k < b->plan->count; k++) {
    uint32_t i = b->plan->list[k];
    const struct cat_node *node = &b->ir->nodes[i];
    if (wanted[i] && node->op == CAT_BASE && !plan_varies(node->base, b->plan->chosen))
      b->fixed[i] = (word *)(uintptr_t)execution_node(b->arena, b->structure, node);
  }
}

/* For a prefix: nodes that more events may take something from count as empty. */
static void empty_unstable(struct bounds *b, word *nothing) {
  for (uint32_t i = 0; i < b->ir->node_count; i++)
    if (b->plan->unstable[i]) b->fixed[i] = nothing;
}

/* Does all that a node stands on have one value? */
static bool stands_fixed(const struct bounds *b, uint32_t i) {
  const struct cat_node *node = &b->ir->nodes[i];
  return !is_nullary(node->op) && b->fixed[node->a] && (!is_binary(node->op) || b->fixed[node->b]);
}

static void compute_node(struct bounds *b, struct bounds_level *level, uint32_t i, const struct partial *p) {
  bool constant = !b->plan->dynamic[i] || stands_fixed(b, i), one = b->prefix || constant;
  for (int side = LOWER; side <= (one ? LOWER : UPPER); side++) {
    word *value = level_own(b, level, i, (enum side)side);
    level_node(b, level, i, (enum side)side, p, value);
    level->value[side][b->slot[i]] = value;
  }
  if (constant)
    b->fixed[i] = level->value[LOWER][b->slot[i]];
  else if (!b->prefix)
    fix(b, level, i);
}

static bool is_left_out(const struct bounds *b, const bool *skip, uint32_t c) {
  bool hint = c >= b->ir->check_count;
  if (hint && !b->search) return true;
  return skip && skip[hint ? b->ir->hints[c - b->ir->check_count].check : c];
}

/* Is a check left out, or, on a prefix, without a say? */
static bool is_idle(const struct bounds *b, const bool *skip, uint32_t c) {
  const struct cat_check *check = bounds_check(b, c);
  return is_left_out(b, skip, c) || (b->prefix && (check->role != ROLE_REQUIRE || check->negated));
}

static bool is_wanted(const struct bounds *b, const bool *wanted, uint32_t i) {
  return wanted[i] && !b->fixed[i];
}

/* What the value of a node that is wanted stands on; of a recursive group, all of it.  Returns whether that is after
 * the node. */
static bool want_operands(const struct bounds *b, bool *wanted, uint32_t i) {
  const struct cat_node *node = &b->ir->nodes[i];
  bool again = false;
  if (is_nullary(node->op)) return false;
  for (uint32_t k = i + 1; node->op == CAT_REC && k < node->group_end; k++) {
    again |= b->plan->needed[k] && !wanted[k];
    wanted[k] |= b->plan->needed[k];
  }
  wanted[node->a] = true;
  if (is_binary(node->op)) wanted[node->b] = true;
  return again;
}

/* Adds what the nodes of a list depend on that are wanted, by way of nodes whose value is not known. */
static void want_all_operands(const struct bounds *b, bool *wanted, const uint32_t *list, uint32_t count) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = count; k-- > 0;)
      if (is_wanted(b, wanted, list[k])) again |= want_operands(b, wanted, list[k]);
  }
}

static void find_wanted(const struct bounds *b, const bool *skip, bool *wanted) {
  memset(wanted, 0, b->ir->node_count * sizeof *wanted);
  for (uint32_t c = 0; c < bounds_check_count(b); c++)
    if (!is_idle(b, skip, c)) wanted[bounds_check(b, c)->node] = true;
  want_all_operands(b, wanted, b->plan->list, b->plan->count);
}

/* Is the node empty because of what it stands on? */
static bool follows_empty(const struct cat_node *node, const bool *empty) {
  switch (node->op) {
    case CAT_UNION:
      return empty[node->a] && empty[node->b];
    case CAT_INTER:
    case CAT_SEQ:
    case CAT_CROSS:
      return empty[node->a] || empty[node->b];
    case CAT_DIFF:
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_TOID:
    case CAT_DOMAIN:
    case CAT_RANGE:
      return empty[node->a];
    default:
      return false;
  }
}

/* Does it not vary, and are its operands known?  (They may be members of a recursive group that varies.) */
static bool is_constant(const struct bounds *b, uint32_t i) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (b->plan->dynamic[i]) return false;
  return is_nullary(node->op) || (b->fixed[node->a] && (!is_binary(node->op) || b->fixed[node->b]));
}

/* A node that does not vary. */
static void compute_constant(struct bounds *b, uint32_t i) {
  const struct cat_node *node = &b->ir->nodes[i];
  word *value = ARENA_RAW(b->arena, word, bounds_words_of(b, i));
  node_apply_in(b->shape, b->ir, i, value, is_nullary(node->op) ? NULL : b->fixed[node->a],
                is_binary(node->op) ? b->fixed[node->b] : NULL);
  b->fixed[i] = value;
}

/* What does not vary; and of what does, what stays empty whatever is chosen, as all about fences where there are none.
 * Recursive groups are left alone. */
static void compute_constants(struct bounds *b, const bool *wanted, word *nothing) {
  bool *empty = ARENA_ARRAY(b->arena, bool, b->ir->node_count);
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    if (b->ir->nodes[i].op == CAT_REC) {
      i = b->ir->nodes[i].group_end - 1;
      continue;
    }
    if (is_wanted(b, wanted, i) && is_constant(b, i)) compute_constant(b, i);
    if (is_wanted(b, wanted, i) && follows_empty(&b->ir->nodes[i], empty)) b->fixed[i] = nothing;
    empty[i] = b->fixed[i] && words_empty(bounds_words_of(b, i), b->fixed[i]);
  }
}

/* Slots for what can vary, in its order. */
static void list_varying(struct bounds_constants *c, struct arena *arena, const bool *wanted) {
  const struct plan *plan = c->plan;
  c->list = ARENA_RAW(arena, uint32_t, plan->count);
  c->slot = ARENA_RAW(arena, uint32_t, plan->ir->node_count);
  memset(c->slot, 0xff, plan->ir->node_count * sizeof *c->slot); /* NO_SLOT */
  for (uint32_t k = 0; k < plan->count; k++) {
    uint32_t i = plan->list[k];
    if (!wanted[i] || c->fixed[i]) continue;
    c->slot[i] = c->count;
    c->list[c->count++] = i;
  }
}

static struct bounds blank(struct arena *arena, const struct bounds_constants *c) {
  const struct execution *structure = c->structure;
  return (struct bounds){.arena = arena,
                         .ir = c->plan->ir,
                         .structure = structure,
                         .shape = structure->shape,
                         .words = rel_words(structure->shape) > 0 ? rel_words(structure->shape) : 1,
                         .plan = c->plan,
                         .search = c->mode != BOUNDS_EXACT,
                         .prefix = c->mode == BOUNDS_PREFIX,
                         .prove = c->mode == BOUNDS_PROVE,
                         .slot = c->slot, /* at first everything has one that can vary */
                         .active = c->list,
                         .active_count = c->count};
}

struct bounds_constants *bounds_constants_new(struct arena *arena, const struct plan *plan,
                                              const struct execution *structure, const bool *skip,
                                              enum bounds_mode mode) {
  struct bounds_constants *c = ARENA_NEW(arena, struct bounds_constants);
  uint64_t before = rel_work();
  *c = (struct bounds_constants){.plan = plan, .structure = structure, .skip = skip, .mode = mode};
  struct bounds b = blank(arena, c);
  bool wanted[plan->ir->node_count + 1];
  word *nothing = ARENA_ARRAY(arena, word, b.words);
  b.fixed = c->fixed = ARENA_ARRAY(arena, word *, plan->ir->node_count);
  if (b.prefix) empty_unstable(&b, nothing);
  find_wanted(&b, skip, wanted);
  fix_bases(&b, wanted);
  compute_constants(&b, wanted, nothing);
  find_wanted(&b, skip, wanted);
  list_varying(c, arena, wanted);
  c->work = rel_work() - before;
  return c;
}

/* Both bounds of every node that a check depends on and that can vary, in one level that has a slot
 * for each of them. */
static void compute_root(struct bounds *b, struct bounds_level *level, const struct partial *p) {
  const struct cat_node *nodes = b->ir->nodes;
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (!b->search && b->plan->dynamic[i]) continue;
    if (nodes[i].op != CAT_REC) {
      compute_node(b, level, i, p);
      continue;
    }
    level_group(b, level, i, LOWER, p);
    level_group(b, level, i, UPPER, p);
    for (; k < b->active_count && b->active[k] < nodes[i].group_end; k++) fix(b, level, b->active[k]);
    k--;
  }
}

/* On a prefix of a structure only axioms that fail on a lower bound say
 * something. */
static enum check_state prefix_state(const struct bounds *b, const struct bounds_level *level,
                                     const struct cat_check *check) {
  if (check->role != ROLE_REQUIRE || check->negated) return CHECK_TRUE;
  if (!bounds_holds_on(b, check, bounds_value(b, level, check->node, LOWER))) return CHECK_FALSE;
  return b->fixed[check->node] ? CHECK_TRUE : CHECK_OPEN;
}

/* With negation: a negated check is true on a bound when its plain form is not. */
static enum check_state root_state(const struct bounds *b, const struct bounds_level *level,
                                   const struct cat_check *check) {
  bool on_up = bounds_holds_on(b, check, bounds_value(b, level, check->node, UPPER));
  bool on_lo = b->fixed[check->node] ? on_up : bounds_holds_on(b, check, bounds_value(b, level, check->node, LOWER));
  if (on_up) return check->negated ? CHECK_FALSE : CHECK_TRUE;
  if (!on_lo) return check->negated ? CHECK_TRUE : CHECK_FALSE;
  return CHECK_OPEN;
}

static void demand(struct bounds *b, uint32_t i, enum side side) {
  bool *need = b->need[side];
  if (need[i] || b->fixed[i]) return;
  need[i] = true;
  const struct cat_node *node = &b->ir->nodes[i];
  if (is_nullary(node->op)) return;
  demand(b, node->a, operand_side(node->op, 0, side));
  if (is_binary(node->op)) demand(b, node->b, operand_side(node->op, 1, side));
}

static void settle_checks(struct bounds *b, const struct bounds_level *level, const bool *skip) {
  b->checks = ARENA_ARRAY(b->arena, enum check_state, bounds_check_count(b));
  for (uint32_t c = 0; c < bounds_check_count(b); c++) {
    const struct cat_check *check = bounds_check(b, c);
    if (is_left_out(b, skip, c)) {
      /* Left out: an axiom holds, a flag is not raised. */
      b->checks[c] = check->role == ROLE_FLAG ? CHECK_FALSE : CHECK_TRUE;
      continue;
    }
    if (b->prefix)
      b->checks[c] = prefix_state(b, level, check);
    else
      b->checks[c] = b->search || b->fixed[check->node] ? root_state(b, level, check) : CHECK_OPEN;
    if (b->checks[c] == CHECK_FALSE && check->role == ROLE_REQUIRE) {
      b->root_status = BOUNDS_FAIL;
      b->root_failed = check;
      b->root_value = bounds_value(b, level, check->node, LOWER);
    }
    if (b->checks[c] != CHECK_OPEN) continue;
    b->undecided = true;
    if (c < b->ir->check_count) b->exact.need[check->node] = true;
    enum side side = check->negated ? UPPER : LOWER;
    if (b->search && check->role == ROLE_REQUIRE) demand(b, check->node, b->prove ? other_side(side) : side);
  }
}

/* Recursive groups are kept whole, with all that they stand on, which comes before. */
static void complete_groups(struct bounds *b) {
  for (uint32_t i = b->ir->node_count; i-- > 0;)
    for (int side = LOWER; side < SIDES && b->ir->nodes[i].op == CAT_REC; side++)
      for (uint32_t k = i; b->need[side][i] && k < b->ir->nodes[i].group_end; k++)
        if (b->plan->needed[k]) demand(b, k, (enum side)side);
}

static struct bounds_level *root_level(struct bounds *b, uint32_t count) {
  struct bounds_level *root = ARENA_NEW(b->arena, struct bounds_level);
  for (int side = LOWER; side < SIDES; side++) root->value[side] = ARENA_ARRAY(b->arena, word *, count);
  root->own = ARENA_RAW(b->arena, word, (size_t)count * SIDES * b->words);
  return root;
}

/* Slots for the nodes that the search keeps bounds of; the root level takes
 * over the bounds computed at the start. */
static void choose_slots(struct bounds *b, const struct bounds_level *start) {
  uint32_t *slot = ARENA_ARRAY(b->arena, uint32_t, b->ir->node_count), count = 0;
  memset(slot, 0xff, b->ir->node_count * sizeof *slot); /* NO_SLOT */
  complete_groups(b);
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    bool kept = b->need[LOWER][i] || b->need[UPPER][i];
    if (b->search && kept) slot[i] = count++;
  }
  b->root = root_level(b, count);
  uint32_t *active = ARENA_ARRAY(b->arena, uint32_t, count);
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (slot[i] == NO_SLOT) continue;
    active[slot[i]] = i;
    for (int side = LOWER; side < SIDES; side++) b->root->value[side][slot[i]] = start->value[side][b->slot[i]];
  }
  b->slot = slot;
  b->active = active;
  b->active_count = count;
}

static void allocate_gains(struct bounds *b) {
  unsigned w = b->shape.w;
  word *sets = ARENA_RAW(b->arena, word, (size_t)(b->active_count + CHOICES) * 2 * w);
  b->derive.gain = ARENA_RAW(b->arena, struct gain, b->active_count);
  for (uint32_t k = 0; k < b->active_count + CHOICES; k++, sets += 2 * w)
    *(k < CHOICES ? &b->derive.open[k] : &b->derive.gain[k - CHOICES]) = (struct gain){sets, sets + w};
}

static void allocate_scratch(struct bounds *b, const struct bounds_constants *c) {
  struct arena *arena = b->arena;
  uint32_t count = b->ir->node_count;
  b->derive.product = ARENA_ARRAY(arena, word, b->words);
  b->derive.around = ARENA_ARRAY(arena, word, b->words);
  for (int side = LOWER; side < SIDES; side++) {
    b->update.changed[side] = ARENA_ARRAY(arena, bool, count);
    b->derive.of[side] = ARENA_ARRAY(arena, word *, count);
    b->derive.store[side] = ARENA_RAW(arena, word, (size_t)b->active_count * b->words);
  }
  allocate_gains(b);
  b->exact.value = ARENA_ARRAY(arena, word *, count);
  b->exact.list = ARENA_ARRAY(arena, uint32_t, c->count);
  for (uint32_t k = 0; k < c->count; k++) {
    uint32_t i = c->list[k];
    if (!exact_only(b, i)) continue;
    b->exact.value[i] = ARENA_RAW(arena, word, b->words);
    b->exact.list[b->exact.count++] = i;
  }
}

struct bounds *bounds_new(struct arena *arena, const struct bounds_constants *c, const struct partial *p) {
  struct bounds *b = ARENA_NEW(arena, struct bounds);
  uint32_t count = c->plan->ir->node_count;
  *b = blank(arena, c);
  b->fixed = ARENA_RAW(arena, word *, count);
  memcpy(b->fixed, c->fixed, count * sizeof *b->fixed);
  for (int side = LOWER; side < SIDES; side++) b->need[side] = ARENA_ARRAY(arena, bool, count);
  b->update.value = ARENA_ARRAY(arena, word, b->words);
  b->exact.need = ARENA_ARRAY(arena, bool, count);
  struct bounds_level *start = level_new(b);
  compute_root(b, start, p);
  settle_checks(b, start, c->skip);
  if (b->undecided) want_all_operands(b, b->exact.need, c->list, c->count);
  choose_slots(b, start);
  allocate_scratch(b, c);
  return b;
}

uint64_t bounds_constants_work(const struct bounds_constants *c) {
  return c->work;
}

enum bounds_status bounds_root_status(const struct bounds *b) {
  return b->root_status;
}

struct bounds_level *bounds_root_level(struct bounds *b) {
  return b->root;
}

bool bounds_flags_undecided(const struct bounds *b) {
  for (uint32_t c = 0; c < b->ir->check_count; c++)
    if (b->checks[c] == CHECK_OPEN && b->ir->checks[c].role != ROLE_REQUIRE) return true;
  return false;
}

uint32_t bounds_check_total(const struct bounds *b) {
  return b->ir->check_count;
}

const struct cat_check *bounds_open_axiom(const struct bounds *b, uint32_t c) {
  const struct cat_check *check = &b->ir->checks[c];
  return b->checks[c] == CHECK_OPEN && check->role == ROLE_REQUIRE ? check : NULL;
}

const word *bounds_upper(const struct bounds *b, const struct bounds_level *level, uint32_t c) {
  return bounds_value(b, level, b->ir->checks[c].node, UPPER);
}

bool bounds_undecided(const struct bounds *b) {
  return b->undecided;
}
