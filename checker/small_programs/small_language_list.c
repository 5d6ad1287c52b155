/* SPDX-License-Identifier: MIT */
/* The list of languages of small programs, and what each does not have. */
#include "checker/small_programs/small_language_list.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/small_programs/small_language_words.h"

#define SMALL_LISTED(name) &small_##name,
const struct small_language *const small_languages[] = {SMALL_LANGUAGES(SMALL_LISTED, ) NULL};
enum { LISTED = ARRAY_COUNT(small_languages) - 1 };

static bool has_addresses(const struct small_language *l, const struct small_op *op) {
  return op->dependency != '&' || l->addresses;
}

static bool has_words(const struct small_language *l, const struct small_op *op) {
  return !op->words || small_has_words(l);
}

static bool has_barriers(const struct small_language *l, const struct small_op *op) {
  return op->kind != 'B' || small_barrier_word(l);
}

static bool has_exchanges(const struct small_language *l, const struct small_op *op) {
  return op->words || op->kind != 'X' || strchr(l->kinds, 'X');
}

static bool has_compares(const struct small_language *l, const struct small_op *op) {
  return op->words || op->kind != 'C' || strchr(l->kinds, 'C');
}

static bool has_local(const struct small_language *l, const struct small_op *op) {
  return op->words || !small_is_access(op) || op->location < SMALL_GLOBALS || l->local;
}

static bool has_scopes(const struct small_language *l, const struct small_op *op) {
  return op->kind == 'B' || strchr("na", op->scope) || small_is_scoped(l);
}

static bool has_unscoped(const struct small_language *l, const struct small_op *op) {
  return op->scope != 'a' || small_has_scope(l, 'a');
}

static bool has_remote(const struct small_language *l, const struct small_op *op) {
  return !small_is_remote(op) || small_has_scope(l, op->scope);
}

static bool has_middle(const struct small_language *l, const struct small_op *op) {
  return op->scope != 'q' || small_has_scope(l, 'q');
}

static bool has_system(const struct small_language *l, const struct small_op *op) {
  return op->scope != 's' || small_has_scope(l, 's');
}

static bool has_consistency(const struct small_language *l, const struct small_op *op) {
  return op->order != 'c' || small_has_order(l, 'F', 'c');
}

static bool has_consistent_accesses(const struct small_language *l, const struct small_op *op) {
  return op->order != 'c' || small_has_order(l, op->kind, 'c');
}

/* Whom a message names: the language, those that have it, those that do not. */
enum named { ITSELF, THOSE_WITH, THOSE_WITHOUT };

static const struct aspect {
  bool (*has)(const struct small_language *language, const struct small_op *op);
  enum named named;
  const char *message;
} ASPECTS[] = {
    {has_addresses, THOSE_WITHOUT, "tests in %s have no addresses that depend on what was read"},
    {has_words, THOSE_WITH, "only operations of %s have their words in braces"},
    {has_barriers, ITSELF, "%s has no barriers"},
    {has_exchanges, THOSE_WITH, "only programs of %s have exchanges"},
    {has_compares, THOSE_WITH, "only programs of %s have compare-exchanges"},
    {has_local, THOSE_WITH, "only programs of %s have local memory"},
    {has_scopes, ITSELF, "%s has no scopes"},
    {has_unscoped, THOSE_WITH, "only %s %s atomic operations without a scope"},
    {has_remote, THOSE_WITH, "only %s %s remote operations"},
    {has_middle, THOSE_WITH, "only %s %s a scope between work-groups and devices"},
    {has_system, ITSELF, "%s has no scope of all devices"},
    {has_consistency, ITSELF, "%s has no sequential consistency"},
    {has_consistent_accesses, ITSELF, "only fences of %s are sequentially consistent"},
};

const char *small_language_names(struct arena *arena) {
  const char *names[LISTED];
  for (size_t i = 0; i < LISTED; i++) names[i] = small_languages[i]->name;
  return text_list(arena, names, LISTED, " and ");
}

const char *small_refusal_of_op(struct arena *arena, const struct small_language *language, const struct small_op *op) {
  ARRAY_EACH (const struct aspect, aspect, ASPECTS, ARRAY_COUNT(ASPECTS)) {
    if (aspect->has(language, op)) continue;
    const char *names[LISTED] = {language->called};
    size_t count = aspect->named == ITSELF;
    for (size_t l = 0; l < LISTED && aspect->named != ITSELF; l++)
      if (aspect->has(small_languages[l], op) == (aspect->named == THOSE_WITH))
        names[count++] = small_languages[l]->called;
    return arena_printf(arena, aspect->message, text_list(arena, names, count, " and "), count > 1 ? "have" : "has");
  }
  return NULL;
}

/* ---- what a language has ---- */

static bool fits_kind(const struct small_op *op) {
  if (op->kind == 'R' || op->kind == 'W') return !op->order || op->order == 'r' || op->order == 'c';
  return op->kind != 'F' || op->order != 'r';
}

const char *small_refusal(struct arena *arena, const struct small_program *p) {
  const char *refusal = NULL;
  for (unsigned t = 0; t < p->threads && !refusal; t++)
    for (unsigned i = 0; i < p->count[t] && !refusal; i++) {
      refusal = small_refusal_of_op(arena, p->language, &p->ops[t][i]);
      if (!refusal && !fits_kind(&p->ops[t][i]))
        refusal = "loads do not release, stores do not acquire, and no fence is relaxed";
    }
  return refusal;
}
