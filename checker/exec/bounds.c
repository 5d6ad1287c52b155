/* SPDX-License-Identifier: MIT */
#include "checker/exec/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "checker/cat/node.h"
#include "checker/exec/eval.h"

/* What is known of a check before the search. */
enum check_state { CHECK_OPEN, CHECK_TRUE, CHECK_FALSE };

struct level {
  word **lo, **up; /* by slot */
  word *own;       /* this level's storage: two values a slot */
  struct level *next;
};

struct bounds {
  struct arena *arena;
  const struct cat_ir *ir;
  const struct execution *structure;
  struct shape shape;
  size_t words; /* of a relation: storage of any value */
  bool *needed, *dynamic, *within_co;
  word **fixed;         /* by node: its value, when it cannot change */
  word **fixed_inverse; /* by node: the inverse of that, once asked for */
  bool *need_lo, *need_up, *need_exact;
  uint32_t *slot;   /* by node */
  uint32_t *active; /* nodes with a slot, operands first */
  uint32_t active_count;
  enum check_state *checks;
  enum bounds_status root_status;
  bool search; /* not BOUNDS_EXACT */
  bool prefix, undecided;
  struct level *root, *levels; /* levels: a list for reuse, deepest used first */
  /* Scratch. */
  word *temporary, *inverse, *product, *second;
  bool *changed_lo, *changed_up; /* by node */
  word **derivative;             /* by node: NULL when untouched in this pass */
  word *derivative_store;
  word **exact; /* by node, at the end of a candidate */
};

/* ---- Which nodes matter --------------------------------------------------- */

static bool varies(enum cat_base base) {
  return base == BASE_RF || base == BASE_CO || base == BASE_FR || base == BASE_FW;
}

static bool binary(enum cat_op op) {
  return cat_operand_count(op) == 2;
}

static bool nullary(enum cat_op op) {
  return cat_operand_count(op) == 0;
}

/* Operands come first, so one pass from the end suffices, but for recursive
 * variables, whose bodies come later: those ask for a further pass. */
static void mark_needed(struct bounds *b, bool *mark) {
  const struct cat_node *nodes = b->ir->nodes;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = b->ir->node_count; i-- > 0;) {
      if (!mark[i] || nullary(nodes[i].op)) continue;
      if (nodes[i].op == CAT_REC && !mark[nodes[i].a]) again = true;
      mark[nodes[i].a] = true;
      if (binary(nodes[i].op)) mark[nodes[i].b] = true;
    }
  }
}

static void find_dynamic(struct bounds *b) {
  const struct cat_node *nodes = b->ir->nodes;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < b->ir->node_count; i++) {
      const struct cat_node *n = &nodes[i];
      if (b->dynamic[i] || n->op == CAT_EMPTY) continue;
      b->dynamic[i] = n->op == CAT_BASE ? varies(n->base) : b->dynamic[n->a] || (binary(n->op) && b->dynamic[n->b]);
      again |= b->dynamic[i]; /* recursive variables come before their bodies */
    }
  }
}

/* Nodes whose value always lies in co, which is transitive and irreflexive: an
 * upper bound of co ; co need not hold more than that of co. */
static void find_within_co(struct bounds *b) {
  const struct cat_node *nodes = b->ir->nodes;
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    const struct cat_node *n = &nodes[i];
    bool *in = b->within_co;
    switch (n->op) {
      case CAT_BASE:
        in[i] = n->base == BASE_CO;
        break;
      case CAT_UNION:
        in[i] = in[n->a] && in[n->b];
        break;
      case CAT_INTER:
        in[i] = n->type == CAT_REL && (in[n->a] || in[n->b]);
        break;
      case CAT_DIFF:
      case CAT_PLUS:
        in[i] = in[n->a];
        break;
      case CAT_SEQ:
        in[i] = (in[n->a] && (in[n->b] || nodes[n->b].op == CAT_TOID)) || (in[n->b] && nodes[n->a].op == CAT_TOID);
        break;
      default:
        break;
    }
  }
}

/* Is a pair's (an event's) membership decided by its two events alone, whatever
 * others there are?  Fills `local` for every node. */
