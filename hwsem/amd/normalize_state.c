/* SPDX-License-Identifier: MIT */
/* Settling: what follows at once from a step of the AMD machine, and what is
 * cleared since nobody can see it any more.
 */
#include <assert.h>
#include <string.h>

#include "hwsem/amd/rules.h"

/* ---- nodes that are no steps ---- */

/* A register is read or overwritten too early: the first time is noted.  Where the
 * run goes on it is with what the register holds, which depends on whether the load
 * is done. */
static void meet_hazard(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  if (!s[m->hazard]) s[m->hazard] = (int32_t)((unsigned)(s[m->node[t]] + 1) * AMD_THREADS + t);
  if (node->goes_on) amd_finish_slot(m, s, t, node->slot, (int64_t)(amd_done(m, s, t) >> node->load_slot & 1));
}

/* Requests on their way have a thread's new slots. */
static void rename_requests(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  int32_t to[AMD_SLOTS] = {0};
  for (unsigned k = 0; k < node->move_count; k++)
    if (!node->moves[k].expr) to[node->moves[k].from] = amd_request(t, k);
  for (unsigned x = 0; x < m->locations; x++) {
    int32_t *queue = amd_queue(m, s, m->cu[t], x);
    for (unsigned i = 0; i < m->room[m->cu[t] * m->locations + x] && queue[i]; i++)
      if (amd_request_thread(queue[i]) == t) queue[i] = to[amd_request_slot(queue[i])];
  }
}

/* Slots get new numbers, and values that expressions had. */
static void move_slots(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  int32_t values[2 * AMD_SLOTS] = {0}, *slots = s + m->value[t];
  amd_slot_set done = 0, before = amd_done(m, s, t);
  for (unsigned k = 0; k < node->move_count; k++) {
    const struct amd_move *move = &node->moves[k];
    int64_t value =
        move->expr ? amd_expr_value(move->expr, slots, m->width) : amd_get(m, slots + m->width * move->from);
    amd_put(m, values + m->width * k, value);
    if (move->expr || before >> move->from & 1) done |= amd_slot(k);
  }
  rename_requests(m, s, t, node);
  memcpy(slots, values, m->width * m->program->threads[t].tree->slots * sizeof *s);
  amd_set_done(m, s, t, done);
}

/* Passes a node that is no step of its own; false: it is one. */
static bool pass(const struct amd *m, int32_t *s, unsigned t) {
  const struct amd_node *node = amd_node_of(m, s, t);
  unsigned side = 0;
  if (node->kind == AMD_NODE_FORK)
    side = amd_expr_value(node->condition, s + m->value[t], m->width) != 0;
  else if (node->kind == AMD_NODE_WAIT && m->knobs.reduce && wait_counters_are_low(m, s, t, node))
    side = 0;
  else if (node->kind == AMD_NODE_MEET && !amd_has_arrived(m, s, t))
    side = 0;
  else if (node->kind == AMD_NODE_HAZARD)
    meet_hazard(m, s, t, node);
  else if (node->kind == AMD_NODE_MOVE)
    move_slots(m, s, t, node);
  else if (node->kind != AMD_NODE_JOIN)
    return false;
  if (node->next[side] == AMD_NO_NODE) return false;
  s[m->node[t]] = node->next[side];
  return true;
}

/* A thread that goes round for ever and takes no step is at the first node of its circle. */
static void rest(const struct amd *m, int32_t *s, unsigned t) {
  unsigned count = m->program->threads[t].tree->count;
  int32_t first = s[m->node[t]];
  for (unsigned i = 0; i < count; i++) {
    if (s[m->node[t]] < first) first = s[m->node[t]];
    pass(m, s, t);
  }
  for (unsigned i = 0; i < count && s[m->node[t]] != first; i++) pass(m, s, t);
}

static void advance(const struct amd *m, int32_t *s, unsigned t) {
  unsigned passed = 0, most = 2 * m->program->threads[t].tree->count;
  while (passed <= most && pass(m, s, t)) passed++;
  if (passed > most) rest(m, s, t);
}

/* ---- what nobody sees ---- */

/* What a thread's later nodes, and its requests, still read. */
static amd_slot_set live_slots(const struct amd *m, const int32_t *s, unsigned t) {
  amd_slot_set live = amd_node_of(m, s, t)->live;
  for (amd_slot_set left = amd_outstanding(m, s, t); left; left &= left - 1)
    live |= amd_slot_node(m, s, t, amd_first_of(left))->uses;
  return live;
}

static void clear_values(const struct amd *m, int32_t *s, unsigned t) {
  for (amd_slot_set dead = amd_first_slots(amd_node_of(m, s, t)->slots) & ~live_slots(m, s, t); dead; dead &= dead - 1)
    amd_put(m, s + m->value[t] + m->width * amd_first_of(dead), 0);
}

