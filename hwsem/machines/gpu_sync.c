/* SPDX-License-Identifier: MIT */
/* Synchronisation: FLU and INV, locks, barriers. */
#include "hwsem/machines/gpu_rules.h"

/* ---- FLU, INV ---- */

/* The caches an instruction reaches: `first` .. `first + count - 1` of l1 or l2
 * (filtered by device for the L1s of one). */
static unsigned targets(const struct gpu *g, const struct gpu_thread *t, const struct hw_instr *instr,
                        const struct cache **found) {
  unsigned count = 0;
  if (instr->level == LEVEL_L2) {
    for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
      if (instr->target == TARGET_SYS || d == t->dev) found[count++] = &g->l2[d];
    return count;
  }
  for (unsigned w = 0; w < g->wg_count; w++)
    if (instr->target == TARGET_SYS || w == t->wg || (instr->target == TARGET_DEV && g->wg_dev[w] == t->dev))
      found[count++] = &g->l1[w];
  return count;
}

static bool holds_marker(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned t) {
  return queue_count(g, queue_get(s, cache->queue), entry_of_flush(g, t)) > 0;
}

static bool mark(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned t) {
  if (!queue_get(s, cache->queue)) return false;
  cache_append(g, s, cache, entry_of_flush(g, t));
  return true;
}

static bool any_marker(const struct gpu *g, const uint8_t *s, const struct cache **caches, unsigned count, unsigned t) {
  for (unsigned i = 0; i < count; i++)
    if (holds_marker(g, s, caches[i], t)) return true;
  return false;
}

/* The cache that phase i of a broadcast one at a time reaches. */
static const struct cache *in_turn(const struct gpu *g, const struct cache **caches, unsigned count, unsigned i) {
  return caches[g->knobs.broadcast == BROADCAST_ASCENDING ? i : count - 1 - i];
}

static bool flush_at_once(struct gpu_moves *m, unsigned t, unsigned pc, const struct cache **caches, unsigned count) {
  uint8_t *s = gpu_begin(m);
  bool waits = false;
  for (unsigned i = 0; i < count; i++) waits |= mark(m->g, s, caches[i], t);
  return waits ? gpu_stay(m, t, pc, 0, 1) : gpu_finish(m, t, pc, 0);
}

bool gpu_flush(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  unsigned phase = (unsigned)field_get(m->now, g->threads[t].phase);
  bool one_by_one = g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  if (!one_by_one && phase == 0) return flush_at_once(m, t, pc, caches, count);
  if (one_by_one && phase < count) {
    uint8_t *s = gpu_begin(m);
    mark(g, s, in_turn(g, caches, count, phase), t);
    return gpu_stay(m, t, pc, phase, phase + 1);
  }
  if (any_marker(g, m->now, caches, count, t)) return true;
  gpu_begin(m);
  return gpu_finish(m, t, pc, phase);
}

bool gpu_invalidate(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  unsigned phase = (unsigned)field_get(m->now, g->threads[t].phase);
  bool one_by_one = g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  unsigned first = one_by_one ? phase : 0, end = one_by_one ? phase + 1 : count;
  for (unsigned i = first; i < end && g->knobs.invalidate == INVALIDATE_DRAIN; i++)
    if (!cache_is_clean(g, m->now, one_by_one ? in_turn(g, caches, count, i) : caches[i])) return true;
  uint8_t *s = gpu_begin(m);
  for (unsigned i = first; i < end; i++) cache_invalidate(g, s, one_by_one ? in_turn(g, caches, count, i) : caches[i]);
  return end < count ? gpu_stay(m, t, pc, phase, phase + 1) : gpu_finish(m, t, pc, phase);
}

static bool waits_are_harmless(const struct gpu *g) {
  return g->knobs.line_blocks == LINE_BLOCKS_FETCH || g->knobs.line_blocks == LINE_BLOCKS_NOTHING;
}

