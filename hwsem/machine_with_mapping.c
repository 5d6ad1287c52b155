/* SPDX-License-Identifier: MIT */
/* From a program and a target to an exploration.  Some machines guess how large
 * values grow, since small states are what makes large explorations possible;
 * one that has guessed too low is built again, for larger ones. */
#include "hwsem/machine_with_mapping.h"

#include "hwsem/machines/kinds.h"

bool target_check(const struct target *target, const struct program *program, struct arena *arena,
                  struct diags *diags) {
  return !target->kind->check || target->kind->check(target, program, arena, diags);
}

bool target_explore(const struct target *target, const struct explore_request *request, struct machine *machine,
                    struct exploration *result, struct diags *diags) {
  const struct machine_kind *kind = target->kind;
  for (unsigned attempt = 0; attempt == 0 || attempt < kind->attempts; attempt++) {
    if (!kind->build(target, request, attempt, machine, diags)) return false;
    if (explore(request->explorer, machine, request->options, result) != EXPLORE_MACHINE) break;
  }
  return true;
}
