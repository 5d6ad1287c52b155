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

static void write_back(struct gpu_moves *m, uint8_t *s, const struct cache *cache, unsigned i) {
  queue_set(s, cache->queue, queue_remove(m->g, queue_get(s, cache->queue), i));
}

static bool wb1_entry(struct gpu_moves *m, unsigned w, queue q, unsigned i) {
  const struct gpu *g = m->g;
  unsigned x = queue_entry(g, q, i) - 1;
  if (!is_dirty(line_state(m->now, g->l1[w].lines[x])) || lock_blocks_write_back(g, m->now, w, x, q, i)) return true;
  if (!g->flat && !cache_has_entry(g, m->now, &g->l2[g->wg_dev[w]], x)) return true;
  uint8_t *s = gpu_begin(m);
  write_back(m, s, &g->l1[w], i);
  copy_value(s, g->l1[w].lines[x].value, gpu_write_l2(g, s, g->wg_dev[w], x));
  cache_clean(g, s, &g->l1[w], x);
  return gpu_emit(m, GPU_WB1, w, x);
}

static bool wb2_entry(struct gpu_moves *m, unsigned d, queue q, unsigned i) {
  const struct gpu *g = m->g;
  unsigned x = queue_entry(g, q, i) - 1;
  if (!is_dirty(line_state(m->now, g->l2[d].lines[x]))) return true;
  uint8_t *s = gpu_begin(m);
  write_back(m, s, &g->l2[d], i);
  copy_value(s, g->l2[d].lines[x].value, g->memory[x]);
  cache_clean(g, s, &g->l2[d], x);
  return gpu_emit(m, GPU_WB2, d, x);
}

/* An address that is queued twice is written back once. */
static bool queued_before(const struct gpu *g, queue q, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (queue_entry(g, q, k) == queue_entry(g, q, i)) return true;
  return false;
}

static bool write_backs(struct gpu_moves *m, const struct cache *cache, unsigned agent,
                        bool (*entry)(struct gpu_moves *, unsigned, queue, unsigned)) {
  const struct gpu *g = m->g;
  queue q = queue_get(m->now, cache->queue);
  if (!q) return true;
  if (g->knobs.write_back == WRITE_BACK_FIFO) return entry(m, agent, q, 0);
  for (unsigned i = 0; queue_entry(g, q, i); i++)
    if (!entry_is_flush(g, queue_entry(g, q, i)) && !queued_before(g, q, i) && !entry(m, agent, q, i)) return false;
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
  const struct gpu *g = m->g;
  for (unsigned w = 0; w < g->wg_count; w++)
    if (!write_backs(m, &g->l1[w], w, wb1_entry)) return false;
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    if (!write_backs(m, &g->l2[d], d, wb2_entry)) return false;
  return true;
}

/* Copies a line in when that changes anything. */
static bool fetch(struct gpu_moves *m, struct gpu_line line, struct gpu_cell from, enum gpu_code code, unsigned agent,
                  unsigned x) {
  if (line_state(m->now, line) == CV && same_value(m->now, line.value, from)) return true;
  uint8_t *s = gpu_begin(m);
  field_set(s, line.state, CV);
  field_set(s, line.value.field, field_get(m->now, from.field));
  return gpu_emit(m, code, agent, x);
}

static bool fetch1(struct gpu_moves *m, unsigned w, unsigned x) {
  const struct gpu *g = m->g;
  struct gpu_line line = g->l1[w].lines[x];
  enum line_state state = line_state(m->now, line);
  unsigned dev = g->wg_dev[w];
  if (is_dirty(state) || !gpu_l2_readable(g, m->now, dev, x) || lock_blocks_fetch(g, m->now, w, x)) return true;
  if (!l1_has_room(g, m->now, &g->l1[w], x)) return true;
  return fetch(m, line, gpu_l2_value(g, dev, x), GPU_FETCH1, w, x);
}