static void find_local(const struct bounds *b, bool *local) {
  const struct cat_node *nodes = b->ir->nodes;
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    const struct cat_node *n = &nodes[i];
    switch (n->op) {
      case CAT_BASE:
        local[i] = !varies(n->base);
        break;
      case CAT_EMPTY:
        local[i] = true;
        break;
      case CAT_UNION:
      case CAT_INTER:
      case CAT_DIFF:
      case CAT_CROSS:
        local[i] = local[n->a] && local[n->b];
        break;
      case CAT_SEQ:
        local[i] = local[n->a] && local[n->b] && (nodes[n->a].op == CAT_TOID || nodes[n->b].op == CAT_TOID);
        break;
      case CAT_COMPL:
      case CAT_INVERSE:
      case CAT_OPT:
      case CAT_TOID:
        local[i] = local[n->a];
        break;
      default:
        break;
    }
  }
}

/* For a beginning of a structure: nodes that more events may take something from
 * count as empty. */
static void empty_unstable(struct bounds *b) {
  const struct cat_node *nodes = b->ir->nodes;
  bool *local = ARENA_ARRAY(b->arena, bool, b->ir->node_count);
  word *nothing = ARENA_ARRAY(b->arena, word, b->words);
  find_local(b, local);
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    const struct cat_node *n = &nodes[i];
    bool loses = (n->op == CAT_DIFF && !local[n->b]) || (n->op == CAT_COMPL && !local[n->a]) ||
                 (n->op == CAT_BASE && n->base == BASE_FW);
    if (loses) b->fixed[i] = nothing;
    if (n->op != CAT_REC) continue;
    for (uint32_t k = i; k < n->group_end; k++) b->fixed[k] = nothing;
    i = n->group_end - 1;
  }
}

/* ---- One node ------------------------------------------------------------- */

/* The operand of node i that its lower (upper) bound is made of: complements
 * and right sides of differences swap. */
static bool flips(enum cat_op op, bool second) {
  return op == CAT_COMPL || (op == CAT_DIFF && second);
}

static const word *bound(const struct bounds *b, const struct level *level, uint32_t node, bool upper) {
  if (b->fixed[node]) return b->fixed[node];
  return (upper ? level->up : level->lo)[b->slot[node]];
}

static void base_value(const struct bounds *b, enum cat_base base, const struct partial *p, bool upper, word *out) {
  struct shape s = b->shape;
  const word *rf = upper ? p->rf_up : p->rf_lo, *co = upper ? p->co_up : p->co_lo;
  switch (base) {
    case BASE_RF:
      words_copy(b->words, out, rf);
      break;
    case BASE_CO:
      words_copy(b->words, out, co);
      break;
    case BASE_FR:
      rel_inverse(s, b->inverse, rf);
      rel_compose(s, out, b->inverse, co);
      for (unsigned a = 0; a < s.n; a++) rel_drop(s, out, a, a);
      break;
    default: /* FW: final for sure when nothing can follow, possibly when nothing does */
      words_clear(s.w, out);
      for (unsigned a = 0; a < s.n; a++)
        if (b->structure->events[a].kind == EVENT_WRITE &&
            words_empty(s.w, rel_row_const(s, upper ? p->co_lo : p->co_up, a)))
          set_add(out, a);
  }
}

/* One bound of one node from its operands' bounds; not for CAT_REC. */
static void node_bound(const struct bounds *b, const struct level *level, uint32_t i, bool upper,
                       const struct partial *p, word *out) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (node->op == CAT_BASE) {
    base_value(b, node->base, p, upper, out);
    return;
  }
  const word *x = nullary(node->op) ? NULL : bound(b, level, node->a, upper != flips(node->op, false));
  const word *y = binary(node->op) ? bound(b, level, node->b, upper != flips(node->op, true)) : NULL;
  node_apply_in(b->shape, b->ir, i, out, x, y);
  if (upper && b->within_co[i] && (node->op == CAT_SEQ || node->op == CAT_PLUS))
    words_and(b->words, out, out, p->co_up);
}

static size_t words_of(const struct bounds *b, uint32_t node) {
  return node_words(b->shape, b->ir->nodes[node].type);
}

static word *own_value(const struct bounds *b, const struct level *level, uint32_t node, bool upper) {
  return level->own + ((size_t)b->slot[node] * 2 + upper) * b->words;
}

