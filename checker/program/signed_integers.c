/* SPDX-License-Identifier: MIT */
/* Which instructions compute with integers that have a sign. */
#include "checker/program/signed_integers.h"

static bool has_no_sign(const struct expr *e) {
  return expr_is_unsigned(e->kind) || expr_is_float(e->kind);
}

bool instr_is_signed(const struct instr *instr) {
  if (instr->kind == INSTR_RMW && rmw_is_unsigned(instr->op)) return false;
  return !instr_has(instr, has_no_sign);
}
