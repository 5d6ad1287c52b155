/* SPDX-License-Identifier: MIT */
/* What holds of every settled state of the AMD machine, whatever its knobs: asserted on
 * each that a step leads to, where assertions are compiled in.
 *
 * A request that is outstanding waits somewhere, once: in the queue of its compute unit and
 * location; a write-back in those of several locations; accesses of local memory and scalar
 * loads in none, as slots that are outstanding are their queue.
 */
#include "hwsem/amd/rules.h"

/* ---- threads ---- */

static bool has_queue(const struct amd_node *node) {
  return !node->local && !amd_node_is_scalar(node);
}

static unsigned times_queued(const struct amd *m, int32_t *s, unsigned x, int32_t request) {
  unsigned c = m->cu[amd_request_thread(request)], times = 0;
  const int32_t *queue = amd_queue(m, s, c, x);
  for (unsigned i = 0; i < m->room[c * m->locations + x] && queue[i]; i++) times += queue[i] == request;
  return times;
}

static bool slot_waits(const struct amd *m, int32_t *s, unsigned t, unsigned slot) {
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  unsigned here = 0, all = 0;
  if (!amd_node_is_request(node)) return false;
  for (unsigned x = 0; x < m->locations; x++) {
    unsigned times = times_queued(m, s, x, amd_request(t, slot));
    all += times;
    if (times > 1) return false;
    if (node->kind != AMD_NODE_WRITE_BACK && x == node->location) here = times;
  }
  if (node->kind == AMD_NODE_WRITE_BACK) return all > 0;
  return has_queue(node) ? here == 1 && all == 1 : all == 0;
}

/* What no later node reads is 0, as equal states must be equal bytes. */
static bool thread_is_sound(const struct amd *m, int32_t *s, unsigned t) {
  const struct amd_tree *tree = m->program->threads[t].tree;
  if (s[m->node[t]] < 0 || (unsigned)s[m->node[t]] >= tree->count) return false;
  const struct amd_node *node = amd_node_of(m, s, t);
  amd_slot_set left = amd_outstanding(m, s, t), done = amd_done(m, s, t);
  if (node->slots > tree->slots || (node->slots < AMD_SLOTS && done >> node->slots)) return false;
  for (unsigned slot = 0; slot < node->slots; slot++)
    if (left >> slot & 1 && !slot_waits(m, s, t, slot)) return false;
  for (unsigned slot = node->slots; slot < tree->slots; slot++)
    if (amd_get(m, s + m->value[t] + m->width * slot)) return false;
  return node->kind != AMD_NODE_MEET || amd_has_arrived(m, s, t);
}

/* ---- queues ---- */

static bool entry_is_sound(const struct amd *m, const int32_t *s, unsigned c, unsigned x, int32_t request) {
  unsigned t = amd_request_thread(request), slot = amd_request_slot(request);
  if (t >= m->threads || m->cu[t] != c || slot >= AMD_SLOTS || !(amd_outstanding(m, s, t) >> slot & 1)) return false;
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  return node->kind == AMD_NODE_WRITE_BACK || (amd_node_is_access(node) && has_queue(node) && node->location == x);
}

static bool queue_is_sound(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  const int32_t *queue = amd_queue(m, s, c, x);
  bool ended = false;
  for (unsigned i = 0; i < m->room[c * m->locations + x]; i++) {
    if (!queue[i])
      ended = true;
    else if (ended || !entry_is_sound(m, s, c, x, queue[i]))
      return false;
  }
  return true;
}

/* ---- lines ---- */

static bool line_is_sound(const struct amd *m, const int32_t *line, enum amd_line most) {
  if (line[0] < AMD_ABSENT || line[0] > (int32_t)most) return false;
  return line[0] != AMD_ABSENT || amd_line_value(m, line) == 0;
}

/* Dirty lines are in L2s only; a clean one where its memory is at home is as good as absent. */
static bool lines_are_sound(const struct amd *m, int32_t *s, unsigned x) {
  bool sound = true;
  for (unsigned c = 0; c < m->cus; c++) sound &= queue_is_sound(m, s, c, x);
  for (enum amd_kind kind = 0; kind < AMD_KINDS; kind++)
    for (unsigned c = 0; c < m->caches[kind]; c++) {
      const int32_t *line = amd_line_at(m, s, kind, c, x);
      sound &= line_is_sound(m, line, kind == KIND_L2 ? AMD_DIRTY : AMD_CLEAN) &&
               !(kind == KIND_L2 && line[0] == AMD_CLEAN && m->home[x] == c);
    }
  return sound;
}

bool amd_state_is_sound(const struct amd *m, int32_t *s) {
  if ((uint32_t)s[m->arrived] >> m->threads) return false;
  for (unsigned t = 0; t < m->threads; t++)
    if (!thread_is_sound(m, s, t)) return false;
  for (unsigned x = 0; x < m->locations; x++)
    if (!lines_are_sound(m, s, x)) return false;
  return true;
}
