/* SPDX-License-Identifier: MIT */
/* What a test is run on: a GPU with a compiler mapping, or an ADSM protocol.
 * The one place where commands choose a machine by the test's language.
 */
#ifndef LITSCOPE_HWSEM_TARGET_H
#define LITSCOPE_HWSEM_TARGET_H

#include "checker/program/outcome.h"
#include "hwsem/explore.h"
#include "hwsem/machines/adsm.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/mapping.h"

struct target {
  const char *name;              /* of the mapping or the protocol: what reports call it */
  const struct mapping *mapping; /* GPU; NULL: ADSM */
  struct gpu_knobs knobs;
  struct adsm_machine_options adsm;
};

/* Explores the program on the target, observing `observables`.  `machine` is
 * filled for reports and lives in `arena`.  Returns false, with diagnostics,
 * when the program cannot be run there (an operation without a cell, another
 * language's program, too many threads). */
bool target_explore(const struct target *target, const struct program *program, const struct observable *observables,
                    unsigned observable_count, struct explorer *explorer, const struct explore_options *options,
                    struct arena *arena, struct machine *machine, struct exploration *result, struct diags *diags);

#endif
