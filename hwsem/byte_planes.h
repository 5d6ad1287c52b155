/* SPDX-License-Identifier: MIT */
/* A list of pairs of 32-bit numbers, in planes: roots of compressed states (state_tree.h), places far from their
 * numbers (visited.h).
 *
 * A plane holds some bits of all pairs of a chunk and is made when one of these needs it: the low
 * 16 bits of both numbers, the next 8, the last 8.  So pairs of numbers below 2^16 take 4 bytes,
 * below 2^24 6 bytes, else 8.
 *
 * One thread at a time sets pairs; others may read those whose indices they were handed.
 */
#ifndef LITSCOPE_HWSEM_BYTE_PLANES_H
#define LITSCOPE_HWSEM_BYTE_PLANES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAIRS_CHUNK_BITS = 16, PAIRS_CHUNK = 1 << PAIRS_CHUNK_BITS };

struct planes {
  uint32_t *low; /* (left & 0xffff) << 16 | (right & 0xffff) */
  _Atomic(uint16_t *) middle, high;
};

struct pairs {
  struct planes *chunks;  /* for all that can be numbered */
  _Atomic uint64_t bytes; /* in use */
};

/* false: no memory. */
bool pairs_init(struct pairs *pairs);
void pairs_free(struct pairs *pairs); /* zeros hold nothing */

/* Makes room for the PAIRS_CHUNK pairs around `index`; chunks come in order from 0.  false: no memory. */
bool pairs_reserve(struct pairs *pairs, uint32_t index);

/* Sets one there is room for.  false: no memory. */
bool pairs_set(struct pairs *pairs, uint32_t index, uint64_t pair);

static inline uint64_t pair_of(uint64_t left, uint64_t right) {
  return left << 32 | right;
}

static inline const void *pairs_place(const struct pairs *pairs, uint32_t index) { /* to fetch ahead */
  return &pairs->chunks[index >> PAIRS_CHUNK_BITS].low[index & (PAIRS_CHUNK - 1)];
}

static inline uint64_t pairs_plane(const _Atomic(uint16_t *) *plane, size_t at, unsigned shift) {
  const uint16_t *bits = atomic_load_explicit(plane, memory_order_acquire);
  return bits ? pair_of((uint64_t)(bits[at] >> 8) << shift, (uint64_t)(bits[at] & 0xff) << shift) : 0;
}

static inline uint64_t pairs_at(const struct pairs *pairs, uint32_t index) {
  const struct planes *p = &pairs->chunks[index >> PAIRS_CHUNK_BITS];
  size_t at = index & (PAIRS_CHUNK - 1);
  return pair_of(p->low[at] >> 16, p->low[at] & 0xffff) | pairs_plane(&p->middle, at, 16) |
         pairs_plane(&p->high, at, 24);
}

#endif
