/* SPDX-License-Identifier: MIT */
/* Synchronisation: FLU and INV, locks, barriers. */
#include "hwsem/machines/gpu_rules.h"

/* ---- FLU, INV ---- */

unsigned gpu_targets(const struct gpu *g, const struct gpu_thread *t, const struct hw_instr *instr,
                     const struct cache **found) {
  unsigned count = 0;
  for (const struct cache *cache = g->caches; cache < g->caches + g->cache_count; cache++) {
    bool near = instr->target == TARGET_WG && cache->level == LEVEL_L1;
    bool reached = instr->target == TARGET_SYS || (near ? cache->owner == t->wg : cache->dev == t->dev);
    if (cache->level == instr->level && reached) found[count++] = cache;
  }
  return count;
}

bool gpu_reaches(const struct gpu *g, const struct gpu_thread *t, const struct hw_instr *instr,
                 const struct cache *cache) {
  const struct cache *caches[g->cache_count];
  unsigned count = gpu_targets(g, t, instr, caches);
  while (count > 0 && caches[count - 1] != cache) count--;
  return count > 0;
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

/* The thread's marker has come to an L1 that its LK_rmw holds: stalls may begin. */
static void begin_stall(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned t) {
  bool l1 = cache->level == LEVEL_L1;
  if (l1 && lock_holder(s, g->rmw1[cache->owner]) == t + 1) field_set(s, g->begun[cache->owner], 1);
}

static bool flush_at_once(struct gpu_moves *m, unsigned t, unsigned pc, const struct cache **caches, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (!cache_has_marker_entry(m->g, m->now, caches[i])) return true;
  uint8_t *s = gpu_begin(m);
  bool waits = false;
  for (unsigned i = 0; i < count; i++) {
    begin_stall(m->g, s, caches[i], t);
    waits |= mark(m->g, s, caches[i], t);
  }
  return waits ? gpu_stay(m, t, pc, 0, 1) : gpu_finish(m, t, pc, 0);
}

bool gpu_flush(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = gpu_targets(g, &g->threads[t], instr, caches);
  unsigned phase = (unsigned)field_get(m->now, g->threads[t].phase);
  bool one_by_one = g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  if (!one_by_one && phase == 0) return flush_at_once(m, t, pc, caches, count);
  if (one_by_one && phase < count) {
    const struct cache *cache = in_turn(g, caches, count, phase);
    if (!cache_has_marker_entry(g, m->now, cache)) return true;
    uint8_t *s = gpu_begin(m);
    begin_stall(g, s, cache, t);
    mark(g, s, cache, t);
    return gpu_stay(m, t, pc, phase, phase + 1);
  }
  if (any_marker(g, m->now, caches, count, t)) return true;
  gpu_begin(m);
  return gpu_finish(m, t, pc, phase);
}

static bool is_posted(const struct gpu *g, const struct hw_instr *instr) {
  return g->posts && instr->posted && instr->level == LEVEL_L1;
}

/* INV that does not wait: the own L1 at once, others when the message comes. */
static bool post(struct gpu_moves *m, unsigned t, unsigned pc, const struct cache **caches, unsigned count) {
  const struct gpu *g = m->g;
  const struct cache *own = &g->l1[g->threads[t].wg];
  if (g->knobs.invalidate == INVALIDATE_DRAIN && !cache_is_clean(g, m->now, own)) return true;
  uint8_t *s = gpu_begin(m);
  for (unsigned i = 0; i < count; i++) {
    struct field posted = g->posted[caches[i]->owner];
    if (caches[i] == own)
      cache_invalidate(g, s, own);
    else
      field_set(s, posted, field_get(s, posted) | UINT64_C(1) << t);
  }
  return gpu_finish(m, t, pc, 0);
}

bool gpu_invalidate(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = gpu_targets(g, &g->threads[t], instr, caches);
  if (is_posted(g, instr)) return post(m, t, pc, caches, count);
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

static bool holds_rmw(const struct gpu *g, const uint8_t *s, unsigned t) {
  for (unsigned w = 0; w < g->wg_count; w++)
    if (lock_holder(s, g->rmw1[w]) == t + 1) return true;
  return false;
}

bool gpu_flushes_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = gpu_targets(g, &g->threads[t], instr, caches);
  if (field_get(s, g->threads[t].phase) > 0)
    return g->knobs.broadcast == BROADCAST_AT_ONCE && !any_marker(g, s, caches, count, t);
  if (g->knobs.stalls != STALLS_LOCK && holds_rmw(g, s, t)) return false;
  for (unsigned i = 0; i < count; i++)
    if (queue_get(s, caches[i]->queue)) return false;
  return waits_are_harmless(g) && g->knobs.broadcast == BROADCAST_AT_ONCE;
}

bool gpu_invalidates_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (!waits_are_harmless(g) || is_posted(g, instr) || g->knobs.invalidate != INVALIDATE_MARK ||
      g->knobs.broadcast != BROADCAST_AT_ONCE)
    return false;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = gpu_targets(g, &g->threads[t], instr, caches);
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

/* The lock to be taken next; false: all are held. */
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
  if (field_get(m->now, g->threads[t].owed)) return true;
  struct field lock;
  uint8_t *s = gpu_begin(m);
  while (next_lock(g, s, t, instr, &lock)) {
    if (!lock_is_free(s, lock, t)) return true;
    field_set(s, lock, t + 1);
    if (g->knobs.rmw_taken != RMW_TAKEN_AT_ONCE) break;
  }
  return next_lock(g, s, t, instr, &lock) ? gpu_stay(m, t, pc, 0, 0) : gpu_finish(m, t, pc, 0);
}

