/* SPDX-License-Identifier: MIT */
/* Programs through LLVM on the machine of an AMD GPU, as a kind of machine
 * (hwsem/machines/kinds.h): what commands run on targets they run on this.
 *
 * It is no row of the table of kinds: its targets are a GPU and a compiler, named
 * by -target and -compiler, and not by a description alone.
 */
#ifndef LITSCOPE_COMPILER_COMPILED_MACHINE_H
#define LITSCOPE_COMPILER_COMPILED_MACHINE_H

#include "checker/compiler/amd_code.h"
#include "hwsem/machines/kinds.h"

/* The settings of such a target. */
struct compiled_setup {
  const struct amd_target *target;
  struct llc llc;
  struct amd_build_settings build;
  struct amd_knobs knobs;
};

extern const struct machine_kind compiled_kind;

/* How this program is compiled: a kernel in source as it is, with its own options. */
struct amd_build_settings compiled_settings(struct arena *arena, const struct compiled_setup *setup,
                                            const struct program *program);

/* `gfx942:tgsplit/llvm-22` */
const char *compiled_name(struct arena *arena, const struct compiled_setup *setup);

/* Sets a knob: the machine's, or `scopes`.  On failure adds a diagnostic. */
bool compiled_set(struct compiled_setup *setup, const char *name, const char *word, struct diags *diags);

#endif
