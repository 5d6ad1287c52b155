/* SPDX-License-Identifier: MIT */
/* What the GPU does of itself: write-backs, fetches, evictions, and the locks
 * that keep them off. */
#include "hwsem/machines/gpu_rules.h"

/* Another L1's (or, under LINE_BLOCKS_ALL, anyone's) lock on x stands in w's way. */
static bool line_locked(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x) {
  unsigned h = lock_holder(s, gpu_line_lock(g, g->wg_dev[w], x));
  if (h == 0) return false;
  return g->threads[h - 1].wg != w || g->knobs.line_blocks == LINE_BLOCKS_ALL;
}

static bool lock_blocks_fetch(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x) {
  if (!g->locks_lines) return false;
  bool blocks = g->knobs.line_blocks != LINE_BLOCKS_WRITE_BACK && g->knobs.line_blocks != LINE_BLOCKS_NOTHING;
  return blocks && line_locked(g, s, w, x);
}

static bool flush_behind(const struct gpu *g, queue q, unsigned i) {
  for (unsigned entry; (entry = queue_entry(g, q, ++i));)
    if (entry_is_flush(g, entry)) return true;
  return false;
}

/* Entry i of w's queue is x. */
static bool lock_blocks_write_back(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x, queue q, unsigned i) {
  if (g->knobs.line_blocks == LINE_BLOCKS_FETCH || g->knobs.line_blocks == LINE_BLOCKS_NOTHING) return false;
  if (!line_locked(g, s, w, x)) return false;
  return g->knobs.line_blocks != LINE_BLOCKS_UNFLUSHED || !flush_behind(g, q, i);
}

/* Of the line in a queue's entry. */
static bool write_back(struct gpu_moves *m, const struct cache *cache, queue q, unsigned i) {
  const struct gpu *g = m->g;
  unsigned x = queue_entry(g, q, i) - 1;
  bool l1 = cache->level == LEVEL_L1;
  if (!is_dirty(line_state(m->now, cache->lines[x]))) return true;
  if (l1 && lock_blocks_write_back(g, m->now, cache->owner, x, q, i)) return true;
  if (l1 && !g->flat && !cache_has_entry(g, m->now, &g->l2[cache->dev], x)) return true;
  uint8_t *s = gpu_begin(m);
  queue_set(s, cache->queue, queue_remove(g, queue_get(s, cache->queue), i));
  copy_value(s, cache->lines[x].value, l1 ? gpu_write_l2(g, s, cache->dev, x) : g->memory[x]);
  cache_clean(g, s, cache, x);
  return gpu_emit(m, cache_code(cache, GPU_WB1), cache->owner, x);
}

/* An address that is queued twice is written back once. */
static bool queued_before(const struct gpu *g, queue q, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (queue_entry(g, q, k) == queue_entry(g, q, i)) return true;
  return false;
}

static bool write_backs(struct gpu_moves *m, const struct cache *cache) {
  const struct gpu *g = m->g;
  queue q = queue_get(m->now, cache->queue);
  if (!q) return true;
  if (g->knobs.write_back == WRITE_BACK_FIFO) return write_back(m, cache, q, 0);
  for (unsigned i = 0; queue_entry(g, q, i); i++)
    if (!entry_is_flush(g, queue_entry(g, q, i)) && !queued_before(g, q, i) && !write_back(m, cache, q, i))
      return false;
  return true;
}

bool gpu_posted_invalidations(struct gpu_moves *m) {
  const struct gpu *g = m->g;
  for (unsigned w = 0; g->posts && w < g->wg_count; w++) {
    if (g->knobs.invalidate == INVALIDATE_DRAIN && !cache_is_clean(g, m->now, &g->l1[w])) continue;
    for (uint64_t posted = field_get(m->now, g->posted[w]); posted; posted &= posted - 1) {
      unsigned t = (unsigned)__builtin_ctzll(posted);
      uint8_t *s = gpu_begin(m);
      cache_invalidate(g, s, &g->l1[w]);
      gpu_acknowledge(g, s, w, t);
      if (!gpu_emit(m, GPU_INV1, w, t)) return false;
    }
  }
  return true;
}

bool gpu_write_backs(struct gpu_moves *m) {
  for (unsigned c = 0; c < m->g->cache_count; c++)
    if (!write_backs(m, &m->g->caches[c])) return false;
  return true;
}

/* What a cache fetches. */
static struct gpu_cell source_of(const struct gpu *g, const struct cache *cache, unsigned x) {
  return cache->level == LEVEL_L1 ? gpu_l2_value(g, cache->dev, x) : g->memory[x];
}

