/* SPDX-License-Identifier: MIT */
/* From a program and a target to an exploration. */
#include "hwsem/target.h"

static bool explore_gpu(const struct target *target, const struct program *program,
                        const struct observable *observables, unsigned count, struct explorer *explorer,
                        const struct explore_options *options, struct arena *arena, struct machine *machine,
                        struct exploration *result, struct diags *diags) {
  struct hw_program *code = compile_program(arena, program, target->mapping, diags);
  return code &&
         gpu_explore(explorer, arena, code, &target->knobs, observables, count, options, machine, result, diags);
}

bool target_explore(const struct target *target, const struct program *program, const struct observable *observables,
                    unsigned observable_count, struct explorer *explorer, const struct explore_options *options,
                    struct arena *arena, struct machine *machine, struct exploration *result, struct diags *diags) {
  if (target->mapping)
    return explore_gpu(target, program, observables, observable_count, explorer, options, arena, machine, result,
                       diags);
  struct machine *adsm = adsm_machine_new(arena, program, observables, observable_count, &target->adsm, diags);
  if (!adsm) return false;
  *machine = *adsm;
  explore(explorer, machine, options, result);
  return true;
}