/* Least fixpoint of one bound of the recursive group that starts at node i.
 * Within the group values are written to the level's own storage. */
static void group_bound(const struct bounds *b, struct level *level, uint32_t i, bool upper, const struct partial *p) {
  const struct cat_node *nodes = b->ir->nodes;
  uint32_t end = nodes[i].group_end;
  word **values = upper ? level->up : level->lo;
  for (uint32_t k = i; k < end; k++) {
    if (b->fixed[k] || !b->needed[k] || b->slot[k] == UINT32_MAX) continue;
    values[b->slot[k]] = own_value(b, level, k, upper);
    words_clear(words_of(b, k), values[b->slot[k]]);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t k = i; k < end; k++) {
      if (b->fixed[k] || !b->needed[k] || b->slot[k] == UINT32_MAX) continue;
      word *value = values[b->slot[k]];
      if (nodes[k].op == CAT_REC)
        words_copy(words_of(b, k), b->temporary, bound(b, level, nodes[k].a, upper));
      else
        node_bound(b, level, k, upper, p, b->temporary);
      grew |= !words_equal(words_of(b, k), value, b->temporary);
      words_copy(words_of(b, k), value, b->temporary);
    }
  }
}

/* ---- Levels ---------------------------------------------------------------- */

static struct level *level_new(struct bounds *b) {
  struct level *level = ARENA_NEW(b->arena, struct level);
  level->lo = ARENA_ARRAY(b->arena, word *, b->active_count);
  level->up = ARENA_ARRAY(b->arena, word *, b->active_count);
  level->own = ARENA_ARRAY(b->arena, word, (size_t)b->active_count * 2 * b->words);
  return level;
}

struct level *level_push(struct bounds *b, struct level *parent) {
  if (!parent->next) parent->next = level_new(b);
  struct level *level = parent->next;
  memcpy(level->lo, parent->lo, b->active_count * sizeof *level->lo);
  memcpy(level->up, parent->up, b->active_count * sizeof *level->up);
  return level;
}

/* Recomputes one bound; true when it changed. */
static bool refresh(const struct bounds *b, struct level *level, uint32_t i, bool upper, const struct partial *p) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (node->op != CAT_BASE) {
    const bool *a = upper != flips(node->op, false) ? b->changed_up : b->changed_lo;
    const bool *c = upper != flips(node->op, true) ? b->changed_up : b->changed_lo;
    if (!a[node->a] && !(binary(node->op) && c[node->b])) return false;
  }
  node_bound(b, level, i, upper, p, b->temporary);
  word **value = &(upper ? level->up : level->lo)[b->slot[i]];
  if (words_equal(words_of(b, i), *value, b->temporary)) return false;
  *value = own_value(b, level, i, upper);
  words_copy(words_of(b, i), *value, b->temporary);
  return true;
}

/* True when something outside the group that it uses has changed; cheap and on
 * the safe side. */
static void refresh_group(const struct bounds *b, struct level *level, uint32_t first, const struct partial *p) {
  uint32_t end = b->ir->nodes[first].group_end;
  if (b->need_lo[first]) group_bound(b, level, first, false, p);
  if (b->need_up[first]) group_bound(b, level, first, true, p);
  for (uint32_t k = first; k < end; k++) b->changed_lo[k] = b->changed_up[k] = true;
}

/* The condition of a check on a value, without negation. */
static bool holds_on(const struct bounds *b, const struct cat_check *check, const word *value) {
  word scratch[b->shape.w];
  return node_check(b->shape, check->kind, b->ir->nodes[check->node].type, value, scratch);
}

static bool check_fails(const struct bounds *b, const struct level *level, uint32_t c) {
  const struct cat_check *check = &b->ir->checks[c];
  const word *value = bound(b, level, check->node, check->negated);
  return holds_on(b, check, value) == check->negated;
}

