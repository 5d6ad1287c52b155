/* SPDX-License-Identifier: MIT */
/* A flat table of what each operator does to words.  Only composition has two
 * ways: with the identity on a set it is a mask, not a product.
 */
#include "checker/cat/node_operators.h"

static void sequence(struct shape s, enum node_mask mask, word *out, const word *a, const word *b) {
  if (mask == MASK_NONE) {
    rel_compose(s, out, a, b);
    return;
  }
  word set[s.w]; /* whose identity a relation [set] is */
  rel_range(s, set, mask == MASK_ROWS ? a : b);
  if (mask == MASK_ROWS)
    rel_keep_rows(s, out, set, b);
  else
    rel_keep_columns(s, out, a, set);
}

void node_apply(struct shape s, const struct cat_node *node, enum node_mask mask, word *out, const word *a,
                const word *b) {
  size_t words = node_words(s, node->type);
  switch (node->op) {
    case CAT_BASE:
    case CAT_REC:
    case CAT_EMPTY:
    case CAT_CHOSEN:
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
      sequence(s, mask, out, a, b);
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

bool node_check(struct shape s, enum cat_check_kind kind, enum cat_type type, const word *value, word *scratch) {
  switch (kind) {
    case CHECK_ACYCLIC:
      return rel_acyclic(s, value, scratch);
    case CHECK_IRREFLEXIVE:
      return rel_irreflexive(s, value);
    case CHECK_EMPTY:
      return words_empty(node_words(s, type), value);
  }
  return false;
}
