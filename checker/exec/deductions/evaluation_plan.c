/* SPDX-License-Identifier: MIT */
/* Passes over a model's graph before any event structure is known.
 *
 * Operands come before the nodes that use them, but for the bodies of recursive
 * variables; so each pass is one walk, repeated while such a body adds something.
 */
#include "checker/exec/deductions/evaluation_plan.h"

#include <string.h>

enum choice plan_choice(enum cat_base base) {
  return base == BASE_RF           ? CHOICE_RF
         : base == BASE_CO         ? CHOICE_CO
         : base == BASE_SYNC_FENCE ? CHOICE_FENCES
         : base == BASE_SAME_B     ? CHOICE_MEETINGS
                                   : CHOICES;
}

bool plan_varies(enum cat_base base, unsigned chosen) {
  enum choice choice = plan_choice(base);
  if (choice == CHOICE_FENCES || choice == CHOICE_MEETINGS) return chosen & choice_bit(choice);
  return choice < CHOICES || base == BASE_FR || base == BASE_FW || base == BASE_SAME_VALUE;
}

/* Extends a mark on nodes to all that they stand on. */
static void mark_operands(const struct cat_ir *ir, bool *mark) {
  const struct cat_node *nodes = ir->nodes;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = ir->node_count; i-- > 0;) {
      if (!mark[i] || is_nullary(nodes[i].op)) continue;
      if (nodes[i].op == CAT_REC && !mark[nodes[i].a]) again = true;
      mark[nodes[i].a] = true;
      if (is_binary(nodes[i].op)) mark[nodes[i].b] = true;
    }
  }
}

/* Nodes that only a complete candidate gives a value. */
static void find_late(struct plan *p) {
  const struct cat_node *nodes = p->ir->nodes;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < p->ir->node_count; i++) {
      const struct cat_node *n = &nodes[i];
      if (p->late[i] || (is_nullary(n->op) && n->op != CAT_BASE)) continue;
      bool grows = n->op == CAT_REC && n->grows && p->dynamic[i];
      p->late[i] = n->op == CAT_BASE ? n->base == BASE_SAME_VALUE
                                     : grows || p->late[n->a] || (is_binary(n->op) && p->late[n->b]);
      again |= p->late[i]; /* recursive variables come before their bodies */
    }
  }
}

static void find_dynamic(struct plan *p) {
  const struct cat_node *nodes = p->ir->nodes;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < p->ir->node_count; i++) {
      const struct cat_node *n = &nodes[i];
      if (p->dynamic[i] || n->op == CAT_EMPTY) continue;
      p->dynamic[i] = n->op == CAT_BASE     ? plan_varies(n->base, p->chosen)
                      : n->op == CAT_CHOSEN ? true
                                            : p->dynamic[n->a] || (is_binary(n->op) && p->dynamic[n->b]);
      again |= p->dynamic[i]; /* recursive variables come before their bodies */
    }
  }
}

/* Nodes whose value always lies in co, which is transitive and irreflexive: an
 * upper bound of co ; co need not hold more than that of co. */
