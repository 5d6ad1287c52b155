/* SPDX-License-Identifier: MIT */
/* The smallest machine: threads take turns on one memory.  To be read first, and
 * to test the explorer with: its outcomes are those of sequential consistency.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_SC_H
#define LITSCOPE_HWSEM_MACHINES_SC_H

#include "checker/program/outcome.h"
#include "hwsem/machine.h"

/* The machine for a program (barriers, fences and orders mean nothing to it).
 * Fills *machine; false, with a diagnostic, when the program is another
 * machine's (ADSM). */
bool sc_machine(struct arena *arena, const struct program *program, const struct observable *observables,
                unsigned observable_count, struct machine *machine, struct diags *diags);

#endif
