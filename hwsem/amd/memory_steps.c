/* SPDX-License-Identifier: MIT */
/* Requests of threads as GL1, the L2 and memory serve them, and those of local
 * memory.
 */
#include <string.h>

#include "hwsem/amd/rules.h"

/* ---- the L2 ---- */

/* A clean line where its memory is at home is as good as absent. */
static void set_clean(const struct amd *m, int32_t *s, unsigned l2, unsigned x, int64_t value) {
  amd_set_line(m, amd_l2_line(m, s, l2, x), m->home[x] == l2 ? AMD_ABSENT : AMD_CLEAN, value);
}

static void drop_home(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  unsigned home = m->home[x];
  if (home != l2 && home != AMD_NOWHERE) amd_set_line(m, amd_l2_line(m, s, home, x), AMD_ABSENT, 0);
}

/* One L2 is plain memory. */
static int64_t read_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x, bool passes) {
  if (!amd_several(m)) return amd_get(m, amd_memory(m, s, x));
  int32_t *line = amd_l2_line(m, s, l2, x);
  if (passes) amd_drop_clean(m, line);
  if (line[0] == AMD_ABSENT) set_clean(m, s, l2, x, amd_get(m, amd_memory(m, s, x)));
  return line[0] == AMD_ABSENT ? amd_get(m, amd_memory(m, s, x)) : amd_line_value(m, line);
}

void amd_write_line_back(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  int32_t *line = amd_l2_line(m, s, l2, x);
  if (line[0] != AMD_DIRTY) return;
  amd_put(m, amd_memory(m, s, x), amd_line_value(m, line));
  set_clean(m, s, l2, x, amd_line_value(m, line));
  drop_home(m, s, l2, x);
}

static void store_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x, int64_t value, bool through) {
  if (!amd_several(m)) {
    amd_put(m, amd_memory(m, s, x), value);
    return;
  }
  amd_set_line(m, amd_l2_line(m, s, l2, x), AMD_DIRTY, value);
  if (through) amd_write_line_back(m, s, l2, x);
}

int64_t amd_peek_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  if (!amd_several(m)) return amd_get(m, amd_memory(m, s, x));
  const int32_t *line = amd_l2_line(m, s, l2, x);
  return line[0] ? amd_line_value(m, line) : amd_get(m, amd_memory(m, s, x));
}

int64_t amd_behind(const struct amd *m, int32_t *s, enum amd_kind kind, unsigned cache, unsigned x) {
  if (kind == KIND_L2 || (kind == KIND_SCALAR && m->program->target->group_l0)) return amd_get(m, amd_memory(m, s, x));
  if (kind == KIND_GL1) return amd_peek_l2(m, s, 0, x); /* machines with GL1 have one L2 */
  const int32_t *line = amd_l1(m, s, m->array[cache], x);
  return kind == KIND_L0 && m->gl1 && line[0] ? amd_line_value(m, line) : amd_peek_l2(m, s, m->l2[cache], x);
}

bool amd_can_fill(const struct amd *m, int32_t *s, enum amd_kind kind, unsigned cache, unsigned x) {
  return kind == KIND_L0 ? amd_queue_is_empty(m, s, cache, x) : kind != KIND_L2 || m->home[x] != cache;
}

/* ---- serving requests ---- */

static int64_t rmw_value(const struct amd *m, const int32_t *s, unsigned t, const struct amd_node *node, int64_t old) {
  int64_t operand = amd_written(m, s, t, &node->data);
  if (node->kind == AMD_NODE_CAS) return old == amd_written(m, s, t, &node->expected) ? operand : old;
  int64_t result = rmw_apply(node->op, old, operand);
  return node->data.word[1] ? result : (int32_t)result;
}

void amd_finish_slot(const struct amd *m, int32_t *s, unsigned t, unsigned slot, int64_t value) {
  wait_counters_decrement(m, s, t, slot);
  amd_put(m, s + m->value[t] + m->width * slot, value);
}

static bool younger_write(const struct amd *m, const int32_t *s, const int32_t *queue, unsigned room) {
  for (unsigned i = 1; i < room && queue[i]; i++) {
    enum amd_node_kind kind = amd_slot_node(m, s, amd_request_thread(queue[i]), amd_request_slot(queue[i]))->kind;
    if (kind == AMD_NODE_STORE || kind == AMD_NODE_RMW || kind == AMD_NODE_CAS) return true;
  }
  return false;
}

