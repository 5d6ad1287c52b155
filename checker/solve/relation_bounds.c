/* SPDX-License-Identifier: MIT */
/* One pass over the model's graph, both bounds of a node from both bounds of its operands: complements and right
 * sides of differences swap them. What leads over an event between is certain only where that event is. */
#include "checker/solve/relation_bounds.h"

#include "checker/cat/node_operators.h"
#include "checker/exec/predefined_relations.h"

struct bounding {
  struct arena *arena;
  const struct formula *f;
  const struct plan *plan;
  struct relation_bounds *c;
  word *certain; /* executed in every candidate */
  word *scratch;
};

/* ---- The events of all paths ------------------------------------------------------------ */

static void relate_reads(const struct bounding *b, const struct tree_node *node, const unsigned *reads, unsigned count,
                         unsigned to, word *out) {
  for (unsigned i = 0; i < count; i++) rel_add(b->c->shape, out, node->events[reads[i]], to);
}

static void relate_node(const struct bounding *b, const struct tree_node *node, word *po, word *rmw) {
  const struct tree *tree = b->f->tree;
  const struct path *path = node->path;
  for (unsigned i = node->first_event; i < path->event_count; i++) {
    SET_EACH (before, tree->shape.w, rel_row_const(tree->shape, tree->earlier, node->events[i]))
      if (event_same_sequence(&tree->events.at[before].event, &path->events[i].event))
        rel_add(b->c->shape, po, before, node->events[i]);
    if (path->events[i].event.rmw && path->events[i].event.kind == EVENT_READ && i + 1 < path->event_count)
      rel_add(b->c->shape, rmw, node->events[i], node->events[i + 1]);
  }
}

static void gather_all(struct bounding *b) {
  const struct tree *tree = b->f->tree;
  size_t count = tree->events.count, words = rel_words(b->c->shape);
  struct event *events = ARENA_ARRAY(b->arena, struct event, count + 1);
  word *po = ARENA_ARRAY(b->arena, word, words), *rmw = ARENA_ARRAY(b->arena, word, words);
  word *addr = ARENA_ARRAY(b->arena, word, words), *data = ARENA_ARRAY(b->arena, word, words);
  word *ctrl = ARENA_ARRAY(b->arena, word, words), *rf = ARENA_ARRAY(b->arena, word, words);
  word *co = ARENA_ARRAY(b->arena, word, words), *fences = ARENA_ARRAY(b->arena, word, words);
  for (unsigned i = 0; i < count; i++) {
    const struct tree_event *e = &tree->events.at[i];
    events[i] = e->event;
    if (formula_executed(b->f, i) == SAT_TRUE) set_add(b->certain, i);
    if (!e->own) continue;
    const struct tree_node *node = &tree->nodes.at[e->node];
    relate_reads(b, node, e->own->addr, e->own->addr_count, i, addr);
    relate_reads(b, node, e->own->data, e->own->data_count, i, data);
    relate_reads(b, node, e->own->ctrl, e->own->ctrl_count, i, ctrl);
  }
  for (size_t i = 0; i < tree->nodes.count; i++) relate_node(b, &tree->nodes.at[i], po, rmw);
  for (size_t i = 0; i < b->f->sources.count; i++)
    rel_add(b->c->shape, rf, b->f->sources.at[i].write, b->f->sources.at[i].read);
  for (unsigned x = 0; x < count; x++)
    for (unsigned y = 0; y < count; y++) {
      int order = formula_order(b->f, x, y);
      if (order && order != SAT_FALSE) rel_add(b->c->shape, events[x].kind == EVENT_WRITE ? co : fences, x, y);
    }
  b->c->all = (struct execution){.program = tree->program,
                                 .shape = b->c->shape,
                                 .events = events,
                                 .po = po,
                                 .rf = rf,
                                 .co = co,
                                 .sync_fence = fences,
                                 .rmw = rmw,
                                 .addr = addr,
                                 .data = data,
                                 .ctrl = ctrl};
}

/* ---- Bounds of nodes -------------------------------------------------------------------- */

static void bound_base(struct bounding *b, uint32_t i, word *lower, word *upper) {
  const struct cat_node *node = &b->plan->ir->nodes[i];
  size_t words = node_words(b->c->shape, node->type);
  if (node->base == BASE_SAME_VALUE || node->base == BASE_FW) {
    if (node->type == CAT_SET)
      set_fill(b->c->shape, upper);
    else
      rel_fill(b->c->shape, upper);
    return;
  }
  words_copy(words, upper, execution_node(b->arena, &b->c->all, node));
  if (!plan_varies(node->base, b->plan->chosen)) {
    words_copy(words, lower, upper);
    return;
  }
  for (unsigned x = b->f->tree->init_count; node->base == BASE_SAME_B && x < b->c->shape.n; x++)
    SET_EACH (y, b->c->shape.w, rel_row_const(b->c->shape, upper, x))
      if (b->f->present[x] == SAT_TRUE && b->f->blocked[y] == SAT_FALSE) rel_add(b->c->shape, lower, x, y);
  if (node->base != BASE_CO) return;
  for (unsigned x = 0; x < b->f->tree->init_count; x++)
    words_copy(b->c->shape.w, rel_row(b->c->shape, lower, x), rel_row_const(b->c->shape, upper, x));
}