bool gpu_flushes_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  if (field_get(s, g->threads[t].phase) > 0)
    return g->knobs.broadcast == BROADCAST_AT_ONCE && !any_marker(g, s, caches, count, t);
  for (unsigned i = 0; i < count; i++)
    if (queue_get(s, caches[i]->queue)) return false;
  return waits_are_harmless(g) && g->knobs.broadcast == BROADCAST_AT_ONCE;
}

bool gpu_invalidates_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (!waits_are_harmless(g) || g->knobs.invalidate != INVALIDATE_MARK || g->knobs.broadcast != BROADCAST_AT_ONCE)
    return false;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  for (unsigned i = 0; i < count; i++) {
    for (unsigned x = 0; x < g->line_count; x++) {
      enum line_state state = line_state(s, caches[i]->lines[x]);
      if (state == CV || state == DV) return false;
    }
  }
  return true;
}

/* ---- locks ---- */

static bool covers(const struct gpu *g, unsigned t, const struct hw_instr *instr, unsigned dev) {
  return instr->target == TARGET_SYS || dev == g->threads[t].dev;
}

static bool lock_rmw_at_once(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  uint8_t *s = gpu_begin(m);
  for (unsigned w = 0; w < g->wg_count; w++) {
    if (!covers(g, t, instr, g->wg_dev[w])) continue;
    if (!lock_is_free(m->now, g->rmw1[w], t)) return true;
    field_set(s, g->rmw1[w], t + 1);
  }
  for (unsigned d = 0; instr->target == TARGET_SYS && d < g->dev_count; d++) {
    if (!lock_is_free(m->now, g->rmw2[d], t)) return true;
    field_set(s, g->rmw2[d], t + 1);
  }
  return gpu_finish(m, t, pc, 0);
}

/* The lock to be taken next, one at a time; false: all are held. */
static bool next_lock(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr,
                      struct field *next) {
  unsigned own = g->threads[t].wg;
  *next = g->rmw1[own];
  if (g->knobs.rmw_taken == RMW_TAKEN_OWN_FIRST && lock_holder(s, *next) != t + 1) return true;
  for (unsigned w = 0; w < g->wg_count; w++) {
    *next = g->rmw1[w];
    if (covers(g, t, instr, g->wg_dev[w]) && lock_holder(s, *next) != t + 1) return true;
  }
  for (unsigned d = 0; instr->target == TARGET_SYS && d < g->dev_count; d++) {
    *next = g->rmw2[d];
    if (lock_holder(s, *next) != t + 1) return true;
  }
  return false;
}

bool gpu_lock_rmw(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  if (g->knobs.rmw_taken == RMW_TAKEN_AT_ONCE) return lock_rmw_at_once(m, t, pc, instr);
  struct field lock;
  uint8_t *s = gpu_begin(m);
  if (next_lock(g, s, t, instr, &lock)) {
    if (!lock_is_free(s, lock, t)) return true;
    field_set(s, lock, t + 1);
  }
  return next_lock(g, s, t, instr, &lock) ? gpu_stay(m, t, pc, 0, 0) : gpu_finish(m, t, pc, 0);
}

static void release(uint8_t *s, struct field lock, unsigned t) {
  if (lock_holder(s, lock) == t + 1) field_set(s, lock, 0);
}

bool gpu_unlock_rmw(struct gpu_moves *m, unsigned t, unsigned pc) {
  const struct gpu *g = m->g;
  uint8_t *s = gpu_begin(m);
  for (unsigned w = 0; w < g->wg_count; w++) release(s, g->rmw1[w], t);
  for (unsigned d = 0; d < g->dev_count; d++) release(s, g->rmw2[d], t);
  return gpu_finish(m, t, pc, 0);
}

bool gpu_lock_line(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  unsigned location;
  uint8_t *s = gpu_begin(m);
  if (gpu_locate(g, s, &g->threads[t], &instr->address, &location) && g->line_of[location] >= 0) {
    struct field lock = gpu_line_lock(g, g->threads[t].dev, (unsigned)g->line_of[location]);
    if (!lock_is_free(s, lock, t)) return true;
    field_set(s, lock, t + 1);
  }
  return gpu_finish(m, t, pc, 0);
}