static int64_t serve_load(const struct amd *m, int32_t *s, unsigned c, unsigned x, const struct amd_node *node) {
  int32_t *line1 = amd_l1(m, s, m->array[c], x), *line0 = amd_l0(m, s, c, x);
  const int32_t *queue = amd_queue(m, s, c, x);
  bool in_gl1 = m->gl1 && !(node->passes & AMD_GL1);
  int64_t value = in_gl1 && line1[0] ? amd_line_value(m, line1) : read_l2(m, s, m->l2[c], x, node->passes & AMD_L2);
  if (m->gl1) amd_set_line(m, line1, in_gl1 ? AMD_CLEAN : AMD_ABSENT, value);
  if (!(node->passes & AMD_L0) && !younger_write(m, s, queue, m->room[c * m->locations + x]))
    amd_set_line(m, line0, AMD_CLEAN, value);
  return value;
}

static int64_t serve_rmw(const struct amd *m, int32_t *s, unsigned c, unsigned t, unsigned x,
                         const struct amd_node *node) {
  unsigned l2 = m->l2[c];
  if (amd_several(m)) {
    amd_write_line_back(m, s, l2, x);
    if (m->home[x] != AMD_NOWHERE) amd_write_line_back(m, s, m->home[x], x);
    amd_set_line(m, amd_l2_line(m, s, l2, x), AMD_ABSENT, 0);
    drop_home(m, s, l2, x);
  }
  int64_t old = amd_get(m, amd_memory(m, s, x));
  amd_put(m, amd_memory(m, s, x), rmw_value(m, s, t, node, old));
  return old;
}

bool amd_is_queued(const struct amd *m, int32_t *s, unsigned c, unsigned x, int32_t request) {
  const int32_t *queue = amd_queue(m, s, c, x);
  for (unsigned i = 0; i < m->room[c * m->locations + x] && queue[i]; i++)
    if (queue[i] == request) return true;
  return false;
}

static bool has_marker(const struct amd *m, int32_t *s, unsigned c, int32_t request) {
  for (unsigned x = 0; x < m->locations; x++)
    if (amd_is_queued(m, s, c, x, request)) return true;
  return false;
}

static void drop_head(int32_t *queue, unsigned room) {
  memmove(queue, queue + 1, (room - 1) * sizeof *queue);
  queue[room - 1] = 0;
}

void amd_serve(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  int32_t *queue = amd_queue(m, s, c, x), request = queue[0];
  unsigned t = amd_request_thread(request), slot = amd_request_slot(request), room = m->room[c * m->locations + x];
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  int64_t read = 0;
  if (node->kind == AMD_NODE_LOAD) {
    read = serve_load(m, s, c, x, node);
  } else if (node->kind == AMD_NODE_WRITE_BACK) {
    if (amd_several(m)) amd_write_line_back(m, s, m->l2[c], x);
  } else {
    if (node->kind == AMD_NODE_STORE)
      store_l2(m, s, m->l2[c], x, amd_stored(m, s, t, node, amd_peek_l2(m, s, m->l2[c], x)), node->through);
    else
      read = serve_rmw(m, s, c, t, x, node);
    if (m->gl1) amd_set_line(m, amd_l1(m, s, m->array[c], x), AMD_ABSENT, 0);
  }
  drop_head(queue, room);
  if (node->kind == AMD_NODE_WRITE_BACK && has_marker(m, s, c, request)) return;
  amd_finish_slot(m, s, t, slot, node->returns || node->seen ? read : 0);
}

void amd_serve_scalar(const struct amd *m, int32_t *s, unsigned t, unsigned slot) {
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  int32_t *line = amd_scalar_line(m, s, m->cu[t], node->location);
  if (!line[0] && !m->program->target->group_l0) read_l2(m, s, m->l2[m->cu[t]], node->location, false);
  if (!line[0]) amd_set_line(m, line, AMD_CLEAN, amd_behind(m, s, KIND_SCALAR, m->cu[t], node->location));
  amd_finish_slot(m, s, t, slot, amd_line_value(m, line));
}

int amd_oldest_local(const struct amd *m, const int32_t *s, unsigned t) {
  for (amd_slot_set left = amd_outstanding(m, s, t); left; left &= left - 1)
    if (amd_slot_node(m, s, t, amd_first_of(left))->local) return (int)amd_first_of(left);
  return -1;
}

void amd_serve_local(const struct amd *m, int32_t *s, unsigned t, unsigned slot) {
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  int32_t *cell = amd_local(m, s, m->program->threads[t].wg, node->location);
  int64_t old = amd_get(m, cell);
  if (node->kind == AMD_NODE_STORE)
    amd_put(m, cell, amd_stored(m, s, t, node, old));
  else if (node->kind != AMD_NODE_LOAD)
    amd_put(m, cell, rmw_value(m, s, t, node, old));
  amd_finish_slot(m, s, t, slot, node->returns || node->seen ? old : 0);
}