static void release(uint8_t *s, struct field lock, unsigned t) {
  if (lock_holder(s, lock) == t + 1) field_set(s, lock, 0);
}

static void release_rmw(const struct gpu *g, uint8_t *s, unsigned t) {
  for (unsigned w = 0; w < g->wg_count; w++) {
    if (lock_holder(s, g->rmw1[w]) == t + 1) field_set(s, g->begun[w], 0);
    release(s, g->rmw1[w], t);
  }
  for (unsigned d = 0; d < g->dev_count; d++) release(s, g->rmw2[d], t);
}

static void release_lines(const struct gpu *g, uint8_t *s, unsigned t) {
  for (unsigned x = 0; x < g->line_count; x++) release(s, gpu_line_lock(g, g->threads[t].dev, x), t);
}

static bool has_posted(const struct gpu *g, const uint8_t *s, unsigned t) {
  for (unsigned w = 0; g->posts && w < g->wg_count; w++)
    if (field_get(s, g->posted[w]) >> t & 1) return true;
  return false;
}

/* UNLK while INVs of the thread are under way: the thread goes on, the locks stay held
 * until the last has been acknowledged. */
static bool owe(const struct gpu *g, uint8_t *s, unsigned t, enum gpu_owed what) {
  if (g->knobs.posted != POSTED_ACKED || !has_posted(g, s, t)) return false;
  field_set(s, g->threads[t].owed, field_get(s, g->threads[t].owed) | what);
  return true;
}

void gpu_acknowledge(const struct gpu *g, uint8_t *s, unsigned w, unsigned t) {
  field_set(s, g->posted[w], field_get(s, g->posted[w]) & ~(UINT64_C(1) << t));
  if (has_posted(g, s, t)) return;
  uint64_t owed = field_get(s, g->threads[t].owed);
  if (owed & OWED_RMW) release_rmw(g, s, t);
  if (owed & OWED_LINES) release_lines(g, s, t);
  field_set(s, g->threads[t].owed, 0);
}

bool gpu_unlock_rmw(struct gpu_moves *m, unsigned t, unsigned pc) {
  uint8_t *s = gpu_begin(m);
  if (!owe(m->g, s, t, OWED_RMW)) release_rmw(m->g, s, t);
  return gpu_finish(m, t, pc, 0);
}

bool gpu_lock_line(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  if (field_get(m->now, g->threads[t].owed)) return true;
  uint8_t *s = gpu_begin(m);
  int location = gpu_locate(s, &g->threads[t], &instr->address);
  if (location >= 0 && g->line_of[location] >= 0) {
    struct field lock = gpu_line_lock(g, g->threads[t].dev, (unsigned)g->line_of[location]);
    if (!lock_is_free(s, lock, t)) return true;
    field_set(s, lock, t + 1);
  }
  return gpu_finish(m, t, pc, 0);
}

/* The address may have changed since (x's index may depend on what was
 * loaded), so whatever the thread holds is released. */
bool gpu_unlock_line(struct gpu_moves *m, unsigned t, unsigned pc) {
  uint8_t *s = gpu_begin(m);
  if (!owe(m->g, s, t, OWED_LINES)) release_lines(m->g, s, t);
  return gpu_finish(m, t, pc, 0);
}

bool gpu_rmw1_stalls(const struct gpu *g, const uint8_t *s, unsigned w, unsigned t) {
  if (lock_is_free(s, g->rmw1[w], t)) return false;
  if (g->knobs.stalls == STALLS_LOCK) return true;
  unsigned holder = lock_holder(s, g->rmw1[w]) - 1;
  if (!field_get(s, g->begun[w])) return false;
  return g->knobs.stalls == STALLS_INSERTED || !holds_marker(g, s, &g->l1[w], holder);
}

/* An INV that was posted to the thread's L1 has not come yet. */
static bool awaits_posted(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (!g->posts || !field_get(s, g->posted[g->threads[t].wg])) return false;
  return hw_is_access(instr->op) && (instr->op != HW_ST || g->knobs.rmw_blocks == RMW_BLOCKS_SYNC);
}

bool gpu_stalled(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (!instr->atomic) return false;
  if (awaits_posted(g, s, t, instr)) return true;
  if (g->knobs.rmw_blocks != RMW_BLOCKS_SYNC) return false;
  const struct gpu_thread *thread = &g->threads[t];
  unsigned h = lock_holder(s, g->rmw1[thread->wg]);
  if (h == 0 || g->threads[h - 1].wg == thread->wg) return false;
  return gpu_rmw1_stalls(g, s, thread->wg, t);
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
 * waits at some barrier, and two or more at this one; one that no other
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