static void find_within_co(struct plan *p) {
  const struct cat_node *nodes = p->ir->nodes;
  for (uint32_t i = 0; i < p->ir->node_count; i++) {
    const struct cat_node *n = &nodes[i];
    bool *in = p->within_co;
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

static bool is_order(enum cat_base base) {
  return base == BASE_RLX || base == BASE_CON || base == BASE_ACQ || base == BASE_REL || base == BASE_ACQ_REL ||
         base == BASE_SC;
}

/* May a read of a beginning yet be added to this set? */
static bool may_join(const struct plan *p, enum cat_base base) {
  return base == BASE_RMW_SET || (p->chosen & PLAN_ORDERS_OPEN && is_order(base));
}

void plan_find_local(const struct plan *p, bool whole, bool *local) {
  const struct cat_node *nodes = p->ir->nodes;
  for (uint32_t i = 0; i < p->ir->node_count; i++) {
    const struct cat_node *n = &nodes[i];
    switch (n->op) {
      case CAT_BASE:
        local[i] = !plan_varies(n->base, p->chosen) && (whole || !may_join(p, n->base));
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

static void find_unstable(struct arena *arena, struct plan *p) {
  const struct cat_ir *ir = p->ir;
  const struct cat_node *nodes = ir->nodes;
  bool *local = ARENA_ARRAY(arena, bool, ir->node_count);
  plan_find_local(p, false, local);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    const struct cat_node *n = &nodes[i];
    p->unstable[i] = (n->op == CAT_DIFF && !local[n->b]) || (n->op == CAT_COMPL && !local[n->a]) ||
                     (n->op == CAT_BASE && n->base == BASE_FW);
    if (n->op != CAT_REC) continue;
    for (uint32_t k = i; k < n->group_end; k++) p->unstable[k] = true;
    i = n->group_end - 1;
  }
}

static void list_needed(struct plan *p) {
  for (uint32_t i = 0; i < p->ir->node_count; i++) {
    p->slot[i] = p->needed[i] ? p->count : UINT32_MAX;
    if (p->needed[i]) p->list[p->count++] = i;
  }
}

struct plan plan_new(struct arena *arena, const struct cat_ir *ir, const bool *skip, unsigned chosen) {
  struct plan p = {.ir = ir,
                   .chosen = chosen,
                   .needed = ARENA_ARRAY(arena, bool, ir->node_count),
                   .list = ARENA_ARRAY(arena, uint32_t, ir->node_count),
                   .slot = ARENA_ARRAY(arena, uint32_t, ir->node_count),
                   .dynamic = ARENA_ARRAY(arena, bool, ir->node_count),
                   .late = ARENA_ARRAY(arena, bool, ir->node_count),
                   .within_co = ARENA_ARRAY(arena, bool, ir->node_count),
                   .unstable = ARENA_ARRAY(arena, bool, ir->node_count)};
  for (uint32_t c = 0; c < ir->check_count; c++)
    if (!(skip && skip[c])) p.needed[ir->checks[c].node] = true;
  for (uint32_t h = 0; h < ir->hint_count; h++)
    if (!(skip && skip[ir->hints[h].check])) p.needed[ir->hints[h].axiom.node] = true;
  mark_operands(ir, p.needed);
  list_needed(&p);
  find_dynamic(&p);
  find_late(&p);
  find_within_co(&p);
  find_unstable(arena, &p);
  return p;
}

/* ---- A graph that is cheaper to keep up to date ------------------------------------------ */

/* What a node is an operand of: how many nodes and checks. */
static unsigned *count_uses(struct arena *arena, const struct cat_ir *ir) {
  unsigned *uses = ARENA_ARRAY(arena, unsigned, ir->node_count);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    if (!is_nullary(ir->nodes[i].op)) uses[ir->nodes[i].a]++;
    if (is_binary(ir->nodes[i].op)) uses[ir->nodes[i].b]++;
  }
  for (uint32_t c = 0; c < ir->check_count; c++) uses[ir->checks[c].node]++;
  for (uint32_t h = 0; h < ir->hint_count; h++) uses[ir->hints[h].axiom.node]++;
  return uses;
}

/* (x ; y) ; z where y and z do not vary: y ; z in place of x ; y. */
static bool group_constants(struct cat_node *nodes, const unsigned *uses, const bool *dynamic, uint32_t i) {
  struct cat_node *whole = &nodes[i], *first = &nodes[whole->a];
  if (whole->op != CAT_SEQ || first->op != CAT_SEQ || uses[whole->a] != 1 || whole->b >= whole->a) return false;
  if (!dynamic[first->a] || dynamic[first->b] || dynamic[whole->b]) return false;
  uint32_t beginning = first->a;
  first->a = first->b;
  first->b = whole->b;
  whole->b = whole->a;
  whole->a = beginning;
  return true;
}

/* x* where x+ is there: a closure is taken once. */
static void share_closure(struct cat_node *nodes, uint32_t i) {
  for (uint32_t k = 0; nodes[i].op == CAT_STAR && k < i; k++)
    if (nodes[k].op == CAT_PLUS && nodes[k].a == nodes[i].a) {
      nodes[i].op = CAT_OPT;
      nodes[i].a = k;
    }
}

struct plan plan_for_bounds(struct arena *arena, const struct cat_ir *ir, const bool *skip, unsigned chosen) {
  const struct plan of = plan_new(arena, ir, skip, chosen);
  struct cat_ir *own = ARENA_NEW(arena, struct cat_ir);
  const unsigned *uses = count_uses(arena, ir);
  *own = *ir;
  own->nodes = ARENA_RAW(arena, struct cat_node, ir->node_count);
  memcpy(own->nodes, ir->nodes, ir->node_count * sizeof *own->nodes);
  bool *dynamic = of.dynamic;
  for (uint32_t i = 0; i < ir->node_count; i++) {
    share_closure(own->nodes, i);
    if (group_constants(own->nodes, uses, dynamic, i)) dynamic[own->nodes[i].b] = false;
  }
  return plan_new(arena, own, skip, chosen);
}