/* The address may have changed since (x's index may depend on what was
 * loaded), so whatever the thread holds is released. */
bool gpu_unlock_line(struct gpu_moves *m, unsigned t, unsigned pc) {
  const struct gpu *g = m->g;
  uint8_t *s = gpu_begin(m);
  for (unsigned x = 0; x < g->line_count; x++) release(s, gpu_line_lock(g, g->threads[t].dev, x), t);
  return gpu_finish(m, t, pc, 0);
}

bool gpu_stalled(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (g->knobs.rmw_blocks != RMW_BLOCKS_SYNC) return false;
  const struct gpu_thread *thread = &g->threads[t];
  unsigned h = lock_holder(s, g->rmw1[thread->wg]);
  if (h == 0 || g->threads[h - 1].wg == thread->wg) return false;
  return instr->atomic;
}

/* ---- barriers ---- */

/* The thread waits at a barrier; *label is its. */
static bool waits(const struct gpu *g, const uint8_t *s, unsigned t, int *label) {
  const struct gpu_thread *thread = &g->threads[t];
  unsigned pc = gpu_pc(s, thread);
  if (pc == thread->code->instr_count || thread->code->instrs[pc].op != HW_MEET) return false;
  *label = thread->code->instrs[pc].meeting;
  return true;
}

static bool all_wait(const struct gpu *g, const uint8_t *s, unsigned w) {
  int label;
  for (unsigned t = 0; t < g->thread_count; t++) {
    bool finished = gpu_pc(s, &g->threads[t]) == g->threads[t].code->instr_count;
    if (g->threads[t].wg == w && !finished && !waits(g, s, t, &label)) return false;
  }
  return true;
}

static unsigned count_waiting(const struct gpu *g, const uint8_t *s, unsigned w, int label) {
  unsigned count = 0;
  int other;
  for (unsigned t = 0; t < g->thread_count; t++)
    count += g->threads[t].wg == w && waits(g, s, t, &other) && other == label;
  return count;
}

/* Lets all of a work-group that wait at one label go on. */
static bool meet(struct gpu_moves *m, unsigned w, int label) {
  const struct gpu *g = m->g;
  uint8_t *s = gpu_begin(m);
  int other;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (g->threads[t].wg == w && waits(g, m->now, t, &other) && other == label)
      gpu_go_to(m, s, &g->threads[t], gpu_pc(m->now, &g->threads[t]) + 1);
  return gpu_emit(m, GPU_MEET, w, (unsigned)(label + 1));
}

/* A barrier opens when every work-item of the work-group that has not finished
 * waits at some barrier, and two or more at this one; one that nobody else
 * comes to (a diverged barrier, undefined in the language) opens when there is
 * no other. */
bool gpu_meetings(struct gpu_moves *m, unsigned w) {
  const struct gpu *g = m->g;
  if (!all_wait(g, m->now, w)) return true;
  bool opened = false;
  for (unsigned pass = 0; pass < 2 && !opened; pass++) {
    for (unsigned t = 0; t < g->thread_count; t++) {
      int label, other;
      if (g->threads[t].wg != w || !waits(g, m->now, t, &label)) continue;
      bool seen = false;
      for (unsigned u = 0; u < t; u++) seen |= g->threads[u].wg == w && waits(g, m->now, u, &other) && other == label;
      if (seen || (pass == 0 && count_waiting(g, m->now, w, label) < 2)) continue;
      opened = true;
      if (!meet(m, w, label)) return false;
    }
  }
  return true;
}

bool gpu_has_meetings(const struct gpu *g, const uint8_t *s) {
  if (!g->meets) return false;
  int label;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (waits(g, s, t, &label)) return true;
  return false;
}
