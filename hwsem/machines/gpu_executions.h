/* SPDX-License-Identifier: MIT */
/* The GPU machine with its writes told apart: a machine around the GPU's that
 * keeps, with each state, which write each line's value comes from, what each
 * load has read, and the order in which writes reach memory.  Its outcomes are
 * executions: the reads-from of every read and the coherence order of every
 * location.
 *
 * A write that is overwritten in its cache before it is written back comes just
 * before the one that overwrites it.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_GPU_EXECUTIONS_H
#define LITSCOPE_HWSEM_MACHINES_GPU_EXECUTIONS_H

#include "hwsem/execution_rf_co.h"
#include "hwsem/machines/gpu.h"

/* Why a program cannot be followed (loops, posted invalidations), or NULL when
 * it can. */
const char *gpu_executions_refuses(const struct machine *gpu);

/* The machine around a GPU machine, of which it keeps a copy. */
void gpu_executions_machine(struct arena *arena, const struct machine *gpu, struct machine *machine);

/* An execution as the machine's outcomes are written: observable_count numbers. */
void gpu_executions_key(const struct machine *machine, const struct execution_words *execution, int64_t *key);

/* An outcome in words: `P1 r0 from P0 *x = 1; ... co x: ...`. */
const char *gpu_executions_describe(struct arena *arena, const struct machine *machine, const int64_t *key);

#endif