enum bounds_status level_update(struct bounds *b, struct level *level, const struct partial *p) {
  if (!b->search) return BOUNDS_OPEN;
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (b->ir->nodes[i].op == CAT_REC) {
      refresh_group(b, level, i, p);
      while (k + 1 < b->active_count && b->active[k + 1] < b->ir->nodes[i].group_end) k++;
      continue;
    }
    b->changed_lo[i] = b->need_lo[i] && refresh(b, level, i, false, p);
    b->changed_up[i] = b->need_up[i] && refresh(b, level, i, true, p);
  }
  for (uint32_t c = 0; c < b->ir->check_count; c++)
    if (b->checks[c] == CHECK_OPEN && b->ir->checks[c].role == ROLE_REQUIRE && check_fails(b, level, c))
      return BOUNDS_FAIL;
  return BOUNDS_OPEN;
}

/* ---- Derivatives ------------------------------------------------------------ */

static word *derivative_of(struct bounds *b, uint32_t node) {
  if (!b->derivative[node]) {
    b->derivative[node] = b->derivative_store + (size_t)b->slot[node] * b->words;
    words_clear(words_of(b, node), b->derivative[node]);
  }
  return b->derivative[node];
}

/* Can pairs be added to this node by adding to rf or co? */
static bool derivable(const struct bounds *b, uint32_t node) {
  return !b->fixed[node] && b->slot[node] != UINT32_MAX && b->need_lo[node];
}

static void add_derivative(struct bounds *b, uint32_t node, const word *value) {
  word *d = derivative_of(b, node);
  words_or(words_of(b, node), d, d, value);
}

/* out := inverse(a?) ; d ; inverse(a?). */
static void derive_around(struct bounds *b, const word *a, const word *d, word *out) {
  rel_compose_inverse(b->shape, b->product, a, d);
  words_or(b->words, b->product, b->product, d);
  rel_inverse(b->shape, b->inverse, a);
  rel_compose(b->shape, out, b->product, b->inverse);
  words_or(b->words, out, out, b->product);
}

/* The inverse of a node's value; kept for constants. */
static const word *inverse_of(struct bounds *b, const struct level *level, uint32_t node) {
  if (!b->fixed[node]) {
    rel_inverse(b->shape, b->inverse, bound(b, level, node, false));
    return b->inverse;
  }
  if (!b->fixed_inverse[node]) {
    b->fixed_inverse[node] = ARENA_ARRAY(b->arena, word, b->words);
    rel_inverse(b->shape, b->fixed_inverse[node], b->fixed[node]);
  }
  return b->fixed_inverse[node];
}

static void derive_sequence(struct bounds *b, const struct level *level, const struct cat_node *node, const word *d) {
  struct shape s = b->shape;
  const struct cat_node *nodes = b->ir->nodes;
  if (derivable(b, node->a)) {
    if (nodes[node->b].op == CAT_TOID)
      rel_keep_columns(s, b->product, d, bound(b, level, nodes[node->b].a, false));
    else
      rel_compose(s, b->product, d, inverse_of(b, level, node->b));
    add_derivative(b, node->a, b->product);
  }
  if (derivable(b, node->b)) {
    if (nodes[node->a].op == CAT_TOID)
      rel_keep_rows(s, b->product, bound(b, level, nodes[node->a].a, false), d);
    else
      rel_compose_inverse(s, b->product, bound(b, level, node->a, false), d);
    add_derivative(b, node->b, b->product);
  }
}

static void derive_cross(struct bounds *b, const struct level *level, const struct cat_node *node, const word *d) {
  struct shape s = b->shape;
  const word *from = bound(b, level, node->a, false), *to = bound(b, level, node->b, false);
  for (unsigned a = 0; a < s.n; a++) {
    if (derivable(b, node->a) && words_meet(s.w, rel_row_const(s, d, a), to)) set_add(derivative_of(b, node->a), a);
    if (derivable(b, node->b) && set_has(from, a))
      words_or(s.w, derivative_of(b, node->b), derivative_of(b, node->b), rel_row_const(s, d, a));
  }
}

static void derive_ends(struct bounds *b, const struct cat_node *node, const word *d) {
  struct shape s = b->shape;
  word all[s.w];
  set_fill(s, all);
  if (node->op == CAT_DOMAIN)
    rel_cross(s, b->product, d, all);
  else
    rel_cross(s, b->product, all, d);
  add_derivative(b, node->a, b->product);
}

