/* SPDX-License-Identifier: MIT */
/* The steps from a state of the AMD machine, one successor for each. */
#include "hwsem/amd/steps.h"

#include <string.h>

void amd_steps_begin(struct amd_steps *w, const struct machine *machine, const void *state, int32_t *from,
                     int32_t *next) {
  const struct amd *m = machine->self;
  memcpy(from, state, m->words * sizeof *from);
  memset(next, 0, (m->words + 3) * sizeof *next);
  memcpy(next, from, m->words * sizeof *next);
  w->m = m;
  w->from = from;
  w->next = next;
}

static void settle(const struct amd_steps *w) {
  amd_normalize(w->m, w->next);
  if (w->reduced) amd_freshen(w->m, w->next);
}

void amd_steps_emit(struct amd_steps *w, enum amd_step_code code, unsigned agent, unsigned detail) {
  struct step step = {(uint16_t)code, (uint16_t)agent, detail};
  settle(w);
  w->any = true;
  if (!w->stopped && !w->sink->emit(w->sink, step, w->next)) w->stopped = true;
  memcpy(w->next, w->from, w->m->words * sizeof *w->next);
}

/* Scalar loads come back in any order. */
static void step_scalars(struct amd_steps *w, unsigned t) {
  for (amd_slot_set left = w->m->scalars ? amd_outstanding(w->m, w->from, t) : 0; left; left &= left - 1) {
    unsigned slot = amd_first_of(left);
    if (!amd_node_is_scalar(amd_slot_node(w->m, w->from, t, slot))) continue;
    amd_serve_scalar(w->m, w->next, t, slot);
    amd_steps_emit(w, AMD_STEP_SCALAR, t, slot);
  }
}

/* Does it find a line in L0 that makes a difference? */
static bool meets_line(const struct amd *m, int32_t *s, unsigned t) {
  const struct amd_node *node = amd_node_of(m, s, t);
  bool load = node->kind == AMD_NODE_LOAD && !(node->passes & AMD_L0) && !amd_node_is_scalar(node);
  bool update = node->kind == AMD_NODE_STORE && m->knobs.update && !node->through;
  return (load || update) && !node->local && amd_l0(m, s, m->cu[t], node->location)[0];
}

void amd_steps_of_thread(struct amd_steps *w, unsigned t) {
  const struct amd *m = w->m;
  unsigned node = (unsigned)w->from[m->node[t]];
  bool twice = w->reduced && meets_line(m, w->next, t);
  if (amd_step_thread(m, w->next, t)) amd_steps_emit(w, AMD_STEP_THREAD, t, node);
  if (!twice) return;
  amd_set_line(m, amd_l0(m, w->next, m->cu[t], m->program->threads[t].tree->nodes[node].location), AMD_ABSENT, 0);
  amd_step_thread(m, w->next, t);
  amd_steps_emit(w, AMD_STEP_THREAD, t, node);
}

static void step_threads(struct amd_steps *w) {
  for (unsigned t = 0; t < w->m->threads; t++) {
    amd_steps_of_thread(w, t);
    step_scalars(w, t);
    int slot = amd_oldest_local(w->m, w->from, t);
    if (slot < 0) continue;
    amd_serve_local(w->m, w->next, t, (unsigned)slot);
    amd_steps_emit(w, AMD_STEP_LOCAL, t, (unsigned)slot);
  }
}

/* Barriers that the end of a thread has completed. */
static void open_barriers(struct amd_steps *w) {
  for (unsigned g = 0; w->from[w->m->arrived] && g < w->m->groups; g++) {
    if (!amd_barrier_opens(w->m, w->from, g)) continue;
    amd_open_barrier(w->m, w->next, g);
    amd_steps_emit(w, AMD_STEP_OPEN, g, 0);
  }
}

/* A write-back passes a queue at once where that is reduced, unless a line is dirty, which is written back by itself.
 */
static bool has_request(const struct amd_steps *w, unsigned c, unsigned x) {
  const struct amd *m = w->m;
  int32_t request = m->room[c * m->locations + x] ? amd_queue(m, w->next, c, x)[0] : 0;
  return request && !(w->reduced && amd_request_node(m, w->next, request)->kind == AMD_NODE_WRITE_BACK);
}

