/* SPDX-License-Identifier: MIT */
/* From a test and a target to an exploration. */
#include "hwsem/target.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"

static bool explore_gpu(const struct target *target, const struct litmus_test *test,
                        const struct observable *observables, unsigned count, struct explorer *explorer,
                        const struct explore_options *options, struct arena *arena, struct machine *machine,
                        struct exploration *result, struct diags *diags) {
  struct hw_program *program = compile_program(arena, test->program, target->mapping, diags);
  return program &&
         gpu_explore(explorer, arena, program, &target->knobs, observables, count, options, machine, result, diags);
}

bool target_explore(const struct target *target, const struct litmus_test *test, const struct observable *observables,
                    unsigned observable_count, struct explorer *explorer, const struct explore_options *options,
                    struct arena *arena, struct machine *machine, struct exploration *result, struct diags *diags) {
  if (target->mapping)
    return explore_gpu(target, test, observables, observable_count, explorer, options, arena, machine, result, diags);
  struct machine *adsm = adsm_machine_new(arena, test->program, observables, observable_count, &target->adsm, diags);
  if (!adsm) return false;
  *machine = *adsm;
  explore(explorer, machine, options, result);
  return true;
}

static int by_name(const void *a, const void *b, void *context) {
  const struct program *program = context;
  const struct observable *x = a, *y = b;
  if (x->thread != y->thread) return (unsigned)x->thread < (unsigned)y->thread ? -1 : 1;
  if (x->thread < 0) return strcmp(program->locations[x->index].name, program->locations[y->index].name);
  const char **names = program->threads[x->thread].reg_names;
  return strcmp(names[x->index], names[y->index]);
}

struct observable *target_observables(struct arena *arena, const struct program *program, unsigned *count) {
  VEC(struct observable) all = {0};
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      if (program->threads[t].reg_names[r]) *vec_push(arena, &all) = (struct observable){(int)t, r};
  for (unsigned i = 0; i < program->location_count; i++) *vec_push(arena, &all) = (struct observable){-1, i};
  if (all.count) qsort_r(all.at, all.count, sizeof *all.at, by_name, (void *)(uintptr_t)program);
  *count = (unsigned)all.count;
  return all.at;
}
