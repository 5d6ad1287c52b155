/* SPDX-License-Identifier: MIT */
/* Observables and outcomes in the order of herd's logs; values of propositions. */
#include "checker/program/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"

const char *observable_name(const struct program *program, struct observable what) {
  return what.thread < 0 ? program->locations[what.index].name : program->threads[what.thread].reg_names[what.index];
}

struct width observable_width(const struct program *program, struct observable what) {
  if (what.thread < 0) return program->locations[what.index].width;
  const struct thread *thread = &program->threads[what.thread];
  return what.index < thread->reg_typed ? thread->reg_widths[what.index] : (struct width){0};
}

void observable_print_value(const struct program *program, struct observable what, int64_t value, FILE *out) {
  value_print_typed(program, observable_width(program, what), value, out);
}

int observable_compare(const struct program *program, struct observable a, struct observable b) {
  if (a.thread != b.thread) return a.thread < 0 ? 1 : b.thread < 0 ? -1 : a.thread - b.thread;
  if (a.index == b.index) return 0;
  bool cell = a.thread < 0 && location_is_cell(&program->locations[a.index]);
  bool other = a.thread < 0 && location_is_cell(&program->locations[b.index]);
  if (cell != other) return cell ? 1 : -1;
  return strcmp(observable_name(program, a), observable_name(program, b));
}

static int in_order(const void *a, const void *b, void *program) {
  return observable_compare(program, *(const struct observable *)a, *(const struct observable *)b);
}

void observables_sort(const struct program *program, struct observable *observables, size_t count) {
  if (count) qsort_r(observables, count, sizeof *observables, in_order, (void *)(uintptr_t)program);
}

struct observable *observables_all(struct arena *arena, const struct program *program, unsigned *count) {
  VEC(struct observable) all = {0};
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      if (program->threads[t].reg_names[r]) *vec_push(arena, &all) = (struct observable){(int)t, r};
  for (unsigned i = 0; i < program->location_count; i++) *vec_push(arena, &all) = (struct observable){-1, i};
  observables_sort(program, all.at, all.count);
  *count = (unsigned)all.count;
  return all.at;
}

int outcome_compare(const int64_t *a, const int64_t *b, size_t width) {
  for (size_t i = 0; i < width && a != b; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

const struct comparison_word comparison_words[] = {{"==", CMP_EQ}, {"!=", CMP_NE}, {"<=", CMP_LE}, {">=", CMP_GE},
                                                   {"<", CMP_LT},  {">", CMP_GT},  {"=", CMP_EQ},  {NULL, CMP_EQ}};

enum expr_kind compare_expression(enum compare compare) {
  static const enum expr_kind kinds[] = {[CMP_EQ] = EXPR_EQ, [CMP_NE] = EXPR_NE, [CMP_LT] = EXPR_LT,
                                         [CMP_LE] = EXPR_LE, [CMP_GT] = EXPR_GT, [CMP_GE] = EXPR_GE};
  return kinds[compare];
}

int64_t prop_sum(const struct prop *prop, int64_t (*value)(void *context, struct observable what), void *context) {
  uint64_t sum = 0;
  ARRAY_EACH (const struct addend, a, prop->addends, prop->addend_count) {
    uint64_t each = (uint64_t)value(context, a->what);
    sum += a->subtracted ? -each : each;
  }
  return (int64_t)sum;
}

bool prop_sums(const struct prop *prop) {
  return prop && (prop->kind == PROP_SUM || prop_sums(prop->a) || prop_sums(prop->b));
}

bool prop_holds(const struct prop *prop, int64_t (*value)(void *context, struct observable what), void *context) {
  switch (prop->kind) {
    case PROP_TRUE:
      return true;
    case PROP_FALSE:
      return false;
    case PROP_AND:
      return prop_holds(prop->a, value, context) && prop_holds(prop->b, value, context);
    case PROP_OR:
      return prop_holds(prop->a, value, context) || prop_holds(prop->b, value, context);
    case PROP_IMPLIES:
      return !prop_holds(prop->a, value, context) || prop_holds(prop->b, value, context);
    case PROP_NOT:
      return !prop_holds(prop->a, value, context);
    case PROP_COMPARE:
      break;
    case PROP_SUM:
      return expr_apply(compare_expression(prop->compare), prop_sum(prop, value, context), prop->right.value, 0, NULL);
  }
  int64_t left = prop->left.constant ? prop->left.value : value(context, prop->left.what);
  int64_t right = prop->right.constant ? prop->right.value : value(context, prop->right.what);
  return expr_apply(compare_expression(prop->compare), left, right, 0, NULL) != 0;
}

bool prop_has(const struct prop *prop, bool (*holds)(const void *context, struct observable what),
              const void *context) {
  if (!prop) return false;
  const struct operand *sides[] = {&prop->left, &prop->right};
  for (unsigned i = 0; i < 2 && prop->kind == PROP_COMPARE; i++)
    if (!sides[i]->constant && holds(context, sides[i]->what)) return true;
  for (unsigned i = 0; i < prop->addend_count; i++)
    if (holds(context, prop->addends[i].what)) return true;
  return prop_has(prop->a, holds, context) || prop_has(prop->b, holds, context);
}

static bool needs_parentheses(enum prop_kind above, enum prop_kind here) {
  if (above == PROP_AND) return here == PROP_OR || here == PROP_IMPLIES;
  if (above == PROP_OR) return here == PROP_IMPLIES;
  return above == PROP_IMPLIES && (here == PROP_AND || here == PROP_OR);
}

static void print_sum(const struct prop *prop, prop_print_operand *print, const void *context, FILE *out) {
  ARRAY_EACH (const struct addend, a, prop->addends, prop->addend_count) {
    struct operand operand = {.what = a->what};
    fputs(a->subtracted ? " - " : a == prop->addends ? "" : " + ", out);
    print(context, &operand, &prop->right, out);
  }
}

void prop_print(const struct prop *prop, const struct prop_words *words, prop_print_operand *print, const void *context,
                FILE *out) {
  bool sum = prop->kind == PROP_SUM, atom = prop->kind == PROP_COMPARE || sum, first = true;
  if (words->bare && prop->text) {
    fputs(prop->text, out);
    return;
  }
  for (const char *c = atom ? words->compares[prop->compare] : words->kinds[prop->kind]; *c; c++) {
    const struct prop *part = first ? prop->a : prop->b;
    bool paren = !atom && *c == '@' && words->bare && needs_parentheses(prop->kind, part->kind);
    if (paren) fputc('(', out);
    if (*c != '@')
      fputc(*c, out);
    else if (sum && first)
      print_sum(prop, print, context, out);
    else if (atom)
      print(context, first ? &prop->left : &prop->right, first ? &prop->right : &prop->left, out);
    else
      prop_print(part, words, print, context, out);
    if (paren) fputc(')', out);
    first = first && *c != '@';
  }
}

int64_t shown_value(const struct shown_state *shown, struct observable what) {
  for (unsigned i = 0; i < shown->count; i++)
    if (shown->observables[i].thread == what.thread && shown->observables[i].index == what.index)
      return shown->values[i];
  return 0;
}

static int64_t value_of(void *context, struct observable what) {
  return shown_value(context, what);
}

bool shown_meets(const struct shown_state *shown, const struct prop *prop) {
  return prop_holds(prop, value_of, (void *)(uintptr_t)shown);
}
