/* SPDX-License-Identifier: MIT */
/* The GPU's rules: what they share, and what they are to gpu.c. */
#ifndef LITSCOPE_HWSEM_MACHINES_GPU_RULES_H
#define LITSCOPE_HWSEM_MACHINES_GPU_RULES_H

#include <assert.h>

#include "hwsem/machines/gpu_state.h"

/* One expansion.  Successors are made where the sink wants them, or in `own`. */
struct gpu_moves {
  const struct gpu *g;
  const uint8_t *now;
  uint8_t *next, *own;
  struct successor_sink *sink;
  bool outgrown; /* a value did not fit */
  bool reduced;  /* leave out what no outcome depends on */
};

/* Buffers have room to copy more. */
static inline uint8_t *gpu_begin(struct gpu_moves *m) {
  enum { PIECE = 16 };
  uint8_t *next = m->sink->place ? m->sink->place : m->own;
  for (size_t i = 0; i < m->g->state_size; i += PIECE) memcpy(next + i, m->now + i, PIECE);
  return m->next = next;
}

static inline unsigned gpu_pc(const uint8_t *s, const struct gpu_thread *t) {
  return (unsigned)field_get(s, t->pc);
}

static inline bool gpu_has_line(uint64_t lines, unsigned x) {
  return x >= 64 || (lines >> x & 1);
}

static inline bool gpu_l2_readable(const struct gpu *g, const uint8_t *s, unsigned dev, unsigned x) {
  if (g->flat) return true;
  enum line_state state = line_state(s, g->l2[dev].lines[x]);
  return state == CV || state == DV;
}

static inline unsigned lock_holder(const uint8_t *s, struct field lock) {
  return (unsigned)field_get(s, lock);
}

static inline bool lock_is_free(const uint8_t *s, struct field lock, unsigned t) {
  unsigned h = lock_holder(s, lock);
  return h == 0 || h == t + 1;
}

static inline struct field gpu_line_lock(const struct gpu *g, unsigned dev, unsigned x) {
  return g->lk[dev * g->line_count + x];
}

/* ---- one cache (gpu_cache.c) ---- */

/* Lines that some thread of its work-group or device may yet need in a cache. */
uint64_t cache_needs(const struct gpu *g, const uint8_t *s, const struct cache *cache);

/* Drops clean lines that nobody reads again: they are as good as absent. */
void gpu_forget_unread(const struct gpu *g, uint8_t *s);

/* Drops queue heads that are markers, or addresses whose line is not dirty. */
void cache_tidy(const struct gpu *g, uint8_t *s, const struct cache *cache);

/* At the end of the queue. */
void cache_append(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned entry);

/* A write to line x would find room in the queue (fifo-entries); a marker would. */
bool cache_has_entry(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x);
bool cache_has_marker_entry(const struct gpu *g, const uint8_t *s, const struct cache *cache);

/* A cache that keeps line x, or has room for one more (l1-lines); has none left. */
bool cache_has_room(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x);
bool cache_is_full(const struct gpu *g, const uint8_t *s, const struct cache *cache);

/* wr1, wr2: a write to a line of a cache; returns the place of its value. */
struct gpu_cell cache_write(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned x);

/* wr2 on either kind of L2. */
struct gpu_cell gpu_write_l2(const struct gpu *g, uint8_t *s, unsigned dev, unsigned x);

/* A line has been written back. */
void cache_clean(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned x);

void cache_invalidate(const struct gpu *g, uint8_t *s, const struct cache *cache);
bool cache_is_clean(const struct gpu *g, const uint8_t *s, const struct cache *cache);

/* ---- a thread (gpu_thread.c) ---- */

int64_t gpu_eval(const uint8_t *s, const struct gpu_thread *t, const struct expr *e);

/* A value that does not fit makes the expansion `outgrown`. */
void gpu_put(struct gpu_moves *m, uint8_t *s, struct gpu_cell c, int64_t value);
void gpu_set_register(struct gpu_moves *m, uint8_t *s, const struct gpu_thread *t, int reg, int64_t value);

/* To `pc`, and on to the next instruction that is a step. */
void gpu_go_to(struct gpu_moves *m, uint8_t *s, const struct gpu_thread *t, unsigned pc);

/* ---- steps ----
 *
 * A step begins with gpu_begin and is handed over by gpu_emit, gpu_finish or
 * gpu_stay.  These, and all rules below, return false to end the expansion; a
 * rule whose conditions are not met makes no step and returns true. */

static inline bool gpu_emit(struct gpu_moves *m, enum gpu_code code, unsigned agent, unsigned detail) {
  if (m->outgrown) return false;
  if (m->reduced && code != GPU_FETCH1 && code != GPU_FETCH2) gpu_forget_unread(m->g, m->next);
  assert(gpu_state_is_sound(m->g, m->next));
  return m->sink->emit(m->sink, (struct step){(uint16_t)code, (uint16_t)agent, detail}, m->next);
}

/* Ends the step of thread t at instruction pc. */
bool gpu_finish(struct gpu_moves *m, unsigned t, unsigned pc, unsigned phase);

/* Ends a step that stays at its instruction, in another phase. */
bool gpu_stay(struct gpu_moves *m, unsigned t, unsigned pc, unsigned phase, unsigned next_phase);

/* gpu_environment.c: WB1, WB2 of all caches; INVs that were posted; FETCH1, FETCH2, and evictions. */
bool gpu_write_backs(struct gpu_moves *m);
bool gpu_posted_invalidations(struct gpu_moves *m);
bool gpu_fetches(struct gpu_moves *m);

/* gpu_access.c: LD, ST, INC. */
bool gpu_access(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr);

/* gpu_flushes_and_locks.c: FLU, INV; locks; barriers of a work-group. */
bool gpu_flush(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr);
bool gpu_invalidate(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr);
bool gpu_lock_rmw(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr);
bool gpu_unlock_rmw(struct gpu_moves *m, unsigned t, unsigned pc);
bool gpu_lock_line(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr);
bool gpu_unlock_line(struct gpu_moves *m, unsigned t, unsigned pc);
bool gpu_meetings(struct gpu_moves *m, unsigned w);

/* Does some thread wait at a barrier? */
bool gpu_has_meetings(const struct gpu *g, const uint8_t *s);

/* Another thread's LK_rmw keeps thread t from the L1 of work-group w. */
bool gpu_rmw1_stalls(const struct gpu *g, const uint8_t *s, unsigned w, unsigned t);

/* Thread t's posted INV has reached the L1 of work-group w. */
void gpu_acknowledge(const struct gpu *g, uint8_t *s, unsigned w, unsigned t);

/* Under RMW_BLOCKS_SYNC an atomic operation of another work-group waits; one that
 * reads waits for INVs that were posted to its L1. */
bool gpu_stalled(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr);

/* For the reduction: steps that change nothing but their thread's place. */
bool gpu_flushes_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr);
bool gpu_invalidates_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr);

#endif
