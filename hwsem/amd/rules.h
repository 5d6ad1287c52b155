/* SPDX-License-Identifier: MIT */
/* The rules of the AMD machine, a function for each.
 *
 * After every step the state is settled: waits that can go on do, forks are
 * taken, and what nobody can see any more (lines that no load will look up,
 * values that nothing will use) is cleared.  Settling loses no outcome: a wait
 * that goes on enables nothing that it would not enable later and disables
 * nothing; a line that is not looked up only changes by steps that nobody sees.
 *
 * Sources: the memory model sections of the LLVM AMDGPU user guide; README.md
 * next to this file tells them from readings.
 */
#ifndef LITSCOPE_HWSEM_AMD_RULES_H
#define LITSCOPE_HWSEM_AMD_RULES_H

#include "hwsem/amd/state.h"

/* ---- wait counters, while a program runs (wait_counters.c; unfold_internal.h has how they are counted up) ---- */

/* The operation of a slot is done: whatever counter has counted it counts one less. */
void wait_counters_decrement(const struct amd *m, int32_t *s, unsigned t, unsigned slot);

/* Is a WAIT node over: are all slots done that it names? */
bool wait_counters_are_low(const struct amd *m, const int32_t *s, unsigned t, const struct amd_node *node);

/* ---- settling (normalize_state.c) ---- */

/* Locations that loads will look up in a cache, those on their way included; `now`: as far as they may find what is
 * there now, not having it invalidated before. */
amd_location_set amd_looked_up(const struct amd *m, const int32_t *s, enum amd_kind kind, unsigned cache, bool now);

/* Locations of a thread's loads on their way that look into caches of a kind. */
amd_location_set amd_on_the_way(const struct amd *m, const int32_t *s, unsigned t, enum amd_kind kind);

/* What follows at once from a step. */
void amd_normalize(const struct amd *m, int32_t *s);

/* For the reduced search: of a settled state, the one that stands for it. */
void amd_freshen(const struct amd *m, int32_t *s);

/* invariants.c: what holds of every settled state. */
bool amd_state_is_sound(const struct amd *m, int32_t *s);

/* ---- requests (memory_steps.c) ---- */

/* The dirty line of an L2, if it has one, goes to memory. */
void amd_write_line_back(const struct amd *m, int32_t *s, unsigned l2, unsigned x);

/* What a load finds in an L2 or below it; changes nothing. */
int64_t amd_peek_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x);

/* What a line is filled with that a cache does not have; and may it be?  Not while requests wait in front of L0, nor
 * in the L2 of the memory itself. */
int64_t amd_behind(const struct amd *m, int32_t *s, enum amd_kind kind, unsigned cache, unsigned x);
bool amd_can_fill(const struct amd *m, int32_t *s, enum amd_kind kind, unsigned cache, unsigned x);

/* A slot is done, with what its operation has read. */
void amd_finish_slot(const struct amd *m, int32_t *s, unsigned t, unsigned slot, int64_t value);

/* Is a request in a queue? */
bool amd_is_queued(const struct amd *m, int32_t *s, unsigned c, unsigned x, int32_t request);

/* The first request of a queue, which is not empty, meets GL1 and the L2. */
void amd_serve(const struct amd *m, int32_t *s, unsigned c, unsigned x);

/* Local memory: the slot of the oldest access of a wave, or -1; serves it. */
int amd_oldest_local(const struct amd *m, const int32_t *s, unsigned t);
void amd_serve_local(const struct amd *m, int32_t *s, unsigned t, unsigned slot);

/* A scalar load meets the scalar cache, then the L2. */
void amd_serve_scalar(const struct amd *m, int32_t *s, unsigned t, unsigned slot);

/* ---- threads (thread_steps.c) ---- */

/* Whether the barrier of a work-group opens without a step of a thread; opens it. */
bool amd_barrier_opens(const struct amd *m, const int32_t *s, unsigned wg);
void amd_open_barrier(const struct amd *m, int32_t *s, unsigned wg);

/* Does a thread go on from a node by itself?  Barriers open for all, and the rest is gone through at once. */
bool amd_node_is_step(const struct amd_node *node);

/* One step of a thread; false: it has none. */
bool amd_step_thread(const struct amd *m, int32_t *s, unsigned t);

/* ---- the steps from a state (steps.c, partial_order_reduction.c) ---- */

bool amd_is_final(const struct machine *machine, const void *state);
bool amd_successors(const struct machine *machine, const void *state, struct successor_sink *sink);
bool amd_ample(const struct machine *machine, const void *state, struct successor_sink *sink);

#endif
