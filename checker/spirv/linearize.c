/* SPDX-License-Identifier: MIT */
/* Nodes in order, as one list of instructions: a loop's nodes are together, its head first, so
 * that only loops jump backwards (the weak topological order of Bourdoncle, "Efficient chaotic
 * iteration strategies with widenings", 1993, figure 4). */
#include <limits.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

struct ordering {
  struct work_item *w;
  unsigned *number; /* by node: of its visit; 0: not visited, UINT_MAX: placed */
  unsigned visits;
  VEC(unsigned) stack;
  VEC(unsigned) placed; /* last first */
};

/* Where one gets to from here by nodes that do nothing. */
static unsigned resolve(const struct work_item *w, unsigned node) {
  for (size_t steps = 0; steps <= w->nodes.count; steps++) {
    const struct node *n = &w->nodes.at[node];
    if (n->end != NODE_GOTO || n->code.count) return node;
    node = n->to[0];
  }
  return node; /* a loop that does nothing */
}

static unsigned succ_count(const struct node *node) {
  return node->end == NODE_BRANCH ? 2 : node->end == NODE_GOTO ? 1 : 0;
}

static unsigned visit(struct ordering *o, unsigned v);

static void place_component(struct ordering *o, unsigned v) {
  const struct node *node = &o->w->nodes.at[v];
  for (unsigned i = 0; i < succ_count(node); i++) {
    unsigned to = resolve(o->w, node->to[i]);
    if (!o->number[to]) visit(o, to);
  }
}

static unsigned pop(struct ordering *o) {
  return o->stack.at[--o->stack.count];
}

static unsigned visit(struct ordering *o, unsigned v) {
  const struct node *node = &o->w->nodes.at[v];
  *vec_push(o->w->scratch, &o->stack) = v;
  unsigned head = o->number[v] = ++o->visits;
  bool loop = false;
  for (unsigned i = 0; i < succ_count(node); i++) {
    unsigned to = resolve(o->w, node->to[i]), least = o->number[to] ? o->number[to] : visit(o, to);
    if (least > head) continue;
    head = least;
    loop = true;
  }
  if (head != o->number[v]) return head;
  o->number[v] = UINT_MAX;
  unsigned element = pop(o);
  if (loop) {
    for (; element != v; element = pop(o)) o->number[element] = 0;
    place_component(o, v);
  }
  *vec_push(o->w->scratch, &o->placed) = v;
  return head;
}

/* ---- instructions without use ---- */

/* Does it do nothing but set its register: to a value, or to one that may be any? */
static bool only_sets(const struct work_item *w, const struct instr *instr) {
  return (instr->kind == INSTR_ASSIGN && !expr_has(instr->value, expr_divides)) ||
         (instr->kind == INSTR_LOAD && instr->address.base >= w->k->cell_count);
}

/* Instructions for registers that nobody reads are left out. */
static bool drop_unused(struct work_item *w, const struct ordering *o) {
  bool *used = ARENA_ARRAY(w->scratch, bool, w->register_count + 1u), dropped = false;
  for (size_t i = 0; i < o->placed.count; i++) {
    const struct node *node = &w->nodes.at[o->placed.at[i]];
    if (node->end == NODE_BRANCH) expr_mark_registers(node->condition, used);
    for (size_t j = 0; j < node->code.count; j++) instr_mark_registers(&node->code.at[j], used);
  }
  for (size_t i = 0; i < o->placed.count; i++) {
    struct node *node = &w->nodes.at[o->placed.at[i]];
    size_t kept = 0;
    ARRAY_EACH (const struct instr, instr, node->code.at, node->code.count) {
      bool drop = only_sets(w, instr) && !used[instr->reg];
      dropped |= drop;
      if (!drop) node->code.at[kept++] = *instr;
    }
    node->code.count = kept;
  }
  return dropped;
}

/* ---- the list ---- */

struct listing {
  struct work_item *w;
  VEC(struct instr) code;
  unsigned *position; /* by node */
};

static struct instr *add(struct listing *l, enum instr_kind kind, struct span span) {
  struct instr *instr = vec_push(l->w->arena, &l->code);
  *instr = (struct instr){.kind = kind, .reg = NO_REG, .barrier_label = -1, .span = span};
  return instr;
}

/* `target` is a node until all have their positions. */
static void add_end(struct listing *l, const struct node *node, unsigned next) {
  unsigned stop = (unsigned)l->w->nodes.count;
  if (node->end == NODE_STOP) {
    if (next != stop) add(l, INSTR_JUMP, node->span)->target = stop;
    return;
  }
  unsigned yes = resolve(l->w, node->to[0]);
  if (node->end == NODE_BRANCH) {
    unsigned no = resolve(l->w, node->to[1]);
    bool turned = no == next;
    struct instr *branch = add(l, INSTR_BRANCH, node->span);
    branch->value = turned ? expr_new(l->w->arena, EXPR_LNOT, node->condition, NULL, NULL) : node->condition;
    branch->target = turned ? yes : no;
    if (turned) return;
  }
  if (yes != next) add(l, INSTR_JUMP, node->span)->target = yes;
}

void layout_thread(struct work_item *w, struct thread *thread) {
  struct ordering o = {.w = w, .number = ARENA_ARRAY(w->scratch, unsigned, w->nodes.count + 1)};
  struct listing l = {.w = w, .position = ARENA_ARRAY(w->scratch, unsigned, w->nodes.count + 1)};
  visit(&o, resolve(w, 0));
  while (drop_unused(w, &o)) continue;
  for (size_t i = o.placed.count; i-- > 0;) {
    const struct node *node = &w->nodes.at[o.placed.at[i]];
    l.position[o.placed.at[i]] = (unsigned)l.code.count;
    for (size_t j = 0; j < node->code.count; j++) *vec_push(w->arena, &l.code) = node->code.at[j];
    add_end(&l, node, i ? o.placed.at[i - 1] : (unsigned)w->nodes.count);
  }
  l.position[w->nodes.count] = (unsigned)l.code.count;
  for (size_t i = 0; i < l.code.count; i++)
    if (l.code.at[i].kind == INSTR_BRANCH || l.code.at[i].kind == INSTR_JUMP)
      l.code.at[i].target = l.position[l.code.at[i].target];
  thread->instrs = l.code.at;
  thread->instr_count = (unsigned)l.code.count;
  thread->reg_count = w->register_count;
  thread->reg_names = ARENA_ARRAY(w->arena, const char *, w->register_count + 1u);
  thread->reg_init = ARENA_ARRAY(w->arena, int64_t, w->register_count + 1u);
}
