/* SPDX-License-Identifier: MIT */
/* What is seen of the AMD machine's states: its observables, and behind them
 * where a hazard ended the run, as one number. */
#include <string.h>

#include "hwsem/amd/state.h"

int amd_hazard_thread(const struct amd *m, const int32_t *s) {
  for (unsigned t = 0; t < m->threads; t++)
    if (amd_node_of(m, s, t)->kind == AMD_NODE_HAZARD) return (int)t;
  return -1;
}

/* The local memory that shows a local location: that of the first work-group
 * with a thread, there being but one in tests that look at it. */
static int64_t observe_location(const struct amd *m, const int32_t *s, unsigned x) {
  if (m->program->locations[x].region == REGION_LOCAL)
    return s[m->local + m->program->threads[0].wg * m->locations + x];
  return s[m->memory + x];
}

int64_t amd_observe(const struct machine *machine, const void *state, unsigned i) {
  const struct amd *m = machine->self;
  int32_t s[m->words];
  memcpy(s, state, sizeof s);
  int hazard = amd_hazard_thread(m, s);
  if (i == m->observable_count) return hazard < 0 ? 0 : ((int64_t)hazard << 32 | (uint32_t)s[m->node[hazard]]) + 1;
  const struct amd_observable *what = &m->observables[i];
  if (hazard >= 0) return 0;
  if (what->thread < 0) return observe_location(m, s, what->index);
  const struct amd_node *end = amd_node_of(m, s, (unsigned)what->thread);
  return amd_expr_value(end->results[what->index], s + m->value[what->thread]);
}

const struct amd_node *amd_hazard(const struct machine *machine, int64_t value, unsigned *thread) {
  const struct amd *m = machine->self;
  *thread = (unsigned)((value - 1) >> 32);
  return &m->program->threads[*thread].tree->nodes[(uint32_t)(value - 1)];
}
