/* SPDX-License-Identifier: MIT */
/* What lowering of threads in C's statements rests on: instructions, names, cells.
 *
 * Registers are by name, one of a name in each thread, as in herd: blocks do
 * not make new ones.  A name is a location when it is a parameter of the thread
 * or is in the init section, unless the thread declares it; every other name is
 * a register.  An array of registers is as many of them; an element whose index
 * is known only when the program runs is a choice among them.
 */
#include "checker/litmus/lowering.h"


#include "checker/base/text.h"

/* --- instructions ---------------------------------------------------------------------------- */

struct instr *lowering_emit(struct lowering *l, enum instr_kind kind, struct span span) {
  return draft_emit(l->draft, l->thread, kind, span);
}

unsigned lowering_here(const struct lowering *l) {
  return (unsigned)l->thread->code.count;
}

unsigned lowering_branch(struct lowering *l, const struct expr *condition, unsigned first, struct span span) {
  struct instr *instr = lowering_emit(l, INSTR_BRANCH, span);
  instr->value = condition;
  instr->condition = first + 1;
  return lowering_here(l) - 1;
}

unsigned lowering_jump(struct lowering *l, struct span span) {
  lowering_emit(l, INSTR_JUMP, span);
  return lowering_here(l) - 1;
}

void lowering_patch(struct lowering *l, unsigned at, unsigned target) {
  l->thread->code.at[at].target = target;
}

/* --- names ----------------------------------------------------------------------------------- */

bool lowering_is_parameter(const struct lowering *l, const char *name) {
  return text_index(name, l->tree->parameters.at, l->tree->parameters.count) >= 0;
}

const struct array *lowering_find_array(const struct lowering *l, const char *name) {
  return FIND_ROW(l->arrays.at, l->arrays.count, name, name);
}

const struct draft_location *lowering_find_location(const struct lowering *l, const char *name) {
  if (draft_find_register(l->thread, name) >= 0 || lowering_find_array(l, name)) return NULL;
  return draft_find_location(l->draft, name);
}

/* --- registers ------------------------------------------------------------------------------- */

/* After an error there may be no such register. */
void lowering_mark_assigned(struct lowering *l, unsigned reg) {
  if (reg < l->thread->registers.count) l->thread->registers.at[reg].assigned = true;
}

unsigned lowering_use_register(struct lowering *l, const struct ast_expr *e) {
  if (lowering_find_array(l, e->name))
    reader_fail(&l->draft->reader, e->span, "'%s' is an array: name a cell, such as %s[0]", e->name, e->name);
  if (lowering_find_location(l, e->name)) {
    reader_fail(&l->draft->reader, e->span, "'%s' is a location: its value is written '*%s', its address '&%s'",
                e->name, e->name, e->name);
    return 0;
  }
  return draft_use_register(l->draft, l->thread, e->name, e->span);
}

const struct expr *lowering_register_value(struct lowering *l, unsigned reg) {
  return draft_register_value(l->draft, reg);
}

const struct expr *lowering_temporary(struct lowering *l, unsigned *reg) {
  *reg = draft_new_temporary(l->draft, l->thread);
  return lowering_register_value(l, *reg);
}

void lowering_assign(struct lowering *l, unsigned reg, const struct expr *value, struct span span) {
  struct width width = reg < l->thread->registers.count ? l->thread->registers.at[reg].width : (struct width){0};
  value = draft_fit(l->draft, width, value);
  struct instr *instr = lowering_emit(l, INSTR_ASSIGN, span);
  instr->reg = (int)reg;
  instr->value = value;
}

void lowering_fit(struct lowering *l, unsigned reg, struct width from, struct span span) {
  struct width to = reg < l->thread->registers.count ? l->thread->registers.at[reg].width : (struct width){0};
  if (to.bits && (to.bits != from.bits || to.is_signed != from.is_signed))
    lowering_assign(l, reg, lowering_register_value(l, reg), span);
}

/* --- arrays of registers --------------------------------------------------------------------- */

/* a[i] is i == 0 ? a[0] : i == 1 ? a[1] : ... */
const struct expr *lowering_read_element(struct lowering *l, const struct array *array, const struct expr *index) {
  if (index->kind == EXPR_CONST) return lowering_register_value(l, array->first + (unsigned)index->value);
  const struct expr *value = lowering_register_value(l, array->first + array->size - 1);
  for (unsigned cell = array->size - 1; cell-- > 0;) {
    const struct expr *hit = draft_operation(l->draft, EXPR_EQ, index, draft_constant(l->draft, cell), NULL);
    value = draft_operation(l->draft, EXPR_COND, hit, lowering_register_value(l, array->first + cell), value);
  }
  return value;
}

/* a[i] = v is a[0] = i == 0 ? v : a[0], and so on for every cell. */
void lowering_write_element(struct lowering *l, const struct array *array, const struct expr *index,
                            const struct expr *value, struct span span) {
  for (unsigned cell = 0; cell < array->size; cell++) {
    const struct expr *now = lowering_register_value(l, array->first + cell);
    const struct expr *hit = draft_operation(l->draft, EXPR_EQ, index, draft_constant(l->draft, cell), NULL);
    if (hit->kind == EXPR_CONST && !hit->value) continue;
    lowering_assign(l, array->first + cell,
                    hit->kind == EXPR_CONST ? value : draft_operation(l->draft, EXPR_COND, hit, value, now), span);
  }
}

/* --- cells ----------------------------------------------------------------------------------- */

/* The location whose cells `base` is among. */
static const struct draft_location *location_of(const struct lowering *l, unsigned base) {
  static const struct draft_location none = {.name = ""}; /* of a name that was refused, in a test without locations */
  size_t i = 0, count = l->draft->locations.count;
  while (i + 1 < count && l->draft->locations.at[i + 1].first <= base) i++;
  return count ? &l->draft->locations.at[i] : &none;
}

struct address lowering_settle(struct lowering *l, struct address address, struct span span) {
  if (!address.index || address.index->kind != EXPR_CONST) return address;
  int64_t index = address.index->value;
  if (index < 0 || index >= address.size)
    reader_fail(&l->draft->reader, span, "'%s' has %s0%s", location_of(l, address.base)->name,
                address.size == 1 ? "only cell " : "cells ",
                address.size == 1 ? "" : arena_printf(l->draft->reader.arena, " to %u", address.size - 1));
  else
    address = (struct address){.base = address.base + (unsigned)index, .size = 1};
  return address;
}

bool lowering_holds_addresses(const struct lowering *l, const struct address *address) {
  if (address->index && address->base == 0) return true;
  return location_of(l, address->base)->pointer;
}

struct width lowering_width(const struct lowering *l, const struct address *address) {
  if (address->index && address->base == 0 && l->draft->takes_addresses) return (struct width){0};
  return location_of(l, address->base)->width;
}
