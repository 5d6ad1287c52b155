/* SPDX-License-Identifier: MIT */
/* Mutants are copies of the model's graph in which one node repeats one of its
 * operands. */
#include "checker/search/model_mutants.h"

#include <string.h>

#include "checker/base/vec.h"

struct maker {
  struct arena *arena;
  const struct judge_model *of;
  const char **rules; /* by node; NULL: no check hangs on it */
  VEC(struct model_mutant) list;
};

/* Each node's rule: its own name, or that of what it is a part of. */
static void name_rules(struct maker *m) {
  const struct cat_ir *ir = &m->of->model->ir;
  m->rules = ARENA_ARRAY(m->arena, const char *, ir->node_count);
  for (uint32_t c = 0; c < ir->check_count; c++) m->rules[ir->checks[c].node] = ir->checks[c].name;
  for (uint32_t i = ir->node_count; i-- > 0;) {
    const struct cat_node *n = &ir->nodes[i];
    unsigned operands = cat_operand_count(n->op);
    if (!m->rules[i]) continue;
    if (n->name) m->rules[i] = n->name;
    if (operands > 0 && !m->rules[n->a]) m->rules[n->a] = m->rules[i];
    if (operands > 1 && !m->rules[n->b]) m->rules[n->b] = m->rules[i];
  }
}

static void add(struct maker *m, const struct judge_model *model, const char *rule, const char *what) {
  *vec_push(m->arena, &m->list) = (struct model_mutant){*model, rule, what};
}

/* The model in which node `i` is its operand `is`. */
static void add_replaced(struct maker *m, uint32_t i, uint32_t is, const char *what) {
  struct cat_model *model = ARENA_NEW(m->arena, struct cat_model);
  *model = *m->of->model;
  model->ir.nodes = ARENA_ARRAY(m->arena, struct cat_node, model->ir.node_count);
  memcpy(model->ir.nodes, m->of->model->ir.nodes, model->ir.node_count * sizeof *model->ir.nodes);
  struct cat_node *node = &model->ir.nodes[i];
  node->op = CAT_UNION;
  node->a = node->b = is;
  model->ir.orders_all = true; /* what was left out may have said which writes' order matters */
  model->plain = NULL;
  struct judge_model judge = *m->of;
  judge.model = model;
  add(m, &judge, m->rules[i], what);
}

static void add_of_node(struct maker *m, uint32_t i) {
  const struct cat_ir *ir = &m->of->model->ir;
  const struct cat_node *n = &ir->nodes[i];
  switch (n->op) {
    case CAT_UNION:
    case CAT_INTER:
      add_replaced(m, i, n->b, n->op == CAT_UNION ? "without the first part of |" : "without the first part of &");
      add_replaced(m, i, n->a, n->op == CAT_UNION ? "without the second part of |" : "without the second part of &");
      break;
    case CAT_DIFF:
      add_replaced(m, i, n->a, "without the second part of \\");
      break;
    case CAT_SEQ:
      if (ir->nodes[n->a].op == CAT_TOID) add_replaced(m, i, n->b, "without the set before ;");
      if (ir->nodes[n->b].op == CAT_TOID) add_replaced(m, i, n->a, "without the set after ;");
      break;
    case CAT_OPT:
      add_replaced(m, i, n->a, "without ?");
      break;
    case CAT_PLUS:
      add_replaced(m, i, n->a, "without +");
      break;
    default:
      break;
  }
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
    if (m.rules[i]) add_of_node(&m, i);
  *count = m.list.count;
  return m.list.at;
}
