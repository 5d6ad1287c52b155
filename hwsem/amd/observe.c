/* SPDX-License-Identifier: MIT */
/* What is seen of the AMD machine's states: its observables, and after them
 * the first hazard of the run, as one number. */
#include <string.h>

#include "hwsem/amd/state.h"

bool amd_hazard_ends(const struct amd *m, const int32_t *s) {
  for (unsigned t = 0; s[m->hazard] && t < m->threads; t++)
    if (amd_node_of(m, s, t)->kind == AMD_NODE_HAZARD) return true;
  return false;
}

static int64_t observe_location(const struct amd *m, const int32_t *s, unsigned x) {
  const struct location *location = &m->program->locations[x];
  bool local = location->region == REGION_LOCAL;
  int64_t value = amd_get(m, s + (local ? m->local + m->width * m->shown[x] * m->locations : m->memory) + m->width * x);
  return location->bytes ? width_fit(location->width, value) : value;
}

int64_t amd_observe(const struct machine *machine, const void *state, unsigned i) {
  const struct amd *m = machine->self;
  int32_t s[m->words];
  memcpy(s, state, sizeof s);
  if (i == m->observables.count) return amd_hazard_ends(m, s) ? -s[m->hazard] : s[m->hazard];
  const struct amd_observable *what = &m->observables.at[i];
  if (amd_hazard_ends(m, s)) return 0;
  if (what->thread < 0) return observe_location(m, s, what->index);
  const struct amd_node *end = amd_node_of(m, s, (unsigned)what->thread);
  return amd_expr_value(end->results[what->index], s + m->value[what->thread], m->width);
}

const struct amd_node *amd_hazard(const struct machine *machine, int64_t value, unsigned *thread) {
  const struct amd *m = machine->self;
  unsigned hazard = (unsigned)(value < 0 ? -value : value);
  *thread = hazard % AMD_THREADS;
  return &m->program->threads[*thread].tree->nodes[hazard / AMD_THREADS - 1];
}
