/* SPDX-License-Identifier: MIT */
/* The steps from a state of the AMD machine: all of them (steps.c), or as many as reach
 * every end (partial_order_reduction.c). */
#ifndef LITSCOPE_HWSEM_AMD_STEPS_H
#define LITSCOPE_HWSEM_AMD_STEPS_H

#include "hwsem/amd/rules.h"

struct amd_steps {
  const struct amd *m;
  const int32_t *from;
  struct successor_sink *sink;
  int32_t *next; /* as `from`, until a step changes it */
  bool reduced;  /* lines are as fresh as they can be, and what could be done by then is done */
  bool any, stopped;
};

/* A state's words, and room for what may be written after them. */
#define AMD_STATE(name, m) int32_t name[(m)->words + 3]

void amd_steps_begin(struct amd_steps *w, const struct machine *machine, const void *state, int32_t *from,
                     int32_t *next);

/* `next` has been changed: a successor. */
void amd_steps_emit(struct amd_steps *w, enum amd_step_code code, unsigned agent, unsigned detail);

/* All steps. */
void amd_steps_all(struct amd_steps *w);

/* A thread's own step, if it has one.  Where it finds a line in L0 and the search is reduced, also as if that had been
 * evicted before. */
void amd_steps_of_thread(struct amd_steps *w, unsigned t);

#endif