/* a ; b where the event between is sure to be there, or is one of the ends. */
static void lower_sequence(struct bounding *b, uint32_t i, word *out, const word *x, const word *y) {
  const struct cat_node *node = &b->plan->ir->nodes[i], *nodes = b->plan->ir->nodes;
  if (node_mask(node, nodes[node->a].op, nodes[node->b].op) != MASK_NONE) {
    node_apply_in(b->c->shape, b->plan->ir, i, out, x, y);
    return;
  }
  rel_keep_columns(b->c->shape, b->scratch, x, b->certain);
  rel_compose(b->c->shape, out, b->scratch, y);
}

static void lower_ends(struct bounding *b, enum cat_op op, word *out, const word *x) {
  struct shape s = b->c->shape;
  if (op == CAT_DOMAIN) {
    rel_keep_columns(s, b->scratch, x, b->certain);
    rel_domain(s, out, b->scratch);
  } else {
    rel_keep_rows(s, b->scratch, b->certain, x);
    rel_range(s, out, b->scratch);
  }
  for (unsigned e = 0; e < s.n; e++)
    if (rel_has(s, x, e, e)) set_add(out, e);
}

static void bound_node(struct bounding *b, uint32_t i) {
  sat_poll(b->f->sat);
  const struct cat_node *node = &b->plan->ir->nodes[i];
  struct relation_bounds *c = b->c;
  const struct cat_ir *ir = b->plan->ir;
  const word *lower[2] = {NULL, NULL}, *upper[2] = {NULL, NULL};
  if (cat_operand_count(node->op) > 0) lower[0] = c->lower[node->a], upper[0] = c->upper[node->a];
  if (cat_operand_count(node->op) > 1) lower[1] = c->lower[node->b], upper[1] = c->upper[node->b];
  switch (node->op) {
    case CAT_BASE:
      bound_base(b, i, c->lower[i], c->upper[i]);
      return;
    case CAT_COMPL:
      node_apply_in(c->shape, ir, i, c->lower[i], upper[0], NULL);
      node_apply_in(c->shape, ir, i, c->upper[i], lower[0], NULL);
      return;
    case CAT_DIFF:
      node_apply_in(c->shape, ir, i, c->lower[i], lower[0], upper[1]);
      node_apply_in(c->shape, ir, i, c->upper[i], upper[0], lower[1]);
      return;
    case CAT_SEQ:
      lower_sequence(b, i, c->lower[i], lower[0], lower[1]);
      break;
    case CAT_PLUS: /* what goes over others may miss one of them */
      words_copy(node_words(c->shape, node->type), c->lower[i], lower[0]);
      break;
    case CAT_STAR:
      words_copy(node_words(c->shape, node->type), c->lower[i], lower[0]);
      rel_reflexive(c->shape, c->lower[i]);
      break;
    case CAT_DOMAIN:
    case CAT_RANGE:
      lower_ends(b, node->op, c->lower[i], lower[0]);
      break;
    default:
      node_apply_in(c->shape, ir, i, c->lower[i], lower[0], lower[1]);
      break;
  }
  node_apply_in(c->shape, ir, i, c->upper[i], upper[0], upper[1]);
}

/* Recursive variables: from nothing up, or anything where they need not be monotone. */
static uint32_t bound_group(struct bounding *b, uint32_t first) {
  const struct cat_node *nodes = b->plan->ir->nodes;
  uint32_t end = nodes[first].group_end;
  bool grows = false;
  for (uint32_t i = first; i < end && nodes[i].op == CAT_REC; i++) grows |= nodes[i].grows;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = first; i < end; i++)
      if (nodes[i].op != CAT_REC && b->plan->needed[i]) bound_node(b, i);
    for (uint32_t i = first; i < end && nodes[i].op == CAT_REC; i++) {
      if (!b->plan->needed[i]) continue;
      size_t words = node_words(b->c->shape, nodes[i].type);
      again |= !words_equal(words, b->c->upper[i], b->c->upper[nodes[i].a]);
      words_copy(words, b->c->upper[i], b->c->upper[nodes[i].a]);
    }
    again &= !grows;
  }
  for (uint32_t i = first; grows && i < end; i++) {
    if (!b->plan->needed[i]) continue;
    words_clear(node_words(b->c->shape, nodes[i].type), b->c->lower[i]);
    if (nodes[i].type == CAT_SET)
      set_fill(b->c->shape, b->c->upper[i]);
    else
      rel_fill(b->c->shape, b->c->upper[i]);
  }
  return end;
}

struct relation_bounds *relation_bounds_new(struct arena *arena, const struct formula *f, const struct plan *plan) {
  struct relation_bounds *c = ARENA_NEW(arena, struct relation_bounds);
  uint32_t count = plan->ir->node_count;
  *c = (struct relation_bounds){.shape = shape_of((unsigned)f->tree->events.count),
                                .lower = ARENA_ARRAY(arena, word *, count + 1),
                                .upper = ARENA_ARRAY(arena, word *, count + 1)};
  struct bounding b = {.arena = arena, .f = f, .plan = plan, .c = c};
  b.certain = ARENA_ARRAY(arena, word, set_words(c->shape));
  b.scratch = ARENA_ARRAY(arena, word, rel_words(c->shape));
  gather_all(&b);
  for (uint32_t i = 0; i < count; i++) {
    if (!plan->needed[i]) continue;
    c->lower[i] = ARENA_ARRAY(arena, word, node_words(c->shape, plan->ir->nodes[i].type));
    c->upper[i] = ARENA_ARRAY(arena, word, node_words(c->shape, plan->ir->nodes[i].type));
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!plan->needed[i]) continue;
    if (plan->ir->nodes[i].op == CAT_REC)
      i = bound_group(&b, i) - 1;
    else
      bound_node(&b, i);
  }
  return c;
}
