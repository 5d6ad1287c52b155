/* SPDX-License-Identifier: MIT */
/* What a step of a thread does at once: it issues requests, invalidates lines,
 * arrives at barriers.
 */
#include "hwsem/amd/rules.h"

/* ---- barriers ---- */

static uint32_t members(const struct amd *m, unsigned wg) {
  uint32_t set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->program->threads[t].wg == wg) set |= 1u << t;
  return set;
}

/* A barrier may open when every thread of the work-group has arrived or ended. */
static bool barrier_complete(const struct amd *m, const int32_t *s, unsigned wg) {
  bool any = false;
  for (unsigned t = 0; t < m->threads; t++) {
    if (m->program->threads[t].wg != wg) continue;
    if (amd_has_arrived(m, s, t))
      any = true;
    else if (!amd_ended(m, s, t))
      return false;
  }
  return any;
}

void amd_open_barrier(const struct amd *m, int32_t *s, unsigned wg) {
  s[m->arrived] &= (int32_t)~members(m, wg);
}

/* Whether threads wait by an instruction of their own, which then is the step
 * that opens the barrier. */
static bool waits_apart(const struct amd *m, const int32_t *s, unsigned wg) {
  for (unsigned t = 0; t < m->threads; t++) {
    const struct amd_node *node = amd_node_of(m, s, t);
    bool in = m->program->threads[t].wg == wg && amd_has_arrived(m, s, t);
    if (in && !(node->kind == AMD_NODE_MEET && node->instr->op == AMD_OP_BARRIER)) return true;
  }
  return false;
}

bool amd_barrier_opens(const struct amd *m, const int32_t *s, unsigned wg) {
  return barrier_complete(m, s, wg) && !waits_apart(m, s, wg);
}

/* ---- issuing ---- */

static void enqueue(const struct amd *m, int32_t *s, unsigned c, unsigned x, int32_t request) {
  int32_t *queue = amd_queue(m, s, c, x);
  while (*queue) queue++;
  *queue = request;
}

/* `next` is already the thread's node, so that slots can be looked up. */
static void issue_access(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  unsigned c = m->cu[t], x = node->location;
  int32_t *line = amd_l0(m, s, c, x);
  if (node->local || amd_node_is_scalar(node)) return; /* outstanding ones are the queue */
  if (node->kind == AMD_NODE_LOAD && !(node->passes & AMD_L0) && line[0]) {
    amd_finish_slot(m, s, t, node->slot, amd_line_value(m, line));
    return;
  }
  if (node->kind == AMD_NODE_STORE && m->knobs.update && line[0] && !node->through)
    amd_set_line(m, line, (enum amd_line)line[0], amd_stored(m, s, t, node, amd_line_value(m, line)));
  else if (node->kind != AMD_NODE_LOAD || node->passes & AMD_L0)
    amd_set_line(m, line, AMD_ABSENT, 0);
  enqueue(m, s, c, x, amd_request(t, node->slot));
}

static void issue_write_back(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  bool nothing = !amd_several(m) && m->knobs.write_back == 0;
  bool any = false;
  for (unsigned x = 0; !nothing && x < m->locations; x++) {
    if (m->program->locations[x].region != REGION_GLOBAL || !m->marked[x]) continue;
    enqueue(m, s, m->cu[t], x, amd_request(t, node->slot));
    any = true;
  }
  if (!any) amd_finish_slot(m, s, t, node->slot, 0);
}

static void invalidate(const struct amd *m, int32_t *s, unsigned t, unsigned caches) {
  unsigned c = m->cu[t];
  for (unsigned x = 0; x < m->locations; x++) {
    if (caches & AMD_L0) amd_set_line(m, amd_l0(m, s, c, x), AMD_ABSENT, 0);
    if (caches & AMD_GL1 && m->gl1) amd_set_line(m, amd_l1(m, s, m->array[c], x), AMD_ABSENT, 0);
    if (amd_several(m) && caches & AMD_L2) amd_drop_clean(m, amd_l2_line(m, s, m->l2[c], x));
  }
}

/* ---- steps ---- */

/* s_barrier_wait: opens the barrier for all. */
static bool step_barrier_wait(const struct amd *m, int32_t *s, unsigned t) {
  unsigned wg = m->program->threads[t].wg;
  if (!barrier_complete(m, s, wg)) return false;
  amd_open_barrier(m, s, wg);
  return true;
}

/* The last thread to arrive opens the barrier for all. */
static void arrive(const struct amd *m, int32_t *s, unsigned t) {
  unsigned wg = m->program->threads[t].wg;
  s[m->arrived] |= (int32_t)(1u << t);
  if (amd_barrier_opens(m, s, wg)) amd_open_barrier(m, s, wg);
}

bool amd_node_is_step(const struct amd_node *node) {
  return amd_node_is_request(node) || node->kind == AMD_NODE_INVALIDATE || node->kind == AMD_NODE_WAIT ||
         node->kind == AMD_NODE_ARRIVE;
}

bool amd_step_thread(const struct amd *m, int32_t *s, unsigned t) {
  const struct amd_node *node = amd_node_of(m, s, t);
  if (node->kind == AMD_NODE_WAIT && !wait_counters_are_low(m, s, t, node)) return false;
  if (node->kind == AMD_NODE_MEET && node->instr->op == AMD_OP_BARRIER_WAIT) return step_barrier_wait(m, s, t);
  if (!amd_node_is_step(node)) return false;
  s[m->node[t]] = node->next[0];
  switch (node->kind) {
    case AMD_NODE_WRITE_BACK:
      issue_write_back(m, s, t, node);
      break;
    case AMD_NODE_INVALIDATE:
      invalidate(m, s, t, node->caches);
      break;
    case AMD_NODE_WAIT:
      break;
    case AMD_NODE_ARRIVE:
      arrive(m, s, t);
      break;
    default:
      issue_access(m, s, t, node);
      break;
  }
  return true;
}