static bool may_be_fetched(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x) {
  return cache->level == LEVEL_L2 ||
         (gpu_l2_readable(g, s, cache->dev, x) && !lock_blocks_fetch(g, s, cache->owner, x));
}

/* Copies a line in when that changes anything. */
static bool fetch(struct gpu_moves *m, const struct cache *cache, unsigned x) {
  const struct gpu *g = m->g;
  struct gpu_line line = cache->lines[x];
  struct gpu_cell from = source_of(g, cache, x);
  enum line_state state = line_state(m->now, line);
  if (is_dirty(state) || !may_be_fetched(g, m->now, cache, x) || !cache_has_room(g, m->now, cache, x)) return true;
  if (state == CV && same_value(m->now, line.value, from)) return true;
  uint8_t *s = gpu_begin(m);
  field_set(s, line.state, CV);
  field_set(s, line.value.field, field_get(m->now, from.field));
  return gpu_emit(m, cache_code(cache, GPU_FETCH1), cache->owner, x);
}

static bool evict(struct gpu_moves *m, const struct cache *cache, unsigned x) {
  if (line_state(m->now, cache->lines[x]) != CV) return true;
  line_drop(gpu_begin(m), cache->lines[x]);
  return gpu_emit(m, cache_code(cache, GPU_EVICT1), cache->owner, x);
}

/* Slots of a cache that a fetch from `source`, another cache's, would change: their
 * low bits.  A value that differs carries into the bit above it. */
static uint64_t stale_slots(const struct gpu_slots *slots, uint64_t here, uint64_t source) {
  uint64_t dirty = (here & slots->high) >> 1, clean = slots_clean(slots, here);
  uint64_t readable = (source & slots->low) ^ (source & slots->high) >> 1;
  uint64_t differ = (((here ^ source) & slots->values) + slots->values) & slots->low;
  return readable & ~dirty & (differ | ~clean);
}

/* Memory as a cache whose lines are all clean. */
static uint64_t memory_slots(const struct gpu *g, const uint8_t *s) {
  uint64_t slots = g->slots.low;
  for (unsigned x = 0; x < g->line_count; x++) slots |= field_get(s, g->memory[x].field) << g->slots.at[x];
  return slots;
}

/* FETCH1 or FETCH2 of all `lines`. */
static bool fetch_slots(struct gpu_moves *m, const struct cache *cache, uint64_t source, uint64_t lines) {
  const struct gpu *g = m->g;
  bool l1 = cache->level == LEVEL_L1;
  uint64_t here = field_get(m->now, cache->slots);
  for (uint64_t stale = stale_slots(&g->slots, here, source); stale; stale &= stale - 1) {
    unsigned x = slots_line(&g->slots, stale);
    if (!gpu_has_line(lines, x) || (l1 && lock_blocks_fetch(g, m->now, cache->owner, x))) continue;
    uint64_t slot = g->slots.slot[x];
    field_set(gpu_begin(m), cache->slots, (here & ~slot) | (source & g->slots.values & slot) | (stale & -stale));
    if (!gpu_emit(m, cache_code(cache, GPU_FETCH1), cache->owner, x)) return false;
  }
  return true;
}

/* By the word; where lines may be dropped too, they are taken one by one. */
static bool has_slots(const struct gpu *g) {
  return g->slots.bits && !g->knobs.evict_clean && !g->knobs.l1_lines;
}

static bool fetches_into(struct gpu_moves *m, const struct cache *cache, uint64_t memory) {
  const struct gpu *g = m->g;
  uint64_t lines = m->reduced ? cache_needs(g, m->now, cache) : ~UINT64_C(0);
  bool above_l2 = cache->level == LEVEL_L1 && !g->flat;
  if (has_slots(g)) return fetch_slots(m, cache, above_l2 ? field_get(m->now, g->l2[cache->dev].slots) : memory, lines);
  bool evicts = g->knobs.evict_clean || cache_is_full(g, m->now, cache);
  for (unsigned x = 0; x < g->line_count; x++) {
    if (gpu_has_line(lines, x) && !fetch(m, cache, x)) return false;
    if (evicts && !evict(m, cache, x)) return false;
  }
  return true;
}

bool gpu_fetches(struct gpu_moves *m) {
  const struct gpu *g = m->g;
  uint64_t memory = has_slots(g) ? memory_slots(g, m->now) : 0;
  for (unsigned c = 0; c < g->cache_count; c++)
    if (!fetches_into(m, &g->caches[c], memory)) return false;
  return true;
}

bool gpu_may_refetch(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x) {
  struct gpu_line line = cache->lines[x];
  return line_state(s, line) == CV && may_be_fetched(g, s, cache, x) &&
         same_value(s, source_of(g, cache, x), line.value);
}
