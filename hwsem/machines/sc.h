/* SPDX-License-Identifier: MIT */
/* The smallest machine: threads take turns on one memory.  To be read first, and
 * to test the explorer with: its outcomes are those of sequential consistency.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_SC_H
#define LITSCOPE_HWSEM_MACHINES_SC_H

#include "hwsem/machine_with_mapping.h"

/* The machine for a request's program (orders and fences mean nothing to it).
 * Fills *machine; false, with a diagnostic, when the program has an
 * operation that is another machine's. */
bool sc_machine(const struct explore_request *request, struct machine *machine, struct diags *diags);

/* The instruction that a thread comes to next in a state of the machine; NULL: it has ended. */
const struct instr *sc_next(const struct machine *machine, const void *state, unsigned thread);

/* The kind (machines/kinds.h), without settings. */
extern const struct machine_kind sc_kind;

#endif
