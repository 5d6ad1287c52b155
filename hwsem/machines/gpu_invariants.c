/* SPDX-License-Identifier: MIT */
/* What holds of every state of the GPU, whatever its knobs: asserted on each that
 * a step leads to, where assertions are compiled in. */
#include "hwsem/machines/gpu_state.h"

static bool threads_are_sound(const struct gpu *g, const uint8_t *s) {
  for (unsigned t = 0; t < g->thread_count; t++)
    if (field_get(s, g->threads[t].pc) > g->threads[t].code->instr_count) return false;
  return true;
}

static bool queue_is_sound(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  queue q = queue_get(s, cache->queue);
  if (queue_bits(g, q) > cache->capacity * g->entry_bits) return false;
  for (queue rest = q; rest; rest >>= g->entry_bits) {
    unsigned entry = queue_entry(g, rest, 0);
    if (entry == 0 || entry > g->line_count + g->thread_count) return false;
    if (!entry_is_flush(g, entry) && !gpu_queues_again(&g->knobs) && queue_count(g, q, entry) != 1) return false;
  }
  return true;
}

/* A dirty line waits in its queue; one that is absent keeps no value, as equal
 * states must be equal bytes. */
static bool lines_are_sound(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  queue q = queue_get(s, cache->queue);
  for (unsigned x = 0; x < g->line_count; x++) {
    struct gpu_line line = cache->lines[x];
    enum line_state state = line_state(s, line);
    if (is_dirty(state) && !queue_count(g, q, entry_of_line(x))) return false;
    if (state == ABSENT && field_get(s, line.value.field)) return false;
  }
  return true;
}

static bool caches_are_sound(const struct gpu *g, const uint8_t *s) {
  for (unsigned c = 0; c < g->cache_count; c++)
    if (!queue_is_sound(g, s, &g->caches[c]) || !lines_are_sound(g, s, &g->caches[c])) return false;
  return true;
}

static bool l1s_fit(const struct gpu *g, const uint8_t *s) {
  unsigned room = gpu_capacity(g->knobs.l1_lines);
  for (unsigned w = 0; room && w < g->wg_count; w++) {
    unsigned kept = 0;
    for (unsigned x = 0; x < g->line_count; x++) {
      enum line_state state = line_state(s, g->l1[w].lines[x]);
      kept += state == CV || state == DV;
    }
    if (kept > room) return false;
  }
  return true;
}

/* Locks are free, or a thread's. */
static bool locks_are_sound(const struct gpu *g, const uint8_t *s, const struct field *holders, unsigned count) {
  for (unsigned i = 0; holders && i < count; i++)
    if (field_get(s, holders[i]) > g->thread_count) return false;
  return true;
}

bool gpu_state_is_sound(const struct gpu *g, const uint8_t *s) {
  return threads_are_sound(g, s) && l1s_fit(g, s) && caches_are_sound(g, s) &&
         locks_are_sound(g, s, g->rmw1, g->wg_count) && locks_are_sound(g, s, g->rmw2, g->dev_count) &&
         locks_are_sound(g, s, g->lk, g->dev_count * g->line_count);
}
