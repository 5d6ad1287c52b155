/* SPDX-License-Identifier: MIT */
/* Which instructions compute with integers that have a sign. */
#include "checker/program/plain.h"

static bool is_plain(const struct expr *e) {
  if (!e) return true;
  return !expr_is_unsigned(e->kind) && !expr_is_float(e->kind) && is_plain(e->a) && is_plain(e->b) && is_plain(e->c);
}

bool instr_is_plain(const struct instr *instr) {
  if (instr->kind == INSTR_RMW && rmw_is_unsigned(instr->op)) return false;
  return is_plain(instr->value) && is_plain(instr->expected) && is_plain(instr->address.index) &&
         is_plain(instr->expected_at.index);
}
