/* SPDX-License-Identifier: MIT */
/* The GPU's packed state: bit fields at places fixed once the program is known.
 *
 * Internal to the gpu*.c files.  A state is handled in a buffer with
 * GPU_PADDING bytes to spare, so that a field is one load, a shift and a mask.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_GPU_STATE_H
#define LITSCOPE_HWSEM_MACHINES_GPU_STATE_H

#include <string.h>

#include "hwsem/machines/gpu.h"

enum { GPU_PADDING = 24, GPU_MAX_STATE = 1024, GPU_BUFFER = GPU_MAX_STATE + GPU_PADDING };

enum line_state { ABSENT, CV, DV, DI };

static inline bool is_dirty(enum line_state state) {
  return state == DV || state == DI;
}

__extension__ typedef unsigned __int128 queue; /* entries from the lowest bits, the head first; 0 ends it */

/* A bit field, within one word of 64 bits: what is loaded was stored as it is,
 * which processors are much faster at.  Wider ones start at a word. */
struct field {
  uint64_t mask; /* `bits` ones */
  uint32_t at, bits;
};

static inline uint64_t ones(unsigned bits) {
  return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t field_get(const uint8_t *s, struct field f) {
  uint64_t w;
  memcpy(&w, s + f.at / 64 * 8, 8);
  return w >> (f.at & 63) & f.mask;
}

static inline void field_set(uint8_t *s, struct field f, uint64_t value) {
  uint64_t w;
  memcpy(&w, s + f.at / 64 * 8, 8);
  w = (w & ~(f.mask << (f.at & 63))) | (value & f.mask) << (f.at & 63);
  memcpy(s + f.at / 64 * 8, &w, 8);
}

/* The values that a register or location can hold (gpu_values.c): states keep a
 * value's number in the list, the initial one being 0.  Without a list the value
 * itself is kept, in two's complement. */
struct domain {
  unsigned bits;
  unsigned count; /* 0: no list */
  const int64_t *values;
};

/* A place for a value. */
struct gpu_cell {
  struct field field;
  const struct domain *domain;
};

/* A cache line: its state, then its value. Lines that are never dirty have one
 * bit of state. */
struct gpu_line {
  struct field state;
  struct gpu_cell value;
};

/* How caches keep their lines where all of them fit a word: slot after slot, each a
 * value and above it the line's state.  Caches are alike, so that two can be
 * compared at once (gpu.c, stale_slots). */
struct gpu_slots {
  unsigned bits;              /* of all; 0: they do not fit, and each line has its own fields */
  uint64_t low, high, values; /* bits of states, and of values */
  uint64_t *slot;             /* by line number: its bits */
  uint8_t *at;                /* by line number: the first of them */
  uint8_t line_at[64];        /* by low bit: the line's number */
};

struct cache {
  enum hw_level level; /* L1 or L2 */
  unsigned owner, dev; /* its work-group or device; its device */
  struct field slots;
  struct gpu_line *lines; /* by line number */
  struct field queue;
  unsigned capacity; /* entries */
};

enum gpu_owed { OWED_RMW = 1, OWED_LINES = 2 };

struct gpu_thread {
  const struct hw_thread *code;
  unsigned wg, dev;
  struct field pc, phase;
  struct field owed; /* what UNLK has yet to release, once posted INVs are done */
  struct gpu_cell *regs;
  const struct domain **domains; /* of the registers */
  uint64_t *dead;                /* by pc: registers below 64 that may be set but are never read again */
  uint64_t *needs[2];            /* by level of cache and pc: lines below 64 that may yet be read there or nearer */
};

struct gpu {
  const struct hw_program *program;
  struct gpu_knobs knobs;
  bool locks_lines; /* some thread takes LK x */
  bool meets;       /* some thread comes to a barrier */
  bool flat;        /* the L2 is memory: `memory` holds its values, there are no L2 lines */
  unsigned thread_count, wg_count, dev_count, cache_count, line_count, local_count;
  struct gpu_thread *threads;
  unsigned *wg_dev;
  int *line_of;          /* by location: line number, or -1 - number of the local cell */
  unsigned *location_of; /* by line number */
  struct gpu_slots slots;
  struct cache *caches;          /* the L1s, then the L2s */
  struct cache *l1, *l2;         /* by work-group, by device */
  const struct domain **domains; /* by location */
  struct gpu_cell *memory;       /* by line number: GL, or the flat L2 */
  struct gpu_cell *local;        /* by local cell */
  struct field *rmw1, *rmw2;     /* holders of LK_rmw by work-group, by device: thread + 1, 0 free */
  struct field *lk;              /* holders of LK x: device * line_count + line */
  bool posts;                    /* posted INVs are carried out later: */
  struct field *posted;          /* by work-group: threads whose INV has yet to reach the L1 */
  struct field *begun;           /* by work-group: the holder of rmw1 has sent its marker (under STALLS_LOCK: 0 bits) */
  unsigned value_bits, entry_bits;
  size_t state_size;
  const struct observable *observables;
  struct gpu_image *images; /* symmetries of the program, the identity first (gpu_symmetry.c) */
};

static inline bool cache_serves(const struct cache *cache, const struct gpu_thread *thread) {
  return (cache->level == LEVEL_L1 ? thread->wg : thread->dev) == cache->owner;
}

/* An address may be queued while it is in the queue: a store to a dirty line
 * queues it again, or the line was lost while its address stayed. */
static inline bool gpu_queues_again(const struct gpu_knobs *knobs) {
  return knobs->duplicates || knobs->invalidate == INVALIDATE_DROP || knobs->own_line == OWN_LINE_DISCARD;
}

static inline struct gpu_cell gpu_l2_value(const struct gpu *g, unsigned dev, unsigned x) {
  return g->flat ? g->memory[x] : g->l2[dev].lines[x].value;
}

static inline int64_t value_get(const uint8_t *s, struct gpu_cell c) {
  uint64_t number = field_get(s, c.field);
  if (c.domain->count) return c.domain->values[number];
  unsigned spare = 64 - c.field.bits;
  return (int64_t)(number << spare) >> spare;
}

/* false: the value does not fit. */
static inline bool value_set(uint8_t *s, struct gpu_cell c, int64_t value) {
  if (c.domain->count) {
    unsigned i = 0;
    while (i < c.domain->count && c.domain->values[i] != value) i++;
    field_set(s, c.field, i);
    return i < c.domain->count;
  }
  unsigned spare = 64 - c.field.bits;
  field_set(s, c.field, (uint64_t)value);
  return (int64_t)((uint64_t)value << spare) >> spare == value;
}

/* Copies of a location: what they keep can be compared and copied as it is. */
static inline bool same_value(const uint8_t *s, struct gpu_cell a, struct gpu_cell b) {
  return field_get(s, a.field) == field_get(s, b.field);
}

static inline void copy_value(uint8_t *s, struct gpu_cell from, struct gpu_cell to) {
  field_set(s, to.field, field_get(s, from.field));
}

static inline enum line_state line_state(const uint8_t *s, struct gpu_line line) {
  return (enum line_state)field_get(s, line.state);
}

static inline void line_drop(uint8_t *s, struct gpu_line line) {
  field_set(s, line.state, ABSENT);
  field_set(s, line.value.field, 0);
}

/* Slots: the low bits of those that are clean; the line of the lowest bit of a set
 * of these. */
static inline uint64_t slots_clean(const struct gpu_slots *slots, uint64_t here) {
  return here & slots->low & ~((here & slots->high) >> 1);
}

static inline unsigned slots_line(const struct gpu_slots *slots, uint64_t lows) {
  return slots->line_at[__builtin_ctzll(lows)];
}

/* Queues. */

static inline queue queue_get(const uint8_t *s, struct field f) {
  if (f.bits <= 64) return field_get(s, f);
  queue q;
  memcpy(&q, s + f.at / 8, sizeof q);
  return f.bits == 128 ? q : q & (((queue)1 << f.bits) - 1);
}

static inline void queue_set(uint8_t *s, struct field f, queue q) {
  if (f.bits <= 64) {
    field_set(s, f, (uint64_t)q);
    return;
  }
  queue old, mask = f.bits == 128 ? ~(queue)0 : ((queue)1 << f.bits) - 1;
  memcpy(&old, s + f.at / 8, sizeof old);
  old = (old & ~mask) | (q & mask);
  memcpy(s + f.at / 8, &old, sizeof old);
}

static inline unsigned queue_entry(const struct gpu *g, queue q, unsigned i) {
  return (unsigned)(q >> (i * g->entry_bits)) & ((1u << g->entry_bits) - 1);
}

/* Most queues fit a word, and then its arithmetic is all that is needed. */
static inline unsigned queue_bits(const struct gpu *g, queue q) {
  unsigned bits = 0;
  for (; q >> 64; q >>= g->entry_bits) bits += g->entry_bits;
  for (uint64_t low = (uint64_t)q; low; low >>= g->entry_bits) bits += g->entry_bits;
  return bits;
}

static inline unsigned queue_count(const struct gpu *g, queue q, unsigned entry) {
  unsigned count = 0, mask = (1u << g->entry_bits) - 1;
  for (; q >> 64; q >>= g->entry_bits) count += ((unsigned)q & mask) == entry;
  for (uint64_t low = (uint64_t)q; low; low >>= g->entry_bits) count += ((unsigned)low & mask) == entry;
  return count;
}

static inline queue queue_remove(const struct gpu *g, queue q, unsigned i) {
  queue low = ((queue)1 << (i * g->entry_bits)) - 1;
  return (q & low) | (q >> g->entry_bits & ~low);
}

/* Entries: an address is 1 + line, a marker FLUSH_t is 1 + line_count + t. */
static inline unsigned entry_of_line(unsigned line) {
  return 1 + line;
}
static inline unsigned entry_of_flush(const struct gpu *g, unsigned thread) {
  return 1 + g->line_count + thread;
}
static inline bool entry_is_flush(const struct gpu *g, unsigned entry) {
  return entry > g->line_count;
}

/* gpu_invariants.c: what holds of every state. */
bool gpu_state_is_sound(const struct gpu *g, const uint8_t *s);

bool gpu_all_finished(const struct gpu *g, const uint8_t *s);
bool gpu_final(const struct machine *m, const void *state);

/* The location an access touches; -1: outside its array, and then the program
 * is undefined and the access does nothing. */
int gpu_locate(const uint8_t *s, const struct gpu_thread *t, const struct address *address);

/* May an instruction access a line of the caches, or a cell of local memory (as in `line_of`)? */
bool gpu_touches(const struct gpu *g, const struct hw_instr *instr, int line);

/* The caches that an instruction of a thread reaches, all of one level; returns how many. */
unsigned gpu_targets(const struct gpu *g, const struct gpu_thread *t, const struct hw_instr *instr,
                     const struct cache **found);
bool gpu_reaches(const struct gpu *g, const struct gpu_thread *t, const struct hw_instr *instr,
                 const struct cache *cache);

/* For gpu_executions.c: a cache may fetch the value again that it already has; a
 * compare-and-swap at its access, to that location, finds what it expects. */
bool gpu_may_refetch(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned x);
bool gpu_cas_succeeds(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t, const struct hw_instr *instr,
                      unsigned location);

/* gpu.c: rules, and partial-order reduction. */
bool gpu_successors(const struct machine *m, const void *state, struct successor_sink *sink);
void gpu_initial(const struct machine *m, void *state);

bool gpu_ample(const struct machine *m, const void *state, struct successor_sink *sink);

/* gpu_values.c: fills `domains` of the machine and its threads; `all_wide`
 * without lists. */
void gpu_find_values(struct arena *arena, struct gpu *g, bool all_wide);

/* gpu_symmetry.c: finds the program's symmetries and, when there are any, gives
 * the machine `canonical` and `image`. */
void gpu_find_symmetry(struct arena *arena, struct gpu *g, struct machine *machine);

/* Fetches and evictions: without end where clean lines may be dropped. */
bool gpu_idle(const struct machine *m, struct step step);

/* gpu_print.c */
enum step_kind gpu_step_kind(const struct machine *m, struct step step);
void gpu_name_step(const struct machine *m, struct step step, FILE *out);
void gpu_print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out);
bool gpu_source(const struct machine *m, struct step step, unsigned *thread, unsigned *instr);
void gpu_print_state(const struct machine *m, const void *state, FILE *out);
void gpu_print_lane(const struct machine *m, unsigned lane, FILE *out);
void gpu_route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
               unsigned *to);
bool gpu_also_reaches(const struct machine *m, struct step step, unsigned lane);
unsigned gpu_lane_count(const struct gpu *g);

/* Codes of steps.  agent: work-group, device or thread; detail: line, or the
 * thread's instruction (GPU_THREAD) with the phase it was in above bit 24 (1 of
 * an access: a weak compare-and-swap that fails where it would succeed), or, of
 * GPU_INV1, the thread that posted the INV. */
enum gpu_code { GPU_WB1, GPU_WB2, GPU_FETCH1, GPU_FETCH2, GPU_EVICT1, GPU_EVICT2, GPU_INV1, GPU_THREAD, GPU_MEET };

/* The code of a cache's step, by that of an L1. */
static inline enum gpu_code cache_code(const struct cache *cache, enum gpu_code of_l1) {
  return (enum gpu_code)(of_l1 + (cache->level == LEVEL_L2));
}

#endif