static bool fetch2(struct gpu_moves *m, unsigned d, unsigned x) {
  const struct gpu *g = m->g;
  struct gpu_line line = g->l2[d].lines[x];
  enum line_state state = line_state(m->now, line);
  if (is_dirty(state)) return true;
  return fetch(m, line, g->memory[x], GPU_FETCH2, d, x);
}

static bool evict(struct gpu_moves *m, struct gpu_line line, enum gpu_code code, unsigned agent, unsigned x) {
  if (line_state(m->now, line) != CV) return true;
  line_drop(gpu_begin(m), line);
  return gpu_emit(m, code, agent, x);
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
static bool fetch_slots(struct gpu_moves *m, const struct cache *cache, uint64_t source, uint64_t lines,
                        enum gpu_code code, unsigned agent) {
  const struct gpu *g = m->g;
  uint64_t here = field_get(m->now, cache->slots);
  for (uint64_t stale = stale_slots(&g->slots, here, source); stale; stale &= stale - 1) {
    unsigned x = slots_line(&g->slots, stale);
    if (!gpu_has_line(lines, x) || (code == GPU_FETCH1 && lock_blocks_fetch(g, m->now, agent, x))) continue;
    uint64_t slot = g->slots.slot[x];
    field_set(gpu_begin(m), cache->slots, (here & ~slot) | (source & g->slots.values & slot) | (stale & -stale));
    if (!gpu_emit(m, code, agent, x)) return false;
  }
  return true;
}

/* By the word; where lines may be dropped too, they are taken one by one. */
static bool has_slots(const struct gpu *g) {
  return g->slots.bits && !g->knobs.evict_clean && !g->knobs.l1_lines;
}

static bool fetches_into_l1(struct gpu_moves *m, unsigned w, const uint64_t *sources) {
  const struct gpu *g = m->g;
  uint64_t lines = m->reduced ? gpu_near_lines(g, m->now, w) : ~UINT64_C(0);
  if (has_slots(g)) return fetch_slots(m, &g->l1[w], sources[g->wg_dev[w]], lines, GPU_FETCH1, w);
  bool evicts = g->knobs.evict_clean || l1_is_full(g, m->now, &g->l1[w]);
  for (unsigned x = 0; x < g->line_count; x++) {
    if (gpu_has_line(lines, x) && !fetch1(m, w, x)) return false;
    if (evicts && !evict(m, g->l1[w].lines[x], GPU_EVICT1, w, x)) return false;
  }
  return true;
}

static bool fetches_into_l2(struct gpu_moves *m, unsigned d, uint64_t memory) {
  const struct gpu *g = m->g;
  uint64_t lines = m->reduced ? gpu_far_lines(g, m->now, d) : ~UINT64_C(0);
  if (has_slots(g)) return fetch_slots(m, &g->l2[d], memory, lines, GPU_FETCH2, d);
  for (unsigned x = 0; x < g->line_count; x++) {
    if (gpu_has_line(lines, x) && !fetch2(m, d, x)) return false;
    if (g->knobs.evict_clean && !evict(m, g->l2[d].lines[x], GPU_EVICT2, d, x)) return false;
  }
  return true;
}

bool gpu_fetches(struct gpu_moves *m) {
  const struct gpu *g = m->g;
  uint64_t memory = has_slots(g) ? memory_slots(g, m->now) : 0, sources[g->dev_count + 1];
  for (unsigned d = 0; d < g->dev_count; d++) sources[d] = g->flat ? memory : field_get(m->now, g->l2[d].slots);
  for (unsigned w = 0; w < g->wg_count; w++)
    if (!fetches_into_l1(m, w, sources)) return false;
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    if (!fetches_into_l2(m, d, memory)) return false;
  return true;
}

bool gpu_may_refetch(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x) {
  struct gpu_line line = g->l1[w].lines[x];
  unsigned dev = g->wg_dev[w];
  return line_state(s, line) == CV && gpu_l2_readable(g, s, dev, x) && !lock_blocks_fetch(g, s, w, x) &&
         same_value(s, gpu_l2_value(g, dev, x), line.value);
}