/* Does a load on its way look into caches of the kind?  Into L0 it has looked when it was issued. */
static bool looks_up(const struct amd_node *node, enum amd_kind kind) {
  if (kind == KIND_L0) return false;
  if (kind == KIND_SCALAR) return amd_node_is_scalar(node);
  return node->kind == AMD_NODE_LOAD && !node->local && !(node->passes & (kind == KIND_GL1 ? AMD_GL1 : AMD_L2));
}

amd_location_set amd_on_the_way(const struct amd *m, const int32_t *s, unsigned t, enum amd_kind kind) {
  amd_location_set set = 0;
  for (amd_slot_set left = amd_outstanding(m, s, t); left; left &= left - 1) {
    const struct amd_node *node = amd_slot_node(m, s, t, amd_first_of(left));
    if (looks_up(node, kind)) set |= amd_only(node->location);
  }
  return set;
}

amd_location_set amd_looked_up(const struct amd *m, const int32_t *s, enum amd_kind kind, unsigned cache, bool now) {
  amd_location_set set = 0;
  for (unsigned t = 0; t < m->threads; t++) {
    const struct amd_node *node = amd_node_of(m, s, t);
    const unsigned cu = m->cu[t], of[AMD_KINDS] = {cu, m->array[cu], m->l2[cu], cu};
    amd_location_set loads = kind == KIND_SCALAR ? node->scalars : now ? node->finds[kind] : node->loads[kind];
    if (of[kind] == cache) set |= loads | (kind == KIND_L0 ? 0 : amd_on_the_way(m, s, t, kind));
  }
  return set;
}

static bool has_clean_lines(const struct amd *m, int32_t *s, enum amd_kind kind, unsigned cache) {
  for (unsigned x = 0; x < m->locations; x++)
    if (amd_line_at(m, s, kind, cache, x)[0] == AMD_CLEAN) return true;
  return false;
}

/* Lines that nobody will look up; or not before they are invalidated.  A dirty one of an L2 is still to be written
 * back.
 */
static void drop_lines(const struct amd *m, int32_t *s, bool now) {
  for (enum amd_kind kind = 0; kind < AMD_KINDS; kind++)
    for (unsigned c = 0; c < m->caches[kind]; c++) {
      if (!has_clean_lines(m, s, kind, c)) continue;
      amd_location_set set = amd_looked_up(m, s, kind, c, now);
      for (unsigned x = 0; x < m->locations; x++) {
        int32_t *line = amd_line_at(m, s, kind, c, x);
        if (line[0] == AMD_CLEAN && !(set >> x & 1)) amd_set_line(m, line, AMD_ABSENT, 0);
      }
    }
}

void amd_normalize(const struct amd *m, int32_t *s) {
  for (unsigned t = 0; t < m->threads; t++) advance(m, s, t);
  for (unsigned t = 0; t < m->threads; t++) clear_values(m, s, t);
  if (m->knobs.reduce) drop_lines(m, s, false);
  assert(amd_state_is_sound(m, s));
}

/* ---- lines and markers of the reduced search ---- */

/* A line that is absent may be fetched, and a clean one evicted, at any time.  So a line with what is below it and an
 * absent one that may be fetched can become each other, and are one state: the former.  What is left of fetching
 * is to fetch a line again that is stale; what is left of evicting, a load that goes on as if its line were absent.
 * And lines are absent that are invalidated before anybody finds them.
 * Markers of write-backs that are first in a queue are done at once: a line that is dirty is written back by itself,
 * before or after. */

/* Finishes write-backs' markers that are first in their queue; true: there was one. */
static bool pass_markers(const struct amd *m, int32_t *s) {
  bool any = false;
  for (unsigned c = 0; c < m->cus; c++)
    for (unsigned x = 0; x < m->locations; x++)
      while (!amd_queue_is_empty(m, s, c, x) &&
             amd_request_node(m, s, amd_queue(m, s, c, x)[0])->kind == AMD_NODE_WRITE_BACK &&
             !(amd_several(m) && amd_l2_line(m, s, m->l2[c], x)[0] == AMD_DIRTY)) {
        amd_serve(m, s, c, x);
        any = true;
      }
  return any;
}

/* From where most lie in front of on. */
static void fetch_lines(const struct amd *m, int32_t *s) {
  static const enum amd_kind order[AMD_KINDS] = {KIND_L2, KIND_GL1, KIND_L0, KIND_SCALAR};
  for (unsigned k = 0; k < AMD_KINDS; k++)
    for (unsigned c = 0; c < m->caches[order[k]]; c++) {
      amd_location_set set = amd_looked_up(m, s, order[k], c, true);
      for (unsigned x = 0; x < m->locations && set >> x; x++) {
        int32_t *line = amd_line_at(m, s, order[k], c, x);
        if (set >> x & 1 && line[0] == AMD_ABSENT && amd_can_fill(m, s, order[k], c, x))
          amd_set_line(m, line, AMD_CLEAN, amd_behind(m, s, order[k], c, x));
      }
    }
}

void amd_freshen(const struct amd *m, int32_t *s) {
  if (pass_markers(m, s)) amd_normalize(m, s);
  drop_lines(m, s, true);
  if (m->knobs.fill) fetch_lines(m, s);
}
