/* SPDX-License-Identifier: MIT */
/* Planes, made as they are needed. */
#include "hwsem/packed_number_pairs.h"

#include <stdlib.h>

enum { CHUNKS = 1 << (32 - PLANES_CHUNK_BITS) };

bool packed_pairs_init(struct packed_pairs *pairs) {
  *pairs = (struct packed_pairs){.chunks = calloc(CHUNKS, sizeof *pairs->chunks)};
  return pairs->chunks;
}

void packed_pairs_free(struct packed_pairs *pairs) {
  for (size_t i = 0; pairs->chunks && i < CHUNKS && pairs->chunks[i].low; i++) {
    free(pairs->chunks[i].low);
    free(pairs->chunks[i].middle);
    free(pairs->chunks[i].high);
  }
  free(pairs->chunks);
  *pairs = (struct packed_pairs){0};
}

static void count_bytes(struct packed_pairs *pairs, uint64_t bytes) {
  atomic_fetch_add_explicit(&pairs->bytes, bytes, memory_order_relaxed);
}

static bool set_plane(struct packed_pairs *pairs, _Atomic(uint16_t *) *plane, size_t at, uint64_t left,
                      uint64_t right) {
  uint16_t *bits = atomic_load_explicit(plane, memory_order_relaxed);
  uint16_t value = (uint16_t)((left & 0xff) << 8 | (right & 0xff));
  if (!bits && value) {
    bits = calloc(PLANES_CHUNK, sizeof *bits);
    if (!bits) return false;
    count_bytes(pairs, PLANES_CHUNK * sizeof *bits);
    atomic_store_explicit(plane, bits, memory_order_release);
  }
  if (bits) bits[at] = value;
  return true;
}

bool packed_pairs_reserve(struct packed_pairs *pairs, uint32_t index) {
  struct plane_chunk *p = &pairs->chunks[index >> PLANES_CHUNK_BITS];
  if (p->low) return true;
  p->low = malloc(PLANES_CHUNK * sizeof *p->low);
  if (p->low) count_bytes(pairs, PLANES_CHUNK * sizeof *p->low);
  return p->low;
}

bool packed_pairs_set(struct packed_pairs *pairs, uint32_t index, uint64_t pair) {
  struct plane_chunk *p = &pairs->chunks[index >> PLANES_CHUNK_BITS];
  size_t at = index & (PLANES_CHUNK - 1);
  uint64_t left = pair >> 32, right = (uint32_t)pair;
  p->low[at] = (uint32_t)((left & 0xffff) << 16 | (right & 0xffff));
  return set_plane(pairs, &p->middle, at, left >> 16, right >> 16) &&
         set_plane(pairs, &p->high, at, left >> 24, right >> 24);
}
