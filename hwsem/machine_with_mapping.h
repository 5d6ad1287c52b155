/* SPDX-License-Identifier: MIT */
/* What a program is run on: a machine of some kind with its settings and, where
 * the kind runs instructions, a compiler mapping.
 *
 *     struct gpu_knobs knobs = {0};
 *     struct target target = {.name = "rsp-corrected", .kind = &gpu_kind, .settings = &knobs, .mapping = mapping};
 *     struct explore_request request = {program, observables, count, explorer, &options, arena};
 *     if (target_explore(&target, &request, &machine, &result, &diags)) ...
 */
#ifndef LITSCOPE_HWSEM_MACHINE_WITH_MAPPING_H
#define LITSCOPE_HWSEM_MACHINE_WITH_MAPPING_H

#include "hwsem/explore.h"

struct diags;
struct machine_kind; /* machines/kinds.h */
struct mapping;      /* mapping.h */
struct observable;
struct program;

struct target {
  const char *name; /* of the mapping or the machine: what reports call it */
  const struct machine_kind *kind;
  void *settings;                /* of kind->settings_size bytes */
  const struct mapping *mapping; /* NULL: the kind runs the program itself */
};

struct explore_request {
  const struct program *program;
  const struct observable *observables; /* what outcomes are values of */
  unsigned observable_count;
  struct explorer *explorer;
  const struct explore_options *options;
  struct arena *arena; /* for the machine */
};

/* Can the program be run there, as far as is seen without building the machine?
 * If not (an operation without a cell) adds diagnostics and returns false. */
bool target_check(const struct target *target, const struct program *program, struct arena *arena, struct diags *diags);

/* Explores the program on the target.  `machine` is filled for reports and lives
 * in the request's arena.  Returns false, with diagnostics, when the program
 * cannot be run there (an operation without a cell, another machine's program,
 * too many threads). */
bool target_explore(const struct target *target, const struct explore_request *request, struct machine *machine,
                    struct exploration *result, struct diags *diags);

#endif
