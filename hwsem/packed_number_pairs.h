/* SPDX-License-Identifier: MIT */
/* A list of pairs of 32-bit numbers, in planes: roots of compressed states (state_compression.h), places far from their
 * numbers (visited_states.h).
 *
 * A plane holds some bits of all pairs of a chunk and is made when one of these needs it: the low
 * 16 bits of both numbers, the next 8, the last 8.  So pairs of numbers below 2^16 take 4 bytes,
 * below 2^24 6 bytes, else 8.
 *
 * One thread at a time sets pairs; others may read those whose indices they were handed.
 */
#ifndef LITSCOPE_HWSEM_PACKED_NUMBER_PAIRS_H
#define LITSCOPE_HWSEM_PACKED_NUMBER_PAIRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLANES_CHUNK_BITS = 16, PLANES_CHUNK = 1 << PLANES_CHUNK_BITS };

struct plane_chunk {
  uint32_t *low; /* (left & 0xffff) << 16 | (right & 0xffff) */
  _Atomic(uint16_t *) middle, high;
};

struct packed_pairs {
  struct plane_chunk *chunks; /* for all that can be numbered */
  _Atomic uint64_t bytes;     /* in use */
};

/* false: no memory. */
bool packed_pairs_init(struct packed_pairs *pairs);
void packed_pairs_free(struct packed_pairs *pairs); /* zeros hold nothing */

/* Makes room for the PLANES_CHUNK pairs around `index`; chunks come in order from 0.  false: no memory. */
bool packed_pairs_reserve(struct packed_pairs *pairs, uint32_t index);

/* Sets one there is room for.  false: no memory. */
bool packed_pairs_set(struct packed_pairs *pairs, uint32_t index, uint64_t pair);

static inline uint64_t pair_of(uint64_t left, uint64_t right) {
  return left << 32 | right;
}

static inline const void *packed_pairs_place(const struct packed_pairs *pairs, uint32_t index) { /* to fetch ahead */
  return &pairs->chunks[index >> PLANES_CHUNK_BITS].low[index & (PLANES_CHUNK - 1)];
}

static inline uint64_t packed_pairs_plane(const _Atomic(uint16_t *) *plane, size_t at, unsigned shift) {
  const uint16_t *bits = atomic_load_explicit(plane, memory_order_acquire);
  return bits ? pair_of((uint64_t)(bits[at] >> 8) << shift, (uint64_t)(bits[at] & 0xff) << shift) : 0;
}

static inline uint64_t packed_pairs_at(const struct packed_pairs *pairs, uint32_t index) {
  const struct plane_chunk *p = &pairs->chunks[index >> PLANES_CHUNK_BITS];
  size_t at = index & (PLANES_CHUNK - 1);
  return pair_of(p->low[at] >> 16, p->low[at] & 0xffff) | packed_pairs_plane(&p->middle, at, 16) |
         packed_pairs_plane(&p->high, at, 24);
}

#endif
