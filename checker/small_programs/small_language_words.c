/* SPDX-License-Identifier: MIT */
/* What the tables of languages of small programs say. */
#include "checker/small_programs/small_language_words.h"

#include <string.h>

#include "checker/litmus/repair_moves.h"

const char *small_word_for(const struct small_word *words, char letter) {
  while (words->letter && words->letter != letter) words++;
  return words->word;
}

bool small_is_scoped(const struct small_language *language) {
  return !small_has_scope(language, 'a');
}

bool small_has_scope(const struct small_language *language, char scope) {
  return scope == 'n' || small_word_for(language->scopes, scope);
}

bool small_has_clusters(const struct small_language *language) {
  return !language->families && small_has_scope(language, 'q');
}

bool small_has_order(const struct small_language *language, char kind, char order) {
  return small_word_for(language->orders, order) && (kind == 'F' || !strchr(language->fence_orders, order));
}

bool small_has_words(const struct small_language *language) {
  const struct move_words *words = litmus_move_words(language->tests);
  return words && words->separator == '.';
}

const char *small_barrier_word(const struct small_language *language) {
  const struct move_words *words = litmus_move_words(language->tests);
  return words && words->barriers ? words->barriers[0] : NULL;
}

const char *small_class_word(const struct small_language *language) {
  const struct move_words *words = litmus_move_words(language->tests);
  return words ? words->class : NULL;
}

char small_order(const struct small_op *op) {
  if (op->scope == 'n') return 'n';
  if (op->order) return op->order;
  return op->kind == 'W' ? 'l' : op->kind == 'R' ? 'q' : 'a';
}

bool small_is_remote(const struct small_op *op) {
  return op->scope == 'D' || op->scope == 'S';
}

const char *small_order_word(const struct small_program *p, const struct small_op *op) {
  return small_word_for(p->language->orders, small_order(op));
}

const char *small_scope_word(const struct small_program *p, const struct small_op *op) {
  const char *word = small_word_for(p->language->scopes, op->scope);
  return word ? word : ""; /* of ordinary accesses */
}
