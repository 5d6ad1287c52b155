/* SPDX-License-Identifier: MIT */
/* Both bounds of every node, in one walk over the graph; recursive variables may hold anything.  A third, upper one
 * goes by kinds of events: any event of an execution is like one of the listed, of its instruction, and where that
 * alone says how two events stand to one another, paths through events that nobody has listed are paths through their
 * kinds. */
#include "checker/exec/loops/possible_model_flags.h"

#include "checker/cat/node_operators.h"
#include "checker/exec/deductions/evaluation_plan.h"
#include "checker/exec/loops/checks_survive_removal.h"
#include "checker/exec/loops/possible_events.h"
#include "checker/exec/predefined_relations.h"

struct envelope {
  struct arena *arena;
  const struct cat_ir *ir;
  const struct execution *events;
  struct shape shape;
  word **bound[SIDES]; /* by node */
  word **kinds;        /* by node: what events of these kinds can have between them, one kind's among themselves, too */
  bool *exact;         /* and they have just that */
};

static void fill(struct shape s, enum cat_type type, word *out) {
  (type == CAT_SET ? set_fill : rel_fill)(s, out);
}

/* Do the events alone say what the base is? */
static bool is_fixed(enum cat_base base) {
  bool order = base == BASE_PO || base == BASE_ADDR || base == BASE_DATA || base == BASE_CTRL || base == BASE_SAME_B ||
               base == BASE_SYNC_FENCE;
  return !order && !plan_varies(base, 0);
}

static void set_base(const struct envelope *e, uint32_t i) {
  const struct cat_node *n = &e->ir->nodes[i];
  if (!is_fixed(n->base)) {
    fill(e->shape, n->type, e->bound[UPPER][i]);
    return;
  }
  const word *value = execution_node(e->arena, e->events, n);
  for (int side = 0; side < SIDES; side++) words_copy(node_words(e->shape, n->type), e->bound[side][i], value);
}

/* Do the kinds of its events say what it is?  (Not of `id`, since events of one kind are not one.) */
static bool is_of_kinds(enum cat_base base) {
  return is_fixed(base) && base != BASE_ID && base != BASE_RMW && base != BASE_SSW;
}

static bool is_mask(const struct envelope *e, const struct cat_node *n) {
  const struct cat_node *a = &e->ir->nodes[n->a], *b = &e->ir->nodes[n->b];
  return n->op == CAT_SEQ && ((a->op == CAT_TOID && e->exact[a->a] && e->exact[n->b]) ||
                              (b->op == CAT_TOID && e->exact[b->a] && e->exact[n->a]));
}

static void set_base_kinds(const struct envelope *e, uint32_t i) {
  const struct cat_node *n = &e->ir->nodes[i];
  e->exact[i] = is_of_kinds(n->base);
  if (e->exact[i] || n->base == BASE_ID)
    words_copy(node_words(e->shape, n->type), e->kinds[i], execution_node(e->arena, e->events, n));
  else
    fill(e->shape, n->type, e->kinds[i]);
}

static void set_kinds(const struct envelope *e, uint32_t i) {
  const struct cat_node *n = &e->ir->nodes[i];
  if (n->op == CAT_BASE) {
    set_base_kinds(e, i);
    return;
  }
  bool a = is_nullary(n->op) || e->exact[n->a], b = !is_binary(n->op) || e->exact[n->b];
  bool pairwise = n->op == CAT_UNION || n->op == CAT_INTER || n->op == CAT_DIFF || n->op == CAT_CROSS ||
                  n->op == CAT_COMPL || n->op == CAT_INVERSE || n->op == CAT_EMPTY;
  e->exact[i] = (pairwise && a && b) || is_mask(e, n);
  if (n->op == CAT_REC || n->op == CAT_CHOSEN || (n->op == CAT_COMPL && !a))
    fill(e->shape, n->type, e->kinds[i]);
  else if (n->op == CAT_DIFF && !b)
    words_copy(node_words(e->shape, n->type), e->kinds[i], e->kinds[n->a]);
  else
    node_apply_in(e->shape, e->ir, i, e->kinds[i], is_nullary(n->op) ? NULL : e->kinds[n->a],
                  is_binary(n->op) ? e->kinds[n->b] : NULL);
}