/* Passes what breaks node i on to its operands. */
static void derive_node(struct bounds *b, const struct level *level, uint32_t i, const word *d) {
  struct shape s = b->shape;
  const struct cat_node *node = &b->ir->nodes[i];
  size_t words = words_of(b, i);
  switch (node->op) {
    case CAT_UNION:
      if (derivable(b, node->a)) add_derivative(b, node->a, d);
      if (derivable(b, node->b)) add_derivative(b, node->b, d);
      break;
    case CAT_INTER:
      if (derivable(b, node->a)) {
        words_and(words, b->product, d, bound(b, level, node->b, false));
        add_derivative(b, node->a, b->product);
      }
      if (derivable(b, node->b)) {
        words_and(words, b->product, d, bound(b, level, node->a, false));
        add_derivative(b, node->b, b->product);
      }
      break;
    case CAT_DIFF:
      if (!derivable(b, node->a)) break;
      words_minus(words, b->product, d, bound(b, level, node->b, true));
      add_derivative(b, node->a, b->product);
      break;
    case CAT_SEQ:
      derive_sequence(b, level, node, d);
      break;
    case CAT_CROSS:
      derive_cross(b, level, node, d);
      break;
    case CAT_INVERSE:
      if (!derivable(b, node->a)) break;
      rel_inverse(s, b->product, d);
      add_derivative(b, node->a, b->product);
      break;
    case CAT_PLUS:
    case CAT_STAR:
      if (!derivable(b, node->a)) break;
      derive_around(b, bound(b, level, i, false), d, b->second);
      add_derivative(b, node->a, b->second);
      break;
    case CAT_OPT:
      if (derivable(b, node->a)) add_derivative(b, node->a, d);
      break;
    case CAT_TOID:
      if (!derivable(b, node->a)) break;
      for (unsigned a = 0; a < s.n; a++)
        if (rel_has(s, d, a, a)) set_add(derivative_of(b, node->a), a);
      break;
    case CAT_DOMAIN:
    case CAT_RANGE:
      if (derivable(b, node->a)) derive_ends(b, node, d);
      break;
    default:
      break; /* constants, complements, recursion: nothing is deduced */
  }
}

/* Which pair added to a check's node makes it fail? */
static void derive_check(struct bounds *b, const struct level *level, const struct cat_check *check) {
  struct shape s = b->shape;
  if (check->negated || !derivable(b, check->node)) return;
  if (check->kind == CHECK_EMPTY) {
    if (b->ir->nodes[check->node].type == CAT_SET)
      set_fill(s, b->product);
    else
      rel_fill(s, b->product);
  } else if (check->kind == CHECK_IRREFLEXIVE) {
    rel_identity(s, b->product);
  } else {
    words_copy(b->words, b->second, bound(b, level, check->node, false));
    rel_close(s, b->second);
    rel_reflexive(s, b->second);
    rel_inverse(s, b->product, b->second);
  }
  add_derivative(b, check->node, b->product);
}

/* fr = (rf^-1 ; co) \ id. */
static void derive_from_read(struct bounds *b, const struct partial *p, word *d, word *rf, word *co) {
  struct shape s = b->shape;
  for (unsigned a = 0; a < s.n; a++) rel_drop(s, d, a, a);
  rel_compose(s, b->product, p->rf_lo, d);
  words_or(b->words, co, co, b->product);
  rel_inverse(s, b->inverse, d);
  rel_compose(s, b->product, p->co_lo, b->inverse);
  words_or(b->words, rf, rf, b->product);
}

void level_derive(struct bounds *b, struct level *level, const struct partial *p, word *rf, word *co) {
  words_clear(b->words, rf);
  words_clear(b->words, co);
  if (!b->search) return;
  memset(b->derivative, 0, b->ir->node_count * sizeof *b->derivative);
  for (uint32_t c = 0; c < b->ir->check_count; c++)
    if (b->checks[c] == CHECK_OPEN && b->ir->checks[c].role == ROLE_REQUIRE) derive_check(b, level, &b->ir->checks[c]);
  for (uint32_t k = b->active_count; k-- > 0;) {
    uint32_t i = b->active[k];
    word *d = b->derivative[i];
    if (!d) continue;
    if (b->ir->nodes[i].op != CAT_BASE) {
      derive_node(b, level, i, d);
    } else if (b->ir->nodes[i].base == BASE_RF) {
      words_or(b->words, rf, rf, d);
    } else if (b->ir->nodes[i].base == BASE_CO) {
      words_or(b->words, co, co, d);
    } else if (b->ir->nodes[i].base == BASE_FR) {
      derive_from_read(b, p, d, rf, co);
    }
  }
  /* A pair added to co brings with it what transitivity makes of it. */
  derive_around(b, p->co_lo, co, b->second);
  words_copy(b->words, co, b->second);
}

