/* SPDX-License-Identifier: MIT */
/* One cache of the GPU: its lines, and the queue of those that are dirty. */
#include "hwsem/machines/gpu_rules.h"

uint64_t cache_needs(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  uint64_t lines = 0;
  for (unsigned t = 0; t < g->thread_count; t++) {
    const struct gpu_thread *thread = &g->threads[t];
    if (cache_serves(cache, thread)) lines |= thread->needs[cache->level][gpu_pc(s, thread)];
  }
  return lines;
}

static void drop_unread_slots(const struct gpu_slots *slots, uint8_t *s, const struct cache *cache, uint64_t lines) {
  uint64_t here = field_get(s, cache->slots), kept = here;
  for (uint64_t clean = slots_clean(slots, here); clean; clean &= clean - 1) {
    unsigned x = slots_line(slots, clean);
    if (!gpu_has_line(lines, x)) kept &= ~slots->slot[x];
  }
  if (kept != here) field_set(s, cache->slots, kept);
}

/* Clean lines that nobody reads again are as good as absent. */
static void drop_unread(const struct gpu *g, uint8_t *s, const struct cache *cache) {
  uint64_t lines = cache_needs(g, s, cache);
  if (g->slots.bits) {
    drop_unread_slots(&g->slots, s, cache, lines);
    return;
  }
  for (unsigned x = 0; x < g->line_count; x++)
    if (!gpu_has_line(lines, x) && line_state(s, cache->lines[x]) == CV) line_drop(s, cache->lines[x]);
}

void gpu_forget_unread(const struct gpu *g, uint8_t *s) {
  for (unsigned c = 0; c < g->cache_count; c++) drop_unread(g, s, &g->caches[c]);
}

void cache_tidy(const struct gpu *g, uint8_t *s, const struct cache *cache) {
  queue q = queue_get(s, cache->queue), before = q;
  for (unsigned head; (head = queue_entry(g, q, 0)); q >>= g->entry_bits)
    if (!entry_is_flush(g, head) && is_dirty(line_state(s, cache->lines[head - 1]))) break;
  if (q != before) queue_set(s, cache->queue, q);
}

void cache_append(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned entry) {
  queue q = queue_get(s, cache->queue);
  queue_set(s, cache->queue, q | (queue)entry << queue_bits(g, q));
}

/* Where a line may be queued again (gpu_queues_again), it is so twice at most:
 * a third entry would add nothing, as the line is written back at its first. */
static bool queued_twice(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned entry) {
  return queue_count(g, queue_get(s, cache->queue), entry) > 1;
}

static bool last_is(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned entry) {
  queue q = queue_get(s, cache->queue);
  return q && q >> (queue_bits(g, q) - g->entry_bits) == entry;
}

static bool has_entries(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  unsigned entries = gpu_capacity(g->knobs.fifo_entries);
  return !entries || queue_bits(g, queue_get(s, cache->queue)) < entries * g->entry_bits;
}

bool cache_has_entry(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x) {
  return (is_dirty(line_state(s, cache->lines[x])) && !gpu_queues_again(&g->knobs)) || has_entries(g, s, cache);
}

bool cache_has_marker_entry(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  return !queue_get(s, cache->queue) || has_entries(g, s, cache);
}

/* A line that was invalidated is not among them: what is to be written back is in the queue. */
static bool is_kept(enum line_state state) {
  return state == CV || state == DV;
}

bool cache_is_full(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  unsigned room = gpu_capacity(g->knobs.l1_lines), kept = 0;
  if (!room || cache->level == LEVEL_L2) return false;
  for (unsigned x = 0; x < g->line_count; x++) kept += is_kept(line_state(s, cache->lines[x]));
  return kept >= room;
}

bool cache_has_room(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x) {
  return is_kept(line_state(s, cache->lines[x])) || !cache_is_full(g, s, cache);
}

struct gpu_cell cache_write(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned x) {
  struct gpu_line line = cache->lines[x];
  unsigned entry = entry_of_line(x);
  bool queue_it = !is_dirty(line_state(s, line)) || (g->knobs.duplicates && !last_is(g, s, cache, entry));
  if (queue_it && !(gpu_queues_again(&g->knobs) && queued_twice(g, s, cache, entry))) cache_append(g, s, cache, entry);
  bool around = g->knobs.allocate == ALLOCATE_NO && !is_kept(line_state(s, line));
  field_set(s, line.state, around ? DI : DV);
  return line.value;
}

struct gpu_cell gpu_write_l2(const struct gpu *g, uint8_t *s, unsigned dev, unsigned x) {
  return g->flat ? g->memory[x] : cache_write(g, s, &g->l2[dev], x);
}

void cache_clean(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned x) {
  if (line_state(s, cache->lines[x]) == DI)
    line_drop(s, cache->lines[x]);
  else
    field_set(s, cache->lines[x].state, CV);
  cache_tidy(g, s, cache);
}

static void invalidate_line(const struct gpu *g, uint8_t *s, struct gpu_line line) {
  enum line_state state = line_state(s, line);
  if (state == CV || (state != ABSENT && g->knobs.invalidate == INVALIDATE_DROP))
    line_drop(s, line);
  else if (state == DV && g->knobs.invalidate == INVALIDATE_MARK)
    field_set(s, line.state, DI);
}

/* invalidate_line, of all lines at once. */
static void invalidate_slots(const struct gpu_slots *slots, uint8_t *s, const struct cache *cache, bool mark) {
  uint64_t here = field_get(s, cache->slots), kept = here;
  for (uint64_t clean = slots_clean(slots, here); clean; clean &= clean - 1)
    kept &= ~slots->slot[slots_line(slots, clean)];
  if (mark) kept |= (kept & slots->high) >> 1;
  field_set(s, cache->slots, kept);
}

void cache_invalidate(const struct gpu *g, uint8_t *s, const struct cache *cache) {
  if (g->slots.bits && g->knobs.invalidate != INVALIDATE_DROP) {
    invalidate_slots(&g->slots, s, cache, g->knobs.invalidate == INVALIDATE_MARK);
    return;
  }
  for (unsigned x = 0; x < g->line_count; x++) invalidate_line(g, s, cache->lines[x]);
  if (g->knobs.invalidate == INVALIDATE_DROP) cache_tidy(g, s, cache);
}

bool cache_is_clean(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  if (g->slots.bits) return !(field_get(s, cache->slots) & g->slots.high);
  for (unsigned x = 0; x < g->line_count; x++)
    if (is_dirty(line_state(s, cache->lines[x]))) return false;
  return true;
}
