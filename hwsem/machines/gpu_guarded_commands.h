/* SPDX-License-Identifier: MIT */
/* The GPU as guarded commands (hwsem/guarded_commands.h), for other explorers: gpu.rules has its rules, which say what
 * gpu_rules.h and the files that include it do, variable by variable. */
#ifndef LITSCOPE_HWSEM_MACHINES_GPU_GUARDED_COMMANDS_H
#define LITSCOPE_HWSEM_MACHINES_GPU_GUARDED_COMMANDS_H

#include "hwsem/guarded_commands.h"
#include "hwsem/machines/gpu_state.h"
#include "hwsem/machines/knobs.h"

/* The rules of a machine that gpu_machine has built, and when its final states
 * meet `wanted`. */
void gpu_write_rules(const struct machine *machine, const struct prop *wanted, struct rules *rules);

/* Does it keep every value by its number in a list? */
bool gpu_has_lists(const struct machine *machine);

/* gpu_knobs.c: names and words of struct gpu_knobs. */
extern const struct knobs gpu_knob_table;

#endif