/* ---- The end of a candidate -------------------------------------------------- */

static const word *exact_value(const struct bounds *b, const struct level *level, uint32_t i) {
  if (b->fixed[i]) return b->fixed[i];
  if (b->search && b->need_lo[i]) return level->lo[b->slot[i]];
  if (b->search && b->need_up[i]) return level->up[b->slot[i]];
  return b->exact[i];
}

static void exact_node(struct bounds *b, const struct level *level, uint32_t i, const struct partial *p, word *out) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (node->op == CAT_BASE)
    base_value(b, node->base, p, false, out);
  else if (node->op == CAT_REC)
    words_copy(words_of(b, i), out, exact_value(b, level, node->a));
  else
    node_apply_in(b->shape, b->ir, i, out, nullary(node->op) ? NULL : exact_value(b, level, node->a),
                  binary(node->op) ? exact_value(b, level, node->b) : NULL);
}

static bool only_exact(const struct bounds *b, uint32_t i) {
  return b->need_exact[i] && !b->fixed[i] && !(b->search && (b->need_lo[i] || b->need_up[i]));
}

static void exact_group(struct bounds *b, const struct level *level, uint32_t first, const struct partial *p) {
  uint32_t end = b->ir->nodes[first].group_end;
  for (uint32_t i = first; i < end; i++)
    if (only_exact(b, i)) words_clear(words_of(b, i), b->exact[i]);
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = first; i < end; i++) {
      if (!only_exact(b, i)) continue;
      exact_node(b, level, i, p, b->temporary);
      grew |= !words_equal(words_of(b, i), b->temporary, b->exact[i]);
      words_copy(words_of(b, i), b->exact[i], b->temporary);
    }
  }
}

const struct cat_check *level_finish(struct bounds *b, struct level *level, const struct partial *p, uint64_t *raised) {
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    if (!only_exact(b, i)) continue;
    if (b->ir->nodes[i].op == CAT_REC) {
      exact_group(b, level, i, p);
      i = b->ir->nodes[i].group_end - 1;
    } else {
      exact_node(b, level, i, p, b->exact[i]);
    }
  }
  words_clear((b->ir->check_count + 63) / 64, raised);
  for (uint32_t c = 0; c < b->ir->check_count; c++) {
    const struct cat_check *check = &b->ir->checks[c];
    bool holds = b->checks[c] == CHECK_TRUE;
    if (b->checks[c] == CHECK_OPEN) holds = holds_on(b, check, exact_value(b, level, check->node)) != check->negated;
    if (check->role == ROLE_REQUIRE && !holds) return check;
    bool raise = check->role == ROLE_FLAG ? holds : check->role == ROLE_UNDEFINED && !holds;
    if (raise) set_add(raised, c);
  }
  return NULL;
}

/* ---- Setting up ---------------------------------------------------------------- */

/* A node whose bounds agree is a constant from here on. */
static void fix(struct bounds *b, const struct level *level, uint32_t i) {
  if (b->fixed[i]) return;
  word *lo = level->lo[b->slot[i]], *up = level->up[b->slot[i]];
  if (words_equal(words_of(b, i), lo, up)) b->fixed[i] = lo;
}

/* Both bounds of every needed node at the root, in one level that has a slot
 * for each of them. */
