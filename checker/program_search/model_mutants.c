/* SPDX-License-Identifier: MIT */
/* Mutants are copies of the model's graph in which the nodes of one operation of its
 * text repeat one of their operands. */
#include "checker/program_search/model_mutants.h"

#include <string.h>

#include "checker/base/path.h"
#include "checker/base/vec.h"
#include "checker/cat/syntax.h"

struct maker {
  struct arena *arena;
  const struct judge_model *of;
  const char **rules; /* by node; NULL: no check depends on it */
  VEC(struct model_mutant) list;
};

/* Names an operand that has no rule yet; was it so? */
static bool name_operand(struct maker *m, uint32_t operand, const char *rule) {
  if (m->rules[operand]) return false;
  m->rules[operand] = rule;
  return true;
}

static bool name_operands(struct maker *m, uint32_t i) {
  const struct cat_node *n = &m->of->model->ir.nodes[i];
  unsigned operands = cat_operand_count(n->op);
  bool any = false;
  if (!m->rules[i]) return false;
  if (n->name) m->rules[i] = n->name;
  if (operands > 0) any |= name_operand(m, n->a, m->rules[i]);
  if (operands > 1) any |= name_operand(m, n->b, m->rules[i]);
  return any;
}

/* Each node's rule: its own name, or that of what it is a part of.  The body of a recursive
 * definition is after its variable, and is reached in the next round. */
static void name_rules(struct maker *m) {
  const struct cat_ir *ir = &m->of->model->ir;
  bool any = true;
  m->rules = ARENA_ARRAY(m->arena, const char *, ir->node_count);
  for (uint32_t c = 0; c < ir->check_count; c++) m->rules[ir->checks[c].node] = ir->checks[c].name;
  while (any) {
    any = false;
    for (uint32_t i = ir->node_count; i-- > 0;) any |= name_operands(m, i);
  }
}

/* `vulkan-base.cat:58`, where the part stands; NULL: in no text. */
static const char *place_of(struct arena *arena, const struct exp *part) {
  if (!part || !part->source) return NULL;
  unsigned line, column;
  source_position(part->source, part->span.at, &line, &column);
  return arena_printf(arena, "%s:%u", path_last(part->source->name), line);
}

enum { SHOWN_OPERAND = 60 };

/* ` rf`, what stands on the right of a binary operation; "": it is none. */
static const char *right_operand(struct arena *arena, const struct cat_node *node) {
  const struct exp *right = node->from;
  bool binary = node->op == CAT_UNION || node->op == CAT_INTER || node->op == CAT_DIFF || node->op == CAT_SEQ;
  if (!binary || !right || !right->source) return "";
  const char *text = right->source->text + right->span.at;
  size_t length = strcspn(text, "\r\n");
  if (length > right->span.length) length = right->span.length;
  if (length > SHOWN_OPERAND) length = SHOWN_OPERAND;
  return arena_printf(arena, " %.*s%s", (int)length, text, length < right->span.length ? " ..." : "");
}

static void add(struct maker *m, const struct judge_model *model, const char *rule, const char *what) {
  *vec_push(m->arena, &m->list) = (struct model_mutant){*model, rule, what};
}

/* Are two nodes the same operation of the text, in uses of a function, say? */
static bool same_operation(const struct cat_node *a, const struct cat_node *b) {
  return a->from && a->from == b->from && a->op == b->op;
}

static void replace(struct cat_node *node, bool by_right) {
  node->op = CAT_UNION;
  node->a = node->b = by_right != node->swapped ? node->b : node->a;
}

/* The model in which node `i`, and those that are the same operation, are one of their operands. */
static void add_replaced(struct maker *m, uint32_t i, bool by_right, const char *what) {
  const struct cat_ir *ir = &m->of->model->ir;
  struct cat_model *model = ARENA_COPY(m->arena, struct cat_model, m->of->model, 1);
  model->ir.nodes = ARENA_COPY(m->arena, struct cat_node, ir->nodes, ir->node_count);
  for (uint32_t k = i; k < ir->node_count; k++)
    if (k == i || same_operation(&ir->nodes[i], &ir->nodes[k])) replace(&model->ir.nodes[k], by_right);
  model->ir.orders_all = true; /* what was left out may have said which writes' order matters */
  model->plain = NULL;
  struct judge_model judge = *m->of;
  judge.model = model;
  const char *place = place_of(m->arena, ir->nodes[i].from), *right = right_operand(m->arena, &ir->nodes[i]);
  add(m, &judge, m->rules[i], place ? arena_printf(m->arena, "%s%s (%s)", what, right, place) : what);
}

/* The sign of a unary operation is left out where its operand stays, which is its left one. */
static void add_of_node(struct maker *m, uint32_t i) {
  const struct cat_ir *ir = &m->of->model->ir;
  const struct cat_node *n = &ir->nodes[i];
  switch (n->op) {
    case CAT_UNION:
    case CAT_INTER:
      add_replaced(m, i, true, n->op == CAT_UNION ? "without the first part of |" : "without the first part of &");
      add_replaced(m, i, false, n->op == CAT_UNION ? "without the second part of |" : "without the second part of &");
      break;
    case CAT_DIFF:
      add_replaced(m, i, false, "without the second part of \\");
      break;
    case CAT_SEQ:
      if (ir->nodes[n->a].op == CAT_TOID) add_replaced(m, i, true, "without the set before ;");
      if (ir->nodes[n->b].op == CAT_TOID) add_replaced(m, i, false, "without the set after ;");
      break;
    case CAT_OPT:
      add_replaced(m, i, false, "without ?");
      break;
    case CAT_PLUS:
      add_replaced(m, i, false, "without +");
      break;
    default:
      break;
  }
}

/* Has an earlier node the same operation? */
static bool is_repeated(const struct maker *m, uint32_t i) {
  const struct cat_ir *ir = &m->of->model->ir;
  for (uint32_t k = 0; k < i; k++)
    if (m->rules[k] && same_operation(&ir->nodes[k], &ir->nodes[i])) return true;
  return false;
}

static void add_without_check(struct maker *m, uint32_t check) {
  const struct cat_ir *ir = &m->of->model->ir;
  bool *skip = ARENA_ARRAY(m->arena, bool, ir->check_count);
  if (m->of->skip) memcpy(skip, m->of->skip, ir->check_count * sizeof *skip);
  if (skip[check]) return;
  skip[check] = true;
  struct judge_model judge = *m->of;
  judge.skip = skip;
  add(m, &judge, ir->checks[check].name, "left out");
}

struct model_mutant *model_mutants(struct arena *arena, const struct judge_model *of, size_t *count) {
  struct maker m = {.arena = arena, .of = of};
  const struct cat_ir *ir = &of->model->ir;
  *count = 0;
  if (ir->dynamic || of->model->judge) return NULL;
  name_rules(&m);
  for (uint32_t c = 0; c < ir->check_count; c++) add_without_check(&m, c);
  for (uint32_t i = 0; i < ir->node_count; i++)
    if (m.rules[i] && !is_repeated(&m, i)) add_of_node(&m, i);
  *count = m.list.count;
  return m.list.at;
}
