/* SPDX-License-Identifier: MIT */
#include "checker/exec/node.h"

/* The set whose identity a relation [set] is. */
static void diagonal(struct shape s, word *set, const word *r) {
  words_clear(s.w, set);
  for (unsigned a = 0; a < s.n; a++) words_or(s.w, set, set, rel_row_const(s, r, a));
}

static void sequence(struct shape s, const struct cat_ir *ir, const struct cat_node *node, word *out, const word *a,
                     const word *b) {
  bool left = ir->nodes[node->a].op == CAT_TOID, right = ir->nodes[node->b].op == CAT_TOID;
  if (!left && !right) {
    rel_compose(s, out, a, b);
    return;
  }
  word set[s.w];
  diagonal(s, set, left ? a : b);
  if (left)
    rel_keep_rows(s, out, set, b);
  else
    rel_keep_columns(s, out, a, set);
}

void node_apply(struct shape s, const struct cat_ir *ir, uint32_t index, word *out, const word *a, const word *b) {
  const struct cat_node *node = &ir->nodes[index];
  size_t words = node_words(s, node->type);
  switch (node->op) {
    case CAT_BASE:
    case CAT_REC:
    case CAT_EMPTY:
      words_clear(words, out);
      break;
    case CAT_UNION:
      words_or(words, out, a, b);
      break;
    case CAT_INTER:
      words_and(words, out, a, b);
      break;
    case CAT_DIFF:
      words_minus(words, out, a, b);
      break;
    case CAT_COMPL:
      if (node->type == CAT_SET)
        set_complement(s, out, a);
      else
        rel_complement(s, out, a);
      break;
    case CAT_SEQ:
      sequence(s, ir, node, out, a, b);
      break;
    case CAT_INVERSE:
      rel_inverse(s, out, a);
      break;
    case CAT_PLUS:
      words_copy(words, out, a);
      rel_close(s, out);
      break;
    case CAT_STAR:
      words_copy(words, out, a);
      rel_close(s, out);
      rel_reflexive(s, out);
      break;
    case CAT_OPT:
      words_copy(words, out, a);
      rel_reflexive(s, out);
      break;
    case CAT_TOID:
      rel_on_set(s, out, a);
      break;
    case CAT_CROSS:
      rel_cross(s, out, a, b);
      break;
    case CAT_DOMAIN:
      rel_domain(s, out, a);
      break;
    case CAT_RANGE:
      rel_range(s, out, a);
      break;
  }
}

bool node_check(struct shape s, const struct cat_ir *ir, const struct cat_check *check, const word *value,
                word *scratch) {
  switch (check->kind) {
    case CHECK_ACYCLIC:
      return rel_acyclic(s, value, scratch);
    case CHECK_IRREFLEXIVE:
      return rel_irreflexive(s, value);
    case CHECK_EMPTY:
      return words_empty(node_words(s, ir->nodes[check->node].type), value);
  }
  return false;
}