static void compute_root(struct bounds *b, struct level *level, const struct partial *p) {
  const struct cat_node *nodes = b->ir->nodes;
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (nodes[i].op == CAT_BASE && !varies(nodes[i].base))
      b->fixed[i] = (word *)(uintptr_t)execution_base(b->arena, b->structure, nodes[i].base, nodes[i].base_name);
  }
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (b->fixed[i] || (!b->search && b->dynamic[i])) continue;
    if (nodes[i].op == CAT_REC) {
      group_bound(b, level, i, false, p);
      group_bound(b, level, i, true, p);
      for (; k < b->active_count && b->active[k] < nodes[i].group_end; k++) fix(b, level, b->active[k]);
      k--;
      continue;
    }
    for (int upper = 0; upper <= (int)(b->dynamic[i] && !b->prefix); upper++) {
      word *value = own_value(b, level, i, upper);
      node_bound(b, level, i, upper, p, value);
      (upper ? level->up : level->lo)[b->slot[i]] = value;
    }
    if (!b->dynamic[i])
      b->fixed[i] = level->lo[b->slot[i]];
    else if (!b->prefix)
      fix(b, level, i);
  }
}

/* On a beginning of a structure only axioms that fail on a lower bound say
 * something. */
static enum check_state prefix_state(const struct bounds *b, const struct level *level, const struct cat_check *check) {
  if (check->role != ROLE_REQUIRE || check->negated) return CHECK_TRUE;
  if (!holds_on(b, check, bound(b, level, check->node, false))) return CHECK_FALSE;
  return b->fixed[check->node] ? CHECK_TRUE : CHECK_OPEN;
}

/* With negation: a negated check is true on a bound when its plain form is not. */
static enum check_state root_state(const struct bounds *b, const struct level *level, const struct cat_check *check) {
  bool on_up = holds_on(b, check, bound(b, level, check->node, true));
  bool on_lo = holds_on(b, check, bound(b, level, check->node, false));
  if (on_up) return check->negated ? CHECK_FALSE : CHECK_TRUE;
  if (!on_lo) return check->negated ? CHECK_TRUE : CHECK_FALSE;
  return CHECK_OPEN;
}

static void demand(struct bounds *b, uint32_t i, bool upper) {
  bool *need = upper ? b->need_up : b->need_lo;
  if (need[i] || b->fixed[i]) return;
  need[i] = true;
  const struct cat_node *node = &b->ir->nodes[i];
  if (nullary(node->op)) return;
  demand(b, node->a, upper != flips(node->op, false));
  if (binary(node->op)) demand(b, node->b, upper != flips(node->op, true));
}

static void settle_checks(struct bounds *b, const struct level *level, const bool *skip) {
  b->checks = ARENA_ARRAY(b->arena, enum check_state, b->ir->check_count);
  for (uint32_t c = 0; c < b->ir->check_count; c++) {
    const struct cat_check *check = &b->ir->checks[c];
    if (skip && skip[c]) {
      /* Left out: an axiom holds, a flag is not raised. */
      b->checks[c] = check->role == ROLE_FLAG ? CHECK_FALSE : CHECK_TRUE;
      continue;
    }
    if (b->prefix)
      b->checks[c] = prefix_state(b, level, check);
    else
      b->checks[c] = b->search || b->fixed[check->node] ? root_state(b, level, check) : CHECK_OPEN;
    if (b->checks[c] == CHECK_FALSE && check->role == ROLE_REQUIRE) b->root_status = BOUNDS_FAIL;
    if (b->checks[c] != CHECK_OPEN) continue;
    b->undecided = true;
    b->need_exact[check->node] = true;
    if (b->search && check->role == ROLE_REQUIRE) demand(b, check->node, check->negated);
  }
}

/* Slots for the nodes that the search keeps bounds of; the root level takes
 * over the bounds computed at the start. */
