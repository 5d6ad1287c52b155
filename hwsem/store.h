/* SPDX-License-Identifier: MIT */
/* The visited set: states of one size, packed in chunks and numbered in the
 * order they came, with a hash table of buckets beside.
 *
 * A bucket is a cache line of twelve entries: tags of eight bits that are
 * compared together, and numbers of states.  A hash alone can lie, so a lookup
 * compares the whole state; tags only save most of the comparisons that would
 * fail.  A full bucket spills into the next one.  Chunks never move: a pointer
 * to a state stays good until the next reset.
 *
 * Large runs are bound by cache misses, so states are added in batches whose
 * memory is fetched ahead: store_hint for each as soon as its hash is known,
 * then store_add_all.
 */
#ifndef LITSCOPE_HWSEM_STORE_H
#define LITSCOPE_HWSEM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { STORE_CHUNK_BITS = 18, STORE_CHUNK = 1 << STORE_CHUNK_BITS };
enum { STORE_BUCKET = 12, STORE_PADDING = 8 };

struct store_bucket {
  uint8_t tags[STORE_BUCKET]; /* 0: free */
  uint32_t used;
  uint32_t states[STORE_BUCKET];
};

struct store {
  size_t state_size;
  uint32_t count;

  uint8_t **chunks;   /* each STORE_CHUNK states */
  uint32_t **parents; /* for each chunk, the number of each state's parent */
  size_t chunk_count, chunk_room;
  size_t chunk_bytes; /* of each */

  struct store_bucket *buckets;
  size_t mask; /* buckets - 1 */
  size_t bucket_room;
};

void store_init(struct store *store);
void store_free(struct store *store);

/* Empties the store for states of `state_size` bytes; keeps what memory fits. */
void store_reset(struct store *store, size_t state_size);

/* Word by word, each folded in by a multiplication (the mixing of wyhash).  At
 * least STORE_PADDING bytes must be readable behind the state. */
static inline uint64_t store_hash(const struct store *store, const void *state) {
  __extension__ typedef unsigned __int128 wide;
  const uint8_t *at = state;
  uint64_t word, hash = UINT64_C(0x9e3779b97f4a7c15);
  size_t left = store->state_size;
  for (; left > sizeof word; left -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    wide product = (wide)(hash ^ word) * UINT64_C(0xa0761d6478bd642f);
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
  }
  memcpy(&word, at, sizeof word);
  word &= left ? ~UINT64_C(0) >> (64 - 8 * left) : 0;
  wide product = (wide)(hash ^ word) * UINT64_C(0xe7037ed1a0b428db);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline const void *store_at(const struct store *store, uint32_t index) {
  return store->chunks[index >> STORE_CHUNK_BITS] + (size_t)(index & (STORE_CHUNK - 1)) * store->state_size;
}

static inline uint32_t store_parent(const struct store *store, uint32_t index) {
  return store->parents[index >> STORE_CHUNK_BITS][index & (STORE_CHUNK - 1)];
}

/* Prefetches the bucket of a hash, in a store that is not empty. */
static inline void store_hint(const struct store *store, uint64_t hash) {
  __builtin_prefetch(&store->buckets[hash & store->mask]);
}

/* States that are to be added lie so far apart, with STORE_PADDING bytes behind
 * the last: whole words. */
static inline size_t store_stride(const struct store *store) {
  return (store->state_size + 7) & ~(size_t)7;
}

/* Adds `count` states unless they are there. false: memory or numbers ran out. */
bool store_add_all(struct store *store, const uint8_t *states, const uint64_t *hashes, const uint32_t *parents,
                   unsigned count);

/* Bytes in use. */
uint64_t store_bytes(const struct store *store);

#endif
