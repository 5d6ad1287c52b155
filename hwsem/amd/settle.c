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
  amd_slot_set live = amd_node_of(m, s, t)->live, left = amd_outstanding(m, s, t);
  for (unsigned slot = 0; slot < AMD_SLOTS && left >> slot; slot++)
    if (left >> slot & 1) live |= amd_slot_node(m, s, t, slot)->uses;
  return live;
}

static void clear_values(const struct amd *m, int32_t *s, unsigned t) {
  unsigned count = amd_node_of(m, s, t)->slots;
  amd_slot_set live = live_slots(m, s, t);
  for (unsigned slot = 0; slot < count; slot++)
    if (!(live >> slot & 1)) amd_put(m, s + m->value[t] + m->width * slot, 0);
}

/* Locations that loads of the threads on a compute unit will look up in L0. */
amd_location_set amd_looked_up0(const struct amd *m, const int32_t *s, unsigned cu) {
  amd_location_set set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->cu[t] == cu) set |= amd_node_of(m, s, t)->loads0;
  return set;
}

amd_location_set amd_on_the_way(const struct amd *m, const int32_t *s, unsigned t, enum amd_cache cache) {
  amd_location_set set = 0;
  amd_slot_set left = amd_outstanding(m, s, t);
  for (unsigned slot = 0; slot < AMD_SLOTS && left >> slot; slot++) {
    const struct amd_node *node = left >> slot & 1 ? amd_slot_node(m, s, t, slot) : NULL;
    if (node && node->kind == AMD_NODE_LOAD && !node->local && !(node->passes & cache)) set |= amd_only(node->location);
  }
  return set;
}

/* The same in GL1, where requests on their way look too. */
amd_location_set amd_looked_up1(const struct amd *m, const int32_t *s, unsigned array) {
  amd_location_set set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->array[m->cu[t]] == array) set |= amd_node_of(m, s, t)->loads1 | amd_on_the_way(m, s, t, AMD_GL1);
  return set;
}

/* The same in one of several L2s. */
amd_location_set amd_looked_up2(const struct amd *m, const int32_t *s, unsigned l2) {
  amd_location_set set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->l2[m->cu[t]] == l2) set |= amd_node_of(m, s, t)->loads2 | amd_on_the_way(m, s, t, AMD_L2);
  return set;
}

amd_location_set amd_looked_up_scalar(const struct amd *m, const int32_t *s, unsigned cu) {
  amd_location_set set = 0;
  for (unsigned t = 0; t < m->threads; t++) {
    amd_slot_set left = m->cu[t] == cu ? amd_outstanding(m, s, t) : 0;
    if (m->cu[t] == cu) set |= amd_node_of(m, s, t)->scalars;
    for (unsigned slot = 0; slot < AMD_SLOTS && left >> slot; slot++) {
      const struct amd_node *node = left >> slot & 1 ? amd_slot_node(m, s, t, slot) : NULL;
      if (node && amd_node_is_scalar(node)) set |= amd_only(node->location);
    }
  }
  return set;
}

/* Lines that nobody will look up.  A dirty one of an L2 is still to be written back. */
static void drop_lines(const struct amd *m, int32_t *s) {
  for (unsigned c = 0; c < m->cus; c++) {
    amd_location_set set = amd_looked_up0(m, s, c);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) amd_set_line(m, amd_l0(m, s, c, x), AMD_ABSENT, 0);
  }
  for (unsigned c = 0; m->scalars && c < m->cus; c++) {
    amd_location_set set = amd_looked_up_scalar(m, s, c);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) amd_set_line(m, amd_scalar_line(m, s, c, x), AMD_ABSENT, 0);
  }
  for (unsigned a = 0; m->gl1 && a < m->arrays; a++) {
    amd_location_set set = amd_looked_up1(m, s, a);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) amd_set_line(m, amd_l1(m, s, a, x), AMD_ABSENT, 0);
  }
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++) {
    amd_location_set set = amd_looked_up2(m, s, g);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) amd_drop_clean(m, amd_l2_line(m, s, g, x));
  }
}

void amd_settle(const struct amd *m, int32_t *s) {
  for (unsigned t = 0; t < m->threads; t++) advance(m, s, t);
  for (unsigned t = 0; t < m->threads; t++) clear_values(m, s, t);
  if (m->knobs.reduce) drop_lines(m, s);
  assert(amd_state_is_sound(m, s));
}

/* ---- lines and markers of the reduced search ---- */

/* A line that is absent may be fetched, and a clean one evicted, at any time.  So a line with what is behind it and an
 * absent one that may be fetched can become each other, and are one state: the former.  What is left of fetching
 * is to fetch a line again that is stale; what is left of evicting, a load that goes on as if its line were absent.
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

static void fetch(const struct amd *m, int32_t *line, int64_t value) {
  if (line[0] == AMD_ABSENT) amd_set_line(m, line, AMD_CLEAN, value);
}

static void fetch_lines(const struct amd *m, int32_t *s) {
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++) {
    amd_location_set set = amd_looked_up2(m, s, g);
    for (unsigned x = 0; x < m->locations && set >> x; x++)
      if (set >> x & 1 && m->home[x] != g) fetch(m, amd_l2_line(m, s, g, x), amd_get(m, amd_memory(m, s, x)));
  }
  for (unsigned a = 0; m->gl1 && a < m->arrays; a++) {
    amd_location_set set = amd_looked_up1(m, s, a);
    for (unsigned x = 0; x < m->locations && set >> x; x++)
      if (set >> x & 1) fetch(m, amd_l1(m, s, a, x), amd_peek_l2(m, s, 0, x));
  }
  for (unsigned c = 0; c < m->cus; c++) {
    amd_location_set set = amd_looked_up0(m, s, c), scalars = m->scalars ? amd_looked_up_scalar(m, s, c) : 0;
    for (unsigned x = 0; x < m->locations && (set | scalars) >> x; x++) {
      if (set >> x & 1 && amd_queue_is_empty(m, s, c, x)) fetch(m, amd_l0(m, s, c, x), amd_behind_l0(m, s, c, x));
      if (scalars >> x & 1) fetch(m, amd_scalar_line(m, s, c, x), amd_peek_l2(m, s, m->l2[c], x));
    }
  }
}

void amd_freshen(const struct amd *m, int32_t *s) {
  if (pass_markers(m, s)) amd_settle(m, s);
  if (m->knobs.fill) fetch_lines(m, s);
}