static void serve_all(struct amd_steps *w) {
  const struct amd *m = w->m;
  for (unsigned c = 0; c < m->cus; c++) {
    for (unsigned x = 0; x < m->locations; x++) {
      if (!has_request(w, c, x)) continue;
      amd_serve(m, w->next, c, x);
      amd_steps_emit(w, AMD_STEP_SERVE, c, x);
    }
  }
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++) {
    for (unsigned x = 0; x < m->locations; x++) {
      if (amd_l2_line(m, w->next, g, x)[0] != AMD_DIRTY) continue;
      amd_write_line_back(m, w->next, g, x);
      amd_steps_emit(w, AMD_STEP_WRITE_BACK, g, x);
    }
  }
}

/* A line that is only read is evicted, or fetched where `wanted`.  Where the search is reduced it is both if that makes
 * a difference; a load may go on as if its line in L0 were evicted. */
static void change_line(struct amd_steps *w, enum amd_kind kind, unsigned cache, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int32_t *line = amd_line_at(m, w->next, kind, cache, x);
  bool fills = amd_can_fill(m, w->next, kind, cache, x), again = w->reduced && m->knobs.fill;
  int64_t value = amd_behind(m, w->next, kind, cache, x);
  if (line[0] == AMD_DIRTY || (kind == KIND_L2 && !fills)) return;
  if (kind == KIND_L0 && w->reduced && !(fills && m->knobs.fill)) return;
  if (w->reduced && line[0] && amd_line_value(m, line) == value) return;
  if (line[0]) {
    amd_set_line(m, line, AMD_ABSENT, 0);
    amd_steps_emit(w, (again ? AMD_STEP_FETCH0 : AMD_STEP_EVICT0) + kind, cache, x);
  } else if (wanted && fills && m->knobs.fill) {
    amd_set_line(m, line, AMD_CLEAN, value);
    amd_steps_emit(w, AMD_STEP_FETCH0 + kind, cache, x);
  }
}

/* Locations that have lines in caches. */
static amd_location_set cached_locations(const struct amd *m) {
  amd_location_set set = 0;
  for (unsigned x = 0; x < m->locations; x++)
    if (m->program->locations[x].region == REGION_GLOBAL) set |= amd_only(x);
  return set;
}

/* Fetches and evictions, at any time. */
static void change_lines(struct amd_steps *w) {
  static const enum amd_kind order[AMD_KINDS] = {KIND_L0, KIND_SCALAR, KIND_GL1, KIND_L2};
  const struct amd *m = w->m;
  amd_location_set all = m->knobs.reduce ? 0 : cached_locations(m);
  for (unsigned k = 0; k < AMD_KINDS; k++)
    for (unsigned c = 0; c < m->caches[order[k]]; c++) {
      amd_location_set set = all | amd_looked_up(m, w->from, order[k], c, w->reduced);
      for (unsigned x = 0; x < m->locations; x++) change_line(w, order[k], c, x, set >> x & 1);
    }
}

void amd_steps_all(struct amd_steps *w) {
  step_threads(w);
  open_barriers(w);
  serve_all(w);
  if (w->any) change_lines(w);
}

bool amd_is_final(const struct machine *machine, const void *state) {
  const struct amd *m = machine->self;
  const int32_t *s = state;
  if (amd_hazard_ends(m, s)) return true;
  for (unsigned t = 0; t < m->threads; t++)
    if (!amd_ended(m, s, t) || amd_outstanding(m, s, t)) return false;
  for (unsigned i = 0; amd_several(m) && i < m->l2s * m->locations; i++)
    if (s[m->lines[KIND_L2] + (1 + m->width) * i] == AMD_DIRTY) return false;
  return true;
}

/* Fetching and evicting alone help nobody: a state with no other step is stuck,
 * and has no successors. */
bool amd_successors(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct amd *m = machine->self;
  AMD_STATE(from, m);
  AMD_STATE(next, m);
  struct amd_steps w = {.sink = sink};
  amd_steps_begin(&w, machine, state, from, next);
  if (!amd_is_final(machine, from)) amd_steps_all(&w);
  return !w.stopped;
}