static void choose_slots(struct bounds *b, const struct level *start) {
  const struct cat_node *nodes = b->ir->nodes;
  uint32_t *slot = ARENA_ARRAY(b->arena, uint32_t, b->ir->node_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    /* A recursive group is kept whole. */
    if (nodes[i].op == CAT_REC && (b->need_lo[i] || b->need_up[i]))
      for (uint32_t k = i; k < nodes[i].group_end; k++) {
        b->need_lo[k] |= b->need_lo[i] && b->needed[k] && !b->fixed[k];
        b->need_up[k] |= b->need_up[i] && b->needed[k] && !b->fixed[k];
      }
    bool keep = b->search && (b->need_lo[i] || b->need_up[i]);
    slot[i] = keep ? count++ : UINT32_MAX;
  }
  const uint32_t *from = b->slot;
  struct level *root = ARENA_NEW(b->arena, struct level);
  root->lo = ARENA_ARRAY(b->arena, word *, count);
  root->up = ARENA_ARRAY(b->arena, word *, count);
  uint32_t *active = ARENA_ARRAY(b->arena, uint32_t, count);
  for (uint32_t i = 0; i < b->ir->node_count; i++) {
    if (slot[i] == UINT32_MAX) continue;
    active[slot[i]] = i;
    root->lo[slot[i]] = start->lo[from[i]];
    root->up[slot[i]] = start->up[from[i]];
  }
  b->slot = slot;
  b->active = active;
  b->active_count = count;
  root->own = ARENA_ARRAY(b->arena, word, (size_t)count * 2 * b->words);
  b->root = root;
}

static void allocate_scratch(struct bounds *b) {
  b->derivative = ARENA_ARRAY(b->arena, word *, b->ir->node_count);
  b->derivative_store = ARENA_ARRAY(b->arena, word, (size_t)b->active_count * b->words);
  b->changed_lo = ARENA_ARRAY(b->arena, bool, b->ir->node_count);
  b->changed_up = ARENA_ARRAY(b->arena, bool, b->ir->node_count);
  b->exact = ARENA_ARRAY(b->arena, word *, b->ir->node_count);
  for (uint32_t i = 0; i < b->ir->node_count; i++)
    if (only_exact(b, i)) b->exact[i] = ARENA_ARRAY(b->arena, word, b->words);
}

struct bounds *bounds_new(struct arena *arena, const struct cat_ir *ir, const struct execution *structure,
                          const bool *skip, enum bounds_mode mode, const struct partial *p) {
  struct bounds *b = ARENA_NEW(arena, struct bounds);
  uint32_t count = ir->node_count;
  *b = (struct bounds){.arena = arena,
                       .ir = ir,
                       .structure = structure,
                       .shape = structure->shape,
                       .words = rel_words(structure->shape) > 0 ? rel_words(structure->shape) : 1,
                       .search = mode != BOUNDS_EXACT,
                       .prefix = mode == BOUNDS_PREFIX,
                       .needed = ARENA_ARRAY(arena, bool, count),
                       .dynamic = ARENA_ARRAY(arena, bool, count),
                       .within_co = ARENA_ARRAY(arena, bool, count),
                       .fixed = ARENA_ARRAY(arena, word *, count),
                       .fixed_inverse = ARENA_ARRAY(arena, word *, count),
                       .need_lo = ARENA_ARRAY(arena, bool, count),
                       .need_up = ARENA_ARRAY(arena, bool, count),
                       .need_exact = ARENA_ARRAY(arena, bool, count),
                       .slot = ARENA_ARRAY(arena, uint32_t, count),
                       .active = ARENA_ARRAY(arena, uint32_t, count)};
  b->temporary = ARENA_ARRAY(arena, word, b->words);
  b->inverse = ARENA_ARRAY(arena, word, b->words);
  b->product = ARENA_ARRAY(arena, word, b->words);
  b->second = ARENA_ARRAY(arena, word, b->words);
  for (uint32_t c = 0; c < ir->check_count; c++)
    if (!(skip && skip[c])) b->needed[ir->checks[c].node] = true;
  mark_needed(b, b->needed);
  find_dynamic(b);
  find_within_co(b);
  for (uint32_t i = 0; i < count; i++) {
    b->slot[i] = b->needed[i] ? b->active_count : UINT32_MAX;
    if (b->needed[i]) b->active[b->active_count++] = i;
  }
  if (b->prefix) empty_unstable(b);
  struct level *start = level_new(b);
  compute_root(b, start, p);
  settle_checks(b, start, skip);
  mark_needed(b, b->need_exact);
  choose_slots(b, start);
  allocate_scratch(b);
  return b;
}

enum bounds_status bounds_root_status(const struct bounds *b) {
  return b->root_status;
}

struct level *bounds_root_level(struct bounds *b) {
  return b->root;
}

bool bounds_undecided(const struct bounds *b) {
  return b->undecided;
}