/* `po | po^-1`? */
static bool is_po_either_way(const struct cat_ir *ir, const struct cat_node *n) {
  if (n->op != CAT_UNION) return false;
  const struct cat_node *a = &ir->nodes[n->a], *b = &ir->nodes[n->b];
  if (a->op == CAT_INVERSE) {
    const struct cat_node *inverse = a;
    a = b;
    b = inverse;
  }
  return a->op == CAT_BASE && a->base == BASE_PO && b->op == CAT_INVERSE && &ir->nodes[b->a] == a;
}

/* Two events of one sequence are ordered, whichever comes first. */
static void set_either_way(const struct envelope *e, uint32_t i) {
  const struct event *events = e->events->events;
  for (unsigned x = 0; x < e->shape.n; x++)
    for (unsigned y = 0; y < e->shape.n; y++)
      for (int side = 0; side < SIDES && x != y && events[x].thread >= 0; side++)
        if (event_same_sequence(&events[x], &events[y])) rel_add(e->shape, e->bound[side][i], x, y);
}

static void set_bound(const struct envelope *e, uint32_t i, enum side side) {
  const struct cat_node *n = &e->ir->nodes[i];
  const word *a = is_nullary(n->op) ? NULL : e->bound[operand_side(n->op, 0, side)][n->a];
  const word *b = is_binary(n->op) ? e->bound[operand_side(n->op, 1, side)][n->b] : NULL;
  bool masks = n->op == CAT_SEQ && (e->ir->nodes[n->a].op == CAT_TOID || e->ir->nodes[n->b].op == CAT_TOID);
  bool others = (n->op == CAT_SEQ && !masks) || n->op == CAT_PLUS || n->op == CAT_STAR || n->op == CAT_DOMAIN ||
                n->op == CAT_RANGE || n->op == CAT_REC || n->op == CAT_CHOSEN;
  if (others && side == UPPER)
    fill(e->shape, n->type, e->bound[side][i]);
  else if (n->op != CAT_REC && n->op != CAT_CHOSEN)
    node_apply_in(e->shape, e->ir, i, e->bound[side][i], a, b);
}

static void add_ends(struct shape s, enum cat_type type, const word *value, word *out) {
  word range[s.w];
  if (type == CAT_SET) {
    words_or(s.w, out, out, value);
    return;
  }
  rel_range(s, range, value);
  words_or(s.w, out, out, range);
  rel_domain(s, range, value);
  words_or(s.w, out, out, range);
}

void possible_model_flags_find(const struct cat_ir *ir, const struct execution *events, const bool *skip, word *out) {
  struct arena *arena = arena_new();
  struct envelope e = {.arena = arena, .ir = ir, .events = events, .shape = events->shape};
  for (int side = 0; side < SIDES; side++) {
    e.bound[side] = ARENA_ARRAY(arena, word *, ir->node_count);
    for (uint32_t i = 0; i < ir->node_count; i++)
      e.bound[side][i] = ARENA_ARRAY(arena, word, node_words(e.shape, ir->nodes[i].type));
  }
  e.kinds = ARENA_ARRAY(arena, word *, ir->node_count);
  e.exact = ARENA_ARRAY(arena, bool, ir->node_count);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    size_t size = node_words(e.shape, ir->nodes[i].type);
    e.kinds[i] = ARENA_ARRAY(arena, word, size);
    set_kinds(&e, i);
    if (ir->nodes[i].op == CAT_BASE)
      set_base(&e, i);
    else if (is_po_either_way(ir, &ir->nodes[i]))
      set_either_way(&e, i);
    else
      for (int side = 0; side < SIDES; side++) set_bound(&e, i, (enum side)side);
    words_and(size, e.bound[UPPER][i], e.bound[UPPER][i], e.kinds[i]);
  }
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *c = &ir->checks[i];
    if ((skip && skip[i]) || !removal_asks_for_some(c)) continue;
    add_ends(e.shape, ir->nodes[c->node].type, e.bound[UPPER][c->node], out);
  }
  arena_free(arena);
}

bool possible_flag(const struct cat_ir *ir, const struct program *program, uint32_t check) {
  struct arena *arena = arena_new();
  const struct structure *all = possible_events(arena, program);
  bool possible = !all || !removal_asks_for_some(&ir->checks[check]);
  if (!possible) {
    bool *skip = ARENA_ARRAY(arena, bool, ir->check_count);
    for (uint32_t i = 0; i < ir->check_count; i++) skip[i] = i != check;
    word *found = ARENA_ARRAY(arena, word, all->execution.shape.w);
    possible_model_flags_find(ir, &all->execution, skip, found);
    possible = !words_empty(all->execution.shape.w, found);
  }
  arena_free(arena);
  return possible;
}
