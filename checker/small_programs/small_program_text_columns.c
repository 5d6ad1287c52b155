/* SPDX-License-Identifier: MIT */
/* Small programs as texts in languages whose threads are columns: a cell for each instruction. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/columns.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

struct cells {
  struct arena *arena;
  const struct small_program *p;
  struct cells_text of[SMALL_THREADS];
};

static const char *operands(struct arena *arena, const struct small_program *p, const struct small_op *op,
                            unsigned reg) {
  const char *place = small_name_used(arena, op), *value = arena_printf(arena, "%d", op->value);
  if (op->dependency == '&') place = arena_printf(arena, "[%s + %s]", place, p->language->dependency_register);
  if (op->dependency == '^') value = p->language->dependency_register;
  if (op->kind == 'W') return arena_printf(arena, "%s, %s", place, value);
  if (op->kind == 'R') return arena_printf(arena, "r%u, %s", reg, place);
  return arena_printf(arena, "r%u, %s, %s", reg, place, value);
}

/* `bar.cta.sync 15`: a language's, or these words with its number. */
static const char *barrier_cell(struct arena *arena, const struct small_program *p, const struct small_op *op) {
  const char *usual = small_barrier_word(p->language);
  return op->words ? arena_printf(arena, "%.*s%s", (int)op->word_length, op->words, usual + strcspn(usual, " "))
                   : usual;
}

static const char *cell_of(struct arena *arena, const struct small_program *p, const struct small_op *op,
                           unsigned reg) {
  if (op->kind == 'B') return barrier_cell(arena, p, op);
  const char *proxy;
  struct text text = text_new();
  if (op->words)
    fprintf(text.out, "%.*s", small_words_of(op, &proxy), op->words);
  else
    p->language->operation(p, op, 0, text.out);
  if (small_is_access(op)) fprintf(text.out, " %s", operands(arena, p, op, reg));
  return text_keep(&text, arena);
}

const char *small_instruction(struct arena *arena, const struct small_program *p, const struct small_op *op) {
  return cell_of(arena, p, op, 0);
}

static void add_cell(struct cells *cells, unsigned t, const char *text) {
  *vec_push(cells->arena, &cells->of[t]) = text;
}

static const char *const END_LABEL = "LC00";

static void add_guard(struct cells *cells, unsigned t, char guard, unsigned reg) {
  const char *test = guard == '!' ? "eq" : "ne"; /* jumps over the rest */
  const char *condition = cells->p->language->condition;
  if (!condition) {
    add_cell(cells, t, arena_printf(cells->arena, "b%s r%u, 0, %s", test, reg, END_LABEL));
    return;
  }
  add_cell(cells, t, arena_printf(cells->arena, "cmp_%s %s, r%u, 0", test, condition, reg));
  add_cell(cells, t, arena_printf(cells->arena, "cbr %s, %s", condition, END_LABEL));
}

/* The register for dependencies becomes what is added to the address, or the value to store. */
static void add_dependency(struct cells *cells, unsigned t, const struct small_op *op, unsigned reg) {
  const char *dependency_register = cells->p->language->dependency_register;
  add_cell(cells, t,
           arena_printf(cells->arena, "and %s, r%u, %d", dependency_register, reg, small_nothing_mask(cells->p)));
  if (op->dependency == '^')
    add_cell(cells, t,
             arena_printf(cells->arena, "add %s, %s, %d", dependency_register, dependency_register, op->value));
}

static const char *head_of(struct arena *arena, const struct small_program *p, unsigned t) {
  return TEXT_PRINTED(arena, out, p->language->head(p, t, out));
}

static void fill_cells(struct cells *cells, unsigned t) {
  const struct small_program *p = cells->p;
  unsigned reg = 0;
  bool jumps = false;
  add_cell(cells, t, head_of(cells->arena, p, t));
  ARRAY_EACH (const struct small_op, op, p->ops[t], p->count[t]) {
    if (op->guard && reg) {
      add_guard(cells, t, op->guard, reg - 1);
      jumps = true;
    }
    if (op->dependency && reg) add_dependency(cells, t, op, reg - 1);
    add_cell(cells, t, cell_of(cells->arena, p, op, reg));
    reg += small_reads(op);
  }
  if (jumps) add_cell(cells, t, arena_printf(cells->arena, "%s:", END_LABEL));
}

void small_write_columns(const struct small_program *p, FILE *out) {
  struct cells cells = {.arena = arena_new(), .p = p};
  for (unsigned t = 0; t < p->threads; t++) fill_cells(&cells, t);
  columns_write(cells.arena, cells.of, p->threads, out);
  arena_free(cells.arena);
}
