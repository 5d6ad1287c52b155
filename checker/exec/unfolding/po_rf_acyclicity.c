/* SPDX-License-Identifier: MIT */
/* Which nodes of a model's graph hold all of a relation, by their operations. */
#include "checker/exec/unfolding/po_rf_acyclicity.h"

/* `holds`: of the node's operands. */
static bool node_holds(const struct cat_node *n, enum cat_base base, const bool *holds) {
  switch (n->op) {
    case CAT_BASE:
      return n->base == base;
    case CAT_UNION:
      return holds[n->a] || holds[n->b];
    case CAT_INTER:
      return holds[n->a] && holds[n->b];
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
      return holds[n->a];
    default:
      return false;
  }
}

/* By node: does it hold every pair of a base?  false: not known. */
static const bool *find_holding(struct arena *arena, const struct cat_ir *ir, enum cat_base base) {
  bool *holds = ARENA_ARRAY(arena, bool, ir->node_count);
  for (uint32_t i = 0; i < ir->node_count; i++) holds[i] = node_holds(&ir->nodes[i], base, holds);
  return holds;
}

static bool rejects_cycles(const struct cat_check *check) {
  return check->role == ROLE_REQUIRE && !check->negated && check->kind == CHECK_ACYCLIC;
}

bool forbids_po_rf_cycles(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          const struct enumerate_options *options) {
  const struct cat_ir *ir = &model->ir;
  if (!options->prune || options->keep_rejected || options->record || options->through || test->program->kernel_count)
    return false;
  const bool *po = find_holding(arena, ir, BASE_PO), *rf = find_holding(arena, ir, BASE_RF);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    bool counts = rejects_cycles(&ir->checks[i]) && !(options->skip && options->skip[i]);
    if (counts && po[ir->checks[i].node] && rf[ir->checks[i].node]) return true;
  }
  return false;
}
